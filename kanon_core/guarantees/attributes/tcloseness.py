"""t-closeness: a bound on the distance between the distributions of a class and of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Real
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, at_most
from kanon_core.table.hierarchy.placed import Placed

if TYPE_CHECKING:
    from kanon_core.table.table import Table

Ground = Annotated[
    str,
    Choice(
        {
            "usual": "numbers by order, others all equally far",
            "equal": "all equally far",
            "ordered": "numbers by order",
            "hierarchical": "by hierarchy",
        },
        help="distance between two values",
    ),
]


@dataclass(frozen=True)
class TCloseness(SensitiveGuarantee):
    """The sensitive values of every class are distributed as in the whole table, up to a distance of t.

    EMD(p, q) ≤ t, the earth mover's distance between the shares p in a class and q in the table, suppressed
    records included. ``ground`` sets the distance between two values. By default, numbers are ordered, with
    neighbors 1 / (values − 1) apart, and any two other values are 1 apart; "hierarchical": the height of the
    lowest group above both, over that of the hierarchy. Range 0 … 1. Cost O(n log n) per column, times the
    height.

    N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and ℓ-diversity, ICDE 2007.
    """

    compares: ClassVar[bool] = True
    name: ClassVar[str] = "t-closeness"
    meaning: ClassVar[str] = (
        "In every equivalence class, the distribution of sensitive values is within distance t of that of"
        " the table."
    )
    example: ClassVar[str] = (
        "t = 0.2: if 30 % of the table have flu, between 10 % and 50 % of every class have flu."
    )

    symbol: ClassVar[str] = "t"
    parameter: ClassVar[str] = "t"

    t: Annotated[
        float, Real(0, 1, help="greatest distance between the distributions of a class and of the table")
    ] = 0.2

    ground: Ground = "usual"

    @property
    def called(self) -> str:
        """Its name, and how far two values are apart where that is not the usual."""
        if self.ground == "usual":
            return self.name
        return tr("t-closeness, {ground}").format(ground=self.ground)

    @property
    def required(self) -> float:
        """t."""
        return self.t

    def unsuitable(self, table: Table) -> list[str]:
        """Return reasons as for other guarantees, and those of columns without a required order or
        hierarchy."""
        if reasons := super().unsuitable(table):
            return reasons
        columns = self.columns(table)
        if self.ground == "hierarchical":
            said = tr(
                "Column “{name}” has no hierarchy to compare its values by; give it one or choose"
                " another distance."
            )
            return [said.format(name=values.name) for values in columns if values.places is None]
        said = tr("The values of column “{name}” have no order to compare them by; choose another distance.")
        return [said.format(name=v.name) for v in columns if self.ground == "ordered" and not v.ordered]

    def measured(self, counts: Counts) -> np.ndarray:
        """The distance of each class from the table."""
        if self.ground == "hierarchical":
            return hierarchical_distance(counts)
        ordered = counts.values.ordered and self.ground != "equal"
        return ordered_distance(counts) if ordered else equal_distance(counts)

    def sentence(self, worst: float, failing: int) -> str:
        """The farthest class."""
        if failing:
            return tr(
                "In {failing}, the distribution of sensitive values is farther than {t:g} from that of the"
                " table."
            ).format(failing=counted(failing, "class"), t=self.t)
        return tr(
            "In every class, the distribution of sensitive values is within {found} of that of the table."
        ).format(found=at_most(worst))


def equal_distance(counts: Counts) -> np.ndarray:
    """float64 (classes): the earth mover's distance of each class from the table where any two values are 1
    apart: ½ Σ |p − q| = Σ max(p − q, 0). Cost O(m)."""
    surplus = counts.shares - counts.values.shares[counts.codes]
    return np.bincount(counts.owner, np.maximum(surplus, 0))


def ordered_distance(counts: Counts) -> np.ndarray:
    """Return the same distance where neighbors are 1 / (values − 1) apart: Σ |P(v) − Q(v)| / (values − 1)
    over the cumulated shares.

    Between two values that a class has, its P stays the same and Q rises: the terms change their sign once.
    Cost O(m log values).
    """
    distinct = counts.values.distinct
    below = np.cumsum(counts.values.shares)
    area = np.concatenate([[0.0], np.cumsum(below)])
    reached = np.cumsum(counts.counts)
    share = (reached - (reached - counts.counts)[counts.first][counts.owner]) / counts.sizes[counts.owner]
    end = np.append(counts.codes[1:], distinct)
    end[(counts.first - 1)[1:]] = distinct
    turn = np.clip(np.searchsorted(below, share), counts.codes, end)
    over = share * (2 * turn - counts.codes - end)
    over -= (2 * area)[turn]
    over += area[counts.codes]
    over += area[end]
    found = np.bincount(counts.owner, over) + area[counts.codes[counts.first]]
    return np.asarray(np.maximum(found, 0) / max(distinct - 1, 1))


def hierarchical_distance(counts: Counts) -> np.ndarray:
    """Return the same distance where two values are as far apart as the lowest group above both is high; the
    root has height 1.

    It is Σ (h(parent of i) − h(i)) · |P(i) − Q(i)| / 2 over the nodes i below the root, of the heights h and
    the shares of all values below them: what must be carried out of a group goes up its edge. For nodes
    without values of the class below them, the terms are those of the table. Cost O(m · height · log).
    """
    places = counts.values.places
    assert places is not None
    lengths, nodes = _lengths(places), len(places.parent)
    of_table = np.zeros(nodes)
    for node, value in _upwards(places.leaf, places.parent):
        np.add.at(of_table, node, counts.values.shares[value])
    found: list[np.ndarray] = []
    for node, entry in _upwards(places.leaf[counts.codes], places.parent):
        found.append(np.column_stack([counts.owner[entry] * nodes + node, entry]))
    keys, entries = np.concatenate(found).T
    pairs, back = np.unique(keys, return_inverse=True)
    node, share = pairs % nodes, np.bincount(back, counts.shares[entries])
    more = lengths[node] * (np.abs(share - of_table[node]) - of_table[node])
    return np.asarray(np.bincount(pairs // nodes, more) + (lengths * of_table).sum())


def _upwards(nodes: np.ndarray, parent: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all nodes below the root that are among these or above them, and for each which of these it is
    above."""
    entry = np.arange(len(nodes))
    while len(entry):
        below = nodes > 0
        nodes, entry = nodes[below].astype(np.int64), entry[below]
        yield nodes, entry
        nodes = parent[nodes]


def _lengths(places: Placed) -> np.ndarray:
    """float64 (nodes): half of how much higher the parent of each node is, the root being 1 high."""
    height = np.zeros(len(places.parent))
    for node in range(len(height) - 1, 0, -1):
        height[places.parent[node]] = max(height[places.parent[node]], height[node] + 1)
    return np.asarray((height[places.parent] - height) / max(2 * height[0], 1))

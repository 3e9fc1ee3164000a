"""The distance along the edges of a value hierarchy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.distances.base import Source, ValueDistance, lacking
from kanon_core.distances.coordinates import Coordinates, leveled
from kanon_core.distances.encodings import Encoding, Scale
from kanon_core.distances.values.data_options import Lengths, Parents

LEVELS_AT_MOST = 100
"""The most levels that a tree may have."""


@dataclass(frozen=True)
class Tree(ValueDistance):
    """The length of the way between two nodes of a value hierarchy: the number of edges, or the sum of their
    lengths.

    ``parents`` is a mapping from each node to its parent (or pairs); exactly one node, the root, has none.
    Left out, it is the hierarchy of the column itself (`kanon_core.table.schema.Attribute.hierarchy`).
    ``lengths`` are those of the edges by level, the first at the root; left out, every edge is 1. Values may
    be any nodes, so that what a group publishes is measured too. Takes categories and texts; a metric; bound:
    twice the way from the deepest value up to the lowest node above all values. Cost O(V² height) for V
    values. When to use: where values belong to groups of groups: places, occupations, diseases.

    Raises OptionError when a node has two parents, no node or several are roots, or the way up from a node
    never ends.

    >>> tree = Tree({"Paris": "France", "Lyon": "France", "Rome": "Italy", "France": "*", "Italy": "*"})
    >>> tree.between(["Paris"], ["Lyon", "Rome", "France"]).tolist()
    [[2.0, 4.0, 1.0]]

    Reference: ILD paper, §3.1.3, examples 3.1.2 and §3.2.1, figures 3.1 and 3.2.
    """

    title: ClassVar[str] = "Tree"
    sentence: ClassVar[str] = "The number of edges between two values in a hierarchy of values."
    formula: ClassVar[str] = r"d(a,b)=h(a)+h(b)-2\,h(\text{lowest common ancestor})"
    kinds: ClassVar[tuple[str, ...]] = ("categorical", "text")

    parents: Annotated[
        tuple[tuple[str, str], ...],
        Parents(
            help="each node and its parent, one pair a line: Tokyo, Kanto; the column's hierarchy when left"
            " out"
        ),
    ] = ()
    lengths: Annotated[
        tuple[float, ...],
        Lengths(help="lengths of the edges by level, from the root down; 1 each when left out"),
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        repeated = [node for node, count in Counter(child for child, _ in self.parents).items() if count > 1]
        if repeated:
            raise OptionError(
                tr("The node {name} has more than one parent; give each node once.").format(
                    name=_some(repeated)
                )
            )
        nodes = {node for pair in self.parents for node in pair}
        roots = sorted(nodes - {child for child, _ in self.parents})
        if len(roots) > 1:
            raise OptionError(
                tr("The tree has {count} roots, {names}; give all but one a parent.").format(
                    count=len(roots), names=_some(roots)
                )
            )
        height = max(map(len, self.ways.values()), default=1) - 1
        if height > LEVELS_AT_MOST:
            raise OptionError(
                tr("A tree may have at most {limit} levels below its root.").format(limit=LEVELS_AT_MOST)
            )
        circling = sorted(nodes - set(self.ways))
        if circling:
            raise OptionError(
                tr(
                    "The way up from {name} leads back to itself; the tree needs one root that has no parent."
                ).format(name=_some(circling))
            )
        if self.lengths and len(self.lengths) < height:
            raise OptionError(
                tr("The tree has {height} of edges and {lengths} lengths; give one for every level.").format(
                    height=counted(height, "level"), lengths=len(self.lengths)
                )
            )

    @cached_property
    def ways(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the nodes on the way from the root down to each node, by the node."""
        children: dict[str, list[str]] = {}
        for child, parent in self.parents:
            children.setdefault(parent, []).append(child)
        below = {child for child, _ in self.parents}
        roots = (pair for pair in enumerate(children) if pair[1] not in below)
        ways: dict[str, tuple[int, ...]] = {root: (number,) for number, root in roots}
        open_, count = list(ways), len(children)
        while open_:
            parent = open_.pop()
            for child in children.get(parent, ()) if len(ways[parent]) <= LEVELS_AT_MOST + 1 else ():
                ways[child] = (*ways[parent], count)
                count += 1
                open_.append(child)
        return ways

    def lowest(self, first: tuple[int, ...], second: tuple[int, ...]) -> str:
        """The lowest node above or at the ends of two ways."""
        return self._named[first[: _common(first, second)]]

    @cached_property
    def _named(self) -> dict[tuple[int, ...], str]:
        return {way: node for node, way in self.ways.items()}

    @cached_property
    def _depths(self) -> np.ndarray:
        """float64: how far from the root a node of level 0, 1, … is."""
        height = max(map(len, self.ways.values()), default=1) - 1
        return np.concatenate([[0.0], np.cumsum(self.lengths if self.lengths else np.ones(height))])

    def unsuitable(self, column: Source) -> list[str]:
        """A tree that lacks values of the column does not suit."""
        reasons = super().unsuitable(column)
        if reasons:
            return reasons
        try:
            ways = self.of(column).ways
        except OptionError as reason:
            return [tr("Column “{name}”: {reason}").format(name=column.attribute.name, reason=reason)]
        sentence = tr(
            "The tree of column “{name}” lacks {missing} of its values: {values}; give each a parent, or the"
            " column a hierarchy."
        )
        return lacking(column, sentence, self.values(column)[1], ways)

    def bound(self, column: Source) -> float:
        """Twice the way from the deepest value up to the lowest node that all values lie below."""
        tree = self.of(column)
        ways = [tree.ways[value] for value in self.values(column)[1] if value in tree.ways]
        if not ways:
            return 0.0
        deepest, shared = max(map(len, ways)), _common(min(ways), max(ways))
        return float(2 * (tree._depths[deepest - 1] - tree._depths[shared - 1]))

    def of(self, column: Source) -> Tree:
        """The tree itself; one without nodes takes those of the column's hierarchy, if there is one."""
        hierarchy = column.attribute.hierarchy
        return self if self.parents or hierarchy is None else replace(self, parents=hierarchy.parents)

    def encoded(self, column: Source, scale: Scale | None = None, tick: Tick = silent) -> Encoding:
        """Return the column as arrays, see `Distance.encoded`; the tree is the column's own hierarchy when no
        other is given."""
        tree = self if self.unsuitable(column) else self.of(column)
        return super(Tree, tree).encoded(column, scale, tick)

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return a mismatch for each level where all values are equally deep; otherwise the coordinates of
        any values."""
        tree = self.of(column)
        codes, values = tree.values(column)
        ways = tree._padded(values)
        if ways.size == 0 or (ways < 0).any():
            return super(Tree, tree).coordinates(column, tick)
        return leveled(codes, ways[:, 1:], np.diff(tree._depths)[: ways.shape[1] - 1])

    def along(self, column: Any) -> np.ndarray | None:
        """Return the order branch by branch, as the tree names its nodes."""
        tree = self.of(column)
        codes, values = tree.values(column)
        ranks = np.full(len(values) + 1, np.nan)
        ranks[sorted(range(len(values)), key=lambda i: tree.ways[values[i]])] = np.arange(len(values))
        return np.asarray(ranks[codes])

    def between(self, values: Any, others: Any) -> np.ndarray:
        """Return the distances, level by level: two ways from the root have nodes in common as long as they
        agree."""
        one, other = self._padded(values), self._padded(others)
        width = min(one.shape[1], other.shape[1])
        agree = np.ones((len(values), len(others)), bool)
        common = np.zeros(agree.shape, np.int64)
        for level in range(width):
            agree &= (one[:, level][:, None] == other[:, level]) & (one[:, level] >= 0)[:, None]
            common += agree
        depths = self._depths
        deep = [depths[(way >= 0).sum(axis=1) - 1] for way in (one, other)]
        return np.asarray(deep[0][:, None] + deep[1] - 2 * depths[common - 1])

    def _padded(self, values: Any) -> np.ndarray:
        ways = [self.ways[value] for value in values]
        height = max(map(len, ways), default=1)
        padded = [[*way, *[-1] * (height - len(way))] for way in ways]
        return np.array(padded, np.int64).reshape(len(ways), height)


def _common(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return how many nodes two ways from the root share."""
    pairs = zip(first, second, strict=False)
    return next((level for level, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _some(names: list[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:3])
    if len(names) <= 3:
        return shown
    return tr("{names} and {more} more").format(names=shown, more=len(names) - 3)

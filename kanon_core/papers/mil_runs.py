"""Runs of MIL after MDAV and V-MDAV on samples of the thirteen distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.clustering.mdav import mdav_groups
from kanon_core.algorithms.clustering.mil import mil, on_the_line
from kanon_core.algorithms.clustering.vmdav import vmdav_groups
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr, tr_n
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import Points
from kanon_core.papers.base import Once, Part
from kanon_core.table.distributions import DISTRIBUTIONS, distribution

GAMMA = 1.0
"""V-MDAV's option in the papers' experiments."""
ROUNDING = 1e-12
"""The share by which a loss may be lowered by rounding alone."""
T = TypeVar("T")
_TRIPLE = 3


class Found(NamedTuple):
    """SSE / SST of the start and after MIL, and how often MIL judged a pair of neighbors."""

    before: float
    after: float
    judgements: int

    @property
    def reduction(self) -> float:
        """Return the share by which MIL lowers the loss."""
        return 1 - self.after / self.before if self.before else 0.0


@dataclass
class Runs:
    """Runs on samples, each drawn with its number as seed; results are kept by distribution, size, sample,
    start and k."""

    seeds: int
    _values: Once[tuple[str, int, int], np.ndarray] = field(default_factory=Once)
    _found: Once[tuple[str, int, int, str, int], Found] = field(default_factory=Once)

    def sample(self, name: str, size: int, seed: int) -> np.ndarray:
        """Return sample ``seed`` of a distribution, ascending: float64 (size)."""
        return self._values.made(
            (name, size, seed), lambda: np.sort(distribution(name, seed, size)["x"].to_numpy())
        )

    def over(self, name: str, size: int, seed: int, start: str, ks: range, tick: Tick) -> list[Found]:
        """Return the runs of MIL after ``start``, "MDAV" or "V-MDAV", on sample ``seed`` for all these k."""
        found, values = [], self.sample(name, size, seed)
        for k in ks:
            tick((k - ks.start) / len(ks), f"{name}, k = {k}")
            found.append(self._found.made((name, size, seed, start, k), partial(_run, values, start, k)))
        return found

    def losses(self, name: str, method: str, k: int, tick: Tick) -> list[float]:
        """Return SSE / SST of a method, such as "MDAV" or "MDAV + MIL", in each sample of the papers'
        size."""
        start, _, after = method.partition(" + ")
        size, ks = DISTRIBUTIONS[name].size, range(k, k + 1)
        found = [self.over(name, size, seed, start, ks, silent)[0] for seed in range(self.seeds)]
        return [run.after if after else run.before for run in found]

    def lowered(self, name: str, start: str, which: str, tick: Tick) -> list[float]:
        """Return the reduction by MIL for k = 2 … N / 2, in percent, in each sample of the papers' size: the
        ``share`` of k at which it lowers the loss, the ``mean`` reduction at these k, or the ``maximum``."""
        size, found = DISTRIBUTIONS[name].size, []
        for seed in range(self.seeds):
            reductions = [
                run.reduction for run in self.over(name, size, seed, start, range(2, size // 2 + 1), tick)
            ]
            lowered = [one for one in reductions if one > ROUNDING]
            numbers = {"share": len(lowered) / len(reductions), "mean": mean(lowered or [0.0])}
            numbers["maximum"] = max(reductions)
            found.append(100 * numbers[which])
        return found

    def part(self, table: str, says: str, unit: str, name: str, digits: int, **facts: str) -> Part:
        """Return the part of a distribution, of which the paper has another sample; its title, with the
        facts, may name the {table} or {figure}, and {name}."""
        title = says.format(**dict.fromkeys(("table", "figure"), titled(table)), name=name, **facts)
        data = tr_n("{count} sample of {name}", "{count} samples of {name}", self.seeds)
        theirs = tr("another sample of the same distribution")
        return Part(table, title, unit, data.format(count=self.seeds, name=name), theirs, True, 0, digits)

    def losses_part(self, table: str, says: str, name: str, **facts: str) -> Part:
        """Return the part of losses in samples of the papers' size."""
        return replace(self.part(table, says, "SSE / SST", name, 6, **facts), size=DISTRIBUTIONS[name].size)


def titled(table: str) -> str:
    """Return the name of a table or figure with a capital: “Table A.5”."""
    return table[0].upper() + table[1:]


def mean(counts: Sequence[float]) -> float:
    """Return the mean of these numbers."""
    return sum(counts) / len(counts)


def triples(samples: Sequence[T]) -> list[Sequence[T]]:
    """Return the samples in threes, as the papers have them; an incomplete three is left out, unless it is
    the only one.

    >>> triples("abcdefgh"), triples("ab")
    (['abc', 'def'], ['ab'])
    """
    found = [samples[i : i + _TRIPLE] for i in range(0, len(samples), _TRIPLE)]
    return [triple for triple in found if len(triple) == len(found[0])]


def _run(ascending: np.ndarray, start: str, k: int) -> Found:
    none = np.zeros((len(ascending), 0), np.int32)
    points = Points(ascending[:, None], none, np.zeros(0), ("x",), ())
    groups = mdav_groups(points, k, Run()) if start == "MDAV" else vmdav_groups(points, k, GAMMA, Run())
    _, sizes, _ = on_the_line(ascending, Partition(groups))
    after, judgements, _ = mil(ascending, sizes, k)
    total = float(((ascending - ascending.mean()) ** 2).sum())
    return Found(_squares(ascending, sizes) / total, _squares(ascending, after) / total, judgements)


def _squares(ascending: np.ndarray, sizes: np.ndarray) -> float:
    """Return the SSE of runs of these sizes."""
    starts = np.cumsum(sizes) - sizes
    means = np.add.reduceat(ascending, starts) / sizes
    return float(((ascending - np.repeat(means, sizes)) ** 2).sum())

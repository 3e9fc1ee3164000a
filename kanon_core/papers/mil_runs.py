"""Runs of MIL after MDAV and V-MDAV on samples of the thirteen distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.clustering.mdav import mdav_groups
from kanon_core.algorithms.clustering.mil import mil, on_the_line
from kanon_core.algorithms.clustering.vmdav import vmdav_groups
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.distances.mixed import Points
from kanon_core.papers.base import Once
from kanon_core.release.cover import Partition
from kanon_core.table.distributions import DISTRIBUTIONS, distribution

GAMMA = 1.0
"""V-MDAV's option in the papers' experiments."""
ROUNDING = 1e-12
"""A share by which a loss is lowered for no other reason than rounding."""
T = TypeVar("T")
_TRIPLE = 3


class Found(NamedTuple):
    """SSE / SST of the start and after MIL, and how often MIL judged a pair of neighbors."""

    before: float
    after: float
    judgements: int

    @property
    def reduction(self) -> float:
        """By what share MIL lowers the loss."""
        return 1 - self.after / self.before if self.before else 0.0


@dataclass
class Runs:
    """What was run once is kept: by distribution, size, sample, start and k."""

    _values: Once[tuple[str, int, int], np.ndarray] = field(default_factory=Once)
    _found: Once[tuple[str, int, int, str, int], Found] = field(default_factory=Once)

    def run(self, name: str, size: int, seed: int, start: str, k: int) -> Found:
        """The run of MIL after ``start``, "MDAV" or "V-MDAV", on sample ``seed`` of a distribution."""
        values = self.sample(name, size, seed)
        return self._found.made((name, size, seed, start, k), lambda: _run(values, start, k))

    def sample(self, name: str, size: int, seed: int) -> np.ndarray:
        """Sample ``seed`` of a distribution, ascending float64 (size)."""
        return self._values.made((name, size, seed), lambda: _drawn(name, size, seed))

    def over(self, name: str, size: int, seed: int, start: str, ks: range, tick: Tick) -> list[Found]:
        """The runs for all these k."""
        found = []
        for k in ks:
            tick((k - ks.start) / len(ks), f"{name}, k = {k}")
            found.append(self.run(name, size, seed, start, k))
        return found

    def losses(self, name: str, method: str, k: int, seeds: int) -> list[float]:
        """SSE / SST of a method, such as "MDAV" or "MDAV + MIL", in each sample of the papers' size."""
        start, _, after = method.partition(" + ")
        found = [self.run(name, DISTRIBUTIONS[name].size, seed, start, k) for seed in range(seeds)]
        return [one.after if after else one.before for one in found]


def samples_text(count: int, name: str) -> str:
    """Of how many samples rows are."""
    said = tr("{count} samples of {name}") if count > 1 else tr("1 sample of {name}")
    return said.format(count=count, name=name)


def share_lowered(found: Sequence[Found]) -> float:
    """At which share of these runs MIL lowers the loss."""
    return sum(one.reduction > ROUNDING for one in found) / len(found)


def most_lowered(found: Sequence[Found]) -> float:
    """By what share MIL lowers the loss at most."""
    return max(one.reduction for one in found)


def triples(samples: Sequence[T]) -> list[Sequence[T]]:
    """Samples by three, as the papers have them; what is left of three is left out, unless there is no more.

    >>> triples("abcdefgh"), triples("ab")
    (['abc', 'def'], ['ab'])
    """
    found = [samples[i : i + _TRIPLE] for i in range(0, len(samples), _TRIPLE)]
    return [triple for triple in found if len(triple) == len(found[0])]


def _drawn(name: str, size: int, seed: int) -> np.ndarray:
    return np.sort(distribution(name, seed, size)["x"].to_numpy())


def _run(ascending: np.ndarray, start: str, k: int) -> Found:
    none = np.zeros((len(ascending), 0), np.int32)
    points = Points(ascending[:, None], none, np.zeros(0), ("x",), ())
    groups = mdav_groups(points, k, Run()) if start == "MDAV" else vmdav_groups(points, k, GAMMA, Run())
    _, sizes, _ = on_the_line(ascending, Partition(groups))
    after, judgements, _ = mil(ascending, sizes, k)
    total = float(((ascending - ascending.mean()) ** 2).sum())
    return Found(_squares(ascending, sizes) / total, _squares(ascending, after) / total, judgements)


def _squares(ascending: np.ndarray, sizes: np.ndarray) -> float:
    """SSE of runs of these sizes."""
    starts = np.cumsum(sizes) - sizes
    means = np.add.reduceat(ascending, starts) / sizes
    return float(((ascending - np.repeat(means, sizes)) ** 2).sum())

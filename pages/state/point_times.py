"""Time that points of curves take, learned from the points that arrived."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from kanon_core.algorithms import Algorithm
from kanon_core.runs.sweeps import SweepPoint

UNSEEN_SECONDS = 5.0
"""The seconds without a request after which the clock starts again."""
_LAST_POINTS, _LEAST_POINTS = 25, 3


@dataclass
class PointTimes:
    """Additional time of points: to measure, to send, and to wait for points of others."""

    _asking: bool = False
    _since: float | None = None
    _looked: float = 0.0
    _overheads: list[float] = field(default_factory=list)

    def start(self) -> None:
        """Note that points are being asked for now."""
        now = time.monotonic()
        if not self._asking or now - self._looked > UNSEEN_SECONDS:
            self._asking, self._since = True, None
        self._looked = now

    def pause(self) -> None:
        """Note that nothing is asked for any more."""
        self._asking, self._since = False, None

    def arrived(self, point: SweepPoint) -> None:
        """Note that a point has arrived, in any thread. The first one since the start only starts the clock:
        it waited for the process to start."""
        now, since = time.monotonic(), self._since
        if self._asking:
            self._since = now
        if since is not None:
            self._overheads = [*self._overheads[-_LAST_POINTS:], max(0.0, now - since - point.seconds)]

    def seconds_left(self, todo: Iterable[tuple[Algorithm, int]], done: Iterable[SweepPoint]) -> float | None:
        """Return the seconds that algorithms at some k will take, after the points done, in the order of
        their arrival; None while an algorithm has fewer than 3 points.

        The first point of an algorithm does not count, as it also loads the compiled code. Between and beyond
        the k that are known the time follows the nearest ones. Of the additional times the median counts.
        """
        overheads, known = list(self._overheads), dict[Algorithm, dict[int, float]]()
        for point in done:
            known.setdefault(point.algorithm, {})[point.k] = point.seconds
        wanted: dict[Algorithm, list[int]] = {}
        for algorithm, k in todo:
            wanted.setdefault(algorithm, []).append(k)
        if not overheads or any(len(known.get(algorithm, ())) < _LEAST_POINTS for algorithm in wanted):
            return None
        own = sum(_at(ks, dict(list(known[algorithm].items())[1:])) for algorithm, ks in wanted.items())
        return own + statistics.median(overheads) * sum(map(len, wanted.values()))


def _at(ks: Sequence[int], known: dict[int, float]) -> float:
    """Return the seconds at all these k together."""
    there = sorted(known)
    return float(np.interp(ks, there, [known[k] for k in there]).sum())

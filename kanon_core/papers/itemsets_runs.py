"""Runs of the top-down pass, and of others, for the figures on item sets: made once, asked for loss and
time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.progress import Tick, stage
from kanon_core.metrics import SuppressedItems
from kanon_core.papers.base import Once, Part, Task
from kanon_core.run import anonymize
from kanon_core.table.columns.columns import Items
from kanon_core.table.table import Table

_WARM = 20


@dataclass(frozen=True)
class Result:
    """``lost`` of ``total`` items of the first item-set column; ``seconds``: the least of the runs."""

    lost: int
    total: int
    seconds: float

    def percent(self) -> float:
        """The suppressed items in percent."""
        return 100 * self.lost / self.total if self.total else 0.0

    def items(self) -> float:
        """The suppressed items."""
        return float(self.lost)

    def time(self) -> float:
        """Seconds."""
        return self.seconds


@dataclass
class Runs:
    """Runs on these samples, each as often as ``repeats`` says; what was run once is kept."""

    samples: tuple[Table, ...]
    algorithm: Algorithm = field(default_factory=TopDown)
    repeats: int = 3
    _found: Once[tuple[tuple[str, ...], int], list[Result]] = field(default_factory=Once)
    _asked: set[tuple[tuple[str, ...], int]] = field(default_factory=set)

    def task(
        self,
        part: Part,
        place: Mapping[str, str | int],
        quasi: tuple[str, ...],
        k: int,
        value: Callable[[Result], float],
        paper: float | None = None,
    ) -> Task:
        """The row of a value of the runs with these quasi-identifiers; the work is the records of a run that
        is asked for the first time, next to nothing afterwards."""
        weight = 1.0 if (quasi, k) in self._asked else float(sum(map(len, self.samples)))
        self._asked.add((quasi, k))
        return Task(part, place, lambda tick: list(map(value, self.results(quasi, k, tick))), paper, weight)

    def results(self, quasi: tuple[str, ...], k: int, tick: Tick) -> list[Result]:
        """One result per sample with exactly these quasi-identifiers; UnsuitableError for a k too large."""
        return self._found.made((quasi, k), lambda: self._run_all(quasi, k, tick))

    def _run_all(self, quasi: tuple[str, ...], k: int, tick: Tick) -> list[Result]:
        tables, count = [t.with_schema(t.schema.with_quasi(quasi)) for t in self.samples], len(self.samples)
        if not self._found:
            self._warm_up(tables[0])
        shares = [stage(tick, i / count, (i + 1) / count) for i in range(count)]
        return [self._run(table, quasi, k, share) for table, share in zip(tables, shares, strict=True)]

    def _warm_up(self, table: Table) -> None:
        """Load the compiled code, which is not to be timed."""
        few = table.some(np.arange(min(_WARM, len(table))))
        anonymize(few.in_given_order(), self.algorithm, min(2, len(few)), seed=0)

    def _run(self, table: Table, quasi: tuple[str, ...], k: int, tick: Tick) -> Result:
        least = np.inf
        for again in range(self.repeats):
            start, share = time.perf_counter(), stage(tick, again / self.repeats, (again + 1) / self.repeats)
            release = anonymize(table.in_given_order(), self.algorithm, k, 0, share)
            least = min(least, time.perf_counter() - start)
        column = table[quasi[0]]
        assert isinstance(column, Items)
        lost, total = SuppressedItems().measure(table, release).attributes[quasi[0]], len(column.items)
        return Result(round(lost * total), total, float(least))

"""Runs of the top-down pass, and of others, for the figures on item sets: made once, asked for loss and time.

The paper's two tables differ in size, variety and in how frequent the frequent diseases are: 10,000 receipts
of 169 diseases, 100,000 receipts of 4,156. `apart` has each alone: why the larger table loses more here and
less in the paper.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.progress import Tick, stage
from kanon_core.base.randomness import generator
from kanon_core.base.words import tr
from kanon_core.metrics import SuppressedItems
from kanon_core.papers.base import Once, Part, Task
from kanon_core.run import anonymize
from kanon_core.table.columns.columns import Items
from kanon_core.table.reading import starting_schema
from kanon_core.table.samples import receipts
from kanon_core.table.table import Table

APART = "table 2, why"
"""The name of the part of `apart`."""
STEEP, STEEPER = "1/r", "1/r²"
"""How frequent the disease of rank r is: in our samples, and in those that show what the paper saw."""
FEW, MANY = (169, 5.2021), (4_156, 4.4194)
"""Different diseases, and diseases of a receipt, of the paper's smaller and larger table (table 1)."""
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


Value = Callable[[Result], float]


@dataclass
class Runs:
    """Runs on samples of one kind of table, each as often as ``repeats`` says; what was run once is kept.

    ``quasi``: the quasi-identifiers used, item sets first; ``what``: the name of the table, ``same`` as the
    paper's or not.
    """

    samples: tuple[Table, ...]
    quasi: tuple[str, ...]
    what: str = ""
    same: bool = False
    algorithm: Algorithm = field(default_factory=TopDown)
    repeats: int = 3
    _found: Once[tuple[tuple[str, ...], int], list[Result]] = field(default_factory=Once)
    _asked: set[tuple[tuple[str, ...], int]] = field(default_factory=set)

    @property
    def size(self) -> int:
        """The records of a sample."""
        return len(self.samples[0])

    def task(
        self,
        part: Part,
        place: Mapping[str, str | int],
        k: int,
        value: Value,
        paper: float | None = None,
        m: int | None = None,
    ) -> Task:
        """The row of a value of the runs with all, or the first ``m``, quasi-identifiers; the work is the
        records of a run that is asked for the first time, next to nothing afterwards."""
        quasi = self.quasi[:m]
        weight = 1.0 if (quasi, k) in self._asked else float(sum(map(len, self.samples)))
        self._asked.add((quasi, k))
        return Task(part, place, lambda tick: list(map(value, self.results(quasi, k, tick))), paper, weight)

    def results(self, quasi: tuple[str, ...], k: int, tick: Tick) -> list[Result]:
        """One result per sample with exactly these quasi-identifiers; UnsuitableError for a k too large."""
        return self._found.made((quasi, k), lambda: self._run_all(quasi, k, tick))

    def _run_all(self, quasi: tuple[str, ...], k: int, tick: Tick) -> list[Result]:
        tables, count = [t.with_schema(t.schema.with_quasi(quasi)) for t in self.samples], len(self.samples)
        if not self._found:  # load the compiled code, which is not to be timed
            few = tables[0].some(np.arange(min(_WARM, len(tables[0]))))
            anonymize(few.in_given_order(), self.algorithm, min(2, len(few)), seed=0)
        shares = [stage(tick, i / count, (i + 1) / count) for i in range(count)]
        return [self._run(table, quasi, k, share) for table, share in zip(tables, shares, strict=True)]

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


def apart(part: Part, small: Runs, large: Runs, k: int) -> Iterator[Task]:
    """The suppressed items in percent of pairs of a smaller and a larger table that differ in size alone,
    then in size and variety; samples are made when their row is."""
    title = tr("Table 2, why: size, variety and frequencies apart, k = {k}").format(k=k)
    part, low, high = replace(part, table=APART, called=title, papers_data=""), small.size, large.size
    seeds = len(small.samples)
    made = partial(_made, seeds)
    rows: tuple[tuple[int, int, str, Callable[[], tuple[Table, ...]]], ...] = (
        (low, FEW[0], STEEP, lambda: small.samples),
        (high, FEW[0], STEEP, partial(made, high, FEW, 1.0)),
        (low, MANY[0], STEEP, lambda: tuple(map(partial(drawn, low), range(seeds), large.samples))),
        (high, MANY[0], STEEP, lambda: large.samples),
        (low, FEW[0], STEEPER, partial(made, low, FEW, 2.0)),
        (high, MANY[0], STEEPER, partial(made, high, MANY, 2.0)),
    )
    for records, diseases, frequency, samples in rows:

        def make(tick: Tick, samples: Callable[[], tuple[Table, ...]] = samples) -> list[float]:
            tick(0.0, tr("inventing receipts"))
            return list(map(Result.percent, Runs(samples(), small.quasi).results(small.quasi, k, tick)))

        place: dict[str, str | int] = {"records": records, "diseases": diseases, "frequency": frequency}
        yield Task(part, place, make, weight=float(records * seeds))


def drawn(size: int, seed: int, table: Table) -> Table:
    """Random records of a table, or all if there are no more."""
    return table.some(np.sort(generator(seed).choice(len(table), min(size, len(table)), replace=False)))


def _made(seeds: int, size: int, diseases: tuple[int, float], steepness: float) -> tuple[Table, ...]:
    frames = [receipts(size, *diseases, seed, steepness) for seed in range(seeds)]
    schema = starting_schema(frames[0], {"sample": "receipts-10000"})
    return tuple(Table.from_frame(frame, schema) for frame in frames)

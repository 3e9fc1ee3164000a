"""Runs for the figures on item sets, made once and used for loss and time: of the top-down pass and, for
figures 9 and 11, of other methods: suppression of rare items, and methods that need a hierarchy.

The paper's two tables differ in size, variety and in how frequent the frequent diseases are: 10,000 receipts
of 169 diseases, 100,000 receipts of 4,156. `apart` separates them, to explain why the larger table loses more
here and less in the paper.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms import Algorithm, Apriori, LocalPartition, RareItems, TopDown
from kanon_core.base.progress import Tick, stage
from kanon_core.base.randomness import generator
from kanon_core.base.words import later, tr
from kanon_core.metrics import SuppressedItems
from kanon_core.papers.base import Once, Part, Task
from kanon_core.runs.run import anonymize
from kanon_core.table.columns.columns import Items
from kanon_core.table.hierarchy.hierarchy import Hierarchy
from kanon_core.table.reading import starting_schema
from kanon_core.table.samples import receipts
from kanon_core.table.table import Table

APART = "table 2, why"
"""The name of the part of `apart`."""
STEEP, STEEPER = "1/r", "1/r²"
"""The frequency of a disease by its rank r: in our samples, and in samples that agree with the paper."""
FEW, MANY = (169, 5.2021), (4_156, 4.4194)
"""Different diseases, and diseases of a receipt, of the paper's smaller and larger table (table 1)."""
_WARM = 20


class Result(NamedTuple):
    """The suppression of the first item-set column in one run, in percent and in items, and the time of the
    run in seconds, the least of the repeats."""

    percent: float
    items: float
    seconds: float


@dataclass
class Runs:
    """Runs on samples of one kind of table, each repeated ``repeats`` times; results are kept.

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
    _counted: set[tuple[tuple[str, ...], int]] = field(default_factory=set)

    @property
    def size(self) -> int:
        """Return the number of records of a sample."""
        return len(self.samples[0])

    def task(
        self,
        part: Part,
        place: Mapping[str, str | int],
        k: int,
        value: str,
        paper: float | None = None,
        m: int | None = None,
    ) -> Task:
        """Return the row of a value of the `Result` with all, or the first ``m``, quasi-identifiers; the work
        is the number of records for the first request of a run, next to nothing afterwards."""
        quasi = self.quasi[:m]
        weight = 1.0 if (quasi, k) in self._counted else float(sum(map(len, self.samples)))
        self._counted.add((quasi, k))
        make = partial(self.values, value, quasi, k)
        return Task(part, place, make, paper, weight)

    def values(self, value: str, quasi: tuple[str, ...], k: int, tick: Tick) -> list[float]:
        """Return the value of each sample."""
        return [getattr(result, value) for result in self.results(quasi, k, tick)]

    def results(self, quasi: tuple[str, ...], k: int, tick: Tick) -> list[Result]:
        """Return one result per sample with exactly these quasi-identifiers; UnsuitableError for a k too
        large."""
        return self._found.made((quasi, k), lambda: self._run_all(quasi, k, tick))

    def _run_all(self, quasi: tuple[str, ...], k: int, tick: Tick) -> list[Result]:
        tables, count = [t.with_schema(t.schema.with_quasi(quasi)) for t in self.samples], len(self.samples)
        if not self._found:  # load the compiled code, so that loading is not timed
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
        items = round(lost * total)
        return Result(100 * items / total if total else 0.0, float(items), float(least))


def apart(part: Part, small: Runs, large: Runs, k: int) -> Iterator[Task]:
    """Yield the rows of the suppressed items, in percent, of pairs of a smaller and a larger table that
    differ in size alone, then in size and variety; samples are made when their row is."""
    title = tr("Table 2, why: size, variety and frequencies apart, k = {k}").format(k=k)
    part, low, high = replace(part, table=APART, called=title, papers_data=""), small.size, large.size
    seeds = len(small.samples)
    rows: tuple[tuple[int, int, str, Callable[[], tuple[Table, ...]]], ...] = (
        (low, FEW[0], STEEP, lambda: small.samples),
        (high, FEW[0], STEEP, partial(_made, seeds, high, FEW, 1.0)),
        (low, MANY[0], STEEP, lambda: tuple(map(partial(drawn, low), range(seeds), large.samples))),
        (high, MANY[0], STEEP, lambda: large.samples),
        (low, FEW[0], STEEPER, partial(_made, seeds, low, FEW, 2.0)),
        (high, MANY[0], STEEPER, partial(_made, seeds, high, MANY, 2.0)),
    )
    for records, diseases, frequency, samples in rows:

        def make(tick: Tick, samples: Callable[[], tuple[Table, ...]] = samples) -> list[float]:
            tick(0.0, tr("inventing receipts"))
            return Runs(samples(), small.quasi).values("percent", small.quasi, k, tick)

        place: dict[str, str | int] = {"records": records, "diseases": diseases, "frequency": frequency}
        yield Task(part, place, make, weight=float(records * seeds))


def drawn(size: int, seed: int, table: Table) -> Table:
    """Return random records of a table, or all if there are no more."""
    return table.some(np.sort(generator(seed).choice(len(table), min(size, len(table)), replace=False)))


def _made(seeds: int, size: int, diseases: tuple[int, float], steepness: float) -> tuple[Table, ...]:
    frames = [receipts(size, *diseases, seed, steepness) for seed in range(seeds)]
    schema = starting_schema(frames[0], {"sample": "receipts-10000"})
    return tuple(Table.from_frame(frame, schema) for frame in frames)


SIZES = (10, 100, 1_000)
"""The number of items in a group, level by level, where items have no hierarchy of their own."""
BESIDE = "beside "
"""The prefix for the name of the figure with which the methods are compared."""


RIVALS: tuple[tuple[str, bool, dict[str, Algorithm], str], ...] = (
    (
        later("suppression alone"),
        False,
        {"top-down": TopDown(), "rare items": RareItems()},
        later(
            "Top-down leaves an item out of single records; the other method leaves a rare item out of"
            " all records."
        ),
    ),
    (
        later("with a hierarchy"),
        True,
        {"top-down, grouped": TopDown(), "local partition": LocalPartition(), "apriori": Apriori()},
        later(
            "Items without a hierarchy get one: ten consecutive items form a group, ten groups form a"
            " larger group, and ten of these the next. An item published as a group counts as suppressed by"
            " the group's share of all items. The guarantee of Apriori is for an attacker who knows at most"
            " two items of a record, that of the others for an attacker who knows all."
        ),
    ),
)
"""Methods that can be compared, each with its default options: what they are called, whether items are
grouped for them, and what must be known of them. Local partition: He and Naughton 2009; apriori: Terrovitis
et al. 2008; rare items: Xu et al. 2008."""


def beside(
    samples: tuple[Table, ...],
    quasi: tuple[str, ...],
    ks: Sequence[int],
    shown: Sequence[tuple[Part, str, str]],
) -> Iterator[Task]:
    """Yield the rows of the rivals, on samples of item sets alone, for each part that is shown: the part, a
    title with a place for the ``methods``, and the value of a `Result`. Each run is made once."""
    runs: dict[str, Runs] = {}
    for _, grouped, methods, _ in RIVALS:
        tables = tuple(map(in_tens, samples)) if grouped else samples
        for method, algorithm in methods.items():
            runs[method] = Runs(tables, quasi, algorithm=algorithm, repeats=1)
    for part, title, value in shown:
        for name, _, methods, remark in RIVALS:
            called = title.format(methods=tr(name))
            mine = replace(part, table=BESIDE + part.table, called=called, remark=tr(remark))
            for k, method in product(ks, methods):
                yield runs[method].task(mine, {"k": k, "method": method}, k, value)


def in_tens(table: Table) -> Table:
    """Return the table with its items in tens, hundreds and thousands, in the order of their numbers, or
    names; columns that have a hierarchy keep it."""
    trees = {}
    for column in table.quasi:
        if not isinstance(column, Items) or column.attribute.hierarchy is not None:
            continue
        numbers = all(label.isdecimal() for label in column.labels)
        items = sorted(column.labels, key=int) if numbers else list(column.labels)
        paths = [(item, *(f"[{size}:{i // size}]" for size in SIZES)) for i, item in enumerate(items)]
        trees[column.attribute.name] = Hierarchy.of_paths(paths)
    return table.with_schema(table.schema.with_hierarchies(trees))

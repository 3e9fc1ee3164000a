"""Why the larger table of receipts loses more here and less in the paper: its size, its variety and how
frequent the frequent diseases are, each alone.

The paper's two tables differ in all three: 10,000 receipts of 169 diseases, 100,000 receipts of 4,156.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.randomness import generator
from kanon_core.base.words import tr
from kanon_core.papers.base import Once, Part, Task
from kanon_core.papers.itemsets_runs import Result, Runs
from kanon_core.table.reading import starting_schema
from kanon_core.table.samples import receipts
from kanon_core.table.table import Table

APART = "table 2, why"
"""The name of the part."""
STEEP, STEEPER = "1/r", "1/r²"
"""How frequent the disease of rank r is: in our samples, and in those that show what the paper saw."""
FEW, MANY = (169, 5.2021), (4_156, 4.4194)
"""Different diseases, and diseases of a receipt, of the paper's smaller and larger table (table 1)."""


class Drawn(NamedTuple):
    """One row: so many receipts of so many diseases, with these frequencies, and their samples."""

    records: int
    diseases: int
    frequency: str
    samples: Callable[[], tuple[Table, ...]]


@dataclass(frozen=True)
class Apart:
    """The two tables of the paper, by their samples, and those between them."""

    small: tuple[Table, ...]
    large: tuple[Table, ...]

    def rows(self) -> Iterator[Drawn]:
        """Pairs of a smaller and a larger table that differ in size alone, then in size and variety."""
        low, high, seeds = len(self.small[0]), len(self.large[0]), len(self.small)
        yield Drawn(low, FEW[0], STEEP, lambda: self.small)
        yield Drawn(high, FEW[0], STEEP, partial(_made, high, FEW, 1.0, seeds))
        yield Drawn(low, MANY[0], STEEP, partial(self._of_the_large, low))
        yield Drawn(high, MANY[0], STEEP, lambda: self.large)
        yield Drawn(low, FEW[0], STEEPER, partial(_made, low, FEW, 2.0, seeds))
        yield Drawn(high, MANY[0], STEEPER, partial(_made, high, MANY, 2.0, seeds))

    def tasks(self, part: Part, quasi: tuple[str, ...], k: int) -> list[Task]:
        """The suppressed items in percent, row by row; samples are made when their row is."""
        title = tr("Table 2, why: size, variety and frequencies apart, k = {k}").format(k=k)
        part, kept = replace(part, table=APART, called=title, papers_data=""), Once[int, Runs]()

        def make(number: int, drawn: Drawn, tick: Tick) -> list[float]:
            tick(0.0, tr("inventing receipts"))
            runs = kept.made(number, lambda: Runs(drawn.samples()))
            return [Result.percent(result) for result in runs.results(quasi, k, tick)]

        return [
            Task(
                part,
                {"records": drawn.records, "diseases": drawn.diseases, "frequency": drawn.frequency},
                partial(make, number, drawn),
                weight=float(drawn.records * len(self.small)),
            )
            for number, drawn in enumerate(self.rows())
        ]

    def _of_the_large(self, size: int) -> tuple[Table, ...]:
        """Random receipts of the larger table."""
        return tuple(
            table.some(np.sort(generator(seed).choice(len(table), min(size, len(table)), replace=False)))
            for seed, table in enumerate(self.large)
        )


def _made(size: int, diseases: tuple[int, float], steepness: float, seeds: int) -> tuple[Table, ...]:
    frames = [receipts(size, *diseases, seed, steepness) for seed in range(seeds)]
    schema = starting_schema(frames[0], {"sample": "receipts-10000"})
    return tuple(Table.from_frame(frame, schema) for frame in frames)

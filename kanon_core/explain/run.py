"""A run and its log, as a narration reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.charts.canvas.theme import listed
from kanon_core.table.table import Table

Event = tuple[str, dict[str, Any]]


@dataclass(frozen=True, eq=False)
class Logged:
    """A run as it was logged.

    ``table``: the records in the order in which the algorithm saw them; ``records`` int64 (n): the number of
    each in the table it came from; ``events``: the decisions, whose record numbers are those of ``table``;
    ``draw``: under k-concealment, the rows that were left for each record, int64 (n, d), when the true
    matching was drawn (`kanon_core.release.draw.stages`).
    """

    table: Table
    records: np.ndarray
    algorithm: Algorithm
    k: int
    events: tuple[Event, ...]
    draw: tuple[np.ndarray, ...] = ()

    def part(self, algorithm: Algorithm, events: Sequence[Event]) -> Logged:
        """The run of the algorithm that this one starts from: some of the events."""
        return replace(self, algorithm=algorithm, events=tuple(events))

    def number(self, record: int) -> str:
        """What a record is called: its number in the table, from 1."""
        return str(self.records[record] + 1)

    def numbers(self, records: np.ndarray) -> str:
        """``3, 7 and 12``: what these records are called, in the table's order; at least one."""
        return listed([str(number) for number in np.sort(self.records[records] + 1)])

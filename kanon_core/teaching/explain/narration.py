"""Base of all narrations: the lines of an algorithm, and the log of a run as steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps import Scene
from kanon_core.table.table import Table

Event = tuple[str, dict[str, Any]]


@dataclass(frozen=True, eq=False)
class Logged:
    """A run as it was logged.

    ``table``: the records in the order in which the algorithm saw them; ``records`` int64 (n): the number of
    each in the table it came from; ``events``: the decisions, whose record numbers are those of ``table``;
    ``draw``: under k-concealment, the rows that were left for each record, int64 (n, d), when the true
    matching was drawn (`kanon_core.covers.draw.stages`).
    """

    table: Table
    records: np.ndarray
    algorithm: Algorithm
    k: int
    events: tuple[Event, ...]
    draw: tuple[np.ndarray, ...] = ()

    def part(self, algorithm: Algorithm, events: Sequence[Event]) -> Logged:
        """Return the run of the algorithm that this one starts from: some of the events."""
        return replace(self, algorithm=algorithm, events=tuple(events))

    def of(self, event: str) -> list[dict[str, Any]]:
        """Return the logged events of this name, in order."""
        return [what for name, what in self.events if name == event]

    def number(self, record: int) -> str:
        """Return the number of a record in the table, from 1, as sentences name it."""
        return str(self.records[record] + 1)

    def numbers(self, records: np.ndarray) -> str:
        """Return the numbers of these records, at least one, in the table's order: ``3, 7 and 12``."""
        return listed([str(number) for number in np.sort(self.records[records] + 1)])


@dataclass(frozen=True, eq=False)
class Step:
    """The effect of one decision.

    ``sentence``: what happens, with its numbers; records are named by their number in the table, from 1.
    ``line``: the one of the narration's ``lines`` that the step belongs to, from 0. ``cover``: the groups or
    matchings made so far, in the order in which the algorithm saw the records: int64 (n) groups, −1 = none
    yet or left out; or int64 (i, n) matchings. ``scene``: the picture. ``lines``: the lines of the start or
    of the inner algorithm, while that one is told.
    """

    sentence: str
    line: int
    cover: np.ndarray
    scene: Scene
    lines: tuple[str, ...] = ()


class Narration:
    """Base of all narrations; one class for each algorithm. Subclasses state, as class attributes:

    ``algorithm``, the class of the algorithm; ``events``, the names of all events that the algorithm logs;
    ``said``, the algorithm in a few lines, one sentence each, in the order of the work.
    """

    algorithm: ClassVar[type[Algorithm]]
    events: ClassVar[frozenset[str]]
    said: ClassVar[tuple[str, ...]]

    def lines(self) -> tuple[str, ...]:
        """Return the algorithm in lines, in the reader's language."""
        return tuple(tr(line) for line in self.said)

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run; each event is part of at least one of them, and the ``cover`` of the last
        is that of the run."""
        raise NotImplementedError  # pragma: no cover - every narration overrides it

    def steps_with_lines(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run, each with the lines it belongs to."""
        lines = self.lines()
        for step in self.steps(run):
            yield step if step.lines else replace(step, lines=lines)


def start_steps(run: Logged) -> Iterator[Step]:
    """Yield the steps of the starting algorithm, with its own lines; none if it logged nothing."""
    from kanon_core.teaching.explain.story import narration_of  # it imports the narrations that use a start

    if run.events:
        yield from narration_of(run.algorithm).steps_with_lines(run)


def labels_of(run: Logged, parts: Iterable[np.ndarray]) -> np.ndarray:
    """Return the number, from 0, of the part that holds each record of the run; −1 = none: int64 (n)."""
    labels = np.full(len(run.table), -1)
    for number, members in enumerate(parts):
        labels[members] = number
    return labels

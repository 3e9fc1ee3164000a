"""What is made of samples of the MIL paper's distributions, and so of no other data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.papers.base import Reproduction, Source, Task
from kanon_core.papers.mil_runs import Runs


@dataclass(frozen=True)
class OfSamples(Reproduction):
    """Base of what needs no data but samples, each of which is drawn with its number as seed.

    Reference: MIL paper, §4.1.
    """

    largest: Annotated[
        int, Integer(100, 100_000, help="the most records in which judgements are counted")
    ] = 1_000
    seeds: Annotated[int, Integer(1, 60, help="samples, of which means and ranges are shown")] = 12

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Table by table. InputError for a given table: the data are the paper's own."""
        if source is not None:
            raise InputError(
                tr("These numbers are of values and distributions of the paper; leave the file out.")
            )
        return list(self.tasks_of(Runs()))

    def tasks_of(self, runs: Runs) -> Iterable[Task]:
        """The rows to be made of these runs."""
        raise NotImplementedError  # pragma: no cover - both override it

    def loss(self, runs: Runs, name: str, method: str, k: int, tick: Tick) -> list[float]:
        """SSE / SST of a method in each sample."""
        return runs.losses(name, method, k, self.seeds)

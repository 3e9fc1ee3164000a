"""What every narration is: the lines of an algorithm, and its log as steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from kanon_core.algorithms.base import Algorithm
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step


class Narration:
    """Base of all narrations; one class for each algorithm. Subclasses state, as class attributes:

    ``algorithm``, the class whose runs it tells; ``events``, the names of the events it tells, which are all
    that the algorithm logs. `lines` are methods so that they are read in the reader's language.
    """

    algorithm: ClassVar[type[Algorithm]]
    events: ClassVar[frozenset[str]]

    def lines(self) -> tuple[str, ...]:
        """The algorithm in a few lines, one sentence each, in the order of the work."""
        raise NotImplementedError  # pragma: no cover - every narration overrides it

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run; each event is told by at least one of them, and the ``cover`` of the last is
        that of the run."""
        raise NotImplementedError  # pragma: no cover - every narration overrides it

"""What is asked before the next screen. The right answer is found from the numbers of the screen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kanon_core.lessons.facts import Fact, filled

Facts = Mapping[str, float]


@dataclass(frozen=True)
class Question:
    """A question: ``asks`` and ``why`` (said once it is answered) are templates
    (`kanon_core.lessons.facts`)."""

    asks: str
    why: str

    def answer(self, facts: Facts, names: Mapping[str, str] | None = None) -> str:
        """The right answer as text."""
        raise NotImplementedError  # pragma: no cover - every question overrides it

    def is_right(self, facts: Facts, given: float) -> bool:
        """Whether this answer is right: the number of a choice, from 0, or the number itself."""
        raise NotImplementedError  # pragma: no cover - every question overrides it


@dataclass(frozen=True)
class Choice(Question):
    """One of several answers; ``right`` finds the number of the right one, from 0, from the screen's numbers.

    >>> ask = Choice("Which is more?", "…", ("a", "b"), lambda facts: int(facts["b"] > facts["a"]))
    >>> ask.answer({"a": 1, "b": 2}), ask.is_right({"a": 1, "b": 2}, 0)
    ('b', False)
    """

    choices: tuple[str, ...]
    right: Callable[[Facts], int]

    def answer(self, facts: Facts, names: Mapping[str, str] | None = None) -> str:
        """The right answer as text."""
        return self.offered(facts, names)[self.right(facts)]

    def offered(self, facts: Facts, names: Mapping[str, str] | None = None) -> list[str]:
        """All answers as text."""
        return [filled(one, facts, names) for one in self.choices]

    def is_right(self, facts: Facts, given: float) -> bool:
        """Whether the answer of this number, from 0, is right."""
        return given == self.right(facts)


@dataclass(frozen=True)
class Amount(Question):
    """A number to be entered: the one called ``fact``, right within ``within``; ``percent``: it is a share,
    entered as a percentage.

    >>> ask = Amount("What is the chance?", "…", "chance", within=0.005, percent=True)
    >>> ask.answer({"chance": 1 / 3}), ask.is_right({"chance": 1 / 3}, 33)
    ('33 %', True)
    """

    fact: str
    within: float = 0.0
    percent: bool = False

    def answer(self, facts: Facts, names: Mapping[str, str] | None = None) -> str:
        """The right answer as text."""
        return format(Fact(facts[self.fact]), "%" if self.percent else "")

    def is_right(self, facts: Facts, given: float) -> bool:
        """Whether the number is near enough; of a share, ``given`` is a percentage."""
        value = given / 100 if self.percent else given
        return math.isclose(value, facts[self.fact], rel_tol=0, abs_tol=self.within + 1e-9)

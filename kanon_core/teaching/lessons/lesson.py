"""Base of lessons: screens, each with an idea, a picture, the numbers of both, and a question answered by
those numbers. Sentences are templates and never hold a number themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kanon_core.base.words import number_text, tr
from kanon_core.charts.canvas.theme import percent_text
from kanon_core.charts.steps import Scene


class Fact(float):
    """A number as sentences show it: ``{loss}`` as "0.218", ``{loss:%}`` as "22 %".

    >>> "{0}, {0:%}, {1}".format(Fact(0.218), Fact(-3))
    '0.218, 22 %, −3'
    """

    def __format__(self, spec: str) -> str:
        value = float(self)
        text = f"{percent_text(value)} %" if spec == "%" else number_text(value)
        return text.replace("-", "−", 1) if value < 0 else text


def filled(template: str, facts: Mapping[str, float], names: Mapping[str, str] | None = None) -> str:
    """Return the template in the reader's language, filled with these numbers and names. Raises KeyError for
    a number that is missing.

    >>> filled("{rows} rows fit: the chance is {chance:%}.", {"rows": 4, "chance": 0.25})
    '4 rows fit: the chance is 25 %.'
    """
    numbers = {name: Fact(value) for name, value in facts.items()}
    return tr(template).format_map({**numbers, **(names or {})})


Facts = Mapping[str, float]


@dataclass(frozen=True)
class Question:
    """A question: ``asks`` and ``why`` (shown after the answer) are templates
    (`kanon_core.teaching.lessons.lesson`)."""

    asks: str
    why: str

    def answer(self, facts: Facts, names: Mapping[str, str] | None = None) -> str:
        """Return the right answer as text."""
        raise NotImplementedError  # pragma: no cover - every question overrides it

    def is_right(self, facts: Facts, given: float) -> bool:
        """Return whether this answer is right: the number of a choice, from 0, or the number itself."""
        raise NotImplementedError  # pragma: no cover - every question overrides it


@dataclass(frozen=True)
class Choice(Question):
    """A question with several answers; ``right`` computes the number of the right one, from 0, from the
    screen's numbers.

    >>> ask = Choice("Which is more?", "…", ("a", "b"), lambda facts: int(facts["b"] > facts["a"]))
    >>> ask.answer({"a": 1, "b": 2}), ask.is_right({"a": 1, "b": 2}, 0)
    ('b', False)
    """

    choices: tuple[str, ...]
    right: Callable[[Facts], int]

    def answer(self, facts: Facts, names: Mapping[str, str] | None = None) -> str:
        """Return the right answer as text."""
        return self.offered(facts, names)[self.right(facts)]

    def offered(self, facts: Facts, names: Mapping[str, str] | None = None) -> list[str]:
        """Return all answers as text."""
        return [filled(one, facts, names) for one in self.choices]

    def is_right(self, facts: Facts, given: float) -> bool:
        """Return whether the answer of this number, from 0, is right."""
        return given == self.right(facts)


@dataclass(frozen=True)
class Amount(Question):
    """A question whose answer is a number, the fact of the name ``fact``; a difference up to ``within`` is
    right; ``percent``: the fact is a share, entered as a percentage.

    >>> ask = Amount("What is the chance?", "…", "chance", within=0.005, percent=True)
    >>> ask.answer({"chance": 1 / 3}), ask.is_right({"chance": 1 / 3}, 33)
    ('33 %', True)
    """

    fact: str
    within: float = 0.0
    percent: bool = False

    def answer(self, facts: Facts, names: Mapping[str, str] | None = None) -> str:
        """Return the right answer as text."""
        return format(Fact(facts[self.fact]), "%" if self.percent else "")

    def is_right(self, facts: Facts, given: float) -> bool:
        """Return whether the number is near enough; of a share, ``given`` is a percentage."""
        value = given / 100 if self.percent else given
        return math.isclose(value, facts[self.fact], rel_tol=0, abs_tol=self.within + 1e-9)


@dataclass(frozen=True, eq=False)
class ScreenResult:
    """The result of a screen: ``facts``, its numbers by name; ``scene``, its picture; ``names``, texts from
    the table by name, such as the letter of a person."""

    facts: Mapping[str, float]
    scene: Scene
    names: Mapping[str, str] = field(default_factory=dict)

    def says(self, template: str) -> str:
        """Return the template filled with the numbers of the screen."""
        return filled(template, self.facts, self.names)


@dataclass(frozen=True)
class Slider:
    """The range of k on a screen, and its first value."""

    first: int
    last: int
    start: int


@dataclass(frozen=True)
class Screen:
    """One idea: ``heading``, ``idea`` (one to three sentences) and ``picture`` (a description for screen
    readers) are templates. ``look(k)`` computes the numbers and draws; without a ``slider`` it ignores k.
    ``words``: its terms, as the glossary names them. ``question``: asked before the next screen, about the
    first k of the slider."""

    heading: str
    idea: str
    picture: str
    look: Callable[[int], ScreenResult]
    words: tuple[str, ...] = ()
    slider: Slider | None = None
    question: Question | None = None

    @property
    def start(self) -> int:
        """Return the first k of the slider."""
        return self.slider.start if self.slider else 0

    def result(self, k: int | None = None) -> ScreenResult:
        """Return the result of the screen at this k, or at its first k."""
        return self.look(self.start if k is None else k)

    def drawn(self, seen: ScreenResult, theme: str, height: int) -> str:
        """Return the picture as HTML."""
        return seen.scene.drawn(theme, seen.says(self.picture), height)


@dataclass(frozen=True)
class Try:
    """A task for one's own table: ``place``, the address of a page, or of
    a page and its view; ``algorithm``, the class name of the
    algorithm selected there, "" = the current one."""

    says: str
    place: str
    algorithm: str = ""

    @property
    def text(self) -> str:
        """Return the task in the reader's language."""
        return tr(self.says)


@dataclass(frozen=True)
class Lesson:
    """A lesson: its ``name`` in addresses, ``title``, duration in ``minutes``, ``learns`` (its goal),
    screens, and a task for the end."""

    name: str
    title: str
    minutes: int
    learns: str
    screens: tuple[Screen, ...]
    tries: Try

    @property
    def heading(self) -> str:
        """Return the title in the reader's language."""
        return tr(self.title)

    @property
    def goal(self) -> str:
        """Return the goal in the reader's language."""
        return tr(self.learns)

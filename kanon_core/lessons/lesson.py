"""What a lesson is: screens, each with one idea, a picture and the numbers both are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kanon_core.base.words import tr
from kanon_core.charts.steps.scene import Scene
from kanon_core.lessons.facts import filled
from kanon_core.lessons.question import Question


@dataclass(frozen=True, eq=False)
class Seen:
    """What a screen has found: ``facts``, its numbers by name; ``scene``, its picture; ``names``, words out
    of the table by name, such as the letter of a person."""

    facts: Mapping[str, float]
    scene: Scene
    names: Mapping[str, str] = field(default_factory=dict)

    def says(self, template: str) -> str:
        """The template filled with its numbers."""
        return filled(template, self.facts, self.names)


@dataclass(frozen=True)
class Slider:
    """The k that can be chosen on a screen, and the one it begins with."""

    first: int
    last: int
    start: int


@dataclass(frozen=True)
class Screen:
    """One idea: ``heading`` and ``idea`` (one to three sentences), ``picture`` (the picture in words, for
    those who do not see it) – templates all. ``look(k)`` finds the numbers and draws; without a ``slider`` k
    is of no account. ``words``: terms it uses, as the glossary names them. ``question``: asked before the
    next screen, about the k that the slider begins with."""

    heading: str
    idea: str
    picture: str
    look: Callable[[int], Seen]
    words: tuple[str, ...] = ()
    slider: Slider | None = None
    question: Question | None = None

    @property
    def start(self) -> int:
        """The k it begins with."""
        return self.slider.start if self.slider else 0

    def seen(self, k: int | None = None) -> Seen:
        """What it finds at this k, or at the one it begins with."""
        return self.look(self.start if k is None else k)

    def drawn(self, seen: Seen, theme: str, height: int) -> str:
        """Its picture as HTML."""
        return seen.scene.drawn(theme, seen.says(self.picture), height)


@dataclass(frozen=True)
class Try:
    """What to do on a table of one's own: ``page`` to go to, by address; ``algorithm`` that is offered there,
    by its class's name, "" = the one that is set."""

    says: str
    page: str
    algorithm: str = ""

    @property
    def text(self) -> str:
        """What to do, in the reader's language."""
        return tr(self.says)


@dataclass(frozen=True)
class Lesson:
    """A lesson: its ``name`` in addresses, ``title``, how many ``minutes`` it takes, what one ``learns``, its
    screens, and what to try at the end."""

    name: str
    title: str
    minutes: int
    learns: str
    screens: tuple[Screen, ...]
    tries: Try

    @property
    def heading(self) -> str:
        """The title in the reader's language."""
        return tr(self.title)

    @property
    def goal(self) -> str:
        """What one learns, in the reader's language."""
        return tr(self.learns)

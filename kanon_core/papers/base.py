"""Base of all reproductions: declared objects that turn data into rows, and rows into checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

from kanon_core.base.options import Declared
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import later, tr
from kanon_core.table.table import Table

K = TypeVar("K")
V = TypeVar("V")


class Source(NamedTuple):
    """A table and its name for people."""

    table: Table
    name: str


@dataclass(frozen=True)
class Part:
    """A block of rows: the table or figure of the paper, the unit, and the data.

    ``called`` is its title as it is written, `title` the same in the reader's language. ``papers_data`` names
    the data of the paper's numbers, "" when it prints none. The numbers are ``comparable`` when those data
    are another sample of the same data, of the same size; if not, only order and proportions can agree.
    ``size`` are the records of each sample, ``digits`` the decimals that the paper prints; ``printed_digits``
    the decimals of its numbers, where ours are shown with others. ``remark``: what a reader of the paper's
    numbers must know, such as a misprint; "" for nothing.
    """

    table: str
    called: str
    unit: str
    data: str
    papers_data: str
    comparable: bool
    size: int
    digits: int
    printed_digits: int | None = None
    remark: str = ""

    @property
    def title(self) -> str:
        """Return the title in the reader's language."""
        return tr(self.called)

    @property
    def place(self) -> str:
        """Return the place in the paper, as at the beginning of a sentence: ``Table 9``."""
        kind, _, number = self.table.partition(" ")
        return (tr("Figure {number}") if kind == "figure" else tr("Table {number}")).format(number=number)


@dataclass(frozen=True)
class Row:
    """One number of a paper, computed again.

    ``place`` is its place in the part, such as ``{"k": 2, "method": "tours"}``; ``values`` are those
    of each sample, ``printed`` the paper's (None when it has none). ``floor``: a lower bound of the value
    for each sample; ``is_floor``: the row is the optimum itself, and its floor is the bound that
    proves it.
    """

    part: Part
    place: Mapping[str, str | int]
    values: tuple[float, ...]
    printed: float | None = None
    floor: tuple[float, ...] | None = None
    is_floor: bool = False

    @property
    def mean(self) -> float:
        """Return the mean over the samples."""
        return sum(self.values) / len(self.values)

    @property
    def ratio(self) -> float | None:
        """Return our mean as a multiple of the paper's number."""
        return self.mean / self.printed if self.printed else None

    @property
    def least(self) -> float | None:
        """Return the mean floor."""
        return sum(self.floor) / len(self.floor) if self.floor else None

    @property
    def above(self) -> float | None:
        """Return the distance of the mean above the mean floor, as a share of it; None without a floor above
        0."""
        return self.mean / self.least - 1 if self.least else None


@dataclass(frozen=True)
class Task:
    """A row to compute: ``make`` returns its values; afterwards ``floor`` returns their lower bounds;
    ``weight`` is its share of the work."""

    part: Part
    place: Mapping[str, str | int]
    make: Callable[[Tick], Sequence[float]]
    printed: float | None = None
    weight: float = 1.0
    floor: Callable[[], Sequence[float]] | None = None
    is_floor: bool = False

    @property
    def label(self) -> str:
        """Return a short name of the row's place."""
        where = (value if name == "method" else f"{name} = {value}" for name, value in self.place.items())
        return ", ".join([self.part.table, *map(str, where)])


@dataclass(frozen=True)
class Check:
    """A statement of the paper, checked against the rows.

    ``must``: a failure is a defect, as the statement holds for any data, or the data are the paper's own;
    otherwise a failure shows that these data are different.
    """

    sentence: str
    holds: bool
    must: bool = False

    @property
    def verdict(self) -> str:
        """Return the outcome in English; `tr` translates it."""
        return later("holds") if self.holds else later("FAILS") if self.must else later("differs here")


class Once(dict[K, V]):
    """Values that are made once for each key."""

    def made(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of the key; make and keep it if there is none."""
        if key not in self:
            self[key] = make()
        return self[key]


class Reproduction(Declared):
    """Base of all reproductions. Subclasses are frozen dataclasses whose fields are their options, and state:

    ``name`` (the word of the command line), ``title``, ``summary`` (one sentence), ``seconds`` (about how
    long it takes on one core, for the time left of all of them).
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    seconds: ClassVar[float] = 20.0

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows to compute from the source, or from our own samples, in order; a row's floor is
        computed before it.

        Raises KanonError when the source does not suit.
        """
        raise NotImplementedError  # pragma: no cover - every reproduction overrides it

    def notes(self, source: Source | None = None) -> list[str]:
        """Return sentences on the parts of the paper that cannot be made from this source, with the
        reasons."""
        return []

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the statements of the paper about these rows, and whether they hold; nothing about missing
        rows."""
        raise NotImplementedError  # pragma: no cover - every reproduction overrides it

    def rows(self, source: Source | None = None, tick: Tick = silent) -> Iterator[Row]:
        """Yield the rows as they finish."""
        return made(self.tasks(source), tick)


def made(tasks: Sequence[Task], tick: Tick = silent) -> Iterator[Row]:
    """Yield the rows of these tasks as they finish. Whatever the tick raises stops the work; the other rows
    may be made later."""
    total, before = sum(task.weight for task in tasks), 0.0
    for task in tasks:
        part = _named(stage(tick, before / total, (before + task.weight) / total), task.label)
        part(0.0, "")
        values = tuple(task.make(part))
        floor = None if task.floor is None else tuple(task.floor())
        yield Row(task.part, task.place, values, task.printed, floor, task.is_floor)
        before += task.weight


def _named(tick: Tick, label: str) -> Tick:
    def named(fraction: float | None, note: str = "") -> None:
        tick(fraction, f"{label}: {note}" if note else label)

    return named

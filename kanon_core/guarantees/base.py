"""The base of all guarantees: a guarantee is a declared object with parameters that checks a release.

A new guarantee is one file with a subclass and one line in `kanon_core.guarantees.GUARANTEES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from kanon_core.base.options import Declared, options_of
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, number_text, tr

if TYPE_CHECKING:
    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.covers.matching.consistency import Consistency
    from kanon_core.covers.pseudonyms import Bearers
    from kanon_core.guarantees.attributes.counts import Counts
    from kanon_core.table.table import Table

WITNESSES = 1_000
"""The most record or row numbers that a verdict names."""

NOBODY = later("No record is published, so no record can be re-identified.")


@dataclass(frozen=True)
class Verdict:
    """The result of checking one guarantee: whether it holds, the number found and the number required, a
    sentence, and witnesses when it fails.

    ``guarantee`` is its name; ``witnesses`` are up to 1,000 numbers, counted from 1, for which it fails;
    ``named`` says what they number: records of the input or rows of a file; ``failing``, all of them, counted
    from 0. ``empty``: nothing is published that could be judged, so ``found`` has no meaning.
    ``unconfirmed``: the check found no contradiction but no confirmation either, so the guarantee counts as
    not held.
    """

    guarantee: str
    holds: bool
    found: float
    required: float
    sentence: str
    witnesses: tuple[int, ...] = ()
    named: str = "records"
    failing: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64), repr=False, compare=False)
    empty: bool = False
    unconfirmed: bool = False

    @property
    def said(self) -> str:
        """The result in words: holds, does not hold, or not confirmed."""
        if self.holds:
            return tr("holds")
        return tr("not confirmed") if self.unconfirmed else tr("does not hold")

    @property
    def promise(self) -> str:
        """The name of the guarantee, as this field was called in version 0.1.0."""
        return self.guarantee


@dataclass(frozen=True)
class Tally:
    """The counts from which a verdict is made, for a release, for a file, or for a part of many files
    (`Guarantee.tally`); parts are combined (`Guarantee.combined`).

    ``worst``: the worst number found; ``classes`` and ``records``: how many classes (histories, sets of rows)
    and records fail; ``others``: further counts by name, which are added up. ``empty``: nothing is published
    that could be judged. ``source``: that of what was judged. ``failing`` int64: the records, from 0, that
    fail, and ``named``, what they number; None where records were only counted. ``first``: by column the
    first record that fails; ``beside``: sentences on the reference distribution and on columns of too few
    values. ``inner``: the tallies of guarantees that this one is made of.
    """

    worst: float
    classes: int = 0
    records: int = 0
    others: Mapping[str, int] = field(default_factory=dict)
    empty: bool = False
    source: str = "release"
    inner: tuple[Tally, ...] = ()
    failing: np.ndarray | None = field(default=None, compare=False)
    named: str = "records"
    first: Mapping[str, int] = field(default_factory=dict)
    beside: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """The counts as plain values, to be kept (`Tally.of`): without records."""
        kept = ("worst", "classes", "records", "others", "empty", "source")
        return {name: getattr(self, name) for name in kept} | {"inner": [one.plain for one in self.inner]}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Tally:
        """The tally of `plain` values."""
        return cls(**{**plain, "inner": tuple(map(cls.of, plain["inner"]))})

    @classmethod
    def combined(cls, parts: Sequence[Tally], upward: bool = True) -> Tally:
        """Return the tally of all parts, which counts records without naming them; ``upward``: the worst
        number is the least, as it always is in the tallies ``inner``."""
        others: dict[str, int] = {}
        for part in parts:
            for name, count in part.others.items():
                others[name] = others.get(name, 0) + count
        return cls(
            (min if upward else max)(part.worst for part in parts),
            sum(part.classes for part in parts),
            sum(part.records for part in parts),
            others,
            all(part.empty for part in parts),
            parts[0].source,
            tuple(cls.combined(each) for each in zip(*(part.inner for part in parts), strict=True)),
        )


class Judged(Protocol):
    """The published data as a guarantee reads it, whatever its form; ``source`` names the form:

    a "release"; the "rows" of a file that somebody else made, or the "persons" to whom these rows belong
    (`WrittenFile`); a file "beside" its original (`UploadedRelease`); a "fragment" of many files
    (`RowsBeside`), or "counts" of classes or of items over all of them (`CountedClasses`, `CountedItems`).
    Each form has the attributes that are read by the guarantees that can be judged on it; attributes of
    several forms have the same name.

    Arrays are in the order of the n records (of a file alone: of its rows); −1 stands for a record that is
    not published.
    """

    @property
    def source(self) -> str:
        """The form of what is judged."""

    @property
    def published(self) -> tuple[PublishedColumn, ...]:
        """The published columns, each with its own cells."""

    @property
    def by_row(self) -> tuple[PublishedColumn, ...]:
        """The same with one cell for each row."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns that are published, in order."""

    @property
    def pseudonymous(self) -> bool:
        """True if the column of the person is published as pseudonyms."""

    @property
    def suppressed(self) -> np.ndarray:
        """n booleans: the record is not published."""

    @property
    def row(self) -> np.ndarray:
        """int64 (n): the row that each record is published with, −1 = suppressed."""

    @property
    def held(self) -> np.ndarray:
        """int64: how many records are published with each row."""

    @property
    def classes(self) -> np.ndarray:
        """int64 (n): the equivalence class of each record, −1 = suppressed."""

    @property
    def hidden_among(self) -> np.ndarray:
        """int64 (n): the size of each record's anonymity set; 0 = suppressed."""

    @property
    def class_sizes(self) -> np.ndarray:
        """int64: how many records each class has."""

    @property
    def pseudonyms(self) -> np.ndarray:
        """int64 (n): the number under which each record is published; 0 = suppressed."""

    @property
    def bearers(self) -> Bearers:
        """The pseudonym under which each record is published, and the person of each pseudonym."""

    def find_classes(self, tick: Tick = silent) -> np.ndarray:
        """`classes`, with progress while they are found the first time."""

    def counts(self, name: str) -> Counts:
        """Return how often each class has each value of this column."""

    def consistency(self, tick: Tick = silent) -> Consistency:
        """Return which records fit which rows, and the matches among them."""


@dataclass(frozen=True)
class Guarantee(Declared):
    """Base of all guarantees. Annotated fields are its parameters. Class attributes describe it for people:

    ``name`` (as the literature calls it), ``attacker`` (the attacker against whom it holds), ``meaning`` (one
    sentence, in words before symbols), ``example`` (a worked one), ``symbol`` and ``parameter`` (what its
    main parameter is called, on paper and in code), ``needs_original`` (a file alone cannot be judged by it),
    ``by_class`` (each class of equal rows keeps it or not, so that it is repaired by leaving out or merging
    classes), ``upward`` (a greater number found is better), ``weaker`` (k-anonymity of the same k implies it,
    where cells are true of their records).

    A guarantee is written once for everything that is judged: `tally` counts in the whole or in a part, and
    `conclude` turns the counts into the verdict. Over many files the counts of parts are combined if one of
    these attributes names the parts: ``tallied`` (classes of equal rows), ``by_items`` (rows with equal
    single values, and their items) or ``by_fragment`` (it holds of all records where it holds of the records
    and rows of each fragment).
    """

    name: ClassVar[str]
    attacker: ClassVar[str]
    meaning: ClassVar[str]
    example: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    parameter: ClassVar[str] = ""
    needs_original: ClassVar[bool] = False
    by_class: ClassVar[bool] = False
    tallied: ClassVar[bool] = False
    by_fragment: ClassVar[bool] = False
    by_items: ClassVar[bool] = False
    upward: ClassVar[bool] = True
    weaker: ClassVar[bool] = False

    def unsuitable(self, table: Table) -> list[str]:
        """Return why it cannot be promised of this table, in sentences; empty when it can."""
        return []

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """Return the verdict on what is published of this table, a release or a file, from its published
        contents alone."""
        return self.conclude(self.tally(table, release, tick))

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """Return the counts from which the verdict follows, for all that is published or for a part of it."""
        raise NotImplementedError  # pragma: no cover - every guarantee that does not override `check` does

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict that follows from what was counted."""
        raise NotImplementedError  # pragma: no cover - every guarantee that does not override `check` does

    def combined(self, parts: Sequence[Tally]) -> Verdict:
        """The verdict on all parts, which were counted separately."""
        return self.conclude(Tally.combined(parts, self.upward))

    @property
    def called(self) -> str:
        """Its name, with the form that its options give it."""
        return self.name

    @property
    def explained(self) -> str:
        """Its meaning, with the form that its options give it."""
        return self.meaning

    def reached(self, verdict: Verdict) -> str:
        """The strongest parameter that the judged data keep, in symbols; "" where there is none."""
        return f"{self.symbol} = {number_text(verdict.found)}" if self.symbol else ""

    @property
    def wanted(self) -> str:
        """The required number, in symbols."""
        return f"{self.symbol} = {number_text(getattr(self, self.parameter))}" if self.symbol else ""

    def nobody(self, required: float, found: float = 0) -> Verdict:
        """The verdict where nothing is published."""
        return replace(self.verdict(True, found, required, tr(NOBODY)), empty=True)

    def verdict(
        self,
        holds: bool,
        found: float,
        required: float,
        sentence: str,
        failing: np.ndarray | None = None,
        named: str = "records",
    ) -> Verdict:
        """A verdict of this guarantee; ``failing``: the records (from 0) for which it does not hold."""
        failing = np.zeros(0, np.int64) if failing is None else np.asarray(failing, np.int64)
        return verdict(self.name, holds, found, required, sentence, failing, named)


def verdict(
    name: str,
    holds: bool,
    found: float,
    required: float,
    sentence: str,
    failing: np.ndarray,
    named: str = "records",
) -> Verdict:
    """A verdict whose witnesses are the first of the ``failing`` numbers, from 0."""
    witnesses = tuple((failing[:WITNESSES] + 1).tolist())
    return Verdict(name, holds, found, required, sentence, witnesses, named, failing)


def tally_of_classes(
    release: Judged, worst: float, failing: np.ndarray, by_column: Mapping[str, np.ndarray]
) -> Tally:
    """Return the tally where these classes (booleans) fail; ``by_column`` marks the classes that fail in each
    of several columns."""
    counts = {name: int(marked.sum()) for name, marked in by_column.items()}
    tally = Tally(worst, int(failing.sum()), 0, counts, not len(failing), release.source)
    if release.source == "counts":
        return replace(tally, records=int(release.class_sizes[failing].sum()))
    records, first = np.zeros(0, np.int64), dict[str, int]()
    if failing.any():
        records = np.flatnonzero(np.append(failing, False)[release.classes])
    for name, marked in by_column.items() if len(by_column) > 1 else ():
        if marked.any():
            first[name] = int(np.argmax(np.append(marked, False)[release.classes]))
    return replace(tally, records=len(records), failing=records, first=first)


def asked_with(cls: type[Guarantee], **parameters: Any) -> Guarantee:
    """Return the guarantee with those of these parameters that it has; its other parameters keep their
    defaults."""
    known = {option.name for option in options_of(cls)}
    return cls(**{name: value for name, value in parameters.items() if name in known and value is not None})

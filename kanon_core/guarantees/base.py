"""What every guarantee is: a declared object with its parameters that checks a release.

A new guarantee is one file with a subclass and one line in `kanon_core.guarantees.GUARANTEES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

import numpy as np

from kanon_core.base.options import Declared, options_of
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr

if TYPE_CHECKING:
    from kanon_core.guarantees.attributes.counts import Counts
    from kanon_core.guarantees.files.written import WrittenFile
    from kanon_core.matching.consistency import Consistency
    from kanon_core.release.cells import PublishedColumn
    from kanon_core.release.pseudonyms import Bearers
    from kanon_core.release.uploaded.beside import RowsBeside
    from kanon_core.release.uploaded.uploaded import UploadedRelease
    from kanon_core.table.table import Table

WITNESSES = 1_000
"""How many record or row numbers a verdict names at most."""

NOBODY = later("No record is published, so nobody can be told apart.")


@dataclass(frozen=True)
class Verdict:
    """One checked guarantee: whether it holds, what was found and required, a sentence, and witnesses when it
    fails.

    ``guarantee`` is its name; ``witnesses`` are up to 1,000 numbers, counted from 1, for which it fails;
    ``named`` says what they number: records of the input or rows of a file; ``failing``, all of them, counted
    from 0. ``empty``: nothing was published that could be judged, so that ``found`` says nothing.
    ``unconfirmed``: it does not hold because nothing confirms it, though nothing found speaks against it.
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
        """Return whether it holds, in words."""
        if self.holds:
            return tr("holds")
        return tr("not confirmed") if self.unconfirmed else tr("does not hold")

    @property
    def promise(self) -> str:
        """The name of the guarantee, as this field was called in version 0.1.0."""
        return self.guarantee


class Tally(NamedTuple):
    """Of some classes, or a fragment: the ``worst`` number found, and how many of the ``classes`` fail, with
    how many ``records``; ``others``: further counts that a guarantee adds up, as it says itself."""

    worst: float
    classes: int
    records: int
    others: Sequence[int] = ()


class Judged(Protocol):
    """What a guarantee reads of what is published: a release, or a file that somebody else made.

    Arrays are in the order of the n records (of a file alone: of its rows); −1 stands for a record that is
    not published.
    """

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
        """Return whether the column of the person is published as pseudonyms."""

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
        """int64 (n): how many each record hides among; 0 = suppressed."""

    @property
    def class_sizes(self) -> np.ndarray:
        """int64: how many records each class has."""

    @property
    def pseudonyms(self) -> np.ndarray:
        """int64 (n): the number under which each record is published; 0 = suppressed."""

    @property
    def bearers(self) -> Bearers:
        """Under which pseudonym each record is published, and whose each is."""

    def find_classes(self, tick: Tick = silent) -> np.ndarray:
        """`classes`, with progress while they are found the first time."""

    def counts(self, name: str) -> Counts:
        """Return how often each class has each value of this column."""

    def consistency(self, tick: Tick = silent) -> Consistency:
        """Return which records fit which rows, and the matches among them."""


@dataclass(frozen=True)
class Guarantee(Declared):
    """Base of all guarantees. Annotated fields are its parameters. Class attributes describe it for people:

    ``name`` (as the literature calls it), ``attacker`` (against whom it holds), ``meaning`` (one sentence, in
    words before symbols), ``example`` (a worked one), ``symbol`` and ``parameter`` (what its main parameter
    is called, on paper and in code), ``needs_original`` (a file alone cannot be judged by it), ``by_class``
    (each class of equal rows keeps it or not, so that it is repaired by leaving out or merging classes),
    ``tallied`` (it can be judged from counts of classes that were made apart: `tally`, `told`), ``by_items``
    (from those of the items of rows with equal single values, as `KKMAnonymity.told_items`), ``by_fragment``
    (it holds of all records where it holds of the records and rows of each fragment, which are then judged
    apart: `tally_beside`, `told`), ``weaker`` (k-anonymity of the same k implies it, where cells are true of
    their records).
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
    weaker: ClassVar[bool] = False

    def unsuitable(self, table: Table) -> list[str]:
        """Return why it cannot be promised of this table, in sentences; empty when it can."""
        return []

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict on a release of this table, found from what is published alone."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def check_file(self, file: WrittenFile, tick: Tick = silent) -> Verdict:
        """The verdict on a file as it stands: on its rows, where they are written equally."""
        # Those that read more of a release than classes check files in their own way, or need the original.
        return self.check(file.table, cast("Judged", file), tick)

    def check_beside(self, file: UploadedRelease, tick: Tick = silent) -> Verdict:
        """The verdict on a file beside its original, of a guarantee that needs that."""
        raise NotImplementedError  # pragma: no cover - every guarantee that needs an original overrides it

    def tally(self, sizes: np.ndarray, counts: Mapping[str, Counts]) -> Tally:
        """Of some classes: int64 ``sizes``, and by protected column how often each value occurs in each."""
        raise NotImplementedError  # pragma: no cover - every guarantee that is `tallied` overrides it

    def tally_beside(self, rows: RowsBeside) -> Tally:
        """Of the rows of one fragment beside its records."""
        raise NotImplementedError  # pragma: no cover - every guarantee `by_fragment` overrides it

    def told(self, found: Sequence[Tally]) -> Verdict:
        """The verdict on all classes or fragments, of which these were found apart."""
        raise NotImplementedError  # pragma: no cover - every guarantee judged so overrides it

    @property
    def called(self) -> str:
        """Its name, with the form that its options give it."""
        return self.name

    @property
    def explained(self) -> str:
        """Its meaning, with the form that its options give it."""
        return self.meaning

    def reached(self, verdict: Verdict) -> str:
        """The strongest parameter that what was judged keeps, in symbols; "" where there is none."""
        return f"{self.symbol} = {verdict.found:,.4g}" if self.symbol else ""

    @property
    def wanted(self) -> str:
        """Return what is asked for, in symbols."""
        return f"{self.symbol} = {getattr(self, self.parameter):,.4g}" if self.symbol else ""

    def nobody(self, required: float, found: float = 0) -> Verdict:
        """The verdict where nothing is published."""
        return replace(self.verdict(True, found, required, tr(NOBODY)), empty=True)

    def verdict(
        self,
        holds: bool,
        found: float,
        required: float,
        sentence: str,
        failing: np.ndarray | tuple[()] = (),
        named: str = "records",
    ) -> Verdict:
        """A verdict of this guarantee; ``failing``: the records (from 0) for which it does not hold."""
        return verdict(self.name, holds, found, required, sentence, np.asarray(failing, np.int64), named)


def verdict(
    name: str,
    holds: bool,
    found: float,
    required: float,
    sentence: str,
    failing: np.ndarray,
    named: str = "records",
) -> Verdict:
    """A verdict whose witnesses are the first of those (from 0) for which the guarantee fails."""
    witnesses = tuple((failing[:WITNESSES] + 1).tolist())
    return Verdict(name, holds, found, required, sentence, witnesses, named, failing)


def asked_with(cls: type[Guarantee], **parameters: Any) -> Guarantee:
    """The guarantee with those of the parameters that it has; others keep their defaults."""
    known = {option.name for option in options_of(cls)}
    return cls(**{name: value for name, value in parameters.items() if name in known and value is not None})

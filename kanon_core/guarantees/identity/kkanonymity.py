"""(1,k)-, (k,1)- and (k,k)-anonymity, and k-map: counts of the rows that fit a record and of the records that
fit a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.covers.matching.consistency import Consistency
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import Hiding

if TYPE_CHECKING:
    from kanon_core.covers.uploaded.uploaded import UploadedRelease
    from kanon_core.table.table import Table


class Fits(NamedTuple):
    """Counts of the rows that fit each record, and of the records that fit each row: ``found``, int64 (n)
    each; ``records`` and ``rows``: booleans (n), which of them are judged; ``called``: the kind of the rows'
    numbers, "records" or "rows"."""

    found: Consistency
    records: np.ndarray
    rows: np.ndarray
    called: str

    @classmethod
    def of(cls, release: Judged, tick: Tick) -> Fits:
        """Return the counts of a release, whose rows are numbered as their records; or of a file beside its
        original, where records without a row are left out."""
        found = release.consistency(tick)
        if release.source == "beside":
            file = cast("UploadedRelease", release)
            return cls(found, file.present(tick), file.shown, "rows")
        return cls(found, ~release.suppressed, ~release.suppressed, "records")


@dataclass(frozen=True)
class Fitting(Hiding):
    """A guarantee that counts the rows that fit each record, or the records that fit each row. A subclass
    declares the count (`counts`), whether it is of rows (`of_rows`), and the result in words (`sentence`)."""

    needs_original: ClassVar[bool] = True
    disjoint: ClassVar[bool] = False
    weaker: ClassVar[bool] = True
    of_rows: ClassVar[bool] = False

    def counts(self, fits: Consistency) -> np.ndarray:
        """int64 (n): what must be at least k: the records that fit each row, or the rows each record."""
        return fits.originals if self.of_rows else fits.rows

    def sentence(self, fewest: int, failing: int) -> str:
        """Return the least count, or the number of those below k, in words."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def prepare(self, release: Judged, tick: Tick = silent) -> None:
        """The count of consistent pairs."""
        release.consistency(tick)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): the count of each record, or of the row that it is published with; 0 = suppressed."""
        return np.where(release.suppressed, 0, self.counts(release.consistency()))

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """Return the least count, and the records or rows whose count is below k."""
        fits = Fits.of(release, tick)
        judged, named = (fits.rows, fits.called) if self.of_rows else (fits.records, "records")
        return tally_of_counts(release, self.counts(fits.found)[: len(judged)], judged, self.k, named)

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict."""
        if tally.empty:
            return self.nobody(self.k)
        said = self.sentence(int(tally.worst), tally.records)
        return self.verdict(not tally.records, int(tally.worst), self.k, said, tally.failing, tally.named)


def tally_of_counts(release: Judged, counts: np.ndarray, judged: np.ndarray, k: int, named: str) -> Tally:
    """The tally of those that are ``judged``, booleans, whose counts must be at least k."""
    failing = np.flatnonzero(judged & (counts < k))
    worst = float(counts.min(where=judged, initial=np.iinfo(np.int64).max))
    empty = not judged.any()
    return Tally(worst, len(failing), len(failing), {}, empty, release.source, (), failing, named)


@dataclass(frozen=True)
class OneKAnonymity(Fitting):
    """Every record of the original is consistent with at least k published rows: their cells contain it.

    Weaker than k-concealment, which also asks that every other record has a row. Cost O(u · v · attributes)
    for u different originals and v different rows.

    A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008.
    """

    name: ClassVar[str] = "(1,k)-anonymity"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person"
    meaning: ClassVar[str] = "Every record of the original fits at least k of the published rows."
    example: ClassVar[str] = (
        "k = 3: a woman of 34 fits at least three rows, such as [30, 40], F and [34, 50], F."
    )
    alike: ClassVar[str] = "published rows that fit it"

    def sentence(self, fewest: int, failing: int) -> str:
        """The fewest, or how many are below k."""
        if failing:
            return tr_n(
                "{failing:,} record fits fewer than {k} rows.",
                "{failing:,} records fit fewer than {k} rows.",
                failing,
            ).format(failing=failing, k=self.k)
        return tr("Every record fits at least {fewest}.").format(fewest=counted(fewest, "row"))


@dataclass(frozen=True)
class KOneAnonymity(Fitting):
    """Every published row is consistent with at least k records of the original: they lie in its cells.

    An attacker who picks a row finds at least k records that it could be of. Cost as (1,k)-anonymity.

    A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008.
    """

    name: ClassVar[str] = "(k,1)-anonymity"
    attacker: ClassVar[str] = "knows the original’s quasi-identifiers and picks a row"
    meaning: ClassVar[str] = "Every published row fits at least k records of the original."
    example: ClassVar[str] = "k = 3: the row [30, 40], F fits at least three records of the original."
    alike: ClassVar[str] = "records that fit its row"
    of_rows: ClassVar[bool] = True

    def sentence(self, fewest: int, failing: int) -> str:
        """The fewest, or how many are below k."""
        if failing:
            return tr_n(
                "{failing:,} row fits fewer than {k} records.",
                "{failing:,} rows fit fewer than {k} records.",
                failing,
            ).format(failing=failing, k=self.k)
        return tr("Every row fits at least {fewest}.").format(fewest=counted(fewest, "record"))


@dataclass(frozen=True)
class KMap(Fitting):
    """Every published row is consistent with at least k records of the population.

    The original is taken for the population: a register of more people than the release is of. Where it is
    the very table that was released, this is (k,1)-anonymity. Cost as that.

    L. Sweeney, Computational disclosure control: a primer on data privacy protection, thesis, MIT, 2001.
    """

    name: ClassVar[str] = "k-map"
    attacker: ClassVar[str] = "has a register of the population, and does not know who is in the table"
    meaning: ClassVar[str] = (
        "Every published row fits at least k people of the population that the table is from."
    )
    example: ClassVar[str] = (
        "k = 5: a row [30, 40], F fits at least five women of 30 to 40 in the register, however few of them"
        " are in the table."
    )
    alike: ClassVar[str] = "people of the population who fit its row"
    of_rows: ClassVar[bool] = True

    def sentence(self, fewest: int, failing: int) -> str:
        """The fewest, or how many are below k."""
        if failing:
            return tr_n(
                "{failing:,} row fits fewer than {k} records of the population.",
                "{failing:,} rows fit fewer than {k} records of the population.",
                failing,
            ).format(failing=failing, k=self.k)
        return tr("Every row fits at least {fewest} of the population.").format(
            fewest=counted(fewest, "record")
        )


@dataclass(frozen=True)
class KKAnonymity(Hiding):
    """(1,k)-anonymity and (k,1)-anonymity together. Cost as these.

    A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008.
    """

    name: ClassVar[str] = "(k,k)-anonymity"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person"
    meaning: ClassVar[str] = "Every record fits at least k published rows, and every row at least k records."
    example: ClassVar[str] = "k = 3: every record fits three rows, and every row three records."
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "published rows that fit it"
    needs_original: ClassVar[bool] = True
    disjoint: ClassVar[bool] = False

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): the smaller count of each record and its row; 0 = suppressed."""
        one, two = OneKAnonymity(self.k).among(release), KOneAnonymity(self.k).among(release)
        return np.asarray(np.minimum(one, two))

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """Both counts."""
        both = (OneKAnonymity(self.k), KOneAnonymity(self.k))
        found = tuple(guarantee.tally(table, release, tick) for guarantee in both)
        return Tally(min(each.worst for each in found), source=release.source, inner=found)

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict: the sentences of both; witnesses are rows of a file, unless only records fail."""
        of_records, of_rows = tally.inner
        records, rows = OneKAnonymity(self.k).conclude(of_records), KOneAnonymity(self.k).conclude(of_rows)
        if records.empty and rows.empty:
            return self.nobody(self.k)
        failing, holds = records if rows.holds else rows, records.holds and rows.holds
        said, found = f"{records.sentence} {rows.sentence}", min(records.found, rows.found)
        return self.verdict(holds, found, self.k, said, failing.failing, failing.named)

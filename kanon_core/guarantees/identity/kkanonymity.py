"""(1,k)-, (k,1)- and (k,k)-anonymity: how many rows fit a record, and how many records a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.base import Judged, Verdict
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.matching.consistency import Consistency

if TYPE_CHECKING:
    from kanon_core.release.uploaded.uploaded import UploadedRelease
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Fitting(Hiding):
    """A guarantee that counts, for each record or each row, what fits it. A subclass says what it counts
    (`counts`), of whom (`of_rows`), and how that is put (`sentence`)."""

    needs_original: ClassVar[bool] = True
    disjoint: ClassVar[bool] = False
    of_rows: ClassVar[bool] = False

    def counts(self, found: Consistency) -> np.ndarray:
        """int64 (n): what must be at least k."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def sentence(self, fewest: int, failing: int) -> str:
        """The least count, or of how many it is below k, in words."""
        raise NotImplementedError  # pragma: no cover - every guarantee overrides it

    def prepare(self, release: Judged, tick: Tick = silent) -> None:
        """The count of consistent pairs."""
        release.consistency(tick)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): the count of each record, or of the row that it is published with; 0 = suppressed."""
        return np.where(release.suppressed, 0, self.counts(release.consistency()))

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict on a release, whose rows are numbered as their records."""
        return self._found(self.counts(release.consistency(tick)), ~release.suppressed, "records")

    def check_beside(self, file: UploadedRelease, tick: Tick = silent) -> Verdict:
        """The verdict on a file; what is counted of records leaves out those that have no row in it."""
        found = file.consistency(tick)
        if self.of_rows:
            return self._found(self.counts(found)[: file.rows], file.shown, "rows")
        return self._found(self.counts(found), file.present(tick), "records")

    def _found(self, counts: np.ndarray, asked: np.ndarray, named: str) -> Verdict:
        if not asked.any():
            return self.nobody(self.k)
        failing, fewest = np.flatnonzero(asked & (counts < self.k)), int(counts[asked].min())
        said = self.sentence(fewest, len(failing))
        return self.verdict(not len(failing), fewest, self.k, said, failing, named)


@dataclass(frozen=True)
class OneKAnonymity(Fitting):
    """Every record of the original is consistent with at least k published rows: it lies in their cells.

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
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "published rows that fit it"

    def counts(self, found: Consistency) -> np.ndarray:
        """int64 (n): the rows that fit each record."""
        return found.rows

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
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "records that fit its row"
    of_rows: ClassVar[bool] = True

    def counts(self, found: Consistency) -> np.ndarray:
        """int64 (n): the records that fit each row."""
        return found.originals

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

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict: the sentences of both."""
        one = OneKAnonymity(self.k).check(table, release, tick)
        return self._both(one, KOneAnonymity(self.k).check(table, release, tick))

    def check_beside(self, file: UploadedRelease, tick: Tick = silent) -> Verdict:
        """The same of a file; witnesses are rows of it, unless only records fail."""
        one = OneKAnonymity(self.k).check_beside(file, tick)
        return self._both(one, KOneAnonymity(self.k).check_beside(file, tick))

    def _both(self, one: Verdict, two: Verdict) -> Verdict:
        failing = one if two.holds else two
        said, found = f"{one.sentence} {two.sentence}", min(one.found, two.found)
        if one.empty and two.empty:
            return self.nobody(self.k)
        return self.verdict(one.holds and two.holds, found, self.k, said, failing.failing, failing.named)

"""What guarantees on consistent pairs have in common: how many rows fit a record, or records a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
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

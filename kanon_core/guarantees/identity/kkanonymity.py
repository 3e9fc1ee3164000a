"""(k,k)-anonymity: every record fits k rows, and every row k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.guarantees.base import Judged, Verdict
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.guarantees.identity.konek import KOneAnonymity
from kanon_core.guarantees.identity.onek import OneKAnonymity

if TYPE_CHECKING:
    from kanon_core.release.uploaded.uploaded import UploadedRelease
    from kanon_core.table.table import Table


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

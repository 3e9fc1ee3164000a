"""Finding on records that are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.findings.base import Finding, Search

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Suppressed(Search):
    """Number of suppressed records. That somebody is missing is a fact about that person (membership
    disclosure); and the other records are no longer the whole table, so that figures on the release are
    biased. Cost O(n)."""

    name: ClassVar[str] = "suppressed records"
    asks: ClassVar[str] = "How many records are left out, and who may notice who is missing?"
    attacker: ClassVar[str] = "knows everybody’s quasi-identifiers, and who is in the table"
    decide: ClassVar[str] = "{many} % of the records or more are left out"
    know: ClassVar[str] = "anybody is left out"

    many: Annotated[float, Real(0, 100, help="of all records that are left out", unit="%")] = 5.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding, where anything is suppressed."""
        gone = release.suppressed
        if gone.any():
            yield self.of_count(int(gone.sum()), len(table), gone)

    def of_count(self, count: int, records: int, about: np.ndarray | None = None) -> Finding:
        """Return the finding where so many of all records are left out; ``about``: which ones, n booleans."""
        found = self.finding(
            "decide" if 100 * count >= self.many * records else "know",
            tr_n(
                "{count:,} of {all} ({share}) is left out. Nothing is published of it, but an"
                " attacker who knows everybody’s quasi-identifiers and who is in the table can tell that"
                " those who fit no published row are missing, and so that they were unusual.",
                "{count:,} of {all} ({share}) are left out. Nothing is published of them, but an"
                " attacker who knows everybody’s quasi-identifiers and who is in the table can tell that"
                " those who fit no published row are missing, and so that they were unusual.",
                count,
            ).format(count=count, all=counted(records, "record"), share=percent(count, records)),
            tr("Choose a smaller k or coarser quasi-identifiers if too many are missing."),
            about,
        )
        return replace(found, count=count)

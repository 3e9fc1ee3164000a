"""Finding on suppressed records."""

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
    """Number of suppressed records. Their absence discloses something about their people (membership
    disclosure). The other records are no longer the whole table, so that figures on the release are biased.
    Cost O(n)."""

    name: ClassVar[str] = "suppressed records"
    asks: ClassVar[str] = "How many records are suppressed, and can an attacker tell whose?"
    attacker: ClassVar[str] = "knows everybody’s quasi-identifiers, and who is in the table"
    decide: ClassVar[str] = "{many} % of the records or more are suppressed"
    know: ClassVar[str] = "any record is suppressed"

    many: Annotated[float, Real(0, 100, help="of all records that are suppressed", unit="%")] = 5.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding, if any record is suppressed."""
        gone = release.suppressed
        if gone.any():
            yield self.of_count(int(gone.sum()), len(table), gone)

    def of_count(self, count: int, records: int, about: np.ndarray | None = None) -> Finding:
        """Return the finding on so many suppressed records; ``about``: which ones, n booleans."""
        found = self.finding(
            "decide" if 100 * count >= self.many * records else "know",
            tr_n(
                "{count:,} of {all} ({share}) is suppressed. Nothing is published of it, but an attacker"
                " who knows everybody’s quasi-identifiers and who is in the table can tell which people fit"
                " no published row, and so that they are unusual.",
                "{count:,} of {all} ({share}) are suppressed. Nothing is published of them, but an attacker"
                " who knows everybody’s quasi-identifiers and who is in the table can tell which people fit"
                " no published row, and so that they are unusual.",
                count,
            ).format(count=count, all=counted(records, "record"), share=percent(count, records)),
            tr("Choose a smaller k or coarser quasi-identifiers if too many records are suppressed."),
            about,
        )
        return replace(found, count=count)

"""Dates whose order of day and month is not known: some are published as other days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.table.dateorders import date_questions

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class DateOrder(Search):
    """Columns of dates that could be read in several orders of day, month and year, and for which no order
    was set. In another order, true cells mean other days (`kanon_core.table.dateorders`). Cost O(n) per
    column of dates."""

    name: ClassVar[str] = "order of dates"
    asks: ClassVar[str] = "Could dates have been read with days and months swapped?"
    attacker: ClassVar[str] = "is not relevant: the finding informs users of the release"
    decide: ClassVar[str] = (
        "the values of a published column do not show whether days or months come first, or mix both orders"
    )

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each such column."""
        action = tr("Set the order in which the dates of this column are written.")
        for question in date_questions(table):
            yield self.finding("decide", question.sentence, action, None, (question.column,))

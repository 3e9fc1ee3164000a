"""The guarantee that what is published is true of the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr, tr_n
from kanon_core.guarantees.base import Guarantee, Judged, Verdict

if TYPE_CHECKING:
    from kanon_core.table.table import Table

_RECORDS_PER_TICK = 200_000


@dataclass(frozen=True)
class Truth(Guarantee):
    """Every published interval and value set contains the original value of each of its records, and every
    mean, median or mode lies within the interval or set of its group. Cost O(n log n · attributes).
    """

    name: ClassVar[str] = "truthful cells"
    attacker: ClassVar[str] = "is not relevant: the guarantee informs users of the release"
    meaning: ClassVar[str] = (
        "Every published interval or set contains the original value; a mean, median or mode lies within it."
    )
    example: ClassVar[str] = "Age 34 is published as [30, 39], never as [20, 29]."
    needs_original: ClassVar[bool] = True

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict, in blocks of records with a tick before each."""
        rows = np.flatnonzero(~release.suppressed)
        wrong = np.zeros(len(table), bool)
        for i, column in enumerate(release.published):
            name = column.attribute.name
            for first in range(0, len(rows), _RECORDS_PER_TICK):
                tick(
                    (i + first / len(rows)) / len(release.published),
                    tr("audit: {guarantee}, {column}").format(guarantee=self.name, column=name),
                )
                block = rows[first : first + _RECORDS_PER_TICK]
                wrong[block] |= ~column.true_of(table[name], block)
        failing = np.flatnonzero(wrong)
        sentence = (
            tr_n(
                "{failing:,} record is published with a cell that is not true of it.",
                "{failing:,} records are published with a cell that is not true of them.",
                len(failing),
            ).format(failing=len(failing))
            if len(failing)
            else tr("Every published cell is true of its records.")
        )
        if not len(failing) and (other := _masked(release)):
            sentence = tr(
                "Every published cell is true of its records as the interval, set or group that it stands"
                " for; {columns} publish values other than those of the records."
            ).format(columns=", ".join(f"“{name}”" for name in other))
        return self.verdict(not len(failing), len(failing), 0, sentence, failing)


def _masked(release: Judged) -> list[str]:
    """The columns in which one value stands for others and is no mean, median or mode of a group."""
    return [
        column.attribute.name
        for column in release.published
        if column.cells.aggregated and column.attribute.recoding == "generalize"
    ]

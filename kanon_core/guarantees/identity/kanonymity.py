"""k-anonymity of records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.base import Judged, Tally, Verdict, tally_of_classes
from kanon_core.guarantees.identity.hiding import Hiding

if TYPE_CHECKING:
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class KAnonymity(Hiding):
    """Every published record shares all its published quasi-identifiers with at least k − 1 others.

    Missing is a value of its own; suppressed records are not published and not counted. Cost O(n).

    L. Sweeney, k-anonymity: a model for protecting privacy, International Journal of Uncertainty, Fuzziness
    and Knowledge-Based Systems 10(5), 2002.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> KAnonymity(5).check(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1)).holds
    True
    """

    name: ClassVar[str] = "k-anonymity"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person"
    meaning: ClassVar[str] = (
        "Every published record has the same published quasi-identifiers as at least k − 1 others."
    )
    example: ClassVar[str] = (
        "k = 3: age [30, 39] and postal code 10* occur in at least three rows, so these values do not tell"
        " the three people apart."
    )

    by_class: ClassVar[bool] = True
    tallied: ClassVar[bool] = True

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """The least size, and the classes of fewer than k; a class of no more than stars has none."""
        sizes = release.class_sizes
        held = sizes > 0
        worst = float(sizes.min(where=held, initial=np.iinfo(np.int64).max))
        tally = tally_of_classes(release, worst, held & (sizes < self.k), {})
        return replace(tally, empty=not held.any())

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict; for a file beside its original it is on the rows as written."""
        if tally.empty:
            return self.nobody(self.k)
        smallest, failing = int(tally.worst), tally.records
        said, named = self._sentence(tally.source, failing)
        said = said.format(
            people=counted(smallest, "person"),
            others=_others(self.k - 1 if failing else smallest - 1),
            failing=failing,
            k=self.k,
        )
        return self.verdict(not failing, smallest, self.k, said, tally.failing, named)

    def _sentence(self, source: str, failing: int) -> tuple[str, str]:
        """The sentence on the data that were judged, with places to fill in, and the kind of its
        witnesses."""
        if source == "persons":
            said = tr("Rows with equal quasi-identifiers belong to at least {people}.")
            fails = tr_n(
                "{failing:,} row has quasi-identifiers that occur in rows of fewer than {k} people.",
                "{failing:,} rows have quasi-identifiers that occur in rows of fewer than {k} people.",
                failing,
            )
            return fails if failing else said, "rows"
        if source == "beside":
            said = tr("Every row has the same written quasi-identifiers as at least {others}.")
            fails = tr_n(
                "{failing:,} row has the same written quasi-identifiers as fewer than {others}.",
                "{failing:,} rows have the same written quasi-identifiers as fewer than {others}.",
                failing,
            )
            return fails if failing else said, "rows"
        said = tr("Every published record shares its quasi-identifiers with at least {others}.")
        fails = tr_n(
            "{failing:,} record shares its quasi-identifiers with fewer than {others}.",
            "{failing:,} records share their quasi-identifiers with fewer than {others}.",
            failing,
        )
        return fails if failing else said, "records"


def _others(count: int) -> str:
    return tr_n("{count:,} other", "{count:,} others", count).format(count=count)

"""k-anonymity of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr, tr_n
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import Hiding

if TYPE_CHECKING:
    from kanon_core.guarantees.attributes.counts import Counts
    from kanon_core.guarantees.files.written import WrittenFile
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
        "k = 3: age [30, 39] with postal code 10* stands in three rows or more, so that these tell none "
        "of the three people from the others."
    )

    by_class: ClassVar[bool] = True
    tallied: ClassVar[bool] = True

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict, from the published classes."""
        sizes = release.class_sizes
        if not len(sizes):
            return self.nobody(self.k)
        smallest = int(sizes.min())
        failing = np.zeros(0, np.int64)
        if smallest < self.k:
            failing = np.flatnonzero(np.append(sizes, self.k)[release.classes] < self.k)
        sentence = self._sentence(smallest, len(failing))
        return self.verdict(not len(failing), smallest, self.k, sentence, failing)

    def tally(self, sizes: np.ndarray, counts: Mapping[str, Counts]) -> Tally:
        """The least size, and the classes of fewer than k."""
        few = sizes[sizes < self.k]
        return Tally(float(sizes.min(initial=np.iinfo(np.int64).max)), len(few), int(few.sum()))

    def told(self, found: Sequence[Tally]) -> Verdict:
        """The verdict on all classes."""
        smallest, records = int(min(one.worst for one in found)), sum(one.records for one in found)
        return self.verdict(not records, smallest, self.k, self._sentence(smallest, records))

    def _sentence(self, smallest: int, failing: int) -> str:
        if failing:
            said = tr_n(
                "{failing:,} record shares its quasi-identifiers with fewer than {others}.",
                "{failing:,} records share their quasi-identifiers with fewer than {others}.",
                failing,
            )
            return said.format(failing=failing, others=_others(self.k - 1))
        said = tr("Every published record shares its quasi-identifiers with at least {others}.")
        return said.format(others=_others(smallest - 1))

    def check_file(self, file: WrittenFile, tick: Tick = silent) -> Verdict:
        """The verdict on a file, in which persons are counted where a column names them."""
        found = super().check_file(file, tick)
        if not file.person or file.suppressed.all():
            return found
        said = tr("Rows with the same quasi-identifiers are those of at least {fewest:,.0f} persons.")
        if not found.holds:
            said = tr_n(
                "{failing:,} row has quasi-identifiers that rows of fewer than {k} persons have.",
                "{failing:,} rows have quasi-identifiers that rows of fewer than {k} persons have.",
                len(found.failing),
            )
        said = said.format(fewest=found.found, failing=len(found.failing), k=self.k)
        return replace(found, sentence=said, named="rows")


def _others(count: int) -> str:
    return tr_n("{count:,} other", "{count:,} others", count).format(count=count)

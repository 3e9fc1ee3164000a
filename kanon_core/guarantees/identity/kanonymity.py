"""k-anonymity of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.base import Judged, Verdict
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

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict, from the published classes."""
        sizes = release.class_sizes
        if not len(sizes):
            return self.nobody(self.k)
        smallest = int(sizes.min())
        failing = np.flatnonzero(
            (release.classes >= 0) & (np.append(sizes, self.k)[release.classes] < self.k)
        )
        if len(failing):
            sentence = tr(
                "{failing:,} records share their quasi-identifiers with fewer than {others}."
            ).format(failing=len(failing), others=_others(self.k - 1))
        else:
            sentence = tr(
                "Every published record shares its quasi-identifiers with at least {others}."
            ).format(others=_others(smallest - 1))
        return self.verdict(not len(failing), smallest, self.k, sentence, failing)


def _others(count: int) -> str:
    return "1 other" if count == 1 else tr("{count:,} others").format(count=count)

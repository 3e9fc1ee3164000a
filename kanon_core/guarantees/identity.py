"""Promises on how many records each person hides among."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from kanon_core.guarantees.base import WITNESSES, Verdict
from kanon_core.release.release import Release
from kanon_core.table.table import Table


class KAnonymity:
    """Every published record shares all its published quasi-identifiers with at least k − 1 others [Sweeney
    2002].

    Missing is a value of its own; suppressed records are not published and not counted.
    """

    name: ClassVar[str] = "k-anonymity"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(n · attributes)."""
        k, sizes, classes = release.recipe.k, release.class_sizes, release.classes
        smallest = int(sizes.min(initial=len(table))) if len(sizes) else 0
        if not len(sizes):
            return Verdict(
                KAnonymity.name, True, 0, k, "No record is published, so nobody can be told apart."
            )
        failing = np.flatnonzero((classes >= 0) & (np.append(sizes, k)[classes] < k)) + 1
        if not len(failing):
            sentence = (
                f"Every published record shares its quasi-identifiers with at least {smallest - 1} others."
            )
            return Verdict(KAnonymity.name, True, smallest, k, sentence)
        sentence = f"{len(failing)} records share their quasi-identifiers with fewer than {k - 1} others."
        return Verdict(KAnonymity.name, False, smallest, k, sentence, tuple(map(int, failing[:WITNESSES])))


class KConcealment:
    """Every original record has at least k matches among the published rows [000 §2.3; Tassa, Mazza, Gionis
    2012].

    A match is a row that could be the record's while every other record has a row too. The sentence also
    tells the weaker (1,k)- and (k,1)-anonymity that follow.
    """

    name: ClassVar[str] = "k-concealment"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(u · v · attributes) for u different originals and v different rows."""
        k, found = release.recipe.k, release.consistency()
        fewest = int(found.matches.min())
        failing = np.flatnonzero(found.matches < k) + 1
        if len(failing):
            sentence = f"{len(failing)} records have fewer than {k} rows that could be theirs."
            return Verdict(
                KConcealment.name, False, fewest, k, sentence, tuple(map(int, failing[:WITNESSES]))
            )
        sentence = (
            f"Every record has at least {fewest} published rows that could be its own; it is consistent with"
            f" at least {int(found.rows.min())} rows, and every row with at least"
            f" {int(found.originals.min())} records."
        )
        return Verdict(KConcealment.name, True, fewest, k, sentence)

"""What algorithms promise, and the independent check of it.

A check reads the published cells and the original table only; it does not believe the cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.data.table import Table
from kanon_core.release import Release

_WITNESSES = 20


@dataclass(frozen=True)
class Verdict:
    """One checked promise: whether it holds, what was found and required, a sentence, and witnesses when it fails.

    ``witnesses`` are up to 20 record numbers, counted from 1, for which the promise fails.
    """

    promise: str
    holds: bool
    found: float
    required: float
    sentence: str
    witnesses: tuple[int, ...] = ()


class KAnonymity:
    """Every published record shares all its published quasi-identifiers with at least k − 1 others [Sweeney 2002].

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
        return Verdict(KAnonymity.name, False, smallest, k, sentence, tuple(map(int, failing[:_WITNESSES])))


class Truth:
    """Every published interval and value set contains the original value of each of its records."""

    name: ClassVar[str] = "truthful cells"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(n log n · attributes)."""
        rows = np.flatnonzero(~release.suppressed)
        wrong = np.zeros(len(table), bool)
        for column in release.published:
            original = table[column.attribute.name]
            wrong[rows] |= ~column.cells.contain(original, rows, release.cell[rows])
        found = int(wrong.sum())
        witnesses = tuple(int(row) + 1 for row in np.flatnonzero(wrong)[:_WITNESSES])
        sentence = (
            "Every interval and value set contains the original value."
            if not found
            else f"{found} records are published with a cell that does not contain their value."
        )
        return Verdict(Truth.name, not found, found, 0, sentence, witnesses)


class Withheld:
    """No identifier and no person column is published."""

    name: ClassVar[str] = "identifiers withheld"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict."""
        direct = {a.name for a in table.schema.of_role("identifier", "person")}
        shown = sorted(direct & set(release.to_frame(np.arange(min(1, len(table)))).columns))
        sentence = (
            f"The published table still has the column “{shown[0]}”."
            if shown
            else f"{len(direct)} identifying columns are left out."
            if direct
            else "No column is marked as an identifier."
        )
        return Verdict(Withheld.name, not shown, len(shown), 0, sentence)


PROMISES = (KAnonymity, Truth, Withheld)
"""Every kind of promise, by class; an algorithm names the first one it makes, the others hold for every release."""


def audit(table: Table, release: Release) -> tuple[Verdict, ...]:
    """Check what the release's algorithm promises, that cells are true, and that identifiers are withheld."""
    promised = {promise.__name__: promise for promise in PROMISES}[release.recipe.algorithm.promises]
    return tuple(promise.check(table, release) for promise in (promised, Truth, Withheld))

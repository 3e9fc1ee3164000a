"""What algorithms promise, and the independent check of it.

A check reads the published cells and the original table only; it does not believe the cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.data.schema import Schema
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


class KConcealment:
    """Every original record has at least k matches among the published rows [000 §2.3; Tassa, Mazza, Gionis 2012].

    A match is a row that could be the record's while every other record has a row too. The sentence also tells the
    weaker (1,k)- and (k,1)-anonymity that follow.
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
                KConcealment.name, False, fewest, k, sentence, tuple(map(int, failing[:_WITNESSES]))
            )
        sentence = (
            f"Every record has at least {fewest} published rows that could be its own; it is consistent with at least "
            f"{int(found.rows.min())} rows, and every row with at least {int(found.originals.min())} records."
        )
        return Verdict(KConcealment.name, True, fewest, k, sentence)


class Truth:
    """Every published interval and value set contains the original value of each of its records, and every mean, median
    or mode lies within the interval or set of its group."""

    name: ClassVar[str] = "truthful cells"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(n log n · attributes)."""
        rows = np.flatnonzero(~release.suppressed)
        wrong = np.zeros(len(table), bool)
        for column in release.published:
            wrong[rows] |= ~column.true_of(table[column.attribute.name], rows, release.cell[rows])
        found = int(wrong.sum())
        witnesses = tuple(int(row) + 1 for row in np.flatnonzero(wrong)[:_WITNESSES])
        sentence = (
            "Every published cell is true of its records."
            if not found
            else f"{found} records are published with a cell that is not true of them."
        )
        return Verdict(Truth.name, not found, found, 0, sentence, witnesses)


class Withheld:
    """Every quasi-identifier is published only as anonymized, and no identifier or person column at all.

    The sentence also names the columns that are published unchanged, because nothing protects them.
    """

    name: ClassVar[str] = "columns as agreed"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict."""
        schema = table.schema
        shown = set(release.to_frame(np.arange(min(1, len(table)))).columns)
        direct = {a.name for a in schema.of_role("identifier", "person")}
        anonymized = {p.attribute.name for p in release.published}
        wrong = sorted((shown & direct) | ({a.name for a in schema.quasi_identifiers} ^ anonymized))
        if wrong:
            sentence = f"The column “{wrong[0]}” is not published as its role says."
            return Verdict(Withheld.name, False, len(wrong), 0, sentence)
        return Verdict(Withheld.name, True, 0, 0, " ".join([_left_out(len(direct)), _unchanged(schema)]))


def _left_out(count: int) -> str:
    if not count:
        return "No column is marked as an identifier."
    return (
        "One identifying column is left out." if count == 1 else f"{count} identifying columns are left out."
    )


def _unchanged(schema: Schema) -> str:
    kept = [f"“{a.name}” ({a.role})" for a in schema.of_role("sensitive", "other")]
    if not kept:
        return "No column is published unchanged."
    return f"Published unchanged: {', '.join(kept)}."


PROMISES = (KAnonymity, KConcealment, Truth, Withheld)
"""Every kind of promise, by class; an algorithm names the one it makes; the last two hold for every release."""


def audit(table: Table, release: Release) -> tuple[Verdict, ...]:
    """Check what the release's algorithm promises, that cells are true, and that identifiers are withheld."""
    promised = {promise.__name__: promise for promise in PROMISES}[release.recipe.algorithm.promises]
    return tuple(promise.check(table, release) for promise in (promised, Truth, Withheld))

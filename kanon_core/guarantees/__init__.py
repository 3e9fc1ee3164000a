"""What algorithms promise, and the independent check of it.

A check reads the published cells and the original table only; it does not believe the cover.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent, stage
from kanon_core.guarantees.base import WITNESSES, Verdict
from kanon_core.guarantees.identity import KAnonymity, KConcealment
from kanon_core.guarantees.itemsets import KKMAnonymity, KMAnonymity
from kanon_core.guarantees.people import PersonKAnonymity
from kanon_core.guarantees.sensitive import LDiversity, TCloseness
from kanon_core.guarantees.uploaded import audit_uploaded
from kanon_core.release.release import Release
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

__all__ = [
    "PROMISES",
    "KAnonymity",
    "KConcealment",
    "KKMAnonymity",
    "KMAnonymity",
    "LDiversity",
    "PersonKAnonymity",
    "TCloseness",
    "Truth",
    "Verdict",
    "Withheld",
    "audit",
    "audit_uploaded",
]


_RECORDS_PER_TICK = 200_000


class Truth:
    """Every published interval and value set contains the original value of each of its records, and every
    mean, median or mode lies within the interval or set of its group."""

    name: ClassVar[str] = "truthful cells"

    @staticmethod
    def check(table: Table, release: Release, tick: Tick = silent) -> Verdict:
        """The verdict, in blocks of records with a tick before each; cost O(n log n · attributes)."""
        rows = np.flatnonzero(~release.suppressed)
        wrong = np.zeros(len(table), bool)
        for i, column in enumerate(release.published):
            name = column.attribute.name
            for first in range(0, len(rows), _RECORDS_PER_TICK):
                tick((i + first / len(rows)) / len(release.published), f"audit: {Truth.name}, {name}")
                block = rows[first : first + _RECORDS_PER_TICK]
                wrong[block] |= ~column.true_of(table[name], block)
        found = int(wrong.sum())
        witnesses = tuple(int(row) + 1 for row in np.flatnonzero(wrong)[:WITNESSES])
        sentence = (
            "Every published cell is true of its records."
            if not found
            else f"{found} records are published with a cell that is not true of them."
        )
        return Verdict(Truth.name, not found, found, 0, sentence, witnesses)


class Withheld:
    """Every quasi-identifier is published only as anonymized, and no identifier or person column at all.

    Where people are protected, the column of the person bears pseudonyms, which `PersonKAnonymity` checks.
    The sentence also names the columns that are published unchanged, because nothing protects them.
    """

    name: ClassVar[str] = "columns as agreed"

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict."""
        schema = table.schema
        shown = set(release.to_frame(np.arange(min(1, len(table)))).columns)
        named = () if release.protects_people else ("person",)
        direct = {a.name for a in schema.of_role("identifier", *named)}
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


PROMISES = (KAnonymity, KConcealment, KKMAnonymity, PersonKAnonymity, LDiversity, TCloseness, Truth, Withheld)
"""Every kind of promise, by class: an algorithm names the first it makes; ℓ-diversity and t-closeness are
promised by its options; the last two hold for every release. `KMAnonymity` is promised by none: it follows
from k-anonymity, and is checked when an audit is asked to."""


def audit(
    table: Table, release: Release, tick: Tick = silent, known_items: int | None = None
) -> tuple[Verdict, ...]:
    """Check what the release's algorithm and its options promise, that cells are true, and that identifiers
    are withheld; with ``known_items`` (m = 1, 2 or 3) also `KMAnonymity`, last.

    Ticks before each check.
    """
    algorithm = release.recipe.algorithm
    promised = {promise.__name__: promise for promise in PROMISES}[algorithm.promise]
    asked = [promise for promise in (LDiversity, TCloseness) if promise.asked(algorithm)]
    more = () if known_items is None else (KMAnonymity(known_items),)
    checks = (promised, *asked, Truth, Withheld, *more)
    verdicts = []
    for i, promise in enumerate(checks):
        tick(i / len(checks), f"audit: {promise.name}")
        if isinstance(promise, KMAnonymity) or promise in (KKMAnonymity, Truth):
            part = stage(tick, i / len(checks), (i + 1) / len(checks))
            verdicts.append(promise.check(table, release, part))
        else:
            verdicts.append(promise.check(table, release))
    return tuple(verdicts)

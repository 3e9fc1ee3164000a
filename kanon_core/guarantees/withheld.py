"""The guarantee that columns are published as their roles require."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import listed, tr
from kanon_core.guarantees.base import Guarantee, Judged, Verdict

if TYPE_CHECKING:
    from kanon_core.table.schema import Schema
    from kanon_core.table.table import Table

_NAMED = 30
"""The most columns left out that are named; the rest are counted."""


@dataclass(frozen=True)
class Withheld(Guarantee):
    """Every quasi-identifier is published only as anonymized, and no identifier or person column at all.

    Where people are protected, the column of the person bears pseudonyms, which `PersonKAnonymity` checks.
    The sentence also names the columns that are left out and those that are published unchanged, which
    nothing protects. Cost O(columns).
    """

    name: ClassVar[str] = "columns as agreed"
    attacker: ClassVar[str] = "reads the names of the columns"
    needs_original: ClassVar[bool] = True
    meaning: ClassVar[str] = (
        "No identifier is published, and quasi-identifiers are published only in anonymized form."
    )
    example: ClassVar[str] = "The file contains no names, and ages only as intervals."

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict."""
        schema, shown = table.schema, set(release.columns)
        direct = {a.name for a in schema.of_role("identifier", *([] if release.pseudonymous else ["person"]))}
        weights = {attribute.name for attribute in schema.of_role("sampling_weight")}
        anonymized = {column.attribute.name for column in release.published}
        wrong = sorted(
            (shown & (direct | weights)) | ({a.name for a in schema.quasi_identifiers} ^ anonymized)
        )
        if wrong:
            sentence = tr("Column “{wrong}” is not published as its role requires.").format(wrong=wrong[0])
            return self.verdict(False, len(wrong), 0, sentence)
        return self.verdict(
            True, 0, 0, f"{_left_out([a.name for a in schema if a.name in direct])} {_unchanged(schema)}"
        )


def _left_out(names: Sequence[str]) -> str:
    if not names:
        return tr("No column is marked as an identifier.")
    shown = listed([f"“{name}”" for name in names], _NAMED)
    if len(names) == 1:
        return tr("One identifying column is left out: {columns}.").format(columns=shown)
    said = tr("{count} identifying columns are left out: {columns}.")
    return said.format(count=len(names), columns=shown)


def _unchanged(schema: Schema) -> str:
    kept = [f"“{a.name}” ({a.role})" for a in schema.of_role("sensitive", "other")]
    if not kept:
        return tr("No column is published unchanged.")
    return tr("Published unchanged: {kept}.").format(kept=", ".join(kept))

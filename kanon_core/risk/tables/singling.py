"""Singling out: a description, read from the release, that is true of exactly one record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Flag, Integer
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import later, tr
from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.predicates import (
    Predicates,
    Read,
    at_random,
    counts,
    of_extremes,
    of_rows,
    read,
)
from kanon_core.risk.tables.release_view import ReleaseView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kanon_core.release.release import Release
    from kanon_core.table.table import Table

FORMS = {
    "both": later("half from rows and half from extremes, if there are enough of both"),
    "rows": later("cells of a row in a few columns that no other row has"),
    "extremes": later("the lowest and the highest end of a column, and cells of a single row"),
}

_BY_CHANCE = 500
"""The number of random guesses for the estimate of success by chance."""


@dataclass(frozen=True)
class SinglingOut(TableAttack):
    """Form predicates from the release, such as “age is 50 to 60 and town is Oslo”; a guess is right when
    exactly one record of the original satisfies it.

    The attacker knows nobody and has only the release. A predicate has the cells of a published row in
    ``columns`` columns, drawn at random, if no other row has them; or it is an extreme of one column. Equal
    published rows are one row. An aggregate is read as its published value. A random guess has the same
    columns, and in each the cell of any row.

    Under k-anonymity and k-concealment a cell is true of all records of its cover set. So if no column is an
    aggregate or unchanged, each predicate of a row's cells is true of at least k records and never right; an
    end of an interval may be the value of only one record, and then it is right.

    The number of records that satisfy a predicate depends on the number of records, so half of them are the
    control group.

    A. Cohen, K. Nissim, Towards formalizing the GDPR's notion of singling out, PNAS 117, 2020. M. Giomi,
    F. Boenisch, C. Wehmeyer, B. Tasnádi, A unified framework for quantifying privacy risk in synthetic data,
    PETS 2023.
    """

    title: ClassVar[str] = "Singling out"
    sentence: ClassVar[str] = (
        "Knows nobody; reads descriptions from the rows. A description that fits exactly one"
        " original record is right."
    )
    among: ClassVar[str] = "control"
    unit: ClassVar[str] = "descriptions"
    apart: ClassVar[float] = 0.5

    predicates: Annotated[str, Choice(FORMS, help="source of the guesses")] = "both"
    columns: Annotated[int, Integer(1, 6, help="number of columns in a guess")] = 3
    unchanged: Annotated[bool, Flag(help="use columns that are published unchanged as well")] = True

    def unsuitable(self, table: Table, release: Release) -> list[str]:
        """Return a reason unless there is a column to read and half of the records are enough for the
        algorithm."""
        reasons = []
        roles = ("sensitive", "other") if self.unchanged else ()
        if not release.published and not any(one.role in roles for one in table.schema):
            reasons.append(tr("No column is published, so there is nothing to read from the rows."))
        if len(table) // 2 < release.recipe.k:
            says = tr(
                "Singling out sets half of the records aside as a control group, and the other half has"
                " fewer than k = {k} records; use more records, or a smaller k."
            )
            reasons.append(says.format(k=release.recipe.k))
        return reasons + super().unsuitable(table, release)

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """Yield one answer with up to as many guesses as targets, tried on all records of the targets'
        group."""
        member = np.zeros(len(seen.table), bool)
        member[seen.records] = True
        records = np.flatnonzero(member == bool(member[targets].all()))
        shown = read(seen, self.unchanged)
        guesses = self._guesses(shown, len(targets), rng)
        by_chance = at_random(shown, guesses.some(_BY_CHANCE, rng), rng)
        right = counts(shown, guesses, records, stage(tick, 0.1, 0.5)) == 1
        chance = counts(shown, by_chance, records, stage(tick, 0.5, 1.0)) == 1
        yield Answer(right.astype(np.float64), float(chance.mean()) if len(chance) else 0.0)

    def _guesses(self, shown: Sequence[Read], count: int, rng: np.random.Generator) -> Predicates:
        width = min(self.columns, len(shown))
        if self.predicates == "rows":
            return of_rows(shown, width, count, rng)
        extremes = of_extremes(shown, count if self.predicates == "extremes" else count // 2, rng)
        if self.predicates == "extremes":
            return extremes
        rows = of_rows(shown, width, count - len(extremes.columns), rng)
        parts = zip(extremes.padded(width), rows, strict=True)
        return Predicates(*(np.concatenate(part) for part in parts))

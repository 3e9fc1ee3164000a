"""The repair of a released file: rows that fail are left out, or their classes merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base import options
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.kinds import Choice, Kind
from kanon_core.base.words import counted as so_many
from kanon_core.base.words import tr, tr_n
from kanon_core.checks.merging import AT_MOST, Held, Shapes, merged
from kanon_core.covers.cells import MergedCells, PublishedColumn
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import value_sets
from kanon_core.guarantees import GUARANTEES, Guarantee, Guarantees, KAnonymity
from kanon_core.guarantees.attributes.counts import Counts, counted, values_of
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee
from kanon_core.table.columns.columns import Categories
from kanon_core.table.columns.keys import paired
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Kept(Kind):
    """Guarantees that a file alone can be judged by, as a tuple."""

    def check(self, value: Any) -> tuple[Guarantee, ...]:
        """Return the guarantees themselves."""
        kept = tuple(value) if isinstance(value, tuple | list) else (None,)
        if not all(isinstance(one, Guarantee) and not one.needs_original for one in kept):
            raise ValueError(tr("a list of guarantees that need no original"))
        return kept

    def parse(self, text: str) -> tuple[Guarantee, ...]:
        """Return the guarantees of these names, which are separated by commas; their parameters are the usual
        ones."""
        known = {cls.__name__.lower(): cls for cls in GUARANTEES}
        names = [name.strip().lower() for name in text.split(",") if name.strip()]
        if not set(names) <= set(known):
            raise ValueError(tr("names of guarantees, separated by commas"))
        return self.check([known[name]() for name in names])

    def illegal(self) -> tuple[Any, ...]:
        """Return a guarantee that needs an original, and things that are no guarantees."""
        return ("kanonymity", (3,), None, (next(cls for cls in GUARANTEES if cls.needs_original)(),))

    def to_json(self, value: Any) -> list[dict[str, Any]]:
        """Return each guarantee with its name and options."""
        return [options.to_json(one) for one in value]

    def from_json(self, value: Any) -> tuple[Guarantee, ...]:
        """Return the guarantees of these names and options."""
        if not isinstance(value, list):
            raise ValueError(tr("a list of guarantees"))
        try:
            return self.check([options.from_json(one) for one in value])
        except OptionError as reason:
            raise ValueError(str(reason)) from None


SUPPRESS, MERGE = "suppress", "merge"
_VALUES_AT_MOST = 50_000_000


@dataclass(frozen=True)
class Repair(Algorithm):
    """The repair of a file: rows that fail are left out, or their classes are merged with others; the rest
    does not change.

    Rows are of one class if their quasi-identifiers are written equally, where missing and suppressed cells
    are values of their own; guarantees that hold then also hold if these cells are counted in another way.
    "suppress" leaves out all rows of each class that has fewer than k rows or violates a guarantee of
    ``keep``; for k-anonymity and distinct ℓ-diversity this is the minimum. The other classes are then
    compared with fewer rows, so this is repeated until all hold, compared with the remaining rows and with
    all original rows. "merge" takes failing classes, the smallest first, and merges each with the class for
    which the certainty penalty of all rows grows least, until it keeps all: a heuristic. Classes that cannot
    be merged are left out. Cells are written as in the file, merged cells as a cell that covers both
    (`kanon_core.table.notation.covering`).

    When to use: on a file that nearly keeps a guarantee; other tables are better anonymized again. The table
    must be read as texts (`kanon_core.checks.opening`). Cost: O(n log n), merging O(failing classes · classes
    · columns).

    L. Sweeney, k-anonymity: a model for protecting privacy, 2002, on suppression.
    """

    title: ClassVar[str] = "Repair"
    family: ClassVar[str] = "check"
    summary: ClassVar[str] = "Suppresses the rows of a released file that fail, or merges their classes."
    takes_items: ClassVar[bool] = True

    way: Annotated[
        str,
        Choice(
            {SUPPRESS: "the rows that fail are left out", MERGE: "classes that fail are merged with others"},
            help="treatment of rows that fail",
        ),
    ] = SUPPRESS
    keep: Annotated[tuple[Guarantee, ...], Kept(help="guarantees to keep besides k-anonymity")] = ()

    def guarantees(self, k: int) -> Guarantees:
        """Return k-anonymity and the guarantees to keep besides it."""
        return (KAnonymity(k), *self.keep)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of every algorithm; also, columns must be texts, and the guarantees to keep must
        be about classes."""
        reasons = super().unsuitable(table, k)
        if not all(isinstance(column, Categories) for column in table.quasi):
            reasons.append(
                tr(
                    "Rows are compared as they are written; read the file with every cell as a text"
                    " (kanon_core.checks.opening)."
                )
            )
        odd = [one.name for one in self.keep if not one.by_class]
        said = tr("{name} cannot be repaired class by class; anonymize the table again.")
        return reasons + [said.format(name=name) for name in odd]

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the classes that are left. Raises UnsuitableError where too many would have to be merged."""
        least = max([k, *(getattr(one, "k", 2) for one in self.keep)])
        columns = [column for column in table.quasi if isinstance(column, Categories)]
        classes = np.zeros(len(table), np.int64)
        for column in columns:
            classes = paired(classes, column.codes)
        kept = [one for one in self.keep if isinstance(one, SensitiveGuarantee)]
        if self.way == MERGE:
            classes = _merged(table, columns, classes, least, kept, run)
        cover = Partition(_left(table, classes, least, kept))
        for column in columns:
            if column.attribute.hierarchy is None:
                sets = value_sets(column, cover)
                cells = MergedCells(sets.starts, sets.codes)
                run.shown[column.attribute.name] = PublishedColumn(column.attribute, cells, cover.set_of)
        run.tick(1.0, tr("repairing"))
        return cover


def _pairs(table: Table, kept: Sequence[SensitiveGuarantee]) -> list[tuple[SensitiveGuarantee, str]]:
    return [(one, name) for one in kept for name in one.names(table)]


def _failing(
    table: Table, classes: np.ndarray, k: int, kept: Sequence[SensitiveGuarantee], rows: np.ndarray
) -> np.ndarray:
    """Booleans (classes): the class has fewer than k rows, or does not keep the guarantees, compared with the
    sensitive values of these rows. ``classes`` int64 (n), without gaps, −1 = left out."""
    failing = np.bincount(classes[classes >= 0]) < k
    for guarantee, name in _pairs(table, kept):
        values = values_of(table[name])
        occurring = np.bincount(values.codes[rows], minlength=values.distinct)
        counts = counted(classes, values._replace(occurring=occurring))
        failing |= guarantee.failing(counts, len(failing))[1]
    return np.asarray(failing)


def _left(table: Table, classes: np.ndarray, k: int, kept: Sequence[SensitiveGuarantee]) -> np.ndarray:
    """Return the classes without those that fail, int64 (n), −1 = left out."""
    every = np.arange(len(table))
    while (classes >= 0).any():
        shown = classes >= 0
        compact = np.full(len(classes), -1, np.int64)
        compact[shown] = np.unique(classes[shown], return_inverse=True)[1]
        failing = _failing(table, compact, k, kept, every)
        if kept:
            failing |= _failing(table, compact, k, kept, np.flatnonzero(shown))
        if not failing.any():
            return compact
        classes = np.where(shown & ~np.append(failing, True)[compact], compact, -1)
    return classes


def _merged(
    table: Table,
    columns: Sequence[Categories],
    classes: np.ndarray,
    k: int,
    kept: Sequence[SensitiveGuarantee],
    run: Run,
) -> np.ndarray:
    """Return the classes after merging, int64 (n), −1 = left out."""
    sizes, first = np.bincount(classes), np.unique(classes, return_index=True)[1]
    failing = _failing(table, classes, k, kept, np.arange(len(table)))
    counts: list[tuple[SensitiveGuarantee, Counts]] = [
        (one, counted(classes, values_of(table[name]))) for one, name in _pairs(table, kept)
    ]
    work = int(failing.sum()) * len(sizes) * max(len(columns), 1)
    if work > AT_MOST or any(len(sizes) * of.values.distinct > _VALUES_AT_MOST for _, of in counts):
        raise UnsuitableError(
            tr_n(
                "{failing:,} of {all} fails: too many to merge one by one. Leave their rows out, or"
                " anonymize the table again.",
                "{failing:,} of {all} fail: too many to merge one by one. Leave their rows out, or"
                " anonymize the table again.",
                int(failing.sum()),
            ).format(failing=int(failing.sum()), all=so_many(len(sizes), "class"))
        )
    held = [Held.of(one, of, len(sizes)) for one, of in counts]
    into = merged(Shapes(columns, first), sizes, k, held, failing, run.tick)
    return np.asarray(into[classes])

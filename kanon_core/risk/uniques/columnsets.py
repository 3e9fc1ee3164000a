"""Distinction and separation: two measures of how well columns, and small sets of them, distinguish
records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import counted, percent, quoted, tr, tr_n
from kanon_core.release.release import Release
from kanon_core.risk.uniques.coded import Coded, checked_most, coded_release, coded_table
from kanon_core.table.columns.keys import distinct, paired
from kanon_core.table.table import Table

SETS = 1_000
"""The most sets of several columns that are counted."""


@dataclass(frozen=True)
class ColumnSet:
    """The measures of how well one or several columns together distinguish records.

    ``values``: the number of different values, or combinations of them; a missing value is a value of its
    own. ``distinction`` = values / records, and ``separation`` = the share of all pairs of records that
    differ in these columns, both 0 … 1. ``unique``: the number of records with values that no other record
    has. Where people are counted, ``distinction`` is values / different pairs of a person and a value;
    ``separation`` is the share of pairs of records of different people; and ``unique`` counts people who have
    a record with values that nobody else has.
    """

    columns: tuple[str, ...]
    values: int
    distinction: float
    separation: float
    unique: int

    @property
    def all_different(self) -> bool:
        """Return whether each value belongs to only one record (or person) and so identifies it."""
        return self.distinction == 1


@dataclass(frozen=True)
class Identifying:
    """The result of `identifying`.

    ``sets``: the most identifying sets first, by distinction, then by separation, then the one with fewer
    columns. ``subjects``: the number of records, or of people where ``of_people``. ``all_different``: columns
    that identify every subject. ``left_out``: columns that were counted only by themselves because there are
    too many sets. ``most``: the most columns that a set has.
    """

    sets: tuple[ColumnSet, ...]
    of_people: bool
    subjects: int
    most: int
    all_different: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def unit(self) -> str:
        """Return the noun for the counted subjects: "people" or "records"."""
        return "people" if self.of_people else "records"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return remarks on the ranking, in sentences."""
        found = []
        if self.all_different:
            says = tr(
                "All values are different, as in identifiers: {columns}. Each value identifies one of the"
                " {unit}, so larger sets with such a column add nothing and are not counted."
            )
            found.append(says.format(columns=quoted(self.all_different), unit=self.unit))
        if self.left_out:
            says = tr(
                "There are too many sets of columns to count. The columns with the fewest different values"
                " are counted only by themselves: {columns}."
            )
            found.append(says.format(columns=quoted(self.left_out)))
        return tuple(found)

    def sentence(self, column_set: ColumnSet) -> str:
        """Return the figures of a set in words."""
        said = tr_n(
            "{columns}: {values}. {unique:,} of {all:,} {unit} ({share}) has a value that no other has; two"
            " records drawn at random{of_people} differ in {separation} of cases.",
            "{columns}: {values}. {unique:,} of {all:,} {unit} ({share}) have a value that no other has; two"
            " records drawn at random{of_people} differ in {separation} of cases.",
            column_set.unique,
        )
        return said.format(
            columns=" + ".join(column_set.columns),
            values=counted(column_set.values, "different value"),
            unique=column_set.unique,
            all=self.subjects,
            unit=self.unit,
            of_people=tr(" from different people") if self.of_people else "",
            share=percent(column_set.unique, self.subjects),
            separation=percent(column_set.separation),
        )


def identifying(source: Table | Release, most: int = 2, progress: Tick | None = None) -> Identifying:
    """Distinction and separation of every column, and of sets of up to ``most`` columns, ranked.

    ``source``: a table, with any roles; or a release, with its published columns and without suppressed
    records. If a column has the role person, people are counted, and this column is left out. Columns of the
    role identifier, columns with all different values and columns with a single value are counted only by
    themselves; if there are more than 1,000 sets, so are those with the fewest different values. Sets with a
    part whose values are all different are left out.

    Closed forms: with n_v records of each value v, distinction = |v| / n and
    separation = 1 − Σ n_v (n_v − 1) / (n (n − 1)). Cost O(n) a set, with a sort where a set has more than 4 n
    possible values; ticks once for each set.

    Raises OptionError for a ``most`` that is not 1 to 4, SchemaError if two columns have the role person,
    UnsuitableError for a release whose sets overlap.

    >>> import kanon_core as kc
    >>> found = kc.identifying(kc.read_table(b"age,sex\\n30,F\\n30,M\\n41,F\\n30,F\\n"))
    >>> [(one.columns, one.distinction, round(one.separation, 2), one.unique) for one in found.sets]
    [(('age', 'sex'), 0.75, 0.83, 2), (('age',), 0.5, 0.5, 1), (('sex',), 0.5, 0.5, 1)]

    Reference: R. Motwani, Y. Xu, Efficient algorithms for masking and finding quasi-identifiers, 2007.
    """
    most, tick = checked_most(most, 4), progress or silent
    coded, alone = _coded(source)
    singles = list(_measured(coded, [(place,) for place in range(len(coded.names))], stage(tick, 0, 0.1)))
    chosen, left_out = _combined(coded, singles, alone, most)
    sets = [*singles, *_several(coded, chosen, most, stage(tick, 0.1, 1))]
    sets.sort(key=lambda candidate: (-candidate.distinction, -candidate.separation, len(candidate.columns)))
    return Identifying(
        tuple(sets),
        coded.of_people,
        coded.subjects,
        most,
        tuple(one.columns[0] for one in singles if one.all_different),
        tuple(coded.names[place] for place in left_out),
    )


def _coded(source: Table | Release) -> tuple[Coded, frozenset[str]]:
    """Return all columns but that of the person, and those among them that are counted only by themselves."""
    schema = source.table.schema if isinstance(source, Release) else source.schema
    persons = {attribute.name for attribute in schema.of_role("person")}
    if isinstance(source, Release):
        return coded_release(source, [name for name in source.columns if name not in persons]), frozenset()
    identifiers = frozenset(attribute.name for attribute in schema.of_role("identifier"))
    return coded_table(source, [name for name in schema.names if name not in persons]), identifiers


def _combined(
    coded: Coded, singles: Sequence[ColumnSet], alone: frozenset[str], most: int
) -> tuple[list[int], list[int]]:
    """Return the columns for sets, in order, and the columns that are left out of too many sets, which are
    those with the fewest different values."""
    fit = [
        place
        for place, one in enumerate(singles)
        if one.values > 1 and not one.all_different and coded.names[place] not in alone
    ]
    fit.sort(key=lambda place: -singles[place].values)
    taken = len(fit)
    while sum(comb(taken, size) for size in range(2, most + 1)) > SETS:
        taken -= 1
    return sorted(fit[:taken]), sorted(fit[taken:])


def _several(coded: Coded, places: Sequence[int], most: int, tick: Tick) -> Iterator[ColumnSet]:
    """Yield all sets of two or more columns without a part whose values are all different."""
    full: set[tuple[int, ...]] = set()
    for size in range(2, most + 1):
        sets = [
            which
            for which in combinations(places, size)
            if not any(part in full for part in combinations(which, size - 1))
        ]
        part = stage(tick, (size - 2) / (most - 1), (size - 1) / (most - 1))
        for which, one in zip(sets, _measured(coded, sets, part), strict=True):
            if one.all_different:
                full.add(which)
            yield one


def _measured(coded: Coded, sets: Sequence[tuple[int, ...]], tick: Tick) -> Iterator[ColumnSet]:
    """Yield each set of columns, with a tick before it."""
    for done, which in enumerate(sets):
        names = tuple(coded.names[place] for place in which)
        tick(done / len(sets), tr("telling records apart by {columns}").format(columns=" + ".join(names)))
        keys = coded.keys(which)
        counts = np.bincount(keys)
        if coded.of_people:
            yield _of_people(names, coded, keys, counts)
            continue
        values, every = int((counts > 0).sum()), _pairs([len(keys)])
        separation = 1 - _pairs(counts) / (every or 1)
        yield ColumnSet(names, values, values / max(len(keys), 1), separation, int((counts == 1).sum()))


def _of_people(names: tuple[str, ...], coded: Coded, keys: np.ndarray, counts: np.ndarray) -> ColumnSet:
    """Return the same measures for people: neither pairs of one person's records nor equal values of one
    person count."""
    both = paired(keys, coded.owner)
    own = np.bincount(both)
    every = _pairs([len(keys)]) - _pairs(np.bincount(coded.owner))
    equal = _pairs(counts) - _pairs(own)
    record = np.empty(len(own), np.int64)
    record[both] = np.arange(len(keys))
    owners = np.bincount(keys[record], minlength=len(counts))
    unique = distinct(coded.owner[owners[keys] == 1])
    values = int((counts > 0).sum())
    return ColumnSet(names, values, values / max(len(own), 1), 1 - equal / (every or 1), len(unique))


def _pairs(counts: np.ndarray | Sequence[int]) -> int:
    """Return the number of pairs within groups of these sizes."""
    sizes = np.asarray(counts, np.int64)
    return int((sizes * (sizes - 1) // 2).sum())

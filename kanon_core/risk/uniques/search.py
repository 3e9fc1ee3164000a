"""Search for special uniques: set by set, from small to large, without those found already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from math import comb

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.release.release import Release
from kanon_core.risk.uniques.coded import Coded, checked_most, coded_release, coded_table
from kanon_core.risk.uniques.special import Combination, SpecialUniques
from kanon_core.table.columns.keys import distinct
from kanon_core.table.table import Table

SETS = 100_000
"""The most sets of columns that are tried: of 84 columns, all sets with up to three."""


def special_uniques(
    source: Table | Release,
    most: int = 3,
    columns: Sequence[str] | None = None,
    progress: Tick | None = None,
) -> SpecialUniques:
    """Return all minimal uniques of up to ``most`` columns: sets of values that only one record has, while
    another record has every proper subset.

    ``source``: a table; or a release, whose published cells are compared, without suppressed records.
    ``columns``: the columns to search, by default the quasi-identifiers. A missing value is a value of its
    own. If a column has the role person, the sets of values are those that only one person's records have.

    A set of columns is searched after its parts, without the records that a part singles out: these are
    unique in every larger set. Exact. Cost O(n · sets), with a sort where a set has more than 4 n possible
    values; ticks once for each set.

    Raises UnsuitableError without columns, for more than 100,000 sets, and for a release whose sets overlap;
    SchemaError for an unknown column; OptionError for a ``most`` that is not 1 to 10.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,sex\\n30,F\\n30,M\\n41,F\\n30,F\\n")
    >>> found = kc.special_uniques(table)
    >>> [(one.columns, one.subjects.tolist()) for one in found.combinations], found.score.tolist()
    ([(('age',), [2]), (('sex',), [1])], [0.0, 1.0, 1.0, 0.0])

    Reference: M. J. Elliot, A. M. Manning, R. W. Ford, A computational algorithm for handling the special
    uniques problem, 2002; A. M. Manning, D. J. Haglin, J. A. Keane, A recursive search algorithm for
    statistical disclosure assessment, Data Mining and Knowledge Discovery 16, 2008 (SUDA2).
    """
    table = source.table if isinstance(source, Release) else source
    asked = columns if columns is not None else [column.attribute.name for column in table.quasi]
    names = tuple(dict.fromkeys(asked))
    most = min(checked_most(most), len(names))
    _check_sets(len(names), most)
    coded = coded_release(source, names) if isinstance(source, Release) else coded_table(table, names)
    found = [one for one in _searched(coded, most, progress or silent) if len(one.subjects)]
    found.sort(key=lambda candidate: (-candidate.count, len(candidate.columns)))
    unique, pairs = _whole(coded)
    return SpecialUniques(names, most, coded.unit, coded.subjects, coded.first, tuple(found), unique, pairs)


def _check_sets(columns: int, most: int) -> None:
    if not columns:
        raise UnsuitableError(
            tr("No column is a quasi-identifier; give that role to the columns that an attacker may know.")
        )
    sets = sum(comb(columns, size) for size in range(1, most + 1))
    if sets > SETS:
        raise UnsuitableError(
            tr_n(
                "{columns} column has {sets:,} sets of up to {most}; at most {limit:,} are tried. Choose"
                " fewer columns or smaller sets.",
                "{columns} columns have {sets:,} sets of up to {most}; at most {limit:,} are tried. Choose"
                " fewer columns or smaller sets.",
                columns,
            ).format(columns=columns, sets=sets, most=most, limit=SETS)
        )


def _searched(coded: Coded, most: int, tick: Tick) -> Iterator[Combination]:
    """Yield the minimal uniques of every set. ``apart``: by set of the size before, which records it or a
    part of it singles out, 8 in a byte."""
    places, records = range(len(coded.names)), len(coded.rows)
    every = sum(comb(len(places), size) for size in range(1, most + 1))
    nobody, done = np.packbits(np.zeros(records, bool)), 0
    apart: dict[tuple[int, ...], np.ndarray] = {(): nobody}
    for size in range(1, most + 1):
        now = {}
        for which in combinations(places, size):
            tick(done / every, tr("sets of {size}").format(size=counted(size, "column")))
            known = reduce(np.bitwise_or, (apart[part] for part in combinations(which, size - 1)))
            rest = np.flatnonzero(~np.unpackbits(known, count=records).view(bool))
            own, subjects = _own(coded, which, rest)
            yield Combination(tuple(coded.names[place] for place in which), subjects)
            if size < most:
                new = np.zeros(records, bool)
                new[own] = True
                now[which] = known | np.packbits(new)
            done += 1
        apart = now
    tick(1.0, tr("sets of columns"))


def _own(coded: Coded, which: Sequence[int], rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return those of the records ``rest`` whose values in these columns no other subject's records have; and
    the subject of each such combination of values, ascending."""
    if not len(rest):
        return rest, rest
    keys, owner = coded.keys(which, rest), coded.owner[rest]
    somebody = np.zeros(int(keys.max()) + 1, np.int64)
    somebody[keys] = owner
    shared = np.zeros(len(somebody), bool)
    shared[keys[somebody[keys] != owner]] = True
    single = ~shared[keys]
    if not coded.of_people:
        return rest[single], owner[single]
    return rest[single], np.sort(somebody[distinct(keys[single])])


def _whole(coded: Coded) -> tuple[int, int]:
    """Return the number of subjects that are unique in all columns together, and the number of records that
    are equal to exactly one other, −1 where people are counted."""
    everything = np.arange(len(coded.rows))
    if coded.of_people:
        return len(distinct(_own(coded, range(len(coded.names)), everything)[1])), -1
    counts = np.bincount(coded.keys(range(len(coded.names))))
    return int((counts == 1).sum()), 2 * int((counts == 2).sum())

"""Records that share a few items, for attackers who know the single values and a few items of a person."""

from __future__ import annotations

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.covers.cells import CommonItems
from kanon_core.guarantees.identity.combinations import all_items, same_single_values
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import numbered, row_keys
from kanon_core.table.table import Table, item_sets

MOST_KNOWN = 3
"""The most items that may be known: a record of 20 items has 190 pairs of them and 1,140 sets of three, but
4,845 sets of four, too many to count in seconds."""
MOST_SETS = 20_000_000
"""More sets of items of one record than this, over all different records, are not counted."""


def fewest_sharing(table: Table, release: Release | None, known: int, tick: Tick = silent) -> np.ndarray:
    """int64 (n): how many records have the single values of each record and its least shared ``known`` items,
    1 to 3; all its items where it has fewer. 0 = not published.

    In a release, published single values and items count; without one, those of the original. Cost O(S log
    S), where S is the number of sets of so many items, Σ size^known / known!; raises UnsuitableError for more
    than 20 million.
    """
    classes, sets, cell = _original(table) if release is None else _published(release)
    keys = row_keys(np.column_stack([classes, sets.keys()]))
    first = np.unique(keys, return_index=True)[1]
    weight = np.bincount(keys, np.bincount(cell[cell >= 0], minlength=len(keys)), len(first))
    found = _least(sets.taken(first), classes[first], weight, known, tick)
    return np.asarray(np.append(found[keys], 0)[cell])


def _original(table: Table) -> tuple[np.ndarray, CommonItems, np.ndarray]:
    """Return the class of each record by its single values, its items, and itself."""
    n, columns = len(table), item_sets(table)
    names = {column.attribute.name for column in columns}
    singles = [
        np.unique(column.keys, return_inverse=True)[1]
        for column in table.quasi
        if column.attribute.name not in names
    ]
    classes = row_keys(np.column_stack(singles)) if singles else np.zeros(n, np.int64)
    above = np.cumsum([0, *(len(column.labels) for column in columns)])
    owner = np.concatenate([np.repeat(np.arange(n), column.sizes) for column in columns])
    items = np.concatenate([c.items + low for c, low in zip(columns, above, strict=False)])
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n))]).astype(np.int64)
    return classes.astype(np.int64), CommonItems(starts, items[order].astype(np.int32)), np.arange(n)


def _published(release: Release) -> tuple[np.ndarray, CommonItems, np.ndarray]:
    """Return the class of each row by its single values, its items, and the row of each record."""
    return same_single_values(release), all_items(release), release.row


def _least(sets: CommonItems, classes: np.ndarray, weight: np.ndarray, known: int, tick: Tick) -> np.ndarray:
    """int64 (sets): how many records share the least shared items of each set; ``weight``: how many records
    have each set."""
    owner = np.repeat(np.arange(len(weight)), sets.sizes)
    order = np.lexsort((sets.items, owner))  # so that the same items are in the same order in both sets
    item = numbered(sets.items[order].astype(np.int64))[1]
    end = np.repeat(np.cumsum(sets.sizes), sets.sizes)
    least = np.bincount(classes, weight)[classes]  # the records without any item
    last, key = np.arange(len(item)), classes[owner] * _width(item) + item
    for size in range(1, known + 1):
        tick((size - 0.5) / known, tr("counting combinations of known items"))
        if size > 1:
            before, last = _longer(last, end, size)
            key = key[before] * _width(item) + item[last]
        key = numbered(key)[1]
        shared = np.bincount(key, weight[owner[last]])[key]
        least = np.minimum(least, _minimum(shared, owner[last], len(weight)))
    return np.asarray(np.rint(least), np.int64)


def _width(item: np.ndarray) -> int:
    return int(item.max(initial=0)) + 1


def _minimum(values: np.ndarray, owner: np.ndarray, count: int) -> np.ndarray:
    """Return the least value of each of ``count`` owners; ∞ without any."""
    least = np.full(count, np.inf)
    np.minimum.at(least, owner, values)
    return least


def _longer(last: np.ndarray, end: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the sets that have one place more of the same record than the sets that end with the places
    ``last``: the set that each continues, and its last place. ``end``: where the record of each place
    ends."""
    after = end[last] - last - 1
    if int(after.sum()) > MOST_SETS:
        said = tr(
            "The records have {sets:,} sets of {size}, but at most {limit:,} can be counted; let the"
            " attacker know fewer items, or use a sample of the records."
        )
        raise UnsuitableError(said.format(sets=int(after.sum()), size=counted(size, "item"), limit=MOST_SETS))
    before = np.repeat(np.arange(len(last)), after)
    begin = np.repeat(np.cumsum(after) - after, after)
    return before, last[before] + 1 + np.arange(len(before)) - begin

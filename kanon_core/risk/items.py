"""How many publish the same few items: whom somebody finds who knows the single values and a few items of a
person."""

from __future__ import annotations

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.identity.combinations import all_items, same_single_values
from kanon_core.guarantees.identity.itemsets import sets_of
from kanon_core.release.cells import CommonItems
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import numbered, row_keys
from kanon_core.table.table import Table

MOST_PAIRS = 20_000_000
"""More pairs of items of one record than this, over all different records, are not counted."""


def fewest_sharing(table: Table, release: Release | None, known: int, tick: Tick = silent) -> np.ndarray:
    """int64 (n): how many records have the single values of each record and its least shared ``known`` items,
    1 or 2; all its items where it has fewer. 0 = not published.

    Of a release, published single values and items count, of no release those of the original. Cost O(items
    log items) for one item, O(Σ size² log) for two; raises UnsuitableError for more than 20 million pairs.
    """
    classes, sets, cell = _original(table) if release is None else _published(release)
    keys = row_keys(np.column_stack([classes, sets.keys()]))
    first = np.unique(keys, return_index=True)[1]
    weight = np.bincount(keys, np.bincount(cell[cell >= 0], minlength=len(keys)), len(first))
    found = _least(sets.taken(first), classes[first], weight, known, tick)
    return np.asarray(np.append(found[keys], 0)[cell])


def _original(table: Table) -> tuple[np.ndarray, CommonItems, np.ndarray]:
    """The class of each record by its single values, its items, and itself."""
    n, columns = len(table), sets_of(table)
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
    """The class of each row by its single values, its items, and the row of each record."""
    return same_single_values(release), all_items(release), release.row


def _least(sets: CommonItems, classes: np.ndarray, weight: np.ndarray, known: int, tick: Tick) -> np.ndarray:
    """int64 (sets): how many records share the least shared items of each set; ``weight``: how many records
    have each set."""
    count = len(weight)
    everybody = np.bincount(classes, weight)[classes]  # of those without any item
    owner = np.repeat(np.arange(count), sets.sizes)
    width = int(sets.items.max(initial=0)) + 1
    _, item = numbered(classes[owner] * width + sets.items)
    tick(0.2, tr("counting items that are known together"))
    shared = np.bincount(item, weight[owner])[item]
    least = np.minimum(everybody, _minimum(shared, owner, count))
    if known > 1 and len(item):
        one, other = _pairs(sets.sizes)
        tick(0.4, tr("counting items that are known together"))
        _, pair = numbered(
            np.minimum(item[one], item[other]) * (int(item.max()) + 1) + np.maximum(item[one], item[other])
        )
        tick(0.8, tr("counting items that are known together"))
        shared = np.bincount(pair, weight[owner[one]])[pair]
        least = np.minimum(least, _minimum(shared, owner[one], count))
    return np.asarray(np.rint(least), np.int64)


def _minimum(values: np.ndarray, owner: np.ndarray, count: int) -> np.ndarray:
    """The least value of each of ``count`` owners; ∞ without any."""
    least = np.full(count, np.inf)
    np.minimum.at(least, owner, values)
    return least


def _pairs(sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places of both items of each pair of items of one set, where items stand set after set."""
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if pairs > MOST_PAIRS:
        said = tr(
            "Records have {pairs:,} pairs of items, and at most {most:,} are counted; let the attacker know 1"
            " item, or take a sample of the records."
        )
        raise UnsuitableError(said.format(pairs=pairs, most=MOST_PAIRS))
    ends = np.repeat(np.cumsum(sizes), sizes)
    place = np.arange(len(ends))
    after = ends - place - 1  # items of the same set that stand behind
    one = np.repeat(place, after)
    first = np.repeat(np.cumsum(after) - after, after)
    return one, one + 1 + np.arange(len(one)) - first

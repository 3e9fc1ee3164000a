"""Loss of single columns within the sets of a cover, record by record, before it is weighted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.base.sums import moments_of
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Cover
from kanon_core.metrics.summed import Anonymized
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.keys import tallied
from kanon_core.table.columns.set_arrays import incidence

_COUNTS_PER_RECORD = 10  # in a table of all values by all sets; for more, the occurring pairs are sorted


class Against(NamedTuple):
    """Numbers beside the means of their sets. Missing numbers count as the center of the whole table, c, and
    suppressed ones have c as their mean. Record i is ``apart[i] − pulled[i] · c`` away from its mean, float64
    (n) each; ``pulled`` is None where all are 0."""

    apart: np.ndarray
    pulled: np.ndarray | None

    def squares(self, center: float) -> np.ndarray:
        """float64 (n): the squared differences, for a center that is known."""
        found = self.apart if self.pulled is None else self.apart - self.pulled * center
        return np.asarray(np.square(found))

    @property
    def sums(self) -> tuple[float, np.ndarray]:
        """Return the squares added up, for any center: the sum of squares of the records that c does not
        pull; and, for the others, the moments of the centers at which they would lose nothing, by how much
        they are pulled (`kanon_core.base.sums.squares_about`)."""
        if self.pulled is None:
            return float(np.square(self.apart).sum()), np.zeros(3)
        here = self.pulled != 0
        apart, pulled = self.apart[here], self.pulled[here]
        return float(np.square(self.apart[~here]).sum()), moments_of(apart / pulled, np.square(pulled))


def against(values: np.ndarray, made: Anonymized) -> Against:
    """These numbers, float64 (n), NaN = missing, beside their sets. Cost O(n)."""
    cover, set_of, missing = made.cover, made.set_of, np.isnan(values)
    if not missing.any() and not cover.suppressed.any():
        return Against(values - (_sums(values, cover) / cover.sizes)[set_of], None)
    means = np.append(_sums(np.where(missing, 0.0, values), cover) / cover.sizes, 0.0)[set_of]
    gaps = np.append(_sums(missing.astype(np.float64), cover) / cover.sizes, 1.0)[set_of]
    return Against(np.where(missing, means, values - means), np.where(missing, 1.0 - gaps, gaps))


def _sums(values: np.ndarray, cover: Cover) -> np.ndarray:
    """float64 (m): the sum over the records of each set, in their order."""
    if cover.overlap:
        return np.bincount(cover.sets, values[cover.order], len(cover.sizes))
    return np.bincount(cover.set_of + 1, values, len(cover.sizes) + 1)[1:]


def category_loss(codes: np.ndarray, made: Anonymized) -> np.ndarray:
    """Per record 1 − 2 f(c) + Σ f², f the shares within its set (of the whole table when suppressed)."""
    cover, set_of = made.cover, made.set_of
    if not len(cover.sizes):
        return _spread(codes)
    width, count = int(codes.max(initial=0)) + 1, len(cover.sizes)
    own = set_of * width + codes
    apart = cover.overlap or cover.suppressed.any()
    keys = cover.sets * width + codes[cover.order] if apart else own
    if count * width <= _COUNTS_PER_RECORD * len(codes):
        counts, mine = np.bincount(keys, minlength=count * width), own
        sets = np.repeat(np.arange(count), width)
    else:
        present, counts = tallied(keys)
        sets, mine = present // width, np.minimum(np.searchsorted(present, own), len(present) - 1)
    squares = np.bincount(sets, counts.astype(np.float64) ** 2, count) / cover.sizes**2.0
    loss = (1 - 2 * counts / cover.sizes[sets] + squares[sets])[mine]
    return np.where(cover.suppressed, _spread(codes), loss) if cover.suppressed.any() else loss


def item_spread(column: Items) -> np.ndarray:
    """Per record Σ (x − f)² over all items, x = 1 if it has the item, f the share of the table that does: |t|
    − 2 Σ_{t} f + Σ f². Cost O(items)."""
    n = len(column.sizes)
    whole = np.bincount(column.items, minlength=len(column.labels)) / n
    shares = np.bincount(np.repeat(np.arange(n), column.sizes), whole[column.items], n)
    return np.asarray(np.maximum(column.sizes - 2 * shares + (whole**2).sum(), 0.0))


def item_loss(column: Items, made: Anonymized) -> np.ndarray:
    """Return, per record, Σ (x − f)² as `item_spread` does, where f is the share within the record's set
    (within the whole table when suppressed).

    Where n_v of a set's n records have item v, Σ_{t} f = among / n with among = Σ_{t} n_v, and Σ f² = Σ n_v²
    / n² = Σ of among over its records / n². Cost O(items).
    """
    cover, part, published = made.cover, item_spread(column), _published(column, made)
    if published.cell is not made.set_of:
        return np.where(cover.suppressed, part, _unshown_losses(column, published, made))
    sizes, sets, among = cover.sizes, cover.sets, _among(column, cover)
    squares = np.bincount(sets, among, len(sizes)) / sizes**2.0
    own = made.set_of[cover.order] == sets
    records, groups = cover.order[own], sets[own]
    part[records] = column.sizes[records] - 2 * among[own] / sizes[groups] + squares[groups]
    return np.asarray(np.maximum(part, 0.0))


def _published(column: Items, made: Anonymized) -> PublishedColumn:
    return next(one for one in made.published if one.attribute.name == column.attribute.name)


def _unshown_losses(column: Items, published: PublishedColumn, made: Anonymized) -> np.ndarray:
    """Return, per record, Σ (x − f)² over the items that it does not show; f is the share of those with the
    item among the records of its group that do not show it. Cost O(items)."""
    set_of, sizes = made.set_of, made.cover.sizes
    n, width = len(set_of), max(len(column.labels), 1)
    told = published.cells.as_items().taken(published.cell)
    item = np.full(len(column.closure.parent), -1)  # groups of a hierarchy show no item
    item[column.closure.own] = np.arange(len(column.labels))
    shown = (np.repeat(np.arange(n), told.sizes) * width + item[told.items])[item[told.items] >= 0]
    own = np.repeat(np.arange(n), column.sizes) * width + column.items
    hidden = own[~np.isin(own, shown)]
    hidden = hidden[set_of[hidden // width] >= 0]
    owner, teller = hidden // width, shown // width
    keys, which, counts = np.unique(
        set_of[owner] * width + hidden % width, return_inverse=True, return_counts=True
    )
    beside = set_of[teller] * width + shown % width
    place = np.minimum(np.searchsorted(keys, beside), max(len(keys) - 1, 0))
    same = keys[place] == beside if len(keys) else np.zeros(len(beside), bool)
    share = counts / (sizes[keys // width] - np.bincount(place[same], minlength=len(keys)))
    all_of_group = np.bincount(keys // width, share**2, len(sizes))[set_of]
    mine = np.bincount(owner, 1 - 2 * share[which], n)
    return np.asarray(
        np.maximum(mine + all_of_group - np.bincount(teller[same], share[place[same]] ** 2, n), 0.0)
    )


def _among(column: Items, cover: Cover) -> np.ndarray:
    """Return for each entry of the cover's order: the number of records of its set that have an item of its
    record, summed over the items of the record."""
    own = incidence(column.starts, column.items, len(column.labels))
    by_item = own[cover.order].tocsc()  # of each item the entries ascending, so those of a set stand together
    if not by_item.nnz:
        return np.zeros(len(cover.order))
    sets, starts = cover.sets[by_item.indices], by_item.indptr[:-1]
    first = np.append(True, sets[1:] != sets[:-1])
    first[starts[starts < by_item.nnz]] = True
    counts = np.diff(np.append(np.flatnonzero(first), by_item.nnz))
    return np.bincount(by_item.indices, np.repeat(counts, counts), len(cover.order))


def _spread(codes: np.ndarray) -> np.ndarray:
    shares = np.bincount(codes) / len(codes)
    return np.asarray(1 - 2 * shares[codes] + (shares**2).sum())

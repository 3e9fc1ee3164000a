"""Information loss by the sum of squared differences from the mean: SSE / SST."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.distances.chosen import names_of, sources
from kanon_core.distances.mixed import Piece, pieces
from kanon_core.metrics.base import Measured, Metric
from kanon_core.release.cover import Cover
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.keys import tallied
from kanon_core.table.columns.sets import incidence
from kanon_core.table.table import Table

_COUNTS_PER_RECORD = 10  # in a table of all values by all sets; of more, those that occur are sorted


@dataclass(frozen=True)
class ILSSDM(Metric):
    """ILSSDM = SSE / SST, in 0..1 (ILD paper, §2.4.2; MIL paper, §2).

    SSE = Σ over records of d²(record, centroid of the set it is published with: its group), SST the same with
    one group of all records. d is the mixed distance (`kanon_core.distances.mixed`), in which the distances
    chosen for columns count, a place as one attribute; a category's centroid is its shares, so it adds w/2 ·
    (n_g − Σ_v n_gv² / n_g) per attribute and group. Of item sets (ours) each item is a coordinate that is 1
    where the record has it, all of a column scaled together so that it varies as much as a number does. For
    z-scored numbers this is the paper's definition. The measure judges the grouping: it is the same whether a
    group publishes means or intervals. A suppressed record counts with its distance to the overall centroid.
    Where records of a group show items of their own, each item has two sets: the records of the group that
    show it, which lose nothing of it, and the others. SST = 0 (nothing varies) gives 0. Cost O(n ·
    attributes).
    """

    title: ClassVar[str] = "Information loss"
    short: ClassVar[str] = "Loss"
    symbol: ClassVar[str] = "SSE/SST"
    sentence: ClassVar[str] = (
        "Share of the variation between records that disappears inside the groups; 0 % keeps all, 100 % keeps"
        " none."
    )
    scale: ClassVar[str] = "0 % = nothing lost"
    formula: ClassVar[str] = r"\mathrm{SSE}/\mathrm{SST},\ \mathrm{SSE}=\sum_g\sum_{i\in g}d^2(x_i,\bar x_g)"
    example: ClassVar[str] = "Values 1, 3 | 5, 7: SSE = 2 + 2 = 4, SST = 20, loss = 0.2."
    percent: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    of_groups: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    def measure(self, table: Table, release: Release) -> Measured:
        """Total, per attribute (its own SSE / SST), and per record (its share of SST; the shares add up to
        the total)."""
        whole = table.once("ILSSDM", lambda: {name: float(p.sum()) for name, p in _parts(table, None)})
        lost, records = dict.fromkeys(whole, 0.0), np.zeros(len(table))
        sst = sum(whole.values())
        if sst <= 0:
            return Measured(0.0, _by_column(table, lost), records)
        for name, part in _parts(table, release):
            lost[name] = float(part.sum())
            records += part
        records /= sst
        shares = {name: part / whole[name] if whole[name] > 0 else 0.0 for name, part in lost.items()}
        return Measured(sum(lost.values()) / sst, _by_column(table, shares), records)


def _parts(table: Table, release: Release | None) -> Iterator[tuple[str, np.ndarray]]:
    """By attribute, float64 (n): the squared distance of each record from the centroid of its set, or from
    that of the whole table; numbers first, then categories, then item sets."""
    for piece in sorted(pieces(table), key=lambda piece: not piece.numbers):
        yield piece.names[0], _piece_loss(piece, len(table), release)
    for column in table.quasi:
        if isinstance(column, Items):
            spread = _item_spread(column)
            scale = column.attribute.weight * (len(table) - 1) / (spread.sum() or 1.0)
            yield column.attribute.name, scale * (spread if release is None else _item_loss(column, release))


def _piece_loss(piece: Piece, n: int, release: Release | None) -> np.ndarray:
    """Half of a mismatch's weight is what each of the two codes adds to a squared distance; nothing, where
    the distance of a column finds all values alike."""
    lost = np.zeros(n)
    for column in piece.numbers:
        lost += _number_loss(column, release)
    for codes, weight in zip(piece.codes, piece.weights, strict=True):
        lost += weight / 2 * _category_loss(codes.astype(np.int32, copy=False), release)
    return lost


def _by_column(table: Table, shares: dict[str, float]) -> dict[str, float]:
    """The shares of the attributes; those of a place, which is one, for both of its columns."""
    places = (names_of(source) for source in sources(table.quasi))
    return shares | {name: shares[names[0]] for names in places for name in names[1:]}


def _number_loss(column: np.ndarray, release: Release | None) -> np.ndarray:
    if release is None:
        return np.asarray((column - column.mean()) ** 2)
    cover = release.cover
    means = np.append(_sums(column, cover) / cover.sizes, column.mean())
    lost = column - means[release.set_of]
    return np.asarray(np.square(lost, out=lost))


def _sums(values: np.ndarray, cover: Cover) -> np.ndarray:
    """float64 (m): the sum over the records of each set, in their order."""
    if cover.overlap:
        return np.bincount(cover.sets, values[cover.order], len(cover.sizes))
    return np.bincount(cover.set_of + 1, values, len(cover.sizes) + 1)[1:]


def _category_loss(codes: np.ndarray, release: Release | None) -> np.ndarray:
    """Per record 1 − 2 f(c) + Σ f², f the shares within its set (of the whole table when suppressed)."""
    if release is None or not len(release.cover.sizes):
        return _spread(codes)
    cover, set_of = release.cover, release.set_of
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


def _item_spread(column: Items) -> np.ndarray:
    """Per record Σ (x − f)² over all items, x = 1 if it has the item, f the share of the table that does: |t|
    − 2 Σ_{t} f + Σ f². Cost O(items)."""
    n = len(column.sizes)
    whole = np.bincount(column.items, minlength=len(column.labels)) / n
    shares = np.bincount(np.repeat(np.arange(n), column.sizes), whole[column.items], n)
    return np.asarray(np.maximum(column.sizes - 2 * shares + (whole**2).sum(), 0.0))


def _item_loss(column: Items, release: Release) -> np.ndarray:
    """The same, f the share of its set (of the whole table when suppressed).

    Where n_v of a set's n records have item v, Σ_{t} f = among / n with among = Σ_{t} n_v, and Σ f² = Σ n_v²
    / n² = Σ of among over its records / n². Cost O(items).
    """
    if release[column.attribute.name].cell is not release.set_of:
        return _unshown_losses(column, release)
    cover, part = release.cover, _item_spread(column)
    sizes, sets, among = cover.sizes, cover.sets, _among(column, cover)
    squares = np.bincount(sets, among, len(sizes)) / sizes**2.0
    own = release.set_of[cover.order] == sets
    records, groups = cover.order[own], sets[own]
    part[records] = column.sizes[records] - 2 * among[own] / sizes[groups] + squares[groups]
    return np.asarray(np.maximum(part, 0.0))


def _unshown_losses(column: Items, release: Release) -> np.ndarray:
    """Per record Σ (x − f)² over the items that it does not show, f the share that have the item of the
    records of its group that do not show it. Cost O(items)."""
    published, set_of, sizes = release[column.attribute.name], release.set_of, release.cover.sizes
    n, width = len(set_of), max(len(column.labels), 1)
    told = published.cells.as_items().taken(published.cell)
    item = np.full(len(column.closure.parent), -1)  # groups of a hierarchy show no item
    item[column.closure.own] = np.arange(len(column.labels))
    shown = (np.repeat(np.arange(n), told.sizes) * width + item[told.items])[item[told.items] >= 0]
    own = np.repeat(np.arange(n), column.sizes) * width + column.items
    hidden = own[~np.isin(own, shown)]
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
    """For each entry of the cover's order: how many records of its set have each item of its record, summed
    over the items."""
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

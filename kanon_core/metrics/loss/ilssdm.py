"""Information loss by the sum of squared differences from the mean: SSE / SST."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.distances.mixed import points_of
from kanon_core.metrics.base import Measured, Metric
from kanon_core.release.cover import Cover
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.sets import incidence
from kanon_core.table.table import Table

_COUNTS_PER_RECORD = 10  # in a table of all values by all sets; of more, those that occur are sorted


@dataclass(frozen=True)
class ILSSDM(Metric):
    """ILSSDM = SSE / SST, in 0..1 (ILD paper, §2.4.2; MIL paper, §2).

    SSE = Σ over records of d²(record, centroid of the set it is published with: its group), SST the same with
    one group of all records. d is the mixed distance (`kanon_core.distances.mixed`); a category's centroid is
    its shares, so it adds w/2 · (n_g − Σ_v n_gv² / n_g) per attribute and group. Of item sets (ours) each
    item is a coordinate that is 1 where the record has it, all of a column scaled together so that it varies
    as much as a number does. For z-scored numbers this is the paper's definition. The measure judges the
    grouping: it is the same whether a group publishes means or intervals. A suppressed record counts with its
    distance to the overall centroid. Where records of a group show items of their own, each item has two
    sets: the records of the group that show it, which lose nothing of it, and the others. SST = 0 (nothing
    varies) gives 0. Cost O(n · attributes).
    """

    title: ClassVar[str] = "Information loss"
    short: ClassVar[str] = "Loss"
    symbol: ClassVar[str] = "SSE/SST"
    sentence: ClassVar[str] = (
        "Share of the variation between records that disappears inside the groups; 0 keeps all, 1 keeps none."
    )
    formula: ClassVar[str] = r"\mathrm{SSE}/\mathrm{SST},\ \mathrm{SSE}=\sum_g\sum_{i\in g}d^2(x_i,\bar x_g)"
    example: ClassVar[str] = "Values 1, 3 | 5, 7: SSE = 2 + 2 = 4, SST = 20, loss = 0.2."
    percent: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    def measure(self, table: Table, release: Release) -> Measured:
        """Total, per attribute (its own SSE / SST), and per record (its share of SST; the shares add up to
        the total)."""
        points = points_of(table)
        lost: dict[str, np.ndarray] = {}
        total: dict[str, np.ndarray] = {}
        for column, name in zip(points.numeric.T, points.numeric_of, strict=True):
            _add(lost, name, _number_loss(column, release))
            _add(total, name, (column - column.mean()) ** 2)
        for codes, name, weight in zip(points.codes.T, points.codes_of, points.weights, strict=True):
            _add(lost, name, weight / 2 * _category_loss(codes, release))
            _add(total, name, weight / 2 * _spread(codes))
        for sets in (column for column in table.quasi if isinstance(column, Items)):
            name, (part, spread) = sets.attribute.name, _item_losses(sets, release)
            if release[name].cell is not release.set_of:
                part = _unshown_losses(sets, release)
            scale = sets.attribute.weight * (len(table) - 1) / (spread.sum() or 1.0)
            _add(lost, name, scale * part)
            _add(total, name, scale * spread)
        sst = sum(float(part.sum()) for part in total.values())
        if sst <= 0:
            return Measured(0.0, dict.fromkeys(lost, 0.0), np.zeros(len(table)))
        records = sum(lost.values(), np.zeros(len(table))) / sst
        shares = {name: float(lost[name].sum() / t) if (t := total[name].sum()) > 0 else 0.0 for name in lost}
        return Measured(sum(float(part.sum()) for part in lost.values()) / sst, shares, records)


def _add(parts: dict[str, np.ndarray], name: str, more: np.ndarray) -> None:
    parts[name] = parts[name] + more if name in parts else more


def _number_loss(column: np.ndarray, release: Release) -> np.ndarray:
    cover = release.cover
    means = np.bincount(cover.sets, column[cover.order], len(cover.sizes)) / cover.sizes
    return np.asarray((column - np.append(means, column.mean())[release.set_of]) ** 2)


def _category_loss(codes: np.ndarray, release: Release) -> np.ndarray:
    """Per record 1 − 2 f(c) + Σ f², f the shares within its set (of the whole table when suppressed)."""
    cover, set_of = release.cover, release.set_of
    if not len(cover.sizes):
        return _spread(codes)
    width, count = int(codes.max(initial=0)) + 1, len(cover.sizes)
    keys, own = cover.sets * width + codes[cover.order], set_of * width + codes
    if count * width <= _COUNTS_PER_RECORD * len(codes):
        counts = np.bincount(keys, minlength=count * width)
        sets, mine = np.repeat(np.arange(count), width), counts[own]
    else:
        present, counts = np.unique(keys, return_counts=True)
        sets = present // width
        mine = counts[np.minimum(np.searchsorted(present, own), len(present) - 1)]
    squares = np.bincount(sets, counts.astype(np.float64) ** 2, count) / cover.sizes**2.0
    loss = 1 - 2 * mine / cover.sizes[set_of] + squares[set_of]
    return np.where(cover.suppressed, _spread(codes), loss)


def _item_losses(column: Items, release: Release) -> tuple[np.ndarray, np.ndarray]:
    """Per record Σ (x − f)² over all items, x = 1 if it has the item, f the share that do: |t| − 2 Σ_{t} f +
    Σ f².

    f in its set (of the whole table when suppressed), and in the whole table. Where n_v of a set's n records
    have item v, Σ_{t} f = among / n with among = Σ_{t} n_v, and Σ f² = Σ n_v² / n² = Σ of among over its
    records / n². Cost O(items).
    """
    cover = release.cover
    n, sizes, sets = len(cover), cover.sizes, cover.sets
    whole = np.bincount(column.items, minlength=len(column.labels)) / n
    shares = np.bincount(np.repeat(np.arange(n), column.sizes), whole[column.items], n)
    spread = np.maximum(column.sizes - 2 * shares + (whole**2).sum(), 0.0)
    among = _among(column, cover)
    squares = np.bincount(sets, among, len(sizes)) / sizes**2.0
    own = release.set_of[cover.order] == sets
    records, groups, part = cover.order[own], sets[own], spread.copy()
    part[records] = column.sizes[records] - 2 * among[own] / sizes[groups] + squares[groups]
    return np.maximum(part, 0.0), spread


def _unshown_losses(column: Items, release: Release) -> np.ndarray:
    """Per record Σ (x − f)² over the items that it does not show, f the share that have the item of the
    records of its group that do not show it. Cost O(items)."""
    published, set_of, sizes = release[column.attribute.name], release.set_of, release.cover.sizes
    n, width = len(set_of), max(len(column.labels), 1)
    told = published.cells.as_items().taken(published.cell)
    shown = np.repeat(np.arange(n), told.sizes) * width + told.items
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

"""Representatives: the one value that stands for a published cell, so that a release can be measured like a
table.

| cell | "cell" | "group" |
|---|---|---|
| aggregated | the published mean, median or mode | the same |
| item set | the published items, the lowest groups as items of their own | the same |
| interval | its middle | mean of its records |
| value set | its medoid; in a tree, the lowest node above it | most frequent value of its records |
| suppressed | mean or mode of the column; in a tree, the lowest node above all | mean or mode |

The medoid is the value of the set with the least sum of d^p to the others. Ties go to the first label; under
the discrete distance, where all values tie, that is the set's first. Missing values beside present ones are
passed over. A suppressed item set is empty.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from kanon_core.base.words import later
from kanon_core.covers.cells import Cells, ValueSets
from kanon_core.covers.cover import Cover, Partition
from kanon_core.covers.recoding import along, modes, on_the_line, recode
from kanon_core.distances import Computed, Encoding, Jaccard, Matrix, Part, Tree
from kanon_core.distances.base import ValueDistance
from kanon_core.distances.values.geo import Place
from kanon_core.metrics.loss.amounts import ItemSets
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import MISSING, Categories, Column, Items, Numbers

REPRESENTATIVES = {
    "cell": later("the published value: a node, the middle of an interval, the medoid of a set"),
    "group": later("the mean or most frequent value of the records of the cell"),
}
MEDOID_AT_MOST = 1_000
"""In a set with more values than this, the medoid is looked for among so many of them, evenly spaced in text
order."""

_CELLS = 4_000_000


def original(part: Part) -> Encoding | ItemSets:
    """Return the column itself, in the form in which it is best measured."""
    long = isinstance(part.encoding, Computed) and isinstance(part.distance, Jaccard)
    return ItemSets(part.source) if long and isinstance(part.source, Items) else part.encoding


def represented(part: Part, release: Release, representative: str, power: int = 2) -> Encoding | ItemSets:
    """The representatives of all cells as the column's distance sees them: m rows, and a last one for
    suppressed records."""
    source = part.source
    if isinstance(source, Place):
        latitude, longitude = (
            _numbers(c, release, representative) for c in (source.latitude, source.longitude)
        )
        return part.distance.encoded(Place(latitude, longitude), part.scale)
    if isinstance(source, Numbers):
        return part.distance.encoded(_numbers(source, release, representative), part.scale)
    if isinstance(source, Items):
        shown = _items(source, release)
        long = isinstance(original(part), ItemSets)
        return ItemSets(shown) if long else part.distance.encoded(shown, part.scale)
    return _categories(part, source, release, representative, power)


def _cells(column: Column, release: Release) -> Cells:
    """The published cells of the rows."""
    return next(p.cells for p in release.by_row if p.attribute.name == column.attribute.name)


def numbers_of(column: Numbers, release: Release, representative: str) -> np.ndarray:
    """float64 (m + 1): the representative of each cell, NaN = missing; the last is that of suppressed
    records."""
    return _numbers(column, release, representative).values


def _numbers(column: Numbers, release: Release, representative: str) -> Numbers:
    cells, cover = _cells(column, release).as_intervals(), release.cover
    if cells.aggregated:
        values, whole = cells.low, np.zeros(1)  # only suppressed records read this cell
        if cover.suppressed.any():
            whole = recode(column, _all_in_one(cover)).cells.as_intervals().low
    else:
        whole = _means(column, _all_in_one(cover))
        if representative == "group":
            values = _means(column, cover)[release.set_of[release.first]]
        else:
            values = on_the_line(column, cells.low + (cells.high - cells.low) / 2)
    return replace(column, values=np.append(values, whole))


def _all_in_one(cover: Cover) -> Partition:
    return Partition(np.zeros(len(cover), np.int64))


def _items(column: Items, release: Release) -> Items:
    shown, sets = _cells(column, release).as_items().lowest(column), column.closure.sets
    return replace(sets, starts=np.append(shown.starts, shown.starts[-1]), items=shown.items)


def _categories(
    part: Part, column: Categories, release: Release, representative: str, power: int
) -> Encoding:
    cells, cover = _cells(column, release), release.cover
    if cells.aggregated:
        codes = cells.as_sets().codes
    elif representative == "group":
        codes = modes(column, cover)[release.set_of[release.first]]
    elif isinstance(part.distance, Tree):
        return _nodes(part, part.distance, column, *cells.choices())
    else:
        sets, which = cells.choices()
        codes = _medoids(part, column, sets, power)[which]
    whole = modes(column, _all_in_one(cover)) if cover.suppressed.any() else 0
    codes = np.append(codes, whole).astype(np.int32)
    return replace(cast(Matrix, part.encoding), codes=codes)


def _means(column: Numbers, cover: Cover) -> np.ndarray:
    """Return the mean of the present values of each set; NaN where there is none."""
    values, sets, count = along(column, cover), cover.sets, len(cover.sizes)
    missing = np.isnan(values)
    if missing.any():
        sets, values = sets[~missing], values[~missing]
    shift = values[0] if len(values) else 0.0
    counts = np.bincount(sets, minlength=count)
    means = shift + np.divide(
        np.bincount(sets, values - shift, count), counts, out=np.full(count, np.nan), where=counts > 0
    )
    return on_the_line(column, means)


def _medoids(part: Part, column: Categories, sets: ValueSets, power: int) -> np.ndarray:
    """The code of each set's medoid; sets of one size are looked at together."""
    found, sizes = sets.codes[sets.starts[:-1]], np.diff(sets.starts)
    if not isinstance(part.encoding, Matrix | Computed):
        return np.asarray(found)
    if column.has_missing:
        sizes = sizes - ((sizes > 1) & (sets.codes[sets.starts[1:] - 1] == len(column.labels) - 1))
    for size in np.unique(sizes[sizes > 2]).tolist():
        places = np.arange(size)
        if size > MEDOID_AT_MOST:
            places = np.linspace(0, size - 1, MEDOID_AT_MOST).astype(np.int64)
        here, step = np.flatnonzero(sizes == size), max(1, _CELLS // len(places) ** 2)
        for start in range(0, len(here), step):
            cells = here[start : start + step]
            codes = sets.codes[sets.starts[cells][:, None] + places]
            apart = _among(part, column, codes) ** power
            found[cells] = codes[np.arange(len(cells)), apart.sum(axis=1).argmin(axis=1)]
    return np.asarray(found)


def _among(part: Part, column: Categories, codes: np.ndarray) -> np.ndarray:
    """float64 (c, s, s): the distances among the present values of each of c sets."""
    if isinstance(part.encoding, Matrix):
        return np.asarray(part.encoding.cells[codes[:, :, None], codes[:, None, :]])
    distance, labels = cast(ValueDistance, part.distance), column.labels
    words = [[labels[code] for code in row] for row in codes.tolist()]
    return np.stack([distance.between(row, row) for row in words])


def _nodes(part: Part, tree: Tree, column: Categories, sets: ValueSets, which: np.ndarray) -> Encoding:
    """The lowest node above all values of each set, and above all of the column; missing values do not
    count."""
    whole = tree.of(column)
    own = [whole.ways[label] for label in column.labels[: column.distinct]]
    # The nodes that the first and the last way in order share are shared by all ways between them.
    order = sorted(range(len(own)), key=own.__getitem__)
    rank = np.argsort(np.array(order, np.int64))
    low, high = np.append(rank, len(rank)), np.append(rank, -1)
    first = np.minimum.reduceat(low[sets.codes], sets.starts[:-1])[which]
    last = np.maximum.reduceat(high[sets.codes], sets.starts[:-1])[which]
    ends = np.array([np.append(first, 0), np.append(last, len(rank) - 1)])
    pairs, back = np.unique(ends, axis=1, return_inverse=True)
    nodes = [None if b < 0 else whole.lowest(own[order[a]], own[order[b]]) for a, b in pairs.T]
    labels = sorted({node for node in nodes if node is not None})
    number: dict[str | None, int] = {node: code for code, node in enumerate(labels)} | {None: len(labels)}
    coded, missing = np.array([number[node] for node in nodes], np.int32)[back.reshape(-1)], None in nodes
    shown = replace(
        column, codes=coded, labels=(*labels, *((MISSING,) if missing else ())), has_missing=missing
    )
    return tree.encoded(shown, part.scale)

"""Pairs of items that occur together, in the records and in their published sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, heat, ticks
from kanon_core.charts.sets.itemsets import ItemView
from kanon_core.table.columns.set_arrays import incidence

ITEMS_AT_MOST = 40


@dataclass(frozen=True, eq=False)
class Pairs:
    """``items`` (m) codes, most frequent first; int64 (m, m): records that have, and publish, both."""

    items: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @property
    def largest(self) -> int:
        """The largest count of a pair: the end of the common color scale."""
        return int((self.before - np.diag(np.diag(self.before))).max(initial=0))


def pairs_of(view: ItemView, most: int = 15) -> Pairs:
    """The pairs of the most frequent items, at most ``most`` and at most 40. Cost O(items + m² · sets)."""
    own, _ = view.counts
    items = np.lexsort((np.arange(len(own)), -own))[: min(most, ITEMS_AT_MOST)]
    items = items[own[items] > 0]
    column, cells, width = view.column, view.cells, len(view.column.labels)
    had = incidence(column.starts, column.items, width)[:, items]
    closure = column.closure
    shown = incidence(cells.starts, cells.items, len(closure.parent))[:, closure.own[items]]
    records = np.bincount(view.cell[view.cell >= 0], minlength=len(cells))
    before, after = (had.T @ had).toarray(), (shown.T @ shown.multiply(records[:, None]).tocsr()).toarray()
    return Pairs(items, np.asarray(before, np.int64), np.asarray(after, np.int64))


def pair_figure(view: ItemView, pairs: Pairs, after: bool, theme: str = "light") -> look.Figure:
    """One of the two heat maps, on the color scale that both share; the diagonal, an item with itself, is
    left empty.

    Colors follow the square root of the counts, so that rarer pairs can be told apart.
    """
    m = len(pairs.items)
    labels = [look.plain(view.column.labels[code], 20) for code in pairs.items.tolist()]
    numbers = [str(place + 1) for place in range(m)]
    named = [f"{label}  {number}" for label, number in zip(labels, numbers, strict=True)]
    quiet = {"showgrid": False, "showline": False, "ticks": "", "constrain": "domain"}
    square = {"scaleanchor": "x", "constraintoward": "top"}
    ends = [-0.5, max(m, 1) - 0.5]
    return look.figure(
        [_heat(pairs, labels, after, theme)],
        theme,
        pairs_sentence(view, pairs),
        height=420,
        xaxis=ticks(np.arange(m), numbers, tickangle=0, range=ends, **quiet),
        yaxis=ticks(np.arange(m), named, range=ends[::-1], **quiet, **square),
        uirevision=f"pairs {m}",
    )


def _heat(pairs: Pairs, labels: list[str], after: bool, theme: str) -> Settings:
    """The counts before or after, by color and under the pointer."""
    counts, places = pairs.after if after else pairs.before, np.arange(len(labels))
    shades = np.sqrt(counts.astype(np.float64))
    np.fill_diagonal(shades, np.nan)
    both = tr("Records that publish both: {count:,}") if after else tr("Records that have both: {count:,}")
    told = [
        [f"{a}<br>{b}<br>{both.format(count=count)}" for a, count in zip(labels, row, strict=True)]
        for b, row in zip(labels, counts.tolist(), strict=True)
    ]
    scale = {"zmax": max(pairs.largest, 1) ** 0.5, "colorbar": _scale(pairs.largest, theme)}
    return heat(shades, places, places, "%{text}", theme, text=told, xgap=1, ygap=1, **scale)


def _scale(most: int, theme: str) -> Settings:
    """The color bar: counts where their roots are, near thirds of the scale, and its end."""
    marks = sorted({0, *(int(float(f"{most * share**2:.2g}")) for share in (1 / 3, 2 / 3)), most})
    font = {"color": look.theme_of(theme).muted, "size": 12}
    title = {"text": tr("records with both items"), "side": "top", "font": {"size": 12}}
    place = {"orientation": "h", "x": 1, "y": 1.01, "xanchor": "right", "yanchor": "bottom"}
    size = {"len": 0.6, "thickness": 8, "outlinewidth": 0}
    named = ticks([mark**0.5 for mark in marks], [f"{mark:,}" for mark in marks], tickfont=font)
    return {"title": title, **place, **size, **named}


def pairs_sentence(view: ItemView, pairs: Pairs) -> str:
    """Return a sentence on the share of the pairs that is published, and the pair that loses most."""
    upper = np.triu_indices(len(pairs.items), 1)
    before, after = pairs.before[upper], pairs.after[upper]
    total = int(before.sum())
    if not total:
        return (
            tr("No record has two of these items.")
            if len(pairs.items) > 1
            else tr("There are fewer than two items to compare.")
        )
    worst = int(np.argmax(before - after))
    a, b = (view.column.labels[pairs.items[place[worst]]] for place in upper)
    text = tr(
        "Pairs of these {items} occur {total:,} times in the records; {published:,} of these occurrences"
        " ({percent} %) are published"
    ).format(
        items=counted(len(pairs.items), "item"),
        total=total,
        published=int(after.sum()),
        percent=look.percent_text(after.sum() / total),
    )
    if before[worst] == after[worst]:
        return f"{text}."
    change = {"before": int(before[worst]), "after": counted(int(after[worst]), "record")}
    return f"{text}. " + tr("“{a}” with “{b}” loses most: {before:,} → {after}.").format(a=a, b=b, **change)

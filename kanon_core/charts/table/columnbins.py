"""Histograms of a column before and after anonymization: the same bars for every release of a table.

Published cells are counted as a reader takes them (`kanon_core.metrics.utility.base`): an interval counts as
its middle, each value of a set counts alike. Missing numbers and what is suppressed do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, margin, note, rows, ticks
from kanon_core.metrics.utility.base import item_shares, read_counts, read_numbers
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.texts import label_texts, number_texts

NUMBER_BARS, LABEL_BARS = 20, 10
"""The most bars of a column of numbers, and the most labels with a bar of their own; others share one."""
_NAME = 12


@dataclass(frozen=True, eq=False)
class ColumnBins:
    """The bars of a column: their ``labels`` and the original counts ``before``, float64 (bars).

    ``bar`` int64: the bar of each label or item; ``cuts`` float64 (bars − 1): where one bar of numbers ends
    and the next begins. Of item sets, each bar counts the records with that item.
    """

    column: Column
    labels: tuple[str, ...]
    before: np.ndarray
    bar: np.ndarray
    cuts: np.ndarray

    @classmethod
    def of(cls, column: Column) -> ColumnBins:
        """Return the bars of a column. Cost O(n log n)."""
        if isinstance(column, Numbers):
            return _number_bins(column)
        if isinstance(column, Items):
            counts, texts = np.bincount(column.items, minlength=len(column.labels)), list(column.labels)
        else:
            assert isinstance(column, Categories)
            counts, texts = np.bincount(column.codes, minlength=len(column.labels)), label_texts(column)
        often = np.argsort(-counts, kind="stable")
        often = often[counts[often] > 0]
        few = len(often) <= LABEL_BARS
        named = often if few else often[: LABEL_BARS - 1]
        bar = np.full(len(texts), min(len(named), LABEL_BARS - 1), np.int64)
        bar[named] = np.arange(len(named))
        labels = [texts[code] for code in named.tolist()]
        labels += [] if few else [tr("{count:,} others").format(count=len(often) - len(named))]
        before = np.bincount(bar, counts, max(len(labels), 1))
        return cls(column, tuple(labels), before, bar, np.zeros(0))

    @property
    def name(self) -> str:
        """Return the name of the column."""
        return self.column.attribute.name

    def after(self, release: Release) -> np.ndarray:
        """Return float64 (bars): how many published records a reader counts in each bar. Cost O(n)."""
        column, count = self.column, len(self.before)
        if isinstance(column, Numbers):
            shown = read_numbers(column, release)
            return _counted(shown[~np.isnan(shown)], self.cuts).astype(np.float64)
        published = release[column.attribute.name]
        cell = published.cell[published.cell >= 0]
        held = np.bincount(cell, minlength=len(published.cells)).astype(np.float64)
        if isinstance(column, Items):
            found = item_shares(column, published.cells).T @ held
        else:
            assert isinstance(column, Categories)
            found = read_counts(column, published.cells, held)
        return np.bincount(self.bar[: len(found)], found, count)

    def moved(self, after: np.ndarray) -> float:
        """Return the share of the published counts that would have to change bars to have the original
        shares (total variation), in 0..1; 1 where nothing is published."""
        whole, shown = float(self.before.sum()), float(after.sum())
        if not whole or not shown:
            return float(bool(whole))
        return float(np.abs(after / shown - self.before / whole).sum()) / 2


def _number_bins(column: Numbers) -> ColumnBins:
    """Return a bar for each of a few values, else bars of equal width."""
    values = column.values[~np.isnan(column.values)]
    different = np.unique(values)
    if len(different) <= NUMBER_BARS:
        cuts = (different[1:] + different[:-1]) / 2
        labels = number_texts(different, column) or [tr("no value")]
    else:
        edges = np.linspace(different[0], different[-1], NUMBER_BARS + 1)
        cuts, texts = edges[1:-1], number_texts(_rounded(edges), column)
        labels = [look.range_text(low, high) for low, high in pairwise(texts)]
    before = _counted(values, cuts).astype(np.float64)
    return ColumnBins(column, tuple(labels), before, np.zeros(0, np.int64), cuts)


def _counted(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    return np.bincount(np.searchsorted(cuts, values, "right"), minlength=len(cuts) + 1)


def _rounded(edges: np.ndarray) -> np.ndarray:
    """Return edges with as many digits as tell them apart."""
    step = float(edges[1] - edges[0])
    return np.round(edges, int(np.clip(1 - np.floor(np.log10(step)), 0, 12)))


def bins_figure(
    bins: ColumnBins, after: np.ndarray | None, most: float, color: str, theme: str = "light"
) -> look.Figure:
    """Return the original counts as wide gray bars and the published ones as narrow bars in ``color``; both
    on a scale from 0 to ``most``, which several releases share."""
    lying, places = not isinstance(bins.column, Numbers), np.arange(len(bins.before))
    gray, way = look.faded(look.theme_of(theme).muted, 0.35), {"orientation": "h"} if lying else {}
    drawn = [bars(*_along(bins.before, places, lying), None, gray, width=0.92, **way)]
    if after is not None:
        drawn.append(bars(*_along(after, places, lying), None, color, width=0.46, **way))
    length = look.counts(int(most), theme, "") | {"range": [0, 1.04 * (most or 1)], "nticks": 3}
    return look.figure(
        drawn,
        theme,
        _alt(bins, after),
        height=18 * len(places) + 30 if lying else 110,
        barmode="overlay",
        margin=margin(4, 8, 4, 4 if lying else 20),
        xaxis=length if lying else _below(bins, theme),
        annotations=[] if lying else _ends(bins, theme),
        yaxis=rows([look.plain(label, _NAME) for label in bins.labels], theme) if lying else length,
    )


def _along(counts: np.ndarray, places: np.ndarray, lying: bool) -> tuple[np.ndarray, np.ndarray]:
    return (counts, places) if lying else (places, counts)


def _below(bins: ColumnBins, theme: str) -> Settings:
    """Return the axis of bars of numbers, without labels."""
    return look.axis(theme, "", range=[-1.0, float(len(bins.labels))], showgrid=False, **ticks([], []))


def _ends(bins: ColumnBins, theme: str) -> list[Settings]:
    """Return the labels of the first and the last bar, below the ends of the axis."""
    color, found = look.theme_of(theme).muted, list[Settings]()
    for label, at, side in zip(
        bins.labels[:1] + bins.labels[1:][-1:], (0, 1), ("left", "right"), strict=False
    ):
        text = look.plain(label, 22)
        found.append(note(text, at, 0, color, 12, paper="xy", anchor=f"{side} top", yshift=-4))
    return found


def _alt(bins: ColumnBins, after: np.ndarray | None) -> str:
    """Return the counts of each bar, for screen readers."""
    if after is None:
        told = [f"{label} {before:,.0f}" for label, before in zip(bins.labels, bins.before, strict=True)]
        return tr("{name}, original: {counts}.").format(name=bins.name, counts=", ".join(told))
    both: Sequence[tuple[str, float, float]] = list(
        zip(bins.labels, bins.before.tolist(), after.tolist(), strict=True)
    )
    told = [f"{label} {before:,.0f} → {shown:,.0f}" for label, before, shown in both]
    return tr("{name}, original → published: {counts}.").format(name=bins.name, counts=", ".join(told))

"""Distribution of the loss, or of the risk, over single records, and the records with the worst values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.base.words import counted, number_text, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, bars, ticks
from kanon_core.charts.drawing.axes import multiples, nice
from kanon_core.metrics import Measured, Metric

_BARS = 30
_VALUES = 12
_LABELS = 6


@dataclass(frozen=True, eq=False)
class RecordBins:
    """``values`` float64 (n): the numbers of the records, from `record_values`; ``bar`` int64 (n): the bar of
    each record, −1 for one without a number; ``counts`` int64 (bars).

    ``edges`` float64: the value of each bar where there are few different ones (``few``), else the bars'
    ends, one more than bars; the last bar may be wider than the others.
    """

    metric: Metric
    values: np.ndarray
    bar: np.ndarray
    counts: np.ndarray
    edges: np.ndarray
    few: bool

    @classmethod
    def of(cls, metric: Metric, values: np.ndarray) -> RecordBins:
        """At most 12 different values have a bar each; else 30 of equal width, and one for a long tail, which
        begins where values exceed twice the 98th percentile. Cost O(n log n)."""
        known = ~np.isnan(values)
        different, which = np.unique(values[known], return_inverse=True)
        bar = np.full(len(values), -1, np.int64)
        few = len(different) <= _VALUES
        if few:
            edges = different
            bar[known] = which
        else:
            edges = _edges(values[known])
            bar[known] = np.clip(np.searchsorted(edges, values[known], "right") - 1, 0, len(edges) - 2)
        bars = len(edges) if few else len(edges) - 1
        return cls(metric, values, bar, np.bincount(bar[known], minlength=bars), edges, few)

    def worst(self, bar: int | None = None) -> np.ndarray:
        """Record numbers of a bar, or of all that have a value: the worst first, ties by number."""
        rows = np.flatnonzero(self.bar == bar if bar is not None else self.bar >= 0)
        sign = -1.0 if self.metric.direction == "lower" else 1.0
        return rows[np.argsort(sign * self.values[rows], kind="stable")]

    def label(self, bar: int) -> str:
        """Return the value or the range of a bar: ``3 pairs``, ``1.2 % to 1.4 %``."""
        if self.few:
            return value_text(self.metric, float(self.edges[bar]))
        return look.range_text(*(value_text(self.metric, float(edge)) for edge in self.edges[bar : bar + 2]))


def record_values(metric: Metric, measured: Measured) -> np.ndarray | None:
    """float64 (n): the numbers of single records, None where there are none; shares that add up to the total
    are multiplied by n, so that their mean is the total.

    A record's share of everything is too small a number to read.
    """
    records = measured.records
    if records is None or not metric.percent or not len(records):
        return records
    total = float(records.sum())
    adds_up = total > 0 and abs(total - measured.total) <= 1e-9 * total
    return records * len(records) if adds_up else records


def _edges(values: np.ndarray) -> np.ndarray:
    """Return the edges of bars of equal width, from 0 if the least value is near it, and the edge of the
    tail."""
    low, high = float(values.min()), float(values.max())
    low = 0.0 if 0 < low < (high - low) / _BARS else low
    usual = float(np.percentile(values, 98, method="higher"))
    top = high if high - low <= 2 * (usual - low) or usual <= low else usual
    edges = np.linspace(low, top, _BARS + 1)
    return edges if top == high else np.append(edges, high)


def value_text(metric: Metric, value: float) -> str:
    """The number of one record; a share has three digits, as it may be tiny."""
    return _percent(value) if metric.percent and value == value else metric.text(value)


def _percent(share: float) -> str:
    """Return a share in percent with three digits, or all digits before the point if these are more."""
    percent = 100 * share
    return f"{percent:,.0f} %" if abs(percent) >= 999.5 else f"{percent:.3g} %"


def record_figure(bins: RecordBins, chosen: int | None = None, theme: str = "light") -> look.Figure:
    """Number of records in each bar; ``chosen`` is marked. The whole height above a bar can be clicked, so
    that small bars can too.

    Each bar's ``customdata`` is its number, which `picked_bar` reads.
    """
    count, most = len(bins.counts), int(bins.counts.max(initial=1))
    at, names = _ticks(bins)
    named = ticks(at, names, tickangle=0, showgrid=False, fixedrange=True)
    return look.figure(
        _bars(bins, chosen, most, theme),
        theme,
        record_sentence(bins),
        height=300,
        barmode="overlay",
        bargap=0,
        dragmode=False,
        uirevision=f"records {type(bins.metric).__name__}",
        xaxis=look.axis(
            theme,
            tr("{title} of a record").format(title=bins.metric.title),
            range=[-0.7, count - 0.3],
            **named,
        ),
        yaxis=look.counts(most, theme, tr("Records")) | {"range": [0, 1.02 * most], "fixedrange": True},
    )


def _bars(bins: RecordBins, chosen: int | None, most: int, theme: str) -> list[Settings]:
    """The bars, and behind them paler ones as high as the chart."""
    colors, places = look.theme_of(theme), np.arange(len(bins.counts))
    texts = [look.plain(bins.label(i)) for i in places.tolist()]
    counts = [counted(count, "record") for count in bins.counts.tolist()]
    told = [f"{text}<br>{count}" for text, count in zip(texts, counts, strict=True)]
    facts = {"customdata": places[:, None].astype(np.int32), "hovertext": told}
    parts = (
        (np.full(len(places), most), look.faded(colors.muted, 0.08), look.faded(colors.accent, 0.2)),
        (bins.counts, colors.loss, colors.accent),
    )
    width = 0.88 if bins.few else 0.94
    return [
        bars(
            places, y, "%{hovertext}", [mark if i == chosen else usual for i in places.tolist()], width=width
        )
        | {**facts, **UNDIMMED}
        for y, usual, mark in parts
    ]


def _ticks(bins: RecordBins) -> tuple[list[float], list[str]]:
    """Return the ticks: each value below its bar where there are few, else round values at their places, and
    "more" below the bar of a long tail."""
    edges, last = bins.edges, len(bins.edges) - 2
    if bins.few:
        shown = range(0, len(edges), max(1, -(-len(edges) // _LABELS)))
        return list(shown), [look.plain(_short(bins.metric, float(edges[i]))) for i in shown]
    low, step = float(edges[0]), float(edges[1] - edges[0])
    tail = bool(edges[-1] - edges[-2] > 1.5 * step)
    top = float(edges[last] - 3 * step if tail else edges[-1])
    values = [float(f"{at:.12g}") for at in multiples(low, top, nice(top - low, _LABELS))]
    at = [(value - low) / step - 0.5 for value in values]
    names = [look.plain(_short(bins.metric, value)) for value in values]
    return (at + [last], [*names, tr("more")]) if tail else (at, names)


def _short(metric: Metric, value: float) -> str:
    return _percent(value) if metric.percent else number_text(float(f"{value:.4g}"))


def picked_bar(event: Mapping[str, Any] | None, bins: RecordBins) -> int | None:
    """The bar clicked, from the chart's selection event; None when none, or one without records."""
    numbers = look.picked(event)
    inside = bool(numbers) and 0 <= numbers[0] < len(bins.counts) and bins.counts[numbers[0]] > 0
    return numbers[0] if inside else None


def record_sentence(bins: RecordBins) -> str:
    """Return the median and the worst value of a record, and the share of the worst 10 % in the total."""
    metric, known = bins.metric, bins.values[bins.bar >= 0]
    if not len(known):
        return tr("No record has a value of {title} because nothing is published.").format(title=metric.title)
    low, high = value_text(metric, float(known.min())), value_text(metric, float(known.max()))
    gone, left = len(bins.values) - len(known), ""
    if gone:
        said = tr_n("{records} has no value", "{records} have no value", gone)
        left = "; " + said.format(records=counted(gone, "suppressed record"))
    if known.min() == known.max():
        return tr("{title} is {low} for every record{left}.").format(title=metric.title, low=low, left=left)
    values = {"median": value_text(metric, float(np.percentile(known, 50, method="lower")))}
    values |= {"title": metric.title, "low": low, "high": high}
    if metric.direction == "higher":
        text = tr("{title} of a record: median {median}, worst {low}, best {high}").format(**values)
        return f"{text}{left}."
    if "attribute" not in metric.parts:
        return tr("{title} of a record: median {median}, worst {high}").format(**values) + f"{left}."
    mean = value_text(metric, float(known.mean()))
    text = tr("{title} of a record: mean {mean}, median {median}, worst {high}").format(mean=mean, **values)
    if metric.percent and known.max() > 1 >= metric.high:
        text += " " + tr("(above 100 %: a record loses more than an average record has)")
    if len(known) >= 20 and known.min() >= 0:
        share = float(np.sort(known)[-(len(known) // 10) :].sum() / known.sum())
        text += "; " + tr("the worst 10 % of the records account for {percent} % of the total").format(
            percent=look.percent_text(share)
        )
    return f"{text}{left}."

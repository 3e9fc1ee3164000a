"""Loss by column: one bar for each attribute, and a heat map of attributes by metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import later, number_text, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, end_notes, heat, margin, rows, scatter, ticks
from kanon_core.metrics import Measured, Metric

COLUMNS_AT_MOST = 20
"""The most attributes that are drawn, those with the largest numbers."""
_LARGEST = later("Only the {limit} largest of {all:,} columns are shown.")

Score = tuple[Metric, Measured]


def attribute_figure(
    attributes: Mapping[str, float], metric: Metric, theme: str = "light", height: int = 0
) -> look.Figure:
    """Horizontal bars of a metric per attribute (`Measured.attributes`), the 20 largest, from the top.

    ``height``: pixels, by default as many as the bars need; bars are at most 22 pixels thick.
    """
    colors, ranked = look.theme_of(theme), _ranked(attributes)[:COLUMNS_AT_MOST]
    height = height or 28 * max(len(ranked), 1) + 16
    values = np.array([value for _, value in ranked], np.float64)
    track = metric.high if np.isfinite(metric.high) else float(values.max(initial=0.0)) or 1.0
    places, flat = np.arange(len(ranked)), {"orientation": "h", "width": min(0.62, 22 * len(ranked) / height)}
    whole = bars(np.full(len(ranked), track), places, None, look.faded(colors.muted, 0.14), **flat)
    return look.figure(
        [whole, bars(values, places, None, colors.loss, **flat)],
        theme,
        attribute_sentence(attributes, metric),
        height=height,
        barmode="overlay",
        annotations=end_notes([metric.text(value) for _, value in ranked], theme),
        uirevision="attributes",
        dragmode=False,
        xaxis={"range": [0, track], "visible": False, "fixedrange": True},
        yaxis=rows([look.plain(name, 18) for name, _ in ranked], theme),
        margin=margin(8, 72, 4, 4),
    )


def attribute_sentence(attributes: Mapping[str, float], metric: Metric) -> str:
    """Return the attributes with the largest and the smallest value of the metric."""
    ranked = _ranked(attributes)
    if not ranked:
        return tr("{title} has no values by column for this release.").format(title=metric.title)
    (most, top), (least, bottom) = ranked[0], ranked[-1]
    high, low = metric.text(top), metric.text(bottom)
    text = tr("{title} is largest in “{most}” ({high}) and smallest in “{least}” ({low}).")
    if len(ranked) == 1:
        text = tr("{title}: {high} in “{most}”.")
    elif top == bottom:
        text = tr("{title}: {high} in every column.")
    text = text.format(title=metric.title, most=most, high=high, least=least, low=low)
    return _with_the_rest(text, len(ranked))


def _with_the_rest(text: str, count: int) -> str:
    """Return the text, and a sentence on the columns that are not drawn, if there are any."""
    if count <= COLUMNS_AT_MOST:
        return text
    return f"{text} {tr(_LARGEST).format(limit=COLUMNS_AT_MOST, all=count)}"


def _ranked(attributes: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(attributes.items(), key=lambda item: -item[1])


@dataclass(frozen=True, eq=False)
class ColumnScores:
    """``values`` float64 (attributes, metrics): the parts of each metric, NaN where it has none for the
    attribute.

    ``shares`` the same in 0..1: how near each part is to the worst of its metric. Attributes with the largest
    mean share first.
    """

    names: tuple[str, ...]
    metrics: tuple[Metric, ...]
    values: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, scores: Sequence[Score]) -> ColumnScores:
        """Return the scores of the metrics that have parts by attribute; for all of these metrics, less is
        better."""
        parted = [(metric, measured.attributes) for metric, measured in scores if measured.attributes]
        names = list(dict.fromkeys(name for _, parts in parted for name in parts))
        values = np.array([[parts.get(name, np.nan) for _, parts in parted] for name in names], np.float64)
        values = values.reshape(len(names), len(parted))
        worst = np.fmax.reduce(values, axis=0, initial=0.0)
        shares = np.clip(values, 0.0, None) / np.where(worst > 0, worst, 1.0)
        order = np.argsort(-np.nan_to_num(shares).mean(axis=1), kind="stable") if parted else np.arange(0)
        return cls(
            tuple(names[i] for i in order),
            tuple(metric for metric, _ in parted),
            values[order],
            shares[order],
        )

    def worst(self) -> dict[str, list[Metric]]:
        """Return, by attribute, the metrics by which it alone loses most; the attribute with most of them
        comes first."""
        found: dict[str, list[Metric]] = {}
        for metric, shares in zip(self.metrics, self.shares.T, strict=True):
            at = np.flatnonzero(shares == 1.0)
            if len(at) == 1:
                found.setdefault(self.names[at[0]], []).append(metric)
        return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def column_figure(scores: ColumnScores, theme: str = "light") -> look.Figure:
    """A row for each attribute (at most 20), a column for each metric; shades run from 0 to its worst."""
    names, count = scores.names[:COLUMNS_AT_MOST], len(scores.metrics)
    shown = [metric.short.replace(" ", "<br>") for metric in scores.metrics]
    quiet = {"showgrid": False, "showline": False, "ticks": "", "fixedrange": True}
    quiet |= {"side": "top", "tickangle": 0, "range": [-0.5, count - 0.5]}
    return look.figure(
        _shaded(scores, names, theme),
        theme,
        column_sentence(scores),
        height=64 + 34 * max(len(names), 1),
        xaxis=ticks(np.arange(count), shown, **quiet),
        yaxis=rows([look.plain(name, 16) for name in names], theme),
        margin=margin(8, 8, 8, 4),
        uirevision="columns",
        dragmode=False,
    )


def _shaded(scores: ColumnScores, names: Sequence[str], theme: str) -> list[Settings]:
    """The heat map and the numbers in its cells."""
    texts = [
        [_cell_text(metric, value) for metric, value in zip(scores.metrics, row, strict=True)]
        for row in scores.values[: len(names)].tolist()
    ]
    none = tr("not measured")
    told = [
        [
            f"{look.plain(name)}<br>{metric.title}: {look.plain(text) or none}"
            for metric, text in zip(scores.metrics, row, strict=True)
        ]
        for name, row in zip(names, texts, strict=True)
    ]
    across, down, shares = np.arange(len(scores.metrics)), np.arange(len(names)), scores.shares[: len(names)]
    look_of = {"zmax": 1.0, "showscale": False, "xgap": 2, "ygap": 2, "text": texts, "hovertext": told}
    return [heat(shares, across, down, "%{hovertext}", theme, **look_of), _written(texts, shares, theme)]


def _written(texts: Sequence[Sequence[str]], shares: np.ndarray, theme: str) -> Settings:
    """The numbers in the cells, black or white, whichever stands out more from the shade below."""
    y, x = np.indices(shares.shape)
    at, shades = zip(*look.SHADES[theme], strict=True)
    red, green, blue = (
        np.interp(np.nan_to_num(shares), at, [int(shade[i : i + 2], 16) / 255 for shade in shades]) ** 2.2
        for i in (1, 3, 5)
    )
    bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18
    font = {"size": 12, "color": np.where(bright, "#000000", "#FFFFFF").ravel().tolist()}
    return scatter("text", x.ravel(), y.ravel(), text=[text for row in texts for text in row], textfont=font)


def column_sentence(scores: ColumnScores) -> str:
    """Return the attributes that lose most, and by which measures."""
    if not scores.metrics:
        return tr("No measure of this release has values by column.")
    if not scores.shares.size or not np.nanmax(scores.shares, initial=0.0):
        return tr("No column loses anything by any measure.")
    if len(scores.names) == 1:
        return tr("“{name}” is the only column that is measured.").format(name=scores.names[0])
    worst = [
        tr("“{name}” loses most by {metrics}").format(
            name=name, metrics=look.listed([metric.short for metric in metrics])
        )
        for name, metrics in list(scores.worst().items())[:3]
    ]
    text = "; ".join(worst) or tr("No column alone loses most by any measure")
    return _with_the_rest(f"{text}.", len(scores.names))


def _cell_text(metric: Metric, value: float) -> str:
    """The number with three digits at most, to fit a cell; empty where there is none."""
    if value != value:
        return ""
    if not metric.percent:
        size, unit = (1e6, " M") if abs(value) >= 1e6 else (1e3, " k") if abs(value) >= 1e5 else (1.0, "")
        return number_text(float(f"{value / size:.3g}")) + unit
    return f"{100 * value:.1g} %" if 0 < abs(value) < 0.0005 else f"{100 * value:.1f} %"

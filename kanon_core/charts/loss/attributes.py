"""Where the loss lies: one bar per attribute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import bars, end_notes, margin, rows
from kanon_core.metrics import Metric

if TYPE_CHECKING:
    import plotly.graph_objects as go

BARS_AT_MOST = 20


def attribute_figure(attributes: Mapping[str, float], metric: Metric, theme: str = "light") -> go.Figure:
    """Horizontal bars of a metric per attribute (`Measured.attributes`), the 20 largest, from the top."""
    colors, ranked = look.theme_of(theme), _ranked(attributes)[:BARS_AT_MOST]
    values = np.array([value for _, value in ranked], np.float64)
    track = metric.high if np.isfinite(metric.high) else float(values.max(initial=0.0)) or 1.0
    places, flat = np.arange(len(ranked)), {"orientation": "h", "width": 0.62}
    whole = bars(np.full(len(ranked), track), places, None, look.faded(colors.muted, 0.14), **flat)
    return look.figure(
        [whole, bars(values, places, None, colors.lines[0], **flat)],
        theme,
        attribute_sentence(attributes, metric),
        height=28 * max(len(ranked), 1) + 16,
        barmode="overlay",
        annotations=end_notes([metric.text(value) for _, value in ranked], theme),
        uirevision="attributes",
        dragmode=False,
        xaxis={"range": [0, track], "visible": False, "fixedrange": True},
        yaxis=rows([look.plain(name, 18) for name, _ in ranked], theme),
        margin=margin(8, 72, 4, 4),
    )


def attribute_sentence(attributes: Mapping[str, float], metric: Metric) -> str:
    """Which attribute has the most and which the least of the metric."""
    ranked = _ranked(attributes)
    if not ranked:
        return tr("{title} has no parts here.").format(title=metric.title)
    (most, top), (least, bottom) = ranked[0], ranked[-1]
    high, low = metric.text(top), metric.text(bottom)
    text = tr("{title} is largest in “{most}” ({high}) and smallest in “{least}” ({low})")
    if len(ranked) == 1:
        text = tr("{title}: {high} in “{most}”")
    elif top == bottom:
        text = tr("{title}: {high} in every attribute")
    text = text.format(title=metric.title, most=most, high=high, least=least, low=low)
    if len(ranked) > BARS_AT_MOST:
        return tr("{text}; the {most} largest of {all:,} are shown.").format(
            text=text, most=BARS_AT_MOST, all=len(ranked)
        )
    return f"{text}."


def _ranked(attributes: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(attributes.items(), key=lambda item: -item[1])

"""Where the loss lies: one bar per attribute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.metrics import Metric

if TYPE_CHECKING:
    import plotly.graph_objects as go

BARS_AT_MOST = 20


def attribute_figure(attributes: Mapping[str, float], metric: Metric, theme: str = "light") -> go.Figure:
    """Horizontal bars of a metric per attribute (`Measured.attributes`), the largest on top, at most 20 of
    them."""
    colors = look.theme_of(theme)
    ranked = _ranked(attributes)[:BARS_AT_MOST]
    names = [look.plain(name, 18) for name, _ in ranked]
    values = np.array([value for _, value in ranked], np.float64)
    texts = [metric.text(value) for _, value in ranked]
    places = np.arange(len(ranked))
    track = metric.high if np.isfinite(metric.high) else float(values.max(initial=0.0)) or 1.0
    bar = {"type": "bar", "orientation": "h", "y": places, "hoverinfo": "skip", "width": 0.62}
    traces = [
        {
            **bar,
            "x": np.full(len(ranked), track),
            "marker": {"color": look.faded(colors.muted, 0.14), "line": {"width": 0}},
        },
        {**bar, "x": values, "marker": {"color": colors.lines[0], "line": {"width": 0}}},
    ]
    annotations = [
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "y": i,
            "text": text,
            "showarrow": False,
            "xshift": 6,
            "font": {"size": 12, "color": colors.text},
        }
        for i, text in enumerate(texts)
    ]
    layout = {
        "barmode": "overlay",
        "annotations": annotations,
        "uirevision": "attributes",
        "dragmode": False,
        "xaxis": {"range": [0, track], "visible": False, "fixedrange": True},
        "yaxis": {
            "tickmode": "array",
            "tickvals": places,
            "ticktext": names,
            "range": [len(ranked) - 0.5, -0.5],
            "showgrid": False,
            "showline": False,
            "ticklen": 6,
            "tickcolor": "rgba(0,0,0,0)",
            "fixedrange": True,
            "tickfont": {"color": colors.text, "size": 13},
        },
        "margin": {"l": 8, "r": 72, "t": 4, "b": 4},
    }
    return look.figure(
        traces, layout, theme, attribute_sentence(attributes, metric), height=28 * max(len(ranked), 1) + 16
    )


def attribute_sentence(attributes: Mapping[str, float], metric: Metric) -> str:
    """Which attribute has the most and which the least of the metric."""
    ranked = _ranked(attributes)
    if not ranked:
        return f"{metric.title} has no parts here."
    (most, top), (least, bottom) = ranked[0], ranked[-1]
    if len(ranked) == 1 or top == bottom:
        text = f"{metric.title}: {metric.text(top)}" + (
            " in every attribute" if len(ranked) > 1 else f" in “{most}”"
        )
    else:
        text = (
            f"{metric.title} is largest in “{most}” ({metric.text(top)}) and smallest in “{least}”"
            f" ({metric.text(bottom)})"
        )
    return text + (
        f"; the {BARS_AT_MOST} largest of {len(ranked):,} are shown." if len(ranked) > BARS_AT_MOST else "."
    )


def _ranked(attributes: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(attributes.items(), key=lambda item: -item[1])

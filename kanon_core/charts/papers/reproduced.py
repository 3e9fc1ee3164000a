"""A figure of a paper made again: our values as a line, the paper's printed numbers beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.charts.canvas import theme as look

if TYPE_CHECKING:
    import plotly.graph_objects as go

_FAR = 30.0


def reproduced_figure(
    places: Sequence[int],
    values: Sequence[Sequence[float]],
    printed: Sequence[float | None],
    titles: tuple[str, str],
    theme: str = "light",
) -> go.Figure:
    """The mean over the samples at each place as a line, a band from the least to the most, the paper's
    numbers as diamonds.

    ``titles``: of the two axes, not escaped. Places stand evenly; values that differ more than 30 times have
    a logarithmic axis.
    """
    colors, across = look.theme_of(theme), np.arange(len(places))
    means = np.array([float(np.mean(samples)) for samples in values])
    known = [i for i, number in enumerate(printed) if number is not None]
    papers = [float(number) for number in printed if number is not None]
    every = np.array([*means, *papers])
    far = bool(len(every)) and every.min() > 0 and every.max() > _FAR * every.min()
    ours = {
        "type": "scatter",
        "x": across,
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
        "line": {"width": 0},
    }
    traces: list[dict[str, Any]] = [
        {**ours, "y": [min(samples) for samples in values]},
        {
            **ours,
            "y": [max(samples) for samples in values],
            "fill": "tonexty",
            "fillcolor": look.faded(colors.lines[0], 0.2),
        },
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": across,
            "y": means,
            "name": "here",
            "line": {"color": colors.lines[0], "width": 2},
            "marker": {"color": colors.lines[0], "size": 8},
            "hovertemplate": "%{y:.4g}<extra>here</extra>",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": known,
            "y": papers,
            "name": "printed in the paper",
            "marker": {"color": colors.lines[1], "size": 11, "symbol": "diamond"},
            "hovertemplate": "%{y:,}<extra>paper</extra>",
        },
    ]
    layout = {
        "xaxis": {
            "title": look.titled(look.plain(titles[0], 60), theme),
            "tickmode": "array",
            "tickvals": across,
            "ticktext": [f"{place:,}" for place in places],
            "range": [-0.3, max(len(places), 1) - 0.7],
        },
        "yaxis": {
            "title": look.titled(look.plain(titles[1], 60) + (" (logarithmic)" if far else ""), theme),
            **({"type": "log", "dtick": 1, "tickformat": "~g"} if far else {"rangemode": "tozero"}),
        },
        "showlegend": bool(known),
        "uirevision": "again",
    }
    return look.figure(traces, layout, theme, reproduced_sentence(places, means, titles), height=280)


def reproduced_sentence(places: Sequence[int], means: np.ndarray, titles: tuple[str, str]) -> str:
    """The first and the last value in words."""
    if not len(places):
        return "Nothing is made yet."
    axis, unit = titles[0].split(",")[0], titles[1]
    first, last = (
        f"{f'{look.number_text(float(means[i]))} {unit}'.strip()} at {axis} {places[i]:,}" for i in (0, -1)
    )
    return f"Here from {first} to {last}." if len(places) > 1 else f"Here {first}."

"""A figure of a paper made again: our values as a line, the paper's printed numbers beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, scatter
from kanon_core.charts.curves.evenly import even_axis

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
    means = np.array([float(np.mean(samples)) for samples in values])
    every = np.array([*means, *(number for number in printed if number is not None)])
    far = bool(len(every)) and every.min() > 0 and every.max() > _FAR * every.min()
    scale: Settings = {"type": "log", "dtick": 1, "tickformat": "~g"} if far else {"rangemode": "tozero"}
    across, up = (look.plain(title, 60) for title in titles)
    return look.figure(
        _traces(values, means, printed, theme),
        theme,
        reproduced_sentence(places, means, titles),
        height=280,
        xaxis=even_axis(across, places, theme),
        yaxis=look.axis(theme, up + (" (logarithmic)" if far else ""), **scale),
        showlegend=any(number is not None for number in printed),
        uirevision="again",
    )


def _traces(
    values: Sequence[Sequence[float]], means: np.ndarray, printed: Sequence[float | None], theme: str
) -> list[Settings]:
    """The band, our means, and the paper's numbers where it prints some."""
    (blue, red), across = look.theme_of(theme).lines[:2], np.arange(len(values))
    least, most = ([end(samples) for samples in values] for end in (min, max))
    band: Settings = {"showlegend": False, "line": {"width": 0}}
    filled = {"fill": "tonexty", "fillcolor": look.faded(blue, 0.2)}
    ours = {"line": {"color": blue, "width": 2}, "marker": {"color": blue, "size": 8}}
    known = [(i, float(number)) for i, number in enumerate(printed) if number is not None]
    at, papers = [i for i, _ in known], [number for _, number in known]
    diamond = {"color": red, "size": 11, "symbol": "diamond"}
    name = tr("printed in the paper")
    return [
        scatter("lines", across, least, **band),
        scatter("lines", across, most, **band, **filled),
        scatter("lines+markers", across, means, "%{y:.4g}<extra>here</extra>", name="here", **ours),
        scatter("markers", at, papers, "%{y:,}<extra>paper</extra>", name=name, marker=diamond),
    ]


def reproduced_sentence(places: Sequence[int], means: np.ndarray, titles: tuple[str, str]) -> str:
    """The first and the last value in words."""
    if not len(places):
        return tr("Nothing is made yet.")
    axis, unit = titles[0].split(",")[0], titles[1]
    first, last = (
        tr("{value} at {axis} {place:,}").format(
            value=f"{look.number_text(float(means[i]))} {unit}".strip(), axis=axis, place=places[i]
        )
        for i in (0, -1)
    )
    return (
        tr("Here from {first} to {last}.").format(first=first, last=last)
        if len(places) > 1
        else tr("Here {first}.").format(first=first)
    )

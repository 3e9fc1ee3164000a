"""How many hide among fewer than x, cumulative, in the original and in the release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, legend, margin, note, rule, scatter
from kanon_core.risk.measured import Risks

if TYPE_CHECKING:
    import plotly.graph_objects as go

_WIDEST = 20
"""From a spread as wide as this on, x is on a logarithmic axis."""


def fewer_figure(found: Risks, number: int, theme: str = "light") -> go.Figure:
    """Steps over x: how many records, or people, hide among fewer than x; ``number``, the x that is asked
    for, is marked. Cost O(n log n)."""
    colors = look.theme_of(theme)
    top = max(int(found.steps.max(initial=2)), number) + 1
    wide: Settings = {"type": "log", "range": [0, float(np.log10(top))]}
    said = tr("x = {number:,}").format(number=number)
    return look.figure(
        _lines(found, top, theme),
        theme,
        found.fewer_sentence(number),
        height=300,
        xaxis=look.axis(theme, "x", **(wide if top > _WIDEST else {"range": [1, top], "dtick": 1})),
        yaxis=look.counts(len(found.before), theme, tr("Hide among fewer than x")),
        shapes=[rule("x", number, colors.accent, dash="dash")],
        annotations=[note(said, number, 1, colors.text, paper="y", xanchor="left", yanchor="bottom")],
        margin=margin(8, 24, 28, 8),
        legend=legend(),
        showlegend=True,
        uirevision="fewer",
    )


def _lines(found: Risks, top: int, theme: str) -> list[Settings]:
    """The steps of the original, broken, and of the release."""
    colors, places = look.theme_of(theme), np.unique(np.concatenate([[1], found.steps, [top]]))
    sides = [(tr("original"), found.before, "dash", colors.muted)]
    if found.after is not None:
        sides.append((tr("release"), found.after, "solid", colors.lines[0]))
    return [
        scatter(
            "lines",
            np.repeat(places, 2)[1:],
            np.repeat(np.searchsorted(hides, places), 2)[:-1],
            name=name,
            line={"dash": dash, "color": color, "width": 2.5},
        )
        for name, hides, dash, color in sides
    ]

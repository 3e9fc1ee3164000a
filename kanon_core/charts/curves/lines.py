"""Figures of papers that have several lines over one number: loss before and after, densities, shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, scatter

if TYPE_CHECKING:
    import plotly.graph_objects as go

Line = Mapping[float, float]
"""Values by where they stand."""


def lines_figure(lines: Mapping[str, Line], titles: tuple[str, str], theme: str = "light") -> go.Figure:
    """One line for each name, each with its color, dash and markers, over a number.

    ``titles``: of the two axes, not escaped. Lines of up to 60 points have markers.
    """
    across, up = (look.plain(title, 60) for title in titles)
    return look.figure(
        [_line(place, name, line, theme) for place, (name, line) in enumerate(lines.items())],
        theme,
        lines_sentence(lines, titles),
        height=280,
        xaxis=look.axis(theme, across),
        yaxis=look.axis(theme, up, rangemode="tozero"),
        showlegend=len(lines) > 1,
        uirevision="lines",
    )


def _line(place: int, name: str, line: Line, theme: str) -> Settings:
    palette, called, at = look.theme_of(theme), look.plain(name, 40), sorted(line)
    colors = (*palette.lines[:2], palette.accent, *palette.lines[2:])
    color = colors[place % len(colors)]
    return scatter(
        "lines+markers" if len(line) <= 60 else "lines",
        at,
        [line[x] for x in at],
        f"%{{x:,}}<br>%{{y:.4g}}<extra>{called}</extra>",
        name=called,
        line={"color": color, "width": 2, "dash": look.DASHES[place % len(look.DASHES)]},
        marker={"color": color, "size": 5, "symbol": look.MARKERS[place % len(look.MARKERS)]},
    )


def lines_sentence(lines: Mapping[str, Line], titles: tuple[str, str]) -> str:
    """Each line's greatest value, and where, in words; names are not escaped."""
    there = {name: line for name, line in lines.items() if line}
    if not there:
        return tr("Nothing is made yet.")
    said = []
    for name, line in there.items():
        at = max(sorted(line), key=line.__getitem__)
        says = tr("{name} {value} at {axis} {at}").format(
            name=name, value=look.number_text(line[at]), axis=titles[0], at=look.number_text(at)
        )
        said.append(says.strip())
    return tr("At most: {lines}.").format(lines="; ".join(said))

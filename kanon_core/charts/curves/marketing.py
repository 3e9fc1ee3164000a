"""What marketing keeps of published purchases, beside U, against k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings
from kanon_core.charts.curves.evenly import even_axis, even_line

if TYPE_CHECKING:
    import plotly.graph_objects as go


def marketing_figure(curves: Mapping[str, Mapping[int, float]], theme: str = "light") -> go.Figure:
    """One line for each measure, by its name in the reader's language: its values by k; k stands evenly. The
    first, U, is the bold one."""
    ks = sorted({k for values in curves.values() for k in values})
    return look.figure(
        [_line(each, i, look.plain(name, 40), ks, theme) for i, (name, each) in enumerate(curves.items())],
        theme,
        marketing_sentence(curves),
        height=320,
        xaxis=even_axis(tr("k, in people"), ks, theme),
        yaxis=look.axis(theme, tr("error (0 = exact)"), rangemode="tozero"),
        showlegend=True,
        uirevision="marketing",
    )


def _line(values: Mapping[int, float], place: int, name: str, ks: Sequence[int], theme: str) -> Settings:
    colors = look.theme_of(theme)
    color = colors.lines[(place - 1) % len(colors.lines)] if place else colors.accent
    line = {"color": color, "width": 2 if place else 3.5, "dash": look.DASHES[place % len(look.DASHES)]}
    return even_line(values, ks, name, ".3f", line, look.MARKERS[place % len(look.MARKERS)])


def marketing_sentence(curves: Mapping[str, Mapping[int, float]]) -> str:
    """The values at the least and the largest k, in words; the names are not escaped."""
    there = {name: values for name, values in curves.items() if values}
    if not there:
        return tr("Nothing is made yet.")
    ends = (min(min(v) for v in there.values()), max(max(v) for v in there.values()))
    told = [
        tr("{name} {first} → {last}").format(name=name, first=_said(each, ends[0]), last=_said(each, ends[1]))
        for name, each in there.items()
    ]
    return tr("From k = {first:,} to k = {last:,}: {errors}.").format(
        first=ends[0], last=ends[1], errors=", ".join(told)
    )


def _said(values: Mapping[int, float], k: int) -> str:
    return f"{values[k]:.3f}" if k in values else "?"

"""Figures 4.1 to 4.6 of the ILD paper: ILD of a number, of a category and of both, against k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kanon_core.base.words import later, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings
from kanon_core.charts.curves.evenly import even_axis, even_line

if TYPE_CHECKING:
    import plotly.graph_objects as go

WORDS = {"number": later("number"), "category": later("category"), "both": later("both")}
"""The lines, in this order; `loss_figure` takes other names for the first two."""
_TITLE = later("ILD (0 % = nothing lost)")


def loss_figure(
    curves: Mapping[str, Mapping[int, float]],
    names: Mapping[str, str] | None = None,
    span: tuple[float, float] | None = None,
    theme: str = "light",
) -> go.Figure:
    """One line for each of "number", "category" and "both" that is there: its ILD, a share, by k; "both" is
    the bold one.

    ``names``: what "number" and "category" are called – the columns –, not escaped. ``span``: least and
    greatest value of all figures that are to be compared with this one (`span_of`); its own when left out. k
    stands evenly. Values below 0 are drawn as they are, beside a line at 0.
    """
    called = {**WORDS, **{word: look.plain(text, 40) for word, text in (names or {}).items()}}
    ks = sorted({k for values in curves.values() for k in values})
    low, high = span or span_of([curves])
    room = 0.06 * (high - low)
    zero = {"zeroline": True, "zerolinecolor": look.theme_of(theme).muted, "zerolinewidth": 1}
    return look.figure(
        [_line(curves[word], word, called[word], ks, theme) for word in WORDS if curves.get(word)],
        theme,
        loss_sentence(curves, names),
        height=300,
        xaxis=even_axis("k", ks, theme),
        yaxis=look.axis(theme, tr(_TITLE), tickformat=".0%", range=[low - room, high + room], **zero),
        showlegend=True,
        uirevision="losses",
    )


def _line(values: Mapping[int, float], word: str, called: str, ks: list[int], theme: str) -> Settings:
    colors, place = look.theme_of(theme), list(WORDS).index(word)
    color = (colors.lines[0], colors.lines[1], colors.accent)[place]
    line = {"color": color, "width": 3.5 if word == "both" else 2, "dash": look.DASHES[(place + 1) % 3]}
    return even_line(values, ks, called, ".2%", line, look.MARKERS[place])


def span_of(figures: Sequence[Mapping[str, Mapping[int, float]]]) -> tuple[float, float]:
    """The least and the greatest value of some figures' curves, 0 among them; 0 to 1 when there are none."""
    values = [value for curves in figures for line in curves.values() for value in line.values()]
    low, high = min([0.0, *values]), max([0.0, *values])
    return (low, high) if high > low else (0.0, 1.0)


def loss_sentence(curves: Mapping[str, Mapping[int, float]], names: Mapping[str, str] | None = None) -> str:
    """What is lost at the largest k, in words; the names are not escaped."""
    called = {**WORDS, **(names or {})}
    there = {word: curves[word] for word in WORDS if curves.get(word)}
    if not there:
        return tr("Nothing is made yet.")
    k = max(max(values) for values in there.values())
    shares = {word: values[k] for word, values in there.items() if k in values}
    said = [f"{called[w]} {'' if s >= 0 else '−'}{look.percent_text(abs(s))} %" for w, s in shares.items()]
    text = tr("At k = {k:,} the loss is: {losses}.").format(k=k, losses=", ".join(said))
    if any(value < 0 for values in there.values() for value in values.values()):
        text += " " + tr(
            "Below 0 the published values lie farther apart than the originals, as where a frequent one"
            " replaces rarer ones."
        )
    return text

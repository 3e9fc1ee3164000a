"""The risk–utility map: every finished setting by two measures, and the front of those that no other setting
beats.

After G. T. Duncan, S. A. Keller-McNulty and S. L. Stokes, Disclosure risk vs. data utility: the R-U
confidentiality map, 2001.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, ring, scatter
from kanon_core.charts.curves.quantities import (
    axis_title,
    best_note,
    line_style,
    point_texts,
    quantity_axis,
    settings_trace,
)
from kanon_core.charts.curves.sentences import Curve, curves
from kanon_core.sweeps import SweepPoint, front, quantity

if TYPE_CHECKING:
    import plotly.graph_objects as go


def risk_figure(
    points: Sequence[SweepPoint],
    x: str = "WorstRisk",
    y: str = "ILSSDM",
    current: tuple[str, int, int] | None = None,
    theme: str = "light",
) -> go.Figure:
    """One mark for each finished setting, one color and shape for each algorithm; the front is a staircase.

    ``x``, ``y``: names of `kanon_core.sweeps.QUANTITIES`. ``current``: label of an algorithm (as
    `sentences.curves` gives it), k and seed, which gets a ring. Each mark's ``customdata`` is what
    `quantities.picked_setting` reads. Raises OptionError for an unknown quantity or theme.
    """
    lines, colors = curves(points), look.theme_of(theme)
    best = front([point for curve in lines for point in curve.points], x, y)
    traces = [_front_trace(best, x, y, theme)]
    traces += [_marks_trace(lines, number, x, y, theme) for number in range(len(lines))]
    here = [p for c in lines for p in c.points if current == (c.label, p.k, p.seed)]
    places = [p.value(x) for p in here], [p.value(y) for p in here]
    return look.figure(
        [*traces, ring(places[0], places[1], colors.accent, showlegend=False)],
        theme,
        tr("{y} against {x}. {front}").format(
            y=axis_title(y), x=axis_title(x), front=front_sentence(points, x, y)
        ),
        height=440,
        xaxis=quantity_axis(x, False, theme),
        yaxis=quantity_axis(y, False, theme),
        annotations=[best_note(x, y, theme)],
        showlegend=True,
        uirevision=f"map {x} {y}",
    )


def _known(points: Sequence[SweepPoint], x: str, y: str) -> list[SweepPoint]:
    return [p for p in points if p.value(x) == p.value(x) and p.value(y) == p.value(y)]


def _marks_trace(lines: Sequence[Curve], number: int, x: str, y: str, theme: str) -> Settings:
    color, _, symbol = line_style(lines, number, theme)
    placed = [
        (p, (p.value(x), p.value(y)), "<br>".join(point_texts(p, (x, y))))
        for p in _known(lines[number].points, x, y)
    ]
    border = {"width": 1.5 if symbol.endswith("open") else 0, "color": color}
    marker = {"symbol": symbol, "size": 9, "color": color, "line": border}
    return settings_trace("markers", lines[number], number, placed) | {"marker": marker}


def _front_trace(best: Sequence[SweepPoint], x: str, y: str, theme: str) -> Settings:
    """A staircase through the front: between two points nothing better than the worse of both is known."""
    line = {"shape": "hv", "color": look.theme_of(theme).muted, "width": 1.5, "dash": "dot"}
    name, across, up = (
        tr("front: no setting beats these"),
        [p.value(x) for p in best],
        [p.value(y) for p in best],
    )
    return scatter("lines", across, up, name=name, showlegend=len(best) > 1, line=line)


def front_sentence(points: Sequence[SweepPoint], x: str, y: str) -> str:
    """How many settings nothing beats by both measures, of which algorithms they are, and the two ends."""
    lines = curves(points)
    finished = _known([p for curve in lines for p in curve.points], x, y)
    best = front(finished, x, y)
    if not best:
        return tr("No finished setting has both numbers.")
    labels = {curve.algorithm: curve.label for curve in lines}
    counts = Counter(labels[point.algorithm] for point in best)
    shares = ", ".join(f"{label} {count}" for label, count in counts.most_common())
    text = tr("{best:,} of {settings} are beaten by no other ({shares})")
    if len(best) == 1:
        text = tr("{best:,} of {settings} is beaten by no other ({shares})")
    settings = counted(len(finished), "finished setting")
    text = text.format(best=len(best), settings=settings, shares=shares)
    if len(best) == 1:
        return tr("{text}: {first} is best by both.").format(text=text, first=_place(best[0], labels, x, y))
    return tr("{text}: from {first} to {last}.").format(
        text=text, first=_place(best[0], labels, x, y), last=_place(best[-1], labels, x, y)
    )


def _place(point: SweepPoint, labels: dict[Any, str], x: str, y: str) -> str:
    told = [f"{quantity(n).title.lower()} {quantity(n).text(point.value(n))}" for n in (x, y) if n != "k"]
    return tr("{algorithm} at k = {k} ({values})").format(
        algorithm=labels[point.algorithm], k=point.k, values=", ".join(told)
    )

"""The risk–utility map: every finished setting by two measures, and the front of those that no other setting
beats.

After G. T. Duncan, S. A. Keller-McNulty and S. L. Stokes, Disclosure risk vs. data utility: the R-U
confidentiality map, 2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.randomness import folded
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.curves.sentences import Curve, curves
from kanon_core.charts.curves.tradeoff import axis_title, best_note, line_style, quantity_axis
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
    `kanon_core.charts.curves.tradeoff.picked_setting` reads. Raises OptionError for an unknown quantity or
    theme.
    """
    lines, colors = curves(points), look.theme_of(theme)
    best = _finished_front(points, x, y)
    traces = [_front_trace(best, x, y, theme)]
    traces += [_marks(lines, number, x, y, theme) for number in range(len(lines))]
    here = [p for c in lines for p in c.points if current == (c.label, p.k, p.seed)]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [p.value(x) for p in here],
            "y": [p.value(y) for p in here],
            "showlegend": False,
            "hoverinfo": "skip",
            "marker": {"symbol": "circle-open", "size": 18, "color": colors.accent, "line": {"width": 2.5}},
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
        }
    )
    layout = {
        "xaxis": quantity_axis(x, False, theme),
        "yaxis": quantity_axis(y, False, theme),
        "annotations": [best_note(x, y, theme)],
        "showlegend": True,
        "uirevision": f"map {x} {y}",
    }
    alt = f"{axis_title(y)} against {axis_title(x)}. {front_sentence(points, x, y)}"
    return look.figure(traces, layout, theme, alt, height=440)


def _finished_front(points: Sequence[SweepPoint], x: str, y: str) -> list[SweepPoint]:
    return front([point for curve in curves(points) for point in curve.points], x, y)


def _marks(lines: Sequence[Curve], number: int, x: str, y: str, theme: str) -> dict[str, Any]:
    curve = lines[number]
    color, _, symbol = line_style(lines, number, theme)
    placed = [p for p in curve.points if p.value(x) == p.value(x) and p.value(y) == p.value(y)]
    told = [
        "<br>".join(
            f"{quantity(n).title}: {look.plain(quantity(n).text(p.value(n)))}"
            for n in dict.fromkeys((x, y))
            if n != "k"
        )
        for p in placed
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": look.plain(curve.label, 60),
        "showlegend": bool(placed),
        "x": [p.value(x) for p in placed],
        "y": [p.value(y) for p in placed],
        "text": told,
        "customdata": np.array([(number, p.k, folded(p.seed, 53)) for p in placed], np.float64).reshape(
            -1, 3
        ),
        "hovertemplate": look.plain(curve.label, 40) + "<br>k = %{customdata[1]}<br>%{text}<extra></extra>",
        "marker": {
            "symbol": symbol,
            "size": 9,
            "color": color,
            "line": {"width": 1.5 if symbol.endswith("open") else 0, "color": color},
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _front_trace(best: Sequence[SweepPoint], x: str, y: str, theme: str) -> dict[str, Any]:
    """A staircase through the front: between two of its points nothing better than the worse of both is
    known."""
    color = look.theme_of(theme).muted
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "front: no setting beats these",
        "hoverinfo": "skip",
        "x": [p.value(x) for p in best],
        "y": [p.value(y) for p in best],
        "showlegend": len(best) > 1,
        "line": {"shape": "hv", "color": color, "width": 1.5, "dash": "dot"},
    }


def front_sentence(points: Sequence[SweepPoint], x: str, y: str) -> str:
    """How many settings nothing beats by both measures, of which algorithms they are, and the two ends."""
    lines = curves(points)
    finished = [p for c in lines for p in c.points if p.value(x) == p.value(x) and p.value(y) == p.value(y)]
    best = front(finished, x, y)
    if not best:
        return "No finished setting has both numbers."
    labels = {curve.algorithm: curve.label for curve in lines}
    counts: dict[str, int] = {}
    for point in best:
        label = labels[point.algorithm]
        counts[label] = counts.get(label, 0) + 1
    shares = ", ".join(
        f"{label} {count}" for label, count in sorted(counts.items(), key=lambda item: -item[1])
    )
    verb = "is" if len(best) == 1 else "are"
    text = (
        f"{len(best):,} of {look.count_text(len(finished), 'finished setting')} {verb} beaten by no other"
        f" ({shares})"
    )
    if len(best) == 1:
        return f"{text}: {_place(best[0], labels, x, y)} is best by both."
    return f"{text}: from {_place(best[0], labels, x, y)} to {_place(best[-1], labels, x, y)}."


def _place(point: SweepPoint, labels: dict[Any, str], x: str, y: str) -> str:
    told = [f"{quantity(n).title.lower()} {quantity(n).text(point.value(n))}" for n in (x, y) if n != "k"]
    return f"{labels[point.algorithm]} at k = {point.k} ({', '.join(told)})"

"""Loss against k, or any metric against any other: one line per algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.charts import theme as look
from kanon_core.charts.sentences import Curve, cheapest_sentence, curves, metric_of
from kanon_core.errors import OptionError
from kanon_core.metrics import METRICS
from kanon_core.sweeps import SweepPoint

if TYPE_CHECKING:
    import plotly.graph_objects as go

_FLOOR = "OptimalUnivariate"
_RISING = {"k", "AchievedK"}


def tradeoff_figure(
    points: Sequence[SweepPoint],
    x: str = "k",
    y: str = "ILSSDM",
    current: tuple[str, int] | None = None,
    bound_x: float | None = None,
    bound_y: float | None = None,
    theme: str = "light",
) -> go.Figure:
    """One line per algorithm through its finished points in order of k; gaps of a running sweep are bridged.

    ``x`` and ``y``: "k" or the class name of a metric. ``current``: label of an algorithm (as `sentences.curves` gives it)
    and k; its point gets a ring, and a line marks k. ``bound_x``, ``bound_y`` draw limits. `OptimalUnivariate` is drawn
    apart, as the floor: no partition of one number has less information loss. Each point's ``customdata`` is the
    algorithm's number in `sentences.curves` and k, which `picked_setting` reads.

    Raises OptionError for an unknown metric or theme.
    """
    for name in (x, y):
        if name != "k" and name not in {metric.__name__ for metric in METRICS}:
            raise OptionError(f"The chart cannot show “{name}”; choose k or one of the metrics.")
    lines = curves(points)
    traces = [_line_trace(lines, number, x, y, theme) for number in range(len(lines))]
    traces.append(_ring_trace(lines, x, y, current, theme))
    shapes, notes = _marks(x, current, (bound_x, bound_y), theme)
    layout = {
        "xaxis": _axis(x, theme), "yaxis": _axis(y, theme), "shapes": shapes, "annotations": [*notes, _best_note(x, y, theme)],
        "showlegend": True, "uirevision": f"{x} {y}",
    }  # fmt: skip
    return look.figure(traces, layout, theme, _alt(points, lines, x, y, current), height=440)


def picked_setting(event: Mapping[str, Any] | None) -> tuple[int, int] | None:
    """Number of the algorithm (in `sentences.curves`) and k of the point somebody clicked; None when none."""
    numbers = look.picked(event)
    return (numbers[0], numbers[1]) if len(numbers) >= 2 else None


def axis_title(name: str) -> str:
    """The name of what is measured, with the direction said: ``Information loss (0 % = nothing lost)``."""
    if name == "k":
        return "k (at least k records look alike)"
    metric = metric_of(name)
    ends = {
        "ILSSDM": "0 % = nothing lost", "NCP": "0 % = exact values", "WorstRisk": "100 % = certain",
        "AverageRisk": "100 % = certain", "SuppressedRecords": "0 % = all published",
    }.get(name, f"{metric.direction} is better")  # fmt: skip
    return f"{metric.title} ({ends})"


def _style(lines: Sequence[Curve], number: int, theme: str) -> tuple[str, str, str]:
    """Color, dash and marker of a line; the floor is gray and takes no place in the palette."""
    colors = look.theme_of(theme)
    if type(lines[number].algorithm).__name__ == _FLOOR:
        return colors.muted, "dot", "line-ew-open"
    place = sum(type(line.algorithm).__name__ != _FLOOR for line in lines[:number])
    return (
        colors.lines[place % (len(colors.lines) - 1)],
        look.DASHES[place % len(look.DASHES)],
        look.MARKERS[place % len(look.MARKERS)],
    )


def _line_trace(lines: Sequence[Curve], number: int, x: str, y: str, theme: str) -> dict[str, Any]:
    curve = lines[number]
    color, dash, marker = _style(lines, number, theme)
    both = [p for p in curve.points if all(name == "k" or name in p.scores for name in (x, y))]
    whole = Curve(curve.label, curve.algorithm, tuple(both))
    ks, horizontal = whole.values(x)
    vertical = whole.values(y)[1]
    floor = type(curve.algorithm).__name__ == _FLOOR
    label = curve.label + (" (floor)" if floor and y == "ILSSDM" else "")
    texts = [
        f"{_value(x, a)}<br>{_value(y, b)}" if x != "k" else _value(y, b)
        for a, b in zip(horizontal, vertical, strict=True)
    ]
    return {
        "type": "scatter", "mode": "lines+markers", "name": look.plain(label, 60), "showlegend": bool(both), "x": horizontal, "y": vertical,
        "customdata": np.column_stack([np.full(len(ks), number), ks]).astype(np.int32), "text": texts,
        "hovertemplate": look.plain(curve.label, 40) + "<br>k = %{customdata[1]}<br>%{text}<extra></extra>",
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {"symbol": marker, "size": 8 if len(ks) <= 40 else 6, "color": color,
                   "line": {"width": 2 if floor else 0, "color": color}},
        "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
    }  # fmt: skip


def _ring_trace(
    lines: Sequence[Curve], x: str, y: str, current: tuple[str, int] | None, theme: str
) -> dict[str, Any]:
    """A ring around the current setting; empty until it has finished."""
    found = [
        (number, p) for number, curve in enumerate(lines) for p in curve.points
        if current == (curve.label, p.k) and all(name == "k" or name in p.scores for name in (x, y))
    ]  # fmt: skip
    place = [[float(p.k) if name == "k" else p.scores[name] for _, p in found] for name in (x, y)]
    return {
        "type": "scatter", "mode": "markers", "x": place[0], "y": place[1], "showlegend": False, "hoverinfo": "skip",
        "marker": {"symbol": "circle-open", "size": 18, "color": look.theme_of(theme).accent, "line": {"width": 2.5}},
        "selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}},
    }  # fmt: skip


def _value(name: str, value: float) -> str:
    return (
        f"k = {value:.0f}"
        if name == "k"
        else f"{metric_of(name).title}: {look.plain(metric_of(name)().text(value))}"
    )


def _in_two_lines(title: str) -> str:
    """A long title broken before its bracket, so that it fits a phone."""
    return title.replace(" (", "<br>(", 1) if len(title) > 40 else title


def _axis(name: str, theme: str) -> dict[str, Any]:
    settings: dict[str, Any] = {"title": look.titled(_in_two_lines(axis_title(name)), theme)}
    if name == "k":
        return settings | {"tickformat": "d", "nticks": 12}
    if metric_of(name).percent:
        return settings | {"tickformat": ".1~%", "rangemode": "tozero"}
    return settings | {"tickformat": "~s", "rangemode": "tozero"}


def _marks(
    x: str, current: tuple[str, int] | None, bounds: tuple[float | None, float | None], theme: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines at the current k and at the limits, and their captions."""
    colors = look.theme_of(theme)
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    if current is not None and x == "k":
        _mark(shapes, notes, "x", float(current[1]), f"now k = {current[1]}", colors.accent)
    for letter, bound in zip("xy", bounds, strict=True):
        if bound is not None:
            _mark(shapes, notes, letter, bound, "limit", colors.lines[1])
    return shapes, notes


def _mark(
    shapes: list[dict[str, Any]], notes: list[dict[str, Any]], letter: str, at: float, text: str, color: str
) -> None:
    other = "y" if letter == "x" else "x"
    line = {"color": color, "width": 1.5, "dash": "dot"}
    ends = {f"{letter}0": at, f"{letter}1": at, f"{other}0": 0, f"{other}1": 1, f"{other}ref": "paper"}
    shapes.append({"type": "line", "layer": "below", **ends, "line": line})
    notes.append({
        letter: at, other: 1, f"{other}ref": "paper", "text": text, "showarrow": False, "font": {"size": 12, "color": color},
        "xanchor": "left" if letter == "x" else "right", "yanchor": "top" if letter == "x" else "bottom", "xshift": 4 if letter == "x" else 0,
    })  # fmt: skip


def _higher_is_better(name: str) -> bool:
    return name in _RISING or (name != "k" and metric_of(name).direction == "higher")


def _best_note(x: str, y: str, theme: str) -> dict[str, Any]:
    """Which corner is best, said in that corner."""
    right, up = _higher_is_better(x), _higher_is_better(y)
    arrow = {(False, False): "↙", (True, False): "↘", (False, True): "↖", (True, True): "↗"}[right, up]
    text = f"better {arrow}" if right else f"{arrow} better"
    return {
        "x": 1 if right else 0, "y": 1 if up else 0, "xref": "paper", "yref": "paper", "text": text, "showarrow": False,
        "xanchor": "right" if right else "left", "yanchor": "top" if up else "bottom", "xshift": -6 if right else 6, "yshift": -4 if up else 4,
        "font": {"size": 13, "color": look.theme_of(theme).muted},
    }  # fmt: skip


def _alt(
    points: Sequence[SweepPoint], lines: Sequence[Curve], x: str, y: str, current: tuple[str, int] | None
) -> str:
    """What the chart shows, for a screen reader."""
    finished = sum(len(curve.points) for curve in lines)
    text = f"{axis_title(y)} against {axis_title(x)}: {look.count_text(len(lines), 'algorithm')}, {look.count_text(finished, 'finished setting')}."
    if current is not None and y != "k":
        text += " " + cheapest_sentence(points, y, current[1])
    return text

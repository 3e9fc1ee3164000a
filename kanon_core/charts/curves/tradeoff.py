"""Loss against k, or any metric against any other: one line per algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.randomness import folded
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.curves.optima import gap_text
from kanon_core.charts.curves.sentences import Curve, cheapest_sentence, curves
from kanon_core.sweeps import FLOORS, SweepPoint, floor_points, gap, quantity

if TYPE_CHECKING:
    import plotly.graph_objects as go

_ENDS = {
    "k": "at least k look alike",
    "ILSSDM": "0 % = nothing lost",
    "NCP": "0 % = exact values",
    "WorstRisk": "100 % = certain",
    "AverageRisk": "100 % = certain",
    "SuppressedRecords": "0 % = all published",
    "seconds": "seconds, lower is better",
}
_APART = (("dot", "line-ew-open"), ("dashdot", "x-thin-open"))
_FLOOR_LOOKS = {floor.algorithm: _APART[i % len(_APART)] for i, floor in enumerate(FLOORS.values())}
"""Dash and marker of the algorithms that are the floor of some metric."""


@dataclass(frozen=True)
class _View:
    """What is drawn of a point: the names of two quantities, and whether the second is shown as a share above
    its floor."""

    x: str
    y: str
    above: bool
    floors: Mapping[int, SweepPoint]
    theme: str

    def place(self, point: SweepPoint) -> tuple[float, float]:
        """Where the point stands; NaN where it has no such number."""
        return point.value(self.x), (
            gap(point, self.floors.get(point.k), self.y) if self.above else point.value(self.y)
        )

    def hover(self, point: SweepPoint) -> str:
        """What is told of the point besides its algorithm and k."""
        told = [
            f"{quantity(name).title}: {look.plain(quantity(name).text(point.value(name)))}"
            for name in dict.fromkeys((self.x, self.y))
            if name != "k"
        ]
        share = gap(point, self.floors.get(point.k), self.y) if self.y in FLOORS else np.nan
        if share >= 0 and point.algorithm != FLOORS[self.y].algorithm:
            told.append(f"{gap_text(share)} above the optimum")
        return "<br>".join(told)


def tradeoff_figure(
    points: Sequence[SweepPoint],
    x: str = "k",
    y: str = "ILSSDM",
    above: bool = False,
    current: tuple[str, int, int] | None = None,
    bound: float | None = None,
    theme: str = "light",
) -> go.Figure:
    """One line per algorithm through its finished points in order of k; gaps of a running sweep are bridged.

    ``x`` and ``y``: names of `kanon_core.sweeps.QUANTITIES`. ``above``: y is a metric with a floor
    (`kanon_core.sweeps.FLOORS`), and shown is how far above it each point lies. ``current``: label of an
    algorithm (as `sentences.curves` gives it), k and seed; its point gets a ring, and a line marks k.
    ``bound`` draws a limit of y. Algorithms that are the floor of a metric are drawn apart, in gray. Of
    several seeds the line is the median, and against k a band reaches from the least to the most. Each
    point's ``customdata`` is the algorithm's number in `sentences.curves`, k and the seed folded to 53 bits,
    which `picked_setting` reads.

    Raises OptionError for an unknown quantity or theme, and for ``above`` without a floor.
    """
    for name in (x, y):
        quantity(name)
    if above and y not in FLOORS:
        raise OptionError(f"There is no floor of “{y}”; choose from {', '.join(FLOORS)}.")
    lines, view = curves(points), _View(x, y, above, floor_points(points, y), theme)
    traces = [
        _band_trace(lines, number, view) for number in range(len(lines)) if _has_band(lines[number], view)
    ]
    traces += [_line_trace(lines, number, view) for number in range(len(lines))]
    traces.append(_ring_trace(lines, view, current))
    shapes, notes = _marks(x, current, None if above else bound, theme)
    if not above and y != "seconds":  # their curves lie in the best corner, and their titles say which it is
        notes.append(best_note(x, y, theme))
    layout = {
        "xaxis": quantity_axis(x, False, theme),
        "yaxis": quantity_axis(y, above, theme),
        "shapes": shapes,
        "annotations": notes,
        "showlegend": True,
        "uirevision": f"{x} {y} {above}",
    }
    return look.figure(traces, layout, theme, _alt(points, lines, view, current), height=440)


def picked_setting(event: Mapping[str, Any] | None) -> tuple[int, int, int] | None:
    """Number of the algorithm (in `sentences.curves`), k and folded seed of the clicked point, or None."""
    numbers = look.picked(event)
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) >= 3 else None


def axis_title(name: str, above: bool = False) -> str:
    """The name of what is measured, with the direction said: ``Information loss (0 % = nothing lost)``."""
    what = quantity(name)
    if above:
        return f"{what.title} above the optimum (0 % = optimal)"
    return f"{what.title} ({_ENDS.get(name, f'{what.direction} is better')})"


def line_style(lines: Sequence[Curve], number: int, theme: str) -> tuple[str, str, str]:
    """Color, dash and marker of a line; a floor is gray and takes no place in the palette."""
    colors = look.theme_of(theme)
    if (apart := _FLOOR_LOOKS.get(lines[number].algorithm)) is not None:
        return colors.muted, *apart
    place = sum(line.algorithm not in _FLOOR_LOOKS for line in lines[:number])
    return (
        colors.lines[place % (len(colors.lines) - 1)],
        look.DASHES[place % len(look.DASHES)],
        look.MARKERS[place % len(look.MARKERS)],
    )


def _line_trace(lines: Sequence[Curve], number: int, view: _View) -> dict[str, Any]:
    curve = lines[number]
    color, dash, marker = line_style(lines, number, view.theme)
    placed = [(point, view.place(point)) for point in curve.middle(view.y)]
    placed = [(point, place) for point, place in placed if not np.isnan(place).any()]
    places = np.array([place for _, place in placed], np.float64).reshape(-1, 2)
    floor = view.y in FLOORS and curve.algorithm == FLOORS[view.y].algorithm
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": look.plain(curve.label, 60) + (" (floor)" if floor else ""),
        "showlegend": bool(placed),
        "x": places[:, 0],
        "y": places[:, 1],
        "customdata": np.array([(number, p.k, folded(p.seed, 53)) for p, _ in placed], np.float64).reshape(
            -1, 3
        ),
        "text": [view.hover(point) for point, _ in placed],
        "hovertemplate": look.plain(curve.label, 40) + "<br>k = %{customdata[1]}<br>%{text}<extra></extra>",
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {
            "symbol": marker,
            "size": 8 if len(placed) <= 40 else 6,
            "color": color,
            "line": {"width": 2 if curve.algorithm in _FLOOR_LOOKS else 0, "color": color},
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _has_band(curve: Curve, view: _View) -> bool:
    return view.x == "k" and any(len(seeds) > 1 for seeds in curve.by_k(view.y))


def _band_trace(lines: Sequence[Curve], number: int, view: _View) -> dict[str, Any]:
    """From the least to the most over the seeds, one outline around: out along the top, back along the
    bottom."""
    color = line_style(lines, number, view.theme)[0]
    ends = [(view.place(seeds[-1]), view.place(seeds[0])) for seeds in lines[number].by_k(view.y)]
    ends = [(top, bottom) for top, bottom in ends if not np.isnan([top, bottom]).any()]
    outline = np.array([top for top, _ in ends] + [bottom for _, bottom in reversed(ends)]).reshape(-1, 2)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": outline[:, 0],
        "y": outline[:, 1],
        "fill": "toself",
        "fillcolor": look.faded(color, 0.2),
        "line": {"width": 0},
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _ring_trace(lines: Sequence[Curve], view: _View, current: tuple[str, int, int] | None) -> dict[str, Any]:
    """A ring around the current setting; empty until it has finished. Where its seed has not, the median
    stands for it."""
    label, k, seed = current or ("", 0, 0)
    mine = [
        p
        for curve in lines
        if curve.label == label
        for p in (*curve.middle(view.y), *curve.points)
        if p.k == k
    ]
    found = [view.place(p) for p in sorted(mine, key=lambda p: p.seed != seed)[:1]]
    place = np.array([at for at in found if not np.isnan(at).any()], np.float64).reshape(-1, 2)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": place[:, 0],
        "y": place[:, 1],
        "showlegend": False,
        "hoverinfo": "skip",
        "marker": {
            "symbol": "circle-open",
            "size": 18,
            "color": look.theme_of(view.theme).accent,
            "line": {"width": 2.5},
        },
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _in_two_lines(title: str) -> str:
    """A long title broken before its bracket, so that it fits a phone."""
    return title.replace(" (", "<br>(", 1) if len(title) > 40 else title


def quantity_axis(name: str, above: bool, theme: str) -> dict[str, Any]:
    """The axis of a quantity of a sweep, or of the share of a metric above its floor."""
    settings: dict[str, Any] = {"title": look.titled(_in_two_lines(axis_title(name, above)), theme)}
    if name == "k":
        return settings | {"tickformat": "d", "nticks": 12}
    numbers = ".1~%" if above or quantity(name).percent else "~g" if name == "seconds" else "~s"
    # Where 0 is the floor itself there is a little room below it.
    return settings | {"tickformat": numbers, "rangemode": "normal" if above else "tozero"}


def _marks(
    x: str, current: tuple[str, int, int] | None, bound: float | None, theme: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines at the current k and at the limit, and their captions."""
    colors = look.theme_of(theme)
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    if current is not None and x == "k":
        _mark(shapes, notes, "x", float(current[1]), f"now k = {current[1]}", colors.accent)
    if bound is not None:
        _mark(shapes, notes, "y", bound, "limit", colors.lines[1])
    return shapes, notes


def _mark(
    shapes: list[dict[str, Any]], notes: list[dict[str, Any]], letter: str, at: float, text: str, color: str
) -> None:
    other = "y" if letter == "x" else "x"
    line = {"color": color, "width": 1.5, "dash": "dot"}
    ends = {f"{letter}0": at, f"{letter}1": at, f"{other}0": 0, f"{other}1": 1, f"{other}ref": "paper"}
    shapes.append({"type": "line", "layer": "below", **ends, "line": line})
    notes.append(
        {
            letter: at,
            other: 1,
            f"{other}ref": "paper",
            "text": text,
            "showarrow": False,
            "font": {"size": 12, "color": color},
            "xanchor": "left" if letter == "x" else "right",
            "yanchor": "top" if letter == "x" else "bottom",
            "xshift": 4 if letter == "x" else 0,
        }
    )


def best_note(x: str, y: str, theme: str) -> dict[str, Any]:
    """Which corner is best, said in that corner."""
    right, up = (quantity(name).direction == "higher" for name in (x, y))
    arrow = {(False, False): "↙", (True, False): "↘", (False, True): "↖", (True, True): "↗"}[right, up]
    text = f"better {arrow}" if right else f"{arrow} better"
    return {
        "x": 1 if right else 0,
        "y": 1 if up else 0,
        "xref": "paper",
        "yref": "paper",
        "text": text,
        "showarrow": False,
        "xanchor": "right" if right else "left",
        "yanchor": "top" if up else "bottom",
        "xshift": -6 if right else 6,
        "yshift": -4 if up else 4,
        "font": {"size": 13, "color": look.theme_of(theme).muted},
    }


def _alt(
    points: Sequence[SweepPoint], lines: Sequence[Curve], view: _View, current: tuple[str, int, int] | None
) -> str:
    """What the chart shows, for a screen reader."""
    finished = sum(len(curve.points) for curve in lines)
    text = (
        f"{axis_title(view.y, view.above)} against {axis_title(view.x)}:"
        f" {look.count_text(len(lines), 'algorithm')}, {look.count_text(finished, 'finished setting')}."
    )
    if current is not None and view.y != "k":
        text += " " + cheapest_sentence(points, view.y, current[1])
    return text

"""Loss against k, or any metric against any other: one line per algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, note, ring, rule, scatter
from kanon_core.charts.curves.optima import gap_text
from kanon_core.charts.curves.quantities import (
    axis_title,
    best_note,
    is_floor,
    line_style,
    point_texts,
    quantity_axis,
    settings_trace,
)
from kanon_core.charts.curves.sentences import Curve, cheapest_sentence, curves
from kanon_core.sweeps import FLOORS, SweepPoint, floor_points, gap, quantity

if TYPE_CHECKING:
    import plotly.graph_objects as go


_CORNER = 0.15
"""The share of a chart's height that a note in its corner takes."""


@dataclass(frozen=True)
class _View:
    """What is drawn of a point: two quantities, and whether the second is its share above its floor."""

    x: str
    y: str
    above: bool
    floors: Mapping[int, SweepPoint]
    theme: str

    def place(self, point: SweepPoint) -> tuple[float, float]:
        """Where the point stands; NaN where it has no such number."""
        share = gap(point, self.floors.get(point.k), self.y) if self.above else point.value(self.y)
        return point.value(self.x), share

    def there(self, points: Iterable[SweepPoint]) -> list[tuple[SweepPoint, tuple[float, float]]]:
        """The points that have both numbers, with their places."""
        placed = [(point, self.place(point)) for point in points]
        return [(point, place) for point, place in placed if not np.isnan(place).any()]

    def hover(self, point: SweepPoint) -> str:
        """What is told of the point besides its algorithm and k."""
        told = point_texts(point, (self.x, self.y))
        share = gap(point, self.floors.get(point.k), self.y) if self.y in FLOORS else np.nan
        if share >= 0 and point.algorithm != FLOORS[self.y].algorithm:
            told.append(tr("{gap} above the optimum").format(gap=gap_text(share)))
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
    several seeds the line is the median, and against k a band reaches from the least to the most. Against k
    a number that comes from a sample has a bar as far as it may be off. Each
    point's ``customdata`` is the algorithm's number in `sentences.curves`, k and folded seed,
    which `quantities.picked_setting` reads.

    Raises OptionError for an unknown quantity or theme, and for ``above`` without a floor.
    """
    for name in (x, y):
        quantity(name)
    if above and y not in FLOORS:
        raise OptionError(
            tr("There is no floor of “{y}”; choose from {names}.").format(y=y, names=", ".join(FLOORS))
        )
    lines, view = curves(points), _View(x, y, above, floor_points(points, y), theme)
    numbers = range(len(lines))
    traces = [_band_trace(lines, number, view) for number in numbers if _has_band(lines[number], view)]
    traces += [_errors_trace(lines, number, view) for number in numbers if _has_errors(lines[number], view)]
    traces += [_line_trace(lines, number, view) for number in numbers]
    traces.append(_ring_trace(lines, view, current))
    shapes, notes = _marks(x, current, None if above else bound, theme)
    if not above and y != "seconds":  # their curves lie in the best corner, and their titles say which it is
        notes.append(best_note(x, y, theme, _in_the_corner(traces, bound)))
    return look.figure(
        traces,
        theme,
        _alt(points, lines, view, current),
        height=440,
        xaxis=quantity_axis(x, False, theme),
        yaxis=quantity_axis(y, above, theme),
        shapes=shapes,
        annotations=notes,
        showlegend=True,
        uirevision=f"{x} {y} {above}",
    )


def _line_trace(lines: Sequence[Curve], number: int, view: _View) -> Settings:
    curve = lines[number]
    color, dash, symbol = line_style(lines, number, view.theme)
    placed = [(point, place, view.hover(point)) for point, place in view.there(curve.middle(view.y))]
    border = {"width": 2 if is_floor(curve) else 0, "color": color}
    size = 8 if len(placed) <= 40 else 6
    trace = settings_trace("lines+markers", curve, number, placed)
    if view.y in FLOORS and curve.algorithm == FLOORS[view.y].algorithm:
        trace["name"] += " (floor)"
    return trace | {
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {"symbol": symbol, "size": size, "color": color, "line": border},
    }


def _has_band(curve: Curve, view: _View) -> bool:
    return view.x == "k" and any(len(seeds) > 1 for seeds in curve.by_k(view.y))


def _band_trace(lines: Sequence[Curve], number: int, view: _View) -> Settings:
    """From the least to the most over the seeds: an outline out along the top, back along the bottom."""
    color = line_style(lines, number, view.theme)[0]
    ends = [(view.place(seeds[-1]), view.place(seeds[0])) for seeds in lines[number].by_k(view.y)]
    ends = [(top, bottom) for top, bottom in ends if not np.isnan([top, bottom]).any()]
    outline = np.array([top for top, _ in ends] + [bottom for _, bottom in reversed(ends)]).reshape(-1, 2)
    filled: Settings = {"fill": "toself", "fillcolor": look.faded(color, 0.2), "line": {"width": 0}}
    return scatter("lines", outline[:, 0], outline[:, 1], showlegend=False, **filled)


def _has_errors(curve: Curve, view: _View) -> bool:
    return view.x == "k" and not view.above and any(view.y in p.errors for p in curve.middle(view.y))


def _errors_trace(lines: Sequence[Curve], number: int, view: _View) -> Settings:
    """A bar for each point that comes from a sample, as far as it may be off."""
    ends = [
        (x, y - point.errors[view.y], y + point.errors[view.y])
        for point, (x, y) in view.there(lines[number].middle(view.y))
        if view.y in point.errors
    ]
    bars = np.array([[(x, low), (x, high), (np.nan, np.nan)] for x, low, high in ends]).reshape(-1, 2)
    line = {"width": 1.5, "color": look.faded(line_style(lines, number, view.theme)[0], 0.7)}
    return scatter("lines", bars[:, 0], bars[:, 1], showlegend=False, line=line)


def _ring_trace(lines: Sequence[Curve], view: _View, current: tuple[str, int, int] | None) -> Settings:
    """A ring around the current setting once it has finished; the median stands for a missing seed."""
    label, k, seed = current or ("", 0, 0)
    mine = [p for c in lines if c.label == label for p in (*c.middle(view.y), *c.points) if p.k == k]
    found = view.there(sorted(mine, key=lambda p: p.seed != seed)[:1])
    place = np.array([at for _, at in found], np.float64).reshape(-1, 2)
    return ring(place[:, 0], place[:, 1], look.theme_of(view.theme).accent, showlegend=False)


def _marks(
    x: str, current: tuple[str, int, int] | None, bound: float | None, theme: str
) -> tuple[list[Settings], list[Settings]]:
    """Lines at the current k and at the limit, and their captions."""
    colors, shapes, notes = look.theme_of(theme), list[Settings](), list[Settings]()
    if current is not None and x == "k":
        k = float(current[1])
        shapes.append(rule("x", k, colors.accent, layer="below"))
        notes.append(
            note(
                tr("now k = {k}").format(k=current[1]),
                k,
                1,
                colors.accent,
                paper="y",
                anchor="left top",
                xshift=4,
            )
        )
    if bound is not None:
        shapes.append(rule("y", bound, colors.lines[1], layer="below"))
        left = quantity(x).direction == "higher"  # away from the best corner, which has its own note
        side, shift = ("left", 2) if left else ("right", -2)
        notes.append(
            note(
                "limit",
                int(not left),
                bound,
                colors.lines[1],
                paper="x",
                anchor=f"{side} bottom",
                xshift=shift,
            )
        )
    return shapes, notes


def _in_the_corner(traces: Sequence[Settings], bound: float | None) -> float | None:
    """The limit, where it lies so low that its line would cross what is said in the lower corner."""
    highest = max((float(np.max(trace["y"])) for trace in traces if len(trace["y"])), default=0.0)
    return bound if bound is not None and bound < _CORNER * highest else None


def _alt(
    points: Sequence[SweepPoint], lines: Sequence[Curve], view: _View, current: tuple[str, int, int] | None
) -> str:
    """What the chart shows, for a screen reader."""
    finished = sum(len(curve.points) for curve in lines)
    text = tr("{y} against {x}: {algorithms}, {settings}.").format(
        y=axis_title(view.y, view.above),
        x=axis_title(view.x),
        algorithms=counted(len(lines), "algorithm"),
        settings=counted(finished, "finished setting"),
    )
    if current is not None and view.y != "k":
        text += " " + cheapest_sentence(points, view.y, current[1])
    return text

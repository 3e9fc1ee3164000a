"""Two quantities of a sweep against each other: loss against k, any metric against any other, and the
risk–utility map.

After G. T. Duncan, S. A. Keller-McNulty and S. L. Stokes, Disclosure risk vs. data utility: the R-U
confidentiality map, 2001.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.randomness import folded
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, note, ring, rule, scatter
from kanon_core.charts.curves.linestyles import is_floor, line_style
from kanon_core.charts.curves.optima import gap_text
from kanon_core.charts.curves.pins import Pins, pin_marks
from kanon_core.charts.curves.sentences import Curve, cheapest_sentence, curves
from kanon_core.runs.sweeps import FLOORS, SweepPoint, floor_points, front, gap, quantity

MOST_CURVES = 8
"""The most curves, besides floors, that have a color, dash and marker of their own."""
_NEAR_THE_END = 0.7
"""The share of the greatest k beyond which a caption has more room on the left."""
_CORNER = 0.15
"""The share of a chart's height that a note in its corner takes."""


def picked_setting(event: Mapping[str, Any] | None) -> tuple[int, int, int] | None:
    """Number of the algorithm (in `sentences.curves`), k and folded seed of the point clicked, or None."""
    numbers = look.picked(event)
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) >= 3 else None


@dataclass(frozen=True)
class _View:
    """The drawn view of a point: two quantities, and whether the second is drawn as its share above its
    floor."""

    x: str
    y: str
    theme: str = "light"
    above: bool = False
    floors: Mapping[int, SweepPoint] = field(default_factory=dict)

    def place(self, point: SweepPoint) -> tuple[float, float]:
        """Return the place of the point; NaN where it has no such number."""
        share = gap(point, self.floors.get(point.k), self.y) if self.above else point.value(self.y)
        return point.value(self.x), share

    def there(self, points: Iterable[SweepPoint]) -> list[tuple[SweepPoint, tuple[float, float]]]:
        """The points that have both numbers, with their places."""
        placed = [(point, self.place(point)) for point in points]
        return [(point, place) for point, place in placed if not np.isnan(place).any()]

    def trace(self, mode: str, lines: Sequence[Curve], number: int, points: Iterable[SweepPoint]) -> Settings:
        """Return a trace of these points of an algorithm, with their hover texts; `picked_setting` reads its
        ``customdata``."""
        there, label = self.there(points), lines[number].label
        places = np.array([place for _, place in there], np.float64).reshape(-1, 2)
        numbers = np.array([(number, p.k, folded(p.seed, 53)) for p, _ in there], np.float64).reshape(-1, 3)
        told = look.plain(label, 40) + "<br>k = %{customdata[1]}<br>%{text}"
        texts = [self.hover(point) for point, _ in there]
        more = {"showlegend": bool(there), "customdata": numbers, "text": texts, **UNDIMMED}
        return scatter(mode, places[:, 0], places[:, 1], told, name=look.plain(label, 60), **more)

    def hover(self, point: SweepPoint) -> str:
        """Return the hover text of the point, besides its algorithm and k."""
        told = [
            f"{quantity(name).title}: {look.plain(point.text(name))}"
            for name in dict.fromkeys((self.x, self.y))
            if name != "k"
        ]
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
) -> look.Figure:
    """One line per algorithm through its finished points in order of k; gaps of a running sweep are bridged.

    ``x`` and ``y``: names of `kanon_core.runs.sweeps.QUANTITIES`. ``above``: y is a metric with a floor
    (`kanon_core.runs.sweeps.FLOORS`), and shown is how far above it each point lies. ``current``: label of an
    algorithm (as `sentences.curves` gives it), k and seed; its point gets a ring, and a line marks k.
    ``bound`` draws a limit of y. Algorithms that are the floor of a metric are drawn apart, in gray. Of
    several seeds the line is the median, and against k a band reaches from the least to the most. Against k,
    a number that comes from a sample has an error bar. `picked_setting` reads each point's ``customdata``.

    Raises OptionError for an unknown quantity or theme, and for ``above`` without a floor.
    """
    for name in (x, y):
        quantity(name)
    if above and y not in FLOORS:
        raise OptionError(
            tr("No optimum is known for “{y}”; choose from {names}.").format(y=y, names=", ".join(FLOORS))
        )
    lines, view = curves(points), _View(x, y, theme, above, floor_points(points, y))
    numbers = range(len(lines))
    traces = [_band_trace(lines, number, view) for number in numbers if _has_band(lines[number], view)]
    traces += [_errors_trace(lines, number, view) for number in numbers if _has_errors(lines[number], view)]
    traces += [_line_trace(lines, number, view) for number in numbers]
    traces.append(_ring_trace(lines, view, current))
    ks = {point.k for point in points}
    reach = max(ks) if len(ks) > 2 else math.inf  # the first points do not yet show where the axis will end
    shapes, notes = _marks(x, current, None if above else bound, reach, theme)
    if not above and y != "seconds":  # else the curves are in the best corner, and the titles name it
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
    border = {"width": 2 if is_floor(curve) else 0, "color": color}
    trace = view.trace("lines+markers", lines, number, curve.middle(view.y))
    size = 8 if len(trace["text"]) <= 40 else 6
    if view.y in FLOORS and curve.algorithm == FLOORS[view.y].algorithm:
        trace["name"] += " (floor)"
    return trace | {
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {"symbol": symbol, "size": size, "color": color, "line": border},
    }


def _has_band(curve: Curve, view: _View) -> bool:
    return view.x == "k" and any(len(seeds) > 1 for seeds in curve.by_k(view.y))


def _band_trace(lines: Sequence[Curve], number: int, view: _View) -> Settings:
    """Return the band from the least to the most over the seeds: an outline that goes out along the top and
    back along the bottom."""
    color = line_style(lines, number, view.theme)[0]
    ends = [(view.place(seeds[-1]), view.place(seeds[0])) for seeds in lines[number].by_k(view.y)]
    ends = [(top, bottom) for top, bottom in ends if not np.isnan([top, bottom]).any()]
    outline = np.array([top for top, _ in ends] + [bottom for _, bottom in reversed(ends)]).reshape(-1, 2)
    filled: Settings = {"fill": "toself", "fillcolor": look.faded(color, 0.2), "line": {"width": 0}}
    return scatter("lines", outline[:, 0], outline[:, 1], showlegend=False, **filled)


def _has_errors(curve: Curve, view: _View) -> bool:
    return view.x == "k" and not view.above and any(view.y in p.errors for p in curve.middle(view.y))


def _errors_trace(lines: Sequence[Curve], number: int, view: _View) -> Settings:
    """An error bar for each point that comes from a sample."""
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
    x: str, current: tuple[str, int, int] | None, bound: float | None, reach: float, theme: str
) -> tuple[list[Settings], list[Settings]]:
    """Lines at the current k and at the limit, and their captions; ``reach``: the greatest k of a point."""
    colors, shapes, notes = look.theme_of(theme), list[Settings](), list[Settings]()
    if current is not None and x == "k":
        k = float(current[1])
        shapes.append(rule("x", k, colors.accent, layer="below"))
        text = tr("now k = {k}").format(k=current[1])
        on_left = k > _NEAR_THE_END * reach  # at the right end the caption would leave the chart
        where: Settings = (
            {"anchor": "right top", "xshift": -4} if on_left else {"anchor": "left top", "xshift": 4}
        )
        notes.append(note(text, k, 1, colors.accent, paper="y", **where))
    if bound is not None:
        shapes.append(rule("y", bound, colors.lines[1], layer="below"))
        left = quantity(x).direction == "higher"  # away from the best corner, which has a note of its own
        side: Settings = {"anchor": f"{'left' if left else 'right'} bottom", "xshift": 2 if left else -2}
        notes.append(note(tr("limit"), int(not left), bound, colors.lines[1], paper="x", **side))
    return shapes, notes


def _in_the_corner(traces: Sequence[Settings], bound: float | None) -> float | None:
    """Return the limit, if it is so low that its line would cross the note in the lower corner."""
    highest = max((float(np.max(trace["y"])) for trace in traces if len(trace["y"])), default=0.0)
    return bound if bound is not None and bound < _CORNER * highest else None


def _alt(
    points: Sequence[SweepPoint], lines: Sequence[Curve], view: _View, current: tuple[str, int, int] | None
) -> str:
    """Return a summary of the chart for screen readers."""
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


def risk_figure(
    points: Sequence[SweepPoint],
    x: str = "WorstRisk",
    y: str = "ILSSDM",
    current: tuple[str, int, int] | None = None,
    theme: str = "light",
    pins: Pins = MappingProxyType({}),
) -> look.Figure:
    """One mark for each finished setting, one color and shape for each algorithm; the front is a staircase.

    ``x``, ``y``: names of `kanon_core.runs.sweeps.QUANTITIES`. ``current``: label of an algorithm (as
    `sentences.curves` gives it), k and seed, which gets a ring. ``pins``: some of the points by the letter
    that is written beside the mark of each. Each mark's ``customdata`` is what `picked_setting` reads. Raises
    OptionError for an unknown quantity or theme.
    """
    lines, colors = curves(points), look.theme_of(theme)
    best = front([point for curve in lines for point in curve.points], x, y)
    traces = [_front_trace(best, x, y, theme)]
    traces += [_marks_trace(lines, number, _View(x, y, theme)) for number in range(len(lines))]
    here = [p for c in lines for p in c.points if current == (c.label, p.k, p.seed)]
    places = [p.value(x) for p in here], [p.value(y) for p in here]
    pinned, letters = pin_marks(lines, pins, (x, y), theme)
    return look.figure(
        [*traces, *pinned, ring(places[0], places[1], colors.accent, showlegend=False)],
        theme,
        tr("{y} against {x}. {front}").format(
            y=axis_title(y), x=axis_title(x), front=front_sentence(points, x, y)
        ),
        height=440,
        xaxis=quantity_axis(x, False, theme),
        yaxis=quantity_axis(y, False, theme),
        annotations=[best_note(x, y, theme), *letters],
        showlegend=True,
        uirevision=f"map {x} {y}",
    )


def _marks_trace(lines: Sequence[Curve], number: int, view: _View) -> Settings:
    color, _, symbol = line_style(lines, number, view.theme)
    border = {"width": 1.5 if symbol.endswith("open") else 0, "color": color}
    marker = {"symbol": symbol, "size": 9, "color": color, "line": border}
    return view.trace("markers", lines, number, lines[number].points) | {"marker": marker}


def _front_trace(best: Sequence[SweepPoint], x: str, y: str, theme: str) -> Settings:
    """Return a staircase through the front: between two points, only the worse of both is known to be
    reached."""
    line = {"shape": "hv", "color": look.theme_of(theme).muted, "width": 1.5, "dash": "dot"}
    name = tr("front: no setting is better by both")
    across, up = ([point.value(letter) for point in best] for letter in (x, y))
    return scatter("lines", across, up, name=name, showlegend=len(best) > 1, line=line)


def front_sentence(points: Sequence[SweepPoint], x: str, y: str) -> str:
    """Return how many settings no other beats by both measures, by algorithm, and the two ends."""
    lines = curves(points)
    every = [point for curve in lines for point in curve.points]
    finished = [point for point, _ in _View(x, y).there(every)]
    best = front(finished, x, y)
    if not best:
        return tr("No finished setting has values of both measures.")
    labels = {curve.algorithm: curve.label for curve in lines}
    counts = Counter(labels[point.algorithm] for point in best)
    shares = ", ".join(f"{label} {count}" for label, count in counts.most_common())
    text = tr_n(
        "{best:,} of {settings} is not beaten by any other ({shares})",
        "{best:,} of {settings} are not beaten by any other ({shares})",
        len(best),
    )
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


def axis_title(name: str, above: bool = False) -> str:
    """Return the title of an axis, with its direction: ``Information loss (0 % = nothing lost)``."""
    what = quantity(name)
    if above:
        return tr("{title} above the optimum (0 % = optimal)").format(title=what.title)
    return f"{what.title} ({what.scale})"


def quantity_axis(name: str, above: bool, theme: str) -> Settings:
    """The axis of a quantity of a sweep, or of the share of a metric above its floor."""
    title = axis_title(name, above)
    if len(title) > 40:  # broken before its bracket, so that it fits a phone
        title = title.replace(" (", "<br>(", 1)
    if name == "k":
        return look.axis(theme, title, tickformat="d", nticks=12)
    numbers = ".1~%" if above or quantity(name).percent else "~g" if name == "seconds" else "~s"
    # Where 0 is the floor itself, leave a little room below it.
    return look.axis(theme, title, tickformat=numbers, rangemode="normal" if above else "tozero")


def best_note(x: str, y: str, theme: str, line: float | None = None) -> Settings:
    """Return the note in the best corner, above the ``line`` where a line at this height would cross it."""
    right, up = (quantity(name).direction == "higher" for name in (x, y))
    arrow = {(False, False): "↙", (True, False): "↘", (False, True): "↖", (True, True): "↗"}[right, up]
    text = tr("better {arrow}").format(arrow=arrow) if right else tr("{arrow} better").format(arrow=arrow)
    anchor = f"{'right' if right else 'left'} {'top' if up else 'bottom'}"
    shifts = {"xshift": -6 if right else 6, "yshift": -4 if up else 4}
    color = look.theme_of(theme).muted
    if line is not None and not up:
        return note(text, int(right), line, color, 13, paper="x", anchor=anchor, **shifts)
    return note(text, int(right), int(up), color, 13, paper="xy", anchor=anchor, **shifts)

"""How quantities of a sweep and its settings are drawn: axes, styles of algorithms, hover texts, clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kanon_core.base.randomness import folded
from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, note, scatter
from kanon_core.charts.curves.sentences import Curve
from kanon_core.sweeps import FLOORS, SweepPoint, quantity

MOST_CURVES = 8
"""So many can be told apart by color, and by dash and marker too, besides floors."""
_APART = (("dot", "line-ew-open"), ("dashdot", "x-thin-open"))
_FLOOR_LOOKS = {floor.algorithm: _APART[i % len(_APART)] for i, floor in enumerate(FLOORS.values())}
"""Dash and marker of the algorithms that are the floor of some metric."""


def picked_setting(event: Mapping[str, Any] | None) -> tuple[int, int, int] | None:
    """Number of the algorithm (in `sentences.curves`), k and folded seed of the point clicked, or None."""
    numbers = look.picked(event)
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) >= 3 else None


def settings_trace(
    mode: str, curve: Curve, number: int, placed: Sequence[tuple[SweepPoint, tuple[float, float], str]]
) -> Settings:
    """The finished points of an algorithm with their places and what is told of each besides algorithm and k;
    ``customdata`` is what `picked_setting` reads."""
    places = np.array([place for _, place, _ in placed], np.float64).reshape(-1, 2)
    told = look.plain(curve.label, 40) + "<br>k = %{customdata[1]}<br>%{text}"
    numbers = np.array([(number, p.k, folded(p.seed, 53)) for p, _, _ in placed], np.float64).reshape(-1, 3)
    texts = [text for _, _, text in placed]
    more = {"showlegend": bool(placed), "customdata": numbers, "text": texts, **UNDIMMED}
    return scatter(mode, places[:, 0], places[:, 1], told, name=look.plain(curve.label, 60), **more)


def point_texts(point: SweepPoint, names: Sequence[str]) -> list[str]:
    """The named quantities of a point, escaped, but k."""
    return [
        f"{quantity(name).title}: {look.plain(point.text(name))}"
        for name in dict.fromkeys(names)
        if name != "k"
    ]


def axis_title(name: str, above: bool = False) -> str:
    """The name of what is measured, with the direction said: ``Information loss (0 % = nothing lost)``."""
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
    # Where 0 is the floor itself there is a little room below it.
    return look.axis(theme, title, tickformat=numbers, rangemode="normal" if above else "tozero")


def is_floor(curve: Curve) -> bool:
    """Whether the algorithm is the floor of some metric, and so drawn apart."""
    return curve.algorithm in _FLOOR_LOOKS


def line_style(lines: Sequence[Curve], number: int, theme: str) -> tuple[str, str, str]:
    """Color, dash and marker of a line; a floor is gray and takes no place in the palette."""
    colors = look.theme_of(theme)
    if (apart := _FLOOR_LOOKS.get(lines[number].algorithm)) is not None:
        return colors.muted, *apart
    place, palette = sum(not is_floor(line) for line in lines[:number]), colors.lines[:-1]
    dash, marker = look.DASHES[place % len(look.DASHES)], look.MARKERS[place % len(look.MARKERS)]
    return palette[place % len(palette)], dash, marker


def best_note(x: str, y: str, theme: str, line: float | None = None) -> Settings:
    """Which corner is best, said in that corner; where a ``line`` at this height would cross it, above the
    line."""
    right, up = (quantity(name).direction == "higher" for name in (x, y))
    arrow = {(False, False): "↙", (True, False): "↘", (False, True): "↖", (True, True): "↗"}[right, up]
    text = tr("better {arrow}").format(arrow=arrow) if right else tr("{arrow} better").format(arrow=arrow)
    anchor = f"{'right' if right else 'left'} {'top' if up else 'bottom'}"
    shifts = {"xshift": -6 if right else 6, "yshift": -4 if up else 4}
    color = look.theme_of(theme).muted
    if line is not None and not up:
        return note(text, int(right), line, color, 13, paper="x", anchor=anchor, **shifts)
    return note(text, int(right), int(up), color, 13, paper="xy", anchor=anchor, **shifts)

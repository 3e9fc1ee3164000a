"""The axes of a drawing: the room around them, thin lines, names of ticks, titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanon_core.charts.drawing.markup import lines, percent, tag, text, width
from kanon_core.charts.drawing.scales import Scale, Settings

_TICK, _LINE = 4, 1.25
_ROOM = {"bottom": 12, "left": 7, "right": 7}
"""Ticks that an axis has room for, about."""


class Around(NamedTuple):
    """Pixels around the axes."""

    top: float
    right: float
    bottom: float
    left: float


@dataclass(frozen=True)
class Axes:
    """The scales of a drawing; ``other`` is a second upright one on the right."""

    x: Scale
    y: Scale
    other: Scale | None = None

    @classmethod
    def of(cls, traces: Sequence[Settings], layout: Settings) -> Axes:
        """The axes of a figure with these traces."""
        upright = [one for one in traces if one.get("yaxis", "y") == "y"]
        x = Scale.of(layout["xaxis"], [_values(one, "x") for one in traces])
        y = Scale.of(layout["yaxis"], [_values(one, "y") for one in upright])
        return cls(x, y, Scale.of(layout["yaxis2"], ()) if "yaxis2" in layout else None)

    def shown(self) -> Iterator[tuple[str, Scale, list[tuple[float, str]]]]:
        """Side, scale and ticks of each axis that is to be seen."""
        for side, scale in (("bottom", self.x), ("left", self.y), ("right", self.other)):
            if scale is not None and scale.settings.get("visible", True):
                yield side, scale, scale.ticks(_ROOM[side])

    def around(self, layout: Settings) -> Around:
        """The room that names and titles need, at least the figure's own."""
        given = layout.get("margin", {})
        found = {side: float(given.get(side[0], 8)) for side in Around._fields}
        for side, scale, ticks in self.shown():
            axis = scale.settings
            label = (
                _LINE * _size(axis) if side == "bottom" else width([name for _, name in ticks], _size(axis))
            )
            found[side] = max(found[side], label + _away(axis) + _title_room(axis) + 2)
        return Around(**found)


def _values(trace: Settings, letter: str) -> np.ndarray:
    found = np.atleast_1d(np.asarray(trace.get(letter, ()), np.float64))
    return np.append(found, 0.0) if trace.get("type") == "bar" else found


def _size(axis: Settings) -> float:
    return float(axis.get("tickfont", {}).get("size", 12))


def _away(axis: Settings) -> float:
    return _TICK + float(axis.get("ticklabelstandoff", 4))


def _title_room(axis: Settings) -> float:
    title = axis.get("title", {})
    says, size = title.get("text", ""), float(title.get("font", {}).get("size", 13))
    return len(lines(says)) * _LINE * size + 7 if says else 0.0


def grid(axes: Axes) -> str:
    """Thin lines at the ticks, and the lines of the axes."""
    drawn = []
    for side, scale, ticks in axes.shown():
        axis, standing = scale.settings, side == "bottom"
        shares = (
            [share if standing else 1 - share for share, _ in ticks] if axis.get("showgrid", True) else []
        )
        drawn += [_across(percent(share), standing, axis.get("gridcolor")) for share in shares]
        if axis.get("showline"):
            end = {"bottom": "100%", "left": "0", "right": "100%"}[side]
            drawn.append(_across(end, not standing, axis.get("linecolor")))
    return "".join(drawn)


def _across(at: str, standing: bool, color: object) -> str:
    if standing:
        return tag("line", x1=at, x2=at, y1="0", y2="100%", stroke=color)
    return tag("line", x1="0", x2="100%", y1=at, y2=at, stroke=color)


def names(axes: Axes, around: Around) -> str:
    """What the ticks are called, and the titles of the axes."""
    drawn = []
    for side, scale, ticks in axes.shown():
        axis = scale.settings
        font = {"size": _size(axis), **axis.get("tickfont", {})}
        for share, name in ticks:
            if side == "bottom":
                shift = {"text_anchor": "middle", "transform": f"translate(0,{_away(axis) - 2:g})"}
                drawn.append(text(name, (percent(share), "100%"), font, 0.9, **shift))
            else:
                far, sign, anchor = ("100%", 1, "start") if side == "right" else ("0", -1, "end")
                shift = {"text_anchor": anchor, "transform": f"translate({sign * _away(axis):g},0)"}
                drawn.append(text(name, (far, percent(1 - share)), font, **shift))
        drawn.append(_title(axis, side, around))
    return "".join(drawn)


def _title(axis: Settings, side: str, around: Around) -> str:
    title = axis.get("title", {})
    if not title.get("text"):
        return ""
    says, font, middle = title["text"], title.get("font", {}), {"text_anchor": "middle"}
    if side == "bottom":
        below = f"translate(0,{_LINE * _size(axis) + _away(axis):g})"
        return text(says, ("50%", "100%"), font, 0.9, transform=below, **middle)
    # Turned around its own place: a picture of its own stands at the middle of the axis.
    turned = text(says, ("0", "0"), font, 0.9, transform="rotate(-90)", **middle)
    return tag("svg", turned, x=3 - around.left, y="50%", overflow="visible")

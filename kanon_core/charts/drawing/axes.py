"""Axes of a drawing: the places of values, ticks, the room around them, lines, texts and titles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kanon_core.charts.drawing.markup import lines, percent, tag, text, width

Settings = Mapping[str, Any]

_SPARE = 0.05
_STEPS = (1.0, 2.0, 5.0, 10.0)
_DATES = (("Y", "%Y", 365.2425), ("M", "%b %Y", 30.44), ("D", "%d %b %Y", 1.0), ("h", "%d %b %H:%M", 1 / 24))
_DAY = 86_400_000.0
_TICK, _LINE = 4, 1.25
_ROOM = {"bottom": 12, "left": 7, "right": 7}
"""About the number of ticks that an axis has room for."""


@dataclass(frozen=True)
class Scale:
    """The scale of an axis, from ``low`` at the left or the bottom to ``high``; on a logarithmic axis both
    are exponents of ten."""

    low: float
    high: float
    settings: Settings

    @classmethod
    def of(cls, settings: Settings, values: Sequence[np.ndarray]) -> Scale:
        """The scale of an axis: its own range, or one that holds all these values."""
        if settings.get("range") is not None:
            low, high = settings["range"]
            return cls(float(low), float(high), settings)
        every = np.concatenate([np.zeros(0), *(_floats(one) for one in values)])
        every = every[np.isfinite(every)]
        low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
        if settings.get("rangemode") == "tozero":
            low, high = min(low, 0.0), max(high, 0.0)
        room = _SPARE * ((high - low) or abs(high) or 1.0)
        return cls(low if low == 0 else low - room, high if high == 0 else high + room, settings)

    @property
    def logarithmic(self) -> bool:
        """Return whether a step of the axis is a factor."""
        return bool(self.settings.get("type") == "log")

    def share(self, values: Any) -> np.ndarray:
        """Return how far along the axis each value lies, 0 to 1; NaN where there is none."""
        found = _floats(values)
        if self.logarithmic:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.log10(found)
        return (found - self.low) / ((self.high - self.low) or 1.0)

    def ticks(self, room: int) -> list[tuple[float, str]]:
        """Share of the axis and text of each tick; at most about ``room`` of them."""
        names = self.settings.get("ticktext")
        if self.settings.get("tickvals") is not None:
            places = list(self.settings["tickvals"])
            texts = list(names) if names is not None else [f"{place:g}" for place in places]
        elif self.logarithmic:
            steps = (1, 2, 5) if 3 * len(self._powers()) <= room else (1,)
            places = [step * 10.0**power for power in self._powers() for step in steps]
            texts = [number(place, place, str(self.settings.get("tickformat", ""))) for place in places]
        elif self.settings.get("type") == "date":
            places, texts = _date_ticks(self.low, self.high, room)
        else:
            step = float(
                self.settings.get("dtick") or nice(abs(self.high - self.low), self._most_ticks(room))
            )
            places = multiples(self.low, self.high, step)
            texts = [number(place, step, str(self.settings.get("tickformat", ""))) for place in places]
        found = zip(self.share(places).tolist(), texts, strict=True)
        return [(place, text) for place, text in found if -1e-9 <= place <= 1 + 1e-9]

    def _most_ticks(self, room: int) -> int:
        return min(room, int(self.settings.get("nticks") or room))

    def _powers(self) -> range:
        return range(math.floor(min(self.low, self.high)), math.ceil(max(self.low, self.high)) + 1)


def _floats(values: Any) -> np.ndarray:
    return np.atleast_1d(np.asarray(values, np.float64))


def nice(span: float, most: int) -> float:
    """The least step of 1, 2 or 5 times a power of ten that divides a span into at most so many parts.

    >>> nice(48, 6), nice(0.12, 6)
    (10.0, 0.02)
    """
    rough = (span or 1.0) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))


def multiples(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step between two numbers, ascending."""
    first, last = sorted((low / step, high / step))
    return [n * step for n in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]


def number(value: float, step: float, style: str = "") -> str:
    """A number beside a tick, as exact as the step between ticks; ``style`` as the axis has it.

    >>> number(0.125, 0.025, ".1~%"), number(12000, 2000, ",d"), number(12000, 2000), number(1.5, 0.5)
    ('12.5%', '12,000', '12,000', '1.5')
    """
    if "%" in style:
        value, step = 100 * value, 100 * step
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step < 1 or step % 1 else 0
    if decimals > 6:
        return f"{value:.3g}"
    text = f"{value:,.{decimals if decimals or step >= 1 else 0}f}"
    if step % 1 and decimals == 0:
        text = f"{value:,.1f}"
    return text + ("%" if "%" in style else "")


def _date_ticks(low: float, high: float, room: int) -> tuple[list[float], list[str]]:
    """Round dates between two times in milliseconds, in the largest unit that gives at least three."""
    days = (high - low) / _DAY
    unit, form, length = next((one for one in _DATES if days / one[2] >= 3), _DATES[-1])
    step = max(1, math.ceil(days / length / room))
    ends = np.array([low, high]).astype(np.int64).astype("datetime64[ms]").astype(f"datetime64[{unit}]")
    first, last = ends.astype(np.int64).tolist()
    found = np.arange(first, last + 1, step).astype(f"datetime64[{unit}]")
    return found.astype("datetime64[ms]").astype(np.float64).tolist(), [
        one.item().strftime(form) for one in found.astype("datetime64[s]")
    ]


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
    found = _floats(trace.get(letter, ()))
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
    """Return what the ticks are called, and the titles of the axes."""
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
    # The text is turned around its own place; an SVG element of its own is at the middle of the axis.
    turned = text(says, ("0", "0"), font, 0.9, transform="rotate(-90)", **middle)
    return tag("svg", turned, x=3 - around.left, y="50%", overflow="visible")

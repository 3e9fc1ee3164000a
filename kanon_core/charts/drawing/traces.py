"""Traces of a drawing: lines and areas, markers, bars."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kanon_core.charts.drawing.axes import Scale, Settings
from kanon_core.charts.drawing.markup import percent, plain, tag

TOLD_AT_MOST = 400
"""The most markers with texts of their own; with more, these texts are left out."""
_GRAIN = 10_000
_WHOLE = f"0 0 {_GRAIN} {_GRAIN}"
_THIN = {"vector_effect": "non-scaling-stroke"}
_DASHES = {
    "dot": (1, 1),
    "dash": (3, 3),
    "longdash": (5, 5),
    "dashdot": (3, 1, 1, 1),
    "longdashdot": (5, 2, 1, 2),
}
_SHAPES = {
    "square": "M-1-1H1V1H-1Z",
    "diamond": "M0-1.3L1.3 0L0 1.3L-1.3 0Z",
    "triangle-up": "M0-1.15L1.15 .9H-1.15Z",
    "triangle-down": "M0 1.15L1.15-.9H-1.15Z",
    "triangle-left": "M-1.15 0L.9-1.15V1.15Z",
    "cross": "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
    "star": "M0-1.4L.35-.45L1.35-.4L.55.2L.85 1.15L0 .6L-.85 1.15L-.55.2L-1.35-.4L-.35-.45Z",
    "hexagon": "M0-1.15L1-.57V.57L0 1.15L-1 .57V-.57Z",
    "x": "M-1-.6L-.6-1L0-.4L.6-1L1-.6L.4 0L1 .6L.6 1L0 .4L-.6 1L-1 .6L-.4 0Z",
    "x-thin": "M-1-1L1 1M1-1L-1 1",
    "line-ew": "M-1.3 0H1.3",
}
_FIELD = re.compile(r"%\{(x|y|text|customdata\[(\d+)\])\}")


def dashes(style: object, width: float) -> str | None:
    """The lengths of a broken line in pixels; None for a whole one.

    >>> dashes("dash", 2), dashes("9px,3px", 2), dashes("solid", 2)
    ('6 6', '9 3', None)
    """
    known = [f"{part * max(width, 1):g}" for part in _DASHES.get(str(style), ())]
    return " ".join(known or re.findall(r"\d+", str(style))) or None


def stroke(line: Settings) -> dict[str, Any]:
    """The attributes of a line of this color, width and dash."""
    width = float(line.get("width", 2))
    broken = dashes(line.get("dash", "solid"), width)
    return {"stroke": line.get("color"), "stroke_width": width, "stroke_dasharray": broken} if width else {}


def path(trace: Settings, x: Scale, y: Scale) -> str:
    """Return the lines of a trace, and the area that they enclose if it is filled; NaN separates one line
    from the next, and parts beyond the ends of the axes are not seen."""
    across, down = x.share(trace.get("x", ())) * _GRAIN, (1 - y.share(trace.get("y", ()))) * _GRAIN
    filled = trace.get("fill") == "toself"
    look = stroke(trace.get("line") or {})
    pieces = [" ".join(map(str, piece.ravel().tolist())) for piece in _pieces(across, down)]
    if not pieces or not (look or filled):
        return ""
    route = "".join(f"M{piece}{'Z' if filled else ''}" for piece in pieces)
    fill = trace.get("fillcolor") if filled else "none"
    drawn = tag("path", d=route, fill=fill, fill_rule="evenodd", stroke_linejoin="round", **look, **_THIN)
    whole = {"viewBox": _WHOLE, "width": "100%", "height": "100%"}
    return tag("svg", drawn, preserveAspectRatio="none", **whole)


def _pieces(x: np.ndarray, y: np.ndarray) -> Iterator[np.ndarray]:
    """The runs of places between those that are NaN, in whole grains."""
    points = np.column_stack([x, y])
    there = np.isfinite(points).all(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(np.int8)))
    whole = np.clip(np.where(there[:, None], points, 0), -5 * _GRAIN, 6 * _GRAIN).round().astype(np.int64)
    for start, end in edges.reshape(-1, 2).tolist():
        yield whole[start:end]


def markers(trace: Settings, x: Scale, y: Scale, picked: bool) -> str:
    """The markers of a trace inside the axes, each with what it says; ``picked``: those with facts
    (``customdata``) can be chosen, and carry them."""
    marker = trace.get("marker") or {}
    if not marker.get("opacity", 1):
        return ""
    across, down = x.share(trace.get("x", ())), 1 - y.share(trace.get("y", ()))
    inside = np.flatnonzero((np.abs(across - 0.5) <= 0.51) & (np.abs(down - 0.5) <= 0.51))
    say = len(across) <= TOLD_AT_MOST and trace.get("hoverinfo") != "skip"
    drawn = []
    for i in inside.tolist():
        mark = _mark(marker, i, (percent(across[i]), percent(down[i])))
        drawn.append(_labeled(trace, i, mark, picked) if say else mark)
    return "".join(drawn)


def _labeled(trace: Settings, i: int, mark: str, picked: bool) -> str:
    """Return a marker with its text, from the template that other charts show beside the pointer."""

    def value(match: re.Match[str]) -> str:
        given = trace["customdata"][i][int(match[2])] if match[2] else _one(trace.get(match[1]), i)
        return given if isinstance(given, str) else f"{given:g}"

    template = str(trace.get("hovertemplate") or "").split("<extra>")[0]
    says = plain(_FIELD.sub(value, template))
    if not says:
        return mark
    inside = mark + tag("title", html.escape(says, quote=False))
    if not picked or trace.get("customdata") is None:
        return tag("g", inside)
    facts = ",".join(f"{fact:.0f}" for fact in trace["customdata"][i])
    return tag("g", inside, role="button", aria_label=says.replace("\n", ", "), data_facts=facts)


def _mark(marker: Settings, i: int, place: tuple[str, str]) -> str:
    symbol, half = str(_one(marker.get("symbol", "circle"), i)), float(_one(marker.get("size", 6), i)) / 2
    color, line, hollow = _one(marker.get("color"), i), marker.get("line") or {}, "-open" in symbol
    width = float(line.get("width", hollow)) or float(hollow)
    edge = {"stroke": color if hollow else line.get("color", color), "stroke_width": width} if width else {}
    look = {"fill": "none" if hollow else color, **edge}
    if symbol.startswith("circle"):
        return tag("circle", cx=place[0], cy=place[1], r=half, **look)
    shape = tag("path", d=_SHAPES[symbol.replace("-open", "")], transform=f"scale({half:g})", **look, **_THIN)
    return tag("svg", shape, x=place[0], y=place[1], overflow="visible")


def _one(given: Any, i: int) -> Any:
    return given[i] if isinstance(given, (list, tuple, np.ndarray)) else given


def bars(traces: Sequence[Settings], x: Scale, y: Scale, stacked: bool) -> str:
    """Bars, lying or standing, one upon the other where they are stacked."""
    drawn, reached = list[str](), dict[float, float]()
    for trace in traces:
        lying = trace.get("orientation") == "h"
        along, side = (x, y) if lying else (y, x)
        places, lengths = (
            np.asarray(trace[letter], np.float64).tolist() for letter in ("yx" if lying else "xy")
        )
        half, color = float(trace.get("width") or 0.8) / 2, (trace.get("marker") or {}).get("color")
        for i, (place, length) in enumerate(zip(places, lengths, strict=True)):
            begin = reached.get(place, 0.0) if stacked else 0.0
            reached[place] = begin + length
            ends = along.share([begin, begin + length]), side.share([place - half, place + half])
            drawn.append(box("rect", *(ends if lying else ends[::-1]), fill=_one(color, i)))
    return "".join(drawn)


def box(name: str, across: Any, up: Any, **look: Any) -> str:
    """An element between two shares of the width and two of the height, which count from the bottom."""
    (left, right), (low, high) = sorted(map(float, across)), sorted(map(float, up))
    size = {"width": percent(right - left), "height": percent(high - low)}
    return tag(name, x=percent(left), y=percent(1 - high), **size, **look)

"""What else a drawing holds: painted pictures, rules and boxes, notes, a legend."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kanon_core.charts.drawing import traces
from kanon_core.charts.drawing.axes import Axes
from kanon_core.charts.drawing.markup import percent, plain, tag, text
from kanon_core.charts.drawing.scales import Scale, Settings

_ANCHORS = {"left": "start", "right": "end", "center": "middle"}
_LOWERED = {"top": 0.85, "middle": 0.32, "bottom": -0.25}
_KEYS = "display:flex;flex-wrap:wrap;gap:.1rem .9rem;font-size:13px;padding:0 .5rem .2rem"
_KEY = "display:inline-flex;align-items:center;gap:.35rem"
_PICTURE = "data:image/png;base64,"


def _share(axes: Axes, one: Mapping[str, Any], letter: str, at: float) -> float:
    """Share of the axis at which something stands, whose places may be such shares themselves."""
    if one.get(f"{letter}ref") == "paper":
        return float(at)
    return float((axes.x if letter == "x" else axes.y).share(at)[0])


def _of(layout: Settings, name: str, layer: str) -> Iterator[Mapping[str, Any]]:
    return (one for one in layout.get(name) or () if one.get("layer", "above") == layer)


def images(axes: Axes, layout: Settings, layer: str) -> str:
    """Painted pictures, which the figure brings along; no other is shown."""
    drawn = []
    for one in _of(layout, "images", layer):
        if str(one["source"]).startswith(_PICTURE):
            across = [_share(axes, one, "x", at) for at in (one["x"], one["x"] + one["sizex"])]
            up = [_share(axes, one, "y", at) for at in (one["y"] - one["sizey"], one["y"])]
            look = {"href": one["source"], "preserveAspectRatio": "none"}
            drawn.append(traces.box("image", across, up, **look))
    return "".join(drawn)


def shapes(axes: Axes, layout: Settings, layer: str) -> str:
    """Rules and boxes."""
    drawn = []
    for one in _of(layout, "shapes", layer):
        across, up = ([_share(axes, one, letter, one[f"{letter}{end}"]) for end in (0, 1)] for letter in "xy")
        look = traces.stroke(one.get("line", {}))
        if one["type"] == "line":
            ends = {f"x{end + 1}": percent(across[end]) for end in (0, 1)}
            ends |= {f"y{end + 1}": percent(1 - up[end]) for end in (0, 1)}
            drawn.append(tag("line", **ends, **look))
        else:
            drawn.append(traces.box("rect", across, up, fill=one.get("fillcolor", "none"), **look))
    return "".join(drawn)


def notes(axes: Axes, layout: Settings) -> str:
    """Texts at their places; what would lie behind a text is a seam around its letters."""
    drawn = []
    for one in layout.get("annotations") or ():
        place = percent(_share(axes, one, "x", one["x"])), percent(1 - _share(axes, one, "y", one["y"]))
        seam = (
            {"stroke": one["bgcolor"], "stroke_width": 4, "paint_order": "stroke"} if "bgcolor" in one else {}
        )
        shift = f"translate({one.get('xshift', 0):g},{-one.get('yshift', 0):g})"
        anchor, lowered = _ANCHORS[one.get("xanchor", "center")], _LOWERED[one.get("yanchor", "middle")]
        drawn.append(
            text(
                one["text"], place, one.get("font", {}), lowered, text_anchor=anchor, transform=shift, **seam
            )
        )
    return "".join(drawn)


def legend(given: Sequence[Settings], layout: Settings) -> str:
    """The names of the traces in a line, which wraps where it is too long; empty where none is wanted."""
    if not layout.get("showlegend"):
        return ""
    named = [one for one in given if one.get("showlegend", True) and one.get("name")]
    keys = [tag("span", _swatch(one) + html.escape(plain(one["name"])), style=_KEY) for one in named]
    return tag("div", "".join(keys), style=_KEYS)


def _swatch(trace: Settings) -> str:
    marker, mode, one = trace.get("marker") or {}, str(trace.get("mode", "")), Scale(0, 1, {})
    size = {"width": 26, "height": 14, "aria_hidden": "true"}
    if trace.get("fill") == "toself" or trace.get("type") == "bar":
        color = trace.get("fillcolor") or marker.get("color")
        return tag("svg", tag("rect", x=6, y=1, width=13, height=12, fill=color), **size)
    middle = {"x": [0, 1], "y": [0.5, 0.5], "line": trace.get("line")}
    drawn = traces.path(middle, one, one) if "lines" in mode else ""
    dot = {"x": [0.5], "y": [0.5], "marker": {**marker, "size": 8}, "hoverinfo": "skip"}
    return tag("svg", drawn + (traces.markers(dot, one, one, False) if "markers" in mode else ""), **size)

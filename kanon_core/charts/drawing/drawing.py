"""A figure as HTML with SVG: places in percent, texts in pixels, so that it fits any width."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.drawing import extras, traces
from kanon_core.charts.drawing.axes import Axes, grid, names
from kanon_core.charts.drawing.markup import plain, tag
from kanon_core.charts.drawing.scales import Settings

if TYPE_CHECKING:
    import plotly.graph_objects as go


def drawing(figure: go.Figure, height: int | None = None, picked: bool = False) -> str:
    """The figure as a piece of HTML, as wide as its place and ``height`` pixels high (default: the figure's).

    ``picked``: markers that carry facts can be chosen, by what holds the drawing (``data-facts``). It draws
    what the figures of Kanon are made of: lines, areas, markers and bars on linear, logarithmic and date
    axes, rules, notes, painted pictures, a legend. Every text is escaped, and only PNG pictures that the
    figure itself brings along are shown. Raises ValueError for other traces. Cost O(points): about
    2 ms for 50 points of a curve.

    >>> import kanon_core as kc
    >>> from kanon_core.charts.groups.clusters import cluster_figure
    >>> table = kc.read_table("sample:people-100")
    >>> drawing(cluster_figure(table, kc.anonymize(table, kc.MDAV(), 3, seed=1))).count("<circle")
    100
    """
    made = figure.to_plotly_json()
    given, layout = [_arrays(one) for one in made["data"]], _arrays(made["layout"])
    for one in given:
        if one.get("type", "scatter") not in ("scatter", "bar"):
            raise ValueError(tr("Traces of type {type} cannot be drawn.").format(type=one["type"]))
    axes = Axes.of(given, layout)
    around = axes.around(layout)
    inside = (
        grid(axes),
        *_layer(axes, layout, "below"),
        _traces(axes, given, layout, picked),
        *_layer(axes, layout, "above"),
        names(axes, around),
        extras.notes(axes, layout),
    )
    font = f"color:{layout['font']['color']};font-family:{layout['font']['family']}"
    says = {"role": "group" if picked else "img", "aria_label": plain(layout["meta"]["alt"])}
    look = f"display:block;width:100%;height:100%;overflow:visible;{font}"
    padding = " ".join(f"{pixels:.0f}px" for pixels in around)
    parts = [
        extras.legend(given, layout),
        tag(
            "div",
            tag("svg", "".join(inside), style=look, **says),
            style=f"flex:1;min-height:0;padding:{padding}",
        ),
    ]
    if layout.get("legend", {}).get("y", 1) < 0.5:
        parts.reverse()
    whole = f"height:{height or layout['height']}px;display:flex;flex-direction:column"
    return tag("div", "".join(parts), class_="drawing", style=whole)


def _arrays(given: Any) -> Any:
    """The settings with plain arrays where plotly packs them into text."""
    if isinstance(given, Mapping):
        if "bdata" in given:
            found = np.frombuffer(base64.b64decode(given["bdata"]), given["dtype"])
            return found.reshape([int(n) for n in str(given.get("shape", len(found))).split(",")])
        return {name: _arrays(one) for name, one in given.items()}
    return [_arrays(one) for one in given] if isinstance(given, (list, tuple)) else given


def _layer(axes: Axes, layout: Settings, layer: str) -> tuple[str, str]:
    return extras.images(axes, layout, layer), extras.shapes(axes, layout, layer)


def _traces(axes: Axes, given: Sequence[Settings], layout: Settings, picked: bool) -> str:
    standing = [one for one in given if one.get("type") == "bar"]
    drawn = [traces.bars(standing, axes.x, axes.y, layout.get("barmode") == "stack")]
    for one in given:
        y = axes.other if one.get("yaxis") == "y2" and axes.other else axes.y
        mode = str(one.get("mode", "")) if one.get("type", "scatter") == "scatter" else ""
        if "lines" in mode:
            drawn.append(traces.path(one, axes.x, y))
        if "markers" in mode:
            drawn.append(traces.markers(one, axes.x, y, picked))
    return "".join(drawn)

"""One numeric attribute: the number line, its values, and the interval of each group."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.canvas.plane import Axis, axis
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.columns.texts import number_texts
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

VALUES_AT_MOST = 1_000
VECTORS_AT_MOST = 400
PICKS_AT_MOST = 1_000
LANES_AT_MOST = 24
_COLUMNS = 120
_HOVER = "group %{customdata[0]} · %{customdata[1]} records<br>%{text}<extra></extra>"


@dataclass(frozen=True)
class Line:
    """The groups on the number line.

    ``low`` and ``high`` (float64, g, in the axis's unit; NaN for a group of missing values), ``lane`` (int64,
    g): groups in one lane do not overlap unless there are more than 24 lanes; ``crowded`` then is True.
    ``order``: the groups that have values, from left to right.
    """

    axis: Axis
    groups: np.ndarray
    sizes: np.ndarray
    low: np.ndarray
    high: np.ndarray
    order: np.ndarray
    lane: np.ndarray
    lanes: int
    crowded: bool

    @classmethod
    def of(cls, table: Table, release: Release, name: str) -> Line:
        """The line of a numeric column; SchemaError for another. Cost O(n log n)."""
        table.numbers(name)
        line = axis(table, name)
        groups, sizes = release.groups, release.cover.sizes
        values = np.where(line.missing, np.nan, line.values)[release.cover.order]
        starts = release.cover.starts[:-1]
        low = np.fmin.reduceat(values, starts) if len(starts) else np.zeros(0)
        high = np.fmax.reduceat(values, starts) if len(starts) else np.zeros(0)
        order = np.lexsort((high, low))
        order = order[~np.isnan(low[order])]
        lane, lanes = _lanes(low, high, order)
        return cls(
            line,
            groups,
            sizes,
            low,
            high,
            order,
            lane % LANES_AT_MOST,
            min(lanes, LANES_AT_MOST),
            lanes > LANES_AT_MOST,
        )

    @property
    def breaks(self) -> np.ndarray:
        """Where one group ends and the next begins, halfway; empty unless the groups lie one after the
        other."""
        if self.lanes != 1:
            return np.zeros(0)
        return (self.high[self.order][:-1] + self.low[self.order][1:]) / 2


def _lanes(low: np.ndarray, high: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, int]:
    """The first free lane for each interval from left to right; intervals that only touch share a lane."""
    lane = np.zeros(len(low), np.int64)
    free: list[int] = []
    busy: list[tuple[float, int]] = []
    count = 0
    for group in order.tolist():
        start, end = float(low[group]), float(high[group])
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            chosen = heapq.heappop(free)
        else:
            chosen, count = count, count + 1
        lane[group] = chosen
        heapq.heappush(busy, (end, chosen))
    return lane, count


def numberline_figure(
    table: Table, release: Release, name: str, selected: int | None = None, theme: str = "light"
) -> go.Figure:
    """Values above, the interval of each group below, on one number line.

    Up to 1,000 values are dots stacked where they crowd, more are a histogram. Groups alternate between two
    tones from left to right; those that overlap lie in different lanes. More than 400 groups are painted into
    a picture (`painting`). Clicks are read by `kanon_core.charts.groups.clusters.picked_group`. Raises
    SchemaError unless the column is numeric.
    """
    line = Line.of(table, release, name)
    layout: dict[str, Any] = {
        "xaxis": line.axis.layout(theme),
        "yaxis": {"range": [_floor(line) - 0.08, 1.05], "visible": False, "fixedrange": True},
        "uirevision": f"{table.digest[:16]} {name!r}",
        "shapes": [],
        "annotations": _captions(theme),
    }
    traces = _value_traces(line, theme)
    if len(line.order) <= VECTORS_AT_MOST:
        traces += _band_traces(line, theme)
    else:
        layout["images"] = [_painted(line, theme)]
        layout["xaxis"]["showgrid"] = False  # the grid would lie over the picture
    traces += [_pick_trace(table, line, selected), *_selected_traces(line, selected, theme)]
    return look.figure(
        traces, layout, theme, numberline_sentence(table, release, name), height=250 + 6 * line.lanes
    )


def numberline_sentence(table: Table, release: Release, name: str) -> str:
    """How the groups cut the number line, in words."""
    line = Line.of(table, release, name)
    column = table.numbers(name)
    if not len(line.order):
        return f"No group has a value of “{name}”."
    widths = (line.high - line.low)[line.order]
    ends = line.axis.extent
    low, high = (
        number_texts(np.array(ends) / 1000, column) if line.axis.date else (f"{end:,.6g}" for end in ends)
    )
    text = f"{look.count_text(len(line.order), 'group')} cover “{name}” from {low} to {high}"
    full = line.axis.extent[1] - line.axis.extent[0]
    if full > 0:
        median, widest = (look.percent_text(float(of(widths)) / full) for of in (np.median, np.max))
        text += f"; the median interval is {median} % of that range wide, the widest {widest} %"
    if len(line.order) > 1:
        text += ", and they lie one after the other" if line.lanes == 1 else ", and they overlap"
    if line.lanes > 1 and len(table.quasi) > 1:
        text += ", because other attributes also decide who hides with whom"
    missing, gone = int(line.axis.missing.sum()), int((line.groups < 0).sum())
    if missing:
        text += (
            f". {look.count_text(missing, 'record')} without a value {'is' if missing == 1 else 'are'} not"
            " drawn"
        )
    if gone:
        text += f". {look.count_text(gone, 'record')} {'is' if gone == 1 else 'are'} suppressed"
    return text + "."


def _captions(theme: str) -> list[dict[str, Any]]:
    colors = look.theme_of(theme)
    return [
        {
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": y,
            "yanchor": "top",
            "text": text,
            "showarrow": False,
            "font": {"size": 12, "color": colors.muted},
        }
        for y, text in ((1.05, "records"), (-0.02, "groups"))
    ]


def _tones(theme: str) -> tuple[str, str]:
    colors = look.theme_of(theme)
    return colors.lines[0], colors.lines[1]


def _parity(line: Line) -> np.ndarray:
    """0, 1, 0, 1, … from left to right; −1 for groups that are not on the line."""
    parity = np.full(len(line.low), -1)
    parity[line.order] = np.arange(len(line.order)) % 2
    return parity


def _value_traces(line: Line, theme: str) -> list[dict[str, Any]]:
    present = np.flatnonzero(~line.axis.missing)
    values = line.axis.values[present]
    low, high = line.axis.span
    if len(present) > VALUES_AT_MOST:
        counts, edges = np.histogram(values, 200, (low, high))
        bars = {"color": look.faded(look.theme_of(theme).muted, 0.6), "line": {"width": 0}}
        return [
            {
                "type": "bar",
                "x": (edges[:-1] + edges[1:]) / 2,
                "y": counts / max(counts.max(), 1),
                "marker": bars,
                "width": (high - low) / 200,
                "customdata": counts.astype(np.int32),
                "hovertemplate": "%{customdata} records<extra></extra>",
            }
        ]
    tones = np.array([*_tones(theme), look.theme_of(theme).muted])
    column = np.floor((values - low) / (high - low) * _COLUMNS).astype(np.int64)
    order = np.lexsort((values, column))
    first = np.flatnonzero(np.diff(column[order], prepend=-1))
    height = np.empty(len(order), np.int64)
    height[order] = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    tallest = max(int(height.max(initial=0)) + 1, 12)
    groups = line.groups[present]
    facts = np.column_stack([groups + 1, np.append(line.sizes, 0)[groups], present + 1]).astype(np.int32)
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": values,
            "y": (height + 0.6) / tallest,
            "customdata": facts,
            "marker": {
                "size": 8 if len(values) <= 300 else 5,
                "color": tones[np.append(_parity(line), -1)[groups]].tolist(),
            },
            "hovertemplate": (
                "record %{customdata[2]}<br>group %{customdata[0]} · %{customdata[1]} records<extra></extra>"
            ),
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
        }
    ]


def _floor(line: Line) -> float:
    """The lower edge of the lowest lane."""
    return float(-0.2 - 0.8 / max(line.lanes, 3) * line.lanes)


def _heights(line: Line) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper edge of each group's band."""
    step = 0.8 / max(line.lanes, 3)
    top = -0.2 - step * line.lane
    return top - 0.82 * step, top


def _band_traces(line: Line, theme: str) -> list[dict[str, Any]]:
    bottom, top = _heights(line)
    least = (line.axis.span[1] - line.axis.span[0]) * 0.0015
    wider = np.maximum(least - (line.high - line.low), 0) / 2
    left, right = line.low - wider, line.high + wider
    parity, traces = _parity(line), []
    for tone, color in enumerate(_tones(theme)):
        chosen = np.flatnonzero(parity == tone)
        gap = np.full(len(chosen), np.nan)
        x = np.column_stack([left, right, right, left, left])[chosen]
        y = np.column_stack([bottom, bottom, top, top, bottom])[chosen]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": np.column_stack([x, gap]).reshape(-1),
                "y": np.column_stack([y, gap]).reshape(-1),
                "fill": "toself",
                "fillcolor": look.faded(color, 0.45),
                "line": {"color": color, "width": 1},
                "hoverinfo": "skip",
            }
        )
    return traces


def _painted(line: Line, theme: str) -> dict[str, Any]:
    bottom, top = _heights(line)
    canvas = Canvas(line.axis.span, (_floor(line), -0.2), height=max(24, 10 * line.lanes))
    parity = _parity(line)
    chosen = line.order[np.argsort((line.low - line.high)[line.order], kind="stable")]
    boxes = (line.low[chosen], bottom[chosen]), (line.high[chosen], top[chosen])
    canvas.fills(*boxes, (parity[chosen] + 1).astype(np.uint8))
    low, high = line.axis.span
    return {
        "source": canvas.source([(tone, 0.6) for tone in _tones(theme)]),
        "xref": "x",
        "yref": "y",
        "x": low,
        "y": -0.2,
        "sizex": high - low,
        "sizey": -0.2 - _floor(line),
        "sizing": "stretch",
        "layer": "below",
    }


def _pick_trace(table: Table, line: Line, selected: int | None) -> dict[str, Any]:
    """Unseen middles of evenly chosen bands; the hover text is the interval, in numbers or dates."""
    count = len(line.order)
    chosen = (
        line.order[np.unique(np.linspace(0, count - 1, min(count, PICKS_AT_MOST)).astype(np.int64))]
        if count
        else line.order
    )
    if selected is not None and selected in line.order and selected not in chosen:
        chosen = np.append(chosen, selected)
    bottom, top = _heights(line)
    facts = np.column_stack([chosen + 1, line.sizes[chosen]]).astype(np.int32)
    unseen = {"marker": {"opacity": 0}}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": ((line.low + line.high) / 2)[chosen],
        "y": ((bottom + top) / 2)[chosen],
        "customdata": facts,
        "text": _intervals(table.numbers(line.axis.name), line, chosen),
        "hovertemplate": _HOVER,
        "marker": {"size": 12, "opacity": 0, "maxdisplayed": 1},
        "selected": unseen,
        "unselected": unseen,
    }


def _intervals(column: Numbers, line: Line, chosen: np.ndarray) -> list[str]:
    scale = 1000 if line.axis.date else 1
    low, high = (number_texts(edge[chosen] / scale, column) for edge in (line.low, line.high))
    return [a if a == b else f"[{a}, {b}]" for a, b in zip(low, high, strict=True)]


def _selected_traces(line: Line, selected: int | None, theme: str) -> list[dict[str, Any]]:
    accent = look.theme_of(theme).accent
    if selected is None or not 0 <= selected < len(line.low) or np.isnan(line.low[selected]):
        x = y = np.zeros(0)
    else:
        bottom, top = _heights(line)
        a, b = line.low[selected], line.high[selected]
        c, d = bottom[selected], top[selected]
        x, y = np.array([a, b, b, a, a]), np.array([c, c, d, d, c])
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": y,
            "hoverinfo": "skip",
            "line": {"color": accent, "width": 2.5},
        }
    ]

"""Number line of one numeric attribute: its values, and the interval of each group."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import NOTHING, UNDIMMED, Settings, area, bars, clicks, note, scatter
from kanon_core.charts.canvas.painting import Canvas, evenly, picture_below
from kanon_core.charts.canvas.plane import Axis, axis, stacked
from kanon_core.charts.groups.alike import Groups
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.columns.texts import number_texts
from kanon_core.table.table import Table

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
    g): groups in one lane do not overlap unless there are more than 24 lanes.
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

    @classmethod
    def of(cls, table: Table, release: Release, name: str) -> Line:
        """The line of a numeric column; SchemaError for another. Cost O(n log n)."""
        table.numbers(name)
        line = axis(table, name)
        found = Groups.shown(release)
        groups, sizes = found.of, found.sizes
        shown = np.argsort(groups, kind="stable")[int((groups < 0).sum()) :]
        values = np.where(line.missing, np.nan, line.values)[shown]
        starts = np.cumsum(sizes) - sizes
        low = np.fmin.reduceat(values, starts) if len(starts) else np.zeros(0)
        high = np.fmax.reduceat(values, starts) if len(starts) else np.zeros(0)
        order = np.lexsort((high, low))
        order = order[~np.isnan(low[order])]
        lane, lanes = _lanes(low, high, order)
        most = LANES_AT_MOST
        return cls(line, groups, sizes, low, high, order, lane % most, min(lanes, most))

    @cached_property
    def parity(self) -> np.ndarray:
        """0, 1, 0, 1, … from left to right; −1 for groups that are not on the line."""
        parity = np.full(len(self.low), -1)
        parity[self.order] = np.arange(len(self.order)) % 2
        return parity

    @property
    def floor(self) -> float:
        """The lower edge of the lowest lane."""
        return float(-0.2 - 0.8 / max(self.lanes, 3) * self.lanes)

    @property
    def heights(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper edge of each group's band."""
        step = 0.8 / max(self.lanes, 3)
        top = -0.2 - step * self.lane
        return top - 0.82 * step, top


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
) -> look.Figure:
    """Values above, the interval of each group below, on one number line.

    Up to 1,000 values are dots stacked where they crowd, more are a histogram. Groups alternate between two
    tones from left to right; those that overlap lie in different lanes. More than 400 groups are painted into
    a picture (`painting`). Clicks are read by `kanon_core.charts.canvas.theme.picked_number`. Raises
    SchemaError unless the column is numeric.
    """
    line, colors = Line.of(table, release, name), look.theme_of(theme)
    few = len(line.order) <= VECTORS_AT_MOST
    traces = [_value_trace(line, theme), *(_band_traces(line, theme) if few else [])]
    traces += [_pick_trace(table, line, selected), area(*_chosen(line, selected), colors.accent, 2.5, None)]
    captions = [
        note(text, 0, y, colors.muted, paper="x", anchor="left top")
        for y, text in ((1.05, tr("records")), (-0.02, tr("groups")))
    ]
    return look.figure(
        traces,
        theme,
        numberline_sentence(table, release, name),
        height=250 + 6 * line.lanes,
        xaxis=line.axis.layout(theme) | ({} if few else {"showgrid": False}),  # else it covers the picture
        yaxis={"range": [line.floor - 0.08, 1.05], "visible": False, "fixedrange": True},
        uirevision=f"{table.digest[:16]} {name!r}",
        shapes=[],
        annotations=captions,
        images=[] if few else [_painted(line, theme)],
    )


def _value_trace(line: Line, theme: str) -> Settings:
    """The values of the records: stacked dots, or, of many, a histogram."""
    present = np.flatnonzero(~line.axis.missing)
    values, colors = line.axis.values[present], look.theme_of(theme)
    low, high = line.axis.span
    if len(present) > VALUES_AT_MOST:
        counts, edges = np.histogram(values, 200, (low, high))
        more = {"width": (high - low) / 200, "customdata": counts.astype(np.int32)}
        shares, told = counts / max(counts.max(), 1), "%{customdata} records"
        return bars((edges[:-1] + edges[1:]) / 2, shares, told, look.faded(colors.muted, 0.6), **more)
    tones, groups = np.array([*colors.lines[:2], colors.muted]), line.groups[present]
    facts = np.column_stack([groups + 1, np.append(line.sizes, 0)[groups], present + 1]).astype(np.int32)
    shade = tones[np.append(line.parity, -1)[groups]].tolist()
    marker = {"size": 8 if len(values) <= 300 else 5, "color": shade}
    told = "record %{customdata[2]}<br>group %{customdata[0]} · %{customdata[1]} records"
    height = stacked(values, line.axis.span, _COLUMNS)
    heights = (height + 0.6) / max(int(height.max(initial=0)) + 1, 12)
    return scatter("markers", values, heights, told, customdata=facts, marker=marker, **UNDIMMED)


def _outlines(line: Line, groups: np.ndarray, wider: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bands of these groups, widened by so much on both sides, as one broken line."""
    bottom, top = line.heights
    left, right = line.low - wider, line.high + wider
    gap = np.full(len(line.low), np.nan)
    x = np.column_stack([left, right, right, left, left, gap])[groups]
    y = np.column_stack([bottom, bottom, top, top, bottom, gap])[groups]
    return x.reshape(-1), y.reshape(-1)


def numberline_sentence(table: Table, release: Release, name: str) -> str:
    """Return sentences on the groups' intervals: their widths, and whether they overlap."""
    line = Line.of(table, release, name)
    column = table.numbers(name)
    if not len(line.order):
        return tr("No group has a value of “{name}”.").format(name=name)
    widths, ends, dated = (line.high - line.low)[line.order], line.axis.extent, line.axis.date
    low, high = number_texts(np.array(ends) / 1000, column) if dated else (f"{end:,.6g}" for end in ends)
    text = tr("{groups} cover “{name}” from {low} to {high}").format(
        groups=counted(len(line.order), "group"), name=name, low=low, high=high
    )
    full = ends[1] - ends[0]
    if full > 0:
        median, widest = (look.percent_text(float(of(widths)) / full) for of in (np.median, np.max))
        text += "; " + tr(
            "the median interval covers {median} % of this range, the widest {widest} %"
        ).format(median=median, widest=widest)
    if len(line.order) > 1:
        text += "; " + (tr("the intervals overlap") if line.lanes > 1 else tr("the intervals do not overlap"))
    if line.lanes > 1 and len(table.quasi) > 1:
        text += " " + tr("because the groups also depend on other columns")
    missing, gone = int(line.axis.missing.sum()), int((line.groups < 0).sum())
    if missing:
        text += ". " + tr("Not drawn, because the value is missing: {records}").format(
            records=counted(missing, "record")
        )
    if gone:
        text += ". " + tr("Suppressed: {records}").format(records=counted(gone, "record"))
    return text + "."


def _band_traces(line: Line, theme: str) -> list[Settings]:
    least = (line.axis.span[1] - line.axis.span[0]) * 0.0015
    wider = np.maximum(least - (line.high - line.low), 0) / 2
    return [
        area(*_outlines(line, np.flatnonzero(line.parity == tone), wider), color, 1, look.faded(color, 0.45))
        for tone, color in enumerate(look.theme_of(theme).lines[:2])
    ]


def _painted(line: Line, theme: str) -> Settings:
    bottom, top = line.heights
    canvas = Canvas(line.axis.span, (line.floor, -0.2), height=max(24, 10 * line.lanes))
    chosen = line.order[np.argsort((line.low - line.high)[line.order], kind="stable")]
    boxes = (line.low[chosen], bottom[chosen]), (line.high[chosen], top[chosen])
    canvas.fills(*boxes, (line.parity[chosen] + 1).astype(np.uint8))
    return picture_below(canvas, [(tone, 0.6) for tone in look.theme_of(theme).lines[:2]])


def _pick_trace(table: Table, line: Line, selected: int | None) -> Settings:
    """Unseen middles of evenly chosen bands; the hover text is the interval, in numbers or dates."""
    chosen = line.order[evenly(len(line.order), PICKS_AT_MOST)]
    if selected is not None and selected in line.order and selected not in chosen:
        chosen = np.append(chosen, selected)
    bottom, top = line.heights
    facts = np.column_stack([chosen + 1, line.sizes[chosen]]).astype(np.int32)
    x, y = ((line.low + line.high) / 2)[chosen], ((bottom + top) / 2)[chosen]
    return clicks(x, y, facts, _HOVER, text=_intervals(table.numbers(line.axis.name), line, chosen))


def _chosen(line: Line, selected: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The outline of the selected group's band; empty where there is none."""
    if selected is None or not 0 <= selected < len(line.low) or np.isnan(line.low[selected]):
        return NOTHING
    x, y = _outlines(line, np.array([selected]), np.zeros(len(line.low)))
    return x[:-1], y[:-1]


def _intervals(column: Numbers, line: Line, chosen: np.ndarray) -> list[str]:
    scale = 1000 if line.axis.date else 1
    low, high = (number_texts(edge[chosen] / scale, column) for edge in (line.low, line.high))
    return [a if a == b else f"[{a}, {b}]" for a, b in zip(low, high, strict=True)]

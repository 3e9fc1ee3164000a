"""The groups in two dimensions: points, outlines, and a layer to point at and click.

Up to 1,000 records, everything is drawn as vectors. Above, points and outlines are painted into one picture
under transparent axes (`painting`), and up to 1,000 invisible group centers take the clicks. Above 20,000
groups, the picture shows the density of the published records.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, later, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import NOTHING, UNDIMMED, Settings, area, clicks, scatter
from kanon_core.charts.canvas.outlines import NO_OUTLINES, Shapes, boxes, outlined, rectangles, spread_colors
from kanon_core.charts.canvas.painting import VECTORS_AT_MOST, Canvas, evenly, inks, picture_below, spread
from kanon_core.charts.canvas.plane import Plane, plane
from kanon_core.release.release import Release
from kanon_core.table.table import Table

TOLD_APART = 20_000
"""The most groups whose colors or outlines can be distinguished in a picture."""
DENSE = later(
    "There are too many groups to draw separately. A stronger color means more published records, each spread"
    " evenly over the box around its group."
)
OUTLINES: dict[str, str] = {
    "rectangles": later("Rectangles"),
    "hulls": later("Hulls"),
    "none": later("No outlines"),
}

_HOVER = "group %{customdata[0]} · %{customdata[1]} records<extra></extra>"
_HOVER_RECORD = "record %{customdata[2]}<br>" + _HOVER


@dataclass(frozen=True)
class Scene:
    """The things to draw: positions, groups (−1 = suppressed), a color number for each group, outlines."""

    picture: Plane
    groups: np.ndarray
    sizes: np.ndarray
    colors: np.ndarray
    centers: tuple[np.ndarray, np.ndarray]
    shapes: Shapes | None
    outlines: str

    @classmethod
    def of(cls, release: Release, picture: Plane, outlines: str) -> Scene:
        """The scene of a release; outlines enclose the records that have both values."""
        groups, sizes = release.groups, release.cover.sizes
        x, y, kept = picture.x.values, picture.y.values, release.groups >= 0
        count = len(sizes)
        centers = tuple(np.bincount(groups[kept], v[kept], count) / np.maximum(sizes, 1) for v in (x, y))
        palette = len(look.THEMES["light"].groups)
        spans = (picture.x.span, picture.y.span)
        scaled = [
            np.nan_to_num((c - low) / (high - low)) for c, (low, high) in zip(centers, spans, strict=True)
        ]
        if count > TOLD_APART:
            colors, shapes = np.zeros(count, np.int64), None
        else:
            colors = spread_colors(scaled[0], scaled[1], palette)
            inside = kept & ~picture.outside
            shapes = outlined(outlines, x[inside], y[inside], groups[inside], count)
        return cls(picture, groups, sizes, colors, (centers[0], centers[1]), shapes, outlines)

    @property
    def dense(self) -> bool:
        """Return whether density is drawn, as there are too many groups to tell apart."""
        return len(self.sizes) > TOLD_APART

    @property
    def cells(self) -> np.ndarray:
        """float64: published records per cell, each spread evenly over the box around the records of its
        group; a record with a missing value counts in its own cell."""
        picture, kept = self.picture, self.groups >= 0
        aside, inside = kept & picture.outside, kept & ~picture.outside
        places = picture.x.values[aside], picture.y.values[aside]
        x, y, groups = (v[inside] for v in (picture.x.values, picture.y.values, self.groups))
        left, right, low, high = boxes(x, y, groups, len(self.sizes))
        held = np.bincount(groups, minlength=len(self.sizes))
        some, ends = held > 0, (picture.x.span, picture.y.span)
        found = spread((left[some], low[some]), (right[some], high[some]), held[some], ends)
        return np.asarray(found + spread(places, places, np.ones(len(places[0])), ends))

    def facts(self, groups: np.ndarray) -> np.ndarray:
        """int32 (m, 2): group number counted from 1, number of records; 0, 0 for suppressed."""
        return np.column_stack([groups + 1, np.append(self.sizes, 0)[groups]]).astype(np.int32)

    @cached_property
    def crowd(self) -> float:
        """Return how many times the boxes of the outlines would cover the picture."""
        if self.shapes is None:
            return 0.0
        _, left, right, low, high = extents(self.shapes)
        whole = np.ptp(self.picture.x.span) * np.ptp(self.picture.y.span)
        return float(((right - left) * (high - low)).sum() / whole)


def extents(shapes: Shapes) -> tuple[np.ndarray, ...]:
    """The groups that have an outline, and its least and greatest x and y."""
    held = np.flatnonzero(np.diff(shapes.starts) > 0)
    if not len(held):
        return held, *(np.zeros(0),) * 4
    starts = shapes.starts[held]
    return held, *(end.reduceat(v, starts) for v in (shapes.x, shapes.y) for end in (np.minimum, np.maximum))


def painted(scene: Scene, theme: str) -> Settings:
    """The layout image of points and outlines."""
    picture, colors = scene.picture, look.theme_of(theme)
    canvas = Canvas(picture.x.span, picture.y.span)
    if scene.dense:
        canvas.density(scene.cells)
        return picture_below(canvas, inks(colors.groups[0]))
    count, palette = len(colors.groups), colors.groups
    _paint_outlines(canvas, scene, count)
    # Outlines that cover the picture several times over are only a hint, and points must stay readable.
    strength = float(np.clip(1.5 / max(scene.crowd, 1e-9), 0.22, 0.8))
    number = np.append(scene.colors + 1, 3 * count + 1)[scene.groups].astype(np.uint8)
    n = len(number)
    gone_first = np.argsort(scene.groups >= 0, kind="stable")
    radius = 3 if n <= 10_000 else 2 if n <= 100_000 else 1
    canvas.discs(picture.x.values[gone_first], picture.y.values[gone_first], number[gone_first], radius)
    shades = [(color, opacity) for opacity in (1.0, strength, 0.14) for color in palette]
    return picture_below(canvas, [*shades, (colors.muted, 0.8)])


def _paint_outlines(canvas: Canvas, scene: Scene, count: int) -> None:
    """Paints the outlines, the largest group first."""
    shapes = scene.shapes
    if shapes is None or not len(shapes.x):
        return
    held, left, right, low, high = extents(shapes)
    order = np.argsort(-(right - left) * (high - low), kind="stable")
    color, thick = scene.colors[held[order]], 2 if len(held) <= 1_000 else 1
    if scene.outlines == "rectangles":
        boxes = (left[order], low[order]), (right[order], high[order])
        if len(held) <= 2_000 and scene.crowd < 3:
            canvas.fills(*boxes, (color + 2 * count + 1).astype(np.uint8))
        canvas.rectangles(*boxes, (color + count + 1).astype(np.uint8), thick)
    else:
        start, end, owner = shapes.edges()
        canvas.segments(start, end, (scene.colors[owner] + count + 1).astype(np.uint8), thick)


def cluster_figure(
    table: Table,
    release: Release,
    x: str | None = None,
    y: str | None = None,
    outlines: str = "rectangles",
    selected: int | None = None,
    theme: str = "light",
) -> look.Figure:
    """The groups of a release in the plane of two attributes or of a projection (see
    `kanon_core.charts.canvas.plane.plane`).

    ``outlines``: "rectangles" (bounding boxes; for two published intervals exactly what is published),
    "hulls" or "none". ``selected``: a group (label of ``release.groups``) drawn on top; one that does not
    exist is ignored. Neighboring groups have different colors; a color says nothing else. Each point's
    ``customdata`` begins with its group's number, which `look.picked_number` reads.

    Raises OptionError for an unknown kind of outline or theme, SchemaError for an unknown column. Cost O(n
    log n).
    """
    if outlines not in OUTLINES:
        raise OptionError(tr(NO_OUTLINES))
    scene = Scene.of(release, plane(table, x, y), outlines)
    few = len(table) <= VECTORS_AT_MOST
    traces = [*_outline_traces(scene, theme), _point_trace(scene, theme)] if few else []
    traces += [] if few else [_pick_trace(scene, selected)]
    traces += _selected_traces(scene, selected, theme)
    revision = f"{table.digest[:16]} {x!r} {y!r}"
    layout = scene.picture.layout(theme, revision, None if few else painted(scene, theme))
    return look.figure(traces, theme, cluster_sentence(table, release, x, y), height=520, **layout)


def cluster_sentence(
    table: Table, release: Release, x: str | None = None, y: str | None = None, brief: bool = False
) -> str:
    """Return sentences on the groups, and how to read the picture; ``brief``: only their number and sizes."""
    sizes, picture = release.cover.sizes, plane(table, x, y)
    if not len(sizes):
        return tr("All {records} are suppressed: there is no group to show.").format(
            records=counted(len(table), "record")
        )
    spread = look.range_text(f"{sizes.min():,}", f"{sizes.max():,}")
    dense = len(sizes) > TOLD_APART
    parts = [
        tr("{records} in {groups} of {spread}").format(
            records=counted(int(sizes.sum()), "record"),
            groups=counted(len(sizes), "group"),
            spread=spread,
        )
        + _typical_span(release, picture)
    ]
    if brief:
        return f"{parts[0]}. {tr(DENSE)}" if dense else f"{parts[0]}."
    if picture.projected:
        parts.append(picture.share_sentence(tr("groups that overlap here can be apart in other directions")))
    gone, outside = int(release.suppressed.sum()), int(picture.outside.sum())
    if gone:
        parts.append(_gone(gone, dense))
    if outside:
        records = counted(outside, "record")
        parts.append(tr("Beyond the dotted line, with a missing value: {records}").format(records=records))
    if release.guarantee.own_rows:
        parts.append(tr("Records of a group publish the same single values, but their own items"))
    return ". ".join([*parts, tr(DENSE) if dense else tr("Colors only distinguish neighboring groups.")])


def _gone(count: int, dense: bool) -> str:
    said = tr("Not drawn: {records}") if dense else tr("Drawn in gray: {records}")
    return said.format(records=counted(count, "suppressed record"))


def _typical_span(release: Release, picture: Plane) -> str:
    if picture.projected:
        return ""
    inside = (release.groups >= 0) & ~picture.outside
    x, y, groups = picture.x.values[inside], picture.y.values[inside], release.groups[inside]
    left, right, low, high = boxes(x, y, groups, len(release.cover.sizes))
    shares = ""
    if len(groups):
        shares = picture.ranges([float(np.nanmedian(side)) for side in (right - left, high - low)])
    return "; " + tr("the median group spans {shares}").format(shares=shares) if shares else ""


def _outline_traces(scene: Scene, theme: str) -> list[Settings]:
    """One trace per color: stable in number, so that the figure is updated in place."""
    traces, tint = [], float(np.clip(0.2 / max(scene.crowd, 1e-9), 0.02, 0.14))
    for number, color in enumerate(look.theme_of(theme).groups):
        x, y = scene.shapes.closed(np.flatnonzero(scene.colors == number)) if scene.shapes else NOTHING
        traces.append(area(x, y, look.faded(color, 0.75), 1, look.faded(color, tint)))
    return traces


def _point_trace(scene: Scene, theme: str) -> Settings:
    colors, groups = look.theme_of(theme), scene.groups
    palette, gone = np.array([*colors.groups, colors.muted]), groups < 0
    number = np.append(scene.colors, len(colors.groups))[groups]
    facts = np.column_stack([scene.facts(groups), np.arange(1, len(groups) + 1, dtype=np.int32)])
    marker = {
        "size": 8 if len(groups) <= 500 else 6 if len(groups) <= 1500 else 5,
        "color": palette[number].tolist(),
        "opacity": 1,
        "symbol": np.where(gone, "x", "circle").tolist() if gone.any() else "circle",
        "line": {"width": 0.5, "color": colors.surface},
    }
    x, y = scene.picture.x.values, scene.picture.y.values
    trace = scatter("markers", x, y, _HOVER_RECORD, marker=marker, customdata=facts, **UNDIMMED)
    if gone.any():
        told = "record %{customdata[2]}<br>%{text}<extra></extra>"
        trace["text"] = np.where(gone, "suppressed", "").tolist()
        trace["hovertemplate"] = np.where(gone, told, _HOVER_RECORD).tolist()
    return trace


def _pick_trace(scene: Scene, selected: int | None) -> Settings:
    """Unseen centers of evenly chosen groups, the selected one among them."""
    count = len(scene.sizes)
    chosen = evenly(count, VECTORS_AT_MOST)
    if selected is not None and 0 <= selected < count:
        chosen = np.union1d(chosen, [selected])
    x, y = (center[chosen] for center in scene.centers)
    return clicks(x, y, scene.facts(chosen), _HOVER)


def _selected_traces(scene: Scene, selected: int | None, theme: str) -> list[Settings]:
    """Outline and points of the selected group; two traces, empty when there is none."""
    colors, picture = look.theme_of(theme), scene.picture
    there = selected is not None and 0 <= selected < len(scene.sizes)
    rows = np.flatnonzero(scene.groups == selected) if there else np.zeros(0, np.int64)
    inside = rows[~picture.outside[rows]]
    x, y = picture.x.values, picture.y.values
    if scene.shapes is not None and there:
        outline = scene.shapes.closed(np.array([selected]))
    else:
        shape = rectangles(x[inside], y[inside], np.zeros(len(inside), np.int64), 1)
        outline = shape.closed(np.zeros(1, np.int64))
    rows = rows[:VECTORS_AT_MOST]
    size, width = (10, 2) if len(rows) <= 30 else (8, 1.5) if len(rows) <= 200 else (5, 1)
    color = colors.groups[scene.colors[selected]] if there else colors.accent
    facts = np.column_stack([scene.facts(scene.groups[rows]), (rows + 1).astype(np.int32)])
    marker = {"size": size, "color": color, "line": {"color": colors.accent, "width": width}}
    dots = scatter("markers", x[rows], y[rows], _HOVER_RECORD, customdata=facts, marker=marker, **UNDIMMED)
    return [area(*outline, colors.accent, 2.5, None), dots]

"""The groups in two dimensions: points, outlines, and a layer to point at and click.

Up to 1,000 records, everything is drawn as vectors. Above, all records are a density in gray
(`kanon_core.charts.canvas.density`), and a dozen groups are drawn over it (`kanon_core.charts.groups.dozen`);
up to 1,000 invisible group centers take the clicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import NOTHING, UNDIMMED, Settings, area, clicks, scatter
from kanon_core.charts.canvas.outlines import NO_OUTLINES, Shapes, boxes, outlined, rectangles, spread_colors
from kanon_core.charts.canvas.painting import VECTORS_AT_MOST, evenly
from kanon_core.charts.canvas.plane import Plane, plane
from kanon_core.charts.groups.alike import Groups
from kanon_core.charts.groups.dozen import dozen_traces
from kanon_core.release.release import Release
from kanon_core.table.table import Table

OUTLINES: dict[str, str] = {
    "rectangles": later("Rectangles"),
    "hulls": later("Hulls"),
    "none": later("No outlines"),
}

_HOVER = "group %{customdata[0]} · %{customdata[1]} records<extra></extra>"
_HOVER_RECORD = "record %{customdata[2]}<br>" + _HOVER


@dataclass(frozen=True)
class Scene:
    """The things to draw: positions, groups, and the kind of outlines."""

    picture: Plane
    groups: Groups
    outlines: str

    @cached_property
    def centers(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean x and y of each group."""
        of, sizes, places = self.groups.of, self.groups.sizes, (self.picture.x.values, self.picture.y.values)
        kept = of >= 0
        x, y = (np.bincount(of[kept], v[kept], len(sizes)) / np.maximum(sizes, 1) for v in places)
        return x, y

    @cached_property
    def colors(self) -> np.ndarray:
        """int64: a color number for each group; neighbors differ."""
        spans = (self.picture.x.span, self.picture.y.span)
        scaled = [
            np.nan_to_num((c - low) / (high - low))
            for c, (low, high) in zip(self.centers, spans, strict=True)
        ]
        return spread_colors(scaled[0], scaled[1], len(look.THEMES["light"].groups))

    @cached_property
    def shapes(self) -> Shapes | None:
        """Return the outlines, which enclose the records that have both values."""
        x, y = self.picture.x.values, self.picture.y.values
        inside = (self.groups.of >= 0) & ~self.picture.outside
        return outlined(self.outlines, x[inside], y[inside], self.groups.of[inside], len(self.groups))

    def facts(self, groups: np.ndarray) -> np.ndarray:
        """int32 (m, 2): group number counted from 1, number of records; 0, 0 for suppressed."""
        return np.column_stack([groups + 1, np.append(self.groups.sizes, 0)[groups]]).astype(np.int32)

    @cached_property
    def crowd(self) -> float:
        """Return how many times the boxes of the outlines would cover the picture."""
        if self.shapes is None:
            return 0.0
        left, right, low, high = extents(self.shapes)
        whole = np.ptp(self.picture.x.span) * np.ptp(self.picture.y.span)
        return float(((right - left) * (high - low)).sum() / whole)


def extents(shapes: Shapes) -> tuple[np.ndarray, ...]:
    """Least and greatest x and y of each outline."""
    starts = shapes.starts[:-1][np.diff(shapes.starts) > 0]
    if not len(starts):
        return (np.zeros(0),) * 4
    return tuple(end.reduceat(v, starts) for v in (shapes.x, shapes.y) for end in (np.minimum, np.maximum))


def cluster_figure(
    table: Table,
    release: Release,
    x: str | None = None,
    y: str | None = None,
    outlines: str = "rectangles",
    selected: int | None = None,
    theme: str = "light",
) -> look.Figure:
    """The groups of a release (`kanon_core.charts.groups.alike`) in the plane of two attributes or of a
    projection (see `kanon_core.charts.canvas.plane.plane`).

    ``outlines``: "rectangles" (bounding boxes; for two published intervals exactly what is published),
    "hulls" or "none". ``selected``: a group drawn on top; one that does not exist is ignored. Up to 1,000
    records, neighboring groups have different colors; a color says nothing else. Of more records, a dozen
    groups are drawn, those of the same records in every release. Each point's ``customdata`` begins with its
    group's number, which `look.picked_number` reads.

    Raises OptionError for an unknown kind of outline or theme, SchemaError for an unknown column. Cost O(n
    log n).
    """
    if outlines not in OUTLINES:
        raise OptionError(tr(NO_OUTLINES))
    scene = Scene(plane(table, x, y), Groups.shown(release), outlines)
    few = len(table) <= VECTORS_AT_MOST
    if few:
        traces = [*_outline_traces(scene, theme), _point_trace(scene, theme)]
    else:
        traces = [
            _pick_trace(scene, selected),
            *dozen_traces(scene.picture, scene.groups, release, outlines, theme),
        ]
    traces += _selected_traces(scene, selected, few, theme)
    revision = f"{table.digest[:16]} {x!r} {y!r}"
    layout = scene.picture.layout(theme, revision, None if few else scene.picture.painted(theme))
    return look.figure(traces, theme, cluster_sentence(table, release, x, y), height=520, **layout)


def cluster_sentence(
    table: Table, release: Release, x: str | None = None, y: str | None = None, brief: bool = False
) -> str:
    """Return sentences on the groups, and how to read the picture; ``brief``: without what is drawn apart."""
    groups, picture = Groups.shown(release), plane(table, x, y)
    if not len(groups):
        return tr("All {records} are suppressed: there is no group to show.").format(
            records=counted(len(table), "record")
        )
    spread = look.range_text(f"{groups.sizes.min():,}", f"{groups.sizes.max():,}")
    parts = [
        tr("{records} in {groups} of {spread}").format(
            records=counted(int(groups.sizes.sum()), "record"),
            groups=counted(len(groups), "group"),
            spread=spread,
        )
        + _typical_span(groups, picture)
    ]
    few = len(table) <= VECTORS_AT_MOST
    if not brief:
        parts += _apart(release, picture, few)
    if few:
        parts += [] if brief else [tr("Colors only distinguish neighboring groups")]
    else:
        parts += [_gray_and_color(len(groups.dozen))]
    return ". ".join(parts) + "."


def _apart(release: Release, picture: Plane, few: bool) -> list[str]:
    """Return sentences on what a projection hides, and on what is drawn apart or not at all."""
    parts = []
    if picture.projected:
        parts.append(picture.share_sentence(tr("groups that overlap here can be apart in other directions")))
    gone, outside = int(release.suppressed.sum()), int(picture.outside.sum())
    if gone:
        says = tr("Drawn in gray: {records}") if few else tr("The gray also counts {records}")
        parts.append(says.format(records=counted(gone, "suppressed record")))
    if outside:
        records = counted(outside, "record")
        parts.append(tr("Beyond the dotted line, with a missing value: {records}").format(records=records))
    if release.guarantee.own_rows:
        parts.append(tr("Records of a group publish the same single values, but their own items"))
    return parts


def _gray_and_color(drawn: int) -> str:
    """Return how to read the density and the groups over it."""
    return tr_n(
        "Gray shows where records are; {count:,} group is drawn in color, with its number of records",
        "Gray shows where records are; {count:,} groups are drawn in color, each with its number of records:"
        " those of the same records at every k",
        drawn,
    ).format(count=drawn)


def _typical_span(groups: Groups, picture: Plane) -> str:
    if picture.projected:
        return ""
    inside = (groups.of >= 0) & ~picture.outside
    x, y, of = picture.x.values[inside], picture.y.values[inside], groups.of[inside]
    left, right, low, high = boxes(x, y, of, len(groups))
    shares = ""
    if len(of):
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
    colors, groups = look.theme_of(theme), scene.groups.of
    palette, gone = np.array([*colors.groups, colors.muted]), groups < 0
    number = np.append(scene.colors, len(colors.groups))[groups]
    facts = np.column_stack([scene.facts(groups), np.arange(1, len(groups) + 1, dtype=np.int32)])
    marker = {
        "size": 8 if len(groups) <= 500 else 6,
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
    count = len(scene.groups)
    chosen = evenly(count, VECTORS_AT_MOST)
    if selected is not None and 0 <= selected < count:
        chosen = np.union1d(chosen, [selected])
    x, y = (center[chosen] for center in scene.centers)
    return clicks(x, y, scene.facts(chosen), _HOVER)


def _selected_traces(scene: Scene, selected: int | None, few: bool, theme: str) -> list[Settings]:
    """Outline and points of the selected group; two traces, empty when there is none."""
    colors, picture = look.theme_of(theme), scene.picture
    there = selected is not None and 0 <= selected < len(scene.groups)
    rows = scene.groups.members(selected) if there and selected is not None else np.zeros(0, np.int64)
    inside = rows[~picture.outside[rows]]
    x, y = picture.x.values, picture.y.values
    own = (x[inside], y[inside], np.zeros(len(inside), np.int64), 1)
    shape = outlined(scene.outlines, *own) or rectangles(*own)
    rows = rows[:VECTORS_AT_MOST]
    size, width = (10, 2) if len(rows) <= 30 else (8, 1.5) if len(rows) <= 200 else (5, 1)
    color = colors.groups[scene.colors[selected]] if there and few else colors.surface
    facts = np.column_stack([scene.facts(scene.groups.of[rows]), (rows + 1).astype(np.int32)])
    marker = {"size": size, "color": color, "line": {"color": colors.accent, "width": width}}
    dots = scatter("markers", x[rows], y[rows], _HOVER_RECORD, customdata=facts, marker=marker, **UNDIMMED)
    return [area(*shape.closed(np.zeros(1, np.int64)), colors.accent, 2.5, None), dots]

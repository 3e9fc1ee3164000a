"""The groups of a release in a plane: positions, colors, outlines, and the picture of many records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.density import CELL, fill, inks, shaded, spread
from kanon_core.charts.canvas.marks import NOTHING
from kanon_core.charts.canvas.outlines import Shapes, boxes, outlined, spread_colors
from kanon_core.charts.canvas.painting import HEIGHT, WIDTH, Canvas
from kanon_core.charts.canvas.plane import Plane
from kanon_core.release.release import Release

TOLD_APART = 20_000
"""Of more groups neither colors nor outlines can be told apart in any picture."""


@dataclass(frozen=True)
class Scene:
    """What is to be drawn: positions, groups (−1 = suppressed), a color number per group, outlines."""

    picture: Plane
    groups: np.ndarray
    sizes: np.ndarray
    colors: np.ndarray
    centers: tuple[np.ndarray, np.ndarray]
    shapes: Shapes | None
    outlines: str

    @classmethod
    def of(cls, release: Release, picture: Plane, outlines: str) -> Scene:
        """The scene of a release; outlines go around the records that have both values."""
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
        """Whether density is drawn, since the groups are too many to tell apart."""
        return len(self.sizes) > TOLD_APART

    @property
    def cells(self) -> np.ndarray:
        """float64: published records per cell, each spread evenly over the box around those of its group;
        records with a missing value stand where they stand."""
        picture, groups = self.picture, self.groups
        kept, x, y = groups >= 0, picture.x.values, picture.y.values
        inside = kept & ~picture.outside
        if not inside.all():
            aside = kept & picture.outside
            places, (x, y, groups) = (x[aside], y[aside]), (v[inside] for v in (x, y, groups))
        else:
            places = NOTHING
        left, right, low, high = boxes(x, y, groups, len(self.sizes))
        held = np.bincount(groups, minlength=len(self.sizes))
        some, ends = held > 0, (picture.x.span, picture.y.span)
        shape = WIDTH // CELL, HEIGHT // CELL
        found = spread((left[some], low[some]), (right[some], high[some]), held[some], ends, shape)
        return np.asarray(found + spread(places, places, np.ones(len(places[0])), ends, shape))

    def facts(self, groups: np.ndarray) -> np.ndarray:
        """int32 (m, 2): group number counted from 1, number of records; 0, 0 for suppressed."""
        return np.column_stack([groups + 1, np.append(self.sizes, 0)[groups]]).astype(np.int32)

    @cached_property
    def crowd(self) -> float:
        """How many times the boxes of the outlines would cover the picture."""
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


def painted(scene: Scene, theme: str) -> dict[str, Any]:
    """The layout image of points and outlines."""
    picture, colors = scene.picture, look.theme_of(theme)
    canvas = Canvas(picture.x.span, picture.y.span)
    if scene.dense:
        fill(canvas, shaded(scene.cells))
        return picture_below(canvas, inks(colors.groups[0]))
    count, palette = len(colors.groups), colors.groups
    _paint_outlines(canvas, scene, count)
    # Where outlines cover the picture several times over they are only a hint, and points must stay readable.
    strength = float(np.clip(1.5 / max(scene.crowd, 1e-9), 0.22, 0.8))
    number = np.append(scene.colors + 1, 3 * count + 1)[scene.groups].astype(np.uint8)
    n = len(number)
    gone_first = np.argsort(scene.groups >= 0, kind="stable")
    radius = 3 if n <= 10_000 else 2 if n <= 100_000 else 1
    canvas.discs(picture.x.values[gone_first], picture.y.values[gone_first], number[gone_first], radius)
    shades = [(color, opacity) for opacity in (1.0, strength, 0.14) for color in palette]
    return picture_below(canvas, [*shades, (colors.muted, 0.8)])


def picture_below(canvas: Canvas, palette: list[tuple[str, float]]) -> dict[str, Any]:
    """A painted picture as a layout image below the traces, in data coordinates: it zooms with the axes."""
    (left, right), (low, high) = canvas.x_range, canvas.y_range
    ends = {"xref": "x", "yref": "y", "x": left, "y": high, "sizex": right - left, "sizey": high - low}
    return {"source": canvas.source(palette), **ends, "sizing": "stretch", "layer": "below"}


def evenly(count: int, at_most: int) -> np.ndarray:
    """At most so many of the numbers 0 … count − 1, evenly chosen, ascending; int64."""
    if not count:
        return np.zeros(0, np.int64)
    return np.unique(np.linspace(0, count - 1, min(count, at_most)).astype(np.int64))


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

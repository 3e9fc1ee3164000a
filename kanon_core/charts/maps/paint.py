"""Rectangles painted into a picture, or the density of records where they are too many to tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanon_core.charts.canvas.density import fill, spread
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.canvas.theme import theme_of
from kanon_core.charts.maps.extent import Extent, Size
from kanon_core.charts.maps.rectangles import FEW_SMALL, READABLE, SMALL, Rectangles, palette
from kanon_core.charts.maps.units import Floats, Scale, count_scale

SHADES = 80
"""Colors of the scale: edges, fills and points share the 255 of an indexed PNG."""
POINTS_AT_MOST = 1_000
THICK_AT_MOST = 1_000

_FAINTEST = 1_000
Inks = list[tuple[str, float]]


def shades(dark: bool, upward: bool = True) -> list[str]:
    """The colors of the scale as ``#rrggbb``; ``upward``: as for areas, the smallest the strongest; for
    densities it is the other way around."""
    found = [_hex(palette(dark)[round(i * 255 / (SHADES - 1))]) for i in range(SHADES)]
    return found if upward else found[::-1]


def inks(theme: str) -> Inks:
    """The palette of `paint_rectangles`: edges, fills, and points."""
    colors = shades(theme == "dark")
    return [(c, 0.9) for c in colors] + [(c, 0.25) for c in colors] + [(theme_of(theme).accent, 0.85)]


def in_view(rectangles: Rectangles, extent: Extent) -> np.ndarray:
    """The numbers of the rectangles that touch an extent, int64, ascending."""
    west, south, east, north = extent
    across = (rectangles.west <= east) & (rectangles.east >= west)
    return np.flatnonzero(across & (rectangles.south <= north) & (rectangles.north >= south))


def too_many(rectangles: Rectangles, extent: Extent, size: Size) -> bool:
    """Whether the rectangles in view cannot be told apart in a picture of ``size`` pixels: more than 2,000,
    or more than 400 whose median longer side is below 4 pixels."""
    west, south, east, north = extent
    seen = in_view(rectangles, extent)
    if len(seen) > READABLE or len(seen) <= FEW_SMALL:
        return len(seen) > READABLE
    wide = (rectangles.east[seen] - rectangles.west[seen]) * (size[0] / (east - west))
    high = (rectangles.north[seen] - rectangles.south[seen]) * (size[1] / (north - south))
    return bool(np.median(np.maximum(wide, high)) < SMALL)


def paint_rectangles(
    canvas: Canvas, rectangles: Rectangles, indexes: np.ndarray, places: Sequence[Floats] = ()
) -> Canvas:
    """Paint the rectangles in view, the largest first, the smallest on top, and places (longitudes and
    latitudes) as points over them; colors are those of `inks`."""
    extent = (canvas.x_range[0], canvas.y_range[0], canvas.x_range[1], canvas.y_range[1])
    order = in_view(rectangles, extent)
    order = order[np.lexsort((-rectangles.diagonals_km[order], -rectangles.areas_km2[order]))]
    low = rectangles.west[order], rectangles.south[order]
    high = rectangles.east[order], rectangles.north[order]
    shade = 1 + indexes[order].astype(np.int64) * SHADES // 256
    canvas.fills(low, high, (shade + SHADES).astype(np.uint8))
    canvas.rectangles(low, high, shade.astype(np.uint8), 2 if len(order) <= THICK_AT_MOST else 1)
    if len(places):
        ink = np.full(len(places[0]), 2 * SHADES + 1, np.uint8)
        canvas.discs(places[0], places[1], ink, 2 if len(ink) <= 300 else 1)
    return canvas


def density(rectangles: Rectangles, extent: Extent, shape: Size) -> Floats:
    """Records per cell, each spread evenly over the cells that its rectangle touches.

    ``shape``: columns and rows of cells; what lies outside the extent is not counted. Returns float64 (rows,
    columns), the northernmost row first. Cost O(g + cells).
    """
    west, south, east, north = extent
    low, high = (rectangles.west, rectangles.south), (rectangles.east, rectangles.north)
    return spread(low, high, rectangles.published, ((west, east), (south, north)), shape)


def density_scale(held: Floats) -> Scale:
    """The colors of cells that hold something; those with less than a thousandth of the fullest share the
    faintest."""
    return count_scale(held, float(held.max(initial=0.0)) / _FAINTEST)


def paint_cells(canvas: Canvas, cells: np.ndarray, indexes: np.ndarray) -> Canvas:
    """Paint cells (rows, columns) that hold something; ``indexes``: places on the scale of those, in order;
    the palette is `cell_inks`."""
    found = np.zeros(cells.shape, np.uint8)
    found[cells > 0] = 1 + indexes.astype(np.int64) * SHADES // 256
    fill(canvas, found)
    return canvas


def cell_inks(theme: str) -> Inks:
    """The palette of `paint_cells`: the fuller a cell, the stronger and the less transparent."""
    steps = np.linspace(0.35, 0.95, SHADES).tolist()
    return list(zip(shades(theme == "dark", upward=False), steps, strict=True))


def _hex(color: str) -> str:
    from plotly.colors import unlabel_rgb

    return "#" + "".join(f"{round(part):02x}" for part in unlabel_rgb(color))

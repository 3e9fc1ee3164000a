"""Land and sea with a background of one's own painted on them: one picture."""

from __future__ import annotations

import base64
import io

import numpy as np

from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.backgrounds.reading import Background
from kanon_core.charts.maps.backgrounds.tiles import Place, Tiles, across, down
from kanon_core.charts.maps.extent import Extent, Size
from kanon_core.charts.maps.ground import ground, ground_inks, ground_source

LINE = 5
"""The number of lines in the palette of `ground_inks`."""
_SIDE = 256
_QUALITY = 85


def painted_ground(extent: Extent, size: Size, theme: str, mine: Background | None) -> str:
    """`ground.ground_source`, with one's own lines or tiles on it, as a data address.

    Cost: as `ground`, and the points of the lines, or up to 64 tiles that are unpacked.
    """
    if mine is None:
        return ground_source(extent, size, theme)
    if isinstance(mine, Lines):
        return _lined(extent, size, theme, mine)
    return _tiled(extent, size, theme, mine)


def _lined(extent: Extent, size: Size, theme: str, mine: Lines) -> str:
    west, south, east, north = extent
    canvas = Canvas((west, east), (south, north), *size)
    canvas.pixels = ground(extent, size)
    first = np.zeros(len(mine.points), bool)
    first[mine.starts] = True
    end = np.flatnonzero(~first)
    start = end - 1
    low, high = (part(mine.points[start], mine.points[end]) for part in (np.minimum, np.maximum))
    seen = (low <= (east, north)).all(axis=1) & (high >= (west, south)).all(axis=1)
    (x0, y0), (x1, y1) = mine.points[start[seen]].T, mine.points[end[seen]].T
    canvas.segments((x0, y0), (x1, y1), np.full(len(x0), LINE, np.uint8))
    return canvas.source(ground_inks(theme))


def _tiled(extent: Extent, size: Size, theme: str, mine: Tiles) -> str:
    from PIL import Image

    colors = np.array([[int(ink[i : i + 2], 16) for i in (1, 3, 5)] for ink, _ in ground_inks(theme)])
    below = colors[ground(extent, size).astype(np.int64) - 1].astype(np.uint8)
    places = mine.covering(extent, size)
    picture = Image.fromarray(below)
    if places:
        over = Image.fromarray(_warped(_mosaic(mine, places), places, extent, size), "RGBA")
        picture.paste(over, mask=over.getchannel("A"))
    packed = io.BytesIO()
    picture.save(packed, "JPEG", quality=_QUALITY)
    return "data:image/jpeg;base64," + base64.b64encode(packed.getvalue()).decode("ascii")


def _mosaic(mine: Tiles, places: list[Place]) -> np.ndarray:
    """The tiles side by side, uint8 (height, width, 4); clear where there is none."""
    from PIL import Image

    columns, rows = ([place[part] for place in places] for part in (1, 2))
    wide, high = (max(part) - min(part) + 1 for part in (columns, rows))
    whole = Image.new("RGBA", (wide * _SIDE, high * _SIDE))
    for place in places:
        content = mine.tile(place)
        if content is None:
            continue
        try:
            with Image.open(io.BytesIO(content)) as found:
                tile = found.convert("RGBA").resize((_SIDE, _SIDE))
        except Exception:  # a damaged picture is left out, whatever its reader raises
            continue
        whole.paste(tile, ((place[1] - min(columns)) * _SIDE, (place[2] - min(rows)) * _SIDE))
    return np.asarray(whole)


def _warped(mosaic: np.ndarray, places: list[Place], extent: Extent, size: Size) -> np.ndarray:
    """The mosaic, whose rows are Mercator's, on an extent whose rows are latitudes: uint8 (height, width, 4);
    clear outside of the mosaic."""
    (zoom, left, top), (west, south, east, north) = places[0], extent
    longitudes = west + (np.arange(size[0]) + 0.5) / size[0] * (east - west)
    latitudes = north - (np.arange(size[1]) + 0.5) / size[1] * (north - south)
    columns = np.floor([(across(one, zoom) - left) * _SIDE for one in longitudes.tolist()]).astype(np.int64)
    rows = np.floor([(down(one, zoom) - top) * _SIDE for one in latitudes.tolist()]).astype(np.int64)
    inside = [(at >= 0) & (at < most) for at, most in ((rows, mosaic.shape[0]), (columns, mosaic.shape[1]))]
    found = mosaic[np.clip(rows, 0, mosaic.shape[0] - 1)[:, None], np.clip(columns, 0, mosaic.shape[1] - 1)]
    return np.where((inside[0][:, None] & inside[1])[:, :, None], found, 0).astype(np.uint8)

"""Small multiples: the rectangles of several releases on one extent, in one color scale, with their sizes in
figures.

Rectangles are painted on the server (`painting`), so that four panels of 10,000 rectangles are four small
pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.maps.maps import Floats, Rectangles, color_scale, palette, placed
from kanon_core.release.release import Release

WIDTH, HEIGHT = 720, 540
"""Pixels of a panel."""
SHADES = 80
"""Colors of the area scale: edges, fills and points share the 255 of an indexed PNG."""
POINTS_AT_MOST = 1_000
FILLED_AT_MOST = 20_000
NARROWEST, WIDEST = 2e-4, 360.0
"""Degrees across a panel at least and at most: about 20 m, and once around."""

Extent = tuple[float, float, float, float]
"""West, south, east and north edge in degrees."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One release as a panel.

    ``rectangles``: one for each distinct set; ``own`` int64 (n): the rectangle that each record is published
    with, −1 for a record that is suppressed or has no place. ``title`` is not escaped.
    """

    title: str
    rectangles: Rectangles
    own: np.ndarray

    @classmethod
    def of(cls, title: str, release: Release, latitude: str, longitude: str) -> Panel:
        """The panel of a release; ``latitude`` and ``longitude`` name quasi-identifiers of these kinds."""
        return cls(title, *placed(release, latitude, longitude))

    @cached_property
    def areas_km2(self) -> Floats:
        """Area of the rectangle of each record that has one, float64 (≤ n)."""
        return np.asarray(self.rectangles.areas_km2[self.own[self.own >= 0]])

    @cached_property
    def diagonals_km(self) -> Floats:
        """Diagonal of the rectangle of each record that has one."""
        return np.asarray(self.rectangles.diagonals_km[self.own[self.own >= 0]])

    def facts(self) -> list[tuple[str, str]]:
        """Mean, median and total area of the records' rectangles and their mean diagonal: names and texts."""
        if not len(self.areas_km2):
            return [("records on the map", "none")]
        return [
            ("mean area", area_text(float(self.areas_km2.mean()))),
            ("median area", area_text(float(np.median(self.areas_km2)))),
            ("total area", area_text(float(self.areas_km2.sum()))),
            ("mean diagonal", length_text(float(self.diagonals_km.mean()))),
        ]


def area_text(area: float) -> str:
    """An area in km² with its unit; small ones in square meters."""
    return f"{_short(area * 1e6)} m²" if 0 < area < 0.01 else f"{_short(area)} km²"


def length_text(length: float) -> str:
    """A length in km with its unit; short ones in meters."""
    return f"{_short(length * 1000)} m" if 0 < length < 1 else f"{_short(length)} km"


def _short(value: float) -> str:
    """Three significant digits, never as a power of ten from 1 on; whole numbers from 1,000 in full."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def panels_sentence(panels: Sequence[Panel]) -> str:
    """Which method has the smallest mean area, and how much larger the others' are; "" for fewer than two."""
    ranked = sorted(
        ((float(panel.areas_km2.mean()), panel.title) for panel in panels if len(panel.areas_km2)),
        key=lambda found: found[0],
    )
    if len(ranked) < 2:
        return ""
    (least, best), rest = ranked[0], ranked[1:]
    if rest[-1][0] == least:
        return f"The mean area is the same for all, {area_text(least)}."
    others = ", ".join(f"{title} {_more(least, area)}" for area, title in rest)
    return f"{best} has the smallest mean area, {area_text(least)}; {others}."


def _more(least: float, area: float) -> str:
    """How a larger mean area compares with the least, in words."""
    if area == least:
        return "has the same"
    if least == 0 or area >= 2 * least:
        return (
            f"has {_short(area / least)} times as much ({area_text(area)})"
            if least
            else f"has {area_text(area)}"
        )
    return f"has {look.percent_text(area / least - 1)} % more ({area_text(area)})"


def whole_extent(latitude: Floats, longitude: Floats) -> Extent:
    """The extent around these places in degrees; of more than 1,000 the central 99 % each way."""
    known = np.isfinite(latitude) & np.isfinite(longitude)
    if not known.any():
        return fitted((-180.0, -60.0, 180.0, 75.0))
    tail = 0.005 if known.sum() > POINTS_AT_MOST else 0.0
    (west, east), (south, north) = (
        np.quantile(values[known], [tail, 1 - tail]).tolist() for values in (longitude, latitude)
    )
    return fitted((west, south, east, north))


def fitted(extent: Extent, room: float = 0.04) -> Extent:
    """The extent with some room around it, widened so that a panel shows a kilometer equally long in both
    directions.

    Raises OptionError unless west ≤ east and south ≤ north are numbers of degrees.
    """
    west, south, east, north = extent
    if not (np.isfinite(extent).all() and west <= east and south <= north):
        raise OptionError(
            "The extent of a map must be four numbers of degrees: west ≤ east and south ≤ north."
        )
    middle = float(np.clip((south + north) / 2, -90, 90))
    shrink = max(float(np.cos(np.radians(middle))), 0.05)
    across, up = (1 + 2 * room) * (east - west) * shrink, (1 + 2 * room) * (north - south)
    across = float(np.clip(max(across, up * WIDTH / HEIGHT), NARROWEST, WIDEST))
    half_x, half_y = across / shrink / 2, across * HEIGHT / WIDTH / 2
    center = (west + east) / 2
    return center - half_x, middle - half_y, center + half_x, middle + half_y


@dataclass(frozen=True)
class Pictures:
    """The painted panels: one data address each, and the color scale they share.

    ``colors``: CSS colors from the smallest to the largest area; ``ticks``: place 0 … 1 on the scale, and
    area as text.
    """

    sources: tuple[str, ...]
    colors: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]


def painted(
    panels: Sequence[Panel], latitude: Floats, longitude: Floats, extent: Extent, theme: str = "light"
) -> Pictures:
    """The panels painted on one extent, colored by area on one scale; the largest rectangles first, the
    smallest on top.

    Up to 1,000 records stand as points on top; up to 20,000 rectangles are filled.
    Raises OptionError for an unknown theme. Cost O(n log n) a panel and the pixels of the outlines.
    """
    colors, dark = look.theme_of(theme), theme == "dark"
    found, ticks = color_scale(np.concatenate([panel.rectangles.areas_km2 for panel in panels]))
    shades = np.split(
        1 + found.astype(np.int64) * SHADES // 256,
        np.cumsum([len(panel.rectangles) for panel in panels])[:-1],
    )
    scale = [palette(dark)[round(i * 255 / (SHADES - 1))] for i in range(SHADES)]
    inks = [_hex(color) for color in scale]
    inked = [(c, 0.9) for c in inks] + [(c, 0.2) for c in inks] + [(colors.accent, 0.85)]
    places = (longitude, latitude) if len(latitude) <= POINTS_AT_MOST else None
    sources = tuple(
        _picture(panel.rectangles, mine, extent, places).source(inked)
        for panel, mine in zip(panels, shades, strict=True)
    )
    return Pictures(sources, tuple(scale[::13]), tuple((place, area_text(area)) for place, area in ticks))


def _picture(
    rectangles: Rectangles, shades: np.ndarray, extent: Extent, places: tuple[Floats, Floats] | None
) -> Canvas:
    west, south, east, north = extent
    canvas = Canvas((west, east), (south, north), WIDTH, HEIGHT)
    seen = (rectangles.west <= east) & (rectangles.east >= west)
    order = np.flatnonzero(seen & (rectangles.south <= north) & (rectangles.north >= south))
    order = order[np.lexsort((-rectangles.diagonals_km[order], -rectangles.areas_km2[order]))]
    low, high = (
        (rectangles.west[order], rectangles.south[order]),
        (rectangles.east[order], rectangles.north[order]),
    )
    if len(order) <= FILLED_AT_MOST:
        canvas.fills(low, high, (shades[order] + SHADES).astype(np.uint8))
    canvas.rectangles(low, high, shades[order].astype(np.uint8), 2 if len(order) <= POINTS_AT_MOST else 1)
    if places is not None:
        ink = np.full(len(places[0]), 2 * SHADES + 1, np.uint8)
        canvas.discs(*places, ink, 2 if len(ink) <= 300 else 1)
    return canvas


def _hex(color: str) -> str:
    from plotly.colors import unlabel_rgb

    return "#" + "".join(f"{round(part):02x}" for part in unlabel_rgb(color))

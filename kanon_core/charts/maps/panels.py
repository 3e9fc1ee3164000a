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

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.maps import paint
from kanon_core.charts.maps.backgrounds.painting import painted_ground
from kanon_core.charts.maps.backgrounds.reading import Background
from kanon_core.charts.maps.extent import HEIGHT, WIDTH, Extent, width_km
from kanon_core.charts.maps.rectangles import CELL, Rectangles, placed
from kanon_core.charts.maps.units import Floats, area_scale, area_text, length_text
from kanon_core.release.release import Release


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
            return [(tr("records on the map"), tr("none"))]
        return [
            (tr("mean area"), area_text(float(self.areas_km2.mean()))),
            (tr("median area"), area_text(float(np.median(self.areas_km2)))),
            (tr("total area"), area_text(float(self.areas_km2.sum()))),
            (tr("mean diagonal"), length_text(float(self.diagonals_km.mean()))),
        ]


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
        return tr("The mean area is the same for all, {area}.").format(area=area_text(least))
    others = ", ".join(_more(title, least, area) for area, title in rest)
    says = tr("{best} has the smallest mean area, {area}; {others}.")
    return says.format(best=best, area=area_text(least), others=others)


def _more(title: str, least: float, area: float) -> str:
    """How a larger mean area compares with the least, in words."""
    if area == least:
        says = tr("{title} has the same")
    elif not least:
        says = tr("{title} has {area}")
    elif area >= 2 * least:
        says = tr("{title} has {times} times as much ({area})")
    else:
        says = tr("{title} has {percent} % more ({area})")
    return says.format(
        title=title,
        area=area_text(area),
        times=look.number_text(float(f"{area / least:.3g}")) if least else "",
        percent=look.percent_text(area / least - 1) if least else "",
    )


@dataclass(frozen=True)
class Pictures:
    """The painted panels: one data address each, and the color scale they share.

    ``ground``: land and sea below all of them; ``dense``: whether they show records in squares, and
    ``sentence`` why; ``colors``: CSS colors from the smallest to the largest value; ``ticks``: place 0 … 1 on
    the scale, and value as text.
    """

    sources: tuple[str, ...]
    ground: str
    dense: bool
    colors: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    sentence: str = ""


def painted(
    panels: Sequence[Panel],
    latitude: Floats,
    longitude: Floats,
    extent: Extent,
    theme: str = "light",
    background: Background | None = None,
) -> Pictures:
    """The panels painted on one extent, colored by area on one scale; the largest rectangles first, the
    smallest on top. Where the rectangles of a panel are too many to tell apart, all show records in squares.

    Up to 1,000 records stand as points on top; ``background``: lines or tiles of one's own below. Raises
    OptionError for an unknown theme. Cost O(n log n) a panel and the pixels of the outlines.
    """
    dark = look.theme_of(theme) is look.THEMES["dark"]
    below = painted_ground(extent, (WIDTH, HEIGHT), theme, background)
    if any(paint.too_many(panel.rectangles, extent, (WIDTH, HEIGHT)) for panel in panels):
        return _dense(panels, extent, theme, below)
    scale = area_scale(np.concatenate([np.zeros(0), *(panel.rectangles.areas_km2 for panel in panels)]))
    mine = np.split(scale.indexes, np.cumsum([len(panel.rectangles) for panel in panels])[:-1])
    places = (longitude, latitude) if len(latitude) <= paint.POINTS_AT_MOST else ()
    sources = tuple(
        paint.paint_rectangles(_canvas(extent), panel.rectangles, indexes, places).source(paint.inks(theme))
        for panel, indexes in zip(panels, mine, strict=False)
    )
    return Pictures(sources, below, False, tuple(paint.shades(dark)[::13]), scale.ticks)


def _dense(panels: Sequence[Panel], extent: Extent, theme: str, below: str) -> Pictures:
    """The panels as records in squares, on one scale."""
    shape = WIDTH // CELL, HEIGHT // CELL
    cells = [paint.density(panel.rectangles, extent, shape) for panel in panels]
    held = [found[found > 0] for found in cells]
    scale = paint.density_scale(np.concatenate(held))
    mine = np.split(scale.indexes, np.cumsum([len(found) for found in held])[:-1])
    sources = tuple(
        paint.paint_cells(_canvas(extent), found, indexes).source(paint.cell_inks(theme))
        for found, indexes in zip(cells, mine, strict=True)
    )
    colors = tuple(paint.shades(theme == "dark", upward=False)[::13])
    says = tr(
        "Rectangles are too many to tell apart: shown is how many records are published in each square of"
        " {side}. Come closer to see rectangles."
    ).format(side=length_text(float(f"{width_km(extent) / shape[0]:.2g}")))
    return Pictures(sources, below, True, colors, scale.ticks, says)


def _canvas(extent: Extent) -> Canvas:
    west, south, east, north = extent
    return Canvas((west, east), (south, north), WIDTH, HEIGHT)

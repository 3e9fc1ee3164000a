"""The map as one picture: rectangles or density over land and sea, names, a ruler, a legend, a sentence.

Land and sea depend on the table alone and are painted once; what moves with k is one indexed PNG over them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.maps import paint
from kanon_core.charts.maps.backgrounds.painting import painted_ground
from kanon_core.charts.maps.backgrounds.reading import Background
from kanon_core.charts.maps.backgrounds.tiles import Tiles
from kanon_core.charts.maps.extent import Extent, Size, ruler, whole_extent, width_km
from kanon_core.charts.maps.places import CREDIT, Box, Label, labels
from kanon_core.charts.maps.rectangles import CELL, DARK, LIGHT, Rectangles, placed
from kanon_core.charts.maps.units import Scale, area_scale, area_text, length_text
from kanon_core.release.release import Release
from kanon_core.table.table import Table

SIZE: Size = (560, 400)
SHARP = 2
"""Painted pixels for each pixel of the picture."""
_NARROW = 0.75
"""Names are set so that none collide down to this part of the width: on a phone the map shrinks."""
Named = tuple[str, str]
"""The names of the columns of latitude and longitude."""
CREDITS = f"Natural Earth · {CREDIT} (CC BY 4.0)"
"""Whose the outlines and the names are."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn of a release: rectangles, and how many records are not on the map; and where: extent and
    pixels."""

    rectangles: Rectangles
    missing: int
    disjoint: bool
    extent: Extent
    size: Size

    @classmethod
    def of(cls, table: Table, release: Release, named: Named, size: Size = SIZE) -> Drawing:
        """The drawing of a release on the extent of its table's places."""
        rectangles, own = placed(release, *named)
        missing = int((own < 0).sum())
        extent = extent_of(table, named, size)
        return cls(rectangles, missing, release.guarantee.disjoint, extent, size)

    @cached_property
    def dense(self) -> bool:
        """Whether density is drawn, since the rectangles cannot be told apart."""
        return paint.too_many(self.rectangles, self.extent, self.size)

    @cached_property
    def cells(self) -> np.ndarray:
        """Records per cell, float64 (rows, columns)."""
        shape = (max(1, self.size[0] // CELL), max(1, self.size[1] // CELL))
        return paint.density(self.rectangles, self.extent, shape)

    @cached_property
    def scale(self) -> Scale:
        """The colors of the rectangles' areas, or of the cells that hold something."""
        if not self.dense:
            return area_scale(self.rectangles.areas_km2)
        return paint.density_scale(self.cells[self.cells > 0])

    @property
    def cell_km(self) -> float:
        """The side of a cell in kilometers."""
        return width_km(self.extent) / int(self.cells.shape[1])

    def painted(self, theme: str, places: tuple[np.ndarray, np.ndarray] | tuple[()]) -> str:
        """The rectangles or the cells as a data address; of cells one pixel each, which is enlarged where it
        is shown."""
        west, south, east, north = self.extent
        if self.dense:
            rows, columns = self.cells.shape
            canvas = Canvas((west, east), (south, north), columns, rows)
            painted = paint.paint_cells(canvas, self.cells, self.scale.indexes)
            return painted.source(paint.cell_inks(theme))
        canvas = Canvas((west, east), (south, north), SHARP * self.size[0], SHARP * self.size[1])
        shown = paint.paint_rectangles(canvas, self.rectangles, self.scale.indexes, places)
        return shown.source(paint.inks(theme))


@dataclass(frozen=True, eq=False)
class MapPicture:
    """A map as it is drawn: ``ground`` and over it ``over``, data addresses of pictures of one place; names
    of places; the colors and ticks of the legend; the ruler in km and as part of the width."""

    ground: str
    over: str
    names: tuple[Label, ...]
    drawing: Drawing
    theme: str
    sentence: str
    credits: str

    @property
    def data(self) -> dict[str, Any]:
        """What a script needs to draw it; places and sizes are parts of the width and the height."""
        west, south, east, north = self.drawing.extent
        scale, length = self.drawing.scale, ruler(self.drawing.extent)
        ground = DARK if self.theme == "dark" else LIGHT
        names = [
            [
                one.name,
                (one.longitude - west) / (east - west),
                (north - one.latitude) / (north - south),
                one.side,
            ]
            for one in self.names
        ]
        return {
            "size": self.drawing.size,
            "ground": self.ground,
            "over": self.over,
            "squares": self.drawing.dense,
            "names": names,
            "legend": tr("Records in each square") if self.drawing.dense else tr("Area of a rectangle"),
            "colors": self.colors,
            "ticks": [text for _, text in scale.ticks],
            "ruler": {"share": length / width_km(self.drawing.extent), "text": length_text(length)},
            "credits": self.credits,
            "ink": ground["name"],
            "behind": ground["behind"],
            "says": self.sentence,
        }

    @property
    def colors(self) -> list[str]:
        """The legend's colors in CSS, from the smallest to the largest value."""
        dark = self.theme == "dark"
        if self.drawing.dense:
            return [look.faded(color, strength) for color, strength in paint.cell_inks(self.theme)[::13]]
        return paint.shades(dark)[::13]


def extent_of(table: Table, named: Named, size: Size = SIZE) -> Extent:
    """`whole_extent` of the places of a table; found once for each table."""
    latitude, longitude = (table.numbers(name).values for name in named)
    return table.once(f"map.extent/{named!r}/{size!r}", lambda: whole_extent(latitude, longitude, size))


def map_picture(
    table: Table,
    release: Release,
    named: Named,
    theme: str = "light",
    size: Size = SIZE,
    background: Background | None = None,
) -> MapPicture:
    """A release's rectangles on the map, or the density of its records where they are too many to see.

    ``named``: the columns of latitude and longitude, both quasi-identifiers; ``size``: pixels of the map; in
    a narrower place the map shrinks. Colors are the areas of the rectangles, or records per cell of 4 × 4
    pixels, each record spread evenly over its rectangle. Up to 1,000 records are points. Names of places are
    GeoNames'. ``background``: lines or tiles of one's own below. ``sentence`` is `map_sentence`.

    Raises OptionError for an unknown theme, SchemaError for an unknown column. Cost O(g + n) and the pixels;
    what depends on the table alone (extent, land and sea, names) is kept with the table.
    """
    look.theme_of(theme)
    drawing = Drawing.of(table, release, named, size)
    place = f"{drawing.extent!r} {size!r}"
    below = table.once(
        f"map.ground/{place}/{theme}/{background and background.digest}",
        lambda: painted_ground(drawing.extent, (SHARP * size[0], SHARP * size[1]), theme, background),
    )
    narrow = round(_NARROW * size[0]), round(_NARROW * size[1])
    names = table.once(f"map.names/{place}", lambda: labels(drawing.extent, narrow, [_corner(narrow)]))
    if isinstance(background, Tiles):  # which mostly have names of their own
        names = []
    latitude, longitude = (table.numbers(name).values for name in named)
    places = (longitude, latitude) if len(table) <= paint.POINTS_AT_MOST else ()
    over, said = drawing.painted(theme, places), credited(background)
    return MapPicture(below, over, tuple(names), drawing, theme, _says(drawing), said)


def credited(background: Background | None) -> str:
    """Whose the outlines, the names and the tiles are."""
    mine = background.credit if isinstance(background, Tiles) else ""
    return f"{CREDITS} · {mine}" if mine else CREDITS


def map_sentence(table: Table, release: Release, named: Named, size: Size = SIZE) -> str:
    """What `map_picture` shows, in words made from its numbers."""
    return _says(Drawing.of(table, release, named, size))


def _says(drawing: Drawing) -> str:
    if not len(drawing.rectangles):
        return tr("No published record has a place.")
    says = rectangles_sentence(drawing.rectangles, drawing.disjoint, drawing.missing)
    said = [says]
    if drawing.dense:
        says = tr(
            "They are too many to tell apart: the color shows how many records are published in each square"
            " of {side}, every record spread evenly over its rectangle."
        )
        said.append(says.format(side=length_text(float(f"{drawing.cell_km:.2g}"))))
    outside = len(drawing.rectangles) - len(paint.in_view(drawing.rectangles, drawing.extent))
    if outside:
        said.append(tr("Rectangles outside the picture: {count:,}.").format(count=outside))
    return " ".join(said)


def rectangles_sentence(rectangles: Rectangles, disjoint: bool, missing: int) -> str:
    """How wide the rectangles are, which have no extent, and how many records have none."""
    said = [areas_sentence(rectangles.areas_km2, disjoint)] if len(rectangles) else []
    points = int((rectangles.diagonals_km == 0).sum())
    for says, number in (
        (tr("Single points, whose place is published exactly: {count:,}."), points),
        (tr("Records without a place or suppressed: {count:,}."), missing),
    ):
        if number:
            said.append(says.format(count=number))
    return " ".join(said)


def areas_sentence(areas: np.ndarray, disjoint: bool) -> str:
    """How wide these rectangles are (km², at least one), one for each group of records, or else for each row.

    >>> areas_sentence(np.array([0.5, 1.9, 310.0]), True)
    'Half of the 3 rectangles, one for each group of records, cover at most 1.9 km²; ... covers 310 km².'
    """
    if len(areas) == 1:
        says = tr("The one rectangle covers {widest}.")
    elif areas.min() == areas.max():
        says = tr("Each of the {count:,} rectangles, one for {what}, covers {widest}.")
    elif np.median(areas) == 0:
        says = tr(
            "At least half of the {count:,} rectangles, one for {what}, have no area; the widest covers"
            " {widest}."
        )
    else:
        says = tr(
            "Half of the {count:,} rectangles, one for {what}, cover at most {middle}; the widest covers"
            " {widest}."
        )
    middle, widest = area_text(float(np.median(areas))), area_text(float(areas.max()))
    what = tr("each group of records") if disjoint else tr("each published row")
    return says.format(count=len(areas), what=what, middle=middle, widest=widest)


def _corner(size: Size) -> Box:
    """Where the ruler stands: no name does."""
    return size[0] * 0.72, size[1] - 30.0, float(size[0]), float(size[1])

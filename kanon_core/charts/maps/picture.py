"""The map as one picture: rectangles or density over land and sea, names, a ruler, a legend, a sentence.

Land and sea depend on the table alone and are painted once; what moves with k is one indexed PNG over them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, margin, note, scatter
from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.canvas.scene import picture_below
from kanon_core.charts.maps import paint
from kanon_core.charts.maps.extent import Extent, Size, ruler, shrinking, whole_extent, width_km
from kanon_core.charts.maps.ground import ground_source
from kanon_core.charts.maps.places import CREDIT, FONT_PIXELS, Box, Label, labels
from kanon_core.charts.maps.rectangles import CELL, DARK, LIGHT, Rectangles, placed
from kanon_core.charts.maps.units import Scale, area_scale, area_text, length_text
from kanon_core.release.release import Release
from kanon_core.table.table import Table

if TYPE_CHECKING:
    import plotly.graph_objects as go

SIZE: Size = (560, 400)
SHARP = 2
"""Painted pixels for each pixel of the chart."""
LEGEND = 46
"""Pixels above the map for the legend and the credits."""
_NARROW = 0.75
"""Names are set so that none collide down to this part of the width: on a phone the map shrinks."""
Named = tuple[str, str]
"""The names of the columns of latitude and longitude."""
_ANCHORS = {
    "right": ("left middle", 3, 0),
    "left": ("right middle", -3, 0),
    "above": ("center bottom", 0, 2),
    "below": ("center top", 0, -2),
}
"""By the side of its dot: the anchor of a name, and its shift in pixels."""
_ABOVE = {0.0: "left bottom", 0.5: "center bottom", 1.0: "right bottom"}
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

    def painted(self, theme: str, places: tuple[np.ndarray, np.ndarray] | tuple[()]) -> Settings:
        """The layout image of the rectangles or the cells."""
        west, south, east, north = self.extent
        canvas = Canvas((west, east), (south, north), SHARP * self.size[0], SHARP * self.size[1])
        if self.dense:
            return picture_below(
                paint.paint_cells(canvas, self.cells, self.scale.indexes), paint.cell_inks(theme)
            )
        shown = paint.paint_rectangles(canvas, self.rectangles, self.scale.indexes, places)
        return picture_below(shown, paint.inks(theme))


def extent_of(table: Table, named: Named, size: Size = SIZE) -> Extent:
    """`whole_extent` of the places of a table; found once for each table."""
    latitude, longitude = (table.numbers(name).values for name in named)
    return table.once(f"map.extent/{named!r}/{size!r}", lambda: whole_extent(latitude, longitude, size))


def map_picture(
    table: Table, release: Release, named: Named, theme: str = "light", size: Size = SIZE
) -> go.Figure:
    """A release's rectangles on the map, or the density of its records where they are too many to see.

    ``named``: the columns of latitude and longitude, both quasi-identifiers; ``size``: pixels of the map,
    above which stands a legend 46 pixels high; in a narrower place the map shrinks. Colors are the areas of
    the rectangles, or records per cell of 4 × 4 pixels, each record spread evenly over its rectangle. Up to
    1,000 records are points. Names of places are GeoNames'. `layout.meta["alt"]` is `map_sentence`.

    Raises OptionError for an unknown theme, SchemaError for an unknown column. Cost O(g + n) and the pixels;
    what depends on the table alone (extent, land and sea, names) is kept with the table.
    """
    drawing = Drawing.of(table, release, named, size)
    colors = look.theme_of(theme)
    place = f"{drawing.extent!r} {size!r}"
    below = table.once(
        f"map.ground/{place}/{theme}",
        lambda: ground_source(drawing.extent, (SHARP * size[0], SHARP * size[1]), theme),
    )
    narrow = round(_NARROW * size[0]), round(_NARROW * size[1])
    names = table.once(f"map.names/{place}", lambda: labels(drawing.extent, narrow, [_corner(narrow)]))
    latitude, longitude = (table.numbers(name).values for name in named)
    places = (longitude, latitude) if len(table) <= paint.POINTS_AT_MOST else ()
    over = drawing.painted(theme, places)
    # Plotly takes images of one place and size for one image: the lower is larger by a hair.
    images = [{**over, "source": below, "sizex": over["sizex"] * (1 + 1e-9)}, over, _bar(drawing, theme)]
    dots = scatter(
        "markers",
        [label.longitude for label in names],
        [label.latitude for label in names],
        marker={"size": 4, "color": colors.text, "line": {"width": 1, "color": _paper(theme)}},
    )
    notes = [
        *(_name(label, theme) for label in names),
        *_legend(drawing, theme),
        *_ruler_text(drawing, theme),
    ]
    layout: dict[str, Any] = {**_axes(drawing), "images": images, "annotations": notes}
    layout |= {"shapes": [_ruler_line(drawing, theme)], "dragmode": False, "margin": margin(0, 0, LEGEND, 0)}
    layout["uirevision"] = f"map/{table.digest[:16]}"
    return look.figure([dots], theme, _says(drawing), height=size[1] + LEGEND, **layout)


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


def _axes(drawing: Drawing) -> dict[str, Any]:
    west, south, east, north = drawing.extent
    still = {"visible": False, "fixedrange": True, "automargin": False, "constrain": "domain"}
    ratio = 1 / shrinking((south + north) / 2)
    tied = {"scaleanchor": "x", "scaleratio": ratio, "constraintoward": "top"}
    return {
        "xaxis": {**still, "range": [west, east], "constraintoward": "left"},
        "yaxis": {**still, "range": [south, north], **tied},
    }


def _paper(theme: str) -> str:
    return (DARK if theme == "dark" else LIGHT)["land"]


def _name(label: Label, theme: str) -> Settings:
    anchor, across, up = _ANCHORS[label.side]
    back: Settings = {**_behind(theme), "xshift": across, "yshift": up}
    ink, place = look.theme_of(theme).text, (label.longitude, label.latitude)
    return note(look.plain(label.name), *place, ink, FONT_PIXELS, anchor=anchor, **back)


def _behind(theme: str) -> Settings:
    """What lies behind a text on the map, so that it can be read over every color."""
    return {"bgcolor": look.faded(_paper(theme), 0.8), "borderpad": 1}


def _corner(size: Size) -> Box:
    """Where the ruler stands: no name does."""
    return size[0] * 0.72, size[1] - 30.0, float(size[0]), float(size[1])


def _ruler_line(drawing: Drawing, theme: str) -> Settings:
    west, south, east, north = drawing.extent
    share = ruler(drawing.extent) / width_km(drawing.extent)
    end, up = east - 0.02 * (east - west), south + 0.02 * (north - south)
    line = {"color": look.theme_of(theme).text, "width": 2}
    ends = {"x0": end - share * (east - west), "x1": end, "y0": up, "y1": up}
    return {"type": "line", "xref": "x", "yref": "y", **ends, "line": line}


def _ruler_text(drawing: Drawing, theme: str) -> list[Settings]:
    west, south, east, north = drawing.extent
    text, ink = length_text(ruler(drawing.extent)), look.theme_of(theme).text
    place = east - 0.02 * (east - west), south + 0.02 * (north - south)
    back: Settings = {**_behind(theme), "yshift": 3}
    return [note(text, *place, ink, FONT_PIXELS, anchor=_ABOVE[1.0], **back)]


def _bar(drawing: Drawing, theme: str) -> Settings:
    """The bar of the legend: one pixel for each color, stretched; nothing where there is one color only."""
    canvas = Canvas((0, 1), (0, 1), paint.SHADES, 1)
    shown = len(drawing.scale.ticks) > 1
    canvas.pixels[:] = np.arange(1, paint.SHADES + 1) if shown else 0
    plain = [(color, 1.0) for color in paint.shades(theme == "dark")]
    inks = paint.cell_inks(theme) if drawing.dense else plain
    high = drawing.size[1]
    ends = {"x": 0.0, "y": 1 + 28 / high, "sizex": 0.52, "sizey": 7 / high, "xref": "paper", "yref": "paper"}
    return {"source": canvas.source(inks), **ends, "sizing": "stretch", "layer": "above"}


def _legend(drawing: Drawing, theme: str) -> list[Settings]:
    """The legend's title and labels, and the credits."""
    colors, ticks = look.theme_of(theme), drawing.scale.ticks
    title = tr("Records in each square") if drawing.dense else tr("Area of a rectangle")
    only = f": {ticks[0][1]}" if len(ticks) == 1 else ""
    paper = {"paper": "xy"}
    found = [note(title + only, 0, 1, colors.text, 12, anchor=_ABOVE[0.0], yshift=29, **paper)]
    for place, text in ticks if len(ticks) > 1 else ():
        anchor = _ABOVE.get(place, _ABOVE[0.5])
        found.append(note(text, 0.52 * place, 1, colors.muted, 11, anchor=anchor, yshift=3, **paper))
    found.append(note(CREDITS, 1, 1, colors.muted, 10, anchor=_ABOVE[1.0], yshift=30, **paper))
    return found

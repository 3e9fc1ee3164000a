"""Layers of a map, used as those of folium: land and names of places, records, and rectangles."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from folium.elements import JSCSSMixin
from folium.map import Layer
from folium.template import Template

from kanon_core.base.words import later, tr
from kanon_core.charts.maps.boxes import Boxes, drawing_order
from kanon_core.charts.maps.density import density
from kanon_core.charts.maps.offline import Link
from kanon_core.charts.maps.units import AREAS, LENGTHS, Ends, area_scale, count_scale
from kanon_core.charts.maps.vendored import SCRIPTS, STYLE, address, text_of

WORDS: Mapping[str, str] = {
    "groups": later("Rectangles on the map"),
    "size": later("records"),
    "area": later("area"),
    "diagonal": later("diagonal"),
    "by_area": later("Area of a rectangle"),
    "by_size": later("Records in a group"),
    "by_density": later("Records in each square"),
    "whole": later("Show all records"),
    "part": later("{count} of {all} rectangles are in view"),
    "crowded": later(
        "{count} rectangles are too many to tell apart. The color shows how many records are published in"
        " each square of {side}. Zoom in to see rectangles."
    ),
    "square": later("records in this square"),
}
"""The words on the map, in English; they are translated where they are read."""
CROWD = {"most": 2_000, "few": 400, "small": 4, "cell": 4}
"""Above ``most`` rectangles in view, or above ``few`` of which half are below ``small`` pixels, the map shows
how many records are published in each square of ``cell`` pixels."""
View = list[list[float]]
"""South-west and north-east corner, latitude before longitude."""
WORLD: View = [[-60.0, -170.0], [75.0, 170.0]]
_GROUND = ("vendor/basemap/overview.json", "vendor/basemap/detail.json", "vendor/places/places.json")


class _Sheet(JSCSSMixin, Layer):
    """A layer that a script of ours draws on one canvas. ``name``: what the menu of layers calls it;
    ``theme``: "light" or "dark"; further options are those of `folium.map.Layer`."""

    _template = Template(
        """
        {% macro script(this, kwargs) %}
            var {{ this.get_name() }} = {{ this.made }}({{ this.arguments() }}, {{ this.options }});
        {% endmacro %}
        """
    )

    made = ""
    data: Mapping[str, Any] = {}

    def __init__(self, name: str, theme: str, options: dict[str, Any]) -> None:
        super().__init__(**{"name": name, "overlay": True, **options})
        self._name = type(self).__name__
        self.options = written({"dark": theme == "dark"})

    def arguments(self) -> str:
        """Return the arguments of the script."""
        return written(self.data)

    @property
    def default_js(self) -> list[Link]:
        """The scripts that draw our layers: a list of its own."""
        return [(path, address(path, self._served)) for path in SCRIPTS]

    @property
    def default_css(self) -> list[Link]:
        """The style of maps with our layers: a list of its own."""
        return [(STYLE, address(STYLE, self._served))]

    @property
    def _served(self) -> str | None:
        return getattr(self._parent, "served", None)


class Ground(_Sheet):
    """Land, borders and, with ``names``, the names of the largest places in view.

    ``theme``: "light" or "dark". Outlines are of Natural Earth, names of GeoNames, which the map credits.
    """

    made = "L.kanonGround"

    def __init__(self, theme: str = "light", names: bool = True, **options: Any) -> None:
        super().__init__(tr("Land and names of places"), theme, options)
        self.names = names

    def arguments(self) -> str:
        """Return the arguments of the script: the addresses of the outlines and names, or these
        themselves."""
        overview, detail, names = (_source(path, self._served) for path in _GROUND)
        places = names if self.names else "null"
        return f'{{"overview": {overview}, "detail": {detail}}}, {places}'


class Records(_Sheet):
    """The records' places as points, where they may be shown: to those who hold the originals.

    ``latitude``, ``longitude``: degrees (n,); those that are not finite are left out. 11 bytes a record.
    """

    made = "L.kanonRecords"

    def __init__(
        self, latitude: npt.ArrayLike, longitude: npt.ArrayLike, theme: str = "light", **options: Any
    ) -> None:
        super().__init__(tr("Original records"), theme, options)
        places = np.vstack([np.asarray(latitude, np.float64), np.asarray(longitude, np.float64)])
        places = places[:, np.isfinite(places).all(axis=0)]
        origin = middle(*places)
        self.data = {"origin": origin, "offsets": packed(places - np.array(origin)[:, None], "<f4")}


class Rectangles(_Sheet):
    """All rectangles of a release, packed into one array of numbers and drawn on one canvas.

    ``boxes``: the rectangles. ``k``: the k asked for, named in the tooltip. ``coloring``: by ``"area"`` or by
    ``"size"``, the records of a group, on a logarithmic scale (`Boxes.ends`). ``theme``: "light" or "dark".
    ``locale``: how numbers are written. ``whole``: south-west and north-east corner that the button “Show all
    records” leads to. Where rectangles are too many to tell apart, the script draws the density of records
    (`CROWD`). About 28 bytes a rectangle."""

    made = "L.kanonRectangles"

    def __init__(
        self,
        boxes: Boxes,
        k: int = 0,
        coloring: str = "area",
        theme: str = "light",
        locale: str = "en",
        **options: Any,
    ) -> None:
        self.whole = options.pop("whole", None) or corners(boxes)
        super().__init__(tr("Rectangles"), theme, options)
        self.theme, self.locale = theme, locale
        self.data = layer_data(boxes, k, coloring)

    def arguments(self) -> str:
        """The look of the layer, which stays while k changes, and the rectangles."""
        look = {
            "palette": palette(self.theme == "dark"),
            "locale": self.locale,
            "words": {name: tr(text) for name, text in WORDS.items()},
            "areas": [(*scale, tr(text)) for *scale, text in AREAS],
            "lengths": [(*scale, tr(text)) for *scale, text in LENGTHS],
            "crowd": CROWD,
            "whole": self.whole,
        }
        return f"{written(look)}, {written(self.data)}"


def layer_data(boxes: Boxes, k: int, coloring: str = "area", ends: Ends | None = None) -> dict[str, Any]:
    """Return the rectangles as the script takes them; the largest first, the smallest on top. ``ends``: of
    the scale of colors, by default those of these rectangles (`Boxes.ends`). O(g log g)."""
    scale, values = (area_scale, boxes.areas_km2) if coloring == "area" else (count_scale, boxes.sizes)
    colors, ticks = scale(values.astype(np.float64), ends or boxes.ends(coloring))
    order = drawing_order(boxes)
    edges = np.vstack([boxes.south, boxes.west, boxes.north, boxes.east])[:, order]
    origin = middle(edges[[0, 2]].ravel(), edges[[1, 3]].ravel())
    same = np.array_equal(boxes.sizes, boxes.published)
    return {
        "count": len(boxes),
        "k": k,
        "origin": origin,
        "edges": packed(edges - np.array([*origin, *origin])[:, None], "<f4"),
        "colors": packed(colors[order], "u1"),
        "sizes": packed(boxes.sizes[order], "<u4"),
        "records": None if same else packed(boxes.published[order], "<u4"),
        "legend": {"of": coloring, "ticks": ticks},
    }


def overview_data(boxes: Boxes, k: int, coloring: str = "area", ends: Ends | None = None) -> dict[str, Any]:
    """Return what the script needs to show all rectangles at once: their density where they are too many to
    tell apart, a tenth of the bytes, and else what `layer_data` returns."""
    if len(boxes) <= CROWD["most"]:
        return layer_data(boxes, k, coloring, ends)
    made = density(boxes, CROWD["cell"])
    empty = layer_data(Boxes.none(), k, coloring)
    return {**empty, "count": len(boxes), "density": {**made, "sums": packed(made["sums"], "<u2")}}


def corners(boxes: Boxes) -> View:
    """Return the south-west and the north-east corner of all rectangles, or of the world where there is
    none."""
    if not len(boxes):
        return WORLD
    ends = [[boxes.south.min(), boxes.west.min()], [boxes.north.max(), boxes.east.max()]]
    return [[float(end) for end in corner] for corner in ends]


@cache
def palette(dark: bool) -> tuple[str, ...]:
    """Return 256 colors from small to large: the part of viridis that stands out from the map, readable by
    the color-blind. The small are strong and the large faint."""
    from plotly.colors import sample_colorscale

    places = np.linspace(1.0, 0.32, 256) if dark else np.linspace(0.0, 0.86, 256)
    return tuple(sample_colorscale("Viridis", places.tolist(), colortype="rgb"))


def packed(values: npt.NDArray[Any], dtype: str) -> str:
    """Return an array as base64 of its values in a given type, row after row.

    >>> packed(np.array([1, 2]), "u1")
    'AQI='
    """
    return base64.b64encode(np.ascontiguousarray(values, dtype=dtype).tobytes()).decode("ascii")


def middle(latitude: npt.NDArray[np.float64], longitude: npt.NDArray[np.float64]) -> list[float]:
    """Return a place in the middle: float32 offsets from it lose less than a millionth of the extent."""
    if not len(latitude):
        return [0.0, 0.0]
    return [float(latitude.min() + latitude.max()) / 2, float(longitude.min() + longitude.max()) / 2]


def written(content: Any) -> str:
    """Return data as a script takes them; no text in them can end the script."""
    return json.dumps(content).replace("<", "\\u003c")


def _source(path: str, served: str | None) -> str:
    """The address of a file of numbers and names, or its content, as a script takes it."""
    return text_of(path).replace("<", "\\u003c") if served is None else written(address(path, served))

"""Layers of a map, used as those of folium: land and names of places, records, and rectangles."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from folium.elements import JSCSSMixin
from folium.map import Layer
from folium.template import Template

from kanon_core.base.words import later, tr
from kanon_core.charts.maps.boxes import Boxes
from kanon_core.charts.maps.offline import Link
from kanon_core.charts.maps.units import area_scale, count_scale
from kanon_core.charts.maps.vendored import GROUND, RECTANGLES, SHEET, STYLE, address, text_of

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
    "millions": later("{count} million km²"),
}
"""The words on the map, in English; they are translated where they are read."""
CROWD = {"most": 2_000, "few": 400, "small": 4, "cell": 4}
"""Above ``most`` rectangles in view, or above ``few`` of which half are below ``small`` pixels, the map shows
how many records are published in each square of ``cell`` pixels."""
COLORS: dict[str, dict[str, Any]] = {
    "light": {
        "dark": False,
        "sea": "#dde7ee",
        "land": "#f7f5f0",
        "coast": "#a9b6bf",
        "border": "#c9c3b8",
        "point": "rgba(40, 52, 64, .38)",
        "name": "#1f2430",
        "behind": "rgba(247, 245, 240, .8)",
    },
    "dark": {
        "dark": True,
        "sea": "#10171e",
        "land": "#212a33",
        "coast": "#4b5a67",
        "border": "#465462",
        "point": "rgba(220, 230, 238, .42)",
        "name": "#f3f4f6",
        "behind": "rgba(33, 42, 51, .8)",
    },
}
_OUTLINES = {name: f"vendor/basemap/{name}.json" for name in ("overview", "detail")}
_NAMES = "vendor/places/places.json"


class _Sheet(JSCSSMixin, Layer):
    """A layer that is drawn on one canvas by a script of ours. ``name``: what the menu of layers calls it;
    further options are those of `folium.map.Layer`."""

    _template = Template(
        """
        {% macro script(this, kwargs) %}
            var {{ this.get_name() }} = {{ this.made }}({{ this.arguments() }});
        {% endmacro %}
        """
    )
    made = ""
    scripts: tuple[str, ...] = ()

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        super().__init__(**{"name": name, "overlay": True, **options})
        self._name = type(self).__name__

    @property
    def default_js(self) -> list[Link]:
        """The scripts that draw the layer: a list of its own."""
        return [(path, address(path, self._served)) for path in (SHEET, *self.scripts)]

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
    scripts = (GROUND,)

    def __init__(self, theme: str = "light", names: bool = True, **options: Any) -> None:
        super().__init__(tr("Land and names of places"), options)
        self.theme, self.names = theme, names

    def arguments(self) -> str:
        """What the script is called with: where the outlines and names are, or these themselves."""
        served = self._served
        outlines = ", ".join(f'"{name}": {_source(path, served)}' for name, path in _OUTLINES.items())
        names = _source(_NAMES, served) if self.names else "null"
        return f"{{{outlines}}}, {names}, {written(COLORS[self.theme])}"


class Records(_Sheet):
    """The records' places as points, where they may be shown: to those who hold the originals.

    ``latitude``, ``longitude``: degrees (n,); those that are not finite are left out. 11 bytes a record.
    """

    made = "L.kanonRecords"
    scripts = (RECTANGLES,)

    def __init__(
        self, latitude: npt.ArrayLike, longitude: npt.ArrayLike, theme: str = "light", **options: Any
    ) -> None:
        super().__init__(tr("Original records"), options)
        places = np.vstack([np.asarray(latitude, np.float64), np.asarray(longitude, np.float64)])
        places = places[:, np.isfinite(places).all(axis=0)]
        origin = middle(*places)
        self.data = {
            "origin": origin,
            "offsets": packed(places - np.array(origin)[:, None], "<f4"),
            "color": COLORS[theme]["point"],
        }

    def arguments(self) -> str:
        """The places, packed."""
        return written(self.data)


class Rectangles(_Sheet):
    """All rectangles of a release, packed into one array of numbers and drawn on one canvas.

    ``boxes``: the rectangles. ``k``: the k asked for, named in the tooltip. ``coloring``: by ``"area"`` or by
    ``"size"``, the records of a group; the scale is logarithmic where the largest is more than 20 times the
    smallest. ``theme``: "light" or "dark". ``locale``: how numbers are written. ``whole``: south-west and
    north-east corner that the button “Show all records” leads to. Where rectangles are too many to tell
    apart, the script draws the density of records (`CROWD`). About 28 bytes a rectangle."""

    made = "L.kanonRectangles"
    scripts = (RECTANGLES,)

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
        super().__init__(tr("Rectangles"), options)
        self.theme, self.locale = theme, locale
        self.data = layer_data(boxes, k, coloring)

    def arguments(self) -> str:
        """The look of the layer, which stays while k changes, and the rectangles."""
        look = {
            "dark": self.theme == "dark",
            "palette": palette(self.theme == "dark"),
            "locale": self.locale,
            "words": {name: tr(text) for name, text in WORDS.items()},
            "crowd": CROWD,
            "whole": self.whole,
        }
        return f"{written(look)}, {written(self.data)}"


def layer_data(boxes: Boxes, k: int, coloring: str = "area", beside: Sequence[Boxes] = ()) -> dict[str, Any]:
    """Return the rectangles as the script takes them; the largest first, the smallest on top. ``beside``:
    those of other maps, so that all have one scale of colors. O(g log g)."""
    all_ = (boxes, *beside)
    if coloring == "area":
        scale = area_scale(np.concatenate([one.areas_km2 for one in all_]))
    else:
        scale = count_scale(np.concatenate([one.sizes.astype(np.float64) for one in all_]))
    order = drawing_order(boxes)
    edges = np.vstack([boxes.south, boxes.west, boxes.north, boxes.east])[:, order]
    origin = middle(edges[[0, 2]].ravel(), edges[[1, 3]].ravel())
    same = np.array_equal(boxes.sizes, boxes.published)
    return {
        "count": len(boxes),
        "k": k,
        "origin": origin,
        "edges": packed(edges - np.array([*origin, *origin])[:, None], "<f4"),
        "colors": packed(scale.indexes[: len(boxes)][order], "u1"),
        "sizes": packed(boxes.sizes[order], "<u4"),
        "records": None if same else packed(boxes.published[order], "<u4"),
        "legend": {"of": coloring, "ticks": [text for _, text in scale.ticks]},
    }


def corners(boxes: Boxes) -> list[list[float]]:
    """Return the south-west and the north-east corner of all rectangles, or of the world where there is
    none."""
    if not len(boxes):
        return [[-60.0, -170.0], [75.0, 170.0]]
    low, high = (boxes.south.min(), boxes.west.min()), (boxes.north.max(), boxes.east.max())
    return [[float(end) for end in corner] for corner in (low, high)]


def drawing_order(boxes: Boxes) -> npt.NDArray[np.intp]:
    """Return the numbers of the boxes in the order in which they are drawn: a click answers in it."""
    return np.lexsort((-boxes.diagonals_km, -boxes.areas_km2))


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
    return written(address(path, served)) if served is not None else _content(path)


@cache
def _content(path: str) -> str:
    return text_of(path).replace("<", "\\u003c")

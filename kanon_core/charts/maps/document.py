"""A map as a document of its own, the look of maps, and the bundled files they are made of."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from kanon_core.base.words import later
from kanon_core.charts.canvas.theme import theme_of
from kanon_core.charts.maps.backgrounds.reading import Background
from kanon_core.charts.maps.backgrounds.tiles import Tiles
from kanon_core.charts.maps.files import VENDOR, bundled

WEB = Path(__file__).resolve().parent / "web"
"""The folder of the map's scripts and style."""
WORDS: Mapping[str, str] = {
    "groups": later("Groups on the map"),
    "size": later("records"),
    "area": later("area"),
    "diagonal": later("diagonal"),
    "by_area": later("Area of a rectangle"),
    "by_size": later("Records in a group"),
    "by_density": later("Records in each square"),
    "whole": later("Show all records"),
    "part": later("{count} of {all} rectangles are in view"),
    "crowded": later(
        "{count} rectangles are too many to tell apart: shown is how many records are published in each"
        " square of {side}. Zoom in to see rectangles."
    ),
    "square": later("records in this square"),
    "millions": later("{count} million km²"),
}
"""The words on the map, in English; they are translated where they are read."""
_SCRIPTS = ("ground", "tiles", "data", "controls")
_PAGE = """<!DOCTYPE html>
<html lang="{locale}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{leaflet_css}">
<style>html, body, #map {{ height: 100%; margin: 0; }}
{style}</style>
<script src="{leaflet}"></script>
</head>
<body><div id="map"></div>
<script>
{code}
window.kanonMap = L.kanonMap(document.getElementById("map"), {base});
{layer}
</script></body></html>
"""
_SHOWN = (1024, 768)
"""Pixels for which the tiles of a document are fine enough."""
_LAYER = "L.kanonRectangles({data}).addTo(window.kanonMap);"


@dataclass(frozen=True)
class Look:
    """How a map looks and where it finds its parts.

    ``vendor_url``: address under which the folder `VENDOR` is served, without a final slash, best relative to
    the page the map stands in; None puts everything into the document itself, which then works anywhere (a
    notebook, a saved file) at about 2.8 MB. ``theme``: "light" or "dark" (OptionError otherwise).
    ``online_tiles``: draws OpenStreetMap's tiles over the bundled outlines; the tile server then learns which
    places are looked at. ``locale``: how numbers are written (a language tag). ``words``: see `WORDS`; those
    left out stay as they are. ``background``: lines or tiles of one's own below the rectangles; a document
    carries at most 64 tiles along. ``names``: writes the names of the largest places in view; None: where no
    tiles are drawn.
    """

    vendor_url: str | None = None
    theme: str = "light"
    online_tiles: bool = False
    locale: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)
    background: Background | None = None
    names: bool | None = None

    def __post_init__(self) -> None:
        theme_of(self.theme)

    @property
    def tiled(self) -> bool:
        """Whether tiles are drawn, of one's own or of the internet, which mostly have names of their own."""
        return self.online_tiles or isinstance(self.background, Tiles)

    @property
    def dark(self) -> bool:
        """Whether the map stands on a dark page."""
        return self.theme == "dark"


@dataclass(frozen=True, eq=False)
class MapDocument:
    """A map as one HTML document: ``base`` is what stays while k changes, ``layer`` the rectangles of one
    setting, as `maps.rectangle_layer` makes them, or None. A notebook shows it in a frame."""

    look: Look
    base: dict[str, Any]
    layer: dict[str, Any] | None = None

    @property
    def html(self) -> str:
        """The text of the document; no text of a table or of its words can become markup in it."""
        return _PAGE.format(
            locale=escape(self.look.locale, quote=True),
            title=escape(self.base["words"]["groups"]),
            leaflet=_vendor_part("leaflet/leaflet.js", "text/javascript", self.look),
            leaflet_css=_vendor_part("leaflet/leaflet.css", "text/css", self.look),
            style=style(),
            code=code(),
            base=_data({**self.base, **self._given()}),
            layer="" if self.layer is None else _LAYER.format(data=_data(self.layer)),
        )

    def _given(self) -> dict[str, Any]:
        """Tiles of one's own around the records, of one zoom level: nobody can be asked for more."""
        mine = self.look.background
        if not isinstance(mine, Tiles):
            return {}
        (south, west), (north, east) = self.base["view"]
        places = mine.covering((west, south, east, north), _SHOWN)
        given = mine.given("/".join(map(str, place)) for place in places)
        zoom = places[0][0] if places else mine.source.zooms[0]
        return {"tiles": {**mine.data, "zooms": [zoom, zoom], "given": given}}

    def save(self, path: str | Path) -> None:
        """Write the document."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        box = "width:100%;height:32rem;border:0"
        return f'<iframe srcdoc="{escape(self.html, quote=True)}" style="{box}"></iframe>'


@cache
def code() -> str:
    """The scripts of a map, to be run once Leaflet is there."""
    return "\n".join(bundled(WEB / f"{part}.js") for part in _SCRIPTS)


def style() -> str:
    """The style of a map; Leaflet's own comes before it."""
    return bundled(WEB / "map.css")


def _data(content: Any) -> str:
    """Data as a script takes them; no text in them can end the script."""
    return json.dumps(content).replace("<", "\\u003c")


def _vendor_part(name: str, media_type: str, look: Look) -> str:
    """Address of a file of `VENDOR`: under the vendor address, or the file itself as a data address."""
    if look.vendor_url is not None:
        return escape(f"{look.vendor_url}/{name}", quote=True)
    content = base64.b64encode(bundled(VENDOR / name).encode("utf-8")).decode("ascii")
    return f"data:{media_type};base64,{content}"


def vendor_json(name: str, look: Look) -> Any:
    """Address of a JSON file of `VENDOR`, or its content."""
    return f"{look.vendor_url}/{name}" if look.vendor_url is not None else json.loads(bundled(VENDOR / name))

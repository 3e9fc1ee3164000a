"""The pieces a map is built from: its look, the folium elements of its script, the bundled files."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import folium
from branca.element import Element, Figure, MacroElement
from folium.template import Template

from kanon_core.charts.canvas.theme import theme_of
from kanon_core.charts.maps.background import Background
from kanon_core.charts.maps.files import VENDOR, bundled

HERE = Path(__file__).resolve().parent
WORDS: Mapping[str, str] = {
    "groups": "Groups on the map",
    "size": "records",
    "area": "area",
    "diagonal": "diagonal",
    "by_area": "Area of a group",
    "by_size": "Records in a group",
    "by_density": "Records in each square",
    "whole": "Show all records",
    "part": "{count} of {all} rectangles are in view",
    "crowded": "{count} rectangles are too many to tell apart: shown is how many records are published in"
    " each square of {side}. Zoom in to see rectangles.",
    "square": "records in this square",
}
"""The words on the map, in English; they are translated where they are read."""


@dataclass(frozen=True)
class Look:
    """How a map looks and where it finds its parts.

    ``vendor_url``: address under which the folder `VENDOR` is served, without a final slash, best relative to
    the page the map stands in; None puts everything into the document itself, which then works anywhere (a
    notebook, a saved file) at about 2.8 MB. ``theme``: "light" or "dark" (OptionError otherwise).
    ``online_tiles``: draws OpenStreetMap's tiles over the bundled outlines; the tile server then learns which
    places are looked at. ``locale``: how numbers are written (a language tag). ``words``: see `WORDS`; those
    left out stay as they are. ``background``: lines of one's own below the rectangles.
    """

    vendor_url: str | None = None
    theme: str = "light"
    online_tiles: bool = False
    locale: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)
    background: Background | None = None

    def __post_init__(self) -> None:
        theme_of(self.theme)

    @property
    def dark(self) -> bool:
        """Whether the map stands on a dark page."""
        return self.theme == "dark"


class RectangleMap(folium.Map):
    """A `folium.Map` that loads Leaflet from ``look.vendor_url`` or carries it along, nothing else."""

    def __init__(self, look: Look) -> None:
        super().__init__(location=(0, 0), zoom_start=2, tiles=None, min_zoom=1, max_zoom=18, zoom_snap=0.5)
        self.default_js = [("leaflet", vendor_part("leaflet/leaflet.js", "text/javascript", look))]
        self.default_css = [("leaflet_css", vendor_part("leaflet/leaflet.css", "text/css", look))]


class Text(Element):
    """Text written as it stands; branca would read it as a template: slow, and open to injection."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def render(self, **kwargs: object) -> str:
        """The text."""
        return self.text


class Script(MacroElement):
    """A piece of a map made of a script and data, written into the page without templates in between."""

    style = ""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._name = name
        self.data = data

    def render(self, **kwargs: object) -> str:
        """Write style and script into the figure; nothing where the element stands."""
        figure = self.get_root()
        assert isinstance(figure, Figure)
        if self.style:
            figure.header.add_child(Text(f"<style>{self.style}</style>"), name=self.get_name())
        figure.script.add_child(Text(self._template.module.script(self)), name=self.get_name())
        return ""


class Numbers(Script):
    """The layer of one setting's rectangles."""

    _template = Template("""{% macro script(this, kwargs) %}
        var {{ this.get_name() }} = L.kanonRectangles({{ this.data|tojson }});
        {{ this._parent.get_name() }}.addLayer({{ this.get_name() }});
        {% endmacro %}""")


class Base(Script):
    """The base of the map: its style, its script and what does not change with k."""

    _template = Template("""{% macro script(this, kwargs) %}
        {{ this.code }}
        L.kanonMap({{ this._parent.get_name() }}, {{ this.data|tojson }});
        {% endmacro %}""")

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__("KanonBase", data)
        self.style = bundled(HERE / "map_layer.css")
        self.code = "\n".join(bundled(HERE / f"map_{part}.js") for part in ("ground", "layer", "controls"))


def vendor_part(name: str, media_type: str, look: Look) -> str:
    """Address of a file of `VENDOR`: under the vendor address, or the file itself as a data address."""
    if look.vendor_url is not None:
        return f"{look.vendor_url}/{name}"
    content = base64.b64encode(bundled(VENDOR / name).encode("utf-8")).decode("ascii")
    return f"data:{media_type};base64,{content}"


def vendor_json(name: str, look: Look) -> Any:
    """Address of a JSON file of `VENDOR`, or its content."""
    return f"{look.vendor_url}/{name}" if look.vendor_url is not None else json.loads(bundled(VENDOR / name))

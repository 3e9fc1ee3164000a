"""A `folium.Map` that asks no other machine for anything."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any, TypeVar

import folium
from branca.element import CssLink, Element, Figure, JavascriptLink

from kanon_core.base.words import tr
from kanon_core.charts.maps.vendored import LEAFLET, LEAFLET_STYLE, STYLE, address, copy_of

Link = tuple[str, str]
Kind = TypeVar("Kind", bound=Element)
_ADDRESS = re.compile(r'(?<!\\)"(https?://[^"\\\s]+)"')
"""An address as a value in a script; addresses within other texts, such as credits, are never requested."""
_MARKERS = ("leaflet.awesome-markers.js", "leaflet.awesome-markers.css", "bootstrap-glyphicons.css")
_NEEDED = {"$(": ("jquery.js",), "AwesomeMarkers": _MARKERS}
"""The scripts that a script with these words needs: that of a popup, and that of an icon."""


class OfflineMap(folium.Map):
    """A `folium.Map` without tiles whose scripts come with Kanon.

    Anything of folium can be added. When the figure renders, the addresses of scripts and styles that come
    with Kanon (`vendored.FILES`) give way to our copies; other plugins keep their addresses, and `save`
    warns.

    ``served``: the address at which the folder `ASSETS` is served, without a final slash; None writes the
    files into the map, which then works in a notebook and as a file. Other options are those of `folium.Map`.

    >>> OfflineMap([35.7, 139.7], zoom_start=11).foreign()
    []
    """

    def __init__(self, *args: Any, served: str | None = None, **options: Any) -> None:
        super().__init__(*args, **{"tiles": None, "prefer_canvas": True, "control_scale": True, **options})
        self.served = served
        # This map needs its own lists: all maps share those of folium, and `add_js_link` adds to them.
        self.default_js = [("leaflet", address(LEAFLET, served))]
        self.default_css = [(path, address(path, served)) for path in (LEAFLET_STYLE, STYLE)]

    def render(self, **kwargs: Any) -> None:
        """Render the map into its figure, with our copies of scripts and styles."""
        super().render(**kwargs)
        figure = self.get_root()
        script = figure.script.render()
        for name in (name for words, names in _NEEDED.items() if words in script for name in names):
            link = JavascriptLink(name) if name.endswith(".js") else CssLink(name)
            figure.header.add_child(link, name=name)
        for link in _links(figure):
            if (copy := copy_of(link.url)) is not None:
                link.url = address(copy, self.served)
        if self.served is None:
            figure.header.add_child(Element(_marker_script()), name="kanon_marker")

    def foreign(self) -> list[str]:
        """Return the addresses on other machines that the map asks for: of scripts, styles, tiles and
        pictures.

        What a script that is not ours asks for by itself is not known here.
        """
        figure = self.get_root()
        figure.render()
        linked = [link.url for link in _links(figure) if "://" in link.url]
        return [*linked, *dict.fromkeys(_ADDRESS.findall(figure.script.render()))]

    def layer(self, kind: type[Kind]) -> Kind:
        """Return the map's first layer of a class; LookupError where there is none."""
        for one in self._children.values():
            if isinstance(one, kind):
                return one
        raise LookupError(kind.__name__)

    def parts(self) -> dict[str, Any]:
        """Return the parts with which a page shows the map: ``css`` and ``js``, addresses in order; ``html``
        and ``script``; ``names``, the script's name of the map and, by the name of its class, of each
        layer."""
        figure = self.get_root()
        figure.render()
        links = _links(figure)
        return {
            "css": [link.url for link in links if isinstance(link, CssLink)],
            "js": [link.url for link in links if isinstance(link, JavascriptLink)],
            "html": figure.html.render(),
            "script": figure.script.render(),
            "names": {type(one).__name__: one.get_name() for one in (*self._children.values(), self)},
        }

    def save(self, outfile: Any, close_file: bool = True, **kwargs: Any) -> None:
        """Write the map as one HTML file; a warning names what the file will ask other machines for."""
        if asked := self.foreign():
            says = tr("Whoever opens this map asks other machines for: {addresses}.")
            warnings.warn(says.format(addresses=", ".join(asked)), stacklevel=2)
        super().save(outfile, close_file, **kwargs)


def _marker_script() -> str:
    """The pictures of a plain marker: Leaflet looks for them beside its style, which is no file here."""
    names = {"iconUrl": "icon", "iconRetinaUrl": "icon-2x", "shadowUrl": "shadow"}
    found = {name: address(f"vendor/leaflet/images/marker-{part}.png") for name, part in names.items()}
    return (
        f"<script>L.Icon.Default.imagePath = ''; L.Icon.Default.mergeOptions({json.dumps(found)});</script>"
    )


def _links(figure: Figure) -> list[JavascriptLink | CssLink]:
    linked = figure.header._children.values()
    return [one for one in linked if isinstance(one, JavascriptLink | CssLink)]

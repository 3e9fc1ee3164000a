"""A `folium.Map` that asks no other machine for anything."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any, TypeVar

import folium
from branca.element import CssLink, Element, Figure, JavascriptLink

from kanon_core.base.words import tr
from kanon_core.charts.maps.vendored import (
    AWESOME,
    GLYPHICONS,
    JQUERY,
    LEAFLET,
    LEAFLET_STYLE,
    STYLE,
    address,
    copy_of,
)

Link = tuple[str, str]
Kind = TypeVar("Kind", bound=Element)
_ADDRESS = re.compile(r'(?<!\\)"(https?://[^"\\\s]+)"')
"""An address as a value in a script; those within other texts, such as credits, ask for nothing."""
_NEEDED = {"$(": (JQUERY,), "AwesomeMarkers": (f"{AWESOME}.js", f"{AWESOME}.css", GLYPHICONS)}
"""What a script that has these words needs: that of a popup, and that of an icon."""


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
        self._more_js, self._more_css = list[Link](), list[Link]()

    @property
    def default_js(self) -> list[Link]:
        """Leaflet, and what was added: a list of this map's own, since those of folium are shared by all
        maps."""
        return [("leaflet", address(LEAFLET, self.served)), *self._more_js]

    @property
    def default_css(self) -> list[Link]:
        """Leaflet's style and ours."""
        return [*((path, address(path, self.served)) for path in (LEAFLET_STYLE, STYLE)), *self._more_css]

    def add_js_link(self, name: str, url: str) -> None:
        """Add a script to this map alone."""
        self._more_js.append((name, url))

    def add_css_link(self, name: str, url: str) -> None:
        """Add a style to this map alone."""
        self._more_css.append((name, url))

    def render(self, **kwargs: Any) -> None:
        """Render the map into its figure, with our copies of scripts and styles."""
        super().render(**kwargs)
        figure = self.get_root()
        script = figure.script.render()
        needed = [path for words, paths in _NEEDED.items() if words in script for path in paths]
        for path in needed:
            link = JavascriptLink if path.endswith(".js") else CssLink
            figure.header.add_child(link(address(path, self.served)), name=path)
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
        """Return what a page shows the map with: ``css`` and ``js``, addresses in order; ``html`` and
        ``script``; ``names``, the script's name of the map and, by the name of its class, of each layer."""
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

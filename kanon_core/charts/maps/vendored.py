"""Scripts and styles of maps that come with Kanon: Leaflet, plugins of folium, and our own."""

from __future__ import annotations

import base64
import mimetypes
import re
from functools import cache
from pathlib import PurePosixPath

from kanon_core.base.assets import ASSETS
from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

SCRIPTS, STYLE = ("map/sheet.js", "map/ground.js", "map/rectangles.js"), "map/map.css"
"""Our own, by path below `ASSETS`."""
LEAFLET, LEAFLET_STYLE = "vendor/leaflet/leaflet.js", "vendor/leaflet/leaflet.css"
SYNC = "vendor/sync/L.Map.Sync.js"
_VERSION = re.compile(r"(-\d[\d.]*)?(\.min)?(?=\.(?:js|css)$)")
FILES = {
    _VERSION.sub("", path.name, count=1): path.relative_to(ASSETS).as_posix()
    for path in (ASSETS / "vendor").glob("*/*")
    if path.suffix in (".js", ".css")
}
"""Our copies by the name of the file in folium's addresses, without version and ``.min``."""
_PICTURE = re.compile(r"""url\((['"]?)(?!data:|#)([^'")]+)\1\)""")


def copy_of(address: str) -> str | None:
    """Return the path of our copy of the file at an address of folium, or None where there is none.

    >>> copy_of("https://code.jquery.com/jquery-3.7.1.min.js"), copy_of("https://example.org/other.js")
    ('vendor/jquery/jquery.min.js', None)
    """
    name = PurePosixPath(address.split("?")[0]).name
    return FILES.get(_VERSION.sub("", name, count=1))


def address(path: str, served: str | None = None) -> str:
    """Return where a browser finds a file: below the address at which `ASSETS` is ``served``, or else the
    file itself as a data address, with the pictures that a style names.

    >>> address("map/map.css", "/component/assets")
    '/component/assets/map/map.css'
    >>> address("map/map.css")[:21]
    'data:text/css;base64,'
    """
    return f"{served}/{path}" if served is not None else _data_address(path)


@cache
def text_of(path: str) -> str:
    """Return the text of a file; InputError where it is missing."""
    return _bytes(path).decode("utf-8")


def _bytes(path: str) -> bytes:
    file = ASSETS / path
    if not file.is_file():
        says = tr("The map's file {name} is missing; get the folder assets of the project.")
        raise InputError(says.format(name=file.name))
    return file.read_bytes()


@cache
def _data_address(path: str) -> str:
    kind = mimetypes.guess_type(path)[0] or "font/woff2"
    content = _bytes(path)
    if path.endswith(".css"):
        folder = PurePosixPath(path).parent
        content = _PICTURE.sub(lambda match: f"url({_embedded(folder, match[2])})", text_of(path)).encode()
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def _embedded(folder: PurePosixPath, name: str) -> str:
    """A picture that a style names; one that is not there is left out: no browser of today asks for it."""
    path = str(folder / name)
    return _data_address(path) if (ASSETS / path).is_file() else "data:,"

"""Picture tiles of one's own under the rectangles; where they come from is the business of their source."""

from __future__ import annotations

import base64
import hashlib
import io
import math
import re
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Protocol

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.extent import Extent, Size

DEEPEST = 24
"""The finest zoom level that a file may have: 2²⁴ tiles around the earth."""
MOST_TILE_BYTES = 500_000
MOST_SIDE = 1024
"""Pixels of a side; a tile that has more bytes or pixels is not shown."""
AT_ONCE = 64
"""Tiles that are given at once."""
FORMATS = ("PNG", "JPEG", "WEBP")
_KEPT = 96
_CREDIT = 120
_NAME = re.compile(r"(\d{1,2})/(\d{1,8})/(\d{1,8})")
_NORTH = 85.0511
Place = tuple[int, int, int]
"""Zoom level z, column x from the west, row y from the north."""


class Source(Protocol):
    """A file of tiles."""

    zooms: tuple[int, int]
    """The coarsest and the finest zoom level."""
    bounds: Extent | None
    """What part of the earth it is said to cover."""
    credit: str
    """Whose it is, as the file says it, which may hold markup."""

    def tile(self, place: Place) -> bytes | None:
        """The bytes of a tile, or None where the file has none or is damaged."""

    def first(self) -> bytes | None:
        """The bytes of any tile; InputError when the file is damaged."""


@dataclass(eq=False)
class Tiles:
    """Tiles of a source that have been looked at: PNG, JPEG or WebP pictures of at most 1,024 × 1,024 pixels
    and 500 kB; all others are left out. ``digest`` differs for different files."""

    source: Source
    digest: str
    credit: str
    _kept: OrderedDict[Place, str | None] = field(default_factory=OrderedDict, repr=False)

    @classmethod
    def of(cls, source: Source, content: bytes) -> Tiles:
        """The tiles of a source whose file has these bytes; InputError when it has no picture tile or its
        zoom levels are none."""
        low, high = source.zooms
        if not 0 <= low <= high <= DEEPEST:
            says = tr("The background's zoom levels must be from 0 to {deepest}, the coarsest first.")
            raise InputError(says.format(deepest=DEEPEST))
        first = source.first()
        if first is None:
            raise InputError(tr("The background has no tiles; there is nothing to draw."))
        if not is_picture(first):
            raise InputError(
                tr(
                    "The background's tiles are no pictures that can be shown: PNG, JPEG and WebP of at most"
                    " {side:,} × {side:,} pixels and {size:.0f} kB are. Vector tiles are not read; save them"
                    " as pictures, or the lines you need as GeoJSON."
                ).format(side=MOST_SIDE, size=MOST_TILE_BYTES / 1e3)
            )
        return cls(source, hashlib.sha256(content).hexdigest()[:16], plain_credit(source.credit))

    def tile(self, place: Place) -> bytes | None:
        """The picture at a place, or None where there is none to be shown."""
        found = self._text(place)
        return None if found is None else base64.b64decode(found)

    def given(self, names: Iterable[object]) -> dict[str, str | None]:
        """The tiles that are asked for by names as ``"z/x/y"``, in base64, at most 64; None where there is
        none; what is no name of a tile is left out."""
        asked = [(str(name), _NAME.fullmatch(str(name))) for name in names]
        known = [(name, match) for name, match in asked if match is not None][:AT_ONCE]
        return {name: self._text((int(m[1]), int(m[2]), int(m[3]))) for name, m in known}

    def _text(self, place: Place) -> str | None:
        if place not in self._kept:
            zoom, x, y = place
            inside = self.source.zooms[0] <= zoom <= self.source.zooms[1] and max(x, y) < 1 << zoom
            found = self.source.tile(place) if inside else None
            shown = found is not None and is_picture(found)
            self._kept[place] = base64.b64encode(found).decode("ascii") if found and shown else None
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[place]

    def covering(self, extent: Extent, size: Size) -> list[Place]:
        """The tiles that cover an extent about as fine as a picture of it with ``size`` pixels, at most 64;
        none where even the coarsest are more."""
        west, south, east, north = extent
        low, high = self.source.zooms
        wanted = math.ceil(math.log2(360 / (east - west) * size[0] / 256) - 0.5)
        for zoom in range(min(max(wanted, low), high), low - 1, -1):
            last = (1 << zoom) - 1
            left, right = (int(min(max(across(lon, zoom), 0), last)) for lon in (west, east))
            top, bottom = (int(min(max(down(lat, zoom), 0), last)) for lat in (north, south))
            if (right - left + 1) * (bottom - top + 1) <= AT_ONCE:
                return [(zoom, x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
        return []

    @property
    def bounds(self) -> Extent | None:
        """What part of the earth the file says it covers, if it does."""
        return self.source.bounds

    @property
    def data(self) -> dict[str, Any]:
        """What the map's script needs before it asks for tiles."""
        return {
            "id": self.digest,
            "zooms": list(self.source.zooms),
            "bounds": self.bounds and list(self.bounds),
            "credit": self.credit,
        }


def across(longitude: float, zoom: int) -> float:
    """The column of a longitude, with its fraction."""
    return (longitude + 180) / 360 * (1 << zoom)


def down(latitude: float, zoom: int) -> float:
    """The row of a latitude, with its fraction, in the Mercator projection of the web."""
    phi = math.radians(min(max(latitude, -_NORTH), _NORTH))
    return (0.5 - math.log(math.tan(math.pi / 4 + phi / 2)) / (2 * math.pi)) * (1 << zoom)


def is_picture(content: bytes) -> bool:
    """Whether these bytes begin as a picture that may be shown; only its head is read."""
    from PIL import Image

    if len(content) > MOST_TILE_BYTES:
        return False
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as found:
            return max(found.size) <= MOST_SIDE
    except Exception:  # whatever a hostile file makes the reader raise: it is no picture
        return False


def plain_credit(text: str) -> str:
    """The words of a text that may hold markup, on one line, at most 120 signs.

    >>> plain_credit('<a href="https://example.org">&copy; The  Makers</a><script>alert(1)</script>')
    '© The Makers'
    """
    reader = _Words()
    reader.feed(text[:10_000])
    reader.close()
    words = " ".join("".join(reader.found).split())
    words = "".join(sign for sign in words if sign.isprintable())
    return words if len(words) <= _CREDIT else words[: _CREDIT - 1] + "…"


class _Words(HTMLParser):
    """Collects the text between tags, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style") and self._hidden > 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)


def bounds_of(west: float, south: float, east: float, north: float) -> Extent | None:
    """Bounds that a file gives, or None where they are none."""
    good = -180 <= west < east <= 180 and -90 <= south < north <= 90  # false too for what is no number
    return (west, south, east, north) if good else None

"""A background of one's own from the bytes of a file: what they are decides which kind it is."""

from __future__ import annotations

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.backgrounds import mbtiles, pmtiles
from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.backgrounds.tiles import Tiles

Background = Lines | Tiles
ENDINGS = ("geojson", "json", "mbtiles", "pmtiles")
MOST_BYTES = 100_000_000
"""A larger file is refused; of lines `lines.MOST_BYTES`."""


def read_background(content: bytes) -> Background:
    """The background in a file: GeoJSON, MBTiles 1.3 or PMTiles version 3, told by its first bytes.

    Everything stays in memory. Raises InputError, one sentence, for what is none of these, is larger than
    100 MB (GeoJSON: 16 MB), is damaged, or has no picture tiles.

    >>> read_background(b'{"type": "LineString", "coordinates": [[139, 35], [140, 36]]}').starts.tolist()
    [0]
    """
    if len(content) > MOST_BYTES:
        says = tr("The background has {size:.0f} MB; at most {most:.0f} MB are read. Take a smaller part.")
        raise InputError(says.format(size=len(content) / 1e6, most=MOST_BYTES / 1e6))
    if content.startswith(mbtiles.MAGIC):
        return Tiles.of(mbtiles.MBTiles(content), content)
    if content.startswith(pmtiles.MAGIC):
        return Tiles.of(pmtiles.PMTiles(content), content)
    return Lines.read(content)

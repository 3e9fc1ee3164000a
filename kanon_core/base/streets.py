"""Tile servers whose street maps may lie below the rectangles: that of this server's owner, named when it is
started, and those that people named for their own browser."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from dataclasses import dataclass

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr

ADDRESS, CREDIT = "KANON_TILES", "KANON_TILES_BY"
"""Of the environment: the owner's tile server, and whose the maps are."""
_FORM = re.compile(
    r"(https://[a-z0-9.-]+(?::\d{1,5})?|http://(?:localhost|127\.0\.0\.1):\d{1,5})(/[^\s\"'<>;\\]*)"
)
_MOST = 1_000
_NAMED: OrderedDict[str, TileServer] = OrderedDict()


@dataclass(frozen=True)
class TileServer:
    """``address``: that of a tile, with {z}, {x} and {y}; ``credit``: whose the map is.

    Raises OptionError for what is no such address: it becomes part of the page's content policy.

    >>> TileServer("https://tiles.example.org/{z}/{x}/{y}.png", "Example").origin
    'https://tiles.example.org'
    """

    address: str
    credit: str = ""

    def __post_init__(self) -> None:
        form = _FORM.fullmatch(self.address)
        if form is None or not all(part in form[2] for part in ("{z}", "{x}", "{y}")):
            raise OptionError(
                tr(
                    "The address of a tile server begins with https:// and a host in small letters, and has"
                    " {z}, {x} and {y} in it, such as https://tiles.example.org/{z}/{x}/{y}.png."
                )
            )

    @property
    def origin(self) -> str:
        """The part before the path."""
        form = _FORM.fullmatch(self.address)
        assert form is not None
        return form[1]


def owners() -> TileServer | None:
    """Return the tile server that this server's owner named, if any; OptionError where it is no address."""
    address = os.environ.get(ADDRESS, "")
    return TileServer(address, os.environ.get(CREDIT, "")) if address else None


def name_for(browser: str, server: TileServer | None) -> None:
    """Let a browser show the maps of this tile server, or of none. It is known by its cookie."""
    _NAMED.pop(browser, None)
    if server is not None and browser:
        _NAMED[browser] = server
        while len(_NAMED) > _MOST:
            _NAMED.popitem(last=False)


def tile_servers(browser: str) -> tuple[TileServer, ...]:
    """Return the tile servers that a browser may show maps of; the one that it named comes first."""
    found = (_NAMED.get(browser), owners())
    return tuple(server for server in found if server is not None)

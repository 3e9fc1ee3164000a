"""Tile servers for the street maps under the rectangles: one that the owner of this server sets at the start,
and those that people choose for their own browser."""

from __future__ import annotations

import logging
import os
import re
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr

ADDRESS, CREDIT = "KANON_TILES", "KANON_TILES_BY"
"""Environment variables: the owner's tile server, and the credit for its maps."""
PARTS, EXAMPLE = "{z}, {x}, {y}", "https://tiles.example.org/{z}/{x}/{y}.png"
"""The parts that an address needs, and an example of one."""
_FORM = re.compile(
    r"(https://[a-z0-9.-]+(?::\d{1,5})?|http://(?:localhost|127\.0\.0\.1):\d{1,5})(/[^\s\"'<>;\\]*)"
)
_MOST = 1_000
_NAMED: OrderedDict[str, TileServer] = OrderedDict()


@dataclass(frozen=True)
class TileServer:
    """A tile server. ``address``: that of a tile, with {z}, {x} and {y}; ``credit``: the owner of the map.

    Raises OptionError for any other address, since it becomes part of the page's content policy.

    >>> TileServer("https://tiles.example.org/{z}/{x}/{y}.png", "Example").origin
    'https://tiles.example.org'
    """

    address: str
    credit: str = ""

    def __post_init__(self) -> None:
        form = _FORM.fullmatch(self.address)
        found = set(re.findall(r"\{(.*?)\}", form[2])) if form else set()
        if not {"z", "x", "y"} <= found <= {"z", "x", "y", "r"}:
            says = tr(
                "The address of a tile server must begin with https:// and a host in lower case. It must"
                " contain {needed}, may contain {may}, and has nothing else in braces: replace {not_this}"
                " with one host, and a placeholder of the key with the key. Example: {example}"
            )
            parts = {"needed": PARTS, "may": "{r}", "not_this": "{s}", "example": EXAMPLE}
            raise OptionError(says.format(**parts))

    @property
    def origin(self) -> str:
        """Return the part before the path."""
        form = _FORM.fullmatch(self.address)
        assert form is not None
        return form[1]

    @property
    def host(self) -> str:
        """Return the host with its port."""
        return self.origin.split("://")[1]


def owners() -> TileServer | None:
    """Return the tile server that the owner of this server set, if any; an invalid address is ignored and
    logged."""
    return _owners(os.environ.get(ADDRESS, ""), os.environ.get(CREDIT, ""))


@cache
def _owners(address: str, credit: str) -> TileServer | None:
    try:
        return TileServer(address, credit) if address else None
    except OptionError as problem:
        logging.getLogger(__name__).warning("%s: %s", ADDRESS, problem)
        return None


def name_for(browser: str, server: TileServer | None) -> None:
    """Let a browser, identified by its cookie, show the maps of this tile server, or of none."""
    _NAMED.pop(browser, None)
    if server is not None and browser:
        _NAMED[browser] = server
        while len(_NAMED) > _MOST:
            _NAMED.popitem(last=False)


def tile_servers(browser: str) -> tuple[TileServer, ...]:
    """Return the tile servers whose maps a browser may show; its own choice comes first."""
    found = (_NAMED.get(browser), owners())
    return tuple(server for server in found if server is not None)

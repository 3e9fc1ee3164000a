"""The files of maps that come with the project."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kanon_core.base.assets import ASSETS
from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

VENDOR = ASSETS / "vendor"
"""The folder with Leaflet and the base map; a page serves it and passes its address as ``vendor_url``."""


@cache
def bundled(path: Path) -> str:
    """The text of a file that comes with the project; InputError when it is missing."""
    if not path.is_file():
        raise InputError(
            tr("The map's file {name} is missing; get the folder assets/vendor of the project.").format(
                name=path.name
            )
        )
    return path.read_text(encoding="utf-8")

"""The map as a picture in the page: a small component of its own, which takes a tenth of a chart's time."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.charts.maps.picture import MapPicture

_js, _css = ((ASSETS / f"map_tile.{kind}").read_text("utf-8") for kind in ("js", "css"))
_tile = st.components.v2.component("kanon.map-tile", js=_js, css=_css)


def map_tile(picture: MapPicture, key: str) -> None:
    """The picture, as wide as there is room, at most a little wider than its pixels."""
    _tile(key=key, data=picture.data)

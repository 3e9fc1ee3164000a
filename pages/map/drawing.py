"""The map in the page: what stays while k changes and what moves with it are sent apart, so that a move of
the slider sends the rectangles alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.charts.maps.backgrounds.tiles import Tiles
from kanon_core.charts.maps.document import code, style
from kanon_core.charts.maps.files import VENDOR, bundled
from pages.state.keys import Key

SLOT = "map"
_HEIGHT = "clamp(280px, calc(100vh - 425px), 900px)"
"""The map takes what the screen has left below the controls."""
_js = (ASSETS / "map.js").read_text("utf-8")
_css = f"{bundled(VENDOR / 'leaflet' / 'leaflet.css')}\n{style()}\n.map {{ height: {_HEIGHT}; }}"
_base = st.components.v2.component(
    "kanon.map",
    html='<div class="map"></div>',
    js=f"const install = () => {{\n{code()}\n}};\n{_js}",
    css=_css,
)
_layer = st.components.v2.component("kanon.map-layer", js=_js)


def drawn(base: Mapping[str, Any], layer: Mapping[str, Any], mine: Tiles | None) -> None:
    """The map of a base with a layer on it, each with an ``id`` that differs for different content, over
    tiles of one's own."""
    with st.container(key="map_frame", gap=None):
        _base(key="map-base", data={"slot": SLOT, **base})
        _layer(key="map-layer", data={"slot": SLOT, **layer})
        if mine is not None:
            _tiles(mine)


@st.fragment
def _tiles(mine: Tiles) -> None:
    """The tiles that the map asks for, as its view moves; nothing else of the page is then run again."""
    state = Key[Any](f"map-tiles-{mine.digest}", {})
    wanted = (state.get() or {}).get("wanted")
    found = mine.given(wanted if isinstance(wanted, list) else [])
    data = {"slot": SLOT, "of": mine.digest, "found": found}
    _layer(key=state.name, data=data, on_wanted_change=lambda: None)

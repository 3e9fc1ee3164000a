"""Leaflet and the base map, served by this app's own server: a declared component serves its folder."""

from __future__ import annotations

import streamlit.components.v1 as components

from kanon_core.charts.maps.maps import VENDOR
from pages.shell.base_path import below

_served = components.declare_component("kanon_vendor", path=str(VENDOR))


def address() -> str:
    """Where the folder is on this server, also under a base path."""
    return below(f"/component/{_served.name}")

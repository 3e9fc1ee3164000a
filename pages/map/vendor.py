"""Leaflet and the base map, served by this app's own server: a declared component serves its folder."""

from __future__ import annotations

import streamlit.components.v1 as components

from kanon_core.charts.maps.maps import VENDOR

_served = components.declare_component("kanon_vendor", path=str(VENDOR))

ADDRESS = f"../{_served.name}"
"""Where the folder is, as seen from another component's frame; relative, so that it holds under a base path
too."""

"""Where the files lie that come with Kanon: samples, Leaflet, the base map, styles."""

from __future__ import annotations

from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "assets"
"""The folder of these files."""

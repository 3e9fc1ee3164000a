"""The folder of the files that come with Kanon: samples, Leaflet, the base map, styles, the screens'
scripts."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

_ROOT = Path(str(files("kanon_core"))).parent

APP = _ROOT / "kanon_app" if (_ROOT / "kanon_app").is_dir() else _ROOT
"""The folder that holds ``app.py``, ``pages`` and ``assets``: of the wheel, else of the checkout."""

ASSETS = APP / "assets"
"""The folder of samples, styles, icons and map files."""

"""Kanon: the router. Run it with ``streamlit run app.py``."""

from __future__ import annotations

from pages.shell import frame

if __name__ == "__main__":
    frame.navigate()

"""Where this server's own routes stand: below a base path, where it is served below one."""

from __future__ import annotations

import streamlit as st


def base_path() -> str:
    """With a slash before it and none behind; "" where there is none."""
    said = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{said}" if said else ""


def below(path: str) -> str:
    """Return where a route stands whose path without a base path is this one."""
    return base_path() + path


def within(path: str) -> str:
    """Return what is asked for by this path, without a base path, and however many slashes stand before
    it."""
    return "/" + path.removeprefix(base_path()).lstrip("/")

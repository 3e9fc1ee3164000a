"""Figures drawn without a chart library in the browser: what stands beside a slider follows it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from kanon_core.base.assets import ASSETS
from pages.state.keys import Key

T = TypeVar("T")
_js, _css = ((ASSETS / f"drawing.{kind}").read_text("utf-8") for kind in ("js", "css"))
_shown = st.components.v2.component("kanon.drawing", js=_js, css=_css)


def drawn(
    drawing: str,
    key: str,
    picked: Callable[[Any], T | None] | None = None,
    take: Callable[[T], object] | None = None,
) -> None:
    """A drawing of `kanon_core.charts.drawing`: its points say what they are and answer a click, or
    arrow keys and Enter. ``picked`` and ``take`` as of `pages.widgets.views.chart`."""

    def clicked() -> None:
        event = Key[Any](key, None).get()
        found = picked(event) if picked else None
        if found is not None and take is not None:
            take(found)

    _shown(key=key, data={"drawing": drawing}, on_selection_change=clicked)

"""Whether the server that drew a page is still there. A page would go on showing its last result when the
server was started again, which knows nothing of it."""

from __future__ import annotations

import secrets

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from pages.shell.base_path import below

ROUTE = "/kanon/server"
"""Where a server says its name."""
SERVER = secrets.token_hex(8)
"""A name that this server has until it ends."""
_js, _css = (ASSETS / f"presence.{kind}" for kind in ("js", "css"))
_watch = st.components.v2.component("kanon.presence", js=_js.read_text("utf-8"), css=_css.read_text("utf-8"))


async def says_its_name(request: Request) -> JSONResponse:
    """The name of this server; it tells nothing of what it holds."""
    return JSONResponse({"server": SERVER}, headers={"cache-control": "no-store"})


def watch() -> None:
    """Say on the page when the connection is lost; when another server answers, the page is opened anew and
    says what is gone."""
    says = tr(
        "The connection to the server is lost. What you see is the last result; nothing can be changed until"
        " the server answers. If it was ended, the table in its memory is gone."
    )
    told = {"server": SERVER, "address": below(ROUTE), "says": says}
    _watch(key="presence", data=told, width="content")

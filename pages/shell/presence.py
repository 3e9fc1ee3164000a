"""Whether the server that drew a page is still there, and whoever it was drawn for still signed in. A page
would go on showing its last result when the server was started again, which knows nothing of it, and after
its reader has signed out in another tab."""

from __future__ import annotations

import hashlib
import secrets

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from pages.shell.base_path import below
from pages.state.person import Person, entrance, here

ROUTE = "/kanon/server"
"""Where a server says its name."""
SERVER = secrets.token_hex(8)
"""A name that this server has until it ends."""
_js, _css = (ASSETS / f"presence.{kind}" for kind in ("js", "css"))
_watch = st.components.v2.component("kanon.presence", js=_js.read_text("utf-8"), css=_css.read_text("utf-8"))


async def says_its_name(request: Request) -> JSONResponse:
    """The name of this server for whoever asks; it tells nothing of what it holds."""
    from pages.shell.entrance import visitor  # the heading of a page needs nothing slow

    person = visitor(request.scope) if entrance() is not None else None
    return JSONResponse({"server": name_for(person)}, headers={"cache-control": "no-store"})


def name_for(person: Person | None) -> str:
    """Return what the server is called for this person: another name for everybody who is signed in, from
    which nobody learns who that is.

    >>> ann, bob = Person("provider", "ann"), Person("provider", "bob")
    >>> name_for(ann) == name_for(ann), name_for(ann) == name_for(bob), name_for(None) == SERVER
    (True, False, True)
    """
    return SERVER if person is None else hashlib.sha256(f"{SERVER} {person.name}".encode()).hexdigest()[:16]


def watch() -> None:
    """Say on the page when the connection is lost; when another server answers, the page is opened anew and
    says what is gone. It is opened anew, too, where its reader has signed out or somebody else in."""
    says = tr(
        "The connection to the server is lost. What you see is the last result; nothing can be changed until"
        " the server answers. If it was ended, the table in its memory is gone."
    )
    told = {"server": name_for(here()), "address": below(ROUTE), "says": says}
    _watch(key="presence", data=told, width="content")

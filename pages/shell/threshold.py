"""The screen before the app, where people have to sign in; and the way out."""

from __future__ import annotations

from html import escape
from string import Template

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from pages.shell import private
from pages.shell.base_path import below
from pages.state.person import Person, admitted, entrance, here

BEGIN = "/kanon/sign-in"
"""Where signing in begins."""
_FRESH = {"cache-control": "no-store"}


async def begin(request: Request) -> Response:
    """On to the provider, by the address that Streamlit's `st.login` leads to; it holds for two minutes."""
    if entrance() is None:
        return PlainTextResponse(tr("Nobody has to sign in here.") + "\n", 404)
    return RedirectResponse(private.sign_in_address(), 302, _FRESH)


def refusal(scope: Scope, person: Person | None) -> Response:
    """Return what is told to somebody who is not let in: to a browser that asks for a page the screen with
    the way in, else a sentence."""
    asks = any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])
    if admitted(person):
        return PlainTextResponse(tr("This is not yours, or it is gone.") + "\n", 403, _FRESH)
    if scope["method"] not in ("GET", "HEAD") or not asks:
        return PlainTextResponse(tr("Sign in first.") + "\n", 403, _FRESH)
    return HTMLResponse(_screen(person), 403, _FRESH)


def _screen(person: Person | None) -> str:
    said = tr(
        "This server is for a team. Whoever signs in works on tables of their own, which nobody else sees."
    )
    if person is not None:
        unknown = tr("somebody without a confirmed e-mail address")
        said = tr(
            "You are signed in as {name}, who may not enter here. Ask whoever runs this server, or sign in as"
            " somebody else."
        ).format(name=person.email or unknown)
    told = {
        "lead": tr("Anonymize a table, move k, and see what privacy costs."),
        "said": said,
        "begin": below(BEGIN),
        "button": tr("Sign in"),
    }
    page = Template((ASSETS / "entrance.html").read_text("utf-8"))
    return page.substitute({name: escape(text) for name, text in told.items()})


def stay_out() -> None:
    """Draw nothing of a page whose visitor may not enter: of one that came past the entrance, or has just
    signed out."""
    if not admitted(here()):
        st.info(tr("You are not signed in. Load the page anew to sign in."), icon=":material/lock:")
        st.stop()


def way_out() -> None:
    """A button in the bar above the page that signs out; nothing where nobody has to sign in."""
    person = here()
    if entrance() is not None and person is not None:
        from pages.widgets.text import plain

        st.button(
            tr("Sign out"),
            icon=":material/logout:",
            key="sign-out",
            type="tertiary",
            help=tr("You are {name}.").format(name=plain(person.email, 100)),
            on_click=st.logout,
        )

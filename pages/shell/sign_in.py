"""Sign-in: the people who may enter, the person signed in, the entrance screen, and signing out.

Streamlit does the signing in (`st.login`, `st.user`, `st.logout`); `pages.shell.access` closes every route to
people who may not enter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from html import escape
from string import Template
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

from kanon_core.base.assets import ASSETS
from kanon_core.base.entrance import VARIABLE, Entrance
from kanon_core.base.words import tr
from pages.shell import private
from pages.shell.server_address import below

SIGN_IN_ROUTE = "/kanon/sign-in"
"""The route at which signing in begins."""
_NOT_STORED = {"cache-control": "no-store"}


class Person(NamedTuple):
    """A person known to a sign-in provider, by the names of both, which never change hands. The e-mail
    address decides whether the person may enter, not who it is; it is "" if the provider does not confirm
    one."""

    issuer: str
    subject: str
    email: str = ""

    @property
    def name(self) -> str:
        """Return a name that nobody else has."""
        return repr((self.issuer, self.subject))


@cache
def entrance() -> Entrance | None:
    """Return the people who may enter, as configured at the start of the server; None if nobody has to sign
    in."""
    sections = _sections()
    return Entrance.of(sections) if os.environ.get(VARIABLE) or sections.get("auth") else None


def origin() -> str | None:
    """Return the address at which people sign in, without a path; None if it is not configured."""
    auth = _sections().get("auth")
    address = str(auth.get("redirect_uri", "")) if isinstance(auth, Mapping) else ""
    parts = urlsplit(address.replace("{port}", str(st.get_option("server.port"))))
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else None


def _sections() -> dict[str, Any]:
    """Return the contents of the secrets file; {} if there is none."""
    try:
        return dict(st.secrets)
    except FileNotFoundError:
        return {}


def admitted(person: Person | None) -> bool:
    """Return whether this visitor may enter."""
    rule = entrance()
    return rule is None or (person is not None and rule.admits(person.email))


def person_of(claims: Mapping[str, Any]) -> Person | None:
    """Return the person of what a provider vouches for; None where nobody is signed in."""
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not issuer or not subject:
        return None
    vouched = str(claims.get("email_verified", True)).lower() == "true"  # some providers send it as a text
    return Person(str(issuer), str(subject), str(claims.get("email") or "") if vouched else "")


def reader() -> Person | None:
    """Return the person whose page is drawn; None where nobody is signed in."""
    return person_of(dict(st.user)) if private.drawing() else None


def visitor(scope: Scope) -> Person | None:
    """Return the person who sends a request, from the cookie that Streamlit signed; None for nobody. The
    cookie counts only at the address at which it was set."""
    own, signed = origin(), private.signed_claims(HTTPConnection(scope).cookies)
    try:
        claims = json.loads(signed or b"{}")
    except ValueError:
        return None
    counts = isinstance(claims, dict) and own is not None and claims.get("origin") == own
    return person_of(claims) if counts else None


async def begin_sign_in(request: Request) -> Response:
    """Redirect to the provider, by the address that Streamlit's `st.login` leads to; it holds for two
    minutes."""
    if entrance() is None:
        return PlainTextResponse(tr("This server requires no sign-in.") + "\n", 404)
    return RedirectResponse(private.sign_in_address(), 302, _NOT_STORED)


def refusal(scope: Scope, person: Person | None) -> Response:
    """Return the answer to a refused visitor: the sign-in screen for a page, else a sentence."""
    if admitted(person):
        return PlainTextResponse(
            tr("This file belongs to somebody else or no longer exists.") + "\n", 403, _NOT_STORED
        )
    if scope["method"] not in ("GET", "HEAD") or not wants_page(scope):
        return PlainTextResponse(tr("Sign in first.") + "\n", 403, _NOT_STORED)
    return HTMLResponse(_screen(person), 403, _NOT_STORED)


def wants_page(scope: Scope) -> bool:
    """Return whether a browser asks for a page, not for a part of one."""
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _screen(person: Person | None) -> str:
    sentence = tr(
        "This server is for a team. Sign in to work on your own tables. Other users cannot see them."
    )
    if person is not None:
        unknown = tr("an account without a confirmed e-mail address")
        sentence = tr(
            "You are signed in as {name}. This account has no access to this server. Ask the"
            " operator of the server for access, or sign in with another account."
        ).format(name=person.email or unknown)
    texts = {
        "lead": tr("Anonymize a table, move k, and see what privacy costs."),
        "said": sentence,
        "begin": below(SIGN_IN_ROUTE),
        "button": tr("Sign in"),
    }
    page = Template((ASSETS / "entrance.html").read_text("utf-8"))
    return page.substitute({name: escape(text) for name, text in texts.items()})


def require_admission() -> None:
    """Stop the drawing of a page whose visitor may not enter or has just signed out."""
    if not admitted(reader()):
        st.info(tr("You are not signed in. Reload the page to sign in."), icon=":material/lock:")
        st.stop()


def sign_out_button() -> None:
    """Show a button in the bar above the page that signs out; nothing where nobody has to sign in."""
    person = reader()
    if entrance() is not None and person is not None:
        from pages.widgets.text import plain

        st.button(
            tr("Sign out"),
            icon=":material/logout:",
            key="sign-out",
            type="tertiary",
            help=tr("You are signed in as {name}.").format(name=plain(person.email, 100)),
            on_click=st.logout,
        )

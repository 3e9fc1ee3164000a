"""Who is signed in, and whether anybody has to be."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from kanon_core.base.entrance import VARIABLE, Entrance
from pages.shell import private


class Person(NamedTuple):
    """Somebody whom a provider knows: by its name and theirs there, which never change hands. The e-mail
    address, "" where the provider does not vouch for one, says whether they may enter, not who they are."""

    issuer: str
    subject: str
    email: str = ""

    @property
    def name(self) -> str:
        """Return what nobody else is called."""
        return repr((self.issuer, self.subject))


@cache
def entrance() -> Entrance | None:
    """Return who may enter, as it was said when the server was started; None where nobody has to sign in."""
    sections = _sections()
    return Entrance.of(sections) if os.environ.get(VARIABLE) or sections.get("auth") else None


def origin() -> str | None:
    """Return the address at which people sign in, without a path, as the provider knows it; None where it is
    not said."""
    auth = _sections().get("auth")
    said = str(auth.get("redirect_uri", "")) if isinstance(auth, Mapping) else ""
    parts = urlsplit(said.replace("{port}", str(st.get_option("server.port"))))
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else None


def _sections() -> dict[str, Any]:
    """Return what the file says that tells where people sign in; nothing where there is none that can be
    read."""
    try:
        return dict(st.secrets)
    except FileNotFoundError:
        return {}


def admitted(person: Person | None) -> bool:
    """Return whether this visitor may enter."""
    asked = entrance()
    return asked is None or (person is not None and asked.admits(person.email))


def person_of(claims: Mapping[str, Any]) -> Person | None:
    """The person of what a provider vouches for; None where nobody is signed in."""
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not issuer or not subject:
        return None
    vouched = str(claims.get("email_verified", True)).lower() == "true"  # some providers send it as a text
    return Person(str(issuer), str(subject), str(claims.get("email") or "") if vouched else "")


def here() -> Person | None:
    """Return whose page is drawn; None where nobody is signed in."""
    return person_of(dict(st.user)) if private.drawing() else None

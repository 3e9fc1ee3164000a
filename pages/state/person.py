"""Who is signed in, and whether anybody has to be."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.secrets import secrets_singleton

from kanon_core.base.entrance import VARIABLE, Entrance


class Person(NamedTuple):
    """Somebody whom a provider knows: by its name and theirs there, which never change hands. The e-mail
    address, "" where the provider does not vouch for one, says whether they may enter, not who they are."""

    issuer: str
    subject: str
    email: str = ""

    @property
    def name(self) -> str:
        """What nobody else is called."""
        return repr((self.issuer, self.subject))


@cache
def entrance() -> Entrance | None:
    """Who may enter, as it was said when the server was started; None where nobody has to sign in."""
    sections = dict(secrets_singleton) if secrets_singleton.load_if_toml_exists() else {}
    return Entrance.of(sections) if os.environ.get(VARIABLE) or sections.get("auth") else None


def admitted(person: Person | None) -> bool:
    """Whether this visitor may enter."""
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
    """Whose page is drawn; None where nobody is signed in."""
    context = get_script_run_ctx(suppress_warning=True)
    return person_of(context.user_info) if context else None

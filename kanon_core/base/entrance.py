"""The people who may enter a server for a team, as listed in the file that also configures Streamlit's
sign-in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

VARIABLE = "KANON_SIGN_IN"
"""An environment variable; if it is set, only people who signed in may enter, even if the file cannot be
read."""
EVERYBODY = "*"
NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
"""The entries that Streamlit needs in the section [auth] to let people sign in by OpenID Connect."""
CALLBACK = "/oauth2callback"
"""The address to which the provider sends people back."""
_SECRET = 32


@dataclass(frozen=True)
class Entrance:
    """The people whom a server admits, among those whom its identity provider knows: e-mail addresses,
    domains, or everybody. A domain does not include its subdomains. Upper and lower case are equal.

    >>> entrance = Entrance(("example.org", "ann@example.com"))
    >>> entrance.admits("Bob@Example.org"), entrance.admits("ann@example.com")
    (True, True)
    >>> entrance.admits("bob@example.com"), entrance.admits("bob@sub.example.org"), entrance.admits("")
    (False, False, False)
    """

    enter: tuple[str, ...] = ()

    def admits(self, address: str) -> bool:
        """Return whether somebody with this e-mail address may enter; nobody has the address ""."""
        name, _, domain = address.strip().lower().rpartition("@")
        known = {one.lower().removeprefix("@") for one in self.enter}
        return EVERYBODY in known or (
            bool(name and domain) and not known.isdisjoint({f"{name}@{domain}", domain})
        )

    @classmethod
    def of(cls, sections: Mapping[str, object]) -> Entrance:
        """Return the entrance that the section [kanon] describes, ``enter = ["example.org",
        "ann@example.com"]``; where the section cannot be understood, nobody may enter."""
        kanon = sections.get("kanon")
        said = kanon.get("enter") if isinstance(kanon, Mapping) else None
        understood = isinstance(said, list) and all(isinstance(one, str) and one.strip() for one in said)
        return cls(tuple(one.strip() for one in said) if isinstance(said, list) and understood else ())


def checked(file: str) -> Path:
    """Return the whole path of a file if it has all needed entries; raises InputError for missing ones."""
    path = Path(file).absolute()
    try:
        sections = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):  # the content is secret, and no part of it is shown
        says = tr(
            "The file {name} given with --sign-in cannot be read as TOML; correct it, or give another file."
        )
        raise InputError(says.format(name=path.name)) from None
    if problem := _lacking(sections):
        raise InputError(tr("{name}: {problem}").format(name=path.name, problem=problem))
    return path


def _lacking(sections: Mapping[str, object]) -> str:
    """Return a description of a missing or wrong entry; "" if there is none."""
    auth = sections.get("auth")
    said = auth if isinstance(auth, Mapping) else {}
    absent = [name for name in NEEDED if not (isinstance(said.get(name), str) and said[name])]
    if absent:
        return tr("the section [auth] needs further entries: {absent}.").format(absent=", ".join(absent))
    if len(said["cookie_secret"]) < _SECRET:
        says = tr("cookie_secret must be a random text of at least {count} characters.")
        return says.format(count=_SECRET)
    if not said["redirect_uri"].endswith(CALLBACK):
        return tr("redirect_uri must be the address of this server and end in {end}.").format(end=CALLBACK)
    if not Entrance.of(sections).enter:
        says = tr(
            "the file does not list who may enter; add a section [kanon] with e-mail addresses, domains"
            " or “*”: {example}"
        )
        return says.format(example='enter = ["example.org", "ann@example.com"]')
    return ""

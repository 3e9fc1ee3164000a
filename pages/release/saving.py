"""Session file: the settings and, only on request, the data and the seed."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.session.seal import passphrase_problem
from pages.release.stopped import recipe_of
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.state.session_file import file_of
from pages.widgets.files import download
from pages.widgets.text import heading, note

ENDING = ".kanon.json"
_DATA, _PASSPHRASE = Key("session with data", False), Key("saving passphrase", "")


def save(session: Session, release: kc.Release) -> None:
    """Show the contents of the session file and its download."""
    heading(tr("Session"))
    note(
        tr(
            "Use this file to continue later or on another computer. It contains roles and kinds, the"
            " algorithm, k and the previous settings. It also contains the column names and, if a column"
            " has a hierarchy, a table of distances or a category map, the values listed there. So keep it"
            " with the data. Open it on the Data page."
        )
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        data = st.toggle(tr("Include the data"), key=kept(_DATA.name, False))
        phrase = st.text_input(
            tr("Passphrase for the seed (empty: without the seed)"),
            type="password",
            key=_PASSPHRASE.name,
            autocomplete="new-password",
        )
    refused = passphrase_problem(phrase) if phrase else ""
    note(refused or _contents_text(data, phrase))
    download(
        tr("Save the session"),
        partial(_content, session, release, data, phrase),
        _name(session),
        key="save-session",
        disabled=bool(refused),
    )


def _content(session: Session, release: kc.Release, data: bool, phrase: str) -> bytes:
    reasons = dict(recipe_of(session, release).reasons)
    return file_of(session, release, reasons, data).to_bytes(phrase)


def _contents_text(data: bool, phrase: str) -> str:
    if phrase:
        parts = [
            tr("The passphrase encrypts the seed, the computed curves and a digest of the data."),
            tr("It also encrypts the data.") if data else tr("The file contains no rows of the table."),
            tr("Without the passphrase, nobody can open these parts."),
        ]
    else:
        parts = [
            tr(
                "The file does not contain the seed or the computed curves. When the file is"
                " opened, a new secret seed is drawn, so releases will differ."
            ),
            tr(
                "The data are not encrypted: everybody who has the file can read them. Enter a"
                " passphrase to encrypt them."
            )
            if data
            else tr("The file contains no rows of the table."),
        ]
    return " ".join(parts)


def _name(session: Session) -> str:
    named = session.source.removeprefix("sample:") if session.source.startswith("sample:") else session.name
    return f"{PurePath(named).name.removesuffix(ENDING).split('.')[0] or 'session'}{ENDING}"

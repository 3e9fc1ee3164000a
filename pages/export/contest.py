"""The contest's notation on the Export page: writing histories in it, and reading such a file back."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.papers.contest import answer_utility, contest_bytes, read_answer
from pages.state.session import Session
from pages.widgets.files import download, upload
from pages.widgets.text import error, line, note, warning
from pages.widgets.views import boxed

_LINES = 12
_WIDEST = 400


def released(session: Session, release: kc.Release, name: str) -> None:
    """The file to hand over in the contest's notation, and its first lines."""
    try:
        content = _content(session, release)
    except kc.KanonError as reason:
        warning(f"{reason} Choose another format.")
        return
    download("Download in the contest's notation", content, name, type="primary", key="download")
    lines = content.decode().split("\n")[:-1]
    boxed("\n".join(text[:_WIDEST] for text in lines[:_LINES]))
    note(
        f"The first {min(_LINES, len(lines))} of {len(lines):,} lines, in the order of their text: a"
        " pseudonym in place of the person, then a value, [a;b] from least to greatest, {a;b;c} one of"
        " these, or * for anything."
    )


def _content(session: Session, release: kc.Release) -> bytes:
    return session.picture(("contest file",), lambda: contest_bytes(release))


def read_back(session: Session, release: kc.Release) -> None:
    """An uploaded file in the notation: whether it is the release on screen; of an answer its utility."""
    with st.expander("Read a file in the contest's notation", icon=":material/upload_file:"):
        about = "The published rows, or an answer with a row for every record; it is compared, not loaded."
        uploaded = upload("A file of this table's histories", ["pwscup", "csv", "txt"], "answer", about)
        if uploaded is None:
            note("A release is compared with that on screen; of a whole answer the utility is computed.")
            return
        try:
            _told(session, release, uploaded.getvalue())
        except kc.KanonError as reason:
            error(reason)


def _told(session: Session, release: kc.Release, content: bytes) -> None:
    answer = read_answer(content, session.table)
    gone = int(answer.suppressed.sum())
    names = len(set(answer.names)) - (gone > 0)
    rows, left_out = f"{len(answer.names) - gone:,}", f" pseudonyms, {gone:,} rows left out."
    line("", rows, " published rows of ", f"{names:,}", left_out)
    own = _content(session, release).split(b"\n")[:-1]
    plain = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    theirs = sorted(text for text in plain.split(b"\n") if text.strip(b"*,"))
    if theirs == own:
        line("", "The same release", " as on screen: every row is equal.")
    elif len(answer.names) != len(session.table):
        shared = len(set(theirs) & set(own))
        line("", "Another release", f" than the one on screen: {shared:,} of {len(own):,} rows are in both.")
    if len(answer.names) == len(session.table):
        found = answer_utility(session.table, answer)
        parts = ", ".join(f"{name} {value:.4f}" for name, value in found.items() if name != "total")
        line("Utility as the contest computes it: ", f"{found['total']:.4f}", f" ({parts}).")

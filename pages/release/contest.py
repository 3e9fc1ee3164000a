"""Contest notation on the page Release: writing histories in it, and reading such a file."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.papers.contest import answer_utility, contest_bytes, read_answer
from pages.state.session import Session
from pages.widgets.files import download, upload
from pages.widgets.layout import boxed
from pages.widgets.text import bold, error, line, note, warning

_LINES = 12
_WIDEST = 400


def released(session: Session, release: kc.Release, name: str) -> None:
    """Show the released file in contest notation and its first lines."""
    try:
        content = _content(session, release)
    except kc.KanonError as reason:
        warning(tr("{reason} Choose another format.").format(reason=reason))
        return
    download(tr("Download in contest notation"), content, name, type="primary", key="download")
    lines = content.decode().split("\n")[:-1]
    boxed("\n".join(text[:_WIDEST] for text in lines[:_LINES]))
    note(
        tr(
            "The first {lines} of {count:,} lines, in alphabetical order. Each line has a"
            " pseudonym instead of the person, followed by cells: a value, [a;b] for an interval,"
            " {{a;b;c}} for one of these values, or * for any value."
        ).format(lines=min(_LINES, len(lines)), count=len(lines))
    )


def _content(session: Session, release: kc.Release) -> bytes:
    return session.picture(("contest file",), lambda: contest_bytes(release))


def read_back(session: Session, release: kc.Release) -> None:
    """Show whether an uploaded file is the current release and, for an answer, its utility."""
    with st.expander(tr("Read a file in contest notation"), icon=":material/upload_file:"):
        about = tr(
            "The published rows, or an answer with a row for every record. The file is compared, not loaded."
        )
        uploaded = upload(tr("File with histories of this table"), ["pwscup", "csv", "txt"], "answer", about)
        if uploaded is None:
            note(
                tr(
                    "Kanon compares a release with the current one, and computes the utility of a"
                    " complete answer."
                )
            )
            return
        try:
            _compared(session, release, uploaded.getvalue())
        except kc.KanonError as reason:
            error(reason)


def _compared(session: Session, release: kc.Release, content: bytes) -> None:
    answer = read_answer(content, session.table)
    gone = int(answer.suppressed.sum())
    names = len(set(answer.names)) - (gone > 0)
    says = tr("Published rows: *{rows:,}*. Pseudonyms: *{names:,}*. Suppressed rows: {gone:,}.")
    line(*bold(says, rows=len(answer.names) - gone, names=names, gone=gone))
    own = _content(session, release).split(b"\n")[:-1]
    plain = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    theirs = sorted(text for text in plain.split(b"\n") if text.strip(b"*,"))
    if theirs == own:
        line(*bold(tr("*This file equals the current release*: every row is the same.")))
    elif len(answer.names) != len(session.table):
        shared = len(set(theirs) & set(own))
        says = tr("*This file differs from the current release*. Rows in both: {shared:,} of {count:,}.")
        line(*bold(says, shared=shared, count=len(own)))
    if len(answer.names) == len(session.table):
        found = answer_utility(session.table, answer)
        parts = ", ".join(f"{name} {value:.4f}" for name, value in found.items() if name != "total")
        says = tr("Utility by the rules of the contest: *{total:.4f}* ({parts}).")
        line(*bold(says, total=found["total"], parts=parts))

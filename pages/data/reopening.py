"""Opening of a session file or recipe, and deletion of the data on the server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.typing import UploadedFile

import kanon_core as kc
from kanon_core.base.words import counted, tr
from kanon_core.session import SessionFile, fitted
from kanon_core.table.samples import sample
from pages.shell import memory
from pages.shell.headers import BEGIN_AGAIN
from pages.state import session_file
from pages.state.keys import Key, forget_all
from pages.state.session import Session
from pages.widgets import curves
from pages.widgets.files import upload
from pages.widgets.pickers import button
from pages.widgets.sentences import table_name
from pages.widgets.text import error, info, note


@dataclass(frozen=True)
class _Uploaded:
    """An uploaded file: its session, or the problem."""

    id: str
    file: SessionFile | None
    problem: str = ""


_UPLOADED: Key[_Uploaded | None] = Key("session file", None)
_PHRASE, _PROBLEM, _SAID = Key("opening passphrase", ""), Key("opening problem", ""), Key("opened", "")


def chooser(session: Session) -> None:
    """Show a session or recipe to be opened, and what this server keeps."""
    if said := _SAID.pop():
        info(said)
    with st.expander(tr("Open a session or recipe"), icon=":material/history:"):
        about = tr("A file saved on the Release page: a session (.kanon.json) or a recipe (.json).")
        given = upload(tr("Session or recipe"), ["json", "kanon"], "session-upload", about)
        if given is not None:
            _offered(session, given)
    with st.expander(tr("Data kept by this server"), icon=":material/memory:"):
        _kept_here()


def _offered(session: Session, uploaded: UploadedFile) -> None:
    known = _read(uploaded)
    if known.file is None:
        error(known.problem)
        return
    note(_described(known.file))
    if known.file.sealed is not None:
        _locked(known)
    if problem := _PROBLEM.pop():
        error(problem)
    _table(session, known)


def _read(uploaded: UploadedFile) -> _Uploaded:
    known = _UPLOADED.get()
    if known is None or known.id != uploaded.file_id:
        try:
            known = _Uploaded(uploaded.file_id, SessionFile.from_bytes(uploaded.getvalue()))
        except kc.KanonError as reason:
            known = _Uploaded(uploaded.file_id, None, str(reason))
        _UPLOADED.set(known)
    return known


def _described(file: SessionFile) -> str:
    name = file.source.removeprefix("sample:") or tr("unnamed table")
    told = tr("{name}: {records} × {columns}, {algorithm} at k = {k}, saved by Kanon {version}.")
    return told.format(
        name=name,
        records=counted(file.records, "record"),
        columns=counted(len(file.schema), "column"),
        algorithm=file.setting.algorithm.title,
        k=file.setting.k,
        version=file.version,
    )


def _locked(known: _Uploaded) -> None:
    """Show the passphrase, for what is encrypted."""
    st.text_input(
        tr("Passphrase for the seed, the curves and, if saved, the data"),
        type="password",
        key=_PHRASE.name,
        autocomplete="off",
    )
    button(tr("Decrypt"), _decrypt, known, icon="lock_open")


def _decrypt(known: _Uploaded) -> None:
    phrase = _PHRASE.get()
    _PHRASE.set("")
    if known.file is not None:
        try:
            _UPLOADED.set(_Uploaded(known.id, known.file.unlocked(phrase)))
        except kc.KanonError as reason:
            _PROBLEM.set(str(reason))


def _table(session: Session, known: _Uploaded) -> None:
    """Show the possible sources of the table: the file, a sample, another file, or the loaded table."""
    file = known.file
    assert file is not None
    if file.data or file.source.startswith("sample:"):
        button(tr("Open this session"), _open, session, known, file.table, icon="folder_open", primary=True)
        return
    if file.sealed is not None:
        note(tr("Without the passphrase, upload the file with the table or use the loaded table."))
    else:
        note(tr("The file contains no rows of a table. Upload the table or use the loaded one."))
    given = upload(
        tr("File with the table"),
        (),
        "session-table",
        tr("It is read with the saved options. If they do not fit, Kanon detects new ones."),
    )
    if given is not None:
        load = _reader(file, given)
        button(
            tr("Open with this file"),
            _open,
            session,
            known,
            load,
            given.name,
            icon="folder_open",
            primary=True,
        )
    says = tr("Use “{name}”").format(name=table_name(session))
    now, source = session.table, session.source
    button(says, _open, session, known, lambda: now, session.name, source, icon="table")


def _reader(file: SessionFile, uploaded: UploadedFile) -> Callable[[], kc.Table]:
    def load() -> kc.Table:
        options = {name: value for name, value in file.reading.items() if name != "sample"}
        try:
            return kc.read_table(uploaded.getvalue(), **options)
        except kc.KanonError:
            if not options:
                raise
            return kc.read_table(uploaded.getvalue())

    return load


def _open(
    session: Session,
    known: _Uploaded,
    load: Callable[[], kc.Table | None],
    name: str = "",
    source: str = "",
) -> None:
    """Continue with the contents of the file; or store the problem and change nothing."""
    file = known.file
    try:
        table = load() if file else None
        if file is None or table is None:
            return
        found = fitted(file, table)
    except kc.KanonError as reason:
        _PROBLEM.set(tr("{reason} The loaded table has not changed.").format(reason=reason))
        return
    ours = not file.data and not name
    name = name or (sample(file.source.removeprefix("sample:")).title if ours else file.source)
    source = source or (file.source if ours else f"session:{known.id}")
    said = session_file.apply_file(session, file, found, name, source)
    if found.same:
        session.reasons.update(file.reasons)
    opened = tr("Opened: {algorithm} at k = {k} on “{name}”.")
    setting = session.setting
    opened = opened.format(algorithm=setting.algorithm.title, k=setting.k, name=name)
    _SAID.set(" ".join([opened, *said]))


def _kept_here() -> None:
    """Show a note on the data kept by the server, and a button that deletes them."""
    note(
        tr(
            "The computer that runs Kanon keeps the table, a file that is open on Check, settings and"
            " results in memory, for this browser only. It deletes them about one hour after you close the"
            " page, or earlier when Kanon restarts or other tables need the memory. Kanon writes none of them"
            " to the disk of that computer."
        )
    )
    if button(tr("Delete my table from this server"), None, icon="delete_forever"):
        curves.end_sweeper()
        memory.forget()
        forget_all()
        st.query_params.clear()  # otherwise the new tab would follow this address
        st.html(f"<script>{BEGIN_AGAIN}</script>", unsafe_allow_javascript=True)
        st.stop()

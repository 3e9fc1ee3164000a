"""The line that names the case, switches to the other one, and says what it changes."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import streamlit as st

from kanon_core.base.words import counted, listed, tr
from pages.shell.frame import link_to
from pages.shell.statusline import bar
from pages.state.case import CheckedFile
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.sentences import table_name
from pages.widgets.text import info


def file_bar(session: Session) -> CheckedFile:
    """Show the line of a page that is about the released file, with the switch; return the file."""
    file = session.file
    assert file is not None
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="status-row"):
        bar(_chips(file))
        _switch(session, tr("Switch to the table"))
    if not session.on_file:
        says = tr("Risk and Release are about the table {table}, not about this file.")
        _warned(says.format(table=table_name(session)))
    return file


def _warned(says: str) -> None:
    st.html(f'<div class="verdict decide"><p>{escape(says)}</p></div>')


def _chips(file: CheckedFile) -> Iterator[tuple[str, str]]:
    yield tr("file"), f"{file.name}, {counted(len(file.file.table), 'row')}"
    if file.original is not None:
        yield tr("compared with"), f"{file.beside}, {counted(len(file.original), 'record')}"
    if known := [column.attribute.name for column in file.table.quasi]:
        yield tr("attacker knows"), listed(known)
    if file.checked is None:
        return
    asked = [one.guarantee for one in file.checked.asked]
    yield tr("requested"), "; ".join(f"{one.called} {one.wanted}" for one in asked) or tr("none")
    if asked:
        kept = file.checked.holds
        yield tr("holds"), tr("all requested guarantees") if kept else tr("not all requested guarantees")


def other_case(session: Session) -> None:
    """Say, on a page that is about the table, that a file is open on Check; lead to it."""
    if session.unread:
        says = tr(
            "This page is about the table {table}. “{file}”, which you opened on Check, cannot be read."
        )
        _warned(says.format(table=table_name(session), file=session.unread))
    if session.file is None:
        return
    says = tr("This page is about the table {table}. The file “{file}” is open on Check.")
    if session.on_file:
        says = tr(
            "This page is about the table {table}. Risk and Release are about “{file}”, the file that you"
            " opened on Check."
        )
    says = says.format(table=table_name(session), file=session.file.name)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="other-case"):
        _warned(says)
        _switch(session, tr("Show the table on Risk and Release"))


def not_of_a_file(session: Session) -> None:
    """Show, in place of a page that is about releases that Kanon makes, that the case is a file."""
    file = file_bar(session)
    says = tr(
        "This page shows releases that Kanon makes from a table. “{file}” is a finished file: see Check,"
        " Risk, and Release. To work on the table {table}, switch to it."
    )
    info(says.format(file=file.name, table=table_name(session)))
    link_to("check", tr("Show the file on Check"), ":material/fact_check:")


def _switch(session: Session, to_table: str) -> None:
    """Show the button that makes the other of the two the case; ``to_table``: its label where the file is the
    case."""
    label, about = (
        tr("Show the file on Risk and Release"),
        tr("The table, its setting, and its results stay."),
    )
    if session.on_file:
        label = to_table
        about = tr("All pages but Check then show the table with its setting. The file stays open on Check.")
    if button(label, None, icon="swap_horiz", help=about, key="switch-case"):
        session.switch_case()
        st.rerun()


def no_risks(file: CheckedFile) -> str:
    """Return the reason why there are no risks of this file; "" if there are."""
    if file.undecided:
        return tr("Say on Check first whose record each row is.")
    if not file.table.quasi:
        return tr("No column of the file is a quasi-identifier. Choose them on Check.")
    return ""

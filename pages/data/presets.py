"""Roles that need not be set again: as last time, as papers use them, or from a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.presets import naming_values, preset_of, preset_text, with_preset
from kanon_core.table.rolesets import RoleSet, fitting
from pages.data.column_changes import SCHEMA_PROBLEM, VERSION, changed
from pages.data.history import SchemaHistory, before
from pages.state.session import Session
from pages.widgets.files import download, upload_into
from pages.widgets.pickers import button
from pages.widgets.text import line, note


def offered(session: Session, seen: SchemaHistory) -> None:
    """A button for what is known of these columns already, and the sets and files of roles on request."""
    known = before(session, seen)
    if known is not None:
        says = tr("Roles as last time")
        button(says, partial(_give, session, known), icon="history", key="roles as before")
    sets = session.table.once("role sets", lambda: fitting(session.table))
    if sets:
        with st.popover(tr("Roles as in papers"), icon=":material/menu_book:", width="content"):
            line(tr("These columns are known from papers. What changes can be undone."))
            for one in sets:
                _set(session, one)
    with st.popover(tr("Save or open roles"), icon=":material/save:", width="content"):
        _file(session)


def _set(session: Session, role_set: RoleSet) -> None:
    def give() -> None:
        _take(session, lambda: role_set.given_to(session.table).schema)

    button(tr(role_set.title), give, key=f"roles {role_set.name}", width="stretch")
    note(tr(role_set.about))


def _file(session: Session) -> None:
    """The roles as a file, with what it tells of the data, and an uploader that takes such a file."""
    schema = session.table.schema
    line(
        tr(
            "A file with the role, kind, weight, recoding and everything else that is set for each column,"
            " by its name."
        )
    )
    named = naming_values(schema)
    if named:
        says = tr("It names values of the data, in the orders, groups, categories or distances of {columns}.")
        note(says.format(columns=", ".join(named)), 4_000)
    else:
        note(tr("It holds the names of the columns and their settings, but no values of the data."))
    download(tr("Save the roles"), preset_text(schema), "roles.json", key="roles file")
    about = tr("a file saved here, or a recipe; columns of other names are left as they are.")
    upload_into(tr("Open a file of roles"), f"roles opened {VERSION.get()}", about, partial(_open, session))


def _open(session: Session, content: bytes) -> None:
    _take(session, lambda: with_preset(session.table.schema, preset_of(content)))


def _give(session: Session, schema: kc.Schema) -> None:
    _take(session, lambda: schema)


def _take(session: Session, make: Callable[[], kc.Schema]) -> None:
    changed(session, SCHEMA_PROBLEM, make)
    VERSION.set(VERSION.get() + 1)

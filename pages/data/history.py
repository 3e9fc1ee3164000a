"""History of column changes with undo; and roles from earlier tables, papers or files.

The Data page detects every change of the schema (also from other pages) by comparing it with the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.changes import changes_said
from kanon_core.table.presets import naming_values, preset_of, preset_text, with_preset
from kanon_core.table.rolesets import RoleSet, fitting
from pages.data.column_changes import SCHEMA_PROBLEM, VERSION, changed
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.files import download, upload_into
from pages.widgets.pickers import button
from pages.widgets.text import line, note

_STEPS = 30
_SETS = 20


class SchemaHistory(NamedTuple):
    """The records seen last (``which``), their original column names, their schema, and the previous schemas,
    the latest last."""

    which: object
    as_read: tuple[str, ...]
    schema: kc.Schema
    steps: tuple[kc.Schema, ...] = ()


_HISTORY: Key[SchemaHistory | None] = Key("columns seen", None)
_SET: Key[dict[tuple[str, ...], kc.Schema]] = Key("columns set before", {})
"""By original column names: the last roles of such columns in this session."""


def track_changes(session: Session) -> SchemaHistory:
    """Record a change of the schema since the last run; call it before anything is drawn that can change
    it."""
    table, seen = session.table, _HISTORY.get()
    which = (session.source, tuple((k, v) for k, v in table.reading.items() if k != "names"))
    if seen is None or seen.which != which or len(seen.schema) != len(table.schema):
        seen = SchemaHistory(which, table.schema.names, table.schema)
    elif seen.schema != table.schema:
        steps = (*seen.steps, seen.schema)[-_STEPS:]
        seen = seen._replace(schema=table.schema, steps=steps)
        _remember(seen)
    _HISTORY.set(seen)
    return seen


def read_again(session: Session) -> None:
    """Give the columns of a file that was read with other options the roles and kinds that were changed by
    hand before; it can be undone."""
    seen = _HISTORY.get()
    _HISTORY.set(None)
    read = track_changes(session).schema
    if seen is None or not seen.steps:
        return
    first = {a.name: a for a in seen.steps[0]}
    kept = [a for a in seen.schema if a.name in first and a.name in read.names]
    kinds = {a.name: a.kind for a in kept if a.kind != first[a.name].kind}
    roles = {a.name: a.role for a in kept if a.role != first[a.name].role}
    changed(session, SCHEMA_PROBLEM, lambda: read.with_kinds(kinds).with_roles(roles))


def roles_before(session: Session, seen: SchemaHistory) -> kc.Schema | None:
    """Return the roles that columns of these names had in another table of this session; None if there are
    none."""
    known = _SET.get().get(seen.as_read)
    return None if seen.steps or known == session.table.schema else known


def undo_button(session: Session, seen: SchemaHistory) -> None:
    """Show a button that undoes the last change, with a description of the change."""
    if not seen.steps:
        return
    lines = changes_said(seen.steps[-1], seen.schema)
    with st.container(horizontal=True, vertical_alignment="center", key="columns-changed"):
        more = len(seen.steps) - 1
        label = tr("Undo") if not more else tr("Undo ({count} more)").format(count=more)
        button(label, _undo, session, icon="undo", key="undo columns")
        note(tr("Changed: {changes}.").format(changes="; ".join(lines)), 2_000)


def _undo(session: Session) -> None:
    seen = _HISTORY.get()
    if seen is None or not seen.steps:
        return
    last = seen.steps[-1]
    if changed(session, SCHEMA_PROBLEM, lambda: last):
        seen = seen._replace(schema=session.table.schema, steps=seen.steps[:-1])
        _HISTORY.set(seen)
        _remember(seen)
    VERSION.set(VERSION.get() + 1)


def _remember(seen: SchemaHistory) -> None:
    known = {names: schema for names, schema in _SET.get().items() if names != seen.as_read}
    _SET.set(dict([*known.items(), (seen.as_read, seen.schema)][-_SETS:]))


def known_roles(session: Session, seen: SchemaHistory) -> None:
    """Show a button for the previous roles of these columns and, on request, published sets and files of
    roles."""
    known = roles_before(session, seen)
    if known is not None:
        says = tr("Use the previous roles")
        button(says, partial(_give, session, known), icon="history", key="roles as before")
    sets = session.table.once("role sets", lambda: fitting(session.table))
    if sets:
        with st.popover(tr("Roles from papers"), icon=":material/menu_book:", width="content"):
            line(tr("Published papers use these columns. You can undo the change."))
            for roles in sets:
                _role_set(session, roles)
    with st.popover(tr("Save or open roles"), icon=":material/save:", width="content"):
        _file(session)


def _role_set(session: Session, roles: RoleSet) -> None:
    def give() -> None:
        _take(session, lambda: roles.given_to(session.table).schema)

    button(tr(roles.title), give, key=f"roles {roles.name}", width="stretch")
    note(tr(roles.about))


def _file(session: Session) -> None:
    """Show the roles as a file, with a note on the data it contains, and an uploader for such a file."""
    schema = session.table.schema
    line(
        tr(
            "The file contains the role, kind, weight, recoding and all other settings of each"
            " column, by column name."
        )
    )
    named = naming_values(schema)
    if named:
        says = tr(
            "It contains values of the data in the orders, hierarchies, categories or distances of {columns}."
        )
        note(says.format(columns=", ".join(named)), 4_000)
    else:
        note(tr("It contains the column names and their settings, but no values of the data."))
    download(tr("Save the roles"), preset_text(schema), "roles.json", key="roles file")
    about = tr("A file saved here, or a recipe. Columns with other names keep their settings.")
    upload_into(tr("Open a file with roles"), f"roles opened {VERSION.get()}", about, partial(_open, session))


def _open(session: Session, content: bytes) -> None:
    _take(session, lambda: with_preset(session.table.schema, preset_of(content)))


def _give(session: Session, schema: kc.Schema) -> None:
    _take(session, lambda: schema)


def _take(session: Session, make: Callable[[], kc.Schema]) -> None:
    changed(session, SCHEMA_PROBLEM, make)
    VERSION.set(VERSION.get() + 1)

"""What was changed of the columns, said and undone.

Whatever changes the schema – the table of columns, groups, distances, an answer on another page – is seen
when the Data page is drawn next, by comparing the schema with the one seen last.
"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.changes import changes_said
from pages.data.column_changes import SCHEMA_PROBLEM, VERSION, changed
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import note

_STEPS = 30
_SETS = 20


class SchemaHistory(NamedTuple):
    """The records that were seen last (``which``), their columns' names as they came, their schema, and the
    schemas before it, the latest last."""

    which: object
    as_read: tuple[str, ...]
    schema: kc.Schema
    steps: tuple[kc.Schema, ...] = ()


_SEEN: Key[SchemaHistory | None] = Key("columns seen", None)
_SET: Key[dict[tuple[str, ...], kc.Schema]] = Key("columns set before", {})
"""By the names as they came: what was last said of such columns in this session."""


def watch(session: Session) -> SchemaHistory:
    """See whether something changed; called once a run, before anything is drawn that can change it."""
    table, seen = session.table, _SEEN.get()
    which = (session.source, tuple((k, v) for k, v in table.reading.items() if k != "names"))
    if seen is None or seen.which != which or len(seen.schema) != len(table.schema):
        seen = SchemaHistory(which, table.schema.names, table.schema)
    elif seen.schema != table.schema:
        steps = (*seen.steps, seen.schema)[-_STEPS:]
        seen = seen._replace(schema=table.schema, steps=steps)
        _remember(seen)
    _SEEN.set(seen)
    return seen


def before(session: Session, seen: SchemaHistory) -> kc.Schema | None:
    """Return what was said of columns of these names earlier in this session, when another table was loaded;
    None when nothing else was."""
    known = _SET.get().get(seen.as_read)
    return None if seen.steps or known == session.table.schema else known


def said(session: Session, seen: SchemaHistory) -> None:
    """A button that takes the last change back, with how many more there are, and what it was."""
    if not seen.steps:
        return
    lines = changes_said(seen.steps[-1], seen.schema)
    with st.container(horizontal=True, vertical_alignment="center", key="columns-changed"):
        more = len(seen.steps) - 1
        label = tr("Undo") if not more else tr("Undo ({count} more)").format(count=more)
        button(label, _undo, session, icon="undo", key="undo columns")
        note(tr("Changed: {changes}.").format(changes="; ".join(lines)), 2_000)


def _undo(session: Session) -> None:
    seen = _SEEN.get()
    if seen is None or not seen.steps:
        return
    last = seen.steps[-1]
    if changed(session, SCHEMA_PROBLEM, lambda: last):
        seen = seen._replace(schema=session.table.schema, steps=seen.steps[:-1])
        _SEEN.set(seen)
        _remember(seen)
    VERSION.set(VERSION.get() + 1)


def _remember(seen: SchemaHistory) -> None:
    known = {names: schema for names, schema in _SET.get().items() if names != seen.as_read}
    _SET.set(dict([*known.items(), (seen.as_read, seen.schema)][-_SETS:]))

"""Common parts of the Data page: one column at a time, and changes that are refused with a reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import kanon_core as kc
from kanon_core.base.words import tr
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.pickers import menu
from pages.widgets.text import note

SCHEMA_PROBLEM = Key("schema problem", "")
"""The problem of the last change, shown once."""
VERSION = Key("editor version", 0)
"""The number of changes after which editable tables start again."""


def one_column(label: str, key: str, names: Sequence[str], empty: str, about: str) -> str | None:
    """Return the column that is chosen in a menu; None, after the text ``empty``, if there is no column."""
    if not names:
        note(empty)
        return None
    note(about)
    return menu(label, names, key)


def take(session: Session, schema: kc.Schema) -> None:
    """Use another schema for the same records; it may also rename columns. Raises KanonError."""
    if schema.names == session.table.schema.names:
        session.change_schema(schema)
        return
    table, secret, setting = session.table.with_names(schema.names), session.secret, session.setting
    session.load(table.with_schema(schema), session.name, session.source)
    session.secret = secret  # the same records keep their seed
    session.setting = dataclasses.replace(session.setting, seed=setting.seed)


def changed(session: Session, problem: Key[str], make: Callable[[], kc.Schema]) -> bool:
    """Apply this schema and return whether that was possible; otherwise store the problem and change
    nothing."""
    try:
        take(session, make())
    except kc.KanonError as reason:
        problem.set(tr("{reason} Nothing was changed.").format(reason=reason))
        return False
    return True

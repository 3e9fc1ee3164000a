"""Choice of the file to check, its original, and the roles of its columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from pages.check.trees import with_hierarchies
from pages.state.case import CHECKED_FILE
from pages.state.keys import kept
from pages.state.session import Session
from pages.widgets.files import KEPT, read_once, upload_kept
from pages.widgets.layout import lazy_popover
from pages.widgets.pickers import menu
from pages.widgets.sentences import table_name
from pages.widgets.text import note

ALONE, OPEN, OTHER = "alone", "open", "other"


class Chosen(NamedTuple):
    """The chosen file with the roles of its columns, its name, the id of its upload, its original, and a key
    for all of these."""

    file: kc.OpenedFile
    name: str
    file_id: str
    original: kc.Table | None
    key: str


def chosen(session: Session) -> Chosen | None:
    """Return the file to check; None while there is none, or it cannot be read, which the page then says."""
    about = tr("A released file, made by Kanon or another program.")
    given = upload_kept(tr("The file to check"), "check-file", about)
    CHECKED_FILE.set("" if given is None else given.name)
    if given is None:
        note(tr(KEPT))
        return None
    opened = read_once(given, kc.open_file, "check-opened")
    _how_read(opened)
    beside = menu(
        tr("Compare with"),
        {
            ALONE: tr("nothing: check the file alone"),
            OPEN: tr("the loaded table: {name}").format(name=table_name(session)),
            OTHER: tr("the original in another file"),
        },
        "check-beside",
    )
    if opened is None:
        return None
    if beside == ALONE:
        roles = _roles(given.file_id, opened)
        told, trees = with_hierarchies(given.file_id, opened.with_roles(roles))
        key = f"{given.file_id} {sorted(roles.items())} {trees}"
        return Chosen(told, given.name, given.file_id, None, key)
    if beside == OPEN:
        CHECKED_FILE.set("")
    original = session.table if beside == OPEN else _original()
    if original is None:
        return None
    note(tr("The columns have the roles of the original."))
    return Chosen(opened, given.name, given.file_id, original, f"{given.file_id} {original.digest}")


def _how_read(opened: kc.OpenedFile | None) -> None:
    """Show what the reader found out, behind a button."""
    if opened is None or not opened.table.notes:
        return
    with lazy_popover(tr("Notes on reading the file"), "check-reading", "description") as open:
        for text in opened.table.notes if open else ():
            note(text)


def _original() -> kc.Table | None:
    """Return the original from another uploaded file, with the guessed or chosen roles."""
    about = tr("The table from which the file was made.")
    given = upload_kept(tr("Original table"), "check-original-file", about)
    if given is None:
        return None
    table = read_once(given, kc.read_table, "check-original")
    return None if table is None else table.with_schema(table.schema.with_roles(_roles(given.file_id, table)))


def _roles(file: str, table: kc.OpenedFile | kc.Table) -> dict[str, str]:
    """Return the role of each column: the guessed one until another is chosen."""
    schema = table.schema
    quasi = _several(tr("Quasi-identifiers (what an attacker may know)"), file, "quasi_identifier", schema)
    sensitive = _several(tr("Sensitive columns (what an attacker must not learn)"), file, "sensitive", schema)
    person = _person(file, schema)
    roles = {a.name: a.role if a.role in ("identifier", "undecided") else "other" for a in schema}
    if person == "":
        roles |= {name: "identifier" for name, role in roles.items() if role == "undecided"}
    roles |= dict.fromkeys(quasi, "quasi_identifier") | dict.fromkeys(sensitive, "sensitive")
    for name in sorted(set(quasi) & set(sensitive)):
        note(
            tr("“{name}” is in both lists. It counts as sensitive, not as a quasi-identifier.").format(
                name=name
            )
        )
    return roles | ({person: "person"} if person else {})


def _several(label: str, file: str, role: str, schema: kc.Schema) -> list[str]:
    first = [attribute.name for attribute in schema.of_role(role)]
    key = kept(f"check-{role}-{file}", first, schema.names)
    chosen: list[str] = st.multiselect(label, schema.names, key=key, placeholder=tr("no column"))
    return chosen


def _person(file: str, schema: kc.Schema) -> str | None:
    """Return the column that says whose each row is: "" = each is another person's; None while that is
    undecided."""
    asked = bool(schema.of_role("undecided"))
    offered: list[Any] = ["", *schema.names]
    chosen: str | None = st.selectbox(
        tr("Which column names the person of a row?"),
        offered,
        format_func=lambda name: name or tr("none: each row is a different person"),
        key=kept(f"check-person-{file}", None if asked else "", [None, *offered]),
        placeholder=tr("not set yet"),
    )
    return chosen

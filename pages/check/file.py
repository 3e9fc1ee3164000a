"""Choice of the file to check, its original, and the roles of its columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

import kanon_core as kc
from kanon_core.base.words import counted, tr
from kanon_core.table.people import undecided_columns
from kanon_core.table.readers.notes import without_advice
from pages.check.trees import with_hierarchies
from pages.shell.frame import data_link
from pages.state.case import CheckedFile
from pages.state.keys import kept
from pages.state.session import Session
from pages.widgets.files import KEPT, kept_file, read_once, upload_kept
from pages.widgets.layout import lazy_popover
from pages.widgets.pickers import menu
from pages.widgets.sentences import table_name
from pages.widgets.text import note, warning

ALONE, OPEN, OTHER = "alone", "open", "other"


def chosen(session: Session) -> CheckedFile | None:
    """Return the file to check; None while there is none, or it cannot be read, which the page then says."""
    about = tr("A released file, made by Kanon or another program.")
    given = upload_kept(tr("The file to check"), "check-file", about)
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
    original, name = _original(session, beside, given.file_id)
    if original is None:
        return replace(_alone(opened, given), waits=beside == OTHER)
    undecided = _undecided(original, beside == OPEN)
    if beside == OPEN:
        note(tr("The columns have the roles that they have in the loaded table."))
    key = f"{given.file_id} {original.digest}"
    return CheckedFile(given, opened, original, name, key, undecided)


def unreadable_file() -> str:
    """Return the name of the file to check, where it cannot be read; "" where there is none."""
    given = kept_file("check-file")
    return "" if given is None else given.name


def _alone(opened: kc.OpenedFile, given: UploadedFile) -> CheckedFile:
    """Return the file with the roles that are chosen for its columns."""
    roles = _roles(given.file_id, opened)
    told = opened.with_roles(roles)
    undecided = _undecided(told.table)
    told, trees = with_hierarchies(given.file_id, told)
    key = f"{given.file_id} {sorted(roles.items())} {trees}"
    return CheckedFile(given, told, None, "", key, undecided)


def _how_read(opened: kc.OpenedFile | None) -> None:
    """Show what the reader found out, behind a button."""
    if opened is None or not opened.table.notes:
        return
    with lazy_popover(tr("Notes on reading the file"), "check-reading", "description") as open:
        # The page has no reading options, so advice on them would lead nowhere.
        for text in without_advice(opened.table.notes) if open else ():
            note(text)


def _original(session: Session, beside: str, file: str) -> tuple[kc.Table | None, str]:
    """Return the original and its name: the loaded table, or that of another uploaded file, with the guessed
    roles or those that were chosen for this checked ``file``; None while there is none."""
    if beside == OPEN:
        return session.table, table_name(session)
    about = tr("The table from which the file was made.")
    given = upload_kept(tr("Original table"), "check-original-file", about) if beside == OTHER else None
    table = None if given is None else read_once(given, kc.read_table, "check-original")
    if given is None or table is None:
        return None, ""
    return table.with_schema(table.schema.with_roles(_roles(file, table))), given.name


def _roles(file: str, table: kc.OpenedFile | kc.Table) -> dict[str, str]:
    """Return the role of each column: the guessed one until another is chosen for this checked ``file``. The
    choice stays when the file is compared with its original."""
    schema = table.schema
    note(tr("Kanon guesses the roles of columns. The results are about these roles: check them."))
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


def _undecided(table: kc.Table, loaded: bool = False) -> bool:
    """Return whether it is undecided if columns name the persons; then show, below the question, why it must
    be answered. ``loaded``: the question is on Data, where the roles of this ``table`` are set."""
    found = undecided_columns(table)
    if not found:
        return False
    counts = ", ".join(tr("{name} has {values}").format(name=n, values=v) for n, v in found.items())
    says = tr(
        "Answer the question above: {counts} in {rows}. If these values name people, k equal rows may all"
        " belong to one person, so choose the column. If each row is a different person, choose “none”. If"
        " the values describe people without naming them, add the column to the quasi-identifiers."
    )
    if loaded:
        says = tr(
            "Answer “Whose records are these?” on the Data page first: {counts} in {rows}. If these values"
            " name people, k equal rows may all belong to one person."
        )
    warning(says.format(counts=counts, rows=counted(len(table), "record")))
    if loaded:
        data_link()
    return True

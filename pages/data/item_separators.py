"""How the cells of a column of item sets are split: what was found, and another choice."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kanon_core.base.words import counted, later, tr
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.itemcells import BRACES, DELIMITERS, JSON, WHOLE
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.schema import Attribute
from pages.data.column_changes import SCHEMA_PROBLEM, changed
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.text import heading, note, plain

NAMES = {
    ";": later("semicolon  ;"),
    "|": later("vertical bar  |"),
    "\t": later("tab"),
    ",": later("comma  ,"),
    " ": later("blanks"),
    JSON: later("JSON lists"),
    BRACES: later("braces  {a, b}"),
    WHOLE: later("nothing: each cell is one item"),
}
_OTHER = later("another text")
_SHOWN = 3


def long_control() -> tuple[str, str] | None:
    """For a file with one row for each item: the column whose equal cells make a record, and that of the
    items.

    None while one of the two is empty; for the reading option ``long`` of `kanon_core.read_table`.
    """
    left, right = st.columns(2)
    with left:
        record = st.text_input(
            tr("One row per item: records by"),
            placeholder=tr("such as order"),
            key="long record",
        )
    with right:
        item = st.text_input(tr("and items in"), placeholder=tr("such as product"), key="long item")
    note(tr("Rows with the same cell in the first column are one record."))
    return (record.strip(), item.strip()) if record.strip() and item.strip() else None


def delimiter_controls(session: Session) -> None:
    """A control for each column of item sets; nothing where there is none."""
    columns = [column.attribute for column in session.table.columns if isinstance(column, Items)]
    if columns:
        heading(tr("How item sets are split"))
    for attribute in columns:
        delimiter_control(session, attribute)


def delimiter_control(session: Session, attribute: Attribute) -> None:
    """Show what stands between the items of a column: as found in its cells, one of the usual signs, or a
    text of one's own.

    Below it what comes of it: how many items there are, and those of the first records.
    """
    column, name, chosen = session.table[attribute.name], attribute.name, attribute.delimiter
    assert isinstance(column, Items)
    choices = ("", *DELIMITERS, " ", JSON, BRACES, WHOLE, _OTHER)

    def take(delimiter: str) -> None:
        asked = "||" if delimiter == _OTHER else delimiter
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_delimiters({name: asked}))

    own = chosen not in choices
    tied = linked(f"delimiter {name}", _OTHER if own else chosen, take)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        says = plain(tr("Between the items of {name}").format(name=name), 60)
        st.selectbox(says, choices, format_func=lambda choice: _title(choice, column), **tied)
    if own:
        with right:
            written = linked(f"delimiter {name} text", chosen, take)
            st.text_input(tr("The text between items"), max_chars=8, placeholder=tr("such as ||"), **written)
    _outcome(column, len(session.table))


def _title(choice: str, column: Items) -> str:
    if choice:
        return _named(choice)
    if column.attribute.delimiter:
        return tr("as found in the cells")
    return tr("as found: {delimiter}").format(delimiter=_named(column.delimiter))


def _named(delimiter: str) -> str:
    known = NAMES | {_OTHER: _OTHER}
    return tr(known[delimiter]) if delimiter in known else delimiter


def _outcome(column: Items, records: int) -> None:
    """Show how many items there are, and the sets of the first records, unless they are private."""
    empty = int((column.sizes == 0).sum())
    says = tr("{items}, {mean:.1f} a record.")
    if empty:
        says = tr("{items}, {mean:.1f} a record; records without any: {empty:,}.")
    said = [
        says.format(
            items=counted(len(column.labels), "different item"), mean=len(column.items) / records, empty=empty
        )
    ]
    if not column.attribute.is_private:
        sets = " · ".join(original_texts(column, np.arange(min(_SHOWN, records))))
        said.append(tr("First records: {sets}").format(sets=sets))
    note(" ".join(said), 400)

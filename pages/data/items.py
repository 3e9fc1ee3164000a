"""How the cells of a column of item sets are split: what was found, and another choice."""

from __future__ import annotations

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.itemcells import BRACES, DELIMITERS, JSON, WHOLE
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.schema import Attribute
from pages.state.session import Session
from pages.widgets.text import note, plain

NAMES = {
    ";": "semicolon  ;",
    "|": "vertical bar  |",
    "\t": "tab",
    "、": "、",
    ",": "comma  ,",
    " ": "blanks",
    JSON: "JSON lists",
    BRACES: "braces  {a, b}",
    WHOLE: "nothing: each cell is one item",
}
_OTHER = "another text"
_SHOWN = 3


def long_control() -> tuple[str, str] | None:
    """For a file with one row for each item: the column whose equal cells make a record, and that of the
    items.

    None while one of the two is empty; for the reading option ``long`` of `kanon_core.read_table`.
    """
    left, right = st.columns(2)
    with left:
        record = st.text_input(
            "One row per item: records by",
            placeholder="such as order",
            key="long record",
            help="rows with the same cell in this column are one record",
        )
    with right:
        item = st.text_input("and items in", placeholder="such as product", key="long item")
    return (record.strip(), item.strip()) if record.strip() and item.strip() else None


def delimiter_controls(session: Session) -> None:
    """A control for each column of item sets; nothing where there is none."""
    columns = [column.attribute for column in session.table.columns if isinstance(column, Items)]
    if columns:
        st.markdown("#### How item sets are split")
    for attribute in columns:
        delimiter_control(session, attribute)


def delimiter_control(session: Session, attribute: Attribute) -> None:
    """What stands between the items of a column: as found in its cells, one of the usual signs, or a text of
    one's own.

    Below it what comes of it: how many items there are, and those of the first records.
    """
    column = session.table[attribute.name]
    assert isinstance(column, Items)
    key, choices = f"delimiter {attribute.name}", ("", *DELIMITERS, " ", JSON, BRACES, WHOLE, _OTHER)
    chosen = attribute.delimiter
    st.session_state[key] = chosen if chosen in choices else _OTHER
    if chosen not in choices:
        st.session_state[f"{key} text"] = chosen
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        st.selectbox(
            plain(f"Between the items of {attribute.name}", 60),
            choices,
            key=key,
            on_change=_changed,
            args=(session, attribute.name, key),
            format_func=lambda one: _title(one, column),
        )
    with right:
        if st.session_state[key] == _OTHER:
            st.text_input(
                "The text between items",
                key=f"{key} text",
                max_chars=8,
                placeholder="such as ||",
                on_change=_written,
                args=(session, attribute.name, key),
            )
    _outcome(column, len(session.table))


def _title(choice: str, column: Items) -> str:
    if choice:
        return NAMES.get(choice, choice)
    found = column.delimiter
    return (
        f"as found: {NAMES.get(found, found)}" if not column.attribute.delimiter else "as found in the cells"
    )


def _changed(session: Session, name: str, key: str) -> None:
    choice = st.session_state[key]
    if choice == _OTHER:
        choice = "||"
    _ask(session, name, choice)


def _written(session: Session, name: str, key: str) -> None:
    _ask(session, name, st.session_state[f"{key} text"])


def _ask(session: Session, name: str, delimiter: str) -> None:
    try:
        session.change_schema(session.table.schema.with_delimiters({name: delimiter}))
    except kc.KanonError as reason:
        st.session_state["schema problem"] = f"{reason} Nothing was changed."


def _outcome(column: Items, records: int) -> None:
    empty = int((column.sizes == 0).sum())
    none = f", {empty:,} records have none" if empty else ""
    note(
        f"{len(column.labels):,} different items, {len(column.items) / records:.1f} a"
        f" record{none}.{_first(column, records)}",
        400,
    )


def _first(column: Items, records: int) -> str:
    """The sets of the first records, unless they are private."""
    if column.attribute.is_private:
        return ""
    return " First records: " + " · ".join(original_texts(column, np.arange(min(_SHOWN, records))))

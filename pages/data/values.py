"""Reading of cells: separators of items, order of values, and date formats."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kanon_core.base.words import counted, later, tr
from kanon_core.table.attribute import ORDERED_KINDS
from kanon_core.table.columns.columns import Items, Numbers
from kanon_core.table.columns.itemcells import BRACES, DELIMITERS, JSON, WHOLE
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.dateorders import ORDER_WORDS, date_questions
from kanon_core.table.guesses import suggested_kinds
from kanon_core.table.schema import Attribute
from pages.data.column_changes import SCHEMA_PROBLEM, changed
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import heading, note, plain

NAMES = {
    ";": later("semicolon  ;"),
    "|": later("vertical bar  |"),
    "\t": later("tab"),
    ",": later("comma  ,"),
    " ": later("spaces"),
    JSON: later("JSON lists"),
    BRACES: later("braces  {a, b}"),
    WHOLE: later("none: each cell is one item"),
}
_OTHER = later("other text")
_SHOWN = 3
_CLOSED = ("identifier", "person", "undecided")
"""Roles of columns whose values have no order that matters."""


def delimiter_controls(session: Session) -> None:
    """Show a control for each column of item sets; nothing where there is none."""
    columns = [column.attribute for column in session.table.columns if isinstance(column, Items)]
    if columns:
        heading(tr("Separators of item sets"))
    for attribute in columns:
        delimiter_control(session, attribute)


def delimiter_control(session: Session, attribute: Attribute) -> None:
    """Show the choice of the separator between the items of a column, and the resulting items."""
    column, name, chosen = session.table[attribute.name], attribute.name, attribute.delimiter
    assert isinstance(column, Items)
    choices = ("", *DELIMITERS, " ", JSON, BRACES, WHOLE, _OTHER)

    def take(delimiter: str) -> None:
        sign = "||" if delimiter == _OTHER else delimiter
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_delimiters({name: sign}))

    own = chosen not in choices
    tied = linked(f"delimiter {name}", _OTHER if own else chosen, take)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        says = plain(tr("Separator of the items in {name}").format(name=name), 60)
        st.selectbox(says, choices, format_func=lambda sign: _title(sign, column), **tied)
    if own:
        with right:
            written = linked(f"delimiter {name} text", chosen, take)
            st.text_input(tr("Separator"), max_chars=8, placeholder=tr("such as ||"), **written)
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
    """Show the number of items, and the sets of the first records unless they are private."""
    empty = int((column.sizes == 0).sum())
    says = tr("{items}, {mean:.1f} per record.")
    if empty:
        says = tr("{items}, {mean:.1f} per record; records without items: {empty:,}.")
    said = [
        says.format(
            items=counted(len(column.labels), "different item"), mean=len(column.items) / records, empty=empty
        )
    ]
    if not column.attribute.is_private:
        sets = " · ".join(original_texts(column, np.arange(min(_SHOWN, records))))
        said.append(tr("First records: {sets}").format(sets=sets))
    note(" ".join(said), 400)


def order_controls(session: Session) -> None:
    """Show a control for each ordinal and each cyclic column, and a button for each suggested kind."""
    for name, kind in suggested_kinds(session.table).items():
        _offer(session, name, kind)
    columns = [
        column
        for column in session.table.columns
        if column.attribute.kind in ORDERED_KINDS and column.attribute.role not in _CLOSED
    ]
    if columns:
        heading(tr("Order of values"))
    for column in columns:
        assert isinstance(column, Numbers)
        if column.levels:
            _order(session, column)
        else:
            _period(session, column)


def _offer(session: Session, name: str, kind: str) -> None:
    """Show a kind that is not guessed because it changes how values are published."""
    says = tr(
        "The values have an order. With this kind they are published as [low, high] instead of {low, high}."
    )
    if kind == "cyclic":
        says = tr(
            "The values repeat after a full cycle. With this kind they are published as the"
            " shorter arc, such as [22, 2] across midnight."
        )
    label = tr("Make “{name}” {kind}").format(name=name[:40], kind=tr(kind))

    def take() -> None:
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_kinds({name: kind}))

    with st.container(horizontal=True, vertical_alignment="center"):
        button(label, take, icon="conversion_path", key=f"suggested {name}")
        note(says)


def _order(session: Session, column: Numbers) -> None:
    """Show the values, one a line, in an editable order; an empty field is guessed again."""
    name, cyclic = column.attribute.name, column.attribute.kind == "cyclic"

    def take(text: str) -> None:
        order = tuple(line.strip() for line in text.splitlines() if line.strip())
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_orders({name: order}))

    label = (
        tr("Values of “{name}” in cyclic order")
        if cyclic
        else tr("Values of “{name}”, from least to greatest")
    )
    tied = linked(f"order {name}", "\n".join(column.levels), take)
    st.text_area(plain(label.format(name=name), 80), **tied)
    said = tr("Kanon guessed this order. Move the lines to change it.")
    if column.attribute.order:
        said = tr("You set this order. Clear the field to let Kanon guess it.")
    unnamed = column.misfits.count if column.misfits else 0
    count = tr("Values that are not listed count as missing, currently in {count}.")
    note(f"{said} {count.format(count=counted(unnamed, 'record'))}")


def _period(session: Session, column: Numbers) -> None:
    """Show the period of the numbers; times of day always have 24 hours."""
    name, circle = column.attribute.name, column.circle
    assert circle is not None
    if circle.clock:
        note(tr("“{name}” contains times of day, which repeat after 24 hours.").format(name=name))
        return

    def take(period: float) -> None:
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_periods({name: period}))

    tied = linked(f"period {name}", circle.period, take)
    label = plain(tr("Period of “{name}”").format(name=name), 80)
    st.number_input(label, min_value=0.0, max_value=1e9, **tied)
    note(
        tr(
            "Such as 24 hours, 7 days, 12 months or 360 degrees. With 0, Kanon guesses the period from"
            " name and values."
        )
    )


def date_controls(session: Session) -> None:
    """Show a menu for each column of dates with an ambiguous order, and the question about it."""
    questions = {question.column: question.sentence for question in date_questions(session.table)}
    names = [
        column.attribute.name
        for column in session.table.columns
        if column.attribute.role not in _CLOSED
        and (column.attribute.name in questions or column.attribute.date_order or _matters(column))
    ]
    if names:
        heading(tr("Date formats"))
    for name in names:
        _date_order(session, name)
        if name in questions:
            note(questions[name])


def _matters(column: object) -> bool:
    return isinstance(column, Numbers) and column.form is not None and bool(column.form.order)


def _date_order(session: Session, name: str) -> None:
    """Show the date format of one column; the first choice is detected from the values."""
    attribute = session.table.schema[name]
    words = {"": tr("detected from the values"), **{order: tr(said) for order, said in ORDER_WORDS.items()}}

    def take(order: str) -> None:
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_date_orders({name: order}))

    tied = linked(f"date order {name}", attribute.date_order, take)
    label = plain(tr("Date format of “{name}”").format(name=name), 80)
    st.selectbox(label, list(words), format_func=words.__getitem__, **tied)
    column = session.table[name]
    if isinstance(column, Numbers) and column.form is not None and not attribute.date_order:
        note(tr("The values are read with {order}.").format(order=words[column.form.order]))

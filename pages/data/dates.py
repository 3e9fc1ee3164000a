"""In which order dates are written: found from the values, or as a person says."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.dateorders import ORDER_WORDS, date_questions
from pages.data.column_changes import SCHEMA_PROBLEM, changed
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.text import heading, note, plain

_CLOSED = ("identifier", "person", "undecided")


def date_controls(session: Session) -> None:
    """A menu for each column of dates whose order matters, with the question where its values leave it
    open."""
    asked = {question.column: question.sentence for question in date_questions(session.table)}
    names = [
        column.attribute.name
        for column in session.table.columns
        if column.attribute.role not in _CLOSED
        and (column.attribute.name in asked or column.attribute.date_order or _matters(column))
    ]
    if names:
        heading(tr("How dates are written"))
    for name in names:
        _order(session, name)
        if name in asked:
            note(asked[name])


def _matters(column: object) -> bool:
    return isinstance(column, Numbers) and column.form is not None and bool(column.form.order)


def _order(session: Session, name: str) -> None:
    """The order of one column; with the first choice its values decide."""
    attribute = session.table.schema[name]
    words = {"": tr("as the values decide"), **{order: tr(said) for order, said in ORDER_WORDS.items()}}

    def take(order: str) -> None:
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_date_orders({name: order}))

    tied = linked(f"date order {name}", attribute.date_order, take)
    label = plain(tr("Order of the dates in “{name}”").format(name=name), 80)
    st.selectbox(label, list(words), format_func=words.__getitem__, **tied)
    column = session.table[name]
    if isinstance(column, Numbers) and column.form is not None and not attribute.date_order:
        note(tr("The values are read {order}.").format(order=words[column.form.order]))

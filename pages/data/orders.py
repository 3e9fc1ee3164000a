"""The order of ordinal values, and after how much cyclic ones begin again: guessed, or as a person says."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import counted, tr
from kanon_core.table.attribute import ORDERED_KINDS
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.guesses import suggested_kinds
from pages.data.column_changes import SCHEMA_PROBLEM, changed
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import heading, note, plain

_CLOSED = ("identifier", "person", "undecided")


def order_controls(session: Session) -> None:
    """A control for each ordinal and each cyclic column; what other columns may be, with a button each."""
    for name, kind in suggested_kinds(session.table).items():
        _offer(session, name, kind)
    columns = [
        column
        for column in session.table.columns
        if column.attribute.kind in ORDERED_KINDS and column.attribute.role not in _CLOSED
    ]
    if columns:
        heading(tr("What comes before what"))
    for column in columns:
        assert isinstance(column, Numbers)
        if column.levels:
            _order(session, column)
        else:
            _period(session, column)


def _offer(session: Session, name: str, kind: str) -> None:
    """A kind that is not guessed, since it changes what is published."""
    says = tr("Its values have an order, and are then published as [low, high] in place of {low, high}.")
    if kind == "cyclic":
        says = tr(
            "Its values start again after a full cycle, and are then published the short way, as [22,"
            " 2] over midnight."
        )
    label = tr("Make “{name}” {kind}").format(name=name[:40], kind=tr(kind))

    def take() -> None:
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_kinds({name: kind}))

    with st.container(horizontal=True, vertical_alignment="center"):
        button(label, take, icon="conversion_path", key=f"suggested {name}")
        note(says)


def _order(session: Session, column: Numbers) -> None:
    """The values, one a line, which can be put in another order; emptied, it is guessed again."""
    name, cyclic = column.attribute.name, column.attribute.kind == "cyclic"

    def take(text: str) -> None:
        order = tuple(line.strip() for line in text.splitlines() if line.strip())
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_orders({name: order}))

    label = (
        tr("Values of “{name}”, once around") if cyclic else tr("Values of “{name}”, from least to greatest")
    )
    tied = linked(f"order {name}", "\n".join(column.levels), take)
    st.text_area(plain(label.format(name=name), 80), **tied)
    said = tr("The order is guessed; put the lines in your own order.")
    if column.attribute.order:
        said = tr("The order is given; empty the field to have it guessed.")
    unnamed = column.misfits.count if column.misfits else 0
    count = tr("Values that are not named count as missing: now those of {count}.")
    note(f"{said} {count.format(count=counted(unnamed, 'record'))}")


def _period(session: Session, column: Numbers) -> None:
    """After how much the numbers begin again; a time of day always after 24 hours."""
    name, circle = column.attribute.name, column.circle
    assert circle is not None
    if circle.clock:
        note(tr("“{name}” holds times of day, which start again after 24 hours.").format(name=name))
        return

    def take(period: float) -> None:
        changed(session, SCHEMA_PROBLEM, lambda: session.table.schema.with_periods({name: period}))

    tied = linked(f"period {name}", circle.period, take)
    label = plain(tr("After how much “{name}” begins again").format(name=name), 80)
    st.number_input(label, min_value=0.0, max_value=1e9, **tied)
    note(tr("Such as 24 hours, 7 days, 12 months or 360 degrees; 0 = guessed from name and values."))

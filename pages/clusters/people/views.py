"""Parts of the view People: of people, of one person, and of the values in their records."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from kanon_core.base.words import counted, later, tr, tr_each
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.groups.history_views import (
    ROWS_AT_MOST,
    HistoryView,
    many_people,
    people_figure,
    person_sentence,
)
from kanon_core.charts.table.valuebars import (
    category_figure,
    category_sentence,
    value_figure,
    values_of,
    values_sentence,
)
from kanon_core.table.columns.columns import Categories
from kanon_core.table.columns.texts import original_texts
from pages.shell.frame import theme
from pages.state.keys import Key, kept, linked
from pages.state.session import Session
from pages.widgets.beforeafter import FEW, MANY, both_sides
from pages.widgets.layout import chart
from pages.widgets.lens import look_at
from pages.widgets.pickers import UNLABELED, choice, menu
from pages.widgets.text import bold, line, note

_WANTED: Key[int | None] = Key("wanted person", None)
BARS = (20, 50)
_KINDS = {"published": later("published"), "left out": later("suppressed")}
_COUNTED = {"records": later("records"), "products": later("products")}


def _ranges() -> dict[str, str]:
    first = tr("first {count}").format(count=ROWS_AT_MOST)
    return {"all": tr("all people"), "most": first, "near": tr("around the chosen person")}


def people_view(session: Session, view: HistoryView) -> None:
    """Show all people by the length of their histories: few as rows, many as groups. A click chooses a
    person."""
    people = len(view.counts)
    chosen, few = _chosen(session, view), people <= ROWS_AT_MOST
    shown = "most" if few else choice(tr("People shown"), _ranges(), "people shown", **UNLABELED)
    if shown == "all":
        figure, says = session.picture(("people", theme()), lambda: many_people(view, theme()))
        chart(figure, "people", picked_number, partial(_take, view))
        line(says)
        note(
            tr(
                "Click a bar to choose the person in it with the largest loss. “Around the chosen person”"
                " shows that person."
            )
        )
        line(*bold(tr("Chosen: *{person}*"), person=person_sentence(view, chosen)))
        return
    place = int(view.place[chosen])
    first = 0 if shown != "near" else min(max(place - ROWS_AT_MOST // 2, 0), people - ROWS_AT_MOST)
    limits = (first, min(first + ROWS_AT_MOST, people))
    figure = session.picture(
        ("people", limits, chosen, theme()), lambda: people_figure(view, limits, chosen, theme())
    )
    chart(figure, "people", picked_number, partial(_take, view))
    gray = (
        tr("Gray parts are suppressed because they have no anonymity set.")
        if view.several
        else tr("Gray parts exceed the shortest history of the group and are suppressed.")
    )
    note(
        tr(
            "Each row is a person, and the solid part is published. Two shades separate the"
            " groups where there is room. {gray} Click a person to see the history before and"
            " after. The triangle marks the chosen person."
        ).format(gray=gray)
    )
    line(*bold(tr("Chosen: *{person}*"), person=person_sentence(view, chosen)))


def person_view(session: Session, view: HistoryView) -> None:
    """Show one person's records before and after, under the pseudonym."""
    chosen = _chosen(session, view)
    people = len(view.counts)
    number = int(view.place[chosen]) + 1
    tied = linked("person number", number, lambda chosen: _WANTED.set(int(view.order[chosen - 1])))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        says = tr("Person (1 to {people:,}), in the order of the groups").format(people=people)
        st.number_input(says, 1, people, width=300, **tied)
        which = choice(tr("Records"), tr_each(_KINDS), "records shown")
        many = st.toggle(
            tr("more records"), key=kept("many records", False), help=tr("200 records instead of 20")
        )
    line("", person_sentence(view, chosen))
    rows = view.records(chosen)
    gone = view.release.suppressed[rows]
    rows = rows[gone] if which == "left out" else rows[~gone]
    if not len(rows):
        note(tr("There are no such records."))
        return
    names = [str(name) for name in np.unique(view.release.pseudonyms[rows])]
    if len(names) > 1:
        under = menu(tr("Pseudonym"), names, f"pseudonym of {chosen}", width=300)
        rows = rows[view.release.pseudonyms[rows].astype(str) == under]
    name = original_texts(session.table[view.persons.column], rows[:1])[0]
    says = tr("Before: *{column} {name}*. After: only the pseudonym is published with these rows.")
    line(*bold(says, column=view.persons.column, name=name))
    most = MANY if many else FEW
    both_sides(session.table, view.release, rows[:most])
    if len(rows) > most:
        note(
            tr("The first {most} of {count} are shown.").format(most=most, count=counted(len(rows), "record"))
        )


def values_view(session: Session, view: HistoryView) -> None:
    """Show how many records have each product or category, and how many are published (figure 1 of the
    paper)."""
    names = [column.attribute.name for column in session.table.quasi if isinstance(column, Categories)]
    if not names:
        note(tr("No quasi-identifier is categorical, so there are no values to count."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = names[0]
        if len(names) > 1:
            name = menu(tr("Values of column"), names, f"values of {session.table.digest}")
        most = menu(tr("Maximum number"), BARS, "values at most", width=120)
        found, counted = session.table.schema[name].categories, "records"
        if found is not None:
            counted = choice(tr("Count"), tr_each(_COUNTED), "counted")
    if found is not None and counted == "products":
        figure, told = category_figure(found.sizes, theme()), category_sentence(found.sizes)
    else:
        values = session.picture(("values", name), lambda: values_of(view.release, name))
        figure = session.picture(
            ("value bars", name, most, theme()), lambda: value_figure(values, most, theme())
        )
        told = values_sentence(values)
    chart(figure, "values")
    note(told)


def _take(view: HistoryView, person: int) -> None:
    """Choose the person who was clicked, and open the lens on the first record."""
    _WANTED.set(person)
    look_at(int(view.records(person)[0]))


def _chosen(session: Session, view: HistoryView) -> int:
    """Return the chosen person: first the one with most records."""
    wanted = _WANTED.get()
    return min(max(int(view.order[0]) if wanted is None else wanted, 0), len(view.counts) - 1)

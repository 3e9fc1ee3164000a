"""What the Histories page shows of people, of one person, and of the values in their records."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.groups.people import HistoryView, people_figure, person_sentence
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
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets.beforeafter import FEW, MANY, both_sides
from pages.widgets.text import line, note
from pages.widgets.views import chart

NEAR = 60
_RANGES = {"all": "all people", "most": f"{NEAR} first", "near": "around the chosen one"}
BARS = (20, 50)


def people_view(session: Session, view: HistoryView) -> None:
    """People as rows, groups as bands; a click chooses a person."""
    people, few = len(view.counts), len(view.counts) <= NEAR
    chosen = _chosen(session, view)
    shown = "all"
    if not few:
        shown = (
            st.segmented_control(
                "People shown",
                list(_RANGES),
                format_func=_RANGES.__getitem__,
                required=True,
                key=kept("people shown", "all"),
                label_visibility="collapsed",
            )
            or "all"
        )
    place = int(view.place[chosen])
    first = 0 if shown != "near" else min(max(place - NEAR // 2, 0), people - NEAR)
    limits = (0, people) if shown == "all" else (first, min(first + NEAR, people))
    figure = session.picture(
        ("people", limits, chosen, theme()), lambda: people_figure(view, limits, chosen, theme())
    )

    def clicked() -> None:
        picked = picked_number(st.session_state["people"])
        if picked is not None:
            st.session_state["wanted person"] = picked

    chart(figure, "people", clicked)
    pale = "found nobody to hide among" if view.several else "exceeds the shortest history of the group"
    note(
        "Each row is a person, its solid part what is published; the two shades tell groups apart where"
        f" there is room. What is gray {pale}. Click a person to see the history before and after; the"
        " triangle marks the chosen one."
    )
    line("Chosen: ", person_sentence(view, chosen))


def person_view(session: Session, view: HistoryView) -> None:
    """One person's records before and after, under the pseudonym; then who else reads the same."""
    chosen = _chosen(session, view)
    people = len(view.counts)
    st.session_state["person number"] = int(view.place[chosen]) + 1

    def changed() -> None:
        st.session_state["wanted person"] = int(view.order[st.session_state["person number"] - 1])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            f"Person (1 to {people:,}), in the order of the groups",
            1,
            people,
            key="person number",
            on_change=changed,
            width=300,
        )
        which = st.segmented_control(
            "Records", ["published", "left out"], required=True, key=kept("records shown", "published")
        )
        many = st.toggle("more records", key=kept("many records", False), help="200 records instead of 20")
    line("", person_sentence(view, chosen))
    rows = view.records(chosen)
    gone = view.release.suppressed[rows]
    rows = rows[gone] if which == "left out" else rows[~gone]
    if not len(rows):
        note("There are no such records.")
        return
    names = [str(name) for name in np.unique(view.release.pseudonyms[rows])]
    if len(names) > 1:
        under = st.selectbox(
            "Under the pseudonym", names, key=kept(f"pseudonym of {chosen}", names[0], names), width=300
        )
        rows = rows[view.release.pseudonyms[rows].astype(str) == (under or names[0])]
    name = original_texts(session.table[view.persons.column], rows[:1])[0]
    line(
        "Before: ",
        f"{view.persons.column} {name}",
        ". After: only the pseudonym is published with these rows.",
    )
    both_sides(session.table, view.release, rows[: MANY if many else FEW])
    if len(rows) > (MANY if many else FEW):
        note(f"The first {MANY if many else FEW} of {len(rows):,} records.")


def values_view(session: Session, view: HistoryView) -> None:
    """How many records have each product or category, and how many of these are published (figure 1 of the
    paper)."""
    names = [column.attribute.name for column in session.table.quasi if isinstance(column, Categories)]
    if not names:
        note("No quasi-identifier is categorical, so there is nothing to count here.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = names[0]
        if len(names) > 1:
            key = kept(f"values of {session.table.digest}", name)
            name = st.selectbox("Values of column", names, key=key) or name
        most = st.selectbox("At most", BARS, key=kept("values at most", BARS[0]), width=120)
        found, counted = session.table.schema[name].categories, "records"
        if found is not None:
            counted = (
                st.segmented_control(
                    "Count", ["records", "products"], required=True, key=kept("counted", "records")
                )
                or "records"
            )
    if found is not None and counted == "products":
        figure, told = category_figure(found.sizes, theme()), category_sentence(found.sizes)
    else:
        values = session.picture(("values", name), lambda: values_of(view.release, name))
        figure = session.picture(
            ("value bars", name, most, theme()), lambda: value_figure(values, most or BARS[0], theme())
        )
        told = values_sentence(values)
    chart(figure, "values")
    note(told)


def _chosen(session: Session, view: HistoryView) -> int:
    """The person that is looked at: first the one with most records; kept as far as there are so many."""
    wanted = st.session_state.get("wanted person", int(view.order[0]))
    return min(int(np.clip(wanted, 0, None)), len(view.counts) - 1)

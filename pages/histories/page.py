"""Histories: people with many records each – whom they hide among, what is left out, and the best balance
with utility."""

from __future__ import annotations

from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.charts.groups.people import HistoryView, people_sentence
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.samples import sample
from pages.histories.attack import attack_view
from pages.histories.balance import balance_view, gain_view
from pages.histories.tables import tables_panel
from pages.histories.views import people_view, person_view, values_view
from pages.shell.frame import data_link, open_page, ready
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.session import Session, current
from pages.widgets.controls import setting_row
from pages.widgets.text import heading, line, note, plain, sentence
from pages.widgets.views import views

SAMPLE = "purchases-80000"


@st.fragment
def histories() -> None:
    """Everything that moves with the slider."""
    session = current()
    bar = st.container()
    reasons = no_persons(session.table)
    if reasons or session.setting.algorithm.unit != "people":
        with bar:
            status_bar(session, session.kept(session.setting))
        if reasons:
            no_people(session, reasons[0])
        else:
            other_algorithm(session)
        return
    setting_row(session)
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is not None:
        show(session, release)


def show(session: Session, release: kc.Release) -> None:
    """The sentence and the views; only what is looked at is drawn."""
    view = session.picture(("histories",), lambda: HistoryView.of(release))
    total = session.measured(session.setting, release, kc.PurchaseUtility).total
    safety = session.measured(session.setting, release, kc.WorstRisk).total
    sentence(
        "Everybody hides among at least ",
        f"{1 / safety:.0f} people" if safety else "nobody",
        " with the same published history. Utility, what is lost, ",
        f"{total:.3f}",
        " + safety, the risk, ",
        f"{safety:.3f}",
        " = ",
        f"{total + safety:.3f}",
        "; less is better.",
    )
    note(session.picture(("people said",), lambda: people_sentence(view)))
    content = {
        "People": partial(people_view, session, view),
        "One person": partial(person_view, session, view),
        "Products": partial(values_view, session, view),
        "Balance": partial(balance_view, session),
        "Ours and the paper's": partial(gain_view, session, release),
        "Attack": partial(attack_view, session),
    }
    views("histories view", content)


def no_people(session: Session, reason: str) -> None:
    """The table names no person: one sentence, and where to choose the column."""
    with st.container(border=True, key="no people"):
        heading("This table does not say whose its records are")
        line(
            "Purchases, visits and log entries have many records per person, and hiding each record among k"
            " is not hiding the person; choose the column that names the person to protect people by their"
            " whole histories."
        )
        note(reason)
        data_link()
        if st.button(
            plain(f"Load {sample(SAMPLE).title}"), icon=":material/receipt_long:", key="load purchases"
        ):
            load(session)


def load(session: Session) -> None:
    """Load the sample of purchases, with the algorithm for people; the whole page is drawn again, with the
    panel below."""
    session.load(kc.read_table(f"sample:{SAMPLE}"), sample(SAMPLE).title, f"sample:{SAMPLE}")
    st.rerun()


def other_algorithm(session: Session) -> None:
    """The algorithm protects records: the way to one that protects people."""
    wanted, k = kc.PurchaseHistories(), session.setting.k
    k = max(2, min(k, len(persons_of(session.table))))
    reasons = wanted.unsuitable(session.table, k)
    with st.container(border=True, key="records protected"):
        heading(f"{session.setting.algorithm.title} protects records, not people")
        line(f"{wanted.title} gives k people the same published history, record by record.")
        if reasons:
            note(f"Not for this table: {reasons[0]}")
        else:
            st.button(
                plain(f"Show {wanted.title} at k = {k}"),
                type="primary",
                icon=":material/receipt_long:",
                key="open histories",
                on_click=session.ask,
                kwargs={"algorithm": wanted, "k": k},
            )


if ready(
    open_page(
        "Histories", "Many records per person: who hides among whom, what is left out, and where k pays most."
    )
):
    histories()
    tables_panel(current())

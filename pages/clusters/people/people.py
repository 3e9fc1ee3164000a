"""People: those with many records, their anonymity sets, the suppressed records, and the cost."""

from __future__ import annotations

from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.groups.history_views import HistoryView, people_sentence
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.samples import sample
from pages.clusters.people.attack import attack_view
from pages.clusters.people.balance import balance_view, gain_view
from pages.clusters.people.views import people_view, person_view, values_view
from pages.shell.frame import data_link
from pages.shell.status import status_bar
from pages.state.session import Session, current
from pages.widgets.controls import release_below
from pages.widgets.layout import panel, views
from pages.widgets.lens import lens
from pages.widgets.pickers import button, offer
from pages.widgets.text import bold, note, sentence

SAMPLE = "purchases-80000"


@st.fragment
def people() -> None:
    """Draw everything that moves with the slider."""
    session = current()
    reasons = no_persons(session.table)
    if reasons or not session.setting.guarantee.pseudonyms:
        status_bar(session, session.kept(session.setting))
        if reasons:
            no_people(session, reasons[0])
        else:
            other_algorithm(session)
        return
    release = release_below(session)
    if release is not None:
        show(session, release)


def show(session: Session, release: kc.Release) -> None:
    """Show the sentence and the views; only the open view is drawn."""
    view = session.picture(("histories",), lambda: HistoryView.of(release))
    total = session.measured(session.setting, release, kc.PurchaseUtility).total
    safety = session.measured(session.setting, release, kc.WorstRisk).total
    many = tr("{count:.0f} people").format(count=1 / safety) if safety else tr("0 people")
    says = tr(
        "Each person hides among at least *{many}* with the same published history. Mean error of"
        " a published cell (utility in the paper) *{utility:.3f}* + worst risk (safety in the"
        " paper) *{safety:.3f}* = *{total:.3f}*. Lower is better."
    )
    sentence(*bold(says, many=many, utility=total, safety=safety, total=total + safety))
    note(session.picture(("people said",), lambda: people_sentence(view)))
    content = {
        tr("People"): partial(people_view, session, view),
        tr("One person"): partial(person_view, session, view),
        tr("Products"): partial(values_view, session, view),
        tr("Balance"): partial(balance_view, session),
        tr("Ours and the paper's"): partial(gain_view, session, release),
        tr("Attack"): partial(attack_view, session),
    }
    views("histories view", content)
    lens(session)


def no_people(session: Session, reason: str) -> None:
    """Show the way to choose the person column, for a table without one."""
    says = tr(
        "Purchases, visits and log entries have many records per person. k-anonymity of records"
        " does not protect these people. Choose the column that names the person to protect"
        " people with their whole histories."
    )
    with panel("no people", tr("This table has no column that names the person"), says):
        note(reason)
        data_link()
        says = tr("Load {title}").format(title=sample(SAMPLE).title)
        if button(says, None, icon="receipt_long", key="load purchases"):
            session.open_sample(SAMPLE)
            st.rerun()  # the whole page, with the panel below


def other_algorithm(session: Session) -> None:
    """Show the way to an algorithm that protects people, for one that protects records."""
    wanted = kc.PurchaseHistories()
    k = max(2, min(session.setting.k, len(persons_of(session.table))))
    title = tr("{title} protects records, not people").format(title=session.setting.algorithm.title)
    says = tr("{title} gives k people the same published history, record by record.").format(
        title=wanted.title
    )
    with panel("records protected", title, says):
        offer(session, wanted, k, "receipt_long", "open histories")

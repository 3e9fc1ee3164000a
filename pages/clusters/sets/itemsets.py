"""Sets: published and suppressed items, pairs, groups, and the cuts that made them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.sets.itemsets import ItemView, item_columns, loss_sentence, penalties_sentence
from kanon_core.table.columns.columns import Items
from kanon_core.table.samples import sample
from pages.clusters.sets.known import knowledge_costs, known_control
from pages.clusters.sets.steps import keep_cuts, lattice_view, log_of_cuts, steps_view
from pages.clusters.sets.views import groups_view, items_view, pairs_view
from pages.shell.frame import data_link
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.session import Session, current
from pages.widgets.beforeafter import side_by_side
from pages.widgets.controls import setting_row
from pages.widgets.layout import panel, views
from pages.widgets.lens import lens
from pages.widgets.pickers import button, menu, offer
from pages.widgets.text import note, sentence

RECEIPTS, EXAMPLE = "receipts-10000", "nine"


@st.fragment
def sets() -> None:
    """Draw everything that moves with the slider."""
    session = current()
    bar = st.container()
    columns = item_columns(session.table)
    if not columns or not session.setting.algorithm.takes_items:
        with bar:
            status_bar(session, session.kept(session.setting))
        if columns:
            other_algorithm(session)
        else:
            no_sets(session)
        return
    setting_row(session)
    known_control(session)
    name = _column(session, columns)
    log = log_of_cuts(session)
    release = release_of(session, log)
    with bar:
        status_bar(session, release)
    if release is not None:
        keep_cuts(session, log)
        show(session, release, name)


def show(session: Session, release: kc.Release, name: str) -> None:
    """Show the sentence, both penalties, and the views; only the open view is drawn."""
    view = session.picture(("sets", name), lambda: ItemView.of(session.table, release, name))
    sentence(*loss_sentence(view))
    if release.guarantee.known_items:
        note(release.guarantee.caveats(release)[0])
    note(session.picture(("penalties", name), lambda: penalties_sentence(view)))
    content: dict[str, Callable[[], None]] = {
        tr("Items"): partial(items_view, session, view),
        tr("Before and after"): partial(side_by_side, session, release),
        tr("Groups"): partial(groups_view, session, view),
        tr("Pairs"): partial(pairs_view, session, view),
        tr("Step by step"): partial(steps_view, session, view),
        tr("Lattice"): partial(lattice_view, session, view),
    }
    if release.guarantee.known_items:
        content |= {tr("Step by step"): no_steps, tr("Lattice"): no_steps}
    views("sets view", content)
    knowledge_costs(session)
    lens(session)


def no_steps() -> None:
    """Show why there are no steps."""
    note(
        tr(
            "If an attacker knows only a few items, groups are cut by single values only, and"
            " items are suppressed in single records. There are no steps or pivots to show. To"
            " see them, choose that an attacker may know all items."
        )
    )


def _column(session: Session, columns: tuple[Items, ...]) -> str:
    """Return the column of item sets, chosen where there are several."""
    names = [column.attribute.name for column in columns]
    if len(names) == 1:
        return names[0]
    return menu(tr("Item sets of column"), names, f"column of sets {session.table.digest}", width=420)


def other_algorithm(session: Session) -> None:
    """Show the way to an algorithm that takes item sets."""
    wanted = kc.TopDown()
    says = tr(
        "{title} can group item sets. It discloses a set item by item while at least k records"
        " share the published items, and treats single values in the same way."
    ).format(title=wanted.title)
    title = tr("{title} cannot group item sets").format(title=session.setting.algorithm.title)
    with panel("no sets taken", title, says):
        offer(session, wanted, session.setting.k, "shopping_basket", "open top-down")


def no_sets(session: Session) -> None:
    """Show the purpose of the page and samples with item sets."""
    idle = [c.attribute.name for c in session.table.columns if isinstance(c, Items)]
    says = tr(
        "Receipts, baskets and visit histories have a set of items for each record. This page"
        " shows which items can be published, which are suppressed so that every record hides"
        " among at least k, and how the groups are formed."
    )
    with panel("no sets", tr("No quasi-identifier of this table contains item sets"), says):
        if idle:
            note(
                tr(
                    "Column {column} contains item sets. Give it the role quasi-identifier to see it here."
                ).format(column=idle[0])
            )
            data_link()
        with st.container(horizontal=True):
            title = tr("Load {title}").format(title=sample(RECEIPTS).title)
            if button(title, None, icon="receipt_long", primary=True, key="load receipts"):
                load(session, RECEIPTS, 10)
            title = tr("Load {title}").format(title=sample(EXAMPLE).title)
            about = tr("the worked example of the paper, small enough to follow every cut by hand")
            if button(title, None, icon="school", key="load example", help=about):
                load(session, EXAMPLE, 2)


def load(session: Session, name: str, k: int) -> None:
    """Load a sample of item sets with an algorithm that takes them, and draw the whole page again."""
    session.open_sample(name)
    session.ask(algorithm=kc.TopDown(), k=k)
    st.rerun()

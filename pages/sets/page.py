"""Sets: what item sets publish and what they lose – items, pairs, groups, and the cuts that made them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.charts.sets.itemsets import ItemView, item_columns, loss_sentence, penalties_sentence
from kanon_core.table.columns.columns import Items
from kanon_core.table.samples import sample
from pages.sets.known import knowledge_costs, known_control
from pages.sets.steps import keep_cuts, lattice_view, log_of_cuts, steps_view
from pages.sets.views import groups_view, items_view, pairs_view
from pages.shell.frame import data_link, open_page, ready
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.kept import kept
from pages.state.session import Session, current
from pages.widgets.beforeafter import side_by_side
from pages.widgets.controls import setting_row
from pages.widgets.setfigures import figures_panel
from pages.widgets.text import heading, line, note, plain, sentence
from pages.widgets.views import views

RECEIPTS, EXAMPLE = "receipts-10000", "nine"


@st.fragment
def sets() -> None:
    """Everything that moves with the slider."""
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
    """The sentence, both penalties, and the views; only what is looked at is drawn."""
    view = session.picture(("sets", name), lambda: ItemView.of(session.table, release, name))
    sentence(*loss_sentence(view))
    if release.known_items:
        note(release.guarantee.caveats(release)[0])
    note(session.picture(("penalties", name), lambda: penalties_sentence(view)))
    content: dict[str, Callable[[], None]] = {
        "Items": partial(items_view, session, view),
        "Before and after": partial(side_by_side, session, release),
        "Groups": partial(groups_view, session, view),
        "Pairs": partial(pairs_view, session, view),
        "Step by step": partial(steps_view, session, view),
        "Lattice": partial(lattice_view, session, view),
    }
    if release.known_items:
        content |= {"Step by step": no_steps, "Lattice": no_steps}
    views("sets view", content)
    knowledge_costs(session)


def no_steps() -> None:
    """Why there is nothing to follow."""
    note(
        "Where few items are known, groups are cut by single values alone and items are left out of single"
        " records, so that there are no steps and no pivots to follow. They are shown when somebody may know"
        " all items."
    )


def _column(session: Session, columns: tuple[Items, ...]) -> str:
    """The column that is looked at; a choice where there are several."""
    names = [column.attribute.name for column in columns]
    if len(names) == 1:
        return names[0]
    chosen = st.selectbox(
        "Item sets of column", names, key=kept(f"column of sets {session.table.digest}", names[0]), width=420
    )
    return chosen or names[0]


def other_algorithm(session: Session) -> None:
    """The algorithm takes no item sets: what the page is for, and the way to one that does."""
    algorithm, k = session.setting.algorithm, session.setting.k
    wanted = kc.TopDown()
    reasons = wanted.unsuitable(session.table, k)
    with st.container(border=True, key="no sets taken"):
        heading(f"{algorithm.title} cannot group item sets")
        line(
            f"{wanted.title} can: it discloses a set item by item, as far as at least k records share what is"
            " published, and treats single values beside it alike."
        )
        if reasons:
            note(f"Not for this table: {reasons[0]}")
        else:
            st.button(
                plain(f"Show {wanted.title} at k = {k}"),
                type="primary",
                icon=":material/shopping_basket:",
                key="open top-down",
                on_click=session.ask,
                kwargs={"algorithm": wanted},
            )


def no_sets(session: Session) -> None:
    """The table has no item sets to show: what the page is for, and samples that have."""
    idle = [c.attribute.name for c in session.table.columns if isinstance(c, Items)]
    with st.container(border=True, key="no sets"):
        heading("No quasi-identifier of this table holds item sets")
        line(
            "Receipts, baskets and visit histories hold a set of items for each record. This page shows which"
            " items of such sets can be published, which are suppressed so that everybody hides among at"
            " least k, and how the groups came about."
        )
        if idle:
            note(f"Column {idle[0]} holds item sets; give it the role of a quasi-identifier to see it here.")
            data_link()
        with st.container(horizontal=True):
            if st.button(
                plain(f"Load {sample(RECEIPTS).title}"),
                type="primary",
                icon=":material/receipt_long:",
                key="load receipts",
            ):
                load(session, RECEIPTS, 10)
            if st.button(
                plain(f"Load {sample(EXAMPLE).title}"),
                icon=":material/school:",
                key="load example",
                help="the worked example of the paper, small enough to follow every cut by hand",
            ):
                load(session, EXAMPLE, 2)


def load(session: Session, name: str, k: int) -> None:
    """Load a sample of item sets, with an algorithm that takes them; the whole page is drawn again, with the
    panel below."""
    session.load(kc.read_table(f"sample:{name}"), sample(name).title, f"sample:{name}")
    session.ask(algorithm=kc.TopDown(), k=k)
    st.rerun()


if ready(open_page("Sets", "Receipts, baskets, histories: which items stay visible, and which must go.")):
    sets()
    figures_panel(current())

"""Concealment: who could be whom when the sets overlap – the matchings as a graph and on the plane, and what
they cost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

import kanon_core as kc
from kanon_core.charts.canvas.theme import number_text, picked_number
from kanon_core.charts.concealment.bipartite import WHOLE_AT_MOST, bipartite_figure, matching_name
from kanon_core.charts.concealment.cycles import cycle_figure, own_cycles_sentence
from kanon_core.charts.concealment.distances import histogram_figure, measured_by
from kanon_core.charts.concealment.heatmap import ORDERS, heat_figure
from kanon_core.charts.concealment.matches import behind_sentence, everybody_sentence
from kanon_core.release.release import known_items
from pages.concealment.hiding import hiding_table
from pages.concealment.optimum import cost_cards, optimum
from pages.shell.frame import open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.kept import kept
from pages.state.session import Session, current
from pages.widgets.axes import plane_axes
from pages.widgets.cards import Card, cards
from pages.widgets.controls import setting_row
from pages.widgets.overlapping import record_key
from pages.widgets.reproduce import reproduce_panel
from pages.widgets.text import heading, line, note, plain, sentence
from pages.widgets.views import chart, views

if TYPE_CHECKING:
    import plotly.graph_objects as go

SHOWN_AT_MOST = 8


@st.fragment
def concealment() -> None:
    """Everything that moves with the slider."""
    session = current()
    bar = st.container()
    setting_row(session)
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if not isinstance(release.cover, kc.Concealment):
        closed(session)
        return
    costs(session, release)
    record = _picked(session)
    field, beside = st.columns([1, 3], gap="medium")
    with field:
        pick(session, record)
    with beside:
        sentence(*session.picture(("reading", record), lambda: reading_of(release, record)))
    content = {
        "Who could be whom": graph,
        "Cycles": cycles,
        "Distances": distances,
        "All records": hiding_table,
    }
    views(
        "concealment view",
        {title: partial(draw, session, release, record) for title, draw in content.items()},
    )


def reading_of(release: kc.Release, record: int | None) -> tuple[str, ...]:
    """The sentence about the picked record, or about everybody."""
    return everybody_sentence(release) if record is None else behind_sentence(release, record)


def closed(session: Session) -> None:
    """What the page is for, and a way there, when the algorithm makes closed groups."""
    algorithm, k = session.setting.algorithm, session.setting.k
    word = measured_by(algorithm)
    candidates = (kc.OptimalConcealment(distance=word), kc.Tours(distance=word), kc.OptimalConcealment())
    other = next((one for one in candidates if not one.unsuitable(session.table, k)), None)
    with st.container(border=True, key="closed groups"):
        heading("Here the groups are closed")
        closely = "everybody hides behind everybody else and nobody outside"
        if known_items(algorithm, session.table):
            closely = (
                "records publish the same single values, each with items of its own, and nobody hides behind"
                " a record outside"
            )
        line(
            f"{algorithm.title} forms groups in which {closely}. Under k-concealment each record hides behind"
            " k of its own, so the sets overlap, and the least cost is never above that of groups."
        )
        note(
            "This page shows those sets: who could be whom, along which cycles, how near one another, and at"
            " what cost."
        )
        if other is None:
            note(f"Not for this table: {candidates[-1].unsuitable(session.table, k)[0]}")
        else:
            st.button(
                plain(f"Show {other.title} at k = {k}"),
                type="primary",
                icon=":material/compare_arrows:",
                key="open sets",
                on_click=session.ask,
                kwargs={"algorithm": other},
            )


def _picked(session: Session) -> int | None:
    """The picked record; of few records, whose whole graph is drawn, there need be none."""
    found = st.session_state.get(record_key(session))
    return 0 if found is None and len(session.table) > WHOLE_AT_MOST else found


def _pick(session: Session, record: int | None) -> None:
    if record is None:
        st.session_state.pop(record_key(session), None)
    else:
        st.session_state[record_key(session)] = record


def pick(session: Session, record: int | None) -> None:
    """A field for the number of a record; empty: all of them, where they are few."""
    st.session_state["record to follow"] = None if record is None else record + 1

    def chosen() -> None:
        number = st.session_state["record to follow"]
        _pick(session, None if number is None else number - 1)

    n = len(session.table)
    st.number_input(
        f"Record to follow (1 to {n:,})",
        1,
        n,
        None,
        key="record to follow",
        on_change=chosen,
        placeholder="all",
        help="its number, or click it in a picture",
    )


def costs(session: Session, release: kc.Release) -> None:
    """Cost, the certified optimum and the gap to it, fewest and most matches, dead ends."""
    place = st.container()
    least = optimum(session, release)
    matches = release.consistency().matches
    fewest, most, k = int(matches.min()), int(matches.max()), release.recipe.k
    shown = [
        *cost_cards(release, least),
        Card(
            "Fewest matches",
            f"{fewest:,}",
            f"published rows that can be the record's own; k = {k} asked",
            f"most: {most:,}",
        ),
    ]
    if "dead ends" in release.report:
        count = release.report["dead ends"]
        shown.append(
            Card("Dead ends", number_text(count), "draws that could not be finished and were repaired")
        )
    with place:
        cards(shown)


def graph(session: Session, release: kc.Release, record: int | None) -> None:
    """The bipartite graph, whole or around the picked record."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = _matchings(release, 0)
        further = st.toggle(
            "What fits beyond the design",
            key=kept("further", True),
            help="published rows whose cells are true of a record although no matching leads there",
        )
    figure = session.picture(
        ("graph", shown, record, further, theme()),
        lambda: bipartite_figure(session.table, release, shown, record, further, theme()),
    )
    _clickable(session, figure, "graph")


def cycles(session: Session, release: kc.Release, record: int | None) -> None:
    """The matchings where the records lie, and the picked record's way round."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(horizontal=True, vertical_alignment="bottom"):
        x, y = plane_axes(session)
    with right:
        shown = _matchings(release, 1)
    figure = session.picture(
        ("cycles", x, y, shown, record, theme()),
        lambda: cycle_figure(session.table, release, shown, record, x, y, theme()),
    )
    _clickable(session, figure, "cycles")
    if record is not None:
        note(session.picture(("ways", shown, record), lambda: own_cycles_sentence(release, shown, record)))


def distances(session: Session, release: kc.Release, record: int | None) -> None:
    """All distances at a glance, and how near the partners are among them."""
    left, right = st.columns(2, gap="large")
    with left:
        order = st.segmented_control(
            "Order of the records",
            list(ORDERS),
            format_func=ORDERS.__getitem__,
            required=True,
            key=kept("matrix order", "similar"),
        )
        shown = tuple(range(min(release.recipe.k, SHOWN_AT_MOST)))
        figure = session.picture(
            ("matrix", order, theme()),
            lambda: heat_figure(session.table, release, shown, order or "similar", theme()),
        )
        _chart(figure, "matrix")
    with right:
        figure = session.picture(
            ("histogram", theme()), lambda: histogram_figure(session.table, release, theme())
        )
        _chart(figure, "histogram")


def _matchings(release: kc.Release, first: int) -> tuple[int, ...]:
    """Which matchings are drawn; what was chosen stays chosen when k changes, as far as there are so many."""
    wanted, k = f"wanted matchings from {first}", release.recipe.k
    chosen = st.session_state.setdefault(wanted, list(range(first, 6)) if first == 0 else [1])
    key = f"matchings from {first}"
    st.session_state[key] = [number for number in chosen if number < k]

    def changed() -> None:
        beyond = [number for number in st.session_state[wanted] if number >= k]
        st.session_state[wanted] = [*st.session_state[key], *beyond]

    shown = st.multiselect(
        "Matchings drawn",
        list(range(first, k)),
        format_func=matching_name,
        key=key,
        on_change=changed,
        max_selections=SHOWN_AT_MOST,
    )
    return tuple(sorted(shown))


def _chart(figure: go.Figure, key: str) -> None:
    chart(figure, key)
    note(figure.layout.meta["alt"])


def _clickable(session: Session, figure: go.Figure, key: str) -> None:
    """A chart in which a click on a record picks it."""

    def clicked() -> None:
        found = picked_number(st.session_state[key])
        if found is not None:
            _pick(session, found)

    chart(figure, key, clicked)
    note(figure.layout.meta["alt"])


if ready(
    open_page(
        "Concealment",
        "Every record hides behind k records of its own, itself among them: who could be whom, and what it"
        " costs.",
    )
):
    concealment()
    reproduce_panel(current())

"""Matchings: possible matches of overlapping sets, as a graph, on the plane, and with their cost."""

from __future__ import annotations

from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import number_text, tr, tr_each
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.concealment.bipartite import WHOLE_AT_MOST, bipartite_figure, matching_name
from kanon_core.charts.concealment.cycles import cycle_figure, own_cycles_sentence
from kanon_core.charts.concealment.heatmap import ORDERS, heat_figure
from kanon_core.charts.concealment.matches import behind_sentence, everybody_sentence, planned
from kanon_core.charts.table.distances import histogram_figure, measured_by
from pages.clusters.matchings.hiding import hiding_table
from pages.clusters.matchings.optimum import cost_cards, optimum
from pages.shell.frame import theme
from pages.state.keys import Key, kept, linked
from pages.state.session import Session, current
from pages.widgets.controls import release_below
from pages.widgets.layout import chart, panel, views
from pages.widgets.lens import lens
from pages.widgets.overlapping import PICKED, take_record
from pages.widgets.pickers import choice, offer, plane_axes
from pages.widgets.tables import Card, cards
from pages.widgets.text import note, sentence

_WANTED: Key[list[int] | None] = Key("wanted matchings from", None)
SHOWN_AT_MOST = 8


@st.fragment
def matchings() -> None:
    """Draw everything that moves with the slider."""
    session = current()
    release = release_below(session)
    if release is None:
        return
    if release.guarantee.disjoint:
        closed(session)
        return
    costs(session, release)
    record, plan = _picked(session), planned(release)
    field, beside = st.columns([1, 3], gap="medium")
    with field:
        pick(session, record)
    with beside:
        sentence(*session.picture(("reading", record), lambda: reading_of(plan, record)))
    note(
        tr(
            "Each row has the number of the record for which it was made. An attacker who knows"
            " all quasi-identifiers and the program can compute this number. Which of the {k}"
            " rows carries the other columns of a record was drawn with the seed, which nobody"
            " else knows. This page does not show the draw."
        ).format(k=release.recipe.k)
    )
    content = {
        tr("Possible matches"): graph,
        tr("Cycles"): cycles,
        tr("Distances"): distances,
        tr("All records"): hiding_table,
    }
    views(
        "concealment view",
        {title: partial(draw, session, plan, record) for title, draw in content.items()},
    )
    lens(session)


def reading_of(release: kc.Release, record: int | None) -> tuple[str, ...]:
    """Return the sentence about the picked record, or about all records."""
    return everybody_sentence(release) if record is None else behind_sentence(release, record)


def closed(session: Session) -> None:
    """Show the purpose of the page and a way to it, for an algorithm with disjoint groups."""
    algorithm, k = session.setting.algorithm, session.setting.k
    word = measured_by(algorithm)
    candidates = (kc.OptimalConcealment(distance=word), kc.Tours(distance=word), kc.OptimalConcealment())
    other = next((one for one in candidates if not one.unsuitable(session.table, k)), None)
    closely = tr("each record hides among the records of its group and no others")
    if algorithm.guarantee(k).known_items:
        closely = tr(
            "records publish the same single values and their own items, and hide among no records"
            " outside their group"
        )
    says = tr(
        "{title} forms groups in which {closely}. Under k-concealment, each record has its own k"
        " matches, so the sets overlap. The lowest matching cost is never above that of groups;"
        " the information loss can be higher."
    ).format(title=algorithm.title, closely=closely)
    with panel("closed groups", tr("The groups of this algorithm do not overlap"), says):
        note(tr("For overlapping sets, this page shows possible matches, cycles, distances and cost."))
        offer(session, other or candidates[-1], k, "compare_arrows", "open sets")


def _picked(session: Session) -> int | None:
    """Return the picked record; None is possible where there are few records, whose whole graph is drawn."""
    found = PICKED.of(session.table.digest).get()
    return 0 if found is None and len(session.table) > WHOLE_AT_MOST else found


def pick(session: Session, record: int | None) -> None:
    """Show a field for the number of a record; empty for all records, where they are few."""
    n, picked = len(session.table), PICKED.of(session.table.digest)

    def take(number: int | None) -> None:
        picked.set(None if number is None else number - 1)

    tied = linked("record to follow", None if record is None else record + 1, take)
    says, about = (
        tr("Record to follow (1 to {n})").format(n=n),
        tr("type a record number, or click a record in a picture"),
    )
    st.number_input(says, 1, n, None, placeholder=tr("all"), help=about, **tied)


def costs(session: Session, release: kc.Release) -> None:
    """Show cost, certified optimum and gap, fewest and most matches, and dead ends."""
    place = st.container()
    least = optimum(session, release)
    matches = release.consistency().matches
    fewest, most, k = int(matches.min()), int(matches.max()), release.recipe.k
    about = tr("published rows that can belong to a record; k = {k} requested").format(k=k)
    shown = [
        *cost_cards(release, least),
        Card(tr("Fewest matches"), f"{fewest:,}", about, tr("most: {most:,}").format(most=most)),
    ]
    if "dead ends" in release.report:
        count, about = release.report["dead ends"], tr("draws that could not be completed and were repaired")
        shown.append(Card(tr("Dead ends"), number_text(count), about))
    with place:
        cards(shown)


def graph(session: Session, release: kc.Release, record: int | None) -> None:
    """Show the bipartite graph, whole or around the picked record."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = _matchings(release, 0)
        about = tr(
            "Published rows whose cells are consistent with a record, although no matching connects them."
        )
        further = st.toggle(tr("Further consistent rows"), key=kept("further", True), help=about)
    figure = session.picture(
        ("graph", shown, record, further, theme()),
        lambda: bipartite_figure(session.table, release, shown, record, further, theme()),
    )
    note(chart(figure, "graph", picked_number, partial(take_record, session)))


def cycles(session: Session, release: kc.Release, record: int | None) -> None:
    """Show the matchings on the plane and the cycles of the picked record."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(horizontal=True, vertical_alignment="bottom"):
        x, y = plane_axes(session)
    with right:
        shown = _matchings(release, 1)
    figure = session.picture(
        ("cycles", x, y, shown, record, theme()),
        lambda: cycle_figure(session.table, release, shown, record, x, y, theme()),
    )
    note(chart(figure, "cycles", picked_number, partial(take_record, session)))
    if record is not None:
        note(session.picture(("ways", shown, record), lambda: own_cycles_sentence(release, shown, record)))


def distances(session: Session, release: kc.Release, record: int | None) -> None:
    """Show all distances and how near the matched records are."""
    left, right = st.columns(2, gap="large")
    with left:
        order = choice(tr("Order of the records"), tr_each(ORDERS), "matrix order", "similar")
        shown = tuple(range(min(release.recipe.k, SHOWN_AT_MOST)))
        figure = session.picture(
            ("matrix", order, theme()), lambda: heat_figure(session.table, release, shown, order, theme())
        )
        note(chart(figure, "matrix"))
    with right:
        figure = session.picture(
            ("histogram", theme()), lambda: histogram_figure(session.table, release, theme())
        )
        note(chart(figure, "histogram"))


def _matchings(release: kc.Release, first: int) -> tuple[int, ...]:
    """Return which matchings are drawn; what was chosen stays chosen when k changes, as far as there are so
    many."""
    wanted, k = _WANTED.of(first), release.recipe.k
    found = wanted.get()
    chosen = (list(range(6)) if first == 0 else [1]) if found is None else found

    def take(numbers: list[int]) -> None:
        wanted.set([*numbers, *(number for number in chosen if number >= k)])

    tied = linked(f"matchings from {first}", [number for number in chosen if number < k], take)
    among = list(range(first, k))
    shown = st.multiselect(
        tr("Matchings drawn"), among, format_func=matching_name, max_selections=SHOWN_AT_MOST, **tied
    )
    return tuple(sorted(shown))

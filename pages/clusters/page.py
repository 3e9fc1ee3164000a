"""Clusters: the groups in two dimensions, their sizes, and one group's records before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

import kanon_core as kc
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.groups.clusters import OUTLINES, cluster_figure
from kanon_core.charts.groups.numberline import numberline_figure
from kanon_core.charts.groups.sizes import hidden_figure, hidden_sentence, size_sentence
from pages.clusters.bars import size_bars
from pages.shell.frame import open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.kept import kept
from pages.state.session import Session, current
from pages.widgets.axes import plane_axes
from pages.widgets.beforeafter import FEW, both_sides
from pages.widgets.controls import setting_row
from pages.widgets.overlapping import overlapping
from pages.widgets.text import note
from pages.widgets.views import chart, views

if TYPE_CHECKING:
    import plotly.graph_objects as go


@st.fragment
def clusters() -> None:
    """Everything that moves with the slider."""
    session = current()
    bar = st.container()
    setting_row(session)
    axes = choose_axes(session)
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if not isinstance(release.cover, kc.Partition):
        overlapping(session, release, axes)
        return
    draw(session, release, *axes)
    left, right = st.columns(2, gap="large")
    with left:
        sizes(release)
    with right:
        group(session, release)


def choose_axes(session: Session) -> tuple[str | None, str | None, str]:
    """The two attributes to draw (None: a projection of all) and the outlines."""
    if len(session.table.quasi) == 1:
        return None, None, "none"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        axes = plane_axes(session)
        outlines = st.segmented_control(
            "Outlines",
            list(OUTLINES),
            format_func=OUTLINES.__getitem__,
            required=True,
            key=kept("outlines", "rectangles"),
        )
    return *axes, outlines or "none"


def draw(session: Session, release: kc.Release, x: str | None, y: str | None, outlines: str) -> None:
    """The groups as a picture; a click on a group chooses it."""
    figure = _picture(session, release, x, y, outlines)

    def clicked() -> None:
        picked = picked_number(st.session_state["clusters"])
        session.group = session.group if picked is None else picked

    chart(figure, "clusters", clicked)
    note(figure.layout.meta["alt"])


def _picture(session: Session, release: kc.Release, x: str | None, y: str | None, outlines: str) -> go.Figure:
    """The figure, kept for when the slider comes back."""
    quasi, table, look = session.table.schema.quasi_identifiers, session.table, theme()

    def make() -> go.Figure:
        if len(quasi) == 1 and quasi[0].is_numeric:
            return numberline_figure(table, release, quasi[0].name, session.group, look)
        return cluster_figure(table, release, x, y, outlines, session.group, look)

    return session.picture((x, y, outlines, session.group, look), make)


def sizes(release: kc.Release) -> None:
    """How large the groups are, and how many records hide among how many."""
    title = "#### Groups of people" if release.protects_people else "#### Sizes of the groups"
    title = "#### Records that publish the same" if release.known_items else title
    st.markdown(title)
    unit = release.recipe.algorithm.unit

    def groups() -> None:
        size_bars(release)
        what = "Different rows by the number of records that publish them"
        note(
            f"{what if release.known_items else f'Groups by their number of {unit}'}."
            f" {size_sentence(release)}"
        )

    def records() -> None:
        chart(hidden_figure(release, theme()), "sizes")
        note(hidden_sentence(release))

    views(
        "sizes of",
        {f"How many {'rows' if release.known_items else 'groups'}": groups, f"How many {unit}": records},
    )


def group(session: Session, release: kc.Release) -> None:
    """One group's records before and after."""
    st.markdown("#### One group of records" if release.protects_people else "#### One group")
    count = len(release.cover.sizes)
    if not count:
        st.info("Nothing is published, so there is no group.", icon=":material/info:")
        return
    session.group = min(session.group or 0, count - 1)
    st.session_state["group number"] = session.group + 1

    def chosen() -> None:
        session.group = st.session_state["group number"] - 1

    st.number_input(
        f"Group (1 to {count:,}); click one in the picture, or type its number",
        1,
        count,
        key="group number",
        on_change=chosen,
    )
    members = release.cover.members(session.group)
    if release.protects_people:
        note(
            f"{len(members):,} records, one of each of {len(members):,} people, are published alike here."
            " People hide by the whole of their histories, all rows together: see the Histories page."
        )
    elif release.known_items:
        note(
            f"{len(members):,} records publish the same single values here, each with items of its own. They"
            f" hide among one another from whoever knows no item; whoever knows up to {release.known_items}"
            f" finds at least {release.recipe.k} records, or none."
        )
    else:
        note(f"{len(members):,} records hide among one another here.")
    both_sides(session.table, release, members[:FEW])
    if len(members) > FEW:
        note(f"The first {FEW} of them.")


if ready(
    open_page(
        "Clusters",
        "Who hides behind whom: each mark is a record, each outline a group of records.",
    )
):
    clusters()

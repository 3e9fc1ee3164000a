"""Groups: the groups in two dimensions, their sizes, and one group's records before and after."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr, tr_each
from kanon_core.charts.canvas.theme import picked
from kanon_core.charts.groups.alike import Groups
from kanon_core.charts.groups.clusters import OUTLINES, cluster_figure
from kanon_core.charts.groups.numberline import numberline_figure
from kanon_core.charts.groups.sizes import Bins, hidden_figure, hidden_sentence, size_bins, size_sentence
from pages.clusters.one import one_group
from pages.shell.frame import theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.session import Session, current
from pages.widgets.columnlosses import column_losses
from pages.widgets.controls import setting_row
from pages.widgets.layout import chart, views
from pages.widgets.lens import lens, look_at
from pages.widgets.overlapping import overlapping
from pages.widgets.pickers import choice, plane_axes
from pages.widgets.text import heading, note

if TYPE_CHECKING:
    import plotly.graph_objects as go


_LABELS = 8
_COUNTED = 14


@st.fragment
def groups() -> None:
    """Draw everything that moves with the slider."""
    session = current()
    bar = st.container()
    setting_row(session)
    axes = choose_axes(session)
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if not release.guarantee.disjoint:
        overlapping(session, release, axes)
    else:
        seen, lost = st.columns([2, 1], gap="large")
        with seen:
            draw(session, release, *axes)
        with lost:
            column_losses(session, release)
        left, right = st.columns(2, gap="large")
        with left:
            sizes(release)
        with right:
            one_group(session, release)
    lens(session)


def choose_axes(session: Session) -> tuple[str | None, str | None, str]:
    """Return the two attributes to draw (None: a projection of all) and the outlines."""
    if len(session.table.quasi) == 1:
        return None, None, "none"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return *plane_axes(session), choice(tr("Outlines"), tr_each(OUTLINES), "outlines", "rectangles")


def draw(session: Session, release: kc.Release, x: str | None, y: str | None, outlines: str) -> None:
    """Show the groups; a click on a record chooses its group and opens the lens on it. Where a table is too
    large for points, a click chooses a group, and its first record."""
    quasi, table, look = session.table.schema.quasi_identifiers, session.table, theme()

    def make() -> go.Figure:
        if len(quasi) == 1 and quasi[0].is_numeric:
            return numberline_figure(table, release, quasi[0].name, session.group, look)
        return cluster_figure(table, release, x, y, outlines, session.group, look)

    figure = session.picture((x, y, outlines, session.group, look), make)

    def take(facts: tuple[int, ...]) -> None:
        group, record = facts[0] - 1, facts[2] - 1 if len(facts) > 2 else None
        if group >= 0:
            session.choose_group(group)
        look_at(int(Groups.shown(release).members(group)[0]) if record is None else record)

    note(chart(figure, "clusters", lambda event: picked(event) or None, take))


def sizes(release: kc.Release) -> None:
    """Show the sizes of the groups and of the records' anonymity sets."""
    held = release.guarantee
    heading(held.groups_title)

    def by_groups() -> None:
        size_bars(release)
        note(
            tr("{groups} by number of {unit}. {sizes}").format(
                groups=held.groups.capitalize(), unit=tr(held.unit), sizes=size_sentence(release)
            )
        )

    def records() -> None:
        chart(hidden_figure(release, theme()), "sizes")
        note(hidden_sentence(release))

    views(
        "sizes of",
        {
            tr("Number of {groups}").format(groups=held.groups): by_groups,
            tr("Number of {unit}").format(unit=tr(held.unit)): records,
        },
    )


def size_bars(release: kc.Release) -> None:
    """Show the number of groups of each size; sizes of 2k and more, which could be split, are paler."""
    bins = size_bins(release.hiding_sizes, release.recipe.k)
    if len(bins.low):
        alt = escape(size_sentence(release))
        st.html(f'<div class="bars" role="img" aria-label="{alt}">{"".join(_bars(bins, release))}</div>')


def _bars(bins: Bins, release: kc.Release) -> Iterator[str]:
    held = release.guarantee
    most, every = max(int(bins.groups.max()), 1), -(-len(bins.low) // _LABELS)
    facts = zip(bins.labels, bins.low.tolist(), bins.groups.tolist(), strict=True)
    for i, (label, low, count) in enumerate(facts):
        pale = " pale" if low >= 2 * release.recipe.k and not held.known_items else ""
        said = f"<b>{count:,}</b>" if count and len(bins.low) <= _COUNTED else ""
        short = f"{low:,}+" if bins.open_end and i == len(bins.low) - 1 else label
        name = short if i % every == 0 else ""
        title = escape(f"{label} {tr(held.unit)}: {count:,} {held.groups}")
        bar = f'<i class="bar{pale}" style="height:{100 * count / most:.2f}%"></i>'
        yield f'<div title="{title}"><div class="room">{said}{bar}</div><span>{name}</span></div>'

"""Picture beside the slider: the most suitable one for the table, and others one click away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from kanon_core.charts.concealment.bipartite import WHOLE_AT_MOST, bipartite_figure
from kanon_core.charts.concealment.matches import everybody_sentence, planned
from kanon_core.charts.concealment.overlapping import set_figure
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.groups.clusters import cluster_figure, cluster_sentence
from kanon_core.charts.groups.history_views import HistoryView, many_people
from kanon_core.charts.loss.column_scores import attribute_figure, attribute_sentence
from kanon_core.charts.maps.boxes import places_of
from kanon_core.charts.maps.facts import Placed
from kanon_core.charts.sets.itemsets import ItemView, item_columns
from kanon_core.charts.table.valuebars import item_figure, items_sentence, ranked_items
from kanon_core.metrics import NCP
from pages.shell.frame import link_to, theme
from pages.state.comparisons import leading
from pages.state.session import Session
from pages.widgets.layout import drawn
from pages.widgets.lens import look_at
from pages.widgets.mapview import POINTS_AT_MOST, MapPlacement, map_view
from pages.widgets.pickers import UNLABELED, choice, first_axes
from pages.widgets.text import note

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 300
_ITEMS = 12
_ANOTHER = later(
    "It measures how wide the published cells are; the information loss measures how much of the differences"
    " between records is lost."
)
_MATCHINGS = 6
Drawn = tuple["go.Figure | Placed", str]


@dataclass(frozen=True)
class Picture:
    """A way to see a release: its title, the page that has more of it, whether it fits, and the figure with
    its sentence."""

    title: str
    page: str
    fits: Callable[[Session, kc.Release], bool]
    draw: Callable[[Session, kc.Release], Drawn]


def picture(session: Session, release: kc.Release) -> None:
    """Show the first picture that fits, or the chosen one, with its sentence and a link to its page."""
    fitting = {name: one for name, one in PICTURES.items() if one.fits(session, release)}
    titles = {name: tr(one.title) for name, one in fitting.items()}
    with st.container(horizontal=True, vertical_alignment="center", key="picture-choice"):
        chosen = fitting[choice(tr("Picture"), titles, "picture", **UNLABELED)]
        link_to(chosen.page, tr("Larger"), ":material/open_in_full:")
    made, says = session.picture(("tile", chosen.title, theme()), lambda: _made(chosen, session, release))
    if isinstance(made, Placed):
        look = {"controls": False, "points": len(session.table) <= POINTS_AT_MOST}
        shown = MapPlacement("tile", f"{HEIGHT}px", look=look, still=True)
        placed = made
        map_view(session, release, made.boxes, shown, lambda at: look_at(int(placed.published_with(at)[0])))
    else:
        drawn(made, "tile-picture", grows=True)
    note(says)


def _made(chosen: Picture, session: Session, release: kc.Release) -> tuple[str | Placed, str]:
    picture, says = chosen.draw(session, release)
    return picture if isinstance(picture, Placed) else drawing(picture, HEIGHT), says


def _columns(session: Session, release: kc.Release) -> Drawn:
    lost = session.measured(session.setting, release, NCP).attributes
    says = attribute_sentence(lost, NCP())
    if leading(session) is not NCP:
        says = f"{says} {tr(_ANOTHER)}"
    return attribute_figure(lost, NCP(), theme(), HEIGHT), says


def _clusters(session: Session, release: kc.Release) -> Drawn:
    x, y = first_axes(session)
    if not release.guarantee.disjoint:
        figure = set_figure(session.table, release, 0, x, y, "rectangles", theme())
        return figure, str(figure.layout.meta["alt"])
    figure = cluster_figure(session.table, release, x, y, "rectangles", None, theme())
    return figure, cluster_sentence(session.table, release, x, y, brief=True)


def _sets(session: Session, release: kc.Release) -> Drawn:
    name = item_columns(session.table)[0].attribute.name
    view = ItemView.of(session.table, release, name)
    return item_figure(view, ranked_items(view)[:_ITEMS], theme()), items_sentence(view)


def _people(session: Session, release: kc.Release) -> Drawn:
    return many_people(HistoryView.of(release), theme())


def _matchings(session: Session, release: kc.Release) -> Drawn:
    plan = planned(release)
    shown = tuple(range(min(release.recipe.k, _MATCHINGS)))
    record = None if len(session.table) <= WHOLE_AT_MOST else 0
    figure = bipartite_figure(session.table, plan, shown, record, False, theme())
    return figure, "".join(everybody_sentence(plan))


def _map(session: Session, release: kc.Release) -> Drawn:
    named = places_of(session.table)
    assert named is not None
    found = Placed.of(session.setting.title, release, named)
    return found, found.sentence


PICTURES = {
    "map": Picture(later("Map"), "map", lambda session, release: places_of(session.table) is not None, _map),
    "sets": Picture(
        later("Item sets"),
        "clusters/sets",
        lambda session, release: bool(item_columns(session.table)) and session.setting.algorithm.takes_items,
        _sets,
    ),
    "people": Picture(
        later("People"), "clusters/people", lambda session, release: release.pseudonymous, _people
    ),
    "columns": Picture(
        later("Columns"), "clusters/groups", lambda session, release: len(session.table.quasi) > 1, _columns
    ),
    "clusters": Picture(
        later("Clusters"), "clusters/groups", lambda session, release: bool(session.table.quasi), _clusters
    ),
    "matchings": Picture(
        later("Matchings"),
        "clusters/matchings",
        lambda session, release: not release.guarantee.disjoint,
        _matchings,
    ),
}
"""The pictures by name, the one that fits best first."""

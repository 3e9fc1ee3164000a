"""Map: how wide "anonymous" is, in square kilometers."""

from __future__ import annotations

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.maps.boxes import drawing_order
from kanon_core.charts.maps.facts import Placed
from kanon_core.charts.maps.rectangle_map import place_columns, views
from kanon_core.charts.maps.units import area_text, length_text
from kanon_core.table.samples import sample
from pages.map.compare import choose, compare
from pages.map.own import own_layer
from pages.map.streets import credited, streets
from pages.shell.frame import data_link, open_page, ready
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.keys import Key, kept
from pages.state.session import Session, current
from pages.widgets.beforeafter import FEW, both_sides
from pages.widgets.controls import setting_row
from pages.widgets.files import download
from pages.widgets.lens import lens, look_at
from pages.widgets.mapview import MapPlacement, map_file, map_view
from pages.widgets.pickers import UNLABELED, button, choice
from pages.widgets.tables import Card, cards
from pages.widgets.text import heading, info, note

SAMPLE = "people-5000"
MAP_VIEW, LOAD_PEOPLE = "map view", "load people"
_HEIGHT = "clamp(280px, calc(100vh - 425px), 900px)"
"""The height of the map, which takes all room below the controls."""
_PICKED: Key[int] = Key("picked rectangle", -1)


@st.fragment
def places() -> None:
    """Draw everything that moves with the slider."""
    session = current()
    bar = st.container()
    try:
        named = place_columns(session.table)
    except kc.UnsuitableError as problem:
        with bar:
            status_bar(session, session.kept(session.setting))
        no_place(session, str(problem))
        return
    setting_row(session)
    with st.container(horizontal=True, vertical_alignment="bottom", key="map-look"):
        offered = {"one": tr("One map"), "compare": tr("Side by side")}
        view = choice(tr("View"), offered, MAP_VIEW, label_visibility="collapsed")
        settings = choose(session) if view == "compare" else []
        coloring, look = looks(session, named, view == "one")
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if view == "compare":
        compare(session, settings, named, look)
    else:
        draw(session, release, named, coloring, look)
    lens(session)


def no_place(session: Session, problem: str) -> None:
    """Show what a map needs, and a sample that has it."""
    next_ = tr("Set them on the Data page, or load a sample.")
    info(f"{problem} {next_}", ":material/map:")
    data_link()
    title = tr("Load {sample}").format(sample=sample(SAMPLE).title)
    if button(title, None, icon="location_city", key=LOAD_PEOPLE):
        session.open_sample(SAMPLE)
        st.rerun()  # the whole page, with the menu


def looks(session: Session, named: tuple[str, str], alone: bool) -> tuple[str, dict[str, object]]:
    """Draw the controls for the coloring of one map and for the layers below its rectangles; return the
    choices."""
    coloring = "area"
    if alone:
        colorings = {"area": tr("Color by area"), "size": tr("by records")}
        coloring = choice(tr("Color by"), colorings, "coloring", None, **UNLABELED)
    with st.popover(tr("More layers"), icon=":material/layers:"):
        own_layer(session, views(session.table, named, None)[1])
        server = streets(session.table.digest)
        names = st.toggle(
            tr("Names of places"),
            key=kept(f"names-{server is None}", server is None),
            help=tr("street maps have names of their own"),
        )
    credited(server)
    return coloring, {"names": names, "tiles": server and (server.address, server.credit)}


def draw(
    session: Session,
    release: kc.Release,
    named: tuple[str, str],
    coloring: str,
    look: dict[str, object],
) -> None:
    """The map, beside it the areas in figures and how to read them, below it the records of a rectangle."""
    found = session.picture(("placed",), lambda: Placed.of(session.setting.title, release, named))
    chosen = _PICKED.of(session.table.digest, session.setting.key)
    picture, figures = st.columns([5, 2], gap="medium")
    with picture:
        shown = MapPlacement("map", _HEIGHT, look=look, coloring=coloring)

        def take(number: int) -> None:
            chosen.set(number)
            look_at(int(found.published_with(number)[0]))

        map_view(session, release, found.boxes, shown, take)
    with figures:
        areas(found)
        download(
            tr("Download map"),
            lambda: map_file(session, release, coloring),
            "map.html",
            key="map-file",
            help=tr(
                "One file that opens without internet. It shows what is published and your own layer, but no"
                " original record."
            ),
        )
    picked(session, release, found, chosen.get())


def areas(placed: Placed) -> None:
    """Areas as cards, with the sentence that reads them."""
    if not placed.boxes.diagonals_km.any() or placed.means:
        info(placed.sentence)
        return
    median, high = np.percentile(placed.areas_km2, [50, 95]).tolist()
    cards(
        (
            Card(tr("Median area"), area_text(median), tr("half of the records hide in a smaller rectangle")),
            Card(tr("95th percentile"), area_text(high), tr("one record in twenty hides in a larger one")),
            Card(tr("Largest area"), area_text(float(placed.areas_km2.max()))),
            Card(tr("Largest diagonal"), length_text(float(placed.diagonals_km.max()))),
        )
    )
    says = tr("Half of the records are published within {area} or less.").format(area=area_text(median))
    note(f"{says} {placed.sentence}")


def picked(session: Session, release: kc.Release, placed: Placed, number: int) -> None:
    """The records of the rectangle that was clicked, before and after."""
    if not 0 <= number < len(placed.boxes):
        note(tr("Click a rectangle to list its records, before and after."))
        return
    mine = int(drawing_order(placed.boxes)[number])
    rows = placed.published_with(number)
    heading(tr("Records of the chosen rectangle"))
    says = tr("{area}. Records published with it: {count:,}; listed: {shown}.")
    area = area_text(float(placed.boxes.areas_km2[mine]))
    note(says.format(area=area, count=len(rows), shown=min(len(rows), FEW)))
    both_sides(session.table, release, rows[:FEW])


if ready(open_page("map")):
    places()

"""Map: how wide "anonymous" is, in square kilometers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.maps.backgrounds.tiles import Tiles
from kanon_core.charts.maps.maps import Coloring, Look, background_data, map_base, rectangle_layer
from kanon_core.charts.maps.panels import Panel
from kanon_core.charts.maps.picture import rectangles_sentence
from kanon_core.charts.maps.units import area_text, length_text
from kanon_core.table.samples import sample
from pages.map.background import own_background
from pages.map.compare import choose, compare
from pages.map.drawing import drawn
from pages.map.vendor import address
from pages.shell.frame import data_link, open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.keys import kept
from pages.state.session import Session, current
from pages.widgets.axes import place_columns
from pages.widgets.cards import Card, cards
from pages.widgets.controls import setting_row
from pages.widgets.pickers import UNLABELED, button, choice
from pages.widgets.text import info, note, warning

SAMPLE = "people-5000"
MAP_VIEW, LOAD_PEOPLE = "map view", "load people"


@st.fragment
def places() -> None:
    """Everything that moves with the slider."""
    session = current()
    bar = st.container()
    named = place_columns(session.table)
    if named is None:
        with bar:
            status_bar(session, session.kept(session.setting))
        no_place(session)
        return
    setting_row(session)
    with st.container(horizontal=True, vertical_alignment="bottom", key="map-look"):
        views = {"one": tr("One method"), "compare": tr("Compare methods")}
        view = choice(tr("View"), views, MAP_VIEW, label_visibility="collapsed")
        settings = choose(session) if view == "compare" else []
        wanted = look(session, view == "one")
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if view == "compare":
        compare(session, settings, named)
    else:
        draw(session, release, named, wanted)


def no_place(session: Session) -> None:
    """What a map needs, and a sample that has it."""
    info(
        tr(
            "This table has no place: a map needs one column of kind latitude and one of kind longitude, both"
            " quasi-identifiers. Set them on the Data page, or load a sample."
        ),
        ":material/map:",
    )
    data_link()
    title = tr("Load {sample}").format(sample=sample(SAMPLE).title)
    if button(title, None, icon="location_city", key=LOAD_PEOPLE):
        session.open_sample(SAMPLE)
        st.rerun()  # the whole page, with the menu


class Wanted(NamedTuple):
    """What colors the rectangles, whether streets of the internet are drawn below them, and names above."""

    coloring: Coloring = "area"
    online: bool = False
    names: bool = True


def look(session: Session, alone: bool) -> Wanted:
    """What is wanted where one method stands ``alone``; and a background of one's own."""
    colorings: dict[Coloring, str] = {"area": tr("Color by area"), "size": tr("by records")}
    coloring: Coloring = "area"
    if alone:
        coloring = choice(tr("Color by"), colorings, "coloring", None, **UNLABELED)
    with st.popover(tr("Background"), icon=":material/layers:"):
        own_background(session)
        if not alone:
            return Wanted()
        about = tr("tiles of OpenStreetMap; needs internet")
        online = st.toggle(tr("Online street map"), key=kept("tiles", False), help=about)
        if online:
            warning(
                tr(
                    "Each part of the map you look at is asked for at openstreetmap.org, which then knows"
                    " which places you look at. No record is sent."
                ),
                ":material/cloud:",
            )
        tiled = online or isinstance(session.background, Tiles)
        names = st.toggle(
            tr("Names of places"),
            key=kept(f"names-{tiled}", not tiled),
            help=tr("tiles mostly have names of their own"),
        )
    return Wanted(coloring, online, names)


def draw(session: Session, release: kc.Release, named: tuple[str, str], wanted: Wanted) -> None:
    """The map, and beside it the areas in figures and how to read them."""
    latitude, longitude = (session.table.numbers(name).values for name in named)
    panel = session.picture(("placed",), lambda: Panel.of(session.setting.title, release, *named))
    look = Look(vendor_url=address(), theme=theme(), online_tiles=wanted.online, names=wanted.names)
    table, of, mine = (
        session.table.digest,
        f"{named!r}/{wanted.online}/{wanted.names}/{theme()}",
        session.background,
    )
    base = session.table.once(f"map.base/{of}", lambda: map_base(latitude, longitude, look))
    layer = session.picture(
        ("layer", wanted.coloring), lambda: rectangle_layer(panel.rectangles, wanted.coloring)
    )
    picture, figures = st.columns([5, 2], gap="medium")
    with picture:
        drawn(
            {
                "id": f"{table}/{of}/{mine and mine.digest}",
                "table": table,
                "leaflet": f"{address()}/leaflet/leaflet.js",
                "look": {**base, **background_data(mine)},
            },
            {"id": f"{table}/{session.setting.key}/{wanted.coloring}", "layer": layer},
            mine if isinstance(mine, Tiles) else None,
        )
    with figures:
        areas(panel, release.guarantee.disjoint)


def areas(panel: Panel, disjoint: bool) -> None:
    """Areas as cards, with the sentence that reads them."""
    missing = int((panel.own < 0).sum())
    if not len(panel.areas_km2):
        info(tr("No published record has a place."))
        return
    median, high = np.percentile(panel.areas_km2, [50, 95]).tolist()
    cards(
        (
            Card(tr("Median area"), area_text(median), tr("half of the records hide in a smaller rectangle")),
            Card(tr("95th percentile"), area_text(high), tr("one record in twenty hides in a larger one")),
            Card(tr("Largest area"), area_text(float(panel.areas_km2.max()))),
            Card(tr("Largest diagonal"), length_text(float(panel.diagonals_km.max()))),
        )
    )
    says = tr("Half of the records are published within {area} or less.").format(area=area_text(median))
    note(" ".join([says, rectangles_sentence(panel.rectangles, disjoint, missing)]))


if ready(open_page("map")):
    places()

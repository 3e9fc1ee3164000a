"""Map: how wide "anonymous" is, in square kilometers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit_folium import st_folium

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.maps.background import Background
from kanon_core.charts.maps.maps import Look, rectangle_layer, rectangle_map
from kanon_core.charts.maps.panels import Panel
from kanon_core.charts.maps.picture import rectangles_sentence
from kanon_core.charts.maps.units import area_text, length_text
from kanon_core.table.samples import sample
from pages.map.background import own_background
from pages.map.compare import choose, compare
from pages.map.vendor import ADDRESS
from pages.shell.frame import data_link, open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.keys import kept
from pages.state.session import Session, current
from pages.widgets.axes import place_columns
from pages.widgets.cards import Card, cards
from pages.widgets.controls import setting_row
from pages.widgets.pickers import button, choice
from pages.widgets.text import info, note, warning

SAMPLE = "people-5000"
MAP_VIEW, LOAD_PEOPLE = "map view", "load people"
HEIGHT = 440
"""Pixels of the map, where the browser does not fit it to the screen."""
FIT = """<style>
.st-key-map_frame iframe { height: clamp(280px, calc(100vh - 425px), 900px) !important; }
</style>"""
"""The map takes what the screen has left below the controls."""


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
    with st.container(horizontal=True, vertical_alignment="bottom"):
        views = {"one": tr("One method"), "compare": tr("Compare methods")}
        view = choice(tr("View"), views, MAP_VIEW)
        settings = choose(session) if view == "compare" else []
        asked = look() if view == "one" else None
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if view == "compare":
        compare(session, settings, named)
    else:
        draw(session, release, named, asked)


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
    load = partial(session.open_sample, SAMPLE)
    title = tr("Load {sample}").format(sample=sample(SAMPLE).title)
    button(title, load, icon="location_city", key=LOAD_PEOPLE)


def look() -> tuple[str, bool, Background | None]:
    """What colors the rectangles, whether streets are drawn below them, and lines of one's own."""
    colorings = {"area": tr("area"), "size": tr("records")}
    coloring = choice(tr("Color by"), colorings, "coloring")
    with st.popover(tr("Background"), icon=":material/layers:"):
        mine = own_background()
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
    return coloring, online, mine


def draw(session: Session, release: kc.Release, named: tuple[str, str], asked: Any) -> None:
    """The map, and beside it the areas in figures and how to read them."""
    coloring, online, mine = asked
    latitude, longitude = (session.table.numbers(name).values for name in named)
    panel = Panel.of(session.setting.title, release, *named)
    how = Look(vendor_url=ADDRESS, theme=theme(), online_tiles=online, background=mine)
    picture, figures = st.columns([5, 2], gap="medium")
    with picture, st.container(key="map_frame"):
        st_folium(
            rectangle_map(latitude, longitude, look=how),
            key="/".join(map(str, ("map", session.table.digest, online, theme(), mine and mine.digest))),
            feature_group_to_add=rectangle_layer(panel.rectangles, coloring),
            returned_objects=[],
            use_container_width=True,
            height=HEIGHT,
        )
    with figures:
        areas(panel, release.guarantee.disjoint)
    st.html(FIT)


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

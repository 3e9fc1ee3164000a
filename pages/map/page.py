"""Map: how wide "anonymous" is, in square kilometers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit_folium import st_folium

import kanon_core as kc
from kanon_core.charts.maps.maps import Look, rectangle_layer, rectangle_map
from kanon_core.charts.maps.panels import Panel, area_text, length_text
from kanon_core.table.samples import sample
from pages.map.compare import choose, compare
from pages.map.vendor import ADDRESS
from pages.shell.frame import data_link, open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.keys import kept
from pages.state.session import Session, current
from pages.widgets.cards import Card, cards
from pages.widgets.controls import setting_row
from pages.widgets.pickers import button, choice
from pages.widgets.text import info, note

SAMPLE = "people-5000"
VIEWS = {"one": "One method", "compare": "Compare methods"}
COLORINGS = {"area": "area", "size": "records"}


@st.fragment
def places() -> None:
    """Everything that moves with the slider."""
    session = current()
    bar = st.container()
    named = place_columns(session)
    if named is None:
        with bar:
            status_bar(session, session.kept(session.setting))
        no_place(session)
        return
    setting_row(session)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = choice("View", VIEWS, "map view")
        settings = choose(session) if view == "compare" else []
        coloring, online = look() if view == "one" else ("area", False)
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is None:
        return
    if view == "compare":
        compare(session, settings, named)
    else:
        draw(session, release, named, coloring, online)


def place_columns(session: Session) -> tuple[str, str] | None:
    """Names of the latitude and longitude columns among the quasi-identifiers."""
    found = {a.kind: a.name for a in session.table.schema.quasi_identifiers}
    return (found["latitude"], found["longitude"]) if {"latitude", "longitude"} <= set(found) else None


def no_place(session: Session) -> None:
    """What a map needs, and a sample that has it."""
    info(
        "This table has no place: a map needs one column of kind latitude and one of kind longitude, both"
        " quasi-identifiers. Set them on the Data page, or load a sample.",
        ":material/map:",
    )
    data_link()
    load = partial(session.open_sample, SAMPLE)
    button(f"Load {sample(SAMPLE).title}", load, icon="location_city", key="load people")


def look() -> tuple[str, bool]:
    """What colors the rectangles, and whether streets are drawn below them."""
    coloring, about = choice("Color by", COLORINGS, "coloring"), "tiles of OpenStreetMap; needs internet"
    return coloring, st.toggle("Online street map", key=kept("tiles", False), help=about)


def draw(session: Session, release: kc.Release, named: tuple[str, str], coloring: Any, online: bool) -> None:
    """The map, the areas in figures, and how to read them."""
    if online:
        st.warning(
            "Each part of the map you look at is asked for at openstreetmap.org, which then knows which"
            " places you look at. No record is sent.",
            icon=":material/cloud:",
        )
    latitude, longitude = (session.table.numbers(name).values for name in named)
    panel = Panel.of(session.setting.title, release, *named)
    st_folium(
        rectangle_map(latitude, longitude, look=Look(vendor_url=ADDRESS, theme=theme(), online_tiles=online)),
        key=f"map {session.table.digest} {online} {theme()}",
        feature_group_to_add=rectangle_layer(panel.rectangles, coloring),
        returned_objects=[],
        use_container_width=True,
        height=560,
    )
    areas(panel, release.guarantee.disjoint, _unplaced(release, latitude, longitude))


def _unplaced(release: kc.Release, latitude: np.ndarray, longitude: np.ndarray) -> int:
    """How many records have no place or are suppressed."""
    return int((release.suppressed | np.isnan(latitude) | np.isnan(longitude)).sum())


def areas(panel: Panel, closed: bool, unplaced: int) -> None:
    """Areas as cards, with the sentence that reads them; ``closed``: the sets are groups."""
    if not len(panel.areas_km2):
        info("No published record has a place.")
        return
    median, high = np.percentile(panel.areas_km2, [50, 95]).tolist()
    largest = area_text(float(panel.areas_km2.max()))
    shown = (
        Card("Median area", area_text(median), "half of the records hide in a smaller rectangle"),
        Card("95th percentile", area_text(high), "one record in twenty hides in a larger one"),
        Card("Largest area", largest),
        Card("Largest diagonal", length_text(float(panel.diagonals_km.max()))),
    )
    cards(shown)
    flat = int((panel.rectangles.areas_km2 == 0).sum())
    says = (
        f"Half of the records can be placed within {area_text(median)} or less; the widest"
        f" {'group' if closed else 'set'} spans {largest}."
    )
    if flat:
        says += (
            f" {flat:,} {'groups' if closed else 'sets'} have no area at all (all their records lie on one"
            " line or at one place): the place is published exactly."
        )
    if unplaced:
        says += f" {unplaced:,} records have no place or are suppressed and are not on the map."
    note(says)


if ready(open_page("map")):
    places()

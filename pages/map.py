"""Map: how wide "anonymous" is, in square kilometers."""

from __future__ import annotations

import numpy as np
import streamlit as st
from streamlit_folium import st_folium

import kanon_core as kc
from kanon_core.charts.maps import Look, Rectangles, rectangle_layer, rectangle_map, rectangles_of
from pages.common.cards import Card, cards
from pages.common.controls import setting_row
from pages.common.frame import data_link, open_page, ready, theme
from pages.common.jobs import release_of
from pages.common.session import Session, current
from pages.common.status import status_bar
from pages.common.text import note
from pages.common.vendor import ADDRESS

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
        st.info(
            "This table has no place: a map needs one column of kind latitude and one of kind longitude, both "
            "quasi-identifiers. Set them on the Data page, or load the sample “People in a city at midnight”.",
            icon=":material/map:",
        )
        data_link()
        return
    setting_row(session)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        coloring = st.segmented_control(
            "Color by",
            list(COLORINGS),
            format_func=COLORINGS.__getitem__,
            default="area",
            required=True,
            key="coloring",
        )
        online = st.toggle(
            "Online street map", False, key="tiles", help="tiles of OpenStreetMap; needs internet"
        )
    if online:
        st.warning(
            "Each part of the map you look at is asked for at openstreetmap.org, which then knows which places "
            "you look at. No record is sent.",
            icon=":material/cloud:",
        )
    release = release_of(session)
    with bar:
        status_bar(session, release)
    if release is not None:
        draw(session, release, named, coloring or "area", online)


def place_columns(session: Session) -> tuple[str, str] | None:
    """Names of the latitude and longitude columns among the quasi-identifiers."""
    found = {a.kind: a.name for a in session.table.schema.quasi_identifiers}
    return (found["latitude"], found["longitude"]) if {"latitude", "longitude"} <= set(found) else None


def draw(session: Session, release: kc.Release, named: tuple[str, str], coloring, online: bool) -> None:
    """The map, the areas in figures, and how to read them."""
    latitude, longitude = (session.table.numbers(name).values for name in named)
    rectangles = rectangles_of(release, *named)
    look = Look(vendor_url=ADDRESS, theme=theme(), online_tiles=online)
    st_folium(
        rectangle_map(latitude, longitude, look=look),
        key=f"map {session.table.digest} {online} {theme()}",
        feature_group_to_add=rectangle_layer(rectangles, coloring),
        returned_objects=[],
        use_container_width=True,
        height=560,
    )
    areas(rectangles, _unplaced(release, latitude, longitude))


def _unplaced(release: kc.Release, latitude: np.ndarray, longitude: np.ndarray) -> int:
    """How many records have no place or are suppressed."""
    return int((release.suppressed | np.isnan(latitude) | np.isnan(longitude)).sum())


def areas(rectangles: Rectangles, unplaced: int) -> None:
    """Median, 95th percentile and largest area, with the sentence that reads them."""
    if not len(rectangles):
        st.info("No published record has a place.", icon=":material/info:")
        return
    per_record = np.repeat(rectangles.areas_km2, rectangles.sizes)
    median, high = np.percentile(per_record, [50, 95])
    cards([
        Card("Median area", km2(median), "half of the records hide in a smaller rectangle"),
        Card("95th percentile", km2(high), "one record in twenty hides in a larger one"),
        Card("Largest area", km2(per_record.max())),
        Card("Largest diagonal", f"{rectangles.diagonals_km.max():,.3g} km"),
    ])  # fmt: skip
    flat = int((rectangles.areas_km2 == 0).sum())
    says = f"Half of the records can be placed within {km2(median)} or less; the widest group spans {km2(per_record.max())}."
    if flat:
        says += f" {flat:,} groups have no area at all (all their records lie on one line or at one place): the place is published exactly."
    if unplaced:
        says += f" {unplaced:,} records have no place or are suppressed and are not on the map."
    note(says)


def km2(area: float) -> str:
    """An area with unit; small ones in square meters."""
    if 0 < area < 0.01:
        return f"{area * 1e6:,.3g} m²"
    return f"{area:,.0f} km²" if area >= 1000 else f"{area:,.3g} km²"


if ready(
    open_page("Map", "How wide “anonymous” is: the rectangle that each group's places are generalized to.")
):
    places()

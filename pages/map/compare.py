"""Several methods side by side on one extent: the view "Compare" of the map."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import kanon_core as kc
from kanon_core.base.assets import ASSETS
from kanon_core.charts.maps.panels import (
    NARROWEST,
    Panel,
    Pictures,
    fitted,
    painted,
    panels_sentence,
    whole_extent,
)
from pages.shell.frame import theme
from pages.state.jobs import computed, ticker
from pages.state.methods import methods
from pages.state.session import COMPARED_AT_MOST, Session, Setting, describe
from pages.widgets.text import note

FLOORS = tuple(describe(method) for method in (kc.OptimalConcealment(), kc.Pairing()))
"""What a method is first compared with: the certified optimum and closed groups made as in the paper."""
SLICE_SECONDS = 0.7
COST = kc.MatchingCost
WORDS = {
    "legend": "Area of a rectangle",
    "closer": "Closer",
    "farther": "Farther away",
    "home": "Show all",
}
_panels = st.components.v2.component(
    "kanon.panels",
    js=(ASSETS / "panels.js").read_text("utf-8"),
    css=(ASSETS / "panels.css").read_text("utf-8"),
)


def compare(session: Session, settings: list[Setting], named: tuple[str, str]) -> None:
    """The releases of these settings, computed as needed: rectangles, costs, and whose are smallest."""
    found: dict[Setting, kc.Release | str] = {}
    place = st.empty()
    stopped = st.session_state.get("comparison stopped") == session.setting.key
    until = time.perf_counter() + SLICE_SECONDS
    for number, setting in enumerate(settings, start=1):
        kept = session.kept(setting)
        if kept is not None:
            found[setting] = kept
        elif not stopped and time.perf_counter() < until:
            found[setting] = _computed(
                session, setting, place, f"{setting.title} ({number} of {len(settings)})"
            )
    _draw(session, settings, found, named)
    if stopped and len(found) < len(settings):
        st.button("Compute the rest", icon=":material/play_arrow:", on_click=_stop, args=("",), key="go on")
    elif len(found) < len(settings):
        st.rerun()


def choose(session: Session) -> list[Setting]:
    """The settings to compare: the current one first, then the methods chosen beside it at the same k and
    seed."""
    current, *others = (found := methods(session))
    key = f"compared on the map {session.table.digest}"
    wanted = st.session_state.setdefault(f"wanted: {key}", [name for name in FLOORS if name in found])
    # What is current is not offered twice, and is still wanted when something else becomes current.
    st.session_state[key] = [name for name in wanted if name in others]

    def changed() -> None:
        st.session_state[f"wanted: {key}"] = st.session_state[key]

    chosen = st.multiselect(
        "Beside the current setting", others, key=key, max_selections=COMPARED_AT_MOST - 1, on_change=changed
    )
    return [dataclasses.replace(session.setting, algorithm=found[name]) for name in (current, *chosen)]


def _stop(key: str) -> None:
    st.session_state["comparison stopped"] = key


def _computed(session: Session, setting: Setting, place: DeltaGenerator, lead: str) -> kc.Release | str:
    """The release of a setting, kept from now on; the reason when there is none."""
    try:
        tick = ticker(place, lambda: _stop(session.setting.key), "stop comparison", lead)
        return computed(session, setting, place, tick)
    except kc.KanonError as reason:
        return str(reason)


def _draw(
    session: Session, settings: list[Setting], found: dict[Setting, kc.Release | str], named: tuple[str, str]
) -> None:
    """The panels of what is found, and the sentence that reads them."""
    latitude, longitude = (session.table.numbers(name).values for name in named)
    panels = {
        setting: Panel.of(setting.title, release, *named)
        for setting in settings
        if isinstance(release := found.get(setting), kc.Release)
    }
    home = whole_extent(latitude, longitude)
    view_key = f"view of the panels {session.table.digest}"
    extent = st.session_state.get(view_key, home)
    keys = tuple(setting.key for setting in panels)
    pictures: Pictures = session.picture(
        ("panels", keys, extent, theme()),
        lambda: painted(list(panels.values()), latitude, longitude, extent, theme()),
    )
    sources = dict(zip(panels, pictures.sources, strict=True))

    def moved() -> None:
        view = st.session_state["panels"].get("view")
        if view:
            west, south, east, north = map(float, view)
            st.session_state[view_key] = fitted((west, south, east, north), room=0)

    _panels(
        key="panels",
        on_view_change=moved,
        data={
            "panels": [_panel(session, s, panels.get(s), found.get(s, ""), sources.get(s)) for s in settings],
            "extent": extent,
            "home": home,
            "least": NARROWEST,
            "colors": pictures.colors,
            "ticks": [text for _, text in pictures.ticks],
            "words": WORDS,
        },
    )
    note(panels_sentence(list(panels.values())))
    note(
        "Areas and diagonals are those of each record's rectangle; the sum over records is the total. Cost:"
        f" {COST.sentence}"
    )


def _panel(
    session: Session, setting: Setting, panel: Panel | None, found: kc.Release | str, source: str | None
) -> dict[str, Any]:
    """One panel as the script draws it."""
    if panel is None or isinstance(found, str):
        return {"title": setting.title, "problem": found or "Not computed yet.", "facts": []}
    facts = [("cost", COST().text(session.measured(setting, found, COST).total)), *panel.facts()]
    alt = f"{setting.title}: the rectangles of {len(panel.areas_km2):,} records; " + ", ".join(
        f"{name} {text}" for name, text in facts
    )
    return {"title": setting.title, "source": source, "alt": alt, "facts": facts}

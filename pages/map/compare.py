"""Several methods side by side on one extent: the view "Compare" of the map."""

from __future__ import annotations

import dataclasses
import time
from functools import partial
from typing import Any

import streamlit as st

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
from pages.state.jobs import release_or_reason
from pages.state.keys import Key, linked
from pages.state.session import COMPARED_AT_MOST, Session, Setting, describe
from pages.state.sweeping import methods
from pages.widgets.pickers import button
from pages.widgets.text import note

_STOPPED, _PANELS = Key("comparison stopped", ""), Key[Any]("panels", {})
_WANTED: Key[list[str] | None] = Key("wanted: compared on the map", None)
_VIEW: Key[Any] = Key("view of the panels", None)

FLOORS = tuple(describe(method) for method in (kc.OptimalConcealment(), kc.Pairing()))
"""What a method is first compared with: the certified optimum and closed groups made as in the paper."""
SLICE_SECONDS = 0.7
COST = kc.MatchingCost
WORDS = {"legend": "Area of a rectangle", "closer": "Closer", "farther": "Farther away", "home": "Show all"}
_js, _css = ((ASSETS / f"panels.{kind}").read_text("utf-8") for kind in ("js", "css"))
_panels = st.components.v2.component("kanon.panels", js=_js, css=_css)


def compare(session: Session, settings: list[Setting], named: tuple[str, str]) -> None:
    """The releases of these settings, computed as needed: rectangles, costs, and whose are smallest."""
    found: dict[Setting, kc.Release | str] = {}
    stopped = _STOPPED.get() == session.setting.key
    until = time.perf_counter() + SLICE_SECONDS
    for number, setting in enumerate(settings, start=1):
        kept = session.kept(setting)
        if kept is not None:
            found[setting] = kept
        elif not stopped and time.perf_counter() < until:
            lead = f"{setting.title} ({number} of {len(settings)})"
            stop = partial(_STOPPED.set, session.setting.key)
            found[setting] = release_or_reason(session, setting, stop, "stop comparison", lead)
    _draw(session, settings, found, named)
    if stopped and len(found) < len(settings):
        button("Compute the rest", _STOPPED.pop, icon="play_arrow", key="go on")
    elif len(found) < len(settings):
        st.rerun()


def choose(session: Session) -> list[Setting]:
    """The current setting first, then the methods chosen beside it at the same k and seed."""
    current, *others = (found := methods(session))
    key = _WANTED.of(session.table.digest)
    if key.get() is None:
        key.set([name for name in FLOORS if name in found])
    # What is current is not offered twice, and is still wanted when something else becomes current.
    offered = [name for name in key.get() or () if name in others]
    tied = linked(f"compared on the map {session.table.digest}", offered, key.set)
    most = COMPARED_AT_MOST - 1
    chosen = st.multiselect("Beside the current setting", others, max_selections=most, **tied)
    return [dataclasses.replace(session.setting, algorithm=found[name]) for name in (current, *chosen)]


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
    looked_at = _VIEW.of(session.table.digest)
    extent = looked_at.get() or home
    keys = tuple(setting.key for setting in panels)
    pictures: Pictures = session.picture(
        ("panels", keys, extent, theme()),
        lambda: painted(list(panels.values()), latitude, longitude, extent, theme()),
    )
    sources = dict(zip(panels, pictures.sources, strict=True))

    def moved() -> None:
        view = _PANELS.get().get("view")
        if view:
            west, south, east, north = map(float, view)
            looked_at.set(fitted((west, south, east, north), room=0))

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
    note(f"Areas and diagonals are of each record's rectangle; the sum is the total. Cost: {COST.sentence}")


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

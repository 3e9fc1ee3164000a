"""Several methods side by side on one extent: the view "Compare" of the map."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import kanon_core as kc
from kanon_core.base.assets import ASSETS
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.charts.maps.extent import NARROWEST, fitted, whole_extent
from kanon_core.charts.maps.panels import Panel, Pictures, painted, panels_sentence
from kanon_core.charts.maps.picture import credited
from pages.map.times import FEW_SECONDS, Clock, Pace, about, guessed
from pages.shell import warmup
from pages.shell.frame import theme
from pages.state.jobs import working
from pages.state.keys import Key, linked
from pages.state.session import COMPARED_AT_MOST, Session
from pages.state.setting import Setting, describe
from pages.state.sweeping import methods
from pages.widgets.pickers import button
from pages.widgets.text import note

_STOPPED, _PACE = Key("comparison-stopped", ""), Key[Pace | None]("comparison-pace", None)
_WANTED: Key[list[str] | None] = Key("compared-wanted", None)
_VIEW: Key[Any] = Key("panels-view", None)
_PANELS, _STOP, _REST, _LINK = "panels/{}", "comparison/stop", "comparison/rest", "compared/{}"

PREFERRED = (kc.OptimalConcealment(), kc.Pairing(), kc.Mondrian(), kc.MDAV(), kc.VMDAV(), kc.Sorting())
"""What a method is first compared with, the first two that take seconds: the certified optimum and closed
groups made as in the paper; on large tables methods that cut or cluster."""
FIRST = 2
_NOTICED = 0.5
"""Seconds from which what is there already is drawn while the rest is computed."""
COST = kc.MatchingCost
_js, _css = ((ASSETS / f"panels.{kind}").read_text("utf-8") for kind in ("js", "css"))
_panels = st.components.v2.component("kanon.panels", js=_js, css=_css)

Found = dict[Setting, kc.Release | str]


def compare(session: Session, settings: list[Setting], named: tuple[str, str]) -> None:
    """The releases of these settings, computed as needed: rectangles, costs, and whose are smallest.

    One bar shows the progress of all. What is finished is drawn at once and kept, whatever interrupts.
    """
    found: Found = {setting: kept for setting in settings if (kept := session.kept(setting)) is not None}
    missing = [setting for setting in settings if setting not in found]
    stopped = _STOPPED.get() == session.setting.key
    bar, place = st.container(), st.empty()
    clock = Clock([guessed(one.algorithm, len(session.table)) for one in missing], _pace())
    slow = clock.left(0.0, 0.0) > _NOTICED if missing and not stopped else True
    if slow:
        _drawn(place, session, settings, found, named)
    if missing and stopped:
        with bar:
            says = tr("Stopped; {count} of {all} methods are not computed.")
            note(says.format(count=len(missing), all=len(settings)))
            button(tr("Compute the rest"), _STOPPED.pop, icon="play_arrow", key=_REST)
    elif missing:
        with bar, working(partial(_STOPPED.set, session.setting.key), _STOP) as tick:
            for number, setting in enumerate(missing, start=len(found) + 1):
                found[setting] = _made(session, setting, clock.over(tick), (number, len(settings)))
                clock.finished()
                if slow or setting is missing[-1]:
                    _drawn(place, session, settings, found, named)


def _drawn(
    place: DeltaGenerator, session: Session, settings: list[Setting], found: Found, named: tuple[str, str]
) -> None:
    """What is found so far, in the place of what was found before."""
    with place.container():
        _draw(session, settings, found, named)


def _made(session: Session, setting: Setting, tick: Tick, place: tuple[int, int]) -> kc.Release | str:
    """The release of a setting, computed now and kept; else the reason why there is none."""
    lead = tr("{title} ({number} of {all})").format(title=setting.title, number=place[0], all=place[1])

    def led(fraction: float | None, note: str = "") -> None:
        tick(fraction, lead)

    try:
        warmup.prepare(session.table, setting.algorithm, led)
        release = kc.anonymize(session.table, setting.algorithm, setting.k, setting.seed, led)
    except kc.KanonError as reason:
        return str(reason)
    session.keep(setting, release)
    return release


def _pace() -> Pace:
    """What this browser session has learned of this machine's speed."""
    pace = _PACE.get()
    if pace is None:
        _PACE.set(pace := Pace())
    return pace


def choose(session: Session) -> list[Setting]:
    """The current setting first, then the methods chosen beside it at the same k and seed."""
    current, *others = (found := methods(session))
    key = _WANTED.of(session.table.digest)
    if key.get() is None:
        key.set(first_compared(session, found))
    # What is current is not offered twice, and is still wanted when something else becomes current.
    offered = [name for name in key.get() or () if name in others]
    tied = linked(_LINK.format(session.table.digest), offered, key.set)

    def titled(name: str) -> str:
        known = session.kept(dataclasses.replace(session.setting, algorithm=found[name])) is not None
        time = "" if known else about(_pace().factor * guessed(found[name], len(session.table)))
        return f"{name} · {time}" if time else name

    chosen = st.multiselect(
        tr("Beside the current setting"),
        others,
        format_func=titled,
        max_selections=COMPARED_AT_MOST - 1,
        select_all=False,
        **tied,
    )
    return [dataclasses.replace(session.setting, algorithm=found[name]) for name in (current, *chosen)]


def first_compared(session: Session, offered: dict[str, kc.Algorithm]) -> list[str]:
    """The names of the first two preferred methods that are kept already or take seconds on this table."""

    def quick(algorithm: kc.Algorithm) -> bool:
        kept = session.kept(dataclasses.replace(session.setting, algorithm=algorithm)) is not None
        return kept or guessed(algorithm, len(session.table)) <= FEW_SECONDS

    current = session.setting.title
    names = [describe(one) for one in PREFERRED if quick(one)]
    return [name for name in names if name in offered and name != current][:FIRST]


def _draw(session: Session, settings: list[Setting], found: Found, named: tuple[str, str]) -> None:
    """The panels of what is found, and the sentence that reads them."""
    latitude, longitude = (session.table.numbers(name).values for name in named)
    panels = {
        setting: Panel.of(setting.title, release, *named)
        for setting in settings
        if isinstance(release := found.get(setting), kc.Release)
    }
    home, mine = whole_extent(latitude, longitude), session.background
    looked_at = _VIEW.of(session.table.digest)
    extent = looked_at.get() or home
    keys = tuple(setting.key for setting in panels)
    pictures: Pictures = session.picture(
        ("panels", keys, extent, theme(), mine and mine.digest),
        lambda: painted(list(panels.values()), latitude, longitude, extent, theme(), mine),
    )
    sources = dict(zip(panels, pictures.sources, strict=True))
    shown = Key[Any](_PANELS.format(len(found)), {})

    def moved() -> None:
        view = shown.get().get("view")
        if view:
            west, south, east, north = map(float, view)
            looked_at.set(fitted((west, south, east, north), room=0))

    _panels(
        key=shown.name,
        on_view_change=moved,
        data={
            "panels": [_panel(session, s, panels.get(s), found.get(s, ""), sources.get(s)) for s in settings],
            "ground": pictures.ground,
            "extent": extent,
            "home": home,
            "least": NARROWEST,
            "colors": pictures.colors,
            "ticks": [text for _, text in pictures.ticks],
            "words": {**_words(pictures), "credits": credited(mine)},
        },
    )
    _read(list(panels.values()), pictures)


def _read(panels: list[Panel], pictures: Pictures) -> None:
    """What the panels say, and how their figures are meant."""
    note(" ".join(filter(None, (panels_sentence(panels), pictures.sentence))))
    says = tr("Areas and diagonals are of each record's rectangle; the sum is the total. Cost: {meaning}")
    note(says.format(meaning=COST.sentence))


def _words(pictures: Pictures) -> dict[str, str]:
    """The words around the panels."""
    return {
        "legend": tr("Records in each square") if pictures.dense else tr("Area of a rectangle"),
        "closer": tr("Closer"),
        "farther": tr("Farther away"),
        "home": tr("Show all"),
    }


def _panel(
    session: Session, setting: Setting, panel: Panel | None, found: kc.Release | str, source: str | None
) -> dict[str, Any]:
    """One panel as the script draws it."""
    if panel is None or isinstance(found, str):
        return {"title": setting.title, "problem": found or tr("Not computed yet."), "facts": []}
    facts = [("cost", COST().text(session.measured(setting, found, COST).total)), *panel.facts()]
    says = tr("{title}: the rectangles of {count:,} records; {facts}")
    told = ", ".join(f"{name} {text}" for name, text in facts)
    alt = says.format(title=setting.title, count=len(panel.areas_km2), facts=told)
    return {"title": setting.title, "source": source, "alt": alt, "facts": facts}

"""Maps side by side that move together: another k, other algorithms, or the figures of a paper."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.charts.maps.boxes import Boxes
from kanon_core.charts.maps.facts import Placed, compared_sentence
from kanon_core.charts.maps.rectangle_map import place_columns
from kanon_core.papers.concealment import FIGURES, figure_title
from pages.map.times import FEW_SECONDS, about, guessed
from pages.shell import warmup
from pages.shell.private import Place
from pages.state.jobs import working
from pages.state.keys import Key, kept, linked
from pages.state.session import COMPARED_AT_MOST, Session
from pages.state.setting import Setting, describe
from pages.state.sweeping import methods
from pages.widgets.mapview import POINTS_AT_MOST, Shown, map_view
from pages.widgets.pickers import button
from pages.widgets.text import line, note

_STOPPED = Key("comparison-stopped", "")
_WANTED: Key[list[str] | None] = Key("compared-wanted", None)
_OTHER_K: Key[int | None] = Key("compared-k", None)
_POINTS = Key("records as points", False)
"""Whether the first map shows the original records alone."""
_STOP, _REST, _LINK = "comparison/stop", "comparison/rest", "compared/{}"

PREFERRED = (kc.OptimalConcealment(), kc.Pairing(), kc.Mondrian(), kc.MDAV(), kc.VMDAV(), kc.Sorting())
"""What a method is first compared with, the first that takes seconds: the certified optimum and closed
groups made as in the paper; on large tables methods that cut or cluster."""
FIRST = 1
_NOTICED = 0.5
"""Seconds from which what is there already is drawn while the rest is computed."""
COST = kc.MatchingCost
_HEIGHTS = {2: "clamp(260px, calc(100vh - 560px), 700px)", 3: "clamp(260px, calc(100vh - 600px), 480px)"}
_LOW = "280px"

Found = dict[Setting, kc.Release | str]


def compare(session: Session, settings: list[Setting], named: tuple[str, str], look: dict[str, Any]) -> None:
    """The releases of these settings, computed as needed: rectangles, costs, and whose are smallest.

    One bar shows the progress of all. What is finished is drawn at once and kept, whatever interrupts.
    """
    found: Found = {setting: kept for setting in settings if (kept := session.kept(setting)) is not None}
    missing = [setting for setting in settings if setting not in found]
    stopped = _STOPPED.get() == session.setting.key
    bar, place = st.container(), st.empty()
    takes = [guessed(one.algorithm, len(session.table)) for one in missing]
    slow = stopped or not missing or sum(takes) > _NOTICED
    if slow:
        _drawn(place, session, settings, found, named, look)
    if missing and stopped:
        with bar:
            says = tr("Stopped; {count} of {all} methods are not computed.")
            note(says.format(count=len(missing), all=len(settings)))
            button(tr("Compute the rest"), _STOPPED.pop, icon="play_arrow", key=_REST)
    elif missing:
        with bar, working(partial(_STOPPED.set, session.setting.key), _STOP) as tick:
            for number, setting in enumerate(missing):
                ticked = partial(tick_whole, tick, takes, number)
                found[setting] = _made(session, setting, ticked, (len(found) + 1, len(settings)))
                if slow or setting is missing[-1]:
                    _drawn(place, session, settings, found, named, look)


def tick_whole(tick: Tick, takes: list[float], at: int, fraction: float | None, note: str = "") -> None:
    """Tell the progress of all methods, when the one at this place is so far."""
    tick((sum(takes[:at]) + takes[at] * (fraction or 0.0)) / sum(takes), note)


def _drawn(place: Place, *about: Any) -> None:
    """What is found so far, in the place of what was found before."""
    with place.container():
        _draw(*about)


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


def choose(session: Session) -> list[Setting]:
    """The current setting first, then the same at another k, then other algorithms at the same k and seed."""
    current, *others = (found := methods(session))
    key = _WANTED.of(session.table.digest)
    if key.get() is None:
        key.set(first_compared(session, found))
    # What is current is not offered twice, and is still wanted when something else becomes current.
    offered = [name for name in key.get() or () if name in others]
    tied = linked(_LINK.format(session.table.digest), offered, key.set)

    def titled(name: str) -> str:
        known = session.kept(dataclasses.replace(session.setting, algorithm=found[name])) is not None
        time = "" if known else about(guessed(found[name], len(session.table)))
        return f"{name} · {time}" if time else name

    chosen = st.multiselect(
        tr("Compare with other algorithms"),
        others,
        format_func=titled,
        max_selections=COMPARED_AT_MOST - 1,
        select_all=False,
        **tied,
    )
    largest, again = session.largest_k, linked("beside k", _OTHER_K.get(), _OTHER_K.set)
    k = st.number_input(tr("Another k"), 2, max(2, largest), width=130, placeholder=tr("none"), **again)
    _figures_button(session)
    st.toggle(tr("First a map of the original records"), key=kept(_POINTS.name, False))
    further = [dataclasses.replace(session.setting, k=int(k))] if k and k != session.setting.k else []
    return [
        dataclasses.replace(session.setting, algorithm=found[current]),
        *further,
        *(dataclasses.replace(session.setting, algorithm=found[name]) for name in chosen),
    ]


def _figures_button(session: Session) -> None:
    button(
        tr("Figures 4–10 of the k-concealment paper"),
        partial(_show_figures, session),
        icon="grid_view",
        help=tr(
            "Opens the sample of 100 people in place of your table: at k = 2, as points and by six methods,"
            " each with its cost."
        ),
        key="paper-figures",
    )


def _show_figures(session: Session) -> None:
    """The sample of 100 people at k = 2, by the six methods of the paper's figures."""
    first, *others = FIGURES
    session.open_sample("people-100")
    session.change_schema(session.table.schema.with_quasi(list(place_columns(session.table))))
    session.ask(algorithm=first, k=2)
    _WANTED.of(session.table.digest).set([describe(one) for one in others])
    _OTHER_K.set(None)
    _POINTS.set(True)


def first_compared(session: Session, offered: dict[str, kc.Algorithm]) -> list[str]:
    """The names of the first preferred methods that are kept already or take seconds on this table."""

    def quick(algorithm: kc.Algorithm) -> bool:
        kept = session.kept(dataclasses.replace(session.setting, algorithm=algorithm)) is not None
        return kept or guessed(algorithm, len(session.table)) <= FEW_SECONDS

    current = session.setting.title
    names = [describe(one) for one in PREFERRED if quick(one)]
    return [name for name in names if name in offered and name != current][:FIRST]


def _draw(
    session: Session, settings: list[Setting], found: Found, named: tuple[str, str], look: dict[str, Any]
) -> None:
    """One map for each release that is found, which move together, and the sentence that reads them."""
    placed = {
        setting: Placed.of(_title(session, setting), release, named)
        for setting in settings
        if isinstance(release := found.get(setting), kc.Release)
    }
    points, few = _POINTS.get() and bool(placed), len(session.table) <= POINTS_AT_MOST
    count = len(settings) + points
    across = 2 if count in (2, 4) else min(count, 3)
    places = [column for _ in range(-(-count // across)) for column in st.columns(across)]
    keys = tuple(setting.key for setting in placed)

    def shown(number: int, key: str) -> Shown:
        height, plain = (
            _HEIGHTS.get(count, _LOW),
            {**look, "controls": False, "points": few or key == "points"},
        )
        return Shown(f"map-{number}", height, "beside", plain, len(found), (key, *keys))

    first = next((one for one in found.values() if isinstance(one, kc.Release)), None)
    if points and first is not None:
        with places[0]:
            line("", tr("Original records: {count:,}").format(count=len(session.table)))
            map_view(session, first, Boxes.none(), shown(0, "points"))
    for number, (setting, place) in enumerate(zip(settings, places[points:], strict=False), start=1):
        with place:
            _one(session, setting, found.get(setting), placed, shown(number, setting.key))
    note(compared_sentence(list(placed.values())))
    says = tr("Areas and diagonals are of each record's rectangle. Cost: {meaning}")
    note(says.format(meaning=COST.sentence))


def _one(
    session: Session,
    setting: Setting,
    release: kc.Release | str | None,
    placed: dict[Setting, Placed],
    shown: Shown,
) -> None:
    """The map of one release with its cost and areas, or why there is none."""
    line("", _title(session, setting))
    if not isinstance(release, kc.Release):
        note(release or tr("Not computed yet."))
        return
    others = [one.boxes for other, one in placed.items() if other != setting]
    map_view(session, release, placed[setting].boxes, shown, beside=others)
    facts = [(tr("cost"), COST().text(session.measured(setting, release, COST).total))]
    note(" · ".join(f"{name} {text}" for name, text in [*facts, *placed[setting].facts()]))


def _title(session: Session, setting: Setting) -> str:
    """The algorithm, and its k where that differs from the one asked for."""
    title = figure_title(setting.algorithm) if setting.algorithm in FIGURES else setting.title
    return title if setting.k == session.setting.k else f"{title}, k = {setting.k}"

"""Maps side by side that move together: another k, other algorithms, or the figures of a paper."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from functools import partial
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.maps.boxes import Boxes
from kanon_core.charts.maps.facts import Placed, compared_sentence
from kanon_core.charts.maps.rectangle_map import place_columns
from kanon_core.papers.concealment import FIGURES, figure_title
from pages.map.times import FEW_SECONDS, about, guessed
from pages.state.comparisons import methods
from pages.state.jobs import release_or_reason
from pages.state.keys import Key, kept, linked
from pages.state.session import COMPARED_AT_MOST, Session
from pages.state.setting import Setting, describe
from pages.widgets.mapview import POINTS_AT_MOST, MapPlacement, map_view
from pages.widgets.pickers import button
from pages.widgets.text import line, note

_STOPPED = Key("comparison-stopped", "")
_WANTED: Key[list[str] | None] = Key("compared-wanted", None)
_OTHER_K: Key[int | None] = Key("compared-k", None)
_POINTS = Key("records as points", False)
"""True if the first map shows the original records alone."""
_REST, _LINK = "comparison/rest", "compared/{}"

PREFERRED = (kc.OptimalConcealment(), kc.Pairing(), kc.Mondrian(), kc.MDAV(), kc.VMDAV(), kc.Sorting())
"""The methods that a method is first compared with; the first one that takes only seconds is taken: the
certified optimum and closed groups as in the paper; on large tables, methods that cut or cluster."""
COST = kc.MatchingCost
_HEIGHTS = {2: "clamp(260px, calc(100vh - 560px), 700px)", 3: "clamp(260px, calc(100vh - 600px), 480px)"}
_LOW = "280px"


def compare(session: Session, settings: list[Setting], named: tuple[str, str], look: dict[str, Any]) -> None:
    """Draw the releases of these settings, computed as needed: rectangles, costs, and whose are smallest.

    Finished releases are kept if the work is interrupted; they are drawn when all are finished or the work
    was stopped.
    """
    found: dict[Setting, kc.Release | str] = {}
    stopped, stop = _STOPPED.get() == session.setting.key, partial(_STOPPED.set, session.setting.key)
    with st.container():
        for number, setting in enumerate(settings, start=1):
            if stopped:
                found[setting] = session.kept(setting) or tr("Not computed yet.")
                continue
            says = tr("{title} ({number} of {all})")
            lead = says.format(title=setting.title, number=number, all=len(settings))
            found[setting] = release_or_reason(session, setting, stop, f"comparison/{number}", lead)
        missing = [setting for setting in settings if session.kept(setting) is None]
        if missing and stopped:
            says = tr("Stopped; {count} of {all} methods are not computed.")
            note(says.format(count=len(missing), all=len(settings)))
            button(tr("Compute the rest"), _STOPPED.pop, icon="play_arrow", key=_REST)
    _draw(session, found, named, look)


def choose(session: Session) -> list[Setting]:
    """The current setting first, then the same at another k, then other algorithms at the same k and seed."""
    current, *others = (found := methods(session))
    key = _WANTED.of(session.table.digest)
    if key.get() is None:
        key.set(first_compared(session, found))
    # The current setting is not offered twice; it stays chosen when another one becomes current.
    offered = [name for name in key.get() or () if name in others]
    tied = linked(_LINK.format(session.table.digest), offered, key.set)

    def titled(name: str) -> str:
        time = about(_takes(session, found[name]))
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
    changed = partial(dataclasses.replace, session.setting)
    further = [changed(k=int(k))] if k and k != session.setting.k else []
    return [changed(algorithm=found[current]), *further, *(changed(algorithm=found[name]) for name in chosen)]


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
    """Return the name of the first preferred method that is kept already or takes seconds on this table."""
    names = [describe(one) for one in PREFERRED if _takes(session, one) <= FEW_SECONDS]
    return [name for name in names if name in offered and name != session.setting.title][:1]


def _takes(session: Session, algorithm: kc.Algorithm) -> float:
    """About how many seconds there are to wait for a method."""
    known = session.kept(dataclasses.replace(session.setting, algorithm=algorithm)) is not None
    return 0.0 if known else guessed(algorithm, len(session.table))


def _draw(
    session: Session,
    results: dict[Setting, kc.Release | str],
    named: tuple[str, str],
    look: dict[str, Any],
) -> None:
    """Draw one map for each release, or say why there is none, and the sentence that reads them. The maps
    move together."""
    made = {setting: release for setting, release in results.items() if isinstance(release, kc.Release)}
    placed = {one: Placed.of(_title(one, results), release, named) for one, release in made.items()}
    points, few = _POINTS.get() and bool(placed), len(session.table) <= POINTS_AT_MOST
    count = len(results) + points
    across = 2 if count in (2, 4) else min(count, 3)
    places = [column for _ in range(-(-count // across)) for column in st.columns(across)]

    def shown(number: int, of: Setting | None) -> MapPlacement:
        plain = {**look, "controls": False, "points": few or not number}
        return MapPlacement(f"map-{number}", _HEIGHTS.get(count, _LOW), "beside", plain, of)

    if points:
        with places[0]:
            line("", tr("Original records: {count:,}").format(count=len(session.table)))
            map_view(session, next(iter(made.values())), Boxes.none(), shown(0, None))
    for number, (setting, release) in enumerate(results.items(), start=1):
        with places[number - 1 + points]:
            line("", _title(setting, results))
            if not isinstance(release, kc.Release):
                note(release)
                continue
            map_view(session, release, placed[setting].boxes, shown(number, setting))
            facts = [(tr("cost"), COST().text(session.measured(setting, release, COST).total))]
            note(" · ".join(f"{name} {text}" for name, text in [*facts, *placed[setting].facts()]))
    note(compared_sentence(list(placed.values())))
    says = tr("Areas and diagonals are of each record's rectangle. Cost: {meaning}")
    note(says.format(meaning=COST.sentence))


def _title(setting: Setting, every: Collection[Setting]) -> str:
    """The algorithm, and its k where every compared setting does not have the same."""
    title = figure_title(setting.algorithm) if setting.algorithm in FIGURES else setting.title
    return title if len({one.k for one in every}) == 1 else f"{title}, k = {setting.k}"

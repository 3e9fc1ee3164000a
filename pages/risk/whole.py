"""Attacks on the whole table: a button for each, and the results of those that were run."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import percent, tr
from kanon_core.risk.tables import TABLE_ATTACKS
from kanon_core.runs.attacking import TARGETS
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.tables import Cell, cell, html_table, named, number
from pages.widgets.text import error, line, not_for_this_table, note

Results = dict[str, tuple[kc.Attacked, ...]]
_FOUND: Key[tuple[str, Results]] = Key("attacks on the table", ("", {}))
_ASKED: Key[str] = Key("attack asked for", "")


def whole_view(session: Session, release: kc.Release) -> None:
    """Show a button for each attack, run the one that was clicked, and show all results."""
    note(
        tr(
            "Each attacker knows all quasi-identifiers of up to {limit:,} people drawn at random. There are"
            " two exceptions: the last attacker knows everybody's quasi-identifiers and the program, and the"
            " singling-out attacker knows nobody's. Inference, linkability, singling out and membership are"
            " also tried on a control group. A fifth of the records (half for singling out) form the control"
            " group, and the others are anonymized again with this setting."
        ).format(limit=TARGETS)
    )
    key = f"{session.table.digest} {session.setting.key}"
    _buttons(session, release)
    asked = _ASKED.pop()
    if asked:
        _run(session, release, asked, key)
    found = _results(key)
    if found:
        _shown(found)


def _buttons(session: Session, release: kc.Release) -> None:
    unfit: list[tuple[str, list[str]]] = []
    with st.container(horizontal=True, key="attack-buttons"):
        for cls in TABLE_ATTACKS:
            reasons = cls().unsuitable(session.table, release)
            unfit.append((cls.title, reasons))
            button(
                cls.title,
                _ASKED.set,
                cls.__name__,
                icon="play_arrow",
                help=reasons[0] if reasons else cls.sentence,
                disabled=bool(reasons),
                key=f"attack-{cls.__name__}",
            )
    not_for_this_table(unfit)


def _run(session: Session, release: kc.Release, name: str, key: str) -> None:
    """Run the attack now; a click anywhere stops it."""
    one = next(cls() for cls in TABLE_ATTACKS if cls.__name__ == name)
    try:
        with working(_ASKED.pop, "stop-attack", one.title) as tick:
            found = kc.attack(session.table, release, [one], progress=tick)
    except kc.KanonError as reason:
        error(reason)
        return
    _FOUND.set((key, {**_results(key), name: found}))


def _results(key: str) -> Results:
    """Return the results of this table and setting."""
    whose, found = _FOUND.get()
    return found if whose == key else {}


def _shown(results: Results) -> None:
    found = [one for cls in TABLE_ATTACKS for one in results.get(cls.__name__, ())]
    heads = (
        tr("attack"),
        tr("correct guesses"),
        tr("guesses"),
        tr("rate"),
        tr("95 % interval and baseline"),
        tr("baseline"),
        tr("control group"),
        tr("risk"),
    )
    html_table(named(heads), map(_row, found))
    note(
        tr(
            "Bar: 95 % interval of the rate. Dot: rate. Line: baseline, the rate of somebody who knows"
            " nothing about the target and guesses at random or, for a sensitive value, the most frequent"
            " value. Risk is the increase over the rate c of the control group or, without one, the"
            " baseline: (rate − c) / (1 − c). The guesses use a fixed seed, so the figures are the same each"
            " time."
        )
    )
    for one in found:
        line("", one.title, f": {one.sentence}")


def _row(attacked: kc.Attacked) -> Iterator[Cell]:
    value, low, high = attacked.risk
    control = attacked.control_rate
    yield cell(attacked.title)
    yield number(f"{attacked.succeeded:,}")
    yield number(f"{attacked.tried:,}")
    yield number(percent(attacked.rate, 1))
    yield Cell(_bar(attacked))
    yield number(percent(attacked.baseline, 1))
    yield number(tr("none") if control is None else percent(control, 1))
    yield number(f"{percent(value, 1)} ({percent(low, 1)} – {percent(high, 1)})")


def _bar(attacked: kc.Attacked) -> str:
    """Return interval, rate and baseline on a line from 0 to 100 %, with a text for screen readers."""
    low, high = attacked.interval
    says = tr("{low} to {high}, baseline {chance}").format(
        low=percent(low, 1), high=percent(high, 1), chance=percent(attacked.baseline, 1)
    )
    left, width, rate, chance = (100 * x for x in (low, high - low, attacked.rate, attacked.baseline))
    return (
        f'<span class="reach" role="img" aria-label="{escape(says)}" title="{escape(says)}">'
        f'<i style="left:{left:.2f}%;width:{width:.2f}%"></i>'
        f'<s style="left:{chance:.2f}%"></s><b style="left:{rate:.2f}%"></b></span>'
    )

"""Step by step: the decisions of a run, one at a time; two runs side by side on the same points."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from kanon_core.table.samples import sample
from kanon_core.teaching.explain import RECORDS_AT_MOST, Story
from pages.learn.begin import BESIDE, STEP, beside
from pages.learn.choosing import choose
from pages.learn.stories import BLOCK, side_of, story_of
from pages.learn.study import SHORT, TABLE, choices, fitting, no_study, rows_of, study
from pages.shell import page_address
from pages.shell.frame import theme
from pages.state.keys import Key
from pages.state.session import Session, has_people
from pages.state.setting import Setting
from pages.widgets.pickers import button
from pages.widgets.presenting import presenting, unpresented
from pages.widgets.text import note, warning

_js, _css = ((ASSETS / f"player.{kind}").read_text("utf-8") for kind in ("js", "css"))
_shown = st.components.v2.component("kanon.player", js=_js, css=_css)
_PLAYER: Key[Any] = Key("learn-player", None)
_MORE = Key("learn more", 0)
"""The pictures to send: 0, 1 or 2, as ``more`` of `side_of`."""
_RUN: Key[tuple[tuple[str, ...], int]] = Key("learn run", ((), 0))
"""The current run and its number; the browser receives only the number."""


def steps_view(session: Session) -> dict[str, str]:
    """Show the choices and the player; return the part of the address for them."""
    with unpresented("choices"):
        choose(session)
        _about(session)
    one = study(session)
    settings = [one.setting, *beside(one)]
    stories = [story_of(one, setting, f"story-{i}") for i, setting in enumerate(settings)]
    told = [(setting, story) for setting, story in zip(settings, stories, strict=True) if story]
    said = {**page_address.address_of(one), "beside": BESIDE.get()}
    if one.setting.algorithm.unsuitable(one.table, one.setting.k):
        _elsewhere(session, one)
    if told:
        _play(one, told)
        said["step"] = str(STEP.get() + 1)
    return said


def _about(session: Session) -> None:
    """Show why the table is not the whole loaded table, if so."""
    if reason := no_study(session.table):
        note(reason)
    one, whole = study(session), rows_of(session)
    if whole > len(one.table):
        says = tr(
            "The steps cover at most {limit} records. These are {shown} of the {count:,} records, a random"
            " sample that is always the same. Its groups are not those of the whole table."
        )
        if has_people(one.table):
            says = tr(
                "The steps cover at most {limit} records. These are {shown} of the {count:,} records: all"
                " records of a random sample of people with at most {short} records each. The sample is"
                " always the same. Its groups are not those of the whole table."
            )
        note(says.format(limit=RECORDS_AT_MOST, shown=len(one.table), count=whole, short=SHORT))


def _elsewhere(session: Session, shown: Session) -> None:
    """Show a button to a table that suits the algorithm."""
    name = fitting(session, shown)
    if name:
        title = choices(session).get(name) or sample(name).title
        says = tr("Show the steps on {table}").format(table=title)
        button(says, TABLE.set, name, icon="table", key="learn-elsewhere")


def _play(session: Session, stories: list[tuple[Setting, Story]]) -> None:
    """Show the player and store the step that it reports, for the next pictures and the address."""
    run, count = (
        _run(session, [setting for setting, _ in stories]),
        max(len(story.steps) for _, story in stories),
    )
    if not 0 <= STEP.get() < count:
        warning(tr("This run has the steps 1 to {count}. The first step is shown.").format(count=count))
        STEP.set(0)

    def moved() -> None:
        at = getattr(_PLAYER.get(), "at", None) or {}
        if at.get("key") == run and isinstance(at.get("step"), int):
            STEP.set(min(max(at["step"], 0), count - 1))
            _MORE.set(1 if at.get("more") == 1 else 2 if at.get("more") == 2 else 0)

    step, two = STEP.get(), bool(BESIDE.get()) or presenting()
    sides = [
        {"title": _title(setting) if two else "", **side_of(session, setting, story, step, _MORE.get())}
        for setting, story in stories
    ]
    data = {"key": run, "sides": sides, "block": BLOCK, "step": step, "presenting": presenting()}
    _shown(key=_PLAYER.name, data={**data, "words": _words()}, on_at_change=moved)


def _run(session: Session, settings: list[Setting]) -> str:
    """Return the number of the run; a new run starts at its first step."""
    shown, number = _RUN.get()
    now = (session.table.digest, *(setting.key for setting in settings))
    if shown[:-1] != now and shown:
        STEP.set(0)
    if shown != (*now, theme()):
        number += 1
        _MORE.set(0)
        _RUN.set(((*now, theme()), number))
    return str(number)


def _title(setting: Setting) -> str:
    return tr("{title}, k = {k}").format(title=setting.title, k=setting.k)


def _words() -> dict[str, str]:
    return {
        "player": tr("Steps of the run: the arrow keys move forward and back, the space bar plays"),
        "step": tr("Step"),
        "of": tr("step {step} of {count}"),
        "first": tr("First step (Home)"),
        "back": tr("Back (←)"),
        "play": tr("Play (space)"),
        "pause": tr("Pause (space)"),
        "next": tr("Next (→)"),
        "last": tr("Last step (End)"),
        "pace": tr("Speed"),
        "keys": tr("Keys: ← → to step, space to play, Esc to exit"),
    }

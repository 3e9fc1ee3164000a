"""Check: what any released file keeps, ours or not, which rows fail, and the smallest repair."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.base.words import counted, tr
from pages.check.failing import failing, fewest
from pages.check.file import Chosen, chosen
from pages.check.model_controls import chosen_models, counting
from pages.check.repairs import repairs
from pages.check.verdicts import levels, verdicts
from pages.shell.frame import open_page
from pages.shell.status import bar
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import error, heading, note

_CHECKED: Key[tuple[str, kc.Checked] | None] = Key("checked", None)
_STOPPED: Key[str] = Key("check-stopped", "")


def main(session: Session) -> None:
    """The file and what is asked on the left, what was found on the right."""
    top = st.container()
    left, right = st.columns([2, 5], gap="large")
    with left, st.container(key="check-settings"):
        given = chosen(session)
    if given is None:
        with top:
            bar([(tr("file"), tr("none yet"))])
        with right:
            _what_for()
        return
    with left:
        models = chosen_models(session, given.original is not None)
        counted = counting(session)
    key = f"{given.key} {[expression(one) for one in models]} {expression(counted)}"
    with right:
        found = _found(given, models, counted, key)
    with top:
        bar(_chips(given, models, found))
    if found is not None:
        with right:
            _shown(found, given.file_id, key)


def _chips(
    given: Chosen, models: list[kc.Guarantee], checked: kc.Checked | None
) -> Iterator[tuple[str, str]]:
    """Yield the texts of the line that says what is on screen."""
    yield tr("file"), f"{given.name}, {counted(len(given.file.table), 'row')}"
    if given.original is not None:
        records = tr("a table of {records}").format(records=counted(len(given.original), "record"))
        yield tr("beside"), records
    yield tr("asked"), "; ".join(f"{one.called} {one.wanted}" for one in models) or tr("nothing")
    if checked is not None and models:
        yield tr("holds"), tr("all of it") if checked.holds else tr("not all of it")


def _what_for() -> None:
    """Show the purpose of the page, while there is no file."""
    heading(tr("Is a released file what it claims?"))
    note(
        tr(
            "Upload a released file, made by Kanon or any other program, alone or beside its"
            " original table. No table has to be loaded first. Choose what an attacker may know and"
            " which guarantees to check; the page says what holds, which level is reached, which"
            " rows fail, and what the smallest repair costs."
        )
    )
    note(
        tr(
            "Cells are read as usual programs write them: [10, 20], [10,20[, 10-20, 20–29, {F, M}, 2*, *,"
            " ≥ 90, NA, numbers with decimal commas."
        )
    )


def _found(given: Chosen, models: list[kc.Guarantee], counted: kc.Counting, key: str) -> kc.Checked | None:
    """Return what the check finds, once for each file and setting; None, with the reason, where there is
    nothing."""
    known = _CHECKED.get()
    if known is not None and known[0] == key:
        return known[1]
    if _STOPPED.get() == key:
        button(tr("Check again"), _STOPPED.pop, icon="play_arrow")
        return None
    try:
        with working(lambda: _STOPPED.set(key), "stop-check") as tick:
            found = kc.check(given.file, models, given.original, counted, tick)
    except kc.KanonError as reason:
        error(reason)
        return None
    _CHECKED.set((key, found))
    return found


def _shown(checked: kc.Checked, file: str, key: str) -> None:
    verdicts(checked)
    failing(checked)
    repairs(checked, file, key)
    heading(tr("By every model"))
    levels(checked)
    fewest(checked)


main(open_page("check"))

"""Check: guarantees of any released file, failing rows, and the smallest repair."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.base.words import tr
from pages.check.failing import failing, fewest
from pages.check.file import chosen, unreadable_file
from pages.check.model_controls import chosen_models, counting
from pages.check.repairs import repairs
from pages.check.verdicts import levels, verdicts
from pages.shell.cases import file_bar
from pages.shell.frame import open_page
from pages.shell.statusline import bar
from pages.state.case import CheckedFile
from pages.state.jobs import once
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.text import heading, note

_CHECKED: Key[tuple[str, kc.Checked] | None] = Key("checked", None)


def main(session: Session) -> None:
    """Show the file and the requested guarantees on the left and the result on the right."""
    top = st.container()
    left, right = st.columns([2, 5], gap="large")
    with left, st.container(key="check-settings"):
        given = chosen(session)
    if given is None:
        session.look_at_file(None, unreadable_file())
        with top:
            bar([(tr("file"), tr("none"))])
        with right:
            _what_for()
        return
    with left:
        models = chosen_models(session, given.original is not None)
        counted = counting(session)
    key = f"{given.key} {[expression(one) for one in models]} {expression(counted)}"
    with right:
        if given.waits:
            says = tr(
                "These results are about the file alone. Upload its original under “Original table” to"
                " compare the two."
            )
            note(says)
        found = _found(given, models, counted, key)
    session.look_at_file(replace(given, checked=found))
    with top:
        file_bar(session)
    if found is not None:
        with right:
            _shown(found, given.upload.file_id, key)


def _what_for() -> None:
    heading(tr("Check a released file"))
    note(
        tr(
            "Upload a released file, made by Kanon or any other program. You can compare it with"
            " its original table; you do not have to load a table first. Choose what an attacker"
            " may know and which guarantees to check. The page shows which guarantees hold, the"
            " level reached, the failing rows, and the cost of the smallest repair."
        )
    )
    note(
        tr(
            "Kanon reads the usual forms of published cells: [10, 20], [10,20[, 10-20, 20–29, {F,"
            " M}, 2*, *, ≥ 90, NA, and numbers with decimal commas."
        )
    )


def _found(
    given: CheckedFile, models: list[kc.Guarantee], counted: kc.Counting, key: str
) -> kc.Checked | None:
    """Return the result of the check, computed once for each file and setting; None, with the reason on
    screen, if there is none."""
    if given.undecided:
        note(tr("The check starts after you answer the question about the person of each row."))
        return None
    return once(
        _CHECKED,
        key,
        "check",
        tr("Check again"),
        lambda tick: kc.check(given.file, models, given.original, counted, tick),
    )


def _shown(checked: kc.Checked, file: str, key: str) -> None:
    verdicts(checked)
    failing(checked)
    repairs(checked, file, key)
    heading(tr("Levels reached, by model"))
    levels(checked)
    fewest(checked)


main(open_page("check"))

"""Smallest repairs of a failing file, with their costs; each is created by a click."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.checks.repairing import WAYS, checked_again, what_still_fails
from kanon_core.report.released_file import release_bytes
from kanon_core.table.writers import in_front_said, marked_cells
from pages.state.jobs import once
from pages.state.keys import Key
from pages.widgets.files import download
from pages.widgets.pickers import button
from pages.widgets.text import error, heading, line, note

_PRICED: Key[tuple[str, dict[str, kc.Repaired]] | None] = Key("check-repairs", None)
_MADE = Key("check-repair-made", "")
_CLICKED: Key[str] = Key("check-repair-clicked", "")
"""By file: the clicked repair; it is created for the guarantees requested when the page is drawn again."""


def repairs(checked: kc.Checked, file: str, key: str) -> None:
    """Show what leaving out and merging cost, and the release of the one that is chosen of this ``file``."""
    if clicked := _CLICKED.of(file).pop():
        _MADE.set(f"{key} {clicked}")
    if all(model.verdict is not None and model.verdict.holds for model in checked.asked):
        return
    heading(tr("Repairs"))
    ways = _priced(checked, key)
    if ways is None:
        return
    columns = st.columns(len(ways), gap="large")
    titles = {
        "suppress": tr("Suppress the failing rows"),
        "merge": tr("Merge the failing classes with others"),
    }
    cheapest = min((w for w in ways.values() if w.release), key=lambda w: w.after, default=None)
    for column, (way, repair) in zip(columns, ways.items(), strict=True):
        with column, st.container(border=True, key=f"repair-{way}"):
            _offered(repair, titles[way], _CLICKED.of(file), way, repair is cheapest)
            if _MADE.get() == f"{key} {way}" and repair.release is not None:
                _made(checked, repair.release, way)


def _priced(checked: kc.Checked, key: str) -> dict[str, kc.Repaired] | None:
    """Return all repairs with their costs, computed once; None if the computation was stopped."""

    def make(tick: Tick) -> dict[str, kc.Repaired]:
        return {way: kc.repaired(checked, way, progress=tick) for way in WAYS}

    return once(_PRICED, key, "repairs", tr("Compute the cost of repairs"), make)


def _offered(repair: kc.Repaired, title: str, clicked: Key[str], way: str, cheapest: bool) -> None:
    """Show the cost and the button of a repair. The button is the same whatever is requested, so a click
    counts even if the page is drawn again meanwhile."""
    line("", title, tr(" – lower certainty penalty") if cheapest else "")
    note(repair.price)
    if repair.release is not None:
        button(tr("Create this release"), clicked.set, way, icon="build", key=f"make-{way}")


def _made(checked: kc.Checked, release: kc.Release, way: str) -> None:
    """Show the release of a repair, checked again, with its recipe."""
    content = release_bytes(release)
    if failing := what_still_fails(checked_again(checked, release)):
        error(failing)
    else:
        note(tr("The repaired release was checked: all requested guarantees hold."))
    download(tr("Download the release"), content, "repaired.csv", key=f"get-{way}", type="primary")
    if count := marked_cells(release.publish(False)):
        note(in_front_said(count))
    download(
        tr("Download the recipe of the repair"), release.recipe.to_json(), "repair.json", key=f"how-{way}"
    )
    note(
        tr(
            "The command kanon run reproduces exactly this release from the recipe and the same"
            " file. The recipe contains the seed of the row order, so keep it as safe as the"
            " checked file. The release does not contain the columns that name people."
        )
    )

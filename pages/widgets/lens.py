"""Person lens: one record, those among whom it hides, and what each attacker learns.

It opens with a click on a record anywhere: a page calls `look_at` for what was clicked in a picture, gives
rows their `record_cell`, and calls `lens` at the end of the part that moves with its slider.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.assets import ASSETS
from kanon_core.base.progress import Tick
from kanon_core.base.words import percent, tr
from kanon_core.charts.concealment.matches import planned
from kanon_core.charts.groups.exposure import DOTS, exposure_picture, learned_text
from kanon_core.findings.exposure import Exposure, Learned, exposure
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.people import no_persons, persons_of
from pages.shell.frame import theme
from pages.state.jobs import once, release_of
from pages.state.keys import Key, drawn_page, kept, linked
from pages.state.session import Session
from pages.state.setting import known_population
from pages.widgets.beforeafter import FEW, cells_of, first_columns, sides_table
from pages.widgets.files import download
from pages.widgets.pickers import button
from pages.widgets.presenting import BACK, NEXT, step_keys
from pages.widgets.tables import Cell, cell, html_table, named, record_cell
from pages.widgets.text import bold, heading, note, sentence

_ASKED: Key[int | None] = Key("record clicked", None)
_RECORD: Key[int] = Key("record under the lens", 0)
_OPEN = Key("lens open over", "")
_EXPOSURE: Key[tuple[str, Exposure] | None] = Key("exposure", None)
_rows = st.components.v2.component("kanon.lens", js=(ASSETS / "lens.js").read_text("utf-8"))


def look_at(record: int | None) -> None:
    """Open the lens on this record (from 0) when the page is drawn next; None: leave it closed."""
    _ASKED.set(record)


def lens(session: Session) -> None:
    """Listen for clicks on rows, and show the lens once a record was clicked, until somebody closes it: the
    page may be drawn again meanwhile, as when its curve is complete."""
    _listen("lens-rows", False)
    record, here = _ASKED.pop(), f"{drawn_page()} {session.table.digest}"
    if record is not None and 0 <= record < len(session.table):
        _RECORD.of(session.table.digest).set(record)
        _OPEN.set(here)
    if _OPEN.get() == here:
        icon = ":material/person_search:"
        st.dialog(tr("Person lens"), width="large", icon=icon, on_dismiss=_close)(_lens)(session)


def _close() -> None:
    _OPEN.set("")


def _listen(key: str, inside: bool) -> None:
    """Listen for clicks on the rows of the page, or of those inside the lens."""

    def take() -> None:
        record = getattr(Key[object](key, None).get(), "record", None)
        look_at(record - 1 if isinstance(record, int) else None)

    _rows(key=key, data={"inside": inside}, on_record_change=take)


def _lens(session: Session) -> None:
    """Draw the lens on the record that was chosen last."""
    place = _RECORD.of(session.table.digest)
    clicked = _ASKED.pop()
    if clicked is not None and 0 <= clicked < len(session.table):
        place.set(clicked)
    # A dialog stands outside the page, and does not take its colors from it.
    with st.container(key="lens"), st.container(key=f"lens-{theme()}", gap="small"):
        bar, body = st.container(), st.container()
        with body:
            found = _exposure(session, place.get())
        with bar:
            _bar(session, place, found)
        step_keys()
        _listen("lens-inside", True)


def _exposure(session: Session, record: int) -> tuple[kc.Release, Exposure] | None:
    """Show the record and what attackers learn of it; return both, or None where nothing can be said."""
    release = release_of(session)
    if release is None:
        return None
    table, known = session.table, known_population(session.table).get()

    def made(tick: Tick) -> Exposure:
        return exposure(table, release, record, session.risks(release, known, tick), tick)

    key = f"{table.digest} {session.setting.key} {known.key} {known.missing} {record}"
    found = once(_EXPOSURE, key, "lens", tr("Measure again"), made)
    if found is None:
        return None
    _shown(session, release, found)
    return release, found


def _bar(session: Session, place: Key[int], found: tuple[kc.Release, Exposure] | None) -> None:
    """Show the buttons of the lens, and the number of the record."""
    record, order = place.get(), _people(session)
    at = int(np.searchsorted(order, record, "right")) - 1

    def go(step: int) -> None:
        place.set(int(order[(at + step) % len(order)]))

    with st.container(horizontal=True, vertical_alignment="bottom", key="lens-bar"):
        tied = linked("record of the lens", record + 1, lambda number: place.set(number - 1))
        st.number_input(tr("Record"), 1, len(session.table), width=150, **tied)
        button(tr("Previous person"), go, -1, icon="arrow_back", key=BACK)
        button(tr("Next person"), go, 1, icon="arrow_forward", key=NEXT)
        if st.toggle(tr("Larger"), key=kept("lens-larger", False)):
            st.html('<div class="lens-large"></div>')
        if found is not None and found[1].published:
            download(
                tr("Save as picture"),
                partial(_picture, *found, theme()),
                "person.svg",
                key="lens-picture",
                help=tr("An SVG file with what is published and the figures, but no original value."),
            )


def _picture(release: kc.Release, found: Exposure, look: str) -> bytes:
    return exposure_picture(release, found, look).encode()


def _people(session: Session) -> np.ndarray:
    """int64, ascending: the first record of each person."""
    if no_persons(session.table):
        return np.arange(len(session.table))
    numbers = persons_of(session.table).numbers  # below 0: nobody
    people, first = np.unique(numbers, return_index=True)
    return np.sort(first[people >= 0])


def _shown(session: Session, release: kc.Release, found: Exposure) -> None:
    """Show the sentence, the record before and after, the attackers, and those among whom it hides."""
    if not found.published:
        says = tr("Record *{number}* is suppressed: it has no row, so no attacker finds one.")
        sentence(*bold(says, number=found.record + 1))
    else:
        sentence(*_among(release, found))
        _dots(found)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        heading(tr("Before and after") if found.disjoint else tr("Original record"))
        _record(session.table, release, found)
    with right:
        heading(tr("What each attacker learns"))
        if found.learned:
            kind = "attackers"
            html_table(map(cell, _heads()), map(_attacker, found.learned), kind=kind)
        for text in found.notes:
            note(text)
    if found.published:
        _members(session.table, release, found)
    note(
        tr(
            "Not covered: what the unchanged columns single out, earlier releases, knowledge of other"
            " people’s sensitive values, and a seed that became known. The findings and the attacks on the"
            " whole table cover these. The journalist and the marketer do not know who is in the table; they"
            " learn values only of people who are."
        )
    )


def _among(release: kc.Release, found: Exposure) -> list[str]:
    """Return the sentence on the size of the anonymity set; every second part is emphasized."""
    held = release.guarantee
    whom = held.beyond or tr(" from an attacker who {knows}").format(knows=held.attacker)
    if found.size == 1:
        return bold(tr("Record *{number}* hides among no others{whom}."), number=found.record + 1, whom=whom)
    says = tr("Record *{number}* hides among *{size:,} {alike}*{whom}.")
    if found.disjoint:
        says = tr("Record *{number}* hides among *{size:,} {alike}*, itself included,{whom}.")
    return bold(says, number=found.record + 1, size=found.size, alike=held.alike, whom=whom)


def _dots(found: Exposure) -> None:
    """Show a dot for each of those among whom the record hides, its own solid."""
    more = found.size - min(found.size, DOTS)
    dots = '<i class="own"></i>' + "<i></i>" * (min(found.size, DOTS) - 1)
    says = f"<span>+ {more:,}</span>" if more else ""
    st.html(f'<div class="crowd" aria-hidden="true">{dots}{says}</div>')


def _record(table: kc.Table, release: kc.Release, found: Exposure) -> None:
    """Show the record's quasi-identifiers, original and, where it has one row for sure, published; then its
    sensitive values, which are published unchanged."""
    row = np.array([found.record])
    both = found.disjoint and found.published
    rows = []
    for column in table.quasi:
        side = cells_of(column, release, row)
        changed = "changed" if side.changed[0] else ""
        after = [Cell(side.after[0], kind=f"set {changed}")] if both else []
        rows.append([cell(column.attribute.name), Cell(side.before[0], "set"), *after])
    for attribute in table.schema.of_role("sensitive"):
        own = original_texts(table[attribute.name], row)[0]
        after = [cell(tr("unchanged"))] if both else []
        rows.append([cell(attribute.name), cell(own, "set"), *after])
    heads = [tr("column"), tr("original"), *([tr("published")] if both else [])]
    html_table(named(heads), rows)


def _heads() -> tuple[str, ...]:
    return tr("Attacker"), tr("Picks the right row"), tr("Learns")


def _attacker(one: Learned) -> Iterator[Cell]:
    """Yield the cells of one attacker."""
    yield Cell(f"{escape(one.knows)} <i>{escape(one.title)}</i>", "set")
    before = "" if one.before is None else tr("original: {before}").format(before=percent(one.before))
    yield Cell(
        f"<b>{escape(percent(one.chance))}</b>"
        f'<span class="chance" aria-hidden="true"><i style="width:{100 * one.chance:.2f}%"></i></span>'
        f"<small>{escape(before)}</small>"
    )
    if one.values is None:
        yield cell(tr("values of these rows are not counted"), "set")
    elif not one.values:
        yield cell(tr("no column is sensitive"), "set")
    else:
        yield Cell("<br>".join(escape(learned_text(value)) for value in one.values), "set")


def _members(table: kc.Table, release: kc.Release, found: Exposure) -> None:
    """Show the first records among whom it hides, before and after; where sets overlap, the published rows
    that can be its own."""
    shown = found.among[:FEW]
    if found.disjoint:
        heading(tr("Records with the same published row ({count:,})").format(count=len(found.among)))
        sides_table(table, release, shown, first_columns(table))
    else:
        heading(tr("Rows that the program made for it ({count:,})").format(count=len(found.among)))
        texts = planned(release).texts(shown)
        names = [table.quasi[i].attribute.name for i in first_columns(table)]
        html_table(
            [cell(tr("made for record")), *named(names)],
            (
                [record_cell(row), *(cell(texts[name][i], "", texts[name][i]) for name in names)]
                for i, row in enumerate(shown.tolist())
            ),
        )
        note(tr("Which of these rows is its own was drawn with the seed. The lens does not show it."))
    if len(found.among) > FEW:
        note(tr("The first {few} are shown.").format(few=FEW))

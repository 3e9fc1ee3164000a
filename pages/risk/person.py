"""Attack on one person: the attacker's knowledge, and the matching records and rows."""

from __future__ import annotations

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import percent, tr
from kanon_core.risk.knowledge import levels
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.writers.cells import texts as written
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets.layout import lazy_popover
from pages.widgets.pickers import button
from pages.widgets.tables import cell, html_table, named, number, record_cell
from pages.widgets.text import error, heading, line, note, plain

SHOWN = 12
"""The number of candidates shown on each side."""
_RECORD: Key[int] = Key("attack-record", 0)
_PUBLISHED = ("quasi_identifier", "sensitive", "other")


def person_view(session: Session, release: kc.Release) -> None:
    """Show the choices on the left and the matching records and rows on the right."""
    left, right = st.columns([2, 5], gap="large")
    with left:
        record = _record(session)
        known = _known(session)
    with right:
        try:
            found = kc.candidates(session.table, release, record, known)
        except kc.KanonError as reason:
            error(reason)
            return
        line("", found.sentence)
        _before(session, found)
        _after(release, found)
        _in_common(found)


def _record(session: Session) -> int:
    """Return the number of the target record, from 0: a random one until another is chosen."""
    count, key = len(session.table), _RECORD.of(session.table.digest)
    name = kept(key.name, _drawn(session, 0))

    def another() -> None:
        key.set(_drawn(session, key.get()))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(tr("Record"), 1, count, key=name)
        button(
            tr("Another"), another, icon="casino", help=tr("choose a record at random"), key="another-record"
        )
    return key.get() - 1


def _drawn(session: Session, after: int) -> int:
    """Return a random record number, from 1; the same number always follows the same number."""
    rng = np.random.default_rng([int(session.table.digest[:12], 16), after])
    return int(rng.integers(len(session.table))) + 1


def _known(session: Session) -> dict[str, float]:
    """Draw the controls for the precision of each known quasi-identifier; return the choices."""
    names = [column.attribute.name for column in session.table.quasi]
    key = kept(f"attack-known-{session.table.digest}", names, names)
    chosen = st.multiselect(tr("Known to the attacker"), names, key=key, placeholder=tr("none"))
    rough = [c for c in session.table.quasi if c.attribute.name in chosen and _can_be_rough(c)]
    found = dict.fromkeys(chosen, 0.0)
    if rough:
        with lazy_popover(tr("Precision of the knowledge"), "attack-roughly", "tune") as open:
            note(tr("0 means exact knowledge. For a number, enter ± its units; for a date, ± days."))
            for column in rough:
                found[column.attribute.name] = _roughly(session, column, open)
    says = [name for name, width in found.items() if width]
    if says:
        note(tr("Known approximately: {names}.").format(names=", ".join(says)))
    return found


def _can_be_rough(column: Column) -> bool:
    return isinstance(column, Numbers) or levels(column) > 0


def _roughly(session: Session, column: Column, shown: bool) -> float:
    """Draw the control for the precision of this column only while ``shown``; return the choice."""
    name = column.attribute.name
    key: Key[float] = Key("attack-how-roughly", 0.0).of(session.table.digest, name)
    known = key.of("taken")

    def take() -> None:
        known.set(key.get())

    if shown:
        key.set(known.get())
        if isinstance(column, Numbers):
            st.number_input(plain(tr("{name}, ±").format(name=name)), 0.0, key=key.name, on_change=take)
        else:
            label = plain(tr("{name}, levels above the value").format(name=name))
            st.number_input(label, 0.0, float(levels(column)), step=1.0, key=key.name, on_change=take)
    return known.get()


def _before(session: Session, candidates: kc.Candidates) -> None:
    """Show the first matching records of the table with the columns that are published, never an
    identifier."""
    table = session.table
    names = [attribute.name for attribute in table.schema if attribute.role in _PUBLISHED]
    heading(tr("Original: {count:,} matching").format(count=candidates.count_before))
    rows = candidates.before[:SHOWN]
    columns = [["" if t is None else t for t in written(table.frame[name].iloc[rows])] for name in names]
    numbers = map(record_cell, rows.tolist())
    cells = (
        [first, *map(cell, texts)] for first, texts in zip(numbers, zip(*columns, strict=True), strict=True)
    )
    html_table([cell(tr("record")), *named(names)], cells, kind="originals")
    _more(len(candidates.before))


def _after(release: kc.Release, candidates: kc.Candidates) -> None:
    """Show the first matching rows in an order that does not reveal their records."""
    heading(tr("Release: {count:,} matching").format(count=candidates.count_after))
    if not len(candidates.after):
        note(tr("No published row matches."))
        return
    frame = release.to_frame(candidates.after).astype("str").fillna("")
    frame = frame.sort_values(list(map(str, frame)), kind="stable").head(SHOWN)
    html_table(named(map(str, frame)), (map(cell, row) for row in frame.itertuples(index=False)), lead=False)
    _more(len(candidates.after))


def _more(count: int) -> None:
    if count > SHOWN:
        note(tr("{shown} of {count:,} are shown.").format(shown=SHOWN, count=count))


def _in_common(candidates: kc.Candidates) -> None:
    """Show what all rows say, column by column."""
    if not candidates.in_common:
        return
    heading(tr("Values in these rows"))
    heads = named([tr("column"), tr("different cells"), tr("values")])
    rows = []
    for one in candidates.in_common:
        says = ", ".join(f"{text} ({percent(share, 1)})" for text, share in one.shares)
        more = one.different - len(one.shares)
        says += tr(", and {more:,} more").format(more=more) if more > 0 else ""
        certain = tr("certain: {text}").format(text=one.shares[0][0]) if one.certain else says
        rows.append([cell(one.column), number(f"{one.different:,}"), cell(certain)])
    html_table(heads, rows)

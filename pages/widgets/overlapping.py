"""Overlapping sets: a picked record and its set."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.concealment.overlapping import set_figure, set_of
from pages.shell.frame import theme
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.beforeafter import before_texts, shown_columns
from pages.widgets.layout import chart
from pages.widgets.lens import look_at
from pages.widgets.tables import Cell, cell, html_table, named, record_cell
from pages.widgets.text import heading, note

PICKED: Key[int | None] = Key("picked record", None)
"""By table: the picked record on Clusters and Concealment."""

FEW = 50


def overlapping(session: Session, release: kc.Release, axes: tuple[str | None, str | None, str]) -> None:
    """Show the picture with one record's set, its number, and the records of the set."""
    picked = PICKED.of(session.table.digest)
    record = picked.get() or 0
    x, y, outlines = axes
    figure = session.picture(
        ("sets", *axes, record, theme()),
        lambda: set_figure(session.table, release, record, x, y, outlines, theme()),
    )
    note(chart(figure, "sets", picked_number, partial(take_record, session)))
    heading(tr("One record and its anonymity set"))
    n, tied = len(session.table), linked("record number", record + 1, lambda number: picked.set(number - 1))
    says = tr("Record (1 to {n}): click a record in the picture or type its number").format(n=n)
    st.number_input(says, 1, n, width=420, **tied)
    _table_of(session, release, record)


def take_record(session: Session, record: int) -> None:
    """Pick the record that was clicked in a picture, and open the lens on it."""
    PICKED.of(session.table.digest).set(record)
    look_at(record)


def _table_of(session: Session, release: kc.Release, record: int) -> None:
    """Show the published row of the record and the originals it is true of, the record first."""
    members = set_of(release, record)
    others = members[members != record]
    rows = np.concatenate([[record], others[: FEW - 1]]).astype(np.int64)
    places = shown_columns(session.table)
    names = [session.table.quasi[i].attribute.name for i in places]
    originals, published = before_texts(session.table, rows), release.texts(rows[:1])
    row = [Cell(f"{record + 1}, published"), *(cell(published[name][0], "changed") for name in names)]
    below = (
        [record_cell(n), *(cell(originals[at][i]) for at in places)] for i, n in enumerate(rows.tolist())
    )
    html_table([Cell("record"), *named(names)], [row, *below], kind="originals")
    among = release.hidden_among
    least, most = int(among.min()), int(among.max())
    counted = f"{least:,}" if least == most else tr("{least:,} to {most:,}").format(least=least, most=most)
    says = tr(
        "The first line is the published row. Below are the {count:,} original records that this"
        " row is true of. In the whole table, each record matches {counted} published rows: it"
        " can have any of them while every other record also has a row."
    ).format(count=len(members), counted=counted)
    if len(members) > FEW:
        says += " " + tr("The first {few} are shown.").format(few=FEW)
    note(says)

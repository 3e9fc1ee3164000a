"""Table of records with their possible rows, the records matched to their row, and published cells, a page at
a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.concealment.matches import design, listed
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.beforeafter import shown_columns
from pages.widgets.tables import Cell, cell, html_table, named, record_cell
from pages.widgets.text import note

ROWS = 20
_LISTED = 8


def hiding_table(session: Session, release: kc.Release, record: int | None) -> None:
    """Show twenty records, the picked one among the first: the rows that could be theirs, and the records
    that their own row stands for."""
    n = len(release)
    pages = -(-n // ROWS)
    page = 0
    if pages > 1:
        number = Key("page of records", (record or 0) // ROWS + 1).of(session.table.digest, record)
        number.set(number.get())
        says = tr("Page (1 to {pages:,})").format(pages=pages)
        page = st.number_input(says, 1, pages, key=number.name, width=160) - 1
    rows = np.arange(page * ROWS, min(n, (page + 1) * ROWS))
    names = [session.table.quasi[i].attribute.name for i in shown_columns(session.table)]
    heads = [
        cell(tr("record")),
        cell(tr("possible rows")),
        cell(tr("records matched to its row")),
        *named(names, "after"),
    ]
    html_table(heads, _rows(release, rows, names, record))
    note(
        tr(
            "Records {first} to {last} of {n:,}, numbered as in the input. The possible rows and the"
            " matched records are those of the design graph. Identifiers and unchanged columns are not shown."
        ).format(first=rows[0] + 1, last=rows[-1] + 1, n=n)
    )


def _rows(
    release: kc.Release, rows: np.ndarray, names: list[str], record: int | None
) -> Iterator[list[Cell]]:
    matchings, published = design(release).matchings, release.texts(rows)
    sources = np.argsort(matchings, axis=1)[:, rows]
    for i, row in enumerate(rows.tolist()):
        mark = "changed" if row == record else ""
        sets = (matchings[:, row], sources[:, i])
        behind = [cell(listed(numbers, _LISTED, ", "), mark, listed(numbers, 200)) for numbers in sets]
        texts = [published[name][i] for name in names]
        shown = [cell(text, "after" if j == 0 else "", text) for j, text in enumerate(texts)]
        yield [record_cell(row), *behind, *shown]

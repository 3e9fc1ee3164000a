"""The table “record → the records it hides behind → published cells”, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.charts.concealment.matches import design, listed
from pages.state.session import Session
from pages.widgets.beforeafter import shown_columns
from pages.widgets.text import note

ROWS = 20
_LISTED = 8


def hiding_table(session: Session, release: kc.Release, record: int | None) -> None:
    """Twenty records, those around the picked one first shown: which rows could be theirs, whom their row
    stands for, its cells."""
    n = len(release)
    pages = -(-n // ROWS)
    page = 0
    if pages > 1:
        key = f"page of records {session.table.digest} {record}"
        st.session_state.setdefault(key, (record or 0) // ROWS + 1)
        page = st.number_input(f"Page (1 to {pages:,})", 1, pages, key=key, width=160) - 1
    rows = np.arange(page * ROWS, min(n, (page + 1) * ROWS))
    places = shown_columns(session.table)
    names = [session.table.quasi[i].attribute.name for i in places]
    published = release.texts(rows)
    st.html("".join(_table(release, rows, names, [published[name] for name in names], record)))
    note(
        f"Records {rows[0] + 1:,} to {rows[-1] + 1:,} of {n:,}, numbered as in the input. “Could be” is by"
        " the design; identifiers are not shown, and neither is what is published unchanged."
    )


def _table(
    release: kc.Release, rows: np.ndarray, names: list[str], published: list[list[str]], record: int | None
) -> Iterator[str]:
    heads = "".join(f'<th scope="col" title="{escape(name)}">{escape(name)}</th>' for name in names)
    matchings = design(release).matchings
    sources = np.argsort(matchings, axis=1)[:, rows]
    yield (
        '<div class="beforeafter" tabindex="0"><table><thead><tr><th scope="col">record</th><th'
        ' scope="col">could be rows</th>'
    )
    yield (
        '<th scope="col">its row stands'
        f" for</th>{heads.replace('<th', '<th class=after', 1)}</tr></thead><tbody>"
    )
    for i, row in enumerate(rows.tolist()):
        mark = ' class="changed"' if row == record else ""
        yield f"<tr><th>{row + 1:,}</th>"
        for numbers in (matchings[:, row], sources[:, i]):
            yield f'<td{mark} title="{listed(numbers, 200)}">{listed(numbers, _LISTED, ", ")}</td>'
        for j, column in enumerate(published):
            cell = escape(column[i])
            yield f'<td{" class=after" if j == 0 else ""} title="{cell}">{cell}</td>'
        yield "</tr>"
    yield "</tbody></table></div>"

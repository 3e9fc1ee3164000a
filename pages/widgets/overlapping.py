"""Sets that overlap: one record is picked, and what it hides behind is shown."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.concealment.overlapping import set_figure, set_of
from pages.shell.frame import theme
from pages.state.session import Session
from pages.widgets.beforeafter import before_texts, shown_columns
from pages.widgets.text import note
from pages.widgets.views import chart

FEW = 50


def overlapping(session: Session, release: kc.Release, axes: tuple[str | None, str | None, str]) -> None:
    """The picture with one record's set; its number, and the records that its published row stands for."""
    record = _picked(session)
    x, y, outlines = axes
    figure = session.picture(
        ("sets", *axes, record, theme()),
        lambda: set_figure(session.table, release, record, x, y, outlines, theme()),
    )

    def clicked() -> None:
        found = picked_number(st.session_state["sets"])
        if found is not None:
            st.session_state[record_key(session)] = found

    chart(figure, "sets", clicked)
    note(figure.layout.meta["alt"])
    st.markdown("#### One record, and those it hides behind")
    _number(session, record)
    _table_of(session, release, record)


def record_key(session: Session) -> str:
    """Where the picked record is kept, for Clusters and Concealment alike."""
    return f"picked record {session.table.digest}"


def _picked(session: Session) -> int:
    """The picked record; it stays picked when the setting changes."""
    return st.session_state.get(record_key(session), 0)


def _number(session: Session, record: int) -> None:
    st.session_state["record number"] = record + 1

    def chosen() -> None:
        st.session_state[record_key(session)] = st.session_state["record number"] - 1

    n = len(session.table)
    st.number_input(
        f"Record (1 to {n:,}); click one in the picture, or type its number",
        1,
        n,
        key="record number",
        on_change=chosen,
        width=420,
    )


def _table_of(session: Session, release: kc.Release, record: int) -> None:
    """The published row of the record, and below it the originals it stands for, the record itself first."""
    members = set_of(release, record)
    others = members[members != record]
    rows = np.concatenate([[record], others[: FEW - 1]]).astype(np.int64)
    places = shown_columns(session.table)
    names = [session.table.quasi[i].attribute.name for i in places]
    originals, published = before_texts(session.table, rows), release.texts(rows[:1])
    st.html(
        "".join(_rows(names, rows, [originals[i] for i in places], [published[name][0] for name in names]))
    )
    among = release.hidden_among
    least, most = int(among.min()), int(among.max())
    counted = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    says = (
        f"The row as it is published, and the {len(members):,} originals it is true of. Counted over the"
        f" whole table, every record could have any of {counted} published rows while everybody else has one"
        " too."
    )
    if len(members) > FEW:
        says += f" The first {FEW} of them are shown."
    note(says)


def _rows(
    names: list[str], rows: np.ndarray, originals: list[list[str]], published: list[str]
) -> Iterator[str]:
    heads = "".join(f'<th scope="col" title="{escape(name)}">{escape(name)}</th>' for name in names)
    yield (
        '<div class="beforeafter" tabindex="0"><table><thead><tr><th'
        f' scope="col">record</th>{heads}</tr></thead><tbody>'
    )
    cells = "".join(f'<td class="changed">{escape(text)}</td>' for text in published)
    yield f"<tr><th>{rows[0] + 1}, published</th>{cells}</tr>"
    for i, row in enumerate(rows):
        yield (
            f"<tr><th>{row + 1}</th>"
            + "".join(f"<td>{escape(texts[i])}</td>" for texts in originals)
            + "</tr>"
        )
    yield "</tbody></table></div>"

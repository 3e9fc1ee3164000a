"""The table before and after: one table, so that both sides scroll together, with the changed cells marked."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.cells import label_texts, number_texts
from kanon_core.data.columns import Categories
from kanon_core.metrics import NCP
from pages.common.session import Session

ROWS = 60
_CHOICES = {"first": "the first records", "worst": "the records that lose most", "groups": "group by group"}


def side_by_side(session: Session, release: kc.Release) -> None:
    """Before and after, for the first records, the worst-hit ones, or group by group."""
    st.markdown("#### Before and after")
    which = st.segmented_control(
        "Show", list(_CHOICES), format_func=_CHOICES.__getitem__, default="first", required=True, key="rows shown",
        label_visibility="collapsed",
    )  # fmt: skip
    both_sides(session.table, release, _rows(session, release, which))


def both_sides(table: kc.Table, release: kc.Release, rows: np.ndarray) -> None:
    """The table for these record numbers; plain HTML, which updates many times faster than two data grids."""
    names = [c.attribute.name for c in table.quasi]
    before = before_texts(table, rows)
    frame = release.to_frame(rows)
    after = [frame[name].astype(str).tolist() for name in names]
    st.html("".join(_table(names, rows, before, after)))
    cells = [a != b for old, new in zip(before, after, strict=True) for a, b in zip(old, new, strict=True)]
    share = f"{100 * sum(cells) / len(cells):.0f} %" if cells else "none"
    st.caption(f"{share} of these cells changed (tinted and bold). Records are numbered as in the input.")


def _table(
    names: list[str], rows: np.ndarray, before: list[list[str]], after: list[list[str]]
) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    yield '<div class="beforeafter" tabindex="0"><table><thead><tr><th></th>'
    yield f'<th colspan="{len(names)}">Before</th><th colspan="{len(names)}" class="after">After</th></tr>'
    yield f'<tr><th scope="col">record</th>{heads}{heads.replace("<th", "<th class=after", 1)}</tr></thead><tbody>'
    for i, row in enumerate(rows):
        yield f'<tr><th scope="row">{row + 1}</th>'
        yield "".join(f"<td>{escape(column[i])}</td>" for column in before)
        for j, (old, new) in enumerate(zip(before, after, strict=True)):
            kinds = " ".join([*(["after"] if j == 0 else []), *(["changed"] if old[i] != new[i] else [])])
            yield f'<td class="{kinds}">{escape(new[i])}</td>'
        yield "</tr>"
    yield "</tbody></table></div>"


def before_texts(table: kc.Table, rows: np.ndarray) -> list[list[str]]:
    """Original quasi-identifiers, column by column, written as published cells would be, so that equal means unchanged."""
    texts = []
    for column in table.quasi:
        if isinstance(column, Categories):
            labels = label_texts(column)
            texts.append([labels[code] for code in column.codes[rows]])
        else:
            texts.append(number_texts(column.values[rows], column))
    return texts


def _rows(session: Session, release: kc.Release, which: str) -> np.ndarray:
    if which == "worst":
        lost = session.measured(session.setting, release, NCP).records
        assert lost is not None
        return np.argsort(-lost, kind="stable")[:ROWS]
    if which == "groups":
        return np.argsort(release.cell, kind="stable")[:ROWS]
    return np.arange(min(ROWS, len(session.table)))

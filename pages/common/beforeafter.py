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
from pages.common.text import note

FEW, MANY = 20, 200
_COLUMNS = 10
_CHOICES = {"first": "first records", "worst": "most lost", "groups": "group by group"}


def side_by_side(session: Session, release: kc.Release) -> None:
    """Before and after, for the first records, the worst-hit ones, or group by group."""
    st.markdown("#### Before and after")
    with st.container(horizontal=True, vertical_alignment="center"):
        which = st.segmented_control(
            "Show", list(_CHOICES), format_func=_CHOICES.__getitem__, default="first", required=True,
            key="rows shown", label_visibility="collapsed",
        )  # fmt: skip
        many = st.toggle("more records", key="many rows", help="200 records instead of 20; slows the slider")
    both_sides(session.table, release, _rows(session, release, which, MANY if many else FEW))


def both_sides(table: kc.Table, release: kc.Release, rows: np.ndarray) -> None:
    """The table for these record numbers; plain HTML, which updates many times faster than two data grids."""
    places = _shown_columns(table)
    names = [table.quasi[i].attribute.name for i in places]
    before, published = before_texts(table, rows), release.texts(rows)
    old, new = [before[i] for i in places], [published[name] for name in names]
    st.html("".join(_table(names, rows, old, new)))
    cells = [a != b for was, now in zip(old, new, strict=True) for a, b in zip(was, now, strict=True)]
    share = f"{100 * sum(cells) / len(cells):.0f} %" if cells else "None"
    note(f"{share} of these cells changed (tinted and bold). Records are numbered as in the input.")


def _shown_columns(table: kc.Table) -> list[int]:
    """Places of the quasi-identifiers to show: all, or of many those that somebody chose."""
    names = [column.attribute.name for column in table.quasi]
    if len(names) <= _COLUMNS:
        return list(range(len(names)))
    with st.expander(f"Columns shown here, of {len(names)}", icon=":material/view_column:"):
        chosen = st.multiselect(
            "Columns shown", names, names[:_COLUMNS], key=f"columns shown {table.digest}",
            label_visibility="collapsed",
        )  # fmt: skip
    return [i for i, name in enumerate(names) if name in chosen]


def _table(
    names: list[str], rows: np.ndarray, before: list[list[str]], after: list[list[str]]
) -> Iterator[str]:
    heads = "".join(f'<th scope="col" title="{escape(name)}">{escape(name)}</th>' for name in names)
    yield '<div class="beforeafter" tabindex="0"><table><thead><tr><th></th>'
    yield f'<th colspan="{len(names)}">Before</th><th colspan="{len(names)}" class="after">After</th></tr>'
    yield f'<tr><th scope="col">record</th>{heads}{heads.replace("<th", "<th class=after", 1)}</tr></thead><tbody>'
    for i, row in enumerate(rows):
        yield f"<tr><th>{row + 1}</th>"
        yield "".join(f"<td>{escape(column[i])}</td>" for column in before)
        for j, (old, new) in enumerate(zip(before, after, strict=True)):
            yield f"<td{_kinds(j == 0, old[i] != new[i])}>{escape(new[i])}</td>"
        yield "</tr>"
    yield "</tbody></table></div>"


def _kinds(first: bool, changed: bool) -> str:
    """The classes of a cell; most cells need none, and each costs time."""
    kinds = [*(["after"] if first else []), *(["changed"] if changed else [])]
    return f' class="{" ".join(kinds)}"' if kinds else ""


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


def _rows(session: Session, release: kc.Release, which: str, count: int) -> np.ndarray:
    if which == "worst":
        lost = session.measured(session.setting, release, NCP).records
        assert lost is not None
        return np.argsort(-lost, kind="stable")[:count]
    if which == "groups":
        return np.argsort(release.cell, kind="stable")[:count]
    return np.arange(min(count, len(session.table)))

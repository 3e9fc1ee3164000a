"""Before and after in one table: in each cell what was, and below it what is published, marked if it changed.
So both are seen however many columns there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr, tr_each
from kanon_core.charts.sets.itemsets import short_sets
from kanon_core.covers.cells import PublishedColumn
from kanon_core.metrics import NCP
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.columns.set_arrays import chosen_sets
from kanon_core.table.columns.texts import SUPPRESSED, original_texts
from pages.state.keys import kept
from pages.state.session import Session
from pages.widgets.pickers import UNLABELED, choice
from pages.widgets.tables import Cell, cell, html_table, named, record_cell
from pages.widgets.text import heading, note

FEW, MANY = 20, 200
_COLUMNS = 10
_ITEMS = 12
_LETTERS = 200
_CHOICES = {
    "first": later("first records"),
    "worst": later("largest loss"),
    "groups": later("group by group"),
}


def side_by_side(session: Session, release: kc.Release) -> None:
    """Show before and after: first records, those with the largest loss, or group by group."""
    heading(tr("Before and after"))
    with st.container(horizontal=True, vertical_alignment="center"):
        which = choice(tr("Show"), tr_each(_CHOICES), "rows shown", **UNLABELED)
        about = tr("Show 200 records instead of 20. The slider becomes slower.")
        many = st.toggle(tr("more records"), key=kept("many rows", False), help=about)
    both_sides(session.table, release, _rows(session, release, which, MANY if many else FEW))


def both_sides(table: kc.Table, release: kc.Release, rows: np.ndarray) -> None:
    """Show the table for these record numbers, with a choice of columns where there are many."""
    sides_table(table, release, rows, shown_columns(table))


def sides_table(table: kc.Table, release: kc.Release, rows: np.ndarray, places: list[int]) -> None:
    """Show the quasi-identifiers at these places for these record numbers; plain HTML, which updates many
    times faster than two data grids."""
    columns = [table.quasi[i] for i in places]
    sides = [cells_of(column, release, rows) for column in columns]
    heads = [cell(tr("record")), cell(""), *named(column.attribute.name for column in columns)]
    html_table(heads, _cells(rows, sides), kind="pairs")
    changed = sum(int(side.changed.sum()) for side in sides)
    share = f"{100 * changed / (len(rows) * len(sides)):.0f} %" if sides and len(rows) else tr("None")
    sets = [column for column in columns if isinstance(column, Items)]
    said = [tr("{share} of these cells changed (colored and bold).").format(share=share)]
    if sets:
        said.append(tr("Items that are struck out are not published."))
    if not all(column.closure.is_flat for column in sets):
        said.append(tr("A group represents one or more of its items."))
    said.append(tr("Record numbers are those of the input; click a row to see what attackers learn."))
    note(" ".join(said))


def shown_columns(table: kc.Table) -> list[int]:
    """Return places of the quasi-identifiers to show: all, or of many those that were chosen."""
    names = [column.attribute.name for column in table.quasi]
    if len(names) <= _COLUMNS:
        return list(range(len(names)))
    title = tr("Columns shown (of {count})").format(count=len(names))
    with st.expander(title, icon=":material/view_column:"):
        key = kept(f"columns shown {table.digest}", names[:_COLUMNS])
        chosen = st.multiselect(tr("Columns shown"), names, key=key, label_visibility="collapsed")
    return [i for i, name in enumerate(names) if name in chosen]


def first_columns(table: kc.Table) -> list[int]:
    """Return places of the first quasi-identifiers, as many as are shown where nobody chose."""
    return list(range(min(len(table.quasi), _COLUMNS)))


def _cells(rows: np.ndarray, sides: list[Sides]) -> Iterator[list[Cell]]:
    """Return the cells of each record, before and after."""
    changed = [side.changed.tolist() for side in sides]
    labels = Cell(_pair(escape(tr("before")), escape(tr("after")), False))
    for i, row in enumerate(rows.tolist()):
        pairs = (
            Cell(_pair(side.before[i], side.after[i], marks[i]), side.kind)
            for side, marks in zip(sides, changed, strict=True)
        )
        yield [record_cell(row), labels, *pairs]


def _pair(before: str, after: str, changed: bool) -> str:
    """Return two lines of HTML, the second one marked if it is ``changed``."""
    mark = " changed" if changed else ""
    return f'<span class="was">{before}</span><span class="now{mark}">{after}</span>'


@dataclass(frozen=True)
class Sides:
    """The cells of a column for some records, as HTML with every text escaped; ``changed`` booleans.

    ``kind``: the class of its cells; item sets may take several lines.
    """

    before: list[str]
    after: list[str]
    changed: np.ndarray
    kind: str = ""


def cells_of(column: Column, release: kc.Release, rows: np.ndarray) -> Sides:
    """Return what these records have in a quasi-identifier, and what is published of them; long texts and
    sets are cut."""
    published = release[column.attribute.name]
    if isinstance(column, Items):
        return _set_sides(column, published, rows)
    before, after = original_texts(column, rows), published.texts(column, rows)
    changed = np.array([old != new for old, new in zip(before, after, strict=True)], bool)
    return Sides([_short(text) for text in before], [_short(text) for text in after], changed)


def _set_sides(column: Items, shown: PublishedColumn, rows: np.ndarray) -> Sides:
    """Return item sets: after, the published items and, struck out, those not published even as a group."""
    closure, cells, cell = column.closure, shown.cells.as_items(), shown.cell[rows]
    own_starts, own = chosen_sets(column.starts, column.items, rows)
    sets = np.repeat(np.arange(len(rows)), np.diff(own_starts))
    named = closure.lowest(*chosen_sets(cells.starts, cells.items, cell))
    found = closure.shown_as((own_starts, own), named, np.arange(len(rows)))
    lost, changed = found < 0, np.bincount(sets[found != closure.own[own]], minlength=len(rows)) > 0
    counts = np.bincount(sets[lost], minlength=len(rows))
    lost_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    published = set_html(closure.sets, *named)
    struck = set_html(column, lost_starts, own[lost], braces=False)
    gone = cell < 0
    after = [
        (SUPPRESSED if hidden else text) + (f" <s>{more}</s>" if more else "")
        for text, more, hidden in zip(published, struck, gone.tolist(), strict=True)
    ]
    return Sides(set_html(column, own_starts, own), after, gone | changed, "set")


def set_html(column: Items, starts: np.ndarray, items: np.ndarray, braces: bool = True) -> list[str]:
    """Return item sets as HTML; of large ones the first items and how many more there are."""
    texts, more = short_sets(column, starts, items, np.arange(len(starts) - 1), _ITEMS)
    says = escape(tr(", … and {count:,} more"))
    left = (says.format(count=count) if count else "" for count in more)
    found = [escape(text) + beyond for text, beyond in zip(texts, left, strict=True)]
    return [f"{{{text}}}" for text in found] if braces else found


def _short(text: str) -> str:
    return escape(text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…")


def before_texts(table: kc.Table, rows: np.ndarray) -> list[list[str]]:
    """Return original quasi-identifiers, column by column, written as published cells would be."""
    return [original_texts(column, rows) for column in table.quasi]


def _rows(session: Session, release: kc.Release, which: str, count: int) -> np.ndarray:
    if which == "worst":
        lost = session.by_record(NCP).records
        assert lost is not None
        return np.argsort(-lost, kind="stable")[:count]
    if which == "groups":
        return np.lexsort((release.row, release.set_of))[:count]
    return np.arange(min(count, len(session.table)))

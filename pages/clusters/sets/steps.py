"""Cuts that formed the groups of item sets, one by one, and in the lattice."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from kanon_core.charts.sets.itemsets import ItemView
from kanon_core.charts.sets.itemsteps import (
    Steps,
    paths_of,
    pivots_of,
    replayed,
    round_cuts,
    round_rows,
    step_sentence,
    steps_of,
)
from kanon_core.charts.sets.lattice import (
    ITEMS_AT_MOST,
    lattice_figure,
    lattice_of,
    lattice_sentence,
    starting_items,
)
from kanon_core.table.columns.set_arrays import chosen_sets
from pages.shell.frame import theme
from pages.state.jobs import working
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.beforeafter import set_html
from pages.widgets.layout import chart
from pages.widgets.pickers import button
from pages.widgets.tables import Cell, cell, html_table, number
from pages.widgets.text import line, note

VIEWS = (later("Step by step"), later("Lattice"))
VIEW = Key("sets view", "Items")
"""The open view of the page."""
_WANTED: Key[int | None] = Key("wanted step", None)
CUTS, COLUMNS, OFFERED = 20, 8, 200


def steps_view(session: Session, view: ItemView) -> None:
    """Show a slider of the steps, the effect of a step, and the table of figure 6 or the step's cuts."""
    steps = _steps(session)
    if steps is None:
        note(
            tr("{title} does not cut groups, so there are no steps to show.").format(
                title=session.setting.algorithm.title
            )
        )
        return
    if not steps.count:
        note(
            tr(
                "No group can be cut into two parts with at least k records each. All records"
                " publish the same items."
            )
        )
        return
    if session.setting.algorithm != _cutter(session):
        note(
            tr("{title} starts with these cuts and then moves records.").format(
                title=session.setting.algorithm.title
            )
        )
    step = _step(steps)
    line(*_lead(session.picture(("step", view.name, step), lambda: step_sentence(steps, step, view.name))))
    if steps.by_cut:
        _history(steps, view, step)
        note(
            tr(
                "Each column shows what the records would publish if the run ended at that step. ∗ means"
                " nothing; new items are bold."
            )
        )
    elif step:
        _round(session, steps, step)


def log_of_cuts(session: Session) -> kc.Log | None:
    """Return a log for the next run if a view that shows its cuts is open."""
    wanted = VIEW.get() in map(tr, VIEWS) and _cutter(session) is not None
    return kc.Log() if wanted else None


def keep_cuts(session: Session, log: kc.Log | None) -> None:
    """Keep the cuts of a run that was logged."""
    if log is not None and log.events:
        session.picture(("steps",), lambda: steps_of(session.table, log))


def _steps(session: Session) -> Steps | None:
    """Return the cuts of the run, replayed if need be; None for algorithms that do not cut groups."""
    algorithm, setting = _cutter(session), session.setting
    if algorithm is None:
        return None
    with working(lambda: VIEW.set(tr("Items")), "stop steps", tr("replaying the run")) as tick:
        return session.picture(
            ("steps",), lambda: replayed(session.table, algorithm, setting.k, setting.seed, tick)
        )


def _cutter(session: Session) -> kc.TopDown | None:
    """Return the algorithm that cuts: the current one, or the one it starts from."""
    algorithm = session.setting.algorithm
    start = getattr(algorithm, "start", algorithm)
    return start if isinstance(start, kc.TopDown) and not start.known_items else None


def _step(steps: Steps) -> int:
    """Return the chosen step: first the last of a short run, the first of a long one."""
    wanted = _WANTED.get()
    at = min((steps.count if steps.by_cut else 1) if wanted is None else wanted, steps.count)
    tied = linked("step", at, _WANTED.set)

    def move(by: int) -> None:
        _WANTED.set(min(max(at + by, 0), steps.count))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        says = tr("Step 0 to {count:,}") if steps.by_cut else tr("Round 0 to {count:,}")
        step = st.slider(says.format(count=steps.count), 0, steps.count, **tied)
        button(tr("Back"), move, -1, icon="chevron_left", key="step back", disabled=step == 0)
        button(tr("Next"), move, 1, icon="chevron_right", key="step on", disabled=step == steps.count)
    return step


def _lead(text: str) -> tuple[str, str, str]:
    """Return the sentence with its first words bold."""
    start, colon, rest = text.partition(":")
    return ("", start + colon, rest) if colon and start.startswith("Round") else ("", "", text)


def _history(steps: Steps, view: ItemView, step: int) -> None:
    """Show the table of figure 6: a row per record, a column per step; of many steps the last ones."""
    shown = [0, *range(max(1, step - COLUMNS + 1), step + 1)]
    columns = [_texts(steps, view, at) for at in shown]
    heads = [cell(tr("record")), cell(view.name), cell(tr("beginning"), "after")]
    heads += [cell(_head(steps, at)) for at in shown[1:]]
    html_table(heads, _record_rows(view, columns), kind="originals")


def _record_rows(view: ItemView, columns: list[list[str]]) -> Iterator[list[Cell]]:
    rows = np.arange(len(columns[0]))
    originals = set_html(view.column, *chosen_sets(view.column.starts, view.column.items, rows))
    for i, original in enumerate(originals):
        first = Cell(columns[0][i], "after")
        pairs = ((old[i], new[i]) for old, new in pairwise(columns))
        after = [Cell(new, "changed" if new != old else "") for old, new in pairs]
        yield [Cell(str(i + 1)), Cell(original, "set" if len(original) > 40 else ""), first, *after]


def _texts(steps: Steps, view: ItemView, cuts: int) -> list[str]:
    """Return what each record publishes after so many cuts, as HTML."""
    shown = steps.sets(view.name, cuts)
    cells, cell, closure = shown.cells.as_items(), shown.cell, view.column.closure
    named = closure.lowest(*chosen_sets(cells.starts, cells.items, cell))
    texts = set_html(closure.sets, *named, braces=False)
    gone = escape(tr("suppressed"))
    return [(gone if at < 0 else text or "∗") for at, text in zip(cell.tolist(), texts, strict=True)]


def _head(steps: Steps, step: int) -> str:
    cut = steps.cuts[step - 1]
    return f"{step} · {(cut.pivot or cut.column)[:24]}"


def _round(session: Session, steps: Steps, at: int) -> None:
    """Show the first cuts of a round."""
    rows = session.picture(("round", at), lambda: round_rows(steps, at, CUTS))
    if not rows:
        return
    count, items = len(round_cuts(steps, at)), bool(round_cuts(steps, at)[0].pivot)
    parts = (tr("records with it"), tr("published"), tr("records without it"), tr("published"))
    if not items:
        parts = (tr("first part"), tr("published"), tr("second part"), tr("published"))
    heads = (tr("records"), tr("cut by"), *parts)
    body = (
        (
            number(f"{row.records:,}"),
            cell(row.by[:40]),
            number(f"{row.with_it[0]:,}", "after"),
            cell(row.with_it[1], "set"),
            number(f"{row.without[0]:,}", "after"),
            cell(tr("suppressed") if row.suppressed else row.without[1], "set"),
        )
        for row in rows
    )
    html_table(map(cell, heads), body, lead=False)
    says = tr("All cuts of this round, in the order made.")
    if count > len(rows):
        says = tr("The first {shown} of {count:,} cuts of this round, in the order made.")
    rounds = tr("For many records, a step is a round; otherwise it is a single cut.")
    note(f"{says.format(shown=len(rows), count=count)} {rounds}")


def lattice_view(session: Session, view: ItemView) -> None:
    """Show the lattice of a few items and the path of the pivots through it."""
    steps = _steps(session)
    pivots = pivots_of(steps, view.name) if steps else ()
    column = view.column.closure.sets
    start = session.picture(("lattice items", view.name), lambda: starting_items(column, pivots))
    if not start:
        note(
            tr("No record has any item in “{name}”, so the lattice is a single point.").format(name=view.name)
        )
        return
    own = np.bincount(column.items, minlength=len(column.labels))
    often = np.lexsort((np.arange(len(own)), -own))[:OFFERED].tolist()
    offered = list(dict.fromkeys([*often, *start]))
    chosen = st.multiselect(
        tr("Items of the lattice, up to {most}").format(most=ITEMS_AT_MOST),
        offered,
        default=list(start),
        format_func=lambda code: column.labels[code],
        max_selections=ITEMS_AT_MOST,
        key=f"lattice {session.table.digest} {view.name}",
    )
    if not chosen:
        note(tr("Choose at least one item."))
        return
    look, items = ("lattice", view.name, tuple(sorted(chosen)), theme()), tuple(sorted(chosen))
    found = lattice_of(column, items)
    paths = paths_of(steps, view.name) if steps else frozenset()
    k = session.setting.k
    figure = session.picture(look, lambda: lattice_figure(column, found, k, paths, theme()))
    chart(figure, "lattice")
    note(lattice_sentence(column, found, k, paths))

"""How the groups of item sets came about: the cuts of the top-down pass one by one, and the lattice that they
go down."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
import streamlit as st

import kanon_core as kc
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
from kanon_core.table.columns.sets import chosen_sets
from pages.shell.frame import theme
from pages.state.jobs import ticker
from pages.state.session import Session
from pages.widgets.beforeafter import set_html
from pages.widgets.text import line, note
from pages.widgets.views import chart

VIEWS = ("Step by step", "Lattice")
CUTS, COLUMNS, OFFERED = 20, 8, 200


def steps_view(session: Session, view: ItemView) -> None:
    """A slider through the steps, what the step does, and the table of figure 6 or, of many records, the
    step's cuts."""
    steps = _steps(session)
    if steps is None:
        note(
            f"The steps of {session.setting.algorithm.title} are no cuts of groups, so they are not shown"
            " here."
        )
        return
    if not steps.count:
        note("No group can be cut so that both parts have at least k records: all records publish the same.")
        return
    if session.setting.algorithm != _cutter(session):
        note(
            f"These are the cuts that {session.setting.algorithm.title} starts from; then it moves records"
            " between groups."
        )
    step = _step(steps)
    line(*_lead(session.picture(("step", view.name, step), lambda: step_sentence(steps, step, view.name))))
    if steps.by_cut:
        st.html("".join(_history(steps, view, step)))
        note(
            "What each record would publish if the run ended there; ∗ is nothing. New items are tinted and"
            " bold."
        )
    elif step:
        _round(session, steps, step)


def log_of_cuts(session: Session) -> kc.Log | None:
    """A log for the run to come, if a view is open that shows its cuts."""
    wanted = st.session_state.get("sets view") in VIEWS and _cutter(session) is not None
    return kc.Log() if wanted else None


def keep_cuts(session: Session, log: kc.Log | None) -> None:
    """Keep the cuts of a run that was written to the log; nothing when it was not run."""
    if log is not None and log.events:
        session.picture(("steps",), lambda: steps_of(session.table, log))


def _steps(session: Session) -> Steps | None:
    """The cuts of the run, which is replayed if need be; None for algorithms that do not cut groups."""
    algorithm, setting = _cutter(session), session.setting
    if algorithm is None:
        return None
    place = st.empty()
    tick = ticker(place, _leave, "stop steps", "replaying the run")
    found = session.picture(
        ("steps",), lambda: replayed(session.table, algorithm, setting.k, setting.seed, tick)
    )
    place.empty()
    return found


def _cutter(session: Session) -> kc.TopDown | None:
    """The algorithm that cuts: the current one, or the one it starts from."""
    algorithm = session.setting.algorithm
    start = getattr(algorithm, "start", algorithm)
    return start if isinstance(start, kc.TopDown) and not start.known_items else None


def _leave() -> None:
    st.session_state["sets view"] = "Items"


def _step(steps: Steps) -> int:
    """The step that is looked at: first the last of a short run, the first of a long one; kept as far as
    there are so many."""
    wanted = st.session_state.get("wanted step", steps.count if steps.by_cut else 1)
    st.session_state["step"] = min(wanted, steps.count)

    def changed() -> None:
        st.session_state["wanted step"] = st.session_state["step"]

    def moved(by: int) -> None:
        st.session_state["wanted step"] = min(max(st.session_state["step"] + by, 0), steps.count)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        word = "Step" if steps.by_cut else "Round"
        step = st.slider(f"{word} 0 to {steps.count:,}", 0, steps.count, key="step", on_change=changed)
        st.button(
            "Back",
            icon=":material/chevron_left:",
            key="step back",
            on_click=moved,
            args=(-1,),
            disabled=step == 0,
        )
        st.button(
            "Next",
            icon=":material/chevron_right:",
            key="step on",
            on_click=moved,
            args=(1,),
            disabled=step == steps.count,
        )
    return step


def _lead(text: str) -> tuple[str, str, str]:
    """The sentence with its first words bold."""
    start, colon, rest = text.partition(":")
    return ("", start + colon, rest) if colon and start.startswith("Round") else ("", "", text)


def _history(steps: Steps, view: ItemView, step: int) -> Iterator[str]:
    """The table of figure 6: a row per record, a column per step; of many steps the last ones."""
    rows = np.arange(len(steps.table))
    shown = [0, *range(max(1, step - COLUMNS + 1), step + 1)]
    columns = [_texts(steps, view, at) for at in shown]
    heads = ["beginning", *(_head(steps, at) for at in shown[1:])]
    yield '<div class="beforeafter" tabindex="0"><table><thead><tr><th scope="col">record</th>'
    yield f'<th scope="col">{escape(view.name)}</th>'
    yield "".join(
        f'<th scope="col"{" class=after" if not i else ""}>{escape(head)}</th>'
        for i, head in enumerate(heads)
    )
    yield "</tr></thead><tbody>"
    originals = set_html(view.column, *chosen_sets(view.column.starts, view.column.items, rows))
    for i in rows.tolist():
        yield f"<tr><th>{i + 1}</th><td{' class=set' if len(originals[i]) > 40 else ''}>{originals[i]}</td>"
        for j, texts in enumerate(columns):
            before = columns[j - 1][i] if j else texts[i]
            kinds = [*(["after"] if not j else []), *(["changed"] if texts[i] != before else [])]
            yield f'<td class="{" ".join(kinds)}">{texts[i]}</td>'
        yield "</tr>"
    yield "</tbody></table></div>"


def _texts(steps: Steps, view: ItemView, cuts: int) -> list[str]:
    """What each record publishes after so many cuts, as HTML."""
    cells, cell = steps.sets(view.name, cuts)
    closure = view.column.closure
    named = closure.lowest(*chosen_sets(cells.starts, cells.items, cell))
    texts = set_html(closure.sets, *named, braces=False)
    return [("suppressed" if at < 0 else text or "∗") for at, text in zip(cell.tolist(), texts, strict=True)]


def _head(steps: Steps, step: int) -> str:
    cut = steps.cuts[step - 1]
    return f"{step} · {(cut.pivot or cut.column)[:24]}"


def _round(session: Session, steps: Steps, number: int) -> None:
    """The first cuts of a round."""
    rows = session.picture(("round", number), lambda: round_rows(steps, number, CUTS))
    if not rows:
        return
    count, items = len(round_cuts(steps, number)), bool(round_cuts(steps, number)[0].pivot)
    heads = ["records", "cut by", "with it", "publish", "without", "publish"]
    if not items:
        heads = ["records", "cut by", "one part", "with", "the other", "with"]
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(
        f'<tr><td class="number">{row.records:,}</td><td>{escape(row.by[:40])}</td>'
        f'<td class="number after">{row.with_it[0]:,}</td><td class="set">{escape(row.with_it[1])}</td>'
        f'<td class="number after">{row.without[0]:,}</td>'
        f'<td class="set">{"suppressed" if row.suppressed else escape(row.without[1])}</td></tr>'
        for row in rows
    )
    st.html(
        '<div class="beforeafter"'
        f' tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )
    first = (
        f"The first {len(rows)} of {count:,} cuts of this round"
        if count > len(rows)
        else "All cuts of this round"
    )
    note(f"{first}, in the order made. With many records a step is a round; with few it is a single cut.")


def lattice_view(session: Session, view: ItemView) -> None:
    """The lattice of a few items, and the way the pivots took through it."""
    steps = _steps(session)
    pivots = pivots_of(steps, view.name) if steps else ()
    column = view.column.closure.sets
    start = session.picture(("lattice items", view.name), lambda: starting_items(column, pivots))
    if not start:
        note(f"No record has any item in “{view.name}”, so the lattice is a single point.")
        return
    own = np.bincount(column.items, minlength=len(column.labels))
    often = np.lexsort((np.arange(len(own)), -own))[:OFFERED].tolist()
    offered = list(dict.fromkeys([*often, *start]))
    chosen = st.multiselect(
        f"Items of the lattice, up to {ITEMS_AT_MOST}",
        offered,
        default=list(start),
        format_func=lambda code: column.labels[code],
        max_selections=ITEMS_AT_MOST,
        key=f"lattice {session.table.digest} {view.name}",
    )
    if not chosen:
        note("Choose at least one item.")
        return
    look, items = ("lattice", view.name, tuple(sorted(chosen)), theme()), tuple(sorted(chosen))
    found = lattice_of(column, items)
    paths = paths_of(steps, view.name) if steps else frozenset()
    k = session.setting.k
    figure = session.picture(look, lambda: lattice_figure(column, found, k, paths, theme()))
    chart(figure, "lattice")
    note(lattice_sentence(column, found, k, paths))

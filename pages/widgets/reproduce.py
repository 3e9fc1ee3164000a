"""Tables of a paper made again, in a page: a button, rows as they finish, what the paper says, and the rows
as a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kanon_core.base.errors import KanonError
from kanon_core.base.options import expression
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.curves.reproduced import reproduced_figure
from kanon_core.papers import Part, Reproduction, Row, Source, Task, frame_of, made
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.papers.data import coordinates_of
from kanon_core.papers.frame import above_text, compared_text, papers_text
from kanon_core.table.writers import write_frame
from pages.shell.frame import theme
from pages.state.jobs import ticker
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets import text
from pages.widgets.text import plain
from pages.widgets.views import chart

_STATE = "tables made again"
Asked = tuple[Reproduction, Source | None]
_MARKS = {"holds": "✓", "not so here": "–", "FAILS": "✗"}
_WIDTHS = {"mean": 88, "range": 185, "paper": 105, "ratio": 70, "above optimum": 125}


@dataclass
class Progress:
    """What was asked for, the rows to make and those made; kept while the page is drawn again."""

    key: tuple[str, str]
    tasks: list[Task] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    running: bool = False
    problem: str = ""

    @property
    def complete(self) -> bool:
        """Whether every row is made."""
        return bool(self.tasks) and len(self.rows) == len(self.tasks)


@dataclass(frozen=True)
class Panel:
    """A reproduction as a page offers it: words, the file of its rows, and what its controls ask for.

    ``state``: where its progress is kept; ``what``: what is made, as in “Make the tables”. ``axis`` gives the
    title of the axis that a part is drawn over, "" for a part that is no figure; None: there are only tables.
    ``draw``: draws the figures of the rows where they are of another kind than `reproduced_figure`.
    """

    title: str
    about: str
    what: str
    file: str
    state: str
    asked: Callable[[Session], Asked]
    axis: Callable[[Part], str] | None = None
    draw: Callable[[Sequence[Row]], None] | None = None


def reproduce_panel(session: Session, panel: Panel | None = None) -> None:
    """An expander in which tables of a paper are made again: those of `Panel`, or tables 8 and 9 on
    k-concealment.

    Draw it last, and in no fragment: what comes after it waits for the rows, and only a run of the whole page
    can be interrupted by its Stop.
    """
    panel = panel or TABLES
    with st.expander(plain(panel.title), icon=":material/table_chart:"):
        _panel(session, panel)


def _panel(session: Session, panel: Panel) -> None:
    text.note(panel.about)
    chosen, source = panel.asked(session)
    key = (expression(chosen), session.table.digest if source else "")
    progress: Progress = st.session_state.setdefault(panel.state, Progress(key))
    if progress.key != key:
        progress = st.session_state[panel.state] = Progress(key)
    # Always the same places, left empty when there is nothing: so the run before is not seen while this one
    # works.
    button, place, problem, shown, results = (st.empty() for _ in range(5))
    if panel.axis is not None or panel.draw is not None:  # figures first, their tables below
        shown, results = results, shown
    if not progress.running and not progress.complete:
        with button.container():
            _start(progress, panel)
    if progress.problem:
        with problem.container():
            text.warning(progress.problem)
    _show(progress, shown, panel)
    if progress.rows and not progress.running:
        with results.container():
            _results(chosen, progress, panel)
    if progress.running:
        _make((chosen, source), progress, panel, place, shown)


def _asked(session: Session) -> tuple[ConcealmentTables, Source | None]:
    """The reproduction with what the controls say, and the loaded table if that is wanted; samples as large
    as it allows."""
    left, right = st.columns([3, 1])
    names = {False: "our own samples", True: f"the loaded table: {session.name}"}
    with left:
        loaded = st.selectbox(
            "Data", list(names), format_func=names.__getitem__, key=kept("made again from", False)
        )
    with right:
        seeds = st.number_input(
            "Samples",
            1,
            20,
            key=kept("made again samples", 3),
            help="drawn at random; means and ranges are shown",
        )
    records = visits = 5_000
    if loaded and coordinates_of(session.table):
        visits = len(session.table)
    elif loaded:
        records = len(session.table)
    chosen = ConcealmentTables(
        seeds=int(seeds), records=max(10, min(1_000, records)), visits=max(4, min(100, visits - visits % 2))
    )
    return chosen, Source(session.table, f"“{session.name}”") if loaded else None


TABLES = Panel(
    title="Make tables 8 and 9 of the paper again",
    about=(
        "The costs of the paper's methods beside the numbers it prints, and the optimum it thought out of"
        " reach. Every cost is of a release that has passed its audit."
    ),
    what="tables",
    file="tables-8-and-9.csv",
    state=_STATE,
    asked=_asked,
)
"""Tables 8 and 9 of the paper on k-concealment."""


def _start(progress: Progress, panel: Panel) -> None:
    """Start, or go on; while it runs, Stop stands beside the progress."""
    st.button(
        plain("Go on" if progress.rows else f"Make the {panel.what}"),
        type="primary",
        icon=":material/play_arrow:",
        key="make again",
        on_click=_run,
        args=(True, panel.state),
    )
    if progress.rows:
        text.note(f"Stopped after {len(progress.rows)} of {len(progress.tasks)} rows.")


def _run(on: bool, state: str = _STATE) -> None:
    progress: Progress = st.session_state[state]
    progress.running, progress.problem = on, ""


def _make(
    asked: Asked, progress: Progress, panel: Panel, place: DeltaGenerator, shown: DeltaGenerator
) -> None:
    """Make the missing rows; a click anywhere interrupts, and what is finished stays."""
    try:
        chosen, source = asked
        progress.tasks = progress.tasks or chosen.tasks(source)
        tick = ticker(place, lambda: _run(False, panel.state), key="stop tables")
        for row in made(progress.tasks[len(progress.rows) :], tick):
            progress.rows.append(row)
            _show(progress, shown, panel)
    except KanonError as problem:
        progress.problem = str(problem)
    progress.running = False
    st.rerun()


def _show(progress: Progress, shown: DeltaGenerator, panel: Panel) -> None:
    """The rows so far, one table per part; of figures that are drawn by themselves behind a heading, once
    they are there."""
    if not progress.rows:
        return
    with shown.container() if panel.draw is None else shown.expander("The rows", expanded=progress.running):
        for part in dict.fromkeys(row.part for row in progress.rows):
            mine = [row for row in progress.rows if row.part == part]
            text.heading(part.title)
            st.dataframe(
                [_texts(row) for row in mine],
                width="content",
                height="content",
                hide_index=True,
                column_config=_columns(),
                alt=part.title,
            )
            text.note(f"{part.data}. {compared_text(part)}")


def _columns() -> dict[str, Any]:
    places = {
        "k": st.column_config.NumberColumn(width=40),
        "records": st.column_config.NumberColumn(format="localized"),
        "method": st.column_config.TextColumn(width=155),
        "added": st.column_config.TextColumn(width=155),
    }
    numbers = {name: st.column_config.TextColumn(width=w, alignment="right") for name, w in _WIDTHS.items()}
    return {**places, **numbers}


def _texts(row: Row) -> dict[str, Any]:
    def number(value: float) -> str:
        return f"{value:,.{row.part.digits}f}"

    spread = (
        {"range": f"{number(min(row.values))} – {number(max(row.values))}"} if len(row.values) > 1 else {}
    )
    ratio = "" if row.ratio is None else number_text(float(f"{row.ratio:.3g}"))
    papers = {"paper": papers_text(row), "ratio": ratio} if row.part.papers_data else {}
    above = {} if row.floor is None else {"above optimum": above_text(row)}
    return {**row.place, "mean": number(row.mean), **papers, **spread, **above}


def _results(chosen: Reproduction, progress: Progress, panel: Panel) -> None:
    """The rows as figures, what the paper says about them, and the rows as a file."""
    if panel.draw is not None:
        panel.draw(progress.rows)
    elif panel.axis is not None:
        _figures(progress.rows, panel.axis)
    checks = chosen.checks(progress.rows)
    if checks:
        text.heading("What the paper says")
    for check in checks:
        text.line(f"{_MARKS[check.verdict]} ", check.verdict, f" · {check.sentence}")
    st.download_button(
        "Download the rows (csv)",
        _csv(progress.rows),
        panel.file,
        "text/csv",
        key="download tables",
        icon=":material/download:",
        on_click="ignore",
    )


def _figures(rows: Sequence[Row], axis: Callable[[Part], str]) -> None:
    """One chart for each part that is a figure, two beside each other."""
    drawn = [part for part in dict.fromkeys(row.part for row in rows) if axis(part)]
    for number, part in enumerate(drawn):
        if number % 2 == 0:
            sides = st.columns(2, gap="medium")
        mine = [row for row in rows if row.part == part]
        places = [int(next(iter(row.place.values()))) for row in mine]
        figure = reproduced_figure(
            places,
            [row.values for row in mine],
            [row.printed for row in mine],
            (axis(part), part.unit),
            theme(),
        )
        with sides[number % 2]:
            text.line("", part.title)
            chart(figure, f"again {part.table}")
            text.note(figure.layout.meta["alt"])


def _csv(rows: Sequence[Row]) -> bytes:
    """The rows as csv that no spreadsheet runs."""
    return write_frame(frame_of(rows))

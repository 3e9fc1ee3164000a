"""Reproduction of tables of a paper: a button, rows as they finish, statements of the paper, a download."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st

from kanon_core.base.errors import KanonError
from kanon_core.base.options import expression
from kanon_core.base.words import counted, later, tr
from kanon_core.papers import Reproduction, Row, Source, Task, frame_of, made
from kanon_core.table.writers import write_frame
from pages.papers.rows import draw_tables
from pages.shell.private import Place
from pages.state.jobs import ticker
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets import text
from pages.widgets.files import download
from pages.widgets.pickers import button, menu
from pages.widgets.sentences import table_name

Wanted = tuple[Reproduction, Source | None]
_MARKS = {later("holds"): "✓", later("differs here"): "–", later("FAILS"): "✗"}
_CLICKED = Key("tables of papers clicked", False)
"""By panel: True after a click, until the settings of the controls are read."""
_BETWEEN_DRAWINGS = 1.0
"""Seconds: each drawing sends all rows so far, of which there may be thousands."""


@dataclass
class Progress:
    """The requested rows and those computed. It is kept while the page is drawn again."""

    key: tuple[str, str]
    tasks: list[Task] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    running: bool = False
    problem: str = ""

    @property
    def complete(self) -> bool:
        """Return whether every row is made."""
        return bool(self.tasks) and len(self.rows) == len(self.tasks)

    def run(self, on: bool) -> None:
        """Start, continue or stop."""
        self.running, self.problem = on, ""


@dataclass(frozen=True)
class Panel:
    """A reproduction on a page: its texts, the name of its file, and the reproduction that its controls
    choose.

    ``state``: the place of its progress; ``start``: the label of its button. ``draw`` draws the figures of
    the rows; None: there are only tables.
    """

    title: str
    about: str
    start: str
    file: str
    state: Key[Progress | None]
    wanted: Callable[[Session], Wanted]
    draw: Callable[[Sequence[Row]], None] | None = None


def reproduce_panel(session: Session, panel: Panel) -> None:
    """Show the panel in which tables of a paper are made again.

    Draw it last, and in no fragment: whatever comes after it waits for the rows, and its Stop can interrupt
    only a run of the whole page.
    """
    text.heading(tr(panel.title))
    text.note(tr(panel.about))
    _panel(session, panel)


def data_and_samples(session: Session, loaded_fits: bool, key: str) -> tuple[Source | None, int]:
    """Return the chosen data (the samples, or the loaded table where it fits) and the number of samples."""
    left, right = st.columns([3, 1])
    names = {False: tr("samples of Kanon")} | ({True: loaded_table(session)} if loaded_fits else {})
    with left:
        loaded = menu(tr("Data"), names, f"{key} from")
    with right:
        about = tr("Samples are drawn at random. The tables show means and ranges.")
        seeds = st.number_input(tr("Samples"), 1, 20, key=kept(f"{key} samples", 1), help=about)
    return source_of(session) if loaded else None, int(seeds)


def loaded_table(session: Session) -> str:
    """Return the title of the loaded table in a menu."""
    return tr("the loaded table: {name}").format(name=table_name(session))


def source_of(session: Session) -> Source:
    """Return the loaded table as a source of rows."""
    return Source(session.table, f"“{session.name}”")


def _panel(session: Session, panel: Panel) -> None:
    chosen, source = panel.wanted(session)
    key = (expression(chosen), session.table.digest if source else "")
    progress = panel.state.get()
    if progress is None or progress.key != key:
        progress = Progress(key)
        panel.state.set(progress)
    if _CLICKED.of(panel.state.name).pop():
        progress.run(True)
    # Always the same places, possibly empty, so that the previous run disappears while this one works.
    start, place, problem, shown, results = (st.empty() for _ in range(5))
    if panel.draw is not None:  # first the figures, then their tables
        shown, results = results, shown
    if not progress.running and not progress.complete:
        with start.container():
            _start(progress, panel)
    if progress.problem:
        with problem.container():
            text.warning(progress.problem)
    _show(progress, shown, panel)
    if progress.rows and not progress.running:
        with results.container():
            _results(chosen, source, progress, panel)
    if progress.running:
        _make((chosen, source), progress, panel, place, shown)


def _start(progress: Progress, panel: Panel) -> None:
    """Show the button that starts or continues."""
    says = tr("Continue") if progress.rows else tr(panel.start)
    asked = _CLICKED.of(panel.state.name)
    button(says, asked.set, True, icon="play_arrow", primary=True, key="make again")
    if progress.rows:
        text.note(
            tr("Stopped after {done} of {total}.").format(
                done=len(progress.rows), total=counted(len(progress.tasks), "row")
            )
        )


def _make(asked: Wanted, progress: Progress, panel: Panel, place: Place, shown: Place) -> None:
    """Compute the missing rows; a click anywhere interrupts, and finished rows stay."""
    try:
        chosen, source = asked
        progress.tasks = progress.tasks or chosen.tasks(source)
        tick = ticker(place, lambda: progress.run(False), key="stop tables")
        drawn = time.perf_counter()
        for row in made(progress.tasks[len(progress.rows) :], tick):
            progress.rows.append(row)
            if time.perf_counter() - drawn > _BETWEEN_DRAWINGS:
                _show(progress, shown, panel)
                drawn = time.perf_counter()
    except KanonError as problem:
        progress.problem = str(problem)
    progress.running = False
    st.rerun()


def _show(progress: Progress, shown: Place, panel: Panel) -> None:
    """Show the rows so far; for a panel with figures in a fold."""
    if not progress.rows:
        return
    open_now = progress.running
    with shown.container() if panel.draw is None else shown.expander(tr("Rows"), expanded=open_now):
        draw_tables(progress.rows)


def _results(chosen: Reproduction, source: Source | None, progress: Progress, panel: Panel) -> None:
    """Show the figures, the statements of the paper, the notes, and a download of the rows."""
    if panel.draw is not None:
        panel.draw(progress.rows)
    checks = chosen.checks(progress.rows)
    if checks:
        text.heading(tr("Statements of the paper"))
    for check in checks:
        text.line(f"{_MARKS[check.verdict]} ", tr(check.verdict), f" · {check.sentence}")
    for said in chosen.notes(source):
        text.note(said)
    content = write_frame(frame_of(progress.rows))
    download(tr("Download the rows (csv)"), content, panel.file, key="download tables")

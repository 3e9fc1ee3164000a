"""Report to sign: its fields, the compared settings, and its two files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

import streamlit as st

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.base.words import tr
from kanon_core.report.signing import Candidate, Decision, ReportInputs, gathered, to_html, to_markdown
from kanon_core.report.signing import report as made
from kanon_core.report.signing.evidence import decision_fields
from kanon_core.runs.expecting import DRAWS
from pages.release import candidates
from pages.release.apostrophes import PLAIN
from pages.state.jobs import working
from pages.state.keys import Key, kept, linked
from pages.state.session import Session
from pages.state.setting import known_population
from pages.widgets.files import download
from pages.widgets.findings import known_findings, missing_searches
from pages.widgets.layout import fold
from pages.widgets.pickers import button
from pages.widgets.text import error, heading, note, plain

_LONG = ("asked", "why", "recipients", "means", "safeguards")
"""Fields that take more than a line."""
_LETTERS, _LOW = 2_000, 80
"""The most letters that a field takes; the height in pixels of a field of some lines."""
_ATTACKS = Key("report attacks", True)
_ASKED: Key[object] = Key("report asked", None)
"""The settings and texts with which the report was last asked for."""
_CLICKED = Key("report clicked", False)
"""By table: True after a click on the button, until the page has read the fields."""


def report(session: Session, release: kc.Release, name: str, shuffle: bool) -> None:
    """Show the part of the page; ``name``: the released file, whose digest the report states."""
    heading(tr("Report"))
    note(
        tr(
            "The report is for the person who signs the release. It contains the request and the decision,"
            " the verdicts, all findings, risks, attacks on repeated releases, losses and limits, and an"
            " annex on data protection. It contains column names and aggregates, but no cell of the original"
            " data and no seed. The HTML file can be printed on A4 pages or saved as a PDF."
        )
    )
    with fold(tr("Your statements on the release"), "edit_note", "report-fields") as box:
        if box.open:
            fields("report", session.signing.said, session.signing.said.__setitem__)
    candidates.candidates(session, release)
    if known_population(session.table).get().population is not None:
        note(tr("The report uses the population set on the Risk page."))
    if missing_searches(session):
        note(tr("You can create the report after the search for findings is complete."))
        return
    about = tr(
        "The algorithm runs up to four more times. If this is off, the report says that no attack was tried."
    )
    st.toggle(tr("Try attacks on repeated releases"), key=kept(_ATTACKS.name, True), help=about)
    look, clicked = _look(session, name, shuffle), _CLICKED.of(session.table.digest)
    button(tr("Create the report"), clicked.set, True, icon="description", key="make-report")
    if clicked.pop():
        _ASKED.set(look)
    if _ASKED.get() == look:
        _files(session, release, name, shuffle)
    elif _ASKED.is_set:
        note(tr("The settings have changed since the report was created. Create it again."))


def fields(key: str, said: Mapping[str, str], keep: Callable[[str, str], object]) -> None:
    """Draw a control for each field, with the text ``said`` there; ``keep`` is given the field and its new
    text. An empty field is shown as empty in the report."""
    for one in decision_fields():

        def take(text: str, name: str = one.name) -> None:
            keep(name, text.strip())

        tied = linked(f"{key}.{one.name}", said.get(one.name, ""), take)
        label, about = plain(one.label), plain(one.help)
        if one.name in _LONG:
            st.text_area(label, help=about, max_chars=_LETTERS, height=_LOW, **tied)
        else:
            st.text_input(label, help=about, max_chars=_LETTERS, **tied)


def _look(session: Session, name: str, shuffle: bool) -> tuple[object, ...]:
    """Return all that the report depends on besides the release."""
    noted = tuple((expression(p.algorithm), p.k, p.seed, comment) for p, comment in session.signing.noted)
    points = sum(digest == session.table.digest for digest, _ in session.points)
    said, reasons = tuple(sorted(session.signing.said.items())), tuple(sorted(session.reasons.items()))
    setting = (session.table.digest, session.setting.key)
    population = known_population(session.table).get()
    more = population.key, population.missing, _ATTACKS.get()
    return "report", name, shuffle, PLAIN.get(), setting, said, reasons, noted, points, more


def _files(session: Session, release: kc.Release, name: str, shuffle: bool) -> None:
    """Show both files, created now with progress or kept from before."""

    def make() -> tuple[bytes, bytes]:
        with working(_ASKED.pop, "stop.report", tr("report")) as tick:
            verdicts = session.verdicts(session.setting, release)
            evidence = gathered(
                release, _inputs(session, name, shuffle), known_findings(session, release), verdicts, tick
            )
            found = made(evidence)
        return to_html(found).encode(), to_markdown(found).encode()

    try:
        html, markdown = session.picture(_look(session, name, shuffle), make)
    except kc.KanonError as reason:
        error(reason)
        return
    stem = f"{PurePath(name).stem}-report"
    with st.container(horizontal=True):
        download(tr("Download the report (HTML)"), html, f"{stem}.html", key="report-html")
        download(tr("Download the report (Markdown)"), markdown, f"{stem}.md", key="report-md")


def _inputs(session: Session, name: str, shuffle: bool) -> ReportInputs:
    said = {one.name: session.signing.said.get(one.name, "") for one in decision_fields()}
    points = [one for (digest, _), one in list(session.points.items()) if digest == session.table.digest]
    reasons = {what: why for what, why in session.reasons.items() if why}
    noted = tuple(Candidate(point, comment) for point, comment in session.signing.noted)
    population = known_population(session.table).get()
    return ReportInputs(
        Decision(**said),
        tuple(points),
        noted,
        reasons,
        name,
        shuffle,
        population=population.population,
        missing=population.missing,
        draws=DRAWS if _ATTACKS.get() else 0,
        plain=name.endswith(".csv") and PLAIN.get(),
    )

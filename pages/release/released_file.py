"""Release of a file that Check examines: its report to sign."""

from __future__ import annotations

from pathlib import PurePath

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, tr
from kanon_core.report.checked_file import FileEvidence, checked_report
from kanon_core.report.signing import Decision, to_html, to_markdown
from kanon_core.report.signing.evidence import decision_fields, sha256
from kanon_core.risk.measuring import risks_of_file
from pages.release.report import fields
from pages.shell.cases import file_bar, no_risks
from pages.shell.frame import link_to
from pages.state.case import CheckedFile
from pages.state.jobs import once
from pages.state.keys import Key, Lasting
from pages.state.session import Session
from pages.state.setting import known_population
from pages.widgets.files import download
from pages.widgets.layout import fold
from pages.widgets.pickers import button
from pages.widgets.text import heading, note

_SAID: Lasting[dict[str, str]] = Lasting("said of a file", {})
_ASKED, _MADE = (
    Key("report of file asked", ""),
    Key[tuple[str, tuple[bytes, bytes]] | None]("report of file", None),
)


def file_report(session: Session) -> None:
    """Show the report on the checked file; the file itself is in the hands of the user already."""
    file = file_bar(session)
    heading(tr("Report on the checked file"))
    if file.checked is None:
        note(tr("There are no verdicts on the file yet. Check it first."))
        link_to("check", tr("Show the file on Check"), ":material/fact_check:")
        return
    note(
        tr(
            "The report is for the person who signs. It contains the name and the SHA-256 of the file, the"
            " roles of its columns, the verdicts, the levels reached, and the risk of each attacker. It"
            " contains no cell of the original. The HTML file can be printed on A4 pages or saved as a PDF."
        )
    )
    said = _SAID.of(file.upload.file_id)
    with fold(tr("Your statements on the file"), "edit_note", "report-fields") as box:
        if box.open:
            fields(
                f"file.{file.upload.file_id}",
                said.get(),
                lambda name, text: said.set({**said.get(), name: text}),
            )
    known = known_population(file.table).get()
    look = f"{file.key} {_requested(file.checked)} {sorted(said.get().items())} {known.key} {known.missing}"
    button(tr("Create the report"), _ASKED.set, look, icon="description", key="make-report")
    if _ASKED.get() == look:
        _files(file, file.checked, said.get(), look)
    elif _ASKED.get():
        note(tr("The settings have changed since the report was created. Create it again."))


def _requested(checked: kc.Checked) -> str:
    """Return the words for what was requested and how cells were counted."""
    return f"{[(one.called, one.guarantee.wanted) for one in checked.asked]} {checked.counted}"


def _beside(file: CheckedFile) -> str:
    return "" if file.original is None else f"{file.beside}, {counted(len(file.original), 'record')}"


def _files(file: CheckedFile, checked: kc.Checked, said: dict[str, str], look: str) -> None:
    def make(tick: Tick) -> tuple[bytes, bytes]:
        known = known_population(file.table).get()
        given = known.population, known.missing, tick
        risks = None if no_risks(file) else risks_of_file(file.table, file.original, *given)
        decision = Decision(**{one.name: said.get(one.name, "") for one in decision_fields()})
        digest = sha256(file.upload.getvalue())
        made = checked_report(
            FileEvidence(checked, file.name, digest, _beside(file), decision, risks, known.population)
        )
        return to_html(made).encode(), to_markdown(made).encode()

    found = once(_MADE, look, "file-report", tr("Create the report"), make)
    if found is None:
        return
    stem = f"{PurePath(file.name).stem}-check-report"
    with st.container(horizontal=True):
        download(tr("Download the report (HTML)"), found[0], f"{stem}.html", key="report-html")
        download(tr("Download the report (Markdown)"), found[1], f"{stem}.md", key="report-md")

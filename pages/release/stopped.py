"""Reasons for a release despite a blocking finding; they are kept in the recipe."""

from __future__ import annotations

import dataclasses

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from pages.shell.private import Place
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.findings import all_findings
from pages.widgets.text import error, note


def despite(session: Session, release: kc.Release, place: Place) -> dict[str, str] | None:
    """Return the reason given for each finding that blocks this release, by its sentence; these findings are
    shown in ``place``, above the less severe ones. Return None while a reason is missing or the search for
    findings is running: nothing is then released."""
    found = all_findings(session, release)
    if found is None:
        note(tr("You can download the file after the search for findings is complete."))
        return None
    stopping = [finding for finding in found if finding.severity == "stops"]
    with place:
        for number, finding in enumerate(stopping):
            _ask(session, number, finding)
    given = {finding.sentence: session.reasons.get(finding.sentence, "") for finding in stopping}
    if not all(given.values()):
        note(
            tr(
                "A finding above blocks the release of this table. Remove its cause, or enter below it the"
                " reason for releasing the table despite it."
            )
        )
        return None
    return given


def _ask(session: Session, number: int, finding: kc.Finding) -> None:
    """Show a finding that blocks the release, and a field for the reason to release the table."""
    error(f"{tr(finding.name)}: {finding.sentence} {finding.action}", icon=":material/policy:")

    def take(text: str) -> None:
        session.reasons[finding.sentence] = text.strip()

    tied = linked(f"reason.{number}", session.reasons.get(finding.sentence, ""), take)
    st.text_input(
        tr("Reason for releasing it despite this finding"),
        placeholder=tr("the reason is stored in the recipe"),
        **tied,
    )


def recipe_of(session: Session, release: kc.Release) -> kc.Recipe:
    """Return the recipe with the reasons given for the findings that block the release."""
    written = {what: why for what, why in session.reasons.items() if why}
    return dataclasses.replace(release.recipe, reasons=written)

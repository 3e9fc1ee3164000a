"""Reasons for a release despite a blocking finding; they are kept in the recipe."""

from __future__ import annotations

import dataclasses

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.findings import all_findings
from pages.widgets.text import error, note


def despite(session: Session, release: kc.Release) -> dict[str, str] | None:
    """Return the reason given for each finding that blocks this release, by its sentence. Return None while a
    reason is missing or the search for findings is running: nothing is then released."""
    found = all_findings(session, release)
    if found is None:
        note(tr("You can download the file after the search for findings is complete."))
        return None
    stopping = [finding for finding in found if finding.severity == "stops"]
    written = session.reasons
    for number, finding in enumerate(stopping):
        error(f"{tr(finding.name)}: {finding.sentence} {finding.action}", icon=":material/policy:")

        def take(text: str, sentence: str = finding.sentence) -> None:
            written[sentence] = text.strip()

        tied = linked(f"reason.{number}", written.get(finding.sentence, ""), take)
        st.text_input(
            tr("Reason for releasing it despite this finding"),
            placeholder=tr("the reason is stored in the recipe"),
            **tied,
        )
    given = {finding.sentence: written.get(finding.sentence, "") for finding in stopping}
    if not all(given.values()):
        note(tr("This finding blocks the release. Enter a reason to release the table despite the finding."))
        return None
    return given


def recipe_of(session: Session, release: kc.Release) -> kc.Recipe:
    """Return the recipe with the reasons given for the findings that block the release."""
    written = {what: why for what, why in session.reasons.items() if why}
    return dataclasses.replace(release.recipe, reasons=written)

"""Sample of whole cells of a large table: its description, its estimate for the whole, and the command for
the whole."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import counted, tr
from kanon_core.metrics import NCP
from kanon_core.report.command import command_for_everything
from kanon_core.table.wholecells import NOT_RELEASED, SETTLED
from pages.state.session import Session
from pages.widgets.text import bold, heading, info, line, note, warning


def sample_said(session: Session) -> None:
    """Show a sentence on the sample; nothing for other tables."""
    if session.table.whole_cells is not None:
        note(session.table.whole_cells.sentence)


def settled(session: Session) -> None:
    """Show the columns of a sample, and why they cannot be changed here."""
    sample_said(session)
    heading(tr("Columns"))
    for role in ("quasi_identifier", "sensitive", "other"):
        if named := [attribute.name for attribute in session.table.schema.of_role(role)]:
            line("", tr(role).replace("_", "-"), f": {', '.join(named)}")
    info(tr(SETTLED))


def not_released(session: Session) -> None:
    """Show why a sample is not released, and what to do instead."""
    info(tr(NOT_RELEASED))
    run_on_everything(session, session.kept(session.setting))


def run_on_everything(session: Session, release: kc.Release | None = None) -> None:
    """Show the command for all files with the current setting, and the estimated cost of the ``release``;
    nothing for other tables."""
    cells, setting = session.table.whole_cells, session.setting
    if cells is None:
        return
    with st.container(border=True, key="everything", gap="xsmall"):
        heading(tr("Command for the whole table"))
        if release is not None:
            found = session.measured(setting, release, NCP)
            says = tr("{title} at k = {k}: certainty penalty of the whole table *{loss}*.")
            facts = {"title": setting.title, "k": setting.k, "loss": NCP().text(found.total, found.error)}
            line(*bold(says, **facts))
        try:
            command = command_for_everything(cells, _repeatable(setting.algorithm, release), setting.k)
        except kc.KanonError as reason:
            warning(reason)
            return
        st.code(command, language="bash", wrap_lines=True)
        note(
            tr(
                "Run the command on the computer that has the files. It anonymizes the whole"
                " table ({records}) with a new secret seed, checks the release, and writes it"
                " only after the check. The command contains column names."
            ).format(records=counted(cells.records, "record"))
        )


def _repeatable(algorithm: kc.Algorithm, release: kc.Release | None) -> kc.Algorithm:
    """Return the algorithm with its number of steps, which is the same on every machine."""
    return algorithm if release is None else release.recipe.algorithm

"""Question that blocks every release: whose records are these, if a repeated column may name the people?"""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.table.people import undecided_columns
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import heading, line, note


def owner_question(session: Session) -> bool:
    """Return whether the owner of the records is undecided; then show the reason and the three answers."""
    found = undecided_columns(session.table)
    if not found:
        return False
    with st.container(border=True, key="whose-records"):
        heading(tr("Whose records are these?"))
        counts = ", ".join(tr("{name} has {values}").format(name=n, values=v) for n, v in found.items())
        says = tr(
            ". If these values name people, k indistinguishable records may all belong to one person and"
            " protect nobody. You cannot create a release until you answer this question."
        )
        line("", counts, says)
        person, record, nobody = st.columns(3, gap="medium")
        with person:
            for name in found:
                _answer(session, tr("{name} names the person").format(name=name), {name: "person"})
            note(tr("A person may have several records. k counts people, not records."))
        with record:
            says = tr("Each record is a different person")
            _answer(session, says, dict.fromkeys(found, "identifier"))
            note(
                tr(
                    "The values name something else, such as bills, or different people share a value."
                    " They are not published, and k counts records."
                )
            )
        with nobody:
            _answer(session, tr("The values do not name people"), dict.fromkeys(found, "quasi_identifier"))
            note(
                tr("The values describe a person, such as a city. They are anonymized, and k counts records.")
            )
        note(tr("Your answer sets the role of the column. You can change the role later."))
    return True


def _answer(session: Session, label: str, roles: dict[str, str]) -> None:
    def take() -> None:
        session.change_schema(session.table.schema.with_roles(roles))

    button(label, take, key=" ".join(("whose", *roles, *roles.values())), width="stretch")

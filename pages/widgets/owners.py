"""The question that stops every release: whose are the records, where a column that repeats may say it?"""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.table.people import undecided_columns
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import heading, line, note, plain


def owner_question(session: Session) -> bool:
    """Return whether it is undecided whose the records are; then the reason, and the three answers, each a
    click."""
    found = undecided_columns(session.table)
    if not found:
        return False
    with st.container(border=True, key="whose-records"):
        heading(tr("Whose are the records?"))
        counts = ", ".join(tr("{name} has {values}").format(name=n, values=v) for n, v in found.items())
        says = tr(
            ". If these are people, k records that look alike may all be one person's, and hide nobody."
            " Nothing is released until you say what they are."
        )
        line("", counts, says)
        person, record, nobody = st.columns(3, gap="medium")
        with person:
            for name in found:
                _answer(session, tr("{name} names the person").format(name=name), {name: "person"})
            note(tr("A person may have several records. k counts people, not records."))
        with record:
            says = tr("Every record is of a different person")
            _answer(session, says, dict.fromkeys(found, "identifier"))
            note(
                tr("The values name something else, such as bills. They are left out, and k counts records.")
            )
        with nobody:
            _answer(session, tr("They name no persons"), dict.fromkeys(found, "quasi_identifier"))
            note(
                tr(
                    "The values tell something of a person, as a city does. They are anonymized, and k counts"
                    " records."
                )
            )
        note(tr("You can change the answer later: it is the role of the column, on the Data page."))
    return True


def _answer(session: Session, label: str, roles: dict[str, str]) -> None:
    def take() -> None:
        session.change_schema(session.table.schema.with_roles(roles))
        given = tr("The role of {columns} is {role} now. The table of columns on the Data page changes it.")
        role = next(iter(roles.values())).replace("_", "-")
        st.toast(plain(given.format(columns=", ".join(roles), role=role)), icon=":material/check:")

    button(label, take, key=" ".join(("whose", *roles, *roles.values())), width="stretch")

"""Examples that start from a question: table, algorithm, k and page, and the question above the result until
it is dismissed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from kanon_core.base.words import later, tr
from pages.shell.menu import parts_of
from pages.state.keys import Key

if TYPE_CHECKING:
    import kanon_core as kc
    from pages.state.session import Session


@dataclass(frozen=True)
class Example:
    """An example: its name, which is that of its picture, a title, a question, a text for those who do not
    see the picture, and what answers it.

    ``sample``: "" for a table of one's own. ``algorithm``: its class name. ``place``: the page,
    with its view if it has some. ``limited``: what the answer on Tune limits.
    """

    name: str
    title: str
    asks: str
    picture: str
    sample: str = ""
    algorithm: str = ""
    k: int = 5
    place: str = "tune"
    limited: str = ""


EXAMPLES = (
    Example(
        "patients",
        later("Patients"),
        later("What is the smallest k at which no condition is given away?"),
        later("100 people by age, one row for each condition; most have none."),
        "people-100",
        "MDAV",
        limited="finding",
    ),
    Example(
        "census",
        later("Census"),
        later("Which column loses most when five people become alike?"),
        later("5,000 adults by age, women above and men below."),
        "households-5000",
        "MDAV",
    ),
    Example(
        "city",
        later("City"),
        later("How large is the area in which five people hide?"),
        later("People in and around a city; those far outside are marked."),
        "people-5000",
        "MDAV",
        place="map",
    ),
    Example(
        "receipts",
        later("Receipts"),
        later("What share of the diseases cannot be published?"),
        later("The diseases on 10,000 medical receipts by frequency; the rare ones are marked."),
        "receipts-10000",
        "TopDown",
        place="clusters/sets",
    ),
    Example(
        "purchases",
        later("Purchases"),
        later("How surely is a customer found if only the names are removed?"),
        later("The days on which twelve customers bought something; one of them buys almost daily."),
        "purchases-80000",
        "PurchaseHistories",
        place="risk/attackers",
    ),
    Example(
        "own",
        later("Your file"),
        later("How large can k be for your table, at the loss that you accept?"),
        later("An arrow into an empty table."),
        limited="loss",
    ),
)
"""The examples, in their order."""
_ASKED: Key[str] = Key("question asked", "")
"""The name of the example whose question is shown."""


def algorithm_of(example: Example) -> kc.Algorithm:
    """Return the algorithm of an example, with its default options."""
    from pages.shell.page_address import algorithm_of as named

    return named(example.algorithm)


def open_example(session: Session, example: Example, go_to: Callable[[str], None]) -> None:
    """Ask the question of an example, and open its table, setting and page. One's own table is not loaded
    yet: the page stays."""
    _ASKED.set(example.name)
    if example.limited:
        session.limit_by(example.limited)
    if not example.sample:
        return
    session.open_sample(example.sample)
    session.ask(algorithm=algorithm_of(example), k=example.k)
    go_to(example.place)


def question(session: Session, page: str) -> None:
    """Show the question that was asked on this page, as long as its table is loaded, with a button that
    dismisses it."""
    asked = next((one for one in EXAMPLES if one.name == _ASKED.get()), None)
    if asked is None or parts_of(asked.place)[0] != page or not _is_about(asked, session):
        return
    from pages.widgets.pickers import button
    from pages.widgets.text import sentence

    with st.container(key="question", horizontal=True, vertical_alignment="center", gap="small"):
        sentence("", tr(asked.asks), width="content")
        button(tr("Dismiss the question"), _ASKED.pop, icon="close", key="question-dismiss")


def _is_about(example: Example, session: Session) -> bool:
    """Return whether the loaded table is that of an example; one's own is any that is no sample."""
    if example.sample:
        return session.source == f"sample:{example.sample}"
    return not session.source.startswith("sample:")

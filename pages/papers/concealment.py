"""Reproduction of tables 8 and 9 of the paper on k-concealment."""

from __future__ import annotations

from kanon_core.base.words import later
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.papers.data import coordinates_of
from pages.papers.panel import Panel, Progress, Wanted, data_and_samples
from pages.state.keys import Key
from pages.state.session import Session

MADE: Key[Progress | None] = Key("tables made again", None)


def _wanted(session: Session) -> Wanted:
    """Return the chosen reproduction; its samples are as large as the loaded table allows."""
    source, seeds = data_and_samples(session, True, key="made again")
    n = len(session.table) if source else 5_000
    records, visits = (5_000, n) if source and coordinates_of(session.table) else (n, 5_000)
    records, visits = max(10, min(1_000, records)), max(4, min(100, visits - visits % 2))
    return ConcealmentTables(seeds=seeds, records=records, visits=visits), source


TABLES = Panel(
    title=later("Reproduce tables 8 and 9 of the paper"),
    about=later(
        "The costs of the paper's methods, compared with the printed numbers, and the optimum, which the"
        " paper considered out of reach. The guarantee of every release is checked."
    ),
    start=later("Compute the tables"),
    file="tables-8-and-9.csv",
    state=MADE,
    wanted=_wanted,
)

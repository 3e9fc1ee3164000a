"""Table of Learn: a small one with its own algorithm and k, independent of the other pages."""

from __future__ import annotations

import dataclasses

import numpy as np

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.samples import SAMPLES, sample
from kanon_core.teaching.explain import NARRATIONS, RECORDS_AT_MOST
from pages.shell import page_address
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.sentences import table_name

OPEN = "open"
"""The value for the table of the other pages."""
TABLE = Key("learn table", "")
"""The chosen table: `OPEN` or the name of a sample; "" before a choice."""
TOLD: tuple[type[kc.Algorithm], ...] = tuple(narration.algorithm for narration in NARRATIONS)
"""The algorithms with steps to show."""
SHORT = 20
"""The most records of a person, so that a sample holds at least ten people."""
HISTORIES = "purchases-80000"
"""The sample of people with many records; a part of it is shown on request."""
_SEED = 1
_STUDY: Key[tuple[tuple[str, str], Session] | None] = Key("study", None)
_ENOUGH = frozenset(range(4, RECORDS_AT_MOST + 1))


def study(session: Session) -> Session:
    """Return the session of Learn in this tab: the chosen table with its own setting."""
    chosen = _chosen(session)
    key, kept = (session.table.digest, chosen), _STUDY.get()
    if kept is not None and kept[0] == key:
        return kept[1]
    setting = session.setting if kept is None else kept[1].setting
    table, name, source, seed = _opened(session, chosen)
    made = Session(table, name, source, suiting(table, setting, seed), seed)
    _STUDY.set((key, made))
    return made


def choices(session: Session) -> dict[str, str]:
    """Return the names of the tables that can be looked at, by choice."""
    found = {}
    if no_study(session.table) == "":
        name = table_name(session).removesuffix(f" ({len(session.table):,})")
        says = tr("{name} ({count:,})")
        if len(session.table) > RECORDS_AT_MOST:
            says = tr("{name} ({most} of {count:,})")
        found[OPEN] = says.format(name=name, count=len(session.table), most=RECORDS_AT_MOST)
    small = [one for one in SAMPLES if one.rows in _ENOUGH or one.name == TABLE.get()]
    others = {one.name: one.title for one in small if f"sample:{one.name}" != session.source}
    return found | others


def rows_of(session: Session) -> int:
    """Return the number of records of the whole table."""
    chosen = _chosen(session)
    return len(session.table) if chosen == OPEN else sample(chosen).rows


def no_study(table: kc.Table) -> str:
    """Return the reason why this table has no steps to show; "" if it has."""
    if table.schema.of_role("undecided"):
        return tr("You have not yet decided whose records your table contains, so samples are shown.")
    if not table.quasi:
        return tr("No column of your table is a quasi-identifier, so samples are shown.")
    return ""


def drawn_from(table: kc.Table, count: int, number: int = 0) -> kc.Table:
    """Return so many records of the table, in its order; the same for the same table and number. If people
    have many records, return at most so many: all records of people who have no more than `SHORT` of them."""
    rng = np.random.default_rng([int(table.digest[:12], 16), number])
    if len(table) <= count:
        return table
    if no_persons(table):
        return table.some(np.sort(rng.choice(len(table), count, replace=False)))
    numbers = persons_of(table).numbers
    sizes = np.bincount(numbers[numbers >= 0])
    people = rng.permutation(np.flatnonzero((sizes > 0) & (sizes <= SHORT)))
    return table.some(np.isin(numbers, people[sizes[people].cumsum() <= count]))


def fitting(session: Session, shown: Session) -> str:
    """Return a table that suits the algorithm; "" if there is none."""
    for name in dict.fromkeys([*choices(session), HISTORIES]):
        table, _, _, _ = _opened(session, name)
        if not shown.setting.algorithm.unsuitable(table, min(shown.setting.k, len(table))):
            return name
    return ""


def suiting(table: kc.Table, setting: Setting, seed: int) -> Setting:
    """Return the setting as far as the table allows it, with an algorithm that has steps."""
    k = max(2, min(setting.k, len(table)))
    wanted = (setting.algorithm, *(cls() for cls in TOLD))
    told = [one for one in wanted if type(one) in TOLD]
    fits = next((one for one in told if not one.unsuitable(table, k)), told[0])
    return dataclasses.replace(setting, algorithm=fits, k=k, seed=seed)


def _chosen(session: Session) -> str:
    names = choices(session)
    return TABLE.get() if TABLE.get() in names else next(iter(names))


def _opened(session: Session, chosen: str) -> tuple[kc.Table, str, str, int]:
    """Return the table, its name, its source, and the seed of its runs. The seed of samples is fixed, so that
    a link shows everybody the same steps."""
    table, name, source, seed = session.table, session.name, session.source, session.secret
    if chosen != OPEN:
        source = f"{page_address.SAMPLE}{chosen}"
        table, name = kc.read_table(source), sample(chosen).title
    if source.startswith(page_address.SAMPLE):
        seed = _SEED
    if len(table) > RECORDS_AT_MOST:
        return drawn_from(table, RECORDS_AT_MOST), name, source, seed
    return table, name, source, seed

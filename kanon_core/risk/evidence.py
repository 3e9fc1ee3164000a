"""Evidence of an attacker who knows the original and sees published histories: the people who fit each
row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.matching.owners import fitting_records
from kanon_core.release.release import Release
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PEOPLE_AT_MOST = 10_000
"""The most people: for more, the likelihoods of all histories and the best assignment would take gigabytes
and hours."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The known original and the published histories.

    ``published``: the columns with a cell for each different row; ``first``: a record of each row. ``names``
    int64 (h): the pseudonyms, ascending. ``history`` int64 (h): pseudonyms with equal rows share a number, 0
    … g − 1. ``rows`` (g × rows): how often each history has each row. ``people``: the person of each original
    record. ``several``: a person may have more than one pseudonym.
    """

    table: Table
    published: tuple[PublishedColumn, ...]
    first: np.ndarray
    people: Persons
    names: np.ndarray
    history: np.ndarray
    rows: csr_array
    several: bool = False
    tick: Tick = silent

    @property
    def sizes(self) -> np.ndarray:
        """int64 (g): how many rows each history has."""
        return np.asarray(self.rows.sum(axis=1)).ravel().astype(np.int64)

    @cached_property
    def fitting(self) -> csr_array:
        """int64 (rows × people): how many of a person's records fit a row in every published column; means,
        medians and modes exclude no record. Cost as `fitting_records`."""
        bounding = [column for column in self.published if not column.cells.aggregated]
        return fitting_records(self.table, bounding, self.first, self.people, self.tick)


def evidence(table: Table, release: Release, tick: Tick = silent) -> tuple[Evidence, np.ndarray]:
    """Return the evidence of the attacker and, to judge the guesses, the person of each pseudonym, int64 (h).

    Raises UnsuitableError for a release that publishes no histories, and for more than 10,000 people.
    """
    from scipy.sparse import csr_array

    if not release.pseudonymous:
        raise UnsuitableError(
            tr(
                "This attack links published histories to people, but this release publishes no histories;"
                " choose an algorithm for purchase histories."
            )
        )
    people, shown = persons_of(table), np.flatnonzero(~release.suppressed)
    if len(people) > PEOPLE_AT_MOST:
        raise UnsuitableError(
            tr(
                "This attack compares every person with every history and takes up to {limit:,} people, but"
                " this table has {people:,}; use the records of fewer people."
            ).format(limit=PEOPLE_AT_MOST, people=len(people))
        )
    names, first, owner = np.unique(release.pseudonyms[shown], return_index=True, return_inverse=True)
    pairs = (np.ones(len(shown), np.int64), (owner, release.row[shown]))
    rows = csr_array(pairs, shape=(len(names), len(release.held)))
    rows.sum_duplicates()
    texts = [
        rows.indices[a:b].tobytes() + rows.data[a:b].tobytes()
        for a, b in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
    ]
    number = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    history = np.array([number[text] for text in texts], np.int64)
    each = rows[np.unique(history, return_index=True)[1]] if len(names) else rows
    several, columns = release.bearers.several, release.by_row
    found = Evidence(table, columns, release.first, people, names, history, each, several, tick)
    return found, people.numbers[shown[first]]

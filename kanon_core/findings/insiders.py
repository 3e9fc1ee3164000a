"""Insiders: the disclosure to an attacker who also knows the rows of some people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer, Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, percent, tr
from kanon_core.findings.anonymity_sets import AnonymitySets, anonymity_sets
from kanon_core.findings.base import Finding, Search
from kanon_core.findings.unchanged import codes_of, unchanged
from kanon_core.table.columns.keys import row_keys

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Insiders(Search):
    """Records that are left with a single row when the unchanged values of some other people are known too.

    Simulated: the known people are drawn at random. A drawn person can only have rows with their own values.
    All assignments of rows to people that agree with this remain possible. In a class, the anonymity set of
    the others is then those who were not drawn. Where sets overlap, a row remains somebody's if some perfect
    matching has it so (both ends lie in one strongly connected component). Draws are seeded, so that the
    figures are the same each time. Cost O(n k) for a draw.
    """

    name: ClassVar[str] = "insiders"
    asks: ClassVar[str] = (
        "How much does an attacker who knows the rows of some people learn about the others?"
    )
    attacker: ClassVar[str] = "knows quasi-identifiers, and the unchanged values of some people"
    know: ClassVar[str] = (
        "always, if columns are published unchanged: {share} % of the people drawn, {draws} draws"
    )
    cheap: ClassVar[bool] = False

    share: Annotated[
        float, Real(0, 100, unit="%", help="of the people: those whose values the attacker knows")
    ] = 10.0
    draws: Annotated[int, Integer(1, 1000, help="random draws of these people")] = 20

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """Yield one finding; none for histories, whose rows say more together than one by one."""
        columns, sets = unchanged(table), anonymity_sets(release)
        people = np.flatnonzero(sets.set_of >= 0)
        known = round(len(people) * self.share / 100)
        if not columns or release.pseudonymous or not 0 < known < len(people):
            return
        values = row_keys(np.column_stack([codes_of(table, column.name) for column in columns]))
        left = np.zeros(self.draws)
        for draw in range(self.draws):
            tick(draw / self.draws, tr("people whose values are known"))
            insider = np.zeros(len(table), bool)
            insider[np.random.default_rng([draw, known]).choice(people, known, replace=False)] = True
            left[draw] = int((_rows_left(sets, insider, values)[people[~insider[people]]] == 1).sum())
        others = len(people) - known
        yield self.finding(
            "know",
            tr(
                "An attacker who {knows} and also knows the unchanged columns of {known} ({share}), drawn"
                " at random, identifies the rows of {mean:,.1f} of the {others:,} others on average"
                " ({percent}), and of at most {worst:,} in {draws} random trials."
            ).format(
                knows=sets.attacker,
                known=counted(known, "person"),
                share=percent(known, len(people)),
                mean=left.mean(),
                others=others,
                percent=percent(float(left.mean()), others),
                worst=int(left.max()),
                draws=self.draws,
            ),
            tr("Choose a greater k if an attacker may know this much."),
        )


def _rows_left(sets: AnonymitySets, insider: np.ndarray, values: np.ndarray) -> np.ndarray:
    """int64 (n): how many rows could still be that of each record; the entries of insiders say nothing."""
    if sets.disjoint:
        outside = np.bincount(sets.set_of[(sets.set_of >= 0) & ~insider], minlength=len(sets.sizes))
        return np.asarray(np.append(outside, 0)[sets.set_of])
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    assert isinstance(sets.member, np.ndarray)
    n = len(insider)
    fits = ~insider[sets.owner] | (values[sets.owner] == values[sets.member])
    person, row = sets.owner[fits], sets.member[fits]
    graph = csr_array((np.ones(len(person), np.int8), (person, row)), shape=(n, n))
    part = connected_components(graph, connection="strong")[1]
    return np.bincount(person[part[person] == part[row]], minlength=n)

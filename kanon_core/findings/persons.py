"""Finding on identifiers that repeat and may identify people with several records, while no column has the
role person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, tr
from kanon_core.findings.anonymity_sets import AnonymitySets, anonymity_sets
from kanon_core.findings.base import Finding, Search
from kanon_core.findings.unchanged import codes_of
from kanon_core.table.identifiers.fewvalues import known
from kanon_core.table.identifiers.weights import is_survey_weight
from kanon_core.table.inference import infer_role

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.attribute import Attribute
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class People(Search):
    """An identifier of many values that repeats, while no column has the role person: k counts records, and
    several of them may be one person's.

    If the name of a column suggests a person (`kanon_core.table.inference.is_undecided`), the user must
    decide its role before anything is released; the question is not repeated. A survey weight, which is left
    out because some cells are missing or 0, repeats by chance and identifies nobody. The different values in
    each anonymity set are counted; each missing or unknown value counts as another person. Cost O(n log n)
    per such column.
    """

    name: ClassVar[str] = "people with several records"
    asks: ClassVar[str] = "Do anonymity sets contain enough different people?"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person"
    know: ClassVar[str] = (
        "no column has the role person, and an identifier with many values repeats. A column whose name"
        " suggests a person (customer_id, patient, user, household …) blocks the release until its role is"
        " decided; the decision is not questioned again"
    )

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each such column."""
        if table.schema.of_role("person") or release.suppressed.all():
            return
        for attribute in table.schema.of_role("identifier"):
            name = attribute.name
            tick(None, tr("people: {column}").format(column=name))
            if _may_identify(table, attribute) and _repeats(table, name):
                yield self._of_column(release, anonymity_sets(release), name, _each_apart(table, name))

    def _of_column(self, release: Release, sets: AnonymitySets, name: str, codes: np.ndarray) -> Finding:
        people, k = sets.different(codes), release.recipe.k
        few = people < k
        records = sets.records_of(few)
        values, present = _present(release.table, name)[::-1]
        said = tr(
            "“{name}” is left out and its values repeat ({values} in {present}), but k = {k} counts records. "
        ).format(name=name, values=counted(values, "value"), present=counted(present, "record"), k=k)
        if few.any():
            said += tr(
                "For {records}, the anonymity set has fewer than {k} different values of it, down to"
                " {least:,}. If it identifies people, these sets have fewer than {k} people."
            ).format(records=counted(int(records.sum()), "record"), k=k, least=int(people[few].min()))
        else:
            said += tr("Every anonymity set still has at least {least} of it.").format(
                least=counted(int(people.min()), "value")
            )
        return self.finding(
            "know",
            said,
            tr(
                "If it identifies people with several records, give it the role person and choose Purchase"
                " histories, which protects people."
            ),
            records if few.any() else None,
            (name,),
        )


def _may_identify(table: Table, attribute: Attribute) -> bool:
    """Return whether the values may identify people: no user decided the role, and they are neither free text
    nor survey weights."""
    if attribute.kind == "text" or is_survey_weight(attribute.name, table.frame[attribute.name]):
        return False
    return not _is_answered(table, attribute)


def _is_answered(table: Table, attribute: Attribute) -> bool:
    """Return whether a user decided the role: the role that is guessed for the column is another one, or
    none."""

    def guessed() -> str:
        return infer_role(attribute.name, table.frame[attribute.name], attribute.kind)

    return table.once(f"guessed:{attribute.name}", guessed) != attribute.role


def _repeats(table: Table, name: str) -> bool:
    """Return whether it has many values that repeat: columns that are only left out, flags and groups have
    few."""
    present, values = table.once(f"present:{name}", lambda: _present(table, name))
    return max(3, 0.1 * present) <= values < present


def _present(table: Table, name: str) -> tuple[int, int]:
    """Return how many cells hold a known value, and how many different values they have."""
    codes = codes_of(table, name)[~_is_unknown(table, name)]
    return len(codes), int(np.count_nonzero(np.bincount(codes)))


def _is_unknown(table: Table, name: str) -> np.ndarray:
    """n booleans: the cell is missing or unknown."""
    cells = table.frame[name]
    return ~cells.index.isin(known(cells.dropna()).index)


def _each_apart(table: Table, name: str) -> np.ndarray:
    """int64 (n): the codes of the column, where each unknown cell differs from all others."""
    codes, unknown = codes_of(table, name).copy(), _is_unknown(table, name)
    codes[unknown] = codes.max(initial=-1) + 1 + np.arange(int(unknown.sum()))
    return codes

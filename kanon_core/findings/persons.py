"""Columns that look like whose record it is, and were given another role than person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.findings.behind import Behind, behind
from kanon_core.findings.published import codes_of, is_missing
from kanon_core.table.naming import names_persons, numbers_persons

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.attribute import Attribute
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class People(Search):
    """A column whose values repeat and that looks like whose each record is, while no column has the role
    person: k counts records, and several of them may be one person's.

    By name, or any identifier of many values. Counted is how many different values each anonymity set has. A
    missing value counts as one further person. Cost O(n log n) per such column.
    """

    name: ClassVar[str] = "people with several records"
    asks: ClassVar[str] = "Are those among whom a record hides different people?"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person"
    decide: ClassVar[str] = (
        "no column has the role person, and one repeats that is named like whose a record is (customer_id,"
        " patient, user, household …) or is an identifier with many values; while it is undecided what such a"
        " column is, nothing is released at all"
    )

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each such column."""
        if table.schema.of_role("person") or release.suppressed.all():
            return
        for attribute in table.schema:
            named = numbers_persons(attribute.name) or names_persons(attribute.name)
            if named or attribute.role == "identifier":
                tick(None, tr("people: {column}").format(column=attribute.name))
                if _repeats(table, attribute, named):
                    yield self._told(
                        release, behind(release), attribute.name, codes_of(table, attribute.name)
                    )

    def _told(self, release: Release, sets: Behind, name: str, codes: np.ndarray) -> Finding:
        people, k = sets.different(codes), release.recipe.k
        few = people < k
        records = sets.records_of(few)
        shown = codes[sets.member] if sets.disjoint else codes
        values, published = int(np.count_nonzero(np.bincount(shown))), len(shown)
        said = tr(
            "“{name}” repeats ({values:,} values in {published:,} published records), so that it may say"
            " whose each record is, while k = {k} counts records: "
        ).format(name=name, values=values, published=published, k=k)
        if few.any():
            said += tr(
                "{records:,} of them hide among fewer than {k} different values of it, down to {least:,}, and"
                " so perhaps among fewer people."
            ).format(records=int(records.sum()), k=k, least=int(people[few].min()))
        else:
            said += tr("everybody hides among at least {least:,} values of it even so.").format(
                least=int(people.min())
            )
        return self.finding(
            "decide",
            said,
            tr(
                "If people have several records here, give it the role person and choose Purchase histories,"
                " which protects people; if every record is another’s, say so."
            ),
            records if few.any() else None,
            (name,),
        )


def _repeats(table: Table, attribute: Attribute, named: bool) -> bool:
    """Whether its values repeat. Identifiers that are named so may be people's in any number; of others there
    must be many values: columns that are only left out, flags and groups have few."""
    present, values = table.once(f"present:{attribute.name}", lambda: _present(table, attribute.name))
    several = max(3, 0.1 * present)
    least = 2 if attribute.role == "identifier" else min(50, several)
    return (least if named else several) <= values < present


def _present(table: Table, name: str) -> tuple[int, int]:
    """How many cells are not empty, and how many different values they have."""
    there = ~is_missing(table, name)
    return int(there.sum()), int(np.count_nonzero(np.bincount(codes_of(table, name)[there])))

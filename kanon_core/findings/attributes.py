"""Attribute disclosure: sensitive values that an attacker learns from anonymity sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Flag, Integer, Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted as so_many
from kanon_core.base.words import percent, tr
from kanon_core.findings.anonymity_sets import AnonymitySets, anonymity_sets
from kanon_core.findings.base import SEVERITIES, Finding, Search, price_of
from kanon_core.findings.disclosure import DisclosureCounts, greatest_known
from kanon_core.findings.unchanged import codes_of
from kanon_core.guarantees.attributes.counts import Counts, Values, counted, values_of
from kanon_core.guarantees.attributes.sensitive import at_most
from kanon_core.guarantees.attributes.tcloseness import equal_distance, ordered_distance
from kanon_core.table.columns.columns import Items, Numbers

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


def most_first(found: Iterable[Finding]) -> list[Finding]:
    """Return findings of one search, the most severe first, among them the one about most records."""
    severities = list(SEVERITIES)
    return sorted(found, key=lambda one: (severities.index(one.severity), -one.count))


@dataclass(frozen=True)
class SensitiveValues(Search):
    """Attribute disclosure, by sensitive column: the anonymity sets that disclose a value, and the ℓ and t
    that the release has, guaranteed or not.

    The figures are those of ℓ-diversity, recursive (c, ℓ)-diversity and t-closeness, over equivalence classes
    or, in k-concealment, over the k rows that could be a record's. Missing is a value of its own there, but
    it does not count as disclosed, unless ``missing``; a whole item set is one value. Cost O(n log n) per
    column.

    A. Machanavajjhala et al., ℓ-diversity, TKDD 2007; N. Li et al., t-closeness, ICDE 2007.
    """

    name: ClassVar[str] = "sensitive values"
    asks: ClassVar[str] = "Do anonymity sets disclose sensitive values?"
    attacker: ClassVar[str] = (
        "knows all quasi-identifiers of one person; in k-concealment, everybody’s quasi-identifiers and the"
        " program"
    )
    decide: ClassVar[str] = "all members of an anonymity set have the same sensitive value"
    know: ClassVar[str] = (
        "otherwise: the ℓ and t that are reached, and the records whose value an attacker learns with a"
        " probability of {certainty} % or more"
    )

    certainty: Annotated[
        float, Real(50, 100, help="least probability at which a value counts as nearly disclosed", unit="%")
    ] = 80.0
    near: Annotated[
        float,
        Real(
            0, 100, help="of a column’s range: the width within which a number counts as disclosed", unit="%"
        ),
    ] = 1.0
    l: Annotated[  # noqa: E741
        int, Integer(2, 1_000, help="ℓ of the recursive (c, ℓ)-diversity that is reported")
    ] = 2
    missing: Annotated[bool, Flag(help="a missing value counts as a disclosed value")] = False

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each sensitive column, the one that gives most values away first."""
        if release.suppressed.all():
            return
        yield from most_first(self._by_column(table, release, tick))

    def _by_column(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        sets = anonymity_sets(release)
        for attribute in table.schema.of_role("sensitive"):
            tick(None, tr("sensitive values: {column}").format(column=attribute.name))
            values = _values(table, attribute.name)
            counts = counted(sets.owner, values._replace(codes=values.codes[sets.member]))
            yield self._of_counts(table, release, sets, replace(counts, values=values))

    def _of_counts(self, table: Table, release: Release, sets: AnonymitySets, counts: Counts) -> Finding:
        def records(marked: np.ndarray) -> np.ndarray:
            return np.flatnonzero(sets.records_of(marked))

        values = counts.values
        gone = counts.codes == values.distinct - 1 if values.has_missing and not self.missing else None
        disclosed = DisclosureCounts.of(
            counts, self.certainty / 100, self.l, lambda marked: len(records(marked)), gone
        )
        published = int((~release.suppressed).sum())
        figures = self._figures(disclosed, counts) + self._nearness(table, sets, counts)
        greatest = greatest_known(counts, gone)
        about = records(greatest == 1 if disclosed.certain else greatest >= self.certainty / 100)
        if table[counts.values.name].missing.any():
            figures += self.said_of_missing()
        return self.of_column(counts.values.name, disclosed, (published, len(table)), figures, sets, about)

    def said_of_missing(self) -> str:
        """Return a sentence on how missing values count, where there are any."""
        if self.missing:
            return tr(" A missing value counts as a value of its own.")
        return tr(" A missing value does not count as disclosed; in ℓ and t it is a value of its own.")

    def of_column(
        self,
        name: str,
        disclosed: DisclosureCounts,
        records: tuple[int, int],
        figures: str,
        sets: AnonymitySets,
        about: np.ndarray | None = None,
    ) -> Finding:
        """Return the finding on a column of which the sets disclose so much. ``records``: how many records
        are published, and how many there are; ``about``: the records whose value is certain or, where none
        is, nearly certain."""
        if not disclosed.certain:
            sentence = tr(
                "An attacker who {attacker} learns no value of “{name}” with certainty, and the value of"
                " {nearly:,} of {published} with a probability of {certainty} or more. {figures}"
            )
            severity, action = "know", tr("Require ℓ-diversity or t-closeness if this discloses too much.")
        else:
            sentence = tr(
                "An attacker who {attacker} learns “{name}” with certainty for {given:,} of {published},"
                " because {where}. Counting these, the attacker learns it with a probability of {certainty}"
                " or more for {nearly:,}. {figures}"
            )
            severity, action = "decide", _remedy(sets)
        said = sentence.format(
            name=name,
            attacker=sets.attacker,
            certainty=percent(self.certainty, 100),
            given=disclosed.certain,
            nearly=disclosed.nearly,
            published=so_many(records[0], "record"),
            where=_where(sets, disclosed),
            figures=figures,
        )
        price = price_of(disclosed.certain, records[1]) if sets.disjoint and disclosed.certain else ""
        found = self.finding(severity, said, action, about, (name,), price)
        return replace(found, count=disclosed.certain or disclosed.nearly)

    def _nearness(self, table: Table, sets: AnonymitySets, counts: Counts) -> str:
        """Return a sentence on the number of records whose anonymity set has values close to each other; ""
        for a column without numbers."""
        column = table[counts.values.name]
        if not isinstance(column, Numbers) or not len(column.present):
            return ""
        values = table.once(f"different:{column.attribute.name}", lambda: np.unique(column.values))
        last = counts.first + counts.distinct - 1
        # All numbers are halved, as a width may exceed the largest number.
        half_width = values[counts.codes[last]] / 2 - values[counts.codes[counts.first]] / 2
        low, high = column.range
        is_near = half_width <= self.near / 100 * (high / 2 - low / 2)  # a missing value is near to none
        near = sets.records_of(is_near)
        return tr(" For {near}, it is known to within {share} of the column’s range.").format(
            near=so_many(int(near.sum()), "record"), share=percent(self.near, 100)
        )

    def _figures(self, disclosed: DisclosureCounts, counts: Counts) -> str:
        """The least ℓ and the greatest t of all sets."""
        distance = at_most(float(equal_distance(counts).max()))
        if counts.values.ordered:
            distance += tr(" ({t} by the order of values)").format(
                t=at_most(float(ordered_distance(counts).max()))
            )
        return tr(
            "Reached: {reached}; {recursive}; t-closeness with t = {distance}. The most frequent value has"
            " a share of {most} in the table."
        ).format(
            reached=disclosed.reached,
            recursive=disclosed.recursive(self.l),
            distance=distance,
            most=percent(float(counts.values.shares.max()), 1),
        )


def _where(sets: AnonymitySets, disclosed: DisclosureCounts) -> str:
    if not sets.disjoint:
        return tr("all rows that can be theirs have the same value")
    return tr("all values are equal in {certain:,} of {all}").format(
        certain=disclosed.alike, all=so_many(disclosed.sets, "class")
    )


def _remedy(sets: AnonymitySets) -> str:
    if sets.disjoint:
        return tr(
            "Require ℓ-diversity (an option of Mondrian and Top-down), choose a greater k, or suppress"
            " these records."
        )
    return tr("Choose a greater k, or an algorithm with ℓ-diversity (Mondrian, Top-down).")


def _values(table: Table, name: str) -> Values:
    column = table[name]
    if isinstance(column, Items):
        codes = codes_of(table, name)
        return Values(name, codes, int(codes.max()) + 1, False)
    return table.once(f"values:{name}", lambda: values_of(column))

"""Columns that are published unchanged: whom they single out, alone or with the published cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.percent import percent
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Remedy, Search
from kanon_core.findings.behind import Behind, behind
from kanon_core.findings.published import codes_of, unchanged
from kanon_core.table.columns.keys import paired
from kanon_core.table.inference import infer_role

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.attribute import Attribute
    from kanon_core.table.table import Table

_SINGLED = "of the published records that a column singles out"


@dataclass(frozen=True)
class UnchangedColumns(Search):
    """Whom the columns single out that nothing anonymizes, by column, and all of role other together.

    A record is singled out by a column where no other published record has its value; with the published
    cells, where no other row that could be its own has it. A sensitive column is counted alone: that its
    values differ among those who look alike is what diversity asks for. Missing is a value of its own. Cost
    O(n log n) per column.
    """

    name: ClassVar[str] = "unchanged columns"
    asks: ClassVar[str] = "Do columns that are published unchanged single records out?"
    attacker: ClassVar[str] = "knows somebody’s value in the column, alone or with all quasi-identifiers"
    stops: ClassVar[str] = (
        "a column of role other, or all of them together, singles out {stops_at} % of the records or more by"
        " itself; or a column looks like a name or number of people"
    )
    decide: ClassVar[str] = (
        "such a column singles out {decide_at} % or more, with the published cells; or so many values of a"
        " sensitive one occur only once"
    )
    know: ClassVar[str] = "anybody is singled out, or left with fewer than k to hide among"

    stops_at: Annotated[float, Real(0, 100, help=_SINGLED, unit="%")] = 20.0
    decide_at: Annotated[float, Real(0, 100, help=_SINGLED, unit="%")] = 1.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each column that singles anybody out or looks like a name."""
        shown = ~release.suppressed
        if not shown.any():
            return
        sets, others, found = behind(release), list[str](), list[Finding]()
        for attribute in unchanged(table):
            name = attribute.name
            tick(None, tr("unchanged columns: {column}").format(column=name))
            if looks_like_a_name(table, attribute):
                yield self._name(table, attribute, shown)
            elif attribute.role == "sensitive":
                yield from self._sensitive(name, _unique(codes_of(table, name), shown), shown)
            else:
                others.append(name)
                found += self._other(release, sets, (name,), codes_of(table, name))
        yield from found
        if len(others) > 1 and not any(each.severity == "stops" for each in found):
            together = reduce(paired, (codes_of(table, name) for name in others))
            yield from self._other(release, sets, tuple(others), together)

    def _name(self, table: Table, attribute: Attribute, shown: np.ndarray) -> Finding:
        alone = _unique(codes_of(table, attribute.name), shown)
        return self.finding(
            "stops",
            tr(
                "“{name}” is published unchanged and looks like a name or number of people: who knows it"
                " finds {alone:,} of {shown:,} records by it alone."
            ).format(name=attribute.name, alone=int(alone.sum()), shown=int(shown.sum())),
            tr("Give it the role identifier, so that it is left out."),
            alone,
            (attribute.name,),
        )

    def _sensitive(self, name: str, alone: np.ndarray, shown: np.ndarray) -> Iterator[Finding]:
        count, published = int(alone.sum()), int(shown.sum())
        if not count:
            return
        yield self.finding(
            "decide" if 100 * count >= self.decide_at * published else "know",
            tr(
                "“{name}” is sensitive and published unchanged, as it is meant to be, but {count:,} of its"
                " {published:,} values ({share}) occur only once: who knows this one value of a person finds"
                " the record and all else that is published of it."
            ).format(name=name, count=count, published=published, share=percent(count, published)),
            tr("Round or group its values, if somebody may know them."),
            alone,
            (name,),
        )

    def _other(
        self, release: Release, sets: Behind, names: tuple[str, ...], codes: np.ndarray
    ) -> Iterator[Finding]:
        shown = sets.set_of >= 0
        alone, alike = _unique(codes, shown), sets.alike(codes)
        sizes = np.append(sets.sizes, 0)[sets.set_of]
        found = alone | (shown & (alike == 1) & (sizes > 1))
        few = shown & (alike < release.recipe.k) & (sizes >= release.recipe.k)
        count, published = int(found.sum()), int(shown.sum())
        if not (found | few).any():
            return
        about = found if count else few
        stops = 100 * int(alone.sum()) >= self.stops_at * published
        decide = 100 * count >= self.decide_at * published
        found_so = self.finding(
            "stops" if stops else "decide" if decide else "know",
            tr(
                "{names} {unchanged}. An attacker who knows this of a person finds {alone:,} of"
                " {published:,} records ({share_alone}) by it alone; one who also {attacker} finds {count:,}"
                " ({share}), and {few:,} have fewer than {k} rows left to hide among."
            ).format(
                names=_named(names),
                unchanged=tr("is published unchanged")
                if len(names) == 1
                else tr("are published unchanged, and are taken together here"),
                alone=int(alone.sum()),
                share_alone=percent(int(alone.sum()), published),
                attacker=sets.attacker,
                count=count,
                share=percent(count, published),
                published=published,
                few=int((few | found).sum()),
                k=release.recipe.k,
            ),
            tr("Make it a quasi-identifier, group its values, or leave it out (role identifier)."),
            about,
            names,
        )
        yield replace(found_so, remedy=Remedy("quasi_identifier", names))


def looks_like_a_name(table: Table, attribute: Attribute) -> bool:
    """Whether it would be taken for an identifier, or for whose the records are."""

    def look() -> bool:
        values = table.frame[attribute.name]
        return infer_role(attribute.name, values, attribute.kind) in ("identifier", "undecided")

    return table.once(f"named:{attribute.name}", look)


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _unique(codes: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """n booleans: the record is published, and no other published one has its code."""
    counts = np.bincount(codes[shown], minlength=int(codes.max(initial=0)) + 1)
    return np.asarray(shown & (counts[codes] == 1))

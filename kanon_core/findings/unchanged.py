"""Columns that are published unchanged, as codes, and the records that they single out, alone or with the
published cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.findings.anonymity_sets import AnonymitySets, anonymity_sets
from kanon_core.findings.base import Finding, Remedy, Search
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.keys import paired
from kanon_core.table.columns.set_arrays import set_keys
from kanon_core.table.inference import guess_role
from kanon_core.table.schema import Attribute
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.release.release import Release

_SINGLE_AT_LEAST = 20
"""The least number of sensitive values that occur only once at which a release is stopped: in a table of a
few records most values occur once."""
_SINGLED = "of the published records that a column singles out"
UNCHANGED = ("sensitive", "other")
"""Roles of columns whose values are published unchanged."""


class Singled(NamedTuple):
    """Counts of the ``published`` records that are singled out: ``alone``, those found by their values in
    some columns alone; ``found``, those found by these, alone or beside their published cells; and ``few``,
    those that are then left with fewer than ``k`` rows."""

    alone: int
    found: int
    few: int
    published: int
    k: int


@dataclass(frozen=True)
class UnchangedColumns(Search):
    """The records that unchanged columns single out: each column, and all columns of role other together.

    A record is singled out by a column where no other published record has its value; with the published
    cells, where no other row that could be its own has it. A sensitive column is counted alone, because
    diversity requires different values within an anonymity set. Missing is a value of its own. Cost O(n log
    n) per column.
    """

    name: ClassVar[str] = "unchanged columns"
    asks: ClassVar[str] = "Do columns that are published unchanged single out records?"
    attacker: ClassVar[str] = "knows a person’s value in the column, alone or with all quasi-identifiers"
    stops: ClassVar[str] = (
        "a column with the role other, or all of them together, singles out {stops_at} % of the records or"
        " more by itself; {sensitive_stops_at} % or more of the values of a sensitive column, and at least"
        " 20, occur only once; or a column looks like a name or number of people"
    )
    decide: ClassVar[str] = (
        "such a column, together with the published cells, singles out {decide_at} % of the records or"
        " more; or that share of the values of a sensitive column occur only once"
    )
    know: ClassVar[str] = "a record is singled out, or left with fewer than k rows"

    stops_at: Annotated[float, Real(0, 100, help=_SINGLED, unit="%")] = 20.0
    decide_at: Annotated[float, Real(0, 100, help=_SINGLED, unit="%")] = 1.0
    sensitive_stops_at: Annotated[
        float, Real(0, 100, help="of the values of a sensitive column that occur only once", unit="%")
    ] = 50.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each column that singles anybody out or looks like a name."""
        shown = ~release.suppressed
        if not shown.any():
            return
        sets, named, alone = anonymity_sets(release), list[str](), dict[str, np.ndarray]()
        for attribute in unchanged(table):
            name = attribute.name
            tick(None, tr("unchanged columns: {column}").format(column=name))
            if looks_like_a_name(table, attribute):
                named.append(name)
            if attribute.role == "sensitive" or name in named:
                alone[name] = _unique(codes_of(table, name), shown)

        def of_others(names: tuple[str, ...]) -> Iterator[Finding]:
            tick(None, tr("unchanged columns: {column}").format(column=", ".join(names)))
            return self._other(release, sets, names, reduce(paired, (codes_of(table, n) for n in names)))

        counts = {name: (int(marked.sum()), marked) for name, marked in alone.items()}
        yield from self.of_columns(unchanged(table), named, int(shown.sum()), counts, of_others)

    def of_columns(
        self,
        columns: Sequence[Attribute],
        named: Collection[str],
        published: int,
        alone: Mapping[str, tuple[int, np.ndarray | None]],
        of_others: Callable[[tuple[str, ...]], Iterable[Finding]],
    ) -> Iterator[Finding]:
        """Yield the findings on all columns, some of which are ``named`` like people.

        ``alone``: for each of these and of the sensitive columns, how many of the ``published`` records have
        a value that no other has, and which, where that is known. ``of_others``: gives the findings on
        several columns of role other together; it is asked about each of them and, unless one of these
        findings stops the release, about all.
        """
        others = [a.name for a in columns if a.role == "other" and a.name not in named]
        for name, (count, about) in ((a.name, alone[a.name]) for a in columns if a.name not in others):
            if name in named:
                yield self.of_name(name, count, published, about)
            elif count:
                yield self.of_sensitive(name, count, published, about)
        found = [each for name in others for each in of_others((name,))]
        yield from found
        if len(others) > 1 and not any(each.severity == "stops" for each in found):
            yield from of_others(tuple(others))

    def of_name(self, name: str, alone: int, published: int, about: np.ndarray | None = None) -> Finding:
        """Return the finding on a column that looks like a name; ``alone`` of the published records have a
        value that no other has. ``about``: which, n booleans."""
        said = tr(
            "“{name}” is published unchanged and looks like a name or number of people. An attacker who"
            " knows it singles out {alone:,} of {shown} by it alone."
        ).format(name=name, alone=alone, shown=counted(published, "record"))
        action = tr("Give it the role identifier, so that it is left out.")
        return replace(self.finding("stops", said, action, about, (name,)), count=alone)

    def of_sensitive(self, name: str, alone: int, published: int, about: np.ndarray | None = None) -> Finding:
        """Return the finding on a sensitive column that singles somebody out; arguments as for `of_name`."""
        said = tr_n(
            "“{name}” is sensitive and published unchanged, as intended, but {count:,} of its {published}"
            " ({share}) occurs only once. An attacker who knows this value of a person finds the record and"
            " everything else that is published of it.",
            "“{name}” is sensitive and published unchanged, as intended, but {count:,} of its {published}"
            " ({share}) occur only once. An attacker who knows such a value of a person finds the record"
            " and everything else that is published of it.",
            alone,
        ).format(
            name=name, count=alone, published=counted(published, "value"), share=percent(alone, published)
        )
        stops, decides = (
            100 * alone >= least * published for least in (self.sensitive_stops_at, self.decide_at)
        )
        stops = stops and alone >= _SINGLE_AT_LEAST
        severity = "stops" if stops else "decide" if decides else "know"
        action = tr(
            "If an attacker may know its values, give it the role quasi-identifier, or round or group them"
            " in the file first."
        )
        return replace(self.finding(severity, said, action, about, (name,)), count=alone)

    def of_other(
        self, names: tuple[str, ...], singled: Singled, attacker: str, about: np.ndarray | None = None
    ) -> Finding:
        """Return the finding on columns of role other that leave somebody few rows. ``attacker``: what else
        must be known; ``about``: the people they single out, or leave few rows where they single out
        nobody."""
        stops = 100 * singled.alone >= self.stops_at * singled.published
        decide = 100 * singled.found >= self.decide_at * singled.published
        said = alone_said(names, singled.alone, singled.published) + tr(
            " An attacker who also {attacker} singles out {count:,} ({share}), and is left with fewer than"
            " {k} rows for {few:,}."
        ).format(
            attacker=attacker,
            count=singled.found,
            share=percent(singled.found, singled.published),
            few=singled.few,
            k=singled.k,
        )
        action = tr("Make it a quasi-identifier, group its values, or leave it out (role identifier).")
        severity = "stops" if stops else "decide" if decide else "know"
        found = self.finding(severity, said, action, about, names)
        return replace(found, count=singled.found or singled.few, remedy=Remedy("quasi_identifier", names))

    def _other(
        self, release: Release, sets: AnonymitySets, names: tuple[str, ...], codes: np.ndarray
    ) -> Iterator[Finding]:
        shown, k = sets.set_of >= 0, release.recipe.k
        alone, alike = _unique(codes, shown), sets.alike(codes)
        sizes = np.append(sets.sizes, 0)[sets.set_of]
        found = alone | (shown & (alike == 1) & (sizes > 1))
        few = found | (shown & (alike < k) & (sizes >= k))
        singled = Singled(int(alone.sum()), int(found.sum()), int(few.sum()), int(shown.sum()), k)
        if singled.few:
            yield self.of_other(names, singled, sets.attacker, found if singled.found else few)


def looks_like_a_name(table: Table, attribute: Attribute) -> bool:
    """Return whether the column looks like an identifier or like the column of a person."""

    return table.once(
        f"named:{attribute.name}", lambda: called_like_a_name(attribute, table.frame[attribute.name])
    )


def called_like_a_name(attribute: Attribute, cells: pd.Series) -> bool:
    """`looks_like_a_name`, by the cells of the column or some of them; of free text there is a finding of its
    own."""
    guess = guess_role(attribute.name, cells, attribute.kind)
    return guess.role in ("identifier", "undecided") and guess.reason != "sentences"


def alone_said(names: tuple[str, ...], alone: int, published: int) -> str:
    """Return the sentence on the ``alone`` records that the values of these columns single out alone."""
    said = tr(
        "“{name}” is published unchanged. An attacker who knows a person’s value singles out {alone:,} of"
        " {published} ({share}) by it alone."
    )
    if len(names) > 1:
        said = tr(
            "{names} are published unchanged and considered together. An attacker who knows a person’s"
            " values singles out {alone:,} of {published} ({share}) by them alone."
        )
    return said.format(
        name=names[0],
        names=", ".join(f"“{name}”" for name in names),
        alone=alone,
        published=counted(published, "record"),
        share=percent(alone, published),
    )


def _unique(codes: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """n booleans: the record is published, and no other published one has its code."""
    counts = np.bincount(codes[shown], minlength=int(codes.max(initial=0)) + 1)
    return np.asarray(shown & (counts[codes] == 1))


def unchanged(table: Table) -> tuple[Attribute, ...]:
    """The attributes whose values are published unchanged."""
    return table.schema.of_role(*UNCHANGED)


def codes_of(table: Table, name: str) -> np.ndarray:
    """int64 (n): equal numbers for equal cells of a column, 0 …; all missing cells have the last. Found once
    for a table, O(n)."""

    def make() -> np.ndarray:
        column = table[name]
        if isinstance(column, Items):
            return set_keys(column.starts, column.items).astype(np.int64)
        # Cells that do not fit the kind of their column are published as well.
        codes = pd.factorize(table.frame[name])[0].astype(np.int64)
        return np.where(codes < 0, codes.max(initial=-1) + 1, codes)

    return table.once(f"codes:{name}", make)


def is_missing(table: Table, name: str) -> np.ndarray:
    """n booleans: the cell is empty."""
    return table.frame[name].isna().to_numpy(bool)

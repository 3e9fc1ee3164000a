"""Releases whose rows an attacker joins directly, because the guarantee does not cover what is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.findings.base import Finding, SummedSearch
from kanon_core.release.pseudonyms import Bearers, bearers_of
from kanon_core.table.people import no_persons, persons_of

if TYPE_CHECKING:
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class DirectJoins(SummedSearch):
    """Attackers who know more than the guarantee assumes: every item of a person where it assumes a few
    ((k, kᵐ)-anonymity), or whose the parts of a long history are that is published under several pseudonyms.
    No draw of rows helps against them. Cost O(n log n)."""

    name: ClassVar[str] = "direct joins"
    asks: ClassVar[str] = "Can somebody who knows more than the guarantee assumes join rows to people?"
    attacker: ClassVar[str] = "knows everything about a person’s quasi-identifiers"
    decide: ClassVar[str] = (
        "known items: fewer than k records publish the same; histories: anybody has several pseudonyms"
    )

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """At most one finding of each."""
        if release.suppressed.all():
            return
        if known := release.guarantee.known_items:
            k = release.recipe.k
            sizes = np.append(release.class_sizes, k)[release.classes]
            joined = Joined(int((sizes < k).sum()), int((sizes == 1).sum()), int((~release.suppressed).sum()))
            yield from self.of_known_items(known, k, joined, np.flatnonzero(sizes < k))
        if release.pseudonymous:
            yield from self._told(_Several.of(release.bearers), len(release))

    def of_known_items(
        self, known: int, k: int, joined: Joined, about: np.ndarray | None = None
    ) -> Iterator[Finding]:
        """The finding where up to so many items are ``known``; ``about``: the records that are joined."""
        if not joined.few:
            return
        found = self.finding(
            "decide",
            tr(
                "The guarantee is for attackers who know up to {items} of a person. One who knows all of"
                " them joins {apart:,} of {published} ({share}) to fewer than {k} rows, {alone:,} of them"
                " to a single one; the seed and the order of rows do not change that."
            ).format(
                items=counted(known, "item"),
                apart=joined.few,
                published=counted(joined.published, "record"),
                share=percent(joined.few, joined.published),
                k=k,
                alone=joined.alone,
            ),
            tr("Set known items to 0 (all), if anybody could know every item of a person."),
            about,
        )
        yield replace(found, count=joined.few)

    def part(self, table: Table, made: Anonymized) -> Sums:
        """Return how many people have several pseudonyms, how many these are, and how many records."""
        if no_persons(table):
            return Sums()
        counts = _Several.of(bearers_of(persons_of(table), made.cover)).counts
        return Sums({"several": counts, "records": np.array(len(table))})

    def told(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """That on pseudonyms, as of `find`; items are counted by classes (`of_known_items`)."""
        if sums.numbers:
            yield from self._told(_Several(*sums.numbers["several"].tolist()), int(sums.numbers["records"]))

    def _told(self, several: _Several, records: int) -> Iterator[Finding]:
        if not several.people:
            return
        found = self.finding(
            "decide",
            tr_n(
                "{people:,} person has {parts:,} pseudonyms for parts of their histories. Each part hides"
                " among that of k people by itself; an attacker who knows all records of such a person"
                " finds every part among k, and people who fit one part need not fit the others.",
                "{people:,} people have {parts:,} pseudonyms for parts of their histories. Each part hides"
                " among that of k people by itself; an attacker who knows all records of such a person"
                " finds every part among k, and people who fit one part need not fit the others.",
                several.people,
            ).format(people=several.people, parts=several.parts),
            tr("Shorten long histories before, or leave these people out."),
            several.about,
            price=tr("Leaving them out costs {count:,} of {all}.").format(
                count=several.records, all=counted(records, "record")
            ),
        )
        yield replace(found, count=several.records)


class Joined(NamedTuple):
    """Of so many ``published`` records ``few`` are joined to fewer than k rows, ``alone`` to one."""

    few: int
    alone: int
    published: int


class _Several(NamedTuple):
    """So many ``people`` have several pseudonyms, which are so many ``parts`` with so many ``records``;
    ``about``: which, n booleans."""

    people: int
    parts: int
    records: int
    about: np.ndarray | None = None

    @classmethod
    def of(cls, bearers: Bearers) -> _Several:
        """Those of these pseudonyms."""
        held = np.bincount(bearers.owner)
        several = held > 1
        about = (bearers.numbers >= 0) & np.append(several[bearers.owner], False)[bearers.numbers]
        return cls(int(several.sum()), int(held[several].sum()), int(about.sum()), about)

    @property
    def counts(self) -> np.ndarray:
        """int64 (3): how many of each."""
        return np.array(self[:3])

"""Rows that an attacker links directly, because the guarantee does not cover this knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.covers.pseudonyms import Bearers, bearers_of
from kanon_core.findings.base import Facts, Finding, SummedSearch, price_of, records_of
from kanon_core.table.people import no_persons, persons_of

if TYPE_CHECKING:
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class DirectJoins(SummedSearch):
    """Attackers who know more than the guarantee assumes. They know every item of a person where it assumes a
    few ((k, kᵐ)-anonymity); or they know which parts of a long history, published under several pseudonyms,
    belong to one person. No draw of rows helps against them. Cost O(n log n)."""

    name: ClassVar[str] = "direct joins"
    asks: ClassVar[str] = "Can an attacker who knows more than the guarantee assumes link rows to people?"
    attacker: ClassVar[str] = "knows all items or all records of a person"
    decide: ClassVar[str] = (
        "known items: fewer than k records publish the same row; histories: a person has several pseudonyms"
    )

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """Yield at most one finding of each kind."""
        if release.suppressed.all():
            return
        if known := release.guarantee.known_items:
            k, sizes = release.recipe.k, release.class_sizes
            about = np.flatnonzero(np.append(sizes, k)[release.classes] < k)
            yield from self.of_known_items(known, k, Joined.of(k, sizes, np.ones_like(sizes)), about)
        if release.pseudonymous:
            yield from self.conclude(table, _several(release.bearers))

    def part(self, table: Table, made: Anonymized, tick: Tick = silent) -> Sums:
        """Return how many people have several pseudonyms, how many pseudonyms and records these people have,
        and how many records there are."""
        return Sums() if no_persons(table) else _several(bearers_of(persons_of(table), made.cover))

    def of_known_items(
        self, known: int, k: int, joined: Joined, about: np.ndarray | None = None
    ) -> Iterator[Finding]:
        """Yield the finding for a guarantee that assumes so many ``known`` items; ``about``: the records that
        are joined."""
        if not joined.few:
            return
        found = self.finding(
            "decide",
            tr(
                "The guarantee covers attackers who know up to {items} of a person. An attacker who knows"
                " all items links {apart:,} of {published} ({share}) to fewer than {k} rows, {alone:,} of"
                " them to a single row. The seed and the order of rows do not prevent this."
            ).format(
                items=counted(known, "item"),
                apart=joined.few,
                published=counted(joined.published, "record"),
                share=percent(joined.few, joined.published),
                k=k,
                alone=joined.alone,
            ),
            tr("Set known items to 0 (all) if an attacker could know every item of a person."),
            about,
        )
        yield replace(found, count=joined.few)

    def conclude(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """Yield the finding on pseudonyms; items are counted by classes (`of_known_items`)."""
        people, parts, several, records = sums.numbers.get("several", np.zeros(4, np.int64)).tolist()
        if not people:
            return
        found = self.finding(
            "decide",
            tr_n(
                "{people:,} person has {parts:,} pseudonyms for parts of a history. Each part by itself is"
                " shared by k people. An attacker who knows all records of such a person finds every part"
                " among k, and people who fit one part need not fit the others.",
                "{people:,} people have {parts:,} pseudonyms for parts of their histories. Each part by"
                " itself is shared by k people. An attacker who knows all records of such a person finds"
                " every part among k, and people who fit one part need not fit the others.",
                people,
            ).format(people=people, parts=parts),
            tr("Shorten long histories before anonymization, or suppress these people."),
            records_of(sums, "several"),
            price=price_of(several, records),
        )
        yield replace(found, count=several)


class Joined(NamedTuple):
    """Counts of joined records: of the ``published`` ones, ``few`` are joined to fewer than k rows, and
    ``alone`` to a single row."""

    few: int
    alone: int
    published: int

    @classmethod
    def of(cls, k: int, sizes: np.ndarray, classes: np.ndarray) -> Joined:
        """Return the counts for an attacker who knows all items, where so many ``classes`` of equal rows have
        each of these sizes."""
        held = sizes * classes
        return cls(int(held[sizes < k].sum()), int(held[sizes == 1].sum()), int(held.sum()))


def _several(bearers: Bearers) -> Facts:
    """Return how many people have several pseudonyms, how many pseudonyms and records these people have, and
    how many records there are."""
    held = np.bincount(bearers.owner)
    several = held > 1
    about = (bearers.numbers >= 0) & np.append(several[bearers.owner], False)[bearers.numbers]
    counts = [int(several.sum()), int(held[several].sum()), int(about.sum()), len(about)]
    return Facts({"several": np.array(counts)}, records={"several": about})

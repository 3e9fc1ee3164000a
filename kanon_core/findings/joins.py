"""Releases whose rows an attacker joins directly, because the guarantee does not cover what is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.percent import percent
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class DirectJoins(Search):
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
        if release.guarantee.known_items:
            yield from self._known_items(release)
        if release.pseudonymous and release.bearers.several:
            yield self._pseudonyms(release)

    def _known_items(self, release: Release) -> Iterator[Finding]:
        sizes, k = np.append(release.class_sizes, release.recipe.k)[release.classes], release.recipe.k
        known = release.guarantee.known_items
        apart, published = np.flatnonzero(sizes < k), int((~release.suppressed).sum())
        if not len(apart):
            return
        yield self.finding(
            "decide",
            tr(
                "The guarantee is for attackers who know up to {items} of a person. One who knows all"
                " of them joins {apart:,} of {published:,} records ({share}) to fewer than {k} rows,"
                " {alone:,} of them to a single one; the seed and the order of rows do not change that."
            ).format(
                items=tr("1 item") if known == 1 else tr("{m} items").format(m=known),
                apart=len(apart),
                published=published,
                share=percent(len(apart), published),
                k=k,
                alone=int((sizes == 1).sum()),
            ),
            tr("Set known items to 0 (all), if anybody could know every item of a person."),
            apart,
        )

    def _pseudonyms(self, release: Release) -> Finding:
        bearers = release.bearers
        several = np.bincount(bearers.owner) > 1
        parts = int(np.bincount(bearers.owner)[several].sum())
        records = (bearers.numbers >= 0) & several[np.append(bearers.owner, 0)[bearers.numbers]]
        return self.finding(
            "decide",
            tr(
                "{people:,} people have {parts:,} pseudonyms for parts of their histories. Each part hides"
                " among that of k people by itself; an attacker who knows all records of such a person finds"
                " every part among k, and people who fit one part need not fit the others."
            ).format(people=int(several.sum()), parts=parts),
            tr("Shorten long histories before, or leave these people out."),
            records,
            price=tr("Leaving them out costs {count:,} of {all:,} records.").format(
                count=int(records.sum()), all=len(release)
            ),
        )

"""Cuts that were not made, because they would have broken ℓ or t."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.partitioning.constraints import without_rule
from kanon_core.base.compiled import SMALL, uncompiled
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import counted, tr
from kanon_core.findings.base import Finding, Search
from kanon_core.risk.minimality import Minimality, minimality_attack

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class CutsNotMade(Search):
    """Classes that the algorithm would have cut further, had it not been asked for ℓ or t. An attacker who
    knows the program rules out the sensitive values with which it would have made those cuts.

    The algorithm runs again without ℓ and t. If that gives the same classes, every layout of the published
    values leads to them, and the attacker learns nothing. If it does not, and the layouts are few, the
    disclosure is computed (`kanon_core.risk.minimality_attack`). Cost: one run of the algorithm, or one for
    each layout.

    R. C. Wong et al., Minimality attack in privacy preserving data publishing, VLDB 2007.
    """

    name: ClassVar[str] = "cuts not made"
    asks: ClassVar[str] = "Do classes disclose values because ℓ or t prevented a cut?"
    attacker: ClassVar[str] = "knows everybody’s quasi-identifiers, the program and its options"
    decide: ClassVar[str] = (
        "a sensitive value that the class leaves open becomes certain (searched among up to {ways} layouts"
        " of the values)"
    )
    know: ClassVar[str] = "otherwise, if a class would have been cut further without ℓ and t"
    cheap: ClassVar[bool] = False

    ways: Annotated[
        int, Integer(0, 10**6, help="greatest number of layouts of the sensitive values to try")
    ] = 200

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding; none where the classes are as they would be without ℓ and t."""
        free = without_rule(release.recipe.algorithm)
        if free is None or release.suppressed.all():
            return
        kept_whole = _kept_whole(table, release, free, stage(tick, 0, 0.5))
        if not kept_whole.any():
            return
        certain = np.zeros(len(table), bool)
        try:
            found = minimality_attack(table, release, self.ways, stage(tick, 0.5, 1))
            certain, learned = found.certain, _learned(found)
        except UnsuitableError as reason:
            learned = tr("The additional disclosure was not computed. {why}").format(why=reason)
        yield self.finding(
            "decide" if certain.any() else "know",
            tr(
                "ℓ or t prevented {classes:,} of {all} ({records}) from being cut further. An attacker who"
                " knows everybody’s quasi-identifiers, the program and its options rules out the values"
                " with which they would have been cut, and may learn more about a record than its class"
                " shows. ℓ and t do not cover this. {learned}"
            ).format(
                classes=len(np.unique(release.classes[kept_whole])),
                all=counted(len(release.class_sizes), "class"),
                records=counted(int(kept_whole.sum()), "record"),
                learned=learned,
            ),
            tr("Choose a k at which ℓ and t hold without being required: then no cut depends on them."),
            certain if certain.any() else kept_whole,
            [attribute.name for attribute in table.schema.of_role("sensitive")],
        )


def _kept_whole(table: Table, release: Release, free: Algorithm, tick: Tick) -> np.ndarray:
    """n booleans: the record is of a group that is cut further, or otherwise, without ℓ and t. Groups that
    publish the same are one class, although they are cut."""
    seen, records = table.ordered(release.recipe.seed)
    with uncompiled(len(table) <= SMALL):
        cover = free.cover(seen, release.recipe.k, Run(tick=tick)).renumbered(records)
    own, shown = release.cover.set_of, ~release.suppressed
    first = np.zeros(len(release.cover.sizes), np.int64)
    first[own[shown]] = cover.set_of[shown]
    split = (first < 0) | (cover.sizes[first] != release.cover.sizes)
    split[own[shown & (cover.set_of != first[own])]] = True
    return np.asarray(shown & split[own])


def _learned(attack: Minimality) -> str:
    said = tr(
        "{leading:,} of {ways:,} layouts of the values lead to this release. The probability of a value"
        " rises by up to {most:.1f} percentage points, and by {mean:.1f} on average over all records; for"
        " {certain}, a value becomes certain."
    )
    return said.format(
        ways=attack.ways,
        leading=attack.leading,
        most=100 * attack.gain.max(),
        mean=100 * attack.gain.mean(),
        certain=counted(int(attack.certain.sum()), "record"),
    )

"""What was published of the same people before: the releases intersect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.risk.intersection import Intersection, Published, intersect

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class PreviousReleases(Search):
    """How many records hide among less than k, or have a sensitive value told, once this release is compared
    with earlier ones of the same table: another k, another seed, an update (`kanon_core.risk.intersection`).

    ``previous``: the releases, or the files that were published; without any nothing is found. Cost
    O(targets · rows · columns) for each.
    """

    name: ClassVar[str] = "previous releases"
    asks: ClassVar[str] = "What do earlier releases of the same people tell together with this one?"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person, and has every release"
    stops: ClassVar[str] = "somebody who hid among k or more is left with a single row"
    decide: ClassVar[str] = "somebody is left with less than k rows, or a sensitive value becomes certain"
    know: ClassVar[str] = "otherwise, where earlier releases are given (of up to {targets} records)"
    cheap: ClassVar[bool] = False

    targets: Annotated[
        int, Integer(1, 10**9, help="records that are looked for, drawn where there are more")
    ] = 2_000
    previous: tuple[Published, ...] = field(default=(), repr=False)

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding where earlier releases are given."""
        if not self.previous or release.suppressed.all() or release.pseudonymous:
            return
        found = intersect(table, (release, *self.previous), targets=self.targets, progress=tick)
        about = found.fewer | found.single
        for column in found.certain:
            about |= found.learned(column)
        yield self.finding(
            self._severity(found, about),
            found.sentence,
            tr("Publish one release of these people, or add to an earlier one without changing its groups."),
            found.targets[about],
            found.compared,
        )

    def _severity(self, found: Intersection, about: np.ndarray) -> str:
        if (found.single & (found.alone >= found.k)).any():
            return "stops"
        return "decide" if about.any() else "know"

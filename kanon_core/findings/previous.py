"""Search in earlier releases of the same people: intersection attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.risk.several import Intersection, Published, by_attacker

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class PreviousReleases(Search):
    """Records with an anonymity set of fewer than k, or with a disclosed sensitive value, when this release
    is compared with earlier ones of the same table: another k, another seed, an update
    (`kanon_core.risk.several`).

    Three attackers have all releases: one who knows one person's quasi-identifiers, one who knows
    everybody's, and one who knows of a person that was added since the earlier ones. ``previous``: the
    releases, or the files that were published; without any nothing is found. ``added``: the numbers of the
    records that were added, from 0; () = the last records of the table, as many as it has more than the
    earlier files. Cost: that of `kanon_core.risk.several.by_attacker`.
    """

    name: ClassVar[str] = "previous releases"
    asks: ClassVar[str] = "Do earlier releases of the same people disclose more together with this one?"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person, and has every release"
    stops: ClassVar[str] = "a person whose anonymity set had k members or more is left with a single row"
    decide: ClassVar[str] = "a person is left with fewer than k rows, or a sensitive value becomes certain"
    know: ClassVar[str] = "otherwise, if earlier releases are given (up to {targets} records are compared)"
    cheap: ClassVar[bool] = False

    targets: Annotated[
        int, Integer(1, 10**9, help="greatest number of records to compare; of more, a sample is drawn")
    ] = 2_000
    previous: tuple[Published, ...] = field(default=(), repr=False)
    added: tuple[int, ...] = field(default=(), repr=False)

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding where earlier releases are given."""
        if not self.previous or release.suppressed.all() or release.pseudonymous:
            return
        attacks = by_attacker(table, (release, *self.previous), self.targets, self.added, tick)
        about = np.unique(np.concatenate([one.targets[self._about(one)] for one in attacks.found]))
        yield self.finding(
            self._severity(attacks.found, about),
            attacks.sentence,
            tr("Publish one release of these people, or add to an earlier one without changing its groups."),
            about,
            attacks.found[0].compared,
        )

    def _about(self, attack: Intersection) -> np.ndarray:
        learned = [attack.learned(column) for column in attack.certain]
        return np.asarray(np.logical_or.reduce([attack.fewer, attack.single, *learned]))

    def _severity(self, attacks: Sequence[Intersection], about: np.ndarray) -> str:
        if any((one.single & (one.alone >= one.k)).any() for one in attacks):
            return "stops"
        return "decide" if len(about) else "know"

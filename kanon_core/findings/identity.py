"""The check of all guarantees of a release, and the records with the smallest anonymity set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.guarantees import ALWAYS, Verdict

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Identity(Search):
    """A new check of the guarantees of the algorithm, of the truth of cells, and of the published columns; if
    all hold, the size of the smallest anonymity set. Cost: that of an audit."""

    name: ClassVar[str] = "identity"
    asks: ClassVar[str] = "Does every guarantee hold, and how many records have the smallest anonymity set?"
    attacker: ClassVar[str] = "is the one that the guarantee names"
    stops: ClassVar[str] = (
        "a guarantee of the algorithm does not hold, a cell is not true, or a column is not"
        " published as its role requires"
    )
    know: ClassVar[str] = "otherwise: the size of the smallest anonymity set, and the attacker"

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """Yield one finding for each guarantee that fails; if none fails, one for what holds."""
        guarantees, failed = (*release.guarantees, *ALWAYS), False
        for i, guarantee in enumerate(guarantees):
            part = stage(tick, i / len(guarantees), (i + 1) / len(guarantees))
            part(0.0, tr("audit: {name}").format(name=guarantee.name))
            verdict = guarantee.check(table, release, part)
            if not verdict.holds:
                failed = True
                yield self._broken(verdict)
        if not failed and not release.suppressed.all():
            yield self._holding(release)

    def _broken(self, verdict: Verdict) -> Finding:
        return self.finding(
            "stops",
            tr("{guarantee} does not hold. {sentence}").format(
                guarantee=verdict.guarantee, sentence=verdict.sentence
            ),
            tr("Do not hand the release over. Make it again, or choose another k or algorithm."),
            np.array(verdict.witnesses, np.int64) - 1,
        )

    def _holding(self, release: Release) -> Finding:
        guarantee = release.guarantee
        said, nearest = "".join(guarantee.reading(release)) + ".", None
        if not guarantee.own_rows:
            among = np.where(release.suppressed, np.iinfo(np.int64).max, release.hidden_among)
            nearest = among == among.min()
            said += tr(" This smallest size applies to {near:,} of {all:,} published records.").format(
                near=int(nearest.sum()), all=int((~release.suppressed).sum())
            )
        more = tr(" This covers neither attribute disclosure nor attackers who know more.")
        action = tr("Choose a greater k to lower the risk.")
        if not release.recipe.algorithm.promises:
            action = tr("Choose an algorithm that guarantees a k, or change the values more.")
        return self.finding("know", said + more, action, nearest)

"""The re-run: an attacker who knows everybody's quasi-identifiers runs the program with other seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, stages
from kanon_core.release.release import Release
from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.linkage import linked
from kanon_core.risk.tables.release_view import ReleaseView


@dataclass(frozen=True)
class Rerun(TableAttack):
    """Run the program again and guess a published row with the same cells as the row that the program makes
    for a person.

    The attacker knows everybody's quasi-identifiers, the algorithm, its options and k, but not the seed,
    which differs in each run. One of the published rows that some run makes for the person is drawn; if there
    is none, one of the rows that fit. Under k-concealment the row made for a person has the values of any of
    k people with equal chance, as the seed determines the draw (`kanon_core.covers.draw`). Cost: that of the
    algorithm, for each run.

    R. C. Wong, A. W. Fu, K. Wang, J. Pei, Minimality attack in privacy preserving data publishing, VLDB
    2007."""

    title: ClassVar[str] = "Run again"
    sentence: ClassVar[str] = (
        "Runs the program with other seeds and picks a published row with the cells that it makes"
        " for a person."
    )

    runs: Annotated[int, Integer(1, 100, help="number of runs, each with another seed of the attacker")] = 1

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """One answer; ``seen.rerun`` must be there."""
        assert seen.rerun is not None
        written = _texts(seen.release, seen.first)
        number = {cells: place for place, cells in enumerate(written)}
        found = np.full((self.runs, len(targets)), -1)
        for part, run in stages(tick, range(self.runs)):
            again = seen.rerun(int(rng.integers(2**62)), part)
            made = _texts(again, _made_for(again)[targets])
            found[run] = [number.get(cells, -1) for cells in made]
        own, weight = seen.own[targets], np.append(1.0 / np.maximum(seen.sizes, 1), 0.0)
        hits = (found >= 0).sum(axis=0)
        right = ((found == own) & (found >= 0)).sum(axis=0) * weight[own]
        fitting = linked(seen, targets, seen.fits(targets, tick))
        yield Answer(np.where(hits > 0, right / np.maximum(hits, 1), fitting.chances), 1.0 / seen.rows)


def _made_for(release: Release) -> np.ndarray:
    """int64 (n): a record that is published with the cells that the program makes for each record, whatever
    is drawn then; a suppressed record itself."""
    if not release.cover.overlap:
        return np.arange(len(release))
    bearer = np.arange(len(release))
    bearer[release.set_of] = np.arange(len(release))
    return np.asarray(bearer[release.cover.set_of])


def _texts(release: Release, records: np.ndarray) -> list[tuple[str, ...]]:
    """Return the published cells of these records as texts."""
    return list(zip(*release.texts(records).values(), strict=True))

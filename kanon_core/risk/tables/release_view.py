"""View of an attacker: the published rows and the knowledge of the targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.covers.matching import fitting
from kanon_core.release.release import Release
from kanon_core.risk.evidence import Evidence, evidence
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Rerun = Callable[[int, Tick], Release]
"""The release that the program makes of the same table with another seed."""


@dataclass(frozen=True, eq=False)
class ReleaseView:
    """A release, and the table of the targets.

    ``records`` int64 (m): the number in ``table`` of each record of the release; further records of the table
    are not in the release, but encoded in the same way. ``rerun``: runs the program again, if the attacker
    can.

    Rows with equal quasi-identifiers are a class: ``own`` int64 (n), that of each record of the table, −1 =
    it has no row; ``sizes`` int64 (classes), how many rows each has.
    """

    table: Table
    release: Release
    records: np.ndarray
    rerun: Rerun | None = None

    @classmethod
    def of(cls, release: Release, rerun: Rerun | None = None) -> ReleaseView:
        """Return the view of a release and of all records that it was made of."""
        return cls(release.table, release, np.arange(len(release)), rerun)

    @cached_property
    def own(self) -> np.ndarray:
        """int64 (n), as above."""
        found = np.full(len(self.table), -1)
        found[self.records] = self.release.classes
        return found

    @property
    def sizes(self) -> np.ndarray:
        """int64 (classes), as above."""
        return self.release.class_sizes

    @property
    def rows(self) -> int:
        """Return how many rows are published."""
        return int(self.sizes.sum())

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (classes): a record of the release that is published with each."""
        shown = np.flatnonzero(self.release.classes >= 0)
        return np.asarray(shown[np.unique(self.release.classes[shown], return_index=True)[1]])

    def fits(self, targets: np.ndarray, tick: Tick) -> csr_array:
        """Booleans (targets × classes): which rows the quasi-identifiers of these records of the table
        fit."""
        return self._once(
            "fits",
            targets,
            lambda: fitting.fits(self.table, self.release.published, self.first, targets, tick),
        )

    def nearest(self, targets: np.ndarray, tick: Tick) -> csr_array:
        """Booleans (targets × classes): which rows are nearest to these records of the table."""
        return self._once(
            "nearest",
            targets,
            lambda: fitting.nearest(self.table, self.release.published, self.first, targets, tick),
        )

    def histories(self, tick: Tick) -> tuple[Evidence, np.ndarray]:
        """Return the evidence in published histories, and the person of each pseudonym."""
        return evidence(self.table, self.release, tick)

    def _once(self, what: str, targets: np.ndarray, make: Callable[[], csr_array]) -> csr_array:
        """Make something once for the same targets, as several attacks look at the same ones."""
        kept: dict[tuple[str, bytes], csr_array] = self.__dict__.setdefault("_kept", {})
        key = what, targets.tobytes()
        if key not in kept:
            kept[key] = make()
        return kept[key]


def at_own(entries: csr_array, own: np.ndarray) -> np.ndarray:
    """Booleans (targets): the entry of each target's own class, False where it has none."""
    return np.asarray(entries[np.arange(len(own)), np.maximum(own, 0)]).ravel().astype(bool) & (own >= 0)

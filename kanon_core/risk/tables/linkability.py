"""Linkability: two files with different columns of the same people are joined through the release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import tr
from kanon_core.covers.matching.fitting import nearest
from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.release_view import ReleaseView

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Linkability(TableAttack):
    """Two files know different quasi-identifiers of a person, one the first, third … of them, the other the
    rest. The attacker takes the row that is nearest by the one, and the row that is nearest by the other;
    where that is the same row, the release has joined the two files.

    Of equally near rows one is drawn for each file. A guess at random draws both rows from all.

    M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi, A unified framework for quantifying privacy risk in
    synthetic data, PETS 2023.
    """

    title: ClassVar[str] = "Linkability"
    sentence: ClassVar[str] = (
        "Joins two files, each with half of the quasi-identifiers, through the row that is nearest"
        " to a person in both."
    )
    among: ClassVar[str] = "control"

    def unsuitable(self, table: Table, release: Release) -> list[str]:
        """Return a reason unless each file knows something."""
        if len(release.published) < 2:
            return [tr("The release has only one quasi-identifier, so two files cannot hold different ones.")]
        return super().unsuitable(table, release)

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """One answer."""
        halves = seen.release.published[::2], seen.release.published[1::2]
        parts = stage(tick, 0.0, 0.5), stage(tick, 0.5, 1.0)
        one, other = (
            nearest(seen.table, half, seen.first, targets, part)
            for half, part in zip(halves, parts, strict=True)
        )
        pairs = (one @ seen.sizes) * (other @ seen.sizes)
        yield Answer((one.multiply(other) @ seen.sizes) / np.maximum(pairs, 1), 1.0 / seen.rows)

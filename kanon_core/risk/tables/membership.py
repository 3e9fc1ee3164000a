"""Membership: whether a person is in the table at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.release_view import ReleaseView


@dataclass(frozen=True)
class Membership(TableAttack):
    """Say that a person is in the table when some published row fits their quasi-identifiers.

    Tried on as many records that the release was made of as on records that it was not made of; one of these
    whose quasi-identifiers fit a row all the same is taken for a member. A guess at random is right about
    half of them, so the risk is the share of members that are recognized less the share of others that are
    taken for members.

    M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD
    2007.
    """

    title: ClassVar[str] = "Membership"
    sentence: ClassVar[str] = "Claims that a person is in the table if some row fits the person."
    among: ClassVar[str] = "both"

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """One answer."""
        member = np.zeros(len(seen.table), bool)
        member[seen.records] = True
        says = np.diff(seen.fits(targets, tick).indptr) > 0
        yield Answer((says == member[targets]).astype(np.float64), 0.5)

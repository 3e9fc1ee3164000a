"""Membership: guesses whether a person is in the table."""

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
    """Claim that a person is in the table if some published row fits the person's quasi-identifiers.

    It is tried on equal numbers of records in the release and of other records; another record that fits a
    row is mistaken for a member. A random guess is right about half of them, so the risk is the share of
    members that are recognized less the share of others that are mistaken for members.

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

"""Disclosure of a sensitive column by anonymity sets, in figures that can be added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from kanon_core.base.words import tr
from kanon_core.guarantees import LDiversity, RecursiveDiversity
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import at_least, at_most


class DisclosureCounts(NamedTuple):
    """The disclosure in some ``sets``. In those that are ``alike`` all records have one value.

    ``certain`` and ``nearly``: for how many records the value is certain and nearly certain. ``most``: how
    many records have the most frequent value of their set. ``distinct``: the least number of different values
    in a set; ``effective``: the least effective number of values (by entropy); ``ratio``: the greatest ratio;
    above it recursive (c, ℓ)-diversity holds for every c.
    """

    sets: int = 0
    alike: int = 0
    certain: int = 0
    nearly: int = 0
    most: int = 0
    distinct: float = np.inf
    effective: float = np.inf
    ratio: float = 0.0

    @classmethod
    def of(
        cls,
        counts: Counts,
        certainty: float,
        ell: int,
        records: Callable[[np.ndarray], int] | None = None,
        missing: np.ndarray | None = None,
    ) -> DisclosureCounts:
        """Return the disclosure of these sets.

        ``certainty``: the share from which on a value is nearly certain. ``ell``: the ℓ of recursive
        diversity. ``records``: the number of records in the marked sets; by default the sum of their sizes,
        for disjoint sets. ``missing``: which of the counts are of missing values, of which nobody is certain
        (booleans); None = none is.
        """
        if not len(counts.owner):
            return cls()
        held = records or (lambda marked: int(counts.sizes[marked].sum()))
        greatest = greatest_known(counts, missing)
        alike = greatest == 1
        return cls(
            len(alike),
            int(alike.sum()),
            held(alike),
            held(greatest >= certainty),
            int(np.maximum.reduceat(counts.counts, counts.first).sum()),
            float(counts.distinct.min()),
            float(LDiversity(entropy=True).measured(counts).min()),
            float(RecursiveDiversity(l=ell).measured(counts).max()),
        )

    @classmethod
    def combined(cls, parts: Sequence[DisclosureCounts]) -> DisclosureCounts:
        """Return the disclosure of the sets of all ``parts``.

        >>> two = [DisclosureCounts(2, 1, 3, 3, 4, 1, 1.0, 2.0), DisclosureCounts(1, 0, 0, 4, 4, 2, 1.9, 5.0)]
        >>> DisclosureCounts.combined(two)
        DisclosureCounts(sets=3, alike=1, certain=3, nearly=7, most=8, distinct=1, effective=1.0, ratio=5.0)
        """
        return cls(
            sum(part.sets for part in parts),
            sum(part.alike for part in parts),
            sum(part.certain for part in parts),
            sum(part.nearly for part in parts),
            sum(part.most for part in parts),
            min(part.distinct for part in parts),
            min(part.effective for part in parts),
            max(part.ratio for part in parts),
        )

    @property
    def reached(self) -> str:
        """Return the least ℓ, in words."""
        return tr("distinct ℓ = {distinct}, entropy ℓ = {effective}").format(
            distinct=int(self.distinct), effective=at_least(self.effective)
        )

    def recursive(self, ell: int) -> str:
        """Return for which c the sets have recursive (c, ℓ)-diversity, in words."""
        if not np.isfinite(self.ratio):
            return tr("no recursive (c, {l})-diversity, whatever c is").format(l=ell)
        said = tr("recursive (c, {l})-diversity for every c above {ratio}")
        return said.format(l=ell, ratio=at_most(self.ratio))


def greatest_known(counts: Counts, missing: np.ndarray | None) -> np.ndarray:
    """float64 (sets): the share of the most frequent value in each set, missing ones aside; ``missing``:
    which of the counts are of missing values (booleans)."""
    if missing is None or not missing.any():
        return counts.greatest
    most = np.maximum.reduceat(np.where(missing, 0, counts.counts), counts.first)
    return np.asarray(most / counts.sizes)

"""The groups that pictures draw: records that are published alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.randomness import generator
from kanon_core.release.release import Release

DOZEN = 12
_TRIED = 2_000


@dataclass(frozen=True)
class Groups:
    """``of`` int64 (n): the group of each record, −1 = suppressed; ``sizes`` int64: how many records each
    group has."""

    of: np.ndarray
    sizes: np.ndarray

    @classmethod
    def shown(cls, release: Release) -> Groups:
        """Return the equivalence classes of a release, which figures count, too: groups of the cover that
        happen to publish the same cells are one. Where the records of a group publish different items, or
        people have several records, it is the groups of the cover.

        Raises UnsuitableError where sets of the cover overlap.
        """
        guarantee, groups = release.guarantee, release.groups
        if guarantee.own_rows or guarantee.pseudonyms:
            return cls(groups, release.cover.sizes)
        return cls(release.classes, release.class_sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def members(self, number: int) -> np.ndarray:
        """Return the records of a group, ascending."""
        return np.flatnonzero(self.of == number)

    @cached_property
    def dozen(self) -> np.ndarray:
        """Return the groups of the first records of a fixed random order: at most twelve different ones. The
        same records are looked up in every release, so that their groups can be compared.

        >>> Groups(np.array([0, 1, -1, 1]), np.array([1, 2])).dozen.tolist()
        [1, 0]
        """
        count = len(self.of)
        drawn = generator(0).choice(count, min(count, _TRIED), replace=False)
        return np.array(list(dict.fromkeys(self.of[drawn[self.of[drawn] >= 0]].tolist()))[:DOZEN], np.int64)

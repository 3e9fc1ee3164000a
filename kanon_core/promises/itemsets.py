"""A promise on item sets for those who know a few items of a person, but not all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.cells import CommonItems
from kanon_core.data.table import Table
from kanon_core.errors import OptionError
from kanon_core.promises.base import WITNESSES, Verdict
from kanon_core.release import Release

MOST_ITEMS = 3


@dataclass(frozen=True)
class KMAnonymity:
    """kᵐ-anonymity: any ``m`` published items of a record are items of at least k published records [Terrovitis et al. 2008].

    m is 1, 2 or 3. Every column of item sets is judged by itself. Whoever knows m items of a person, and that they were
    published, finds k candidates. It follows from k-anonymity, where k records publish the very same set; a release that
    breaks k-anonymity can still keep it. Raises OptionError for another m.
    """

    name: ClassVar[str] = "kᵐ-anonymity"
    m: int = 2

    def __post_init__(self) -> None:
        if isinstance(self.m, bool) or self.m not in range(1, MOST_ITEMS + 1):
            raise OptionError(f"The number of known items m must be 1, 2 or {MOST_ITEMS}.")

    def check(self, table: Table, release: Release) -> Verdict:
        """The verdict. Sets that k records publish need no count; others cost O(|set|^(m − 1) · records that share items)."""
        k, fewest = release.recipe.k, len(table)
        failing = np.zeros(0, np.int64)
        for published in release.published:
            if isinstance(published.cells, CommonItems):
                least, cells = _rarest(published.cells, release.cell, k, self.m)
                fewest = min(fewest, least)
                failing = np.union1d(failing, np.flatnonzero(np.isin(release.cell, cells)))
        if not len(failing):
            sentence = (
                f"Any {self.m} published items of a record are shared by at least {fewest} published records."
            )
            return Verdict(self.name, True, fewest, k, sentence)
        sentence = (
            f"{len(failing)} records have {self.m} published items or fewer that less than {k} records share."
        )
        witnesses = tuple(int(record) + 1 for record in failing[:WITNESSES])
        return Verdict(self.name, False, fewest, k, sentence, witnesses)


def _rarest(cells: CommonItems, cell: np.ndarray, k: int, m: int) -> tuple[int, np.ndarray]:
    """Records that share the least shared m items (as far as they had to be counted), and the cells with less than k."""
    sizes = np.bincount(cell[cell >= 0], minlength=len(cells.starts) - 1)
    keys = cells.keys()
    same = np.bincount(keys, sizes, minlength=int(keys.max(initial=-1)) + 1).astype(np.int64)
    shown = np.flatnonzero((sizes > 0) & (np.diff(cells.starts) > 0))
    alike = same[keys[shown]]
    fewest = int(alike[alike >= k].min(initial=int(sizes.sum())))
    rare, holders = [], _Holders(cells, sizes)
    for i in shown[alike < k]:
        found = holders.fewest(cells.items[cells.starts[i] : cells.starts[i + 1]], None, m, k)
        fewest = min(fewest, found)
        if found < k:
            rare.append(i)
    return fewest, np.array(rare, np.int64)


class _Holders:
    """Which cells publish an item, and how many records each cell stands for."""

    def __init__(self, cells: CommonItems, sizes: np.ndarray) -> None:
        self.cells, self.sizes = cells, sizes
        owner = np.repeat(np.arange(len(sizes)), np.diff(cells.starts))
        order = np.argsort(cells.items, kind="stable")
        width = int(cells.items.max(initial=-1)) + 1
        self.owner = owner[order]
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(cells.items, minlength=width))])

    def fewest(self, items: np.ndarray, among: np.ndarray | None, m: int, k: int) -> int:
        """Least number of records, in the cells ``among`` (all when None), that have some m of the items or fewer.

        Ends at the first that is below k.
        """
        least = int(self.sizes.sum())
        for place, item in enumerate(items):
            holders = self.owner[self.starts[item] : self.starts[item + 1]]
            if among is not None:
                holders = np.intersect1d(holders, among, assume_unique=True)
            least = min(least, int(self.sizes[holders].sum()))
            if least >= k and m > 1:
                least = min(least, self.fewest(items[place + 1 :], holders, m - 1, k))
            if least < k:
                return least
        return least

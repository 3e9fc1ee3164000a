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


def check_known_items(m: object) -> int:
    """m; raises OptionError unless it is 1, 2 or 3."""
    for allowed in range(1, MOST_ITEMS + 1):
        if m == allowed and not isinstance(m, bool):
            return allowed
    raise OptionError(f"The number of known items m must be 1, 2 or {MOST_ITEMS}.")


@dataclass(frozen=True)
class KMAnonymity:
    """kᵐ-anonymity: any ``m`` published items of a record are items of at least k published records [Terrovitis et al. 2008].

    m is 1, 2 or 3. Every column of item sets is judged by itself. Whoever knows m items of a person, and that they were
    published, finds k candidates. It follows from k-anonymity, where k records publish the very same set; a release that
    breaks k-anonymity can still keep it. With a hierarchy a published group is an item too, which all that publish something
    below it have. Where it fails, ``found`` is a number below k that was met, not the least. Raises OptionError
    for another m.
    """

    name: ClassVar[str] = "kᵐ-anonymity"
    m: int = 2

    def __post_init__(self) -> None:
        check_known_items(self.m)

    def check(self, table: Table, release: Release) -> Verdict:
        """The verdict. Sets that k records publish need no count; others cost O(|set|^(m − 1) · records that share items)."""
        k, fewest = release.recipe.k, len(table)
        failing = np.zeros(0, np.int64)
        for published in release.published:
            if isinstance(published.cells, CommonItems):
                least, cells = rarest(published.cells, release.cell, k, self.m)
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


def rarest(cells: CommonItems, cell: np.ndarray, k: int, m: int) -> tuple[int, np.ndarray]:
    """Records that share the least shared m items or fewer (as far as they had to be counted), and the cells, ascending, with
    m items that less than k records share. ``cell``: that of each record, −1 = none."""
    sizes = np.bincount(cell[cell >= 0], minlength=len(cells.starts) - 1)
    keys = cells.keys()
    same = np.bincount(keys, sizes, minlength=int(keys.max(initial=-1)) + 1).astype(np.int64)
    shown = np.flatnonzero((sizes > 0) & (np.diff(cells.starts) > 0))
    alike = same[keys[shown]]
    least = int(alike[alike >= k].min(initial=int(sizes.sum())))
    holders, found = _Holders(cells, sizes), np.full(len(same), -1)
    doubtful = shown[alike < k]
    for i in doubtful.tolist():
        if found[keys[i]] < 0:
            items = cells.items[cells.starts[i] : cells.starts[i + 1]]
            found[keys[i]] = holders.fewest(items, None, m, k)
    shared = found[keys[doubtful]]
    return min(least, int(shared.min(initial=least))), doubtful[shared < k]


class _Holders:
    """Which cells have an item, and how many records each cell stands for."""

    def __init__(self, cells: CommonItems, sizes: np.ndarray) -> None:
        self.cells, self.sizes = cells, sizes
        owner = np.repeat(np.arange(len(sizes)), np.diff(cells.starts))
        order = np.argsort(cells.items, kind="stable")
        width = int(cells.items.max(initial=-1)) + 1
        self.owner = owner[order]
        self.records = np.bincount(cells.items, sizes[owner], width).astype(np.int64)
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(cells.items, minlength=width))])

    def fewest(self, items: np.ndarray, among: np.ndarray | None, m: int, k: int) -> int:
        """Least number of records, in the cells ``among`` (ascending; all when None), that have some m of the items or fewer.

        Ends at the first that is below k: the rarest items come first.
        """
        having = self._having(items, among)
        least = int(having.min())
        if m == 1 or least < k:
            return least
        rising = items[np.argsort(having, kind="stable")]
        for place, item in enumerate(rising[:-1].tolist()):
            holders = self.owner[self.starts[item] : self.starts[item + 1]]
            if among is not None:
                holders = np.intersect1d(holders, among, assume_unique=True)
            least = min(least, self.fewest(rising[place + 1 :], holders, m - 1, k))
            if least < k:
                break
        return least

    def _having(self, items: np.ndarray, among: np.ndarray | None) -> np.ndarray:
        """How many records of these cells have each item. Cost O(items of the cells)."""
        if among is None:
            return self.records[items]
        lengths = np.diff(self.cells.starts)[among]
        ends = np.cumsum(lengths)
        places = np.repeat(self.cells.starts[among] - ends + lengths, lengths) + np.arange(ends[-1])
        counts = np.bincount(
            self.cells.items[places], np.repeat(self.sizes[among], lengths), len(self.records)
        )
        return counts[items].astype(np.int64)

"""Promises on item sets for those who know a few items of a person, but not all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.progress import Tick, silent
from kanon_core.guarantees.base import WITNESSES, Verdict
from kanon_core.release.cells import CommonItems
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.columns.sets import chosen_sets
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.guarantees.itemsets_kernels import Count

MOST_ITEMS = 3
_WORK_PER_CALL = 3_000_000


def check_known_items(m: object) -> int:
    """m; raises OptionError unless it is 1, 2 or 3."""
    for allowed in range(1, MOST_ITEMS + 1):
        if m == allowed and not isinstance(m, bool):
            return allowed
    raise OptionError(f"The number of known items m must be 1, 2 or {MOST_ITEMS}.")


@dataclass(frozen=True)
class KMAnonymity:
    """kᵐ-anonymity: any ``m`` published items of a record are items of at least k published records
    [Terrovitis et al. 2008].

    m is 1, 2 or 3. Every column of item sets is judged by itself. Whoever knows m items of a person, and that
    they were published, finds k candidates. It follows from k-anonymity, where k records publish the very
    same set; a release that breaks k-anonymity can still keep it. With a hierarchy a published group is an
    item too, which all that publish something below it have. Where it fails, ``found`` is a number below k
    that was met, not the least. Raises OptionError for another m.
    """

    name: ClassVar[str] = "kᵐ-anonymity"
    m: int = 2

    def __post_init__(self) -> None:
        check_known_items(self.m)

    def check(self, table: Table, release: Release, tick: Tick = silent) -> Verdict:
        """The verdict. Sets that k records publish need no count; others cost O(|set|^(m − 1) · records that
        share items)."""
        k, fewest = release.recipe.k, len(table)
        failing = np.zeros(0, np.int64)
        for published in release.published:
            if published.attribute.kind == "items":
                least, cells = rarest(published.cells.as_items(), published.cell, k, self.m, tick=tick)
                fewest = min(fewest, least)
                failing = np.union1d(failing, np.flatnonzero(np.isin(published.cell, cells)))
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


class KKMAnonymity:
    """(k, kᵐ)-anonymity: any published single values of a record, with any m or fewer of its published items,
    are published of at least k records [Poulis et al. 2013]; m is the option ``known_items`` of the
    algorithm.

    Whoever knows the single values and m items of a person finds at least k records that publish them, or
    none. The items may be of several columns. Classes are those of equal published single values, whatever
    the groups of the algorithm were. It says nothing on whoever knows more than m items: the sentence tells
    how many records he could tell apart. Where it fails, ``found`` is a number below k that was met, not the
    least.
    """

    name: ClassVar[str] = "(k, kᵐ)-anonymity"

    @staticmethod
    def check(table: Table, release: Release, tick: Tick = silent) -> Verdict:
        """The verdict; cost as that of `KMAnonymity`."""
        algorithm: Any = release.recipe.algorithm
        k, m = release.recipe.k, check_known_items(algorithm.known_items)
        classes, cells = same_single_values(release), release.row
        if not len(classes):
            return Verdict(
                KKMAnonymity.name, True, 0, k, "No record is published, so nobody can be told apart."
            )
        sizes = np.bincount(classes, release.held).astype(np.int64)
        least, few = rarest(all_items(release), cells, k, m, classes, tick)
        few = np.union1d(few, np.flatnonzero(sizes[classes] < k))
        least = min(least, int(sizes.min()))
        items = "1 item" if m == 1 else f"{m} items"
        if len(few):
            failing = np.flatnonzero(np.isin(cells, few))
            witnesses = tuple(int(record) + 1 for record in failing[:WITNESSES])
            sentence = (
                f"{len(failing)} records publish single values and up to {items} that fewer than {k} records"
                " publish together."
            )
            return Verdict(KKMAnonymity.name, False, least, k, sentence, witnesses)
        sentence = (
            f"Whoever knows the single values and up to {items} of a person finds at least {least} records"
            f" that publish them, or none. {told_apart_sentence(release)}"
        )
        return Verdict(KKMAnonymity.name, True, least, k, sentence)


def told_apart_sentence(release: Release) -> str:
    """What somebody could do who knows more items of a person than the release assumes: all of them."""
    apart, k = told_apart(release), release.recipe.k
    if not apart:
        return f"Even whoever knows every item of a person finds at least {k} equal records."
    published = int((~release.suppressed).sum())
    return (
        f"Whoever knows every item of a person could tell {apart:,} of the {published:,} records apart: fewer"
        f" than {k} publish the same."
    )


def told_apart(release: Release) -> int:
    """How many records publish a row, of single values and all items, that fewer than k records publish."""
    sizes = release.class_sizes
    return int(sizes[sizes < release.recipe.k].sum())


def same_single_values(release: Release) -> np.ndarray:
    """int64 (rows): the same number for rows whose cells are equal in all columns but those of item sets."""
    singles = [p.cells.keys() for p in release.by_row if p.attribute.kind != "items"]
    return row_keys(np.column_stack(singles)) if singles else np.zeros(len(release.held), np.int64)


def all_items(release: Release) -> CommonItems:
    """The published items of all columns as one set for each row, numbered column after column."""
    sets = [p.cells.as_items() for p in release.by_row if p.attribute.kind == "items"]
    owners, items, first, count = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0, len(release.held)
    for cells in sets:
        owners.append(np.repeat(np.arange(count), cells.sizes))
        items.append(cells.items + np.int64(first))
        first += int(cells.items.max(initial=-1)) + 1
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=count))]).astype(np.int64)
    return CommonItems(starts, np.concatenate(items)[order].astype(np.int32))


def rarest(
    cells: CommonItems,
    cell: np.ndarray,
    k: int,
    m: int,
    classes: np.ndarray | None = None,
    tick: Tick = silent,
) -> tuple[int, np.ndarray]:
    """Records that share the least shared m items or fewer (as far as they had to be counted), and the cells,
    ascending, with m items that less than k records share. ``cell``: that of each record, −1 = none;
    ``classes``: a number for each cell, only records of one class share items.

    Cells that k records publish need no count: whatever they publish, k records do.
    """
    from kanon_core.guarantees.itemsets_kernels import LEAST, SLOT, count_combinations

    sizes = np.bincount(cell[cell >= 0], minlength=len(cells.starts) - 1)
    within = np.zeros(len(sizes), np.int64) if classes is None else classes
    shown = np.flatnonzero((sizes > 0) & (np.diff(cells.starts) > 0))
    keys = row_keys(np.column_stack([cells.keys()[shown], within[shown]]))
    first = np.unique(keys, return_index=True)[1]
    weight = np.bincount(keys, sizes[shown], len(first)).astype(np.int64)
    count = _count(
        CommonItems(*chosen_sets(cells.starts, cells.items, shown[first])), within[shown[first]], weight, k
    )
    count.made[LEAST] = weight[weight >= k].min(initial=int(sizes.sum()))
    while count.made[SLOT] < len(count.among):
        count_combinations(count, k, m, _WORK_PER_CALL)
        tick(None, "audit: counting items that are known together")
    return int(count.made[LEAST]), shown[count.failing[keys]]


def _count(sets: CommonItems, classes: np.ndarray, weight: np.ndarray, k: int) -> Count:
    """These different sets as the kernel reads them: an item of two classes is two items, and the most
    frequent come first."""
    from kanon_core.guarantees.itemsets_kernels import Count

    owner = np.repeat(np.arange(len(weight)), np.diff(sets.starts))
    width = int(sets.items.max(initial=0)) + 1
    _, which, often = np.unique(classes[owner] * width + sets.items, return_inverse=True, return_counts=True)
    order = np.argsort(-often, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    items = number[which]
    owners = owner[np.argsort(items, kind="stable")]
    return Count(
        sets.starts,
        items.astype(np.int32),
        np.concatenate([[0], np.cumsum(often[order])]).astype(np.int64),
        owners.astype(np.int32),
        weight,
        weight < k,
        np.zeros(len(weight), np.bool_),
        np.zeros(len(order), np.int64),
        np.zeros(len(order), np.int64),
        np.zeros(len(order), np.bool_),
        np.full(len(weight), -1, np.int32),
        np.zeros(2, np.int64),
    )

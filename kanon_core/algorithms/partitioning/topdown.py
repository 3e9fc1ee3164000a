"""The top-down pass of paper 001: tables of numbers, categories with and without hierarchy, and item sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.partitioning.constraints import (
    Closeness,
    Diversity,
    Entropy,
    Protect,
    asked,
    misnamed,
    protected,
    rule_of,
    sensitive_guarantees,
)
from kanon_core.algorithms.partitioning.known.known import known_cover, unknowable
from kanon_core.algorithms.partitioning.rows import by_name, rows_of
from kanon_core.base.options import Choice, Integer, Real
from kanon_core.guarantees import Guarantees, KAnonymity, KKMAnonymity
from kanon_core.guarantees.identity.combinations import MOST_ITEMS
from kanon_core.release.cover import Partition
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.counts_kernels import Work

_WORK_PER_CALL = 300_000  # records and counts touched between two ticks
_CUTS_PER_TICK = 5_000
_REGROUP = 4  # times as many clusters until records are again put where those of a cluster are


@dataclass(frozen=True)
class TopDown(Algorithm):
    """Start with one group that tells nothing; again and again disclose a little more of the attribute that
    has lost most.

    In each round the attribute of the largest loss (summed over all records, times its weight) is specialized
    once in every group that can still be cut at it; where k-anonymity would break, the group stays as it was
    and is closed for that attribute. It ends when every attribute is closed in every group. The losses are
    comparable, so that single values and item sets are treated alike: of numbers NCP = (max − min) / range,
    of categories NCP = (distinct − 1) / (domain − 1), of item sets NCP*_sv = |T| − N_r / τ (N_r published
    items, τ items per record).

    Numbers are cut in two intervals, at the median value or at the middle of the group's interval. Categories
    are cut into the group's most frequent values and the others, as evenly as may be; with a hierarchy, where
    NCP = values below the group's node / all values, the values below one child of that node are cut off: the
    child by which NCP falls most. Item sets are cut at a pivot item into the records with it and without it;
    a group publishes the items β that all its n records share. The pivot maximizes the published items δ =
    |β| n + f of a cut that leaves k records without it (f ≤ n − k records have it), or δ = (|β| + 1) f where
    the n − f < k others are suppressed: only while at most ``max_suppressed`` of all records are, and only if
    δ > |β| n. Of equal δ the item after whose cut the parts share more (Σ |β'| n'), then the first by name:
    by size if all items are whole numbers, else in text order. With a hierarchy a record has every group
    above its items too, groups are items like others (in N_r, τ, β and f), and so the general is disclosed
    before the particular.

    With ``known_items`` = m > 0 it is assumed that nobody knows more than m items of a person, besides the
    single values. Then groups are cut by single values alone, and every record publishes items of its own, so
    that among records of equal single values every combination of at most m published items is published by k
    records or by none: (k, kᵐ)-anonymity. Which items go: see `known.shown_items`; which cuts are worth their
    items: see `known_groups.grouped`. Where the groups that are found without known items, their records then
    showing items of their own, lose less, those are taken. Less is lost in all, of item sets alone far fewer
    items; but whoever knows more than m can tell records apart.

    A cut after which sensitive values would break ℓ or t (`kanon_core.algorithms.partitioning.constraints`)
    is rolled back like one that breaks k; instead of a pivot that would, the next best is taken.

    When to use: receipts, baskets, visit histories, alone or beside single values; fast at any size.

    Cost: O(t log n) for t values and items in the table, plus for each cut the number of different items of
    its group. Memory grows with t alone. Only the smaller part of each cut is counted.

    Departures from the paper: it closes an attribute for the whole table when one group cannot be cut, here
    the group is closed and the others go on. f ≤ n − k where eq. 5 prints f < n − k, as its figure 6
    requires. Items that all records of a group share are published at once, not one a round. Numbers are cut
    at the allowed value nearest to the median; missing ones are a value of their own, set apart first.
    Suppressed records count as fully lost in every attribute. A hierarchy is descended child by child, so
    that children of fewer than k records stay with others at their node instead of undoing the whole step.
    The order of rounds and the ties are ours where the paper is silent: of equal losses the first column;
    ``ties="first"`` leaves out the rule on what parts share, which figure 6 needs.

    Reference: [001] Algorithm 1, eq. 1–5, 7 and 15; categories: [003] §2.4.3; known items: M. Terrovitis, N.
    Mamoulis and P. Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008; G. Poulis et al.,
    Anonymizing data with relational and transaction attributes, ECML-PKDD 2013.
    """

    title: ClassVar[str] = "Top-down"
    family: ClassVar[str] = "partitioning"
    summary: ClassVar[str] = (
        "Discloses item sets, numbers and categories step by step, always the one that has lost most."
    )
    takes_items: ClassVar[bool] = True

    max_suppressed: Annotated[
        float, Real(0, 1, help="share of the records that may be left out so that the others show more items")
    ] = 0.0
    split: Annotated[
        str,
        Choice(
            {"median": "at the median value", "midpoint": "at the middle of the interval"},
            help="where a group's numbers are cut",
        ),
    ] = "median"
    ties: Annotated[
        str,
        Choice(
            {"shared": "the one after whose cut the parts share most", "first": "the first by name"},
            help="which of several equally gainful items is the pivot",
        ),
    ] = "shared"
    known_items: Annotated[
        int,
        Integer(
            0,
            MOST_ITEMS,
            help=(
                "items of a person that somebody may know: 0 = any number, even all (safest); 1 to 3 = no"
                " more than so many, which loses less but does not protect from those who know more"
            ),
        ),
    ] = 0
    protect: Protect = ()
    diversity: Diversity = 1.0
    entropy: Entropy = False
    closeness: Closeness = 1.0

    def guarantees(self, k: int) -> Guarantees:
        """k-anonymity of whole rows, or (k, kᵐ)-anonymity where few items are known; ℓ-diversity and
        t-closeness where they are asked for."""
        hiding = KKMAnonymity(k, self.known_items) if self.known_items else KAnonymity(k)
        return (hiding, *sensitive_guarantees(self))

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Also when the table as one group does not keep ℓ, and what does not go with ``known_items``."""
        reasons = super().unsuitable(table, k) + misnamed(table, self)
        if self.known_items and asked(self):
            reasons.append(
                "ℓ-diversity and t-closeness are kept for groups that publish the same items, not for whoever"
                " knows a few items; set both to 1, or known items to 0."
            )
        if self.known_items and self.max_suppressed:
            reasons.append(
                "With known items no record is left out, only items; set the share of records that may be"
                " left out to 0, or known items to 0."
            )
        return reasons + (unknowable(table, k, self.known_items) if self.known_items and not reasons else [])

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """The groups (see `cut`), or, where few items are known, groups of records that show items of their
        own."""
        if self.known_items:
            return known_cover(self, table, k, run)
        return self.cut(table, table.quasi, k, run)[0]

    def cut(
        self, table: Table, quasi: tuple[Column, ...], k: int, run: Run
    ) -> tuple[Partition, np.ndarray, np.ndarray]:
        """The groups by these columns, the records in the order of their groups, and the cuts
        (`counts_kernels.Work`).

        Logs ``group`` (all records), then ``split`` or ``suppress`` for each cut, in the order made.

        Each names ``round``, ``column``, ``pivot`` (the item, or "" for other kinds), ``cluster`` and the
        ``new`` one cut off it, ``size`` of the cluster before, and the records cut off: ``part``. ``has``:
        whether they have the pivot.
        """
        from kanon_core.algorithms.partitioning import topdown_kernels as kernels
        from kanon_core.algorithms.partitioning.counts_kernels import (
            CLUSTERS,
            CUTS,
            ROUND,
            labels_of,
            new_work,
            regroup,
        )

        run.tick(0.0, "reading the records")
        sensitive = protected(table, self)
        rows, columns = rows_of(quasi, sensitive)
        allowed = int(self.max_suppressed * len(table))
        limits = kernels.Limits(
            k, allowed, self.split == "midpoint", self.ties == "first", rule_of(sensitive, self)
        )
        work = new_work(rows, k, limits.suppressed)
        run.tick(0.0, "counting")
        kernels.begin(rows, work, limits)
        done, due = False, _REGROUP
        while not done:
            done = kernels.specialize(rows, work, limits, _WORK_PER_CALL)
            if work.made[CLUSTERS] >= due:
                rows, due = regroup(rows, work), due * _REGROUP
            run.tick(min(1.0, work.made[CLUSTERS] * k / len(table)), f"round {work.made[ROUND]}")
        work = work._replace(order=rows.record[work.order].astype(np.int64))
        if run.log is not None:
            _write(run, columns, work, rows.first, rows.singles)
        run.report["rounds"] = float(work.made[ROUND])
        return Partition(labels_of(work)), work.order, work.cuts[: work.made[CUTS]]


def _write(run: Run, columns: tuple[Column, ...], work: Work, first: np.ndarray, singles: int) -> None:
    """The cuts as events. A part stays a run of the order however it is cut later, so its records are read
    off at the end."""
    from kanon_core.algorithms.partitioning.counts_kernels import CUTS

    assert run.log is not None
    cuts = work.cuts[: work.made[CUTS]]
    pivots, has = [""] * len(cuts), np.zeros(len(cuts), bool)
    sets = [column for column in columns if isinstance(column, Items)]
    for i, column in enumerate(sets):
        at = np.flatnonzero(cuts[:, 1] == len(columns) - len(sets) + i)
        codes = by_name(column)[cuts[at, 2] - first[singles + i]]
        has[at] = _held(column, work.order[cuts[at, 6]], codes)
        for place, code in zip(at.tolist(), codes.tolist(), strict=True):
            pivots[place] = column.labels[code]
    names, held = [column.attribute.name for column in columns], has.tolist()
    run.log.write("group", members=np.sort(work.order))
    for i, (round_, attribute, _, cluster, new, start, middle, end) in enumerate(cuts.tolist()):
        if i % _CUTS_PER_TICK == 0:
            run.tick(1.0, "writing down the cuts")
        run.log.write(
            "suppress" if new < 0 else "split",
            round=round_,
            column=names[attribute],
            pivot=pivots[i],
            has=held[i],
            cluster=cluster,
            new=new,
            size=end - start,
            part=np.sort(work.order[middle:end]),
        )


def _held(column: Items, records: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Booleans: record ``records[i]`` has the item ``codes[i]``."""
    sizes = column.sizes[records]
    owner = np.repeat(np.arange(len(records)), sizes)
    shift = column.starts[records] - np.cumsum(sizes) + sizes
    found = column.items[shift[owner] + np.arange(len(owner))] == codes[owner]
    return np.bincount(owner, found, len(records)) > 0

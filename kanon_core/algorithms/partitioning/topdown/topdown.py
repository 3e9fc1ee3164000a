"""Top-down specialization of tables of numbers, categories and item sets (set-valued paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.partitioning import constraints
from kanon_core.algorithms.partitioning.topdown.cutting import Cutting
from kanon_core.algorithms.partitioning.topdown.known.known import known_cover, unknowable
from kanon_core.base.kinds import Choice, Integer, Real
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.guarantees import Guarantees, KAnonymity, KKMAnonymity
from kanon_core.guarantees.attributes.sensitive import Protect
from kanon_core.guarantees.identity.combinations import MOST_ITEMS
from kanon_core.table.table import Table


@dataclass(frozen=True)
class TopDown(Algorithm):
    """Start with one group that tells nothing; again and again disclose a little more of the attribute that
    has lost most.

    In each round the attribute of the largest loss (summed over all records, times its weight) is specialized
    once in every group that can still be cut at it; where k-anonymity would break, the group stays as it was
    and is closed for that attribute. It ends when every attribute is closed in every group. Losses of all
    kinds are comparable: of numbers NCP = (max − min) / range, of categories NCP = (distinct − 1) / (domain −
    1), of item sets NCP*_sv = |T| − N_r / τ (N_r published items, τ items per record).

    Numbers are cut in two intervals, at the median value or at the middle of the group's interval. Categories
    are cut into the group's most frequent values and the others, as evenly as may be; with a hierarchy, where
    NCP = values below the group's node / all values, the values below one child of that node are cut off: the
    child by which NCP falls most. Item sets are cut at a pivot item into the records with it and without it;
    a group publishes the items β that all its n records share. The pivot maximizes the published items δ: |β|
    n + f for a cut that leaves k records without it (f ≤ n − k records have it), or (|β| + 1) f where the n −
    f < k others are suppressed, only while at most ``max_suppressed`` of all records are, and only if δ > |β|
    n. Of equal δ the item after whose cut the parts share more (Σ |β'| n') is taken, then the first by name:
    by size if all items are whole numbers, else in text order. With a hierarchy a record also has every group
    above its items. Groups are items like others (in N_r, τ, β and f), so the general is disclosed before the
    particular.

    ``known_items`` = m > 0 is for an attacker who knows the single values and at most m items of a person.
    Every record then publishes items of its own, so that among records of equal single values every
    combination of at most m published items is published by k records or by none: (k, kᵐ)-anonymity. Groups
    are cut by single values as long as it is worth the items (`known.groups`); where the groups found without
    known items lose less, those are taken. Which items are left out: see `known.shown`. Far fewer items are
    lost, but an attacker who knows more than m of them can tell records apart.

    A cut after which sensitive values would break ℓ or t (`constraints`) is rolled back like one that breaks
    k; instead of a pivot that would, the next best is taken.

    When to use: receipts, baskets, visit histories, alone or beside single values; fast at any size.

    Cost: O(t log n) for t values and items in the table, plus for each cut the number of different items of
    its group. Memory grows with t alone. Only the smaller part of each cut is counted.

    Departures from the paper: it closes an attribute for the whole table when one group cannot be cut, here
    the group is closed and the others go on. f ≤ n − k where eq. 5 prints f < n − k, as its figure 6
    requires. Items that all records of a group share are published at once, not one a round. Numbers are cut
    at the allowed value nearest to the median; missing ones are a value of their own, split off first.
    Suppressed records count as fully lost in every attribute. A hierarchy is descended child by child, so
    that children of fewer than k records stay with others at their node instead of undoing the whole step.
    The paper does not say in which order equal losses are cut: here the first column; ``ties="first"`` leaves
    out the rule on what parts share, which figure 6 needs.

    Reference: set-valued paper, Algorithm 1, eq. 1–5, 7 and 15; categories: ILD paper, §2.4.3; known items:
    M. Terrovitis, N. Mamoulis and P. Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008;
    G. Poulis et al., Anonymizing data with relational and transaction attributes, ECML-PKDD 2013.
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
                "items of a person that an attacker may know: 0 = any number, even all (safest); 1 to 3 = no"
                " more than so many, which loses less but does not protect from an attacker who knows more"
            ),
        ),
    ] = 0
    protect: Protect = ()
    diversity: constraints.Diversity = 1.0
    entropy: constraints.Entropy = False
    closeness: constraints.Closeness = 1.0

    @property
    def by_order(self) -> bool:
        """True if few items are known; else groups are cut by sums and counts alone."""
        return bool(self.known_items)

    def guarantees(self, k: int) -> Guarantees:
        """k-anonymity of rows, or (k, kᵐ)-anonymity; ℓ-diversity and t-closeness where they are asked for."""
        hiding = KKMAnonymity(k, self.known_items) if self.known_items else KAnonymity(k)
        return (hiding, *constraints.sensitive_guarantees(self))

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also where the table as one group does not keep ℓ, and for options that do not go
        with ``known_items``."""
        reasons = super().unsuitable(table, k) + constraints.misnamed(table, self)
        if self.known_items and constraints.sensitive_guarantees(self):
            reasons.append(
                tr(
                    "ℓ-diversity and t-closeness are kept for groups that publish the same items, not against"
                    " an attacker who knows a few items; set both to 1, or known items to 0."
                )
            )
        if self.known_items and self.max_suppressed:
            reasons.append(
                tr(
                    "With known items no record is left out, only items; set the share of records that may be"
                    " left out to 0, or known items to 0."
                )
            )
        return reasons + (unknowable(table, k, self.known_items) if self.known_items and not reasons else [])

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the groups (see `Cutting.cut`); with known items, each of their records shows items of its
        own."""
        cutting = self.cutting(table, k)
        if self.known_items:
            return known_cover(cutting, self.known_items, run)
        return cutting.cut(table.quasi, run).groups

    def cutting(self, table: Table, k: int) -> Cutting:
        """The cutting pass with these options."""
        suppressed = int(self.max_suppressed * len(table))
        return Cutting(table, k, suppressed, self.split == "midpoint", self.ties == "first", self)

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
    """Start with one fully generalized group; repeatedly specialize the attribute with the largest loss.

    Each round specializes the attribute of the largest loss (summed over all records, times its weight) once
    in every group that can still be cut at it. If a cut would violate k-anonymity, the group stays and is
    closed for that attribute. The search ends when every attribute is closed in every group. Losses of all
    kinds are comparable: of numbers NCP = (max − min) / range, of categories NCP = (distinct − 1) / (domain −
    1), of item sets NCP*_sv = |T| − N_r / τ (N_r published items, τ items per record).

    Numbers are cut in two intervals, at the median value or at the middle of the group's interval. Categories
    are cut into the group's most frequent values and the others, as evenly as possible. With a hierarchy, NCP
    = values below the group's node / all values, and the values below one child of that node are cut off: the
    child that reduces NCP most. Item sets are cut at a pivot item into the records with it and without it; a
    group publishes the items β that all its n records share. The pivot maximizes the published items δ: |β| n
    + f for a cut that leaves k records without it (f ≤ n − k records have it), or (|β| + 1) f if the n − f <
    k others are suppressed, only while at most ``max_suppressed`` of all records are, and only if δ > |β| n.
    Ties in δ go to the item after whose cut the parts share more (Σ |β'| n'), then to the first by name:
    numeric order if all items are whole numbers, else text order. With a hierarchy a record also has every
    group above its items. Groups count as items (in N_r, τ, β and f), so general groups are published first.

    ``known_items`` = m > 0 is for an attacker who knows the single values and at most m items of a person.
    Every record then publishes its own items, so that among records of equal single values k records or none
    publish every combination of at most m published items: (k, kᵐ)-anonymity. Groups are cut by single values
    while the gain exceeds the loss of items (`known.groups`); if the groups found without known items lose
    less, those are used. `known.shown` chooses the suppressed items. Far fewer items are lost, but an
    attacker who knows more than m of them can distinguish records.

    A cut after which sensitive values would violate ℓ or t (`constraints`) is rolled back like one that
    violates k; a pivot that would do so is replaced by the next best.

    When to use: receipts, baskets, visit histories, with or without single values; fast at any size.

    Cost: O(t log n) for t values and items in the table, plus, for each cut, the number of different items of
    its group. Memory grows with t alone. Only the smaller part of each cut is counted.

    Departures from the paper: the paper closes an attribute for the whole table when one group cannot be cut;
    here only that group is closed. f ≤ n − k where eq. 5 prints f < n − k, as its figure 6 requires. Items
    that all records of a group share are published at once, not one per round. Numbers are cut at the allowed
    value nearest to the median; missing ones are a separate value, cut off first. Suppressed records count as
    fully lost in every attribute. A hierarchy is descended child by child, so that children of fewer than k
    records stay with others at their node instead of undoing the whole step. The paper does not specify the
    order of equal losses: here the first column; ``ties="first"`` omits the rule on shared items, which
    figure 6 needs.

    Reference: set-valued paper, Algorithm 1, eq. 1–5, 7 and 15; categories: ILD paper, §2.4.3; known items:
    M. Terrovitis, N. Mamoulis and P. Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008;
    G. Poulis et al., Anonymizing data with relational and transaction attributes, ECML-PKDD 2013.
    """

    title: ClassVar[str] = "Top-down"
    family: ClassVar[str] = "partitioning"
    summary: ClassVar[str] = (
        "Specializes item sets, numbers and categories step by step, always the column with the most loss."
    )
    takes_items: ClassVar[bool] = True

    max_suppressed: Annotated[
        float, Real(0, 1, help="largest share of records to suppress so that the others show more items")
    ] = 0.0
    split: Annotated[
        str,
        Choice(
            {"median": "at the median value", "midpoint": "at the middle of the interval"},
            help="where to cut a group's numbers",
        ),
    ] = "median"
    ties: Annotated[
        str,
        Choice(
            {"shared": "the item after whose cut the parts share most", "first": "the first item by name"},
            help="pivot among items of equal gain",
        ),
    ] = "shared"
    known_items: Annotated[
        int,
        Integer(
            0,
            MOST_ITEMS,
            help=(
                "items of a person that the attacker may know: 0 = any number, even all (safest); 1 or more ="
                " at most that many, with less loss but no protection against an attacker who knows more"
            ),
        ),
    ] = 0
    protect: Protect = ()
    diversity: constraints.Diversity = 1.0
    entropy: constraints.Entropy = False
    closeness: constraints.Closeness = 1.0

    @property
    def by_order(self) -> bool:
        """True with known items; otherwise sums and counts alone determine the groups."""
        return bool(self.known_items)

    def guarantees(self, k: int) -> Guarantees:
        """Return k-anonymity or (k, kᵐ)-anonymity, and ℓ-diversity and t-closeness if required."""
        hiding = KKMAnonymity(k, self.known_items) if self.known_items else KAnonymity(k)
        return (hiding, *constraints.sensitive_guarantees(self))

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also if the whole table does not keep ℓ, and for options that conflict with
        ``known_items``."""
        reasons = super().unsuitable(table, k) + constraints.misnamed(table, self)
        if self.known_items and constraints.sensitive_guarantees(self):
            reasons.append(
                tr(
                    "With known items, Top-down cannot guarantee ℓ-diversity or t-closeness; set both to 1,"
                    " or known items to 0."
                )
            )
        if self.known_items and self.max_suppressed:
            reasons.append(
                tr(
                    "With known items, Top-down suppresses items but no records; set the share of records to"
                    " suppress to 0, or known items to 0."
                )
            )
        return reasons + (unknowable(table, k, self.known_items) if self.known_items and not reasons else [])

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the groups (see `Cutting.cut`); with known items, each record publishes its own items."""
        cutting = self.cutting(table, k)
        if self.known_items:
            return known_cover(cutting, self.known_items, run)
        return cutting.cut(table.quasi, run).groups

    def cutting(self, table: Table, k: int) -> Cutting:
        """Return the cutting pass with these options."""
        suppressed = int(self.max_suppressed * len(table))
        return Cutting(table, k, suppressed, self.split == "midpoint", self.ties == "first", self)

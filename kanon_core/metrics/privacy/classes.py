"""Measures of the sizes of anonymity sets, and of the remaining re-identification risk.

Where groups are disjoint, the anonymity set of a record is its class: the records with equal published
quasi-identifiers. Where the cover's sets overlap (k-concealment), it is its matches (`Release.hidden_among`)
for an attacker who does not run the program; one who does is left with k of them. Where only few items of a
person are assumed to be known ((k, kᵐ)-anonymity), the class is that of attackers who know all items: the
risk is never understated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.guarantees import Hiding
from kanon_core.metrics.privacy.among import Among, OfSizes
from kanon_core.release.release import Release


@dataclass(frozen=True)
class Discernibility(OfSizes):
    """DM = Σ over classes of |E|², plus n for every suppressed record (ILD paper, §2.4.3; Bayardo &
    Agrawal 2005).

    A class is a set of records with equal published quasi-identifiers. Range n … n². The paper also charges n
    per record of a class below k; an audited release has none. pycanon's discernability_metric is the same.
    Cost O(n).

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> Discernibility().measure(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1)).total
    500.0
    """

    title: ClassVar[str] = "Discernibility"
    short: ClassVar[str] = "Discernibility"
    symbol: ClassVar[str] = "DM"
    sentence: ClassVar[str] = (
        "Number of pairs of a record and a member of its anonymity set (in people, if people are protected);"
        " a suppressed record pairs with everybody. Fewer pairs mean smaller groups."
    )
    scale: ClassVar[str] = "pairs that look alike; lower = smaller groups"
    formula: ClassVar[str] = r"\sum_E |E|^2 + n\cdot\#\text{suppressed}"
    example: ClassVar[str] = "Eight records in classes of 4 and 4: 16 + 16 = 32."
    untouched: ClassVar[float] = float("nan")
    high: ClassVar[float] = float("inf")
    unit: ClassVar[str] = "pairs"
    parts: ClassVar[tuple[str, ...]] = ("total", "record")

    def of_sizes(self, among: Among) -> float:
        """Σ over the published records, and n for each other one."""
        pairs = among.sizes.astype(np.float64) * among.records
        return float(pairs.sum()) + float(among.left_out) * among.everybody

    def of_records(self, release: Release) -> np.ndarray:
        """The size of each record's class; n when suppressed."""
        return np.where(release.suppressed, len(release), release.hidden_among).astype(np.float64)


@dataclass(frozen=True)
class AverageClassSize(OfSizes):
    """Published records / number of classes; at least k. Cost O(n).

    K. LeFevre, D. J. DeWitt and R. Ramakrishnan 2006 divide it by the k that was asked for: C_avg = n / (g
    k); pycanon's average_ecsize divides by the k that was achieved. Undivided it can be compared over k.
    """

    title: ClassVar[str] = "Average group size"
    short: ClassVar[str] = "Group size"
    symbol: ClassVar[str] = "n/g"
    sentence: ClassVar[str] = (
        "Mean number of records with the same published values (of people with the same published history,"
        " if people are protected); values far above k are unnecessary loss."
    )
    formula: ClassVar[str] = r"n / g"
    example: ClassVar[str] = "Nine records in classes of 4 and 5: 4.5."
    untouched: ClassVar[float] = 1.0
    high: ClassVar[float] = float("inf")

    def of_sizes(self, among: Among) -> float:
        """The mean over classes; NaN when nothing is published."""
        return among.published / among.classes if among.published else float("nan")


@dataclass(frozen=True)
class AchievedK(OfSizes):
    """Size of the smallest class of the published cells: the k that the release really has (Sweeney 2002;
    ILD paper, §2.2.2).

    A class is a set of records with equal published quasi-identifiers. n when nothing is published. Cost
    O(n).

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> AchievedK().measure(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1)).total
    5.0
    """

    title: ClassVar[str] = "Achieved k"
    short: ClassVar[str] = "Achieved k"
    symbol: ClassVar[str] = "k̂"
    sentence: ClassVar[str] = (
        "Size of the smallest anonymity set in records (in people, if people are protected); in"
        " k-concealment, for an attacker who does not run the program."
    )
    formula: ClassVar[str] = r"\min_E |E|"
    example: ClassVar[str] = "Classes of 3, 3 and 4 records: 3."
    untouched: ClassVar[float] = 1.0
    direction: ClassVar[str] = "higher"
    low: ClassVar[float] = 1.0
    high: ClassVar[float] = float("inf")
    parts: ClassVar[tuple[str, ...]] = ("total", "record")

    def of_sizes(self, among: Among) -> float:
        """The smallest; n when nothing is published."""
        return float(among.sizes.min()) if among.published else float(among.left_out)

    def of_records(self, release: Release) -> np.ndarray:
        """The size of each record's class; NaN when suppressed."""
        return np.where(release.suppressed, np.nan, release.hidden_among.astype(np.float64))


@dataclass(frozen=True)
class WorstRisk(OfSizes):
    """1 / size of the smallest class: the chance that an attacker who knows a person's quasi-identifiers, and
    that the person is in the table, picks the right record. 0 when nothing is published. Cost O(n).

    Under k-concealment 1 / fewest matches: the chance of a random pick among them, and no bound, as matches
    need not be equally likely to an attacker who weighs them. In table 6 of the k-concealment paper every
    record can have a row in 3 ways, and Alice has the first in 2 of them: 67 %, where 1 / fewest is 50 %.

    Reference: prosecutor risk, K. El Emam and F. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5),
    2008.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> WorstRisk().measure(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1)).total
    0.2
    """

    title: ClassVar[str] = "Worst-case re-identification risk"
    short: ClassVar[str] = "Worst risk"
    symbol: ClassVar[str] = "1/k̂"
    sentence: ClassVar[str] = (
        "Probability that an attacker who knows all quasi-identifiers of the worst-protected person picks"
        " the right member of the anonymity set; in k-concealment, by a random pick without running the"
        " program. It does not count attackers who learn a sensitive value without picking the record; the"
        " findings do."
    )
    scale: ClassVar[str] = "identity only"
    formula: ClassVar[str] = r"1 / \min_E |E|"
    example: ClassVar[str] = "Smallest class of 4 records: 25 %."
    untouched: ClassVar[float] = 1.0
    percent: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "record")

    def of_sizes(self, among: Among) -> float:
        """1 / the smallest; 0 when nothing is published."""
        return 1 / max(int(among.sizes.min()), 1) if among.published else 0.0

    def of_records(self, release: Release) -> np.ndarray:
        """1 / size of each record's class; 0 when suppressed."""
        return np.where(release.suppressed, 0.0, 1 / np.maximum(release.hidden_among, 1))


@dataclass(frozen=True)
class AverageRisk(OfSizes):
    """Number of classes / published records: the mean of 1 / class size over published records. Cost O(n).
    pycanon's average_rir takes the mean over classes instead, in which a class of 2 counts as much as one of
    200.

    Reference: marketer risk, F. Dankar and K. El Emam, A method for evaluating marketer re-identification
    risk, PAIS 2010.
    """

    title: ClassVar[str] = "Average re-identification risk"
    short: ClassVar[str] = "Average risk"
    symbol: ClassVar[str] = "g/n"
    sentence: ClassVar[str] = (
        "Share of the records that an attacker who links each to one member of its anonymity set gets"
        " right; in k-concealment, without running the program."
    )
    scale: ClassVar[str] = "100 % = certain"
    formula: ClassVar[str] = r"g / n"
    example: ClassVar[str] = "Nine records in classes of 4 and 5: 2/9 = 22 %."
    untouched: ClassVar[float] = 1.0
    percent: ClassVar[bool] = True

    def of_sizes(self, among: Among) -> float:
        """The mean over published records; 0 when nothing is."""
        return among.classes / among.published if among.published else 0.0


@dataclass(frozen=True)
class SuppressedRecords(OfSizes):
    """Share of records that are not published at all, in 0..1: number of suppressed records / n. Cost O(n).

    Reference: record suppression as in L. Sweeney, k-anonymity: a model for protecting privacy, 2002.
    """

    title: ClassVar[str] = "Suppressed records"
    short: ClassVar[str] = "Suppressed"
    symbol: ClassVar[str] = "sup"
    sentence: ClassVar[str] = "Share of the records that are suppressed."
    scale: ClassVar[str] = "0 % = all published"
    formula: ClassVar[str] = r"\#\text{suppressed} / n"
    example: ClassVar[str] = "3 of 100 records suppressed: 3 %."
    percent: ClassVar[bool] = True

    def of_sizes(self, among: Among) -> float:
        """The share of all records."""
        return among.left_out / among.everybody

    def notes_of(self, guarantee: Hiding) -> tuple[str, ...]:
        """Return no note: the number does not depend on anonymity sets."""
        return ()

"""Success of attackers: the risk of each record, before and after, in figures and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.base.errors import OptionError
from kanon_core.base.words import percent, tr
from kanon_core.guarantees.files.cells import OWN
from kanon_core.risk.attackers import Attacker

THRESHOLDS = (0.05, 0.09, 0.2, 0.33)
"""Risks that health authorities accept, by the distribution of a table: 1 in 20 people and 1 in 11 for public
tables, 1 in 5 and 1 in 3 for few recipients (K. El Emam, Guide to the de-identification of personal health
information, 2013)."""


def exact(threshold: float) -> float:
    """Return the exact threshold: a number of two decimals that is 1 / m rounded means 1 / m, so 0.09 is 1 in
    11 and 0.33 is 1 in 3. Raises OptionError for one that is not above 0 and below 1.

    >>> [round(1 / exact(one), 3) for one in (0.05, 0.09, 0.2, 0.33, 0.15)]
    [20.0, 11.0, 5.0, 3.0, 6.667]
    """
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 < threshold < 1:
        raise OptionError(tr("The risk threshold must be a number above 0 and below 1, such as 0.2."))
    whole = 1 / round(1 / threshold)
    return whole if round(whole, 2) == threshold else float(threshold)


@dataclass(frozen=True, eq=False)
class Risk:
    """The success of one attacker in one table.

    ``records`` float64 (n): the chance of picking the right one for each record, 0 if it is not published.
    ``each``: the chances of the published records; where people have several records, one chance for each
    published person, the greatest of their records. ``held`` int64: the number of records or people of each
    entry of ``each``, all 1 if None.
    """

    records: np.ndarray
    each: np.ndarray
    held: np.ndarray | None = None

    @property
    def count(self) -> int:
        """Return how many are published."""
        return len(self.each) if self.held is None else int(self.held.sum())

    @property
    def worst(self) -> float:
        """Return the greatest; 0 when nothing is published."""
        return float(self.each.max(initial=0.0))

    @property
    def average(self) -> float:
        """Return the mean: the share of correct links if each is linked to one of those who are
        indistinguishable."""
        if self.held is not None:
            return float((self.each * self.held).sum()) / self.count if self.count else 0.0
        return float(self.each.mean()) if len(self.each) else 0.0

    def above(self, threshold: float) -> int:
        """Return how many have a risk above a threshold (`exact`)."""
        above = self.each > exact(threshold) * (1 + 1e-9)
        return int(np.count_nonzero(above) if self.held is None else self.held[above].sum())

    def share_above(self, threshold: float) -> float:
        """Return the share of those; 0 when nothing is published."""
        return self.above(threshold) / self.count if self.count else 0.0


@dataclass(frozen=True, eq=False)
class AttackerRisk:
    """The risk of one attacker before, in the original, and after, in the release (None where it is not
    known). ``problem``: the reason for missing figures, or ""; ``notes``: remarks on the figures."""

    attacker: Attacker
    before: Risk | None = None
    after: Risk | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()

    def sentence(self, threshold: float, unit: str) -> str:
        """Return the figures in words: how many are above the threshold, on average, at worst, and before."""
        now = self.before if self.after is None else self.after
        if now is None:
            return self.problem
        said = tr(
            "{title}: risk above {threshold:g} for {above:,} of {all:,} {unit}; {average} on average,"
            " {worst} at worst"
        ).format(
            title=self.attacker.title,
            above=now.above(threshold),
            all=now.count,
            unit=unit,
            threshold=threshold,
            average=percent(now.average),
            worst=percent(now.worst),
        )
        if self.before is None or self.after is None:
            return said + "."
        return said + tr(" (original: above for {above:,}; {average} on average, {worst} at worst).").format(
            above=self.before.above(threshold),
            average=percent(self.before.average),
            worst=percent(self.before.worst),
        )


@dataclass(frozen=True, eq=False)
class Risks:
    """The success of all attackers, and how many records hide among fewer than a given number.

    ``found``: one entry for each attacker. ``before`` and ``after`` int64, ascending: the size of the
    anonymity set of each record, or person, in the original and in the release (None without one). ``unit``:
    the noun for those who are counted. ``notes``: remarks on all figures. ``missing``: how missing cells
    were counted (`risks`). Percentages are of those who are published.
    """

    found: tuple[AttackerRisk, ...]
    before: np.ndarray
    after: np.ndarray | None
    unit: str
    notes: tuple[str, ...] = ()
    missing: str = OWN

    @property
    def sentence(self) -> str:
        """`said` at the threshold 0.2."""
        return self.said(0.2)

    def said(self, threshold: float) -> str:
        """One sentence for each attacker. Raises OptionError as `exact`."""
        return " ".join(one.sentence(threshold, self.unit) for one in self.found)

    def frame(self, threshold: float) -> pd.DataFrame:
        """One row for each attacker and table: average, highest, number and share above the threshold; or the
        reason for missing figures. Raises OptionError as `exact`."""
        rows: list[dict[str, object]] = []
        for one in self.found:
            name = type(one.attacker).__name__
            rows += [{"attacker": name, "problem": one.problem}] if one.problem else []
            rows += [
                {
                    "attacker": name,
                    "table": table,
                    self.unit: risk.count,
                    "average": risk.average,
                    "worst": risk.worst,
                    "threshold": exact(threshold),
                    "above": risk.above(threshold),
                    "share": risk.share_above(threshold),
                }
                for table, risk in (("original", one.before), ("release", one.after))
                if risk is not None
            ]
        return pd.DataFrame(rows)

    def fewer(self, number: int) -> tuple[int, int | None]:
        """Return how many have an anonymity set smaller than this number, before and after.

        >>> import kanon_core as kc
        >>> table = kc.read_table("sample:people-100")
        >>> kc.risks(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1)).fewer(5)
        (100, 0)
        """
        after = None if self.after is None else int(np.searchsorted(self.after, number))
        return int(np.searchsorted(self.before, number)), after

    @cached_property
    def steps(self) -> np.ndarray:
        """int64: the numbers at which one of the counts of `fewer` grows, ascending. Each is one more than
        the size of an anonymity set."""
        both = self.before if self.after is None else np.append(self.before, self.after)
        return np.unique(both) + 1

    def fewer_sentence(self, number: int) -> str:
        """`fewer` in words."""
        before, after = self.fewer(number)
        figures = {"before": before, "all": len(self.before), "unit": self.unit, "number": number}
        if after is None or self.after is None:
            alone = tr("{before:,} of {all:,} {unit} have an anonymity set smaller than {number:,}.")
            return alone.format(**figures)
        return tr(
            "{before:,} of {all:,} {unit} have an anonymity set smaller than {number:,} in the original, and"
            " {after:,} of {published:,} in the release."
        ).format(**figures, after=after, published=len(self.after))

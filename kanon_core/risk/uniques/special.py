"""Special uniques: records that a few of their attributes single out already, and their scores (SUDA)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.lists import join_list
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.table.columns.keys import distinct


@dataclass(frozen=True, eq=False)
class Combination:
    """A set of columns, and its minimal uniques: combinations of values that a single record (or person) has,
    while others have every part. ``subjects`` int64: the subject of each, ascending; a person with several
    records may occur more than once."""

    columns: tuple[str, ...]
    subjects: np.ndarray

    @cached_property
    def count(self) -> int:
        """Return how many records (or people) it singles out."""
        return len(distinct(self.subjects))


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """The subjects who are singled out by few attributes.

    ``combinations``: the sets of up to ``most`` of the ``columns`` that have a minimal unique; those that
    single out most come first, the smaller one before an equal one. ``unit``: "records" or "people", of which
    there are ``subjects``. ``first`` int64 (subjects): the number, from 0, of each record, or of the first
    record of each person. ``unique`` and ``in_pairs``: how many records differ from all others in all columns
    together, and how many are equal to exactly one other; of people, only the former is counted, and the
    latter is −1.
    """

    columns: tuple[str, ...]
    most: int
    unit: str
    subjects: int
    first: np.ndarray
    combinations: tuple[Combination, ...]
    unique: int
    in_pairs: int

    @cached_property
    def minimal(self) -> np.ndarray:
        """int64 (subjects): how many minimal uniques each has."""
        return self._summed(lambda size: 1.0).astype(np.int64)

    @cached_property
    def score(self) -> np.ndarray:
        """float64 (subjects): the SUDA score, the sum of `set_scores` over minimal uniques; 0 without any."""
        worth = set_scores(len(self.columns), self.most)
        return self._summed(lambda size: float(worth[size - 1]))

    @cached_property
    def smallest(self) -> np.ndarray:
        """int64 (subjects): how many attributes suffice to single each out; 0 = more than ``most``."""
        found = np.zeros(self.subjects, np.int64)
        for one in sorted(self.combinations, key=lambda combination: -len(combination.columns)):
            found[one.subjects] = len(one.columns)
        return found

    @property
    def singled_out(self) -> int:
        """Return how many have a minimal unique."""
        return int((self.smallest > 0).sum())

    @property
    def contributions(self) -> dict[str, float]:
        """Return, by column, the share of all scores that comes from sets with this column; the greatest
        first. A set counts for each of its columns, so shares may add up to more than 1; all are 0 without
        scores."""
        worth, total = set_scores(len(self.columns), self.most), float(self.score.sum())
        found = dict.fromkeys(self.columns, 0.0)
        for one in self.combinations:
            for name in one.columns:
                found[name] += float(worth[len(one.columns) - 1]) * len(one.subjects) / total
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def disclosure(self, fraction: float = 0.01) -> np.ndarray:
        """float64 (subjects): `disclosure_scores`, DIS-SUDA. Raises UnsuitableError where people are counted,
        for whom it is not defined."""
        if self.in_pairs < 0:
            raise UnsuitableError(tr("DIS-SUDA is defined for tables with one record of each person."))
        return disclosure_scores(self.score, len(self.columns), self.unique, self.in_pairs, fraction)

    @property
    def sentence(self) -> str:
        """Return the result in words."""
        if not self.singled_out:
            return tr(
                "None of {all:,} {unit} is singled out by up to {most} of these columns: {columns}."
            ).format(all=self.subjects, unit=self.unit, most=self.most, columns=", ".join(self.columns))
        several = tr("a combination of up to {most}").format(most=counted(self.most, "value"))
        counts = np.bincount(self.smallest, minlength=self.most + 1)
        parts = (
            tr("{size} for {count:,}").format(size=size, count=int(counts[size]))
            for size in range(1, self.most + 1)
            if counts[size]
        )
        said = tr_n(
            "{singled:,} of {all:,} {unit} ({share}) is singled out by {what} that no other has. Fewest"
            " columns needed: {parts}.",
            "{singled:,} of {all:,} {unit} ({share}) are singled out by {what} that no other has. Fewest"
            " columns needed: {parts}.",
            self.singled_out,
        )
        return said.format(
            singled=self.singled_out,
            all=self.subjects,
            unit=self.unit,
            share=percent(self.singled_out, self.subjects),
            what=tr("a value") if self.most == 1 else several,
            parts=", ".join(parts),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the subjects that are singled out, the highest score first: the number of the record from 1
        (for a person, of the first record), score, minimal uniques, the fewest columns, and one set of so
        many columns. The frame contains no cells.

        >>> import kanon_core as kc
        >>> table = kc.read_table(b"age,sex\\n30,F\\n30,M\\n41,F\\n30,F\\n")
        >>> kc.special_uniques(table).to_frame()[["record", "columns"]].values.tolist()
        [[2, 'sex'], [3, 'age']]
        """
        example = np.full(self.subjects, -1)
        order = sorted(range(len(self.combinations)), key=lambda i: -len(self.combinations[i].columns))
        for place in order:
            example[self.combinations[place].subjects] = place
        here = np.flatnonzero(self.smallest)
        here = here[np.lexsort((self.first[here], -self.score[here]))]
        shown = {
            "record": self.first[here] + 1,
            "score": self.score[here],
            "minimal_uniques": self.minimal[here],
            "fewest_columns": self.smallest[here],
            "columns": [join_list(self.combinations[place].columns) for place in example[here].tolist()],
        }
        return pd.DataFrame(shown)

    def ranked(self) -> pd.DataFrame:
        """Return every combination: its columns, how many it singles out, and the share of all."""
        rows = [
            (join_list(one.columns), len(one.columns), one.count, one.count / self.subjects)
            for one in self.combinations
        ]
        return pd.DataFrame(rows, columns=["columns", "size", self.unit, "share"])

    def _summed(self, worth: Callable[[int], float]) -> np.ndarray:
        found = np.zeros(self.subjects)
        for one in self.combinations:
            found += np.bincount(one.subjects, minlength=self.subjects) * worth(len(one.columns))
        return found


def set_scores(columns: int, most: int) -> np.ndarray:
    """float64 (most): the contribution of a minimal unique of 1, 2 … columns to the score of its record.

    One of s columns adds ∏ over i = s … most − 1 of (columns − i): the number of ways in which it can grow,
    column by column, to a set of ``most`` columns. So small sets weigh most. For ``most`` = ``columns`` this
    is (columns − s)!, as sdcMicro computes it. The practice guide for sdcMicro multiplies up to i = most,
    which makes all scores (columns − most) times as large.

    Reference: M. J. Elliot et al., SUDA: a program for detecting special uniques, UNECE/Eurostat 2005.

    >>> set_scores(4, 3).tolist()
    [6.0, 2.0, 1.0]
    """
    return np.array([np.prod([columns - i for i in range(s, most)], dtype=float) for s in range(1, most + 1)])


def disclosure_scores(
    scores: np.ndarray, columns: int, unique: int, in_pairs: int, fraction: float = 0.01
) -> np.ndarray:
    """float64 (n): DIS-SUDA, the probability, 0 … 1, that a match with another file which is unique in the
    sample is the right one, as distributed over records by their SUDA ``scores``.

    ``unique``: how many records differ from all others in all columns together; ``in_pairs``: how many are
    equal to exactly one other; ``fraction``: the share of the population that was sampled, 0 < f ≤ 1. With
    d = unique · f / (unique · f + in_pairs · (1 − f)) (data intrusion simulation),
    q = 1 + (8 − columns) / 20 and a = Σ score^−q over records with a score, a record with a score has
    1 / (1 + (unique / d − unique) / (score^q · a)), and one without it 0. These are the constants of
    sdcMicro, whose default is f = 0.01. Cost O(n).

    Reference: M. J. Elliot, A. M. Manning, Using DIS to modify the classification of special uniques,
    UNECE/Eurostat 2003; C. J. Skinner, M. J. Elliot, JRSS B 64(4), 2002.

    >>> disclosure_scores(np.array([0, 6, 12, 6, 10]), 4, 4, 6).round(4).tolist()
    [0.0, 0.005, 0.0114, 0.005, 0.0092]
    """
    found, here = np.zeros(len(scores)), np.flatnonzero(scores)
    if not len(here):
        return found
    share = unique * fraction / (unique * fraction + in_pairs * (1 - fraction))
    powers = np.asarray(scores, float)[here] ** (1 + (8 - columns) / 20)
    found[here] = 1 / (1 + (unique / share - unique) / (powers * (1 / powers).sum()))
    return found

"""Questions about the rows of a node over all parts, to be answered before the node can be cut.

Each question is answered on each part alone; the answers of two parts merge into the answer on both, in any
order. So no process holds the rows of all parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.scale.passes.tree import Cut

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Rows

BINS = 1024
MOST_VALUES = 50_000
"""The most different values that are listed; where there are more, they are counted in bins first."""

Answer = dict[str, np.ndarray]
"""Arrays by name; those of two parts are merged by `Question.merged`."""


@dataclass(frozen=True)
class Shape:
    """The attributes of a table: how many of ``numbers``, and ``starts``, int (q + 1): where the values of
    each categorical attribute begin among the values of all, and their number at the end."""

    numbers: int
    starts: tuple[int, ...]

    @property
    def values(self) -> int:
        """Return how many values all categorical attributes have."""
        return self.starts[-1]


class Question(ABC):
    """A question about the rows of one node."""

    @abstractmethod
    def answered(self, rows: Rows, chosen: np.ndarray, sensitive: np.ndarray) -> Answer:
        """Return the answer on the ``chosen`` rows of a part, int64; ``sensitive`` int64 (n, columns)."""

    @abstractmethod
    def merged(self, first: Answer, second: Answer) -> Answer:
        """Return the answer on both parts."""


@dataclass(frozen=True)
class Summary(Question):
    """Extent of every number, how often each category occurs, and numbers between ``ends`` in `BINS` bins.

    ``ends``: of each attribute of numbers, two ends that enclose its present values.
    """

    shape: Shape
    ends: tuple[tuple[float, float], ...]

    def answered(self, rows: Rows, chosen: np.ndarray, sensitive: np.ndarray) -> Answer:
        """See `counted`, which answers many of these at once."""
        group = np.full(len(rows.numeric), -1)
        group[chosen] = 0
        return counted([self], rows, group)[0]

    def merged(self, first: Answer, second: Answer) -> Answer:
        """Return sums of counts, the least and the greatest of ends."""
        found = {name: first[name] + second[name] for name in ("missing", "below", "bins", "counts")}
        found["least"] = np.minimum(first["least"], second["least"])
        found["greatest"] = np.maximum(first["greatest"], second["greatest"])
        found["before"] = np.maximum(first["before"], second["before"])
        return found


def counted(questions: Sequence[Summary], rows: Rows, group: np.ndarray) -> list[Answer]:
    """Return the answers to several summaries in one pass; ``group`` int64 (n): the question that asks about
    each row, −1 = none."""
    from kanon_core.scale.passes.counting_kernels import Counted, count

    shape, m = questions[0].shape, len(questions)
    p = shape.numbers
    made = Counted(
        np.array([question.ends for question in questions], np.float64).reshape(m, p, 2),
        np.full((m, p), np.inf),
        np.full((m, p), -np.inf),
        np.zeros((m, p), np.int64),
        np.zeros((m, p), np.int64),
        np.full((m, p), -np.inf),
        np.zeros((m, p, BINS), np.int64),
        np.zeros((m, shape.values), np.int64),
    )
    count(rows, group, made)
    names = ("least", "greatest", "missing", "below", "before", "bins", "counts")
    return [{name: getattr(made, name)[i] for name in names} for i in range(m)]


@dataclass(frozen=True)
class Values(Question):
    """The different numbers of one attribute in one bin between two ends, and how often each occurs; where
    they are more than `MOST_VALUES`, only the least and the greatest. ``before``: the greatest number below
    the bin."""

    attribute: int
    first: float
    last: float
    bin: int

    def answered(self, rows: Rows, chosen: np.ndarray, sensitive: np.ndarray) -> Answer:
        """``values`` float64 and ``counts`` int64, counts empty where there are too many; ``before``."""
        x = rows.numeric[chosen, self.attribute]
        low, between = x[x < self.first], (x >= self.first) & (x <= self.last)
        x, chosen = x[between], chosen[between]
        bins = bins_of(x, self.first, self.last)
        here = bins == self.bin
        values, counts = _tallied(x[here], _counts(rows, chosen[here]))
        before = max(low.max(initial=-np.inf), x[bins < self.bin].max(initial=-np.inf))
        return self._short(values, counts, before)

    def merged(self, first: Answer, second: Answer) -> Answer:
        """Return the values of both."""
        before = max(first["before"][0], second["before"][0])
        values = np.concatenate([first["values"], second["values"]])
        counts = np.concatenate([first["counts"], second["counts"]])
        if len(counts) < len(values):
            return self._short(values, counts[:0], before)
        return self._short(*_tallied(values, counts), before)

    def _short(self, values: np.ndarray, counts: np.ndarray, before: float) -> Answer:
        if len(values) > MOST_VALUES or len(counts) < len(values):
            values, counts = np.array([values.min(), values.max()]), counts[:0]
        return {"values": values, "counts": counts, "before": np.array([before])}


@dataclass(frozen=True)
class Sides(Question):
    """The frequency of each sensitive value on both sides of a cut; ``values``: the number of sensitive
    values."""

    cut: Cut
    numbers: int
    values: int

    def answered(self, rows: Rows, chosen: np.ndarray, sensitive: np.ndarray) -> Answer:
        """``sides`` int64 (2, values)."""
        a, p = self.cut.attribute, self.numbers
        if a < p:
            left = rows.numeric[chosen, a] <= self.cut.edge
        else:
            left = np.isin(rows.values[chosen, a - p], self.cut.members)
        each = (self._side(rows, chosen[side], sensitive) for side in (left, ~left))
        return {"sides": np.stack(list(each))}

    def _side(self, rows: Rows, chosen: np.ndarray, sensitive: np.ndarray) -> np.ndarray:
        counts = _counts(rows, chosen)
        each = None if counts is None else np.repeat(counts, sensitive.shape[1])
        return _summed(sensitive[chosen].ravel(), each, self.values)

    def merged(self, first: Answer, second: Answer) -> Answer:
        """Sums."""
        return {"sides": first["sides"] + second["sides"]}


def _counts(rows: Rows, chosen: np.ndarray) -> np.ndarray | None:
    """Return the number of rows that each of these rows stands for, int64; None if each stands for itself."""
    return rows.counts[chosen] if len(rows.counts) else None


def _summed(numbers: np.ndarray, counts: np.ndarray | None, most: int) -> np.ndarray:
    """Return how many rows have each number, int64 (most); sums are exact below 2⁵³."""
    return np.bincount(numbers, counts, most).astype(np.int64)


def _tallied(x: np.ndarray, counts: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the different numbers, ascending, and how many rows have each."""
    if counts is None:
        return np.unique(x, return_counts=True)
    different, back = np.unique(x, return_inverse=True)
    return different, _summed(back, counts, len(different))


def bins_of(x: np.ndarray, first: float, last: float) -> np.ndarray:
    """Return the bin of each number, int64; see `kanon_core.scale.passes.counting_kernels.bin_of`."""
    if last <= first:
        return np.zeros(len(x), np.int64)
    return np.asarray(np.minimum(((x - first) / (last - first) * BINS).astype(np.int64), BINS - 1))


def answers(
    questions: Mapping[int, Question], rows: Rows, leaves: np.ndarray, sensitive: np.ndarray
) -> dict[int, Answer]:
    """Return, by node, the answers on the rows of a part; ``leaves``: the node of each row."""
    found: dict[int, Answer] = {}
    summaries = {node: each for node, each in questions.items() if isinstance(each, Summary)}
    if summaries:
        number = np.full(int(max(leaves.max(initial=0), *questions)) + 1, -1)
        number[list(summaries)] = np.arange(len(summaries))
        found |= zip(summaries, counted(list(summaries.values()), rows, number[leaves]), strict=True)
    if len(found) < len(questions):
        order = np.argsort(leaves, kind="stable")
        sorted_leaves = leaves[order]
        for node, question in questions.items():
            if node not in found:
                first, last = np.searchsorted(sorted_leaves, [node, node + 1])
                found[node] = question.answered(rows, order[first:last], sensitive)
    return found

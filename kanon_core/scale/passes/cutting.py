"""Exact cuts of Mondrian from the top, over rows that no process holds at once.

A node is cut just where `kanon_core.algorithms.partitioning.mondrian_kernels` cuts the same rows in one
memory: in the widest attribute, at the median, where both sides keep k records and the rule on sensitive
values. The questions that this requires (`kanon_core.scale.passes.questions`) are put to all parts, for all
open nodes in the same pass.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.scale.passes.questions import Answer, Question, Shape, Sides, Summary, Values
from kanon_core.scale.passes.tree import Cut, Tree

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.mondrian_kernels import Limits

Ends = tuple[tuple[float, float], ...]
Asking = Generator[Question, Answer, tuple[Cut | None, Ends]]
Ask = Callable[[Tree, dict[int, Question]], dict[int, Answer]]


@dataclass(frozen=True)
class Weights:
    """The weight of an attribute's extent: ``width`` float64 (p), of numbers; ``step`` float64 (q), of each
    further value of categories."""

    width: np.ndarray
    step: np.ndarray


@dataclass(frozen=True)
class CutLimit:
    """The limit of the cuts: down to parts of at most ``rows`` records; where rows are ``drawn`` (ascending
    places in the order of the tree), only around these."""

    rows: int
    drawn: np.ndarray | None = None

    def is_open(self, tree: Tree, node: int) -> bool:
        """Return whether a part is to be cut further."""
        begin, size = tree.begins[node], tree.sizes[node]
        if size <= self.rows or self.drawn is None:
            return size > self.rows
        first, last = np.searchsorted(self.drawn, [begin, begin + size])
        return bool(first < last)


def fragments_of(
    ask: Ask, records: int, shape: Shape, weights: Weights, limits: Limits, most: CutLimit
) -> Tree:
    """Return the tree whose leaves are the fragments: parts of Mondrian's partition that hold at most
    ``most.rows`` records, or cannot be cut.

    ``ask(tree, questions)`` answers, by node, a question about the rows of each node, over all parts.
    Cost: about two passes over all rows for each level of the tree.
    """
    tree, most = Tree([records]), replace(most, rows=max(most.rows, 2 * limits.k - 1))
    if not most.is_open(tree, 0):
        return tree
    open_nodes = {0: _cut_of(shape, ((0.0, 1.0),) * shape.numbers, weights, limits, records)}
    questions = {node: next(asking) for node, asking in open_nodes.items()}
    while questions:
        answers = ask(tree, questions)
        questions = {}
        for node in list(answers):
            try:
                questions[node] = open_nodes[node].send(answers[node])
            except StopIteration as done:
                cut, ends = done.value
                del open_nodes[node]
                for child, own in children(tree, node, cut, ends, shape):
                    if most.is_open(tree, child):
                        open_nodes[child] = _cut_of(shape, own, weights, limits, tree.sizes[child])
                        questions[child] = next(open_nodes[child])
    return tree


def children(tree: Tree, node: int, cut: Cut | None, ends: Ends, shape: Shape) -> list[tuple[int, Ends]]:
    """Return the two nodes that a cut makes, each with the ends of its numbers as far as they are known."""
    if cut is None:
        return []
    left, right = tree.cut(node, cut)
    a = cut.attribute
    if a >= shape.numbers:
        return [(left, ends), (right, ends)]
    low, high = ends[a]
    sides = ((low, max(cut.edge, low)), (max(low, cut.edge), high))
    return [
        (child, (*ends[:a], side, *ends[a + 1 :])) for child, side in zip((left, right), sides, strict=True)
    ]


def _cut_of(shape: Shape, ends: Ends, weights: Weights, limits: Limits, size: int) -> Asking:
    """Return the cut of a node, None if it has none, and the ends of its numbers."""
    from kanon_core.algorithms.partitioning.constraints_kernels import keeps
    from kanon_core.base.sorting_kernels import order

    found = yield Summary(shape, ends)
    summary = Summed(shape, ends, found)
    wide = summary.extents(weights)
    for a in order(-wide).tolist():
        if wide[a] <= 0:
            break
        if a < shape.numbers:
            cut = yield from number_cut(summary, a, size, limits.k)
        else:
            cut = summary.category_cut(a, size, limits.k)
        if cut is None:
            continue
        if limits.rule.active:
            sides = (yield Sides(cut, shape.numbers, len(limits.rule.total)))["sides"]
            if not (keeps(limits.rule, sides[0], cut.left) and keeps(limits.rule, sides[1], size - cut.left)):
                continue
        return cut, summary.present_ends()
    return None, ends


@dataclass(frozen=True)
class Summed:
    """The answer to a summary, in a form to compute with."""

    shape: Shape
    ends: Ends
    answer: Answer

    def extents(self, weights: Weights) -> np.ndarray:
        """Return the weighted NCP of the node in every attribute, float64 (p + q)."""
        least, greatest = self.answer["least"], self.answer["greatest"]
        mixed = (least < 0) & (greatest >= 0)
        spans = np.where(mixed, 1.0, greatest - least)
        kinds = [np.count_nonzero(self.counts(i)) for i in range(len(weights.step))]
        return np.concatenate([weights.width * spans, weights.step * (np.array(kinds, np.float64) - 1)])

    def counts(self, category: int) -> np.ndarray:
        """Return how often each value of a categorical attribute occurs, int64."""
        found: np.ndarray = self.answer["counts"][
            self.shape.starts[category] : self.shape.starts[category + 1]
        ]
        return found

    def present_ends(self) -> Ends:
        """Return the ends of the numbers that are not missing, as far as they are known."""
        found = []
        for (low, high), least, greatest in zip(
            self.ends, self.answer["least"].tolist(), self.answer["greatest"].tolist(), strict=True
        ):
            found.append((max(low, least), min(high, greatest)) if greatest >= 0 else (low, low))
        return tuple(found)

    def category_cut(self, attribute: int, size: int, k: int) -> Cut | None:
        """Return the cut of the most frequent values from the others, at the middle record."""
        from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import beside_the_middle

        i = attribute - self.shape.numbers
        counts = self.counts(i)
        by = np.lexsort((np.arange(len(counts)), -counts))
        by = by[: np.count_nonzero(counts)]
        until = np.cumsum(counts[by])
        middle = int(np.searchsorted(until, size // 2, "right"))
        same = int(counts[by[middle]])
        below = int(until[middle]) - same
        edge, taken = beside_the_middle(size, k, float(middle), float(middle - 1), below, same)
        if taken == 0:
            return None
        kept = by[: int(edge) + 1]
        members = tuple(sorted((kept + self.shape.starts[i]).tolist()))
        return Cut(attribute, 0.0, members, int(until[int(edge)]))


def number_cut(summary: Summed, a: int, size: int, k: int) -> Generator[Question, Answer, Cut | None]:
    """Return the cut of a node in an attribute of numbers: at the median, which is found bin by bin."""
    missing = int(summary.answer["missing"][a])
    if k <= missing <= size - k:
        return Cut(a, -1.0, (), missing)
    found = {name: summary.answer[name][a] for name in ("bins", "below")}
    (first, last), target, below = summary.ends[a], size // 2, int(found["below"])
    while target >= below:
        until = below + np.cumsum(found["bins"])
        at = int(np.searchsorted(until, target, "right"))
        listed = yield Values(a, first, last, at)
        below, before = int(until[at] - found["bins"][at]), float(listed["before"][0])
        values, counts = listed["values"], listed["counts"]
        if len(counts):
            return _beside(a, values, below + np.cumsum(counts), counts, (size, k, before))
        first, last = float(values[0]), float(values[1])
        ends = (*summary.ends[:a], (first, last), *summary.ends[a + 1 :])
        answer = yield Summary(summary.shape, ends)
        found = {"bins": answer["bins"][a]}
    return None  # the middle record's number is missing, and missing numbers could not be set apart


def _beside(
    a: int, values: np.ndarray, until: np.ndarray, counts: np.ndarray, known: tuple[int, int, float]
) -> Cut | None:
    """Return the cut beside the middle record, whose number is among these values."""
    from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import beside_the_middle

    size, k, before = known
    at = int(np.searchsorted(until, size // 2, "right"))
    less = int(until[at] - counts[at])
    previous = float(values[at - 1]) if at else before
    edge, taken = beside_the_middle(size, k, float(values[at]), previous, less, int(counts[at]))
    if not taken:
        return None
    return Cut(a, edge, (), less + int(counts[at]) if edge == values[at] else less)

"""The first rounds of Top-down, over rows that nobody holds at once: until every cluster that may still be
cut has few enough records for one worker."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from kanon_core.scale.cutting import Ask, Ends, Summed, children, number_cut
from kanon_core.scale.questions import Answer, Bins, Question, Sides, Summary
from kanon_core.scale.rounds.losses import Cluster, lost_by, node_of, widest_of
from kanon_core.scale.rounds.reading import Frame
from kanon_core.scale.tree import Cut, Tree

Looking = Generator[Question, Answer, Cut | None]


class Clusters(NamedTuple):
    """The tree whose leaves are clusters, and by leaf which attributes are closed, bool (attributes)."""

    tree: Tree
    closed: dict[int, np.ndarray]


def clusters_of(ask: Ask, frame: Frame, rows: int) -> Clusters:
    """The clusters after so many rounds that none of more than ``rows`` records has an open attribute.

    ``ask`` as of `kanon_core.scale.cutting.fragments_of`. Cost: about two passes over all rows a round.
    """
    nothing, shape, k = frame.nothing, frame.shape, frame.k
    tree, all_ends = Tree([frame.whole.records]), ((0.0, 1.0),) * shape.numbers
    found = ask(tree, {0: Summary(shape, all_ends)})
    open_at_first = nothing.weight <= 0
    clusters = {0: Cluster(frame.whole.records, Summed(shape, all_ends, found[0]), open_at_first)}
    while any(one.size > max(rows, 2 * k - 1) and not one.closed.all() for one in clusters.values()):
        a = widest_of(nothing, lost_by(nothing, list(clusters.values()), k))
        nodes = [n for n, one in clusters.items() if not one.closed[a]]
        looking = {n: _cut_of(frame, clusters[n], a) for n in nodes if clusters[n].size >= 2 * k}
        cuts = dict.fromkeys(nodes) | _found(ask, tree, looking)
        ends: dict[int, Ends] = {}
        for node, cut in cuts.items():
            if cut is None:
                clusters[node].closed[a] = True
                continue
            old = clusters.pop(node)
            for child, own in children(tree, node, cut, old.summed.present_ends(), shape):
                ends[child] = own
                clusters[child] = Cluster(tree.sizes[child], old.summed, old.closed.copy())
        answers = ask(tree, {child: Summary(shape, own) for child, own in ends.items()}) if ends else {}
        for child, answer in answers.items():
            clusters[child] = clusters[child]._replace(summed=Summed(shape, ends[child], answer))
    return Clusters(tree, {node: one.closed for node, one in clusters.items()})


def _found(ask: Ask, tree: Tree, looking: dict[int, Looking]) -> dict[int, Cut | None]:
    """The cuts that are looked for, by node; all ask in the same passes."""
    cuts: dict[int, Cut | None] = {}
    answers: dict[int, Answer] = {}
    while looking:
        questions = {}
        for node, one in list(looking.items()):
            try:
                questions[node] = one.send(answers[node]) if node in answers else next(one)
            except StopIteration as done:
                cuts[node] = done.value
                del looking[node]
        answers = ask(tree, questions) if questions else {}
    return cuts


def _cut_of(frame: Frame, cluster: Cluster, a: int) -> Looking:
    """The cut of a cluster in attribute a, as `splits_kernels` makes it; None = none is allowed."""
    p, rule = frame.shape.numbers, frame.limits.rule
    if a < p:
        cut = yield from _number_cut(frame, cluster, a)
    else:
        cut = _value_cut(frame, cluster, a - p)
    if cut is None or not rule.active:
        return cut
    from kanon_core.algorithms.partitioning.constraints_kernels import keeps

    left, right = (yield Sides(cut, p, len(rule.total)))["sides"]
    kept = keeps(rule, left, cut.left) and keeps(rule, right, cluster.size - cut.left)
    return cut if kept else None


def _number_cut(frame: Frame, cluster: Cluster, a: int) -> Looking:
    low, high = (float(cluster.summed.answer[end][a]) for end in ("least", "greatest"))
    if frame.limits.midpoint and low >= 0:
        edge = (low + high) / 2
        left = int((yield Bins(a, low, edge))["bins"].sum())
        if frame.k <= left <= cluster.size - frame.k:
            return Cut(a, edge, (), left)
    return (yield from number_cut(cluster.summed, a, cluster.size, frame.k))


def _value_cut(frame: Frame, cluster: Cluster, category: int) -> Cut | None:
    from kanon_core.algorithms.partitioning.topdown.splits_kernels import best_child, most_frequent

    counts, first = cluster.summed.counts(category), int(frame.nothing.first[category])
    present = np.flatnonzero(counts)
    often, tokens = counts[present], (present + first).astype(np.int32)
    trees, node = frame.nothing.trees, node_of(frame.nothing, cluster.summed, category)
    if node < 0:
        chosen = most_frequent(often, tokens, frame.k)
    else:
        chosen = best_child(trees, node, often, trees.leaf[tokens], frame.k)
    if not len(chosen):
        return None
    members = tuple(sorted(tokens[chosen].tolist()))
    return Cut(frame.shape.numbers + category, 0.0, members, int(often[chosen].sum(dtype=np.int64)))

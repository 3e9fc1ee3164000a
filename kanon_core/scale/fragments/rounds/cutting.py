"""The first rounds of Top-down, over rows that nobody holds at once: until every cluster that may still be
cut has few enough records for one worker."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.scale.fragments.rounds.allowed import Looking, allowed
from kanon_core.scale.fragments.rounds.losses import Cluster, lost_by, node_of, occurring, widest_of
from kanon_core.scale.fragments.rounds.pivots import pivot_cut
from kanon_core.scale.fragments.rounds.reading import Frame
from kanon_core.scale.passes.cutting import Ask, Ends, Summed, children, number_cut
from kanon_core.scale.passes.questions import Answer, Bins, Summary
from kanon_core.scale.passes.tree import Cut, Tree

ITEMS_OF_A_FRAGMENT = 2_000_000
"""A worker makes its rounds among so many items at most, if they can be cut."""


class Clusters(NamedTuple):
    """The ``tree`` whose leaves are clusters; by leaf which attributes are ``closed``, bool (attributes), and
    which items are ``refused`` as pivots; the ``frame``, which knows how many items there are."""

    tree: Tree
    closed: dict[int, np.ndarray]
    refused: dict[int, list[int]]
    frame: Frame


def clusters_of(ask: Ask, frame: Frame, rows: int) -> Clusters:
    """The clusters after so many rounds that none of more than ``rows`` records has an open attribute.

    ``ask`` as of `kanon_core.scale.passes.cutting.fragments_of`. Cost: about two passes over all rows a
    round.
    """
    shape, k, records = frame.shape, frame.k, frame.whole.records
    tree, all_ends = Tree([records]), ((0.0, 1.0),) * shape.numbers
    summed = Summed(shape, all_ends, ask(tree, {0: Summary(shape, all_ends)})[0])
    sets = range(len(frame.nothing.scale) - frame.nothing.categories)
    frame = frame.holding(int(occurring(frame.nothing, summed, j)[1].sum()) for j in sets)
    nothing = frame.nothing
    clusters = {0: Cluster(records, summed, nothing.weight <= 0, [])}
    while any(_too_large(one, rows, k) for one in clusters.values()):
        a = widest_of(nothing, lost_by(nothing, list(clusters.values()), k), records)
        nodes = [n for n, one in clusters.items() if not one.closed[a]]
        looking = {n: _cut_of(frame, clusters[n], a) for n in nodes if clusters[n].size >= 2 * k}
        cuts = dict.fromkeys(nodes) | _found(ask, tree, looking)
        ends: dict[int, Ends] = {}
        for node, cut in cuts.items():
            if cut is None:
                clusters[node].closed[a] = True
                continue
            old = clusters.pop(node)
            cut_in_two = children(tree, node, cut, old.summed.present_ends(), shape)
            for (child, own), refused in zip(cut_in_two, _refused(old, cut), strict=True):
                ends[child] = own
                clusters[child] = Cluster(tree.sizes[child], old.summed, old.closed.copy(), refused)
        answers = ask(tree, {child: Summary(shape, own) for child, own in ends.items()}) if ends else {}
        for child, answer in answers.items():
            clusters[child] = clusters[child]._replace(summed=Summed(shape, ends[child], answer))
    closed = {node: one.closed for node, one in clusters.items()}
    return Clusters(tree, closed, {node: one.refused for node, one in clusters.items()}, frame)


def _too_large(cluster: Cluster, rows: int, k: int) -> bool:
    """Whether a cluster is to be cut further, and can be."""
    items = int(cluster.summed.answer["often"].sum()) if "often" in cluster.summed.answer else 0
    large = cluster.size > rows or items > ITEMS_OF_A_FRAGMENT
    return large and cluster.size >= 2 * k and not bool(cluster.closed.all())


def _refused(cluster: Cluster, cut: Cut) -> tuple[list[int], list[int]]:
    """The items at which the left side must not be cut, and the right one: the larger side goes on as the
    cluster did, the other, or the left one of equal ones, is a new cluster."""
    left_is_new = 2 * cut.left <= cluster.size
    return ([], cluster.refused) if left_is_new else (cluster.refused, [])


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
    p = frame.shape.numbers
    if a >= p + frame.nothing.categories:
        return (yield from pivot_cut(frame, cluster, a))
    if a < p:
        cut = yield from _number_cut(frame, cluster, a)
    else:
        cut = _value_cut(frame, cluster, a - p)
    if cut is None or not (yield from allowed(frame, cluster.size, cut)):
        return None
    return cut


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

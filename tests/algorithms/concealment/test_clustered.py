"""Clustered concealment: the two cuts of the dendrogram, and clusters concealed side by side."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

import kanon_core as kc
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.concealment.clustered import Clustered, clusters
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.matchings import distances_of, total_cost
from kanon_core.algorithms.concealment.tours.tours import Tours
from tests.algorithms.concealment.test_greedy import distances_between, mixed, table_from
from tests.helpers import looped


def groups_of(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)}


@looped("k", [2, 3, 5, 20])
@looped("seed", range(4))
def test_the_paper_cut_is_the_largest_number_of_clusters_with_none_below_k(k, seed):
    distances = distances_between(60, seed)
    joins = linkage(squareform(distances), "ward")
    cuts = [fcluster(joins, count, "maxclust") for count in range(1, 61)]
    expected = [cut for cut in cuts if np.bincount(cut)[1:].min() >= k][-1]
    assert groups_of(clusters(distances, k, "paper")) == groups_of(expected)


def finer(joins: np.ndarray, k: int) -> set[frozenset[int]]:
    """The twin of the finer cut: sets of records, split from the root down."""
    n = len(joins) + 1
    members = [frozenset([i]) for i in range(n)]
    parts = {}
    for a, b, *_ in joins:
        joined = members[int(a)] | members[int(b)]
        parts[joined] = (members[int(a)], members[int(b)])
        members.append(joined)
    found, todo = set(), [members[-1]]
    while todo:
        group = todo.pop()
        halves = parts.get(group, ())
        if halves and min(map(len, halves)) >= k:
            todo += halves
        else:
            found.add(group)
    return found


@looped("k", [1, 2, 3, 5, 20])
@looped("seed", range(4))
def test_the_fine_cut_splits_while_both_parts_keep_k(k, seed):
    distances = distances_between(60, seed)
    labels = clusters(distances, k, "fine")
    assert groups_of(labels) == finer(linkage(squareform(distances), "ward"), k)
    assert len(groups_of(labels)) >= len(groups_of(clusters(distances, k, "paper")))


@pytest.mark.parametrize("cut", ["paper", "fine"])
def test_clusters_keep_k_and_are_numbered_by_their_lowest_record(cut):
    for n, k in [(2, 2), (3, 2), (4, 2), (9, 4), (9, 5), (9, 9), (50, 3)]:
        for distances in (distances_between(n), np.zeros((n, n))):
            labels = clusters(distances, k, cut)
            assert np.bincount(labels).min() >= k
            assert list(dict.fromkeys(labels.tolist())) == list(range(labels.max() + 1))


@pytest.mark.parametrize("inner", [Lottery(draws=200), Tours()], ids=["lottery", "tours"])
def test_no_edge_leaves_its_cluster_and_costs_add_up(inner):
    table, run = mixed(40), Run(log=Log())
    cover = Clustered(inner=inner, cut="fine").cover(table, 3, run)
    members = [what["members"] for event, what in run.log.events if event == "cluster"]
    assert len(members) == run.report["clusters"] > 1
    assert sorted(np.concatenate(members).tolist()) == list(range(40))
    distances = distances_of(table, "range")
    for group in members:
        assert np.isin(cover.matchings[:, group], group).all()
    parts = [total_cost(cover.matchings[:, [j]], distances[[j]]) for j in range(40)]
    assert run.report["cost"] == pytest.approx(sum(parts))


def test_clustering_helps_the_lottery():
    table, costs = mixed(120), {}
    for algorithm in (Lottery(draws=300), Clustered(inner=Lottery(draws=300))):
        run = Run()
        algorithm.cover(table, 2, run)
        costs[type(algorithm)] = run.report["cost"]
    assert costs[Clustered] < costs[Lottery] / 2


def test_dead_ends_of_all_clusters_are_counted_together():
    """Clusters of four records have one round tour and its reverse; the fourth matching is an assignment."""
    places = np.repeat([0, 1, 10, 11, 100, 101], 4) + np.random.default_rng(0).random(24) / 10
    table = table_from(pd.DataFrame({"x": places}))
    run = Run()
    Clustered(inner=Tours(heuristic="nearest insertion"), cut="fine").cover(table, 4, run)
    sizes = np.bincount(clusters(distances_of(table, "range"), 4, "fine"))
    assert sizes.tolist() == [4] * 6
    assert run.report["dead ends"] == 6


def test_only_methods_for_matchings_are_taken_inside():
    with pytest.raises(kc.OptionError, match="inner"):
        Clustered(inner=kc.MDAV())
    with pytest.raises(kc.OptionError, match="cut"):
        Clustered(cut="coarse")

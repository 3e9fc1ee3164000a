"""Greedy concealment: nearest free partners, dead ends, and what all methods of this family share."""

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.concealment.clustered import Clustered
from kanon_core.algorithms.concealment.greedy import RESTARTS, Greedy
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.matchings import Design, distances_of, total_cost
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.options import expression
from kanon_core.covers.cover import Concealment
from kanon_core.distances.manhattan import MATRIX_AT_MOST
from tests.helpers import looped
from tests.oracles.tours import best_matchings

METHODS = (
    Greedy(),
    Greedy(dead_end="restart"),
    Lottery(draws=50),
    Tours(),
    Tours(heuristic="identity"),
    Tours(heuristic="two-opt", distance="plain"),
    Clustered(inner=Lottery(draws=20)),
    Clustered(inner=Tours(), cut="fine"),
)
each_method = pytest.mark.parametrize("method", METHODS, ids=expression)


def distances_between(n: int, seed: int = 0) -> np.ndarray:
    """Distances of n random points in the plane."""
    points = np.random.default_rng(seed).random((n, 2))
    return np.abs(points[:, None] - points).sum(axis=2)


def table_from(frame: pd.DataFrame) -> kc.Table:
    roles = dict.fromkeys(frame.columns, "quasi_identifier")
    kinds = {name: "numeric" if frame[name].dtype.kind in "if" else "categorical" for name in frame}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles).with_kinds(kinds))


def mixed(n: int, seed: int = 0) -> kc.Table:
    """Numbers with missing ones, few words, many ties."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 30, n).astype(float)
    age[rng.random(n) < 0.2] = np.nan
    return table_from(pd.DataFrame({"age": age, "x": rng.normal(size=n), "word": rng.choice(list("abc"), n)}))


@each_method
@looped("n, k", [(2, 2), (3, 2), (3, 3), (4, 4), (5, 5), (7, 6), (12, 4), (40, 7)])
def test_k_edge_disjoint_matchings_and_their_cost(method, n, k):
    table, run = mixed(n, seed=n), Run(seed=3, log=Log())
    cover = method.cover(table, k, run)
    assert isinstance(cover, Concealment) and cover.matchings.shape == (k, n)
    distances = distances_of(table, getattr(method, "distance", "range"))
    if isinstance(method, Clustered):
        distances = distances_of(table, method.inner.distance)
    by_hand = sum(distances[j, P[j]] for P in cover.matchings for j in range(n))
    assert run.report["cost"] == pytest.approx(by_hand)
    written = [what for event, what in run.log.events if event == "matching"]
    assert [what["number"] for what in written] == list(range(k))
    assert np.array_equal([what["targets"] for what in written], cover.matchings)
    assert method.cover(table, k, Run(seed=3)) == cover


@each_method
@looped("n", [2, 6, 30])
def test_identical_records_cost_nothing(method, n):
    table = table_from(pd.DataFrame({"x": [7] * n, "word": ["a"] * n}))
    for k in {2, n}:
        run = Run()
        assert method.cover(table, k, run).matchings.shape == (k, n)
        assert run.report["cost"] == 0


@each_method
def test_no_method_is_below_the_least_cost(method):
    for seed in range(10):
        distances, k = distances_between(5, seed), 2 + seed % 3
        if isinstance(method, Clustered):
            continue
        found = method.matchings(distances, k, Run(), np.random.default_rng(seed))
        assert total_cost(found, distances) >= best_matchings(distances, k) - 1e-12


@each_method
def test_too_many_records_and_too_large_k_are_refused_in_words(method):
    table = table_from(pd.DataFrame({"x": np.arange(MATRIX_AT_MOST + 1)}))
    (reason,) = method.unsuitable(table, 2)
    assert "5,000" in reason and "5,001" in reason and reason.endswith(".")
    assert not method.unsuitable(mixed(6), 6)
    assert "k = 7" in method.unsuitable(mixed(6), 7)[0]
    assert "k = 2" in method.unsuitable(mixed(1), 2)[0]


@each_method
def test_progress_and_cancel(method):
    seen = []
    method.cover(mixed(30), 4, Run(tick=lambda share, note="": seen.append(share)))
    shares = [share for share in seen if share is not None]
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] == 1

    class Cancelled(BaseException):
        pass

    def stop(share, note=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        method.cover(mixed(30), 4, Run(tick=stop))


def test_every_record_takes_its_nearest_free_partner():
    """The twin: the same random order, a plain search."""
    for seed in range(20):
        distances = distances_between(9, seed)
        order = np.random.default_rng(seed).permutation(9)
        free, expected = set(range(9)), {}
        for x in order:
            partners = [y for y in sorted(free) if y != x]
            if not partners:
                break
            expected[x] = min(partners, key=lambda y, x=x: distances[x, y])
            free.remove(expected[x])
        run = Run()
        found = Greedy().matchings(distances, 2, run, np.random.default_rng(seed))[1]
        if len(expected) == 9:
            assert run.report["dead ends"] == 0
            assert found.tolist() == [expected[x] for x in range(9)]
        else:
            assert run.report["dead ends"] == 1
            # The last record finds only itself; exchanging with one other keeps all other edges.
            assert sum(found[x] == y for x, y in expected.items()) == 7


def test_dead_ends_are_counted_and_left_by_either_way():
    """Three records: half of all draws end with the last record facing only itself."""
    distances = distances_between(3, 1)
    counts = {}
    for way in ("repair", "restart"):
        reports = []
        for seed in range(40):
            run = Run()
            found = Greedy(dead_end=way).matchings(distances, 3, run, np.random.default_rng(seed))
            Concealment(found)
            reports.append(run.report["dead ends"])
        counts[way] = reports
    # Repaired at once, a matching has at most one dead end; drawn anew, it may have many.
    assert 0 < max(counts["repair"]) <= 2
    assert max(counts["restart"]) > 2


def test_restarts_are_bounded():
    """An assignment finishes after the last restart if every draw comes to a dead end."""

    class Stubborn:
        def permutation(self, n):
            return np.array([1, 2, 0])

    # Records 1 and 2 lie together and take each other; record 0 finds only itself.
    distances = np.array([[0.0, 5, 5], [5, 0, 1], [5, 1, 0]])
    run = Run()
    Concealment(Greedy(dead_end="restart").matchings(distances, 2, run, Stubborn()))
    assert run.report["dead ends"] == RESTARTS + 1


def test_a_repair_keeps_as_many_drawn_edges_as_possible():
    design = Design(distances_between(6), 3, Run())
    design.add(np.array([1, 2, 3, 4, 5, 0]))
    unfinished = np.array([2, 3, 4, 5, -1, -1])
    repaired = design.repaired(unfinished)
    assert design.fits(repaired) and sorted(repaired) == list(range(6))
    assert repaired.tolist() == [2, 3, 4, 5, 0, 1]
    assert design.run.report["dead ends"] == 1


def test_over_is_the_overlap_of_two_matchings():
    design = Design(distances_between(4), 3, Run())
    design.add(np.array([1, 2, 3, 0]))
    assert not design.fits(np.array([0, 2, 1, 3]))
    assert not design.fits(np.array([3, 2, 1, 0]))
    assert design.fits(np.array([2, 3, 0, 1]))

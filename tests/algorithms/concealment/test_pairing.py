"""Closed groups of k: greedy ones, and the pairs of least cost."""

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.concealment.matchings import distances_of
from kanon_core.algorithms.concealment.pairing.exact import least_cost_pairs, twins
from kanon_core.algorithms.concealment.pairing.pairing import Pairing, cost_of_groups
from kanon_core.covers.cover import Partition
from kanon_core.distances.manhattan import manhattan_points
from tests.algorithms.concealment.test_greedy import mixed, table_from
from tests.helpers import looped
from tests.oracles.tours import best_pairs

INTEGER_PROGRAMS = (0, 1, 13)


def plain_groups(distances: np.ndarray, k: int, seed: int) -> list[list[int]]:
    """The twin: a random record left, its k − 1 nearest by sorting, the rest together."""
    left, groups = list(range(len(distances))), []
    for one in np.random.default_rng([seed]).permutation(len(distances)):
        if one in left and len(left) >= 2 * k:
            others = sorted((o for o in left if o != one), key=lambda o, one=one: (distances[one, o], o))
            groups.append(sorted([int(one), *others[: k - 1]]))
            left = [o for o in left if o not in groups[-1]]
    return [*groups, left]


@pytest.mark.deep
@looped("n, k", [(2, 2), (3, 2), (12, 3), (13, 3), (14, 3), (40, 7), (9, 9)])
@looped("distance", ["range", "plain"])
def test_a_random_record_and_its_nearest(n, k, distance):
    for seed in range(5):
        table, run = mixed(n, seed), Run(seed=seed, log=Log())
        found = Pairing(distance=distance).cover(table, k, run)
        distances = distances_of(table, distance)
        expected = plain_groups(distances, k, seed)
        assert sorted(found.members(g).tolist() for g in range(len(found.sizes))) == sorted(expected)
        assert sorted(found.sizes)[:-1] == [k] * (n // k - 1) and found.sizes.max() == k + n % k
        cost = sum(distances[np.ix_(group, group)].sum() for group in expected)
        assert run.report["cost"] == pytest.approx(cost)
        written = [what["members"].tolist() for event, what in run.log.events if event == "group"]
        assert sorted(written) == sorted(expected)


def drawn(kind: str, n: int, seed: int) -> np.ndarray:
    """Distances in the plane, of whole numbers with many ties, or of few places."""
    rng = np.random.default_rng(seed)
    if kind == "ties":
        half = np.triu(rng.integers(0, 4, (n, n)), 1).astype(float)
        return half + half.T
    places = rng.random((n, 2)) if kind == "plane" else rng.integers(0, 3, (n, 2)).astype(float)
    return np.abs(places[:, None] - places).sum(axis=2)


def near(bound: float, distances: np.ndarray):
    """Equal up to the precision that the exact pairing states."""
    return pytest.approx(bound, abs=3e-6 * distances.max() + 1e-12)


@looped("kind", ["plane", "ties", "few places"])
@looped("n", [2, 4, 6, 8, 10])
def test_the_exact_pairs_equal_brute_force(kind, n):
    for seed in range(6 if n < 10 else 3):
        distances = drawn(kind, n, seed)
        partners, bound = least_cost_pairs(distances)
        assert np.array_equal(partners[partners], np.arange(n)) and (partners != np.arange(n)).all()
        cost = distances[np.arange(n), partners].sum()
        assert cost == pytest.approx(best_pairs(distances)) == near(bound, distances)


def test_odd_sets_are_needed_and_found():
    """Two triangles far apart: halves on every side of both would cost 6; one long edge must join them."""
    line = np.array([0, 1, 2, 100, 101, 102.0])
    distances = np.abs(np.subtract.outer(line, line))
    distances[(distances > 0) & (distances < 3)] = 1
    notes = []
    partners, bound = least_cost_pairs(distances, lambda share, note="": notes.append(note))
    assert (
        distances[np.arange(6), partners].sum() == pytest.approx(2 * (98 + 1 + 1)) == near(bound, distances)
    )
    assert any("odd sets 1" in note or "odd sets 2" in note for note in notes)


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["plane", "ties", "few places"])
def test_the_bound_of_the_exact_pairs_is_attained_and_no_pairing_is_below(kind):
    distances = drawn(kind, 120, 1)
    partners, bound = least_cost_pairs(distances)
    assert distances[np.arange(120), partners].sum() == near(bound, distances)
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = rng.permutation(120).reshape(2, 60)
        assert 2 * distances[a, b].sum() >= bound - 1e-9


@pytest.mark.parametrize("seed", INTEGER_PROGRAMS)
def test_fractional_solutions_are_decided_in_whole_numbers(seed, monkeypatch):
    """No component of the edges in use counts as odd, yet the solution is not in whole numbers."""
    from kanon_core.algorithms.concealment.pairing import exact as pairing_exact

    asked, whole = [], pairing_exact._Program.whole
    monkeypatch.setattr(
        pairing_exact._Program, "whole", lambda self, nodes: asked.append(1) or whole(self, nodes)
    )
    monkeypatch.setattr(pairing_exact._Program, "cut", lambda self: False)
    distances = drawn("plane", 8, seed)
    partners, bound = least_cost_pairs(distances)
    assert asked == [1, 1]
    assert (
        distances[np.arange(8), partners].sum()
        == pytest.approx(best_pairs(distances))
        == near(bound, distances)
    )


@pytest.mark.parametrize("places", [1, 7, 40])
def test_equal_records_are_paired_first(places):
    where = np.random.default_rng(places).integers(0, places, 100)
    distances = np.abs(np.subtract.outer(where, where)).astype(float)
    same = twins(distances)
    assert len(set(same.ravel().tolist())) == same.size == 2 * (np.bincount(where) // 2).sum()
    assert (where[same[:, 0]] == where[same[:, 1]]).all()
    table, run = table_from(pd.DataFrame({"x": where})), Run()
    assert (Pairing(exact=True, distance="plain").cover(table, 2, run).sizes == 2).all()
    # On a line the best pairs are neighbors.
    line = np.sort(where)
    assert (
        run.report["cost"] == 2 * (line[1::2] - line[::2]).sum() == near(run.report["lower bound"], distances)
    )


@pytest.mark.deep
def test_many_equal_distances_are_no_hang():
    """Without the noise odd sets would be added without end."""
    places = np.random.default_rng(0).integers(0, 12, (200, 2)).astype(float)
    distances = np.abs(places[:, None] - places).sum(axis=2)
    partners, bound = least_cost_pairs(distances)
    assert distances[np.arange(200), partners].sum() == near(bound, distances)


def test_the_exact_pairing_is_never_above_the_greedy_one():
    table, costs = mixed(60), {}
    for exact in (False, True):
        run = Run()
        assert (Pairing(exact=exact).cover(table, 2, run).sizes == 2).all()
        costs[exact] = run.report["cost"]
    assert costs[True] < costs[False]
    assert run.report["lower bound"] == pytest.approx(costs[True], rel=1e-4)


def test_what_cannot_be_paired_is_refused_in_words():
    (odd,) = Pairing(exact=True).unsuitable(mixed(7), 2)
    assert "even number" in odd and "the table has 7" in odd
    (three,) = Pairing(exact=True).unsuitable(mixed(6), 3)
    assert "k = 3" in three and "k = 2" in three
    large = table_from(pd.DataFrame({"x": np.arange(2_002)}))
    assert "2,000" in Pairing(exact=True).unsuitable(large, 2)[0]
    assert not Pairing().unsuitable(large, 3) and not Pairing().unsuitable(mixed(7), 2)
    assert "k = 7" in Pairing(exact=True).unsuitable(mixed(6), 7)[0]


def test_the_cost_counts_every_ordered_pair_of_every_group(monkeypatch):
    table = mixed(30)
    points, distances = manhattan_points(table.quasi), distances_of(table, "range")
    groups = Partition(np.sort(np.random.default_rng(0).integers(0, 6, 30)))
    whole = sum(distances[np.ix_(m, m)].sum() for m in map(groups.members, range(len(groups.sizes))))
    assert cost_of_groups(groups, points) == pytest.approx(whole)
    monkeypatch.setattr("kanon_core.algorithms.concealment.pairing.pairing._PAIRS_PER_CALL", 8)
    assert cost_of_groups(groups, points) == pytest.approx(whole)


def test_a_release_of_it_is_k_anonymous():
    table = mixed(25)
    release = kc.anonymize(table, Pairing(), k=3)
    assert all(verdict.holds for verdict in kc.audit(table, release))


def test_identical_records_and_no_hang():
    table = table_from(pd.DataFrame({"x": [1] * 20}))
    run = Run()
    assert Pairing().cover(table, 3, run).sizes.tolist() == [3, 3, 3, 3, 3, 5]
    assert run.report["cost"] == 0


def test_progress_and_cancel():
    seen = []
    Pairing().cover(mixed(30), 4, Run(tick=lambda share, note="": seen.append(share)))
    shares = [share for share in seen if share is not None]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1

    def stop(share, note=""):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Pairing().cover(mixed(30), 4, Run(tick=stop))

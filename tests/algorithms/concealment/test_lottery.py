"""Lottery: what is drawn is uniform, the cheapest is kept, and what cannot be drawn is repaired."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import chisquare

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.lottery import PATIENCE, SHUFFLED, SHUFFLES, Lottery
from kanon_core.algorithms.concealment.matching_kernels import play, switched
from kanon_core.algorithms.concealment.matchings import total_cost
from kanon_core.base.options import options_of
from kanon_core.covers.cover import Concealment
from tests.algorithms.concealment.test_greedy import distances_between


def used_by(*matchings: tuple[int, ...]) -> np.ndarray:
    """The edges of these matchings, bool (n, n)."""
    used = np.zeros((len(matchings[0]),) * 2, bool)
    for targets in matchings:
        used[np.arange(len(targets)), targets] = True
    return used


def without_overlap(used: np.ndarray) -> list[tuple[int, ...]]:
    n = len(used)
    return [p for p in itertools.permutations(range(n)) if not used[np.arange(n), p].any()]


@pytest.mark.parametrize(
    ("matchings", "count"), [([(0, 1, 2, 3, 4)], 44), ([(0, 1, 2, 3, 4), (1, 2, 3, 4, 0)], 13)]
)
def test_accepted_draws_are_uniform(matchings, count):
    used, rng = used_by(*matchings), np.random.default_rng(0)
    possible = without_overlap(used)
    assert len(possible) == count
    targets, best, seen = np.arange(5), np.empty(5, np.int64), dict.fromkeys(possible, 0)
    for _ in range(200 * count):
        assert play(np.zeros((5, 5)), used, rng, 1, SHUFFLES, targets, best, np.array([math.inf])) == 1
        seen[tuple(targets.tolist())] += 1
    assert chisquare(list(seen.values())).pvalue > 0.001


def test_switching_reaches_every_matching_and_draws_none_much_too_often():
    used, rng = used_by((0, 1, 2, 3, 4)), np.random.default_rng(1)
    possible = without_overlap(used)
    targets, seen = np.arange(5), dict.fromkeys(possible, 0)
    for _ in range(10_000):
        if switched(used, targets, rng):
            seen[tuple(targets.tolist())] += 1
    shares = np.array(list(seen.values())) / sum(seen.values()) * len(possible)
    assert shares.min() > 0.5 and shares.max() < 2


def test_the_cheapest_of_all_draws_is_kept():
    """Five records have 44 matchings without a fixed point; a thousand draws miss none."""
    for seed in range(5):
        distances = distances_between(5, seed)
        least = min(sum(distances[j, p[j]] for j in range(5)) for p in without_overlap(np.eye(5, dtype=bool)))
        found = Lottery(draws=1_000).matchings(distances, 2, Run(), np.random.default_rng(seed))
        assert total_cost(found, distances) == pytest.approx(least)


def test_the_cost_shown_is_that_of_the_best():
    distances, rng = distances_between(50), np.random.default_rng(0)
    targets, best, least = np.arange(50), np.empty(50, np.int64), np.array([math.inf])
    costs = []
    for _ in range(20):
        assert play(distances, np.eye(50, dtype=bool), rng, 10, SHUFFLES, targets, best, least) == 10
        costs.append(least[0])
        assert least[0] == pytest.approx(distances[np.arange(50), best].sum())
    assert costs == sorted(costs, reverse=True) and costs[-1] < costs[0]


def test_more_draws_never_cost_more_in_the_second_matching():
    distances = distances_between(30)
    costs = [
        total_cost(Lottery(draws=t).matchings(distances, 2, Run(), np.random.default_rng(5)), distances)
        for t in (1, 10, 100, 1000)
    ]
    assert costs == sorted(costs, reverse=True) and costs[-1] < costs[0]


@pytest.mark.parametrize(("n", "k"), [(12, 12), (30, 25), (100, 40)])
def test_many_matchings_although_few_draws_are_accepted(n, k):
    run = Run()
    found = Lottery(draws=3).matchings(distances_between(n), k, run, np.random.default_rng(0))
    assert Concealment(found).matchings.shape == (k, n)
    assert math.exp(1 - k) < 0.0001 and math.exp(-SHUFFLED - 1) < 0.01  # beyond the reach of shuffling


def test_what_cannot_be_drawn_is_repaired():
    """The last of 12 matchings of 12 records is the only one left: one in 12! permutations."""
    run = Run()
    Lottery(draws=3).matchings(distances_between(12), 12, run, np.random.default_rng(0))
    assert run.report["dead ends"] >= 1


def test_rare_draws_are_bounded():
    """Six of 720 permutations are accepted in the sixth matching of six: voids do not go on for ever."""
    calls = []
    run = Run(tick=lambda share, note="": calls.append(note))
    Lottery(draws=PATIENCE).matchings(distances_between(6), 6, run, np.random.default_rng(0))
    assert len(calls) < 50


def test_the_best_so_far_is_in_view():
    notes = []
    run = Run(tick=lambda share, note="": notes.append(note))
    Lottery(draws=100_000).matchings(distances_between(100), 2, run, np.random.default_rng(0))
    shown = [float(note.split()[-1]) for note in notes if "least cost" in note]
    assert len(shown) > 1 and shown == sorted(shown, reverse=True)


def test_illegal_numbers_of_draws_are_refused():
    (draws,) = [option for option in options_of(Lottery) if option.name == "draws"]
    for value in draws.kind.illegal():
        with pytest.raises(kc.OptionError, match="draws"):
            Lottery(draws=value)

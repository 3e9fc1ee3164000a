"""The nine heuristics against plain twins, and the matchings that tours make."""

import itertools

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.concealment.matchings import total_cost
from kanon_core.algorithms.concealment.tours.heuristics import HEURISTICS, Cities
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.options import options_of
from kanon_core.covers.cover import Concealment
from tests.algorithms.concealment.test_greedy import distances_between
from tests.helpers import looped
from tests.oracles import tours as plain

NAMES = tuple(HEURISTICS)
TWINS = {
    "identity": lambda d: list(range(len(d))),
    "random": lambda d: list(range(len(d))),
    "nearest insertion": lambda d: plain.insertion(d, "nearest"),
    "cheapest insertion": lambda d: plain.insertion(d, "cheapest"),
    "farthest insertion": lambda d: plain.insertion(d, "farthest"),
    "arbitrary insertion": lambda d: plain.insertion(d, "arbitrary"),
    "nearest neighbor": lambda d: plain.neighbor(d, 0),
    "repetitive nearest neighbor": plain.repetitive,
    "two-opt": lambda d: plain.two_opt(d, list(range(len(d)))),
}


def quiet() -> None:
    """A tick that shows nothing."""


def tour_of(name: str, distances: np.ndarray) -> np.ndarray:
    return HEURISTICS[name](Cities(distances, np.arange(len(distances))), quiet)


def any_symmetric(n: int, seed: int) -> np.ndarray:
    """Distances without triangle inequality."""
    half = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return half + half.T


def whole_numbers(n: int, seed: int) -> np.ndarray:
    """Distances with many ties."""
    half = np.triu(np.random.default_rng(seed).integers(0, 4, (n, n)), 1).astype(float)
    return half + half.T


@looped("name", NAMES)
@looped("n", [2, 3, 4, 5, 8, 9, 25])
def test_equals_the_plain_twin(name, n):
    for seed, make in itertools.product(range(3), (distances_between, any_symmetric, whole_numbers)):
        distances = make(n, seed)
        tour = tour_of(name, distances)
        assert sorted(tour.tolist()) == list(range(n)) and tour.dtype == np.int64
        assert plain.canonical(tour) == plain.canonical(TWINS[name](distances)), (seed, make)


@looped("name", NAMES)
@looped("n", [2, 3, 17, 130])
def test_equal_distances_are_no_difficulty(name, n):
    for value in (0.0, 1.0):
        distances = np.full((n, n), value)
        np.fill_diagonal(distances, 0)
        assert sorted(tour_of(name, distances).tolist()) == list(range(n))


@looped("name", NAMES)
def test_work_in_parts_gives_the_same_tour(name, monkeypatch):
    distances, ticks = distances_between(60, 4), []
    whole = tour_of(name, distances)
    monkeypatch.setattr("kanon_core.algorithms.concealment.tours.heuristics._WORK_PER_CALL", 1)
    again = HEURISTICS[name](Cities(distances, np.arange(60)), lambda: ticks.append(1))
    assert np.array_equal(whole, again)
    assert len(ticks) >= (50 if "insertion" in name or "repetitive" in name or name == "two-opt" else 0)


def test_two_opt_leaves_nothing_to_gain():
    distances = distances_between(80, 2)
    tour = tour_of("two-opt", distances).tolist()
    length = plain.length(distances, tour)
    for i, j in itertools.combinations(range(1, 80), 2):
        turned = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
        assert plain.length(distances, turned) >= length - 1e-6


@looped("name", ["best", *NAMES])
def test_odd_matchings_are_the_tours_backwards(name):
    distances, costs = distances_between(40, 1), {}
    for k in range(2, 8):
        run = Run()
        found = Tours(heuristic=name).matchings(distances, k, run, np.random.default_rng(9))
        Concealment(found)
        costs[k] = total_cost(found, distances)
        assert run.report["dead ends"] == 0
        for i in range(2, k, 2):
            assert np.array_equal(found[i][found[i - 1]], np.arange(40))
    assert costs[3] == pytest.approx(2 * costs[2])
    assert costs[5] - costs[4] == pytest.approx(costs[4] - costs[3])
    assert costs[7] - costs[6] == pytest.approx(costs[6] - costs[5])


def test_every_second_matching_is_one_round_tour():
    found = Tours().matchings(distances_between(30), 6, Run(), np.random.default_rng(0))
    for targets in found[1::2]:
        record, visited = 0, set()
        while record not in visited:
            visited.add(record)
            record = int(targets[record])
        assert len(visited) == 30


def test_best_is_the_cheapest_of_the_nine_alone():
    distances = distances_between(50, 7)
    costs = {
        name: total_cost(
            Tours(heuristic=name).matchings(distances, 2, Run(), np.random.default_rng(1)), distances
        )
        for name in ("best", *NAMES)
    }
    best = costs.pop("best")
    assert best == min(costs.values())
    assert len(set(costs.values())) > 5


def test_the_log_tells_what_each_heuristic_found():
    run = Run(log=Log())
    found = Tours().matchings(distances_between(30), 4, run, np.random.default_rng(0))
    tried = [what for event, what in run.log.events if event == "tour"]
    assert [what["heuristic"] for what in tried] == [*NAMES, *NAMES]
    for number in (1, 3):
        fitting = [what["cost"] for what in tried if what["number"] == number and what["fits"]]
        cost = total_cost(found[[number]], distances_between(30))
        assert cost == pytest.approx(min(fitting))


@looped("n", range(2, 9))
@looped("name", ["best", "identity", "nearest neighbor"])
def test_few_records_have_few_tours(name, n):
    """K_n has ⌊(n − 1) / 2⌋ edge-disjoint round tours; assignments take over."""
    run = Run()
    found = Tours(heuristic=name).matchings(distances_between(n), n, run, np.random.default_rng(0))
    assert Concealment(found).matchings.shape == (n, n)
    assert run.report["dead ends"] >= (n - 1 - 2 * ((n - 1) // 2) if n > 2 else 0)


def test_two_records_change_places_without_a_dead_end():
    run = Run()
    found = Tours().matchings(distances_between(2), 2, run, np.random.default_rng(0))
    assert found.tolist() == [[0, 1], [1, 0]] and run.report["dead ends"] == 0


def test_a_tour_with_used_edges_is_mended():
    """The tour by record numbers has no fresh edge the second time."""
    run = Run(log=Log())
    distances = distances_between(20)
    found = Tours(heuristic="identity").matchings(distances, 4, run, np.random.default_rng(0))
    assert found[1].tolist() == [*range(1, 20), 0]
    assert [what["fits"] for event, what in run.log.events if event == "tour"] == [True, False]
    assert run.report["dead ends"] == 0


def test_an_unknown_heuristic_is_refused():
    option = next(option for option in options_of(Tours) if option.name == "heuristic")
    assert set(option.kind.words) == {"best", *NAMES}
    for value in option.kind.illegal():
        with pytest.raises(kc.OptionError, match="best"):
            Tours(heuristic=value)

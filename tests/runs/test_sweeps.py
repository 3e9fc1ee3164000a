"""Sweeps, and the questions people ask of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.runs.sweeps import (
    FLOORS,
    QUANTITIES,
    SweepPoint,
    floor_points,
    gap,
    quantity,
    refining,
    sweep_point,
)
from tests.helpers import table_of


def line(n=30):
    return table_of(x=np.arange(n) ** 1.5)


def test_a_point_repeats_through_its_settled_algorithm():
    (point,) = kc.sweep(line(), [kc.Refine(seconds=0.05)], [3], [kc.ILSSDM()])
    assert point.settled.steps >= 1
    again = kc.anonymize(line(), point.settled, 3)
    assert kc.ILSSDM().measure(line(), again).total == point.scores["ILSSDM"]


def test_a_sweep_yields_every_point_and_says_what_does_not_suit():
    points = list(kc.sweep(line(12), [kc.MDAV()], [2, 3, 20], [kc.NCP(), kc.AchievedK()]))
    assert {p.k for p in points} == {2, 3, 20}
    by_k = {p.k: p for p in points}
    assert by_k[20].scores == {}
    assert "fewer than k = 20" in by_k[20].problem
    assert by_k[3].scores["AchievedK"] == 3
    assert by_k[2].scores["NCP"] < by_k[3].scores["NCP"]


def test_refining_shows_the_shape_early():
    assert refining(range(2, 21))[:3] == [2, 20, 11]
    for ks in ([], [5], [2, 3], list(range(2, 51)), [9, 9, 4]):
        assert sorted(refining(ks)) == sorted(set(ks))


def test_the_two_questions():
    def point(k, loss):
        return SweepPoint(kc.MDAV(), k, {"NCP": loss}, 0.0)

    points = [point(2, 0.1), point(5, 0.3), point(9, 0.2), SweepPoint(kc.MDAV(), 30, {}, 0.0, "too many")]
    assert kc.best_within(points, "NCP", 0.25).k == 9
    assert kc.best_within(points, "NCP", 0.01) is None
    assert kc.best_from(points, "NCP", 3).k == 9
    assert kc.best_from(points, "NCP", 10) is None


def test_a_point_knows_k_its_metrics_and_its_seconds():
    (point,) = kc.sweep(line(), [kc.MDAV()], [3], [kc.NCP()], seed=4)
    assert point.seed == 4
    assert point.value("k") == 3 and point.value("seconds") == point.seconds > 0
    assert point.value("NCP") == point.scores["NCP"] and math.isnan(point.value("ILSSDM"))
    (unsuited,) = kc.sweep(line(), [kc.MDAV()], [99], [kc.NCP()])
    assert all(math.isnan(unsuited.value(name)) for name in QUANTITIES)
    assert kc.best_from([point, unsuited], "seconds", 2) is point
    assert kc.best_within([point, unsuited], "seconds", 0.0) is None
    with pytest.raises(kc.OptionError, match="Beauty"):
        quantity("Beauty")


def test_gaps_are_shares_of_the_floor():
    def point(algorithm, value, **more):
        return SweepPoint(algorithm, 3, {"MatchingCost": value, "ILSSDM": value, **more}, 0.0)

    optimum = point(kc.OptimalConcealment(), 40.0)
    assert gap(point(kc.MDAV(), 50.0), optimum, "MatchingCost") == pytest.approx(0.25)
    assert gap(point(kc.Tours(), 40.0 - 1e-12), optimum, "MatchingCost") == 0
    assert math.isnan(gap(point(kc.MDAV(), 50.0, SuppressedRecords=0.1), optimum, "MatchingCost"))
    assert math.isnan(gap(SweepPoint(kc.MDAV(), 3, {}, 0.0, "too many"), optimum, "MatchingCost"))
    assert math.isnan(gap(optimum, None, "MatchingCost"))
    nothing = point(kc.OptimalConcealment(), 0.0)
    assert gap(point(kc.MDAV(), 0.0), nothing, "MatchingCost") == 0
    assert math.isnan(gap(point(kc.MDAV(), 0.1), nothing, "MatchingCost"))
    # The optimum of closed groups does not bind overlapping ones.
    univariate = point(kc.OptimalUnivariate(), 40.0)
    assert math.isnan(gap(point(kc.Tours(), 50.0), univariate, "ILSSDM"))
    assert gap(point(kc.MDAV(), 50.0), univariate, "ILSSDM") == pytest.approx(0.25)


def test_only_the_optimum_in_the_distance_of_the_metric_is_a_floor():
    other = kc.OptimalConcealment(distance="plain")
    points = [SweepPoint(a, 3, {"MatchingCost": 1.0}, 0.0) for a in (other, kc.OptimalConcealment())]
    assert floor_points(points, "MatchingCost") == {3: points[1]}
    assert floor_points(points, "NCP") == {}


def test_an_optimum_that_its_bound_does_not_prove_is_no_floor():
    cost = {"MatchingCost": 1.0}
    points = [SweepPoint(kc.OptimalConcealment(), k, cost, 0.0, certified=k == 3) for k in (2, 3)]
    assert list(floor_points(points, "MatchingCost")) == [3]


@pytest.mark.deep
@pytest.mark.parametrize("metric", FLOORS)
def test_nothing_computed_is_below_a_floor(metric):
    """Every algorithm that suits a line of numbers, at several k."""
    table = table_of(x=np.random.default_rng(3).normal(size=24).round(2))
    algorithms = [cls() for cls in kc.ALGORITHMS if cls is not kc.Refine]
    points = list(kc.sweep(table, algorithms, [2, 3, 5], [m() for m in kc.METRICS]))
    floors = floor_points(points, metric)
    assert set(floors) == {2, 3, 5}
    bound = [p for p in points if not p.problem and type(p.guarantee) in FLOORS[metric].guarantees]
    assert len(bound) > 15
    for point in bound:
        assert point.value(metric) >= floors[point.k].value(metric) * (1 - 1e-9), point.algorithm


def test_exact_pairs_are_certified_where_the_noise_against_ties_is_small_beside_their_cost():
    near = np.random.default_rng(3).random(12)
    exact = kc.Pairing(exact=True)
    for far, proven in ((2.0, True), (1e7, False)):
        table = table_of(x=[*near, *(far + near)])
        assert sweep_point(table, exact, 2, [kc.MatchingCost()]).certified == proven


def test_all_points_share_one_secret_seed(secrets):
    seeds = [point.seed for point in kc.sweep(line(), [kc.MDAV()], [2, 3], [kc.NCP()])]
    assert len(seeds) == 2 and len(set(seeds)) == 1 and seeds[0] > 2**64

"""Sweeps, and the questions people ask of them."""

from __future__ import annotations

import numpy as np

import kanon_core as kc
from kanon_core.sweeps import SweepPoint, refining
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
    assert "k = 20 is more than" in by_k[20].problem
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

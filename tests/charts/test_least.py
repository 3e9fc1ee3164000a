"""The floor under a curve of loss: its line and its sentence."""

from __future__ import annotations

import pytest

import kanon_core as kc
from kanon_core.charts.curves.optima import least_sentence, with_least
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.metrics.bounds import Bound
from kanon_core.runs.sweeps import SweepPoint


def point(algorithm: kc.Algorithm, k: int, loss: float, **scores: float) -> SweepPoint:
    return SweepPoint(algorithm, k, {"ILSSDM": loss, **scores}, 0.1)


POINTS = [point(kc.MDAV(), 2, 0.12), point(kc.MDAV(), 3, 0.2), point(kc.VMDAV(), 3, 0.18)]
BOUNDS = (Bound("ILSSDM", 2, 0.1), Bound("ILSSDM", 3, 0.16))


def test_the_line_stands_below_the_curves_under_its_name():
    figure = tradeoff_figure(POINTS)
    before = len(figure.data)
    assert with_least(figure, POINTS, "ILSSDM", BOUNDS, "light") and len(figure.data) == before + 1
    line = figure.data[-1]
    assert (tuple(line.x), tuple(line.y)) == (
        (2, 3),
        (0.1, 0.16),
    ) and line.name == "lower bound for any grouping"


def test_no_line_where_it_does_not_hold_or_the_optimum_is_drawn():
    optimal = [*POINTS, point(kc.OptimalUnivariate(), 3, 0.17)]
    for points, bounds in ((POINTS, ()), ([point(kc.Greedy(), 3, 0.1)], BOUNDS), (optimal, BOUNDS)):
        figure = tradeoff_figure(points)
        before = len(figure.data)
        assert not with_least(figure, points, "ILSSDM", bounds, "light") and len(figure.data) == before
    assert least_sentence(optimal, "ILSSDM", BOUNDS[1]) == ""


def test_the_sentence_says_how_far_each_algorithm_is_above():
    told = least_sentence(POINTS, "ILSSDM", BOUNDS[1])
    assert told == (
        "At k = 3, no grouping of all records can lose less than 16.00 %. Compared with this"
        " lower bound, V-MDAV loses 12.5 % more (18.00 %) and MDAV loses 25.0 % more (20.00 %)."
        " The optimum may be higher than the bound."
    )


@pytest.mark.parametrize(
    ("points", "bound"),
    [
        (POINTS, None),
        (POINTS, Bound("ILSSDM", 3, 0.0)),
        (POINTS, Bound("ILSSDM", 9, 0.1)),
        ([point(kc.Greedy(), 3, 0.1)], BOUNDS[1]),  # matchings are no groups
        ([point(kc.MDAV(), 3, 0.1, SuppressedRecords=0.2)], BOUNDS[1]),
    ],
)
def test_nothing_is_said_where_the_bound_does_not_hold(points, bound):
    assert least_sentence(points, "ILSSDM", bound) == ""

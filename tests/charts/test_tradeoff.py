"""The trade-off chart and the sentences that read it, on sweeps made by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import pytest

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.microaggregation.optimal_univariate import OptimalUnivariate
from kanon_core.charts import sentences
from kanon_core.charts.tradeoff import axis_title, picked_setting, tradeoff_figure
from kanon_core.errors import OptionError
from kanon_core.metrics import METRICS
from kanon_core.options import Real
from kanon_core.sweeps import SweepPoint
from tests.helpers import Given


@dataclass(frozen=True)
class Tuned(Algorithm):
    """An algorithm with an option, whose name is markup."""

    title: ClassVar[str] = "<b>tuned</b>"
    family: ClassVar[str] = "tests"
    summary: ClassVar[str] = "an algorithm with an option"
    gamma: Annotated[float, Real(0, 2, help="any number")] = 0.2


def point(algorithm: Algorithm, k: int, loss: float) -> SweepPoint:
    return SweepPoint(algorithm, k, {"ILSSDM": loss, "WorstRisk": 1 / k, "AchievedK": float(k)}, 0.1)


POINTS = [
    point(Given(), 2, 0.1), point(Tuned(), 2, 0.12), point(Given(), 10, 0.5), point(Tuned(), 10, 0.4),
    point(Given(), 5, 0.3), SweepPoint(Tuned(), 5, {}, 0.1, "It does not suit."),
]  # fmt: skip


def test_lines_go_through_finished_points_in_order_of_k():
    figure = tradeoff_figure(POINTS, current=("given groups", 5), bound_y=0.35)
    first, second, ring = figure.data
    assert np.asarray(first.x).tolist() == [2, 5, 10] and np.asarray(first.y).tolist() == [0.1, 0.3, 0.5]
    assert np.asarray(second.x).tolist() == [2, 10]
    assert (ring.x, ring.y) == ((5.0,), (0.3,))
    assert [(s.x0, s.y0) for s in figure.layout.shapes] == [(5.0, 0), (0, 0.35)]
    assert figure.layout.annotations[0].text == "now k = 5"
    assert figure.layout.annotations[-1].text == "better ↘"
    assert first.line.color != second.line.color
    assert first.line.dash != second.line.dash and first.marker.symbol != second.marker.symbol


def test_clicks_give_the_algorithm_and_k():
    trace = tradeoff_figure(POINTS).data[1]
    event = {"selection": {"points": [{"customdata": np.asarray(trace.customdata)[1].tolist()}]}}
    assert picked_setting(event) == (1, 10)
    assert sentences.curves(POINTS)[1].algorithm == Tuned()
    assert picked_setting({"selection": {"points": [{}]}}) is None


def test_any_metric_on_either_axis():
    figure = tradeoff_figure(POINTS, x="WorstRisk", y="ILSSDM", current=("given groups", 2), bound_x=0.2)
    assert np.asarray(figure.data[0].x).tolist() == [0.5, 0.2, 0.1]
    assert (figure.data[2].x, figure.data[2].y) == ((0.5,), (0.1,))
    assert figure.layout.annotations[-1].text == "↙ better"
    assert tradeoff_figure(POINTS, x="ILSSDM", y="AchievedK").layout.annotations[-1].text == "↖ better"
    assert tradeoff_figure(POINTS, x="NCP").data[0].x is not None
    for metric in METRICS:
        assert metric.title in axis_title(metric.__name__) and "(" in axis_title(metric.__name__)
    with pytest.raises(OptionError, match="cannot show"):
        tradeoff_figure(POINTS, y="Beauty")


def test_nothing_finished_is_an_empty_chart():
    assert len(tradeoff_figure([]).data) == 1
    unsuited = tradeoff_figure([SweepPoint(Given(), 5, {}, 0.0, "no")])
    assert unsuited.data[0].showlegend is False


def test_the_floor_looks_like_no_other_line():
    points = [*POINTS, point(OptimalUnivariate(), 2, 0.05), point(OptimalUnivariate(), 10, 0.2)]
    first, second, floor, _ = tradeoff_figure(points).data
    assert floor.name.endswith("(floor)")
    assert floor.line.color not in (first.line.color, second.line.color)
    assert [t.line.color for t in tradeoff_figure(POINTS).data[:2]] == [first.line.color, second.line.color]
    assert "floor" not in tradeoff_figure(points, y="WorstRisk").data[2].name


def test_names_are_text():
    trace = tradeoff_figure(POINTS).data[1]
    assert trace.name == "&lt;b&gt;tuned&lt;/b&gt;"
    assert "<b>" not in trace.hovertemplate


def test_labels_name_options_that_differ():
    assert sentences.algorithm_labels([Given(), Tuned()]) == ("given groups", "<b>tuned</b>")
    assert sentences.algorithm_labels([Tuned(), Tuned(gamma=1.5)]) == (
        "<b>tuned</b> (gamma 0.2)", "<b>tuned</b> (gamma 1.5)",
    )  # fmt: skip
    assert sentences.algorithm_labels([Tuned(gamma=1.5)]) == ("<b>tuned</b> (gamma 1.5)",)


def test_a_later_point_replaces_an_earlier_one():
    curve = sentences.curves([point(Given(), 2, 0.5), point(Given(), 2, 0.4)])[0]
    assert [p.scores["ILSSDM"] for p in curve.points] == [0.4]


def test_cheapest():
    assert sentences.cheapest_sentence(POINTS, "ILSSDM", 2) == (
        "At k = 2, given groups is best: information loss 10.00 %; next is <b>tuned</b> with 12.00 %."
    )
    assert (
        sentences.cheapest_sentence(POINTS, "ILSSDM", 5)
        == "At k = 5, given groups has information loss 30.00 %."
    )
    assert sentences.cheapest_sentence(POINTS, "ILSSDM", 7) == "Nothing has finished at k = 7 yet."
    assert sentences.cheapest_sentence(POINTS, "AchievedK", 2).endswith(
        "are equally good: achieved k 2 records."
    )


def test_answers():
    assert sentences.within_sentence(POINTS, "ILSSDM", 0.4) == (
        "The largest k with information loss of at most 40.00 % is k = 10, by <b>tuned</b> (40.00 %)."
    )
    assert sentences.within_sentence(POINTS, "ILSSDM", 0.01) == (
        "No finished setting has information loss of at most 1.00 %; allow more, or try smaller k."
    )
    assert sentences.from_sentence(POINTS, "ILSSDM", 3) == (
        "The smallest information loss at k ≥ 3 is 30.00 %, by given groups at k = 5."
    )
    assert sentences.from_sentence(POINTS, "ILSSDM", 11) == "Nothing has finished at k = 11 or more."


def test_knee():
    points = [
        point(Given(), k, loss) for k, loss in ((2, 0.0), (3, 0.1), (4, 0.2), (5, 0.21), (6, 0.22), (7, 0.23))
    ]
    assert sentences.knee_sentence(sentences.curves(points)[0], "ILSSDM") == (
        "With given groups, from k = 2 to 4 the information loss grows by 10 percentage points each step; "
        "from k = 4 to 7 each step costs less: it grows by 1 percentage point."
    )
    steep = [point(Given(), k, loss) for k, loss in ((2, 0.0), (3, 0.01), (4, 0.02), (5, 0.03), (6, 0.4))]
    assert "from k = 5 to 6 each step costs more" in sentences.knee_sentence(
        sentences.curves(steep)[0], "ILSSDM"
    )
    straight = [point(Given(), k, k / 100) for k in range(2, 12)]
    assert sentences.knee_sentence(sentences.curves(straight)[0], "ILSSDM") == ""
    assert sentences.knee_sentence(sentences.curves(points[:4])[0], "ILSSDM") == ""
    flat = [point(Given(), k, 0.3) for k in range(2, 12)]
    assert sentences.knee_sentence(sentences.curves(flat)[0], "ILSSDM") == ""


def test_warnings_where_a_curve_falls():
    points = [point(Given(), k, loss) for k, loss in ((10, 0.3), (11, 0.32), (12, 0.31), (13, 0.4))]
    assert sentences.warnings(points, "ILSSDM") == [
        "At k = 12 given groups has less information loss than at k = 11 (31.00 % against 32.00 %): "
        "a larger group size can fit the data better."
    ]
    assert sentences.warnings(points, "WorstRisk") == [] == sentences.warnings(points, "AchievedK")
    zigzag = [point(Given(), k, 0.5 + 0.1 * (k % 2)) for k in range(2, 20)]
    found = sentences.warnings(zigzag, "ILSSDM")
    assert len(found) == 4 and found[-1] == "There are 5 more such steps."

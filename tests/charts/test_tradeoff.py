"""The trade-off chart and the sentences that read it, on sweeps made by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.algorithms import Algorithm, OptimalConcealment, OptimalUnivariate
from kanon_core.base.errors import OptionError
from kanon_core.base.kinds import Real
from kanon_core.charts.curves import linestyles, sentences
from kanon_core.charts.curves.optima import BEST_PAIRS, gap_sentence, gap_text, theorem_sentence
from kanon_core.charts.curves.tradeoff import (
    MOST_CURVES,
    axis_title,
    picked_setting,
    risk_figure,
    tradeoff_figure,
)
from kanon_core.guarantees import KConcealment
from kanon_core.runs.sweeps import QUANTITIES, SweepPoint
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
    point(Given(), 2, 0.1),
    point(Tuned(), 2, 0.12),
    point(Given(), 10, 0.5),
    point(Tuned(), 10, 0.4),
    point(Given(), 5, 0.3),
    SweepPoint(Tuned(), 5, {}, 0.1, "It does not suit."),
]


def test_lines_go_through_finished_points_in_order_of_k():
    figure = tradeoff_figure(POINTS, current=("given groups", 5, 0), bound=0.35)
    first, second, ring = figure.data
    assert np.asarray(first.x).tolist() == [2, 5, 10] and np.asarray(first.y).tolist() == [0.1, 0.3, 0.5]
    assert np.asarray(second.x).tolist() == [2, 10]
    assert np.asarray(ring.x).tolist() == [5] and np.asarray(ring.y).tolist() == [0.3]
    assert [(s.x0, s.y0) for s in figure.layout.shapes] == [(5.0, 0), (0, 0.35)]
    assert figure.layout.annotations[0].text == "now k = 5"
    assert figure.layout.annotations[-1].text == "better ↘"
    assert first.line.color != second.line.color
    assert first.line.dash != second.line.dash and first.marker.symbol != second.marker.symbol


def test_a_number_below_0_is_explained_by_the_nearest_point():
    points = [
        SweepPoint(Given(), k, {"ILD": loss}, 0.1, notes={"ILD": (f"Negative in column {k}.",)})
        for k, loss in ((2, 0.1), (5, -0.2), (20, -1.4))
    ]
    assert sentences.negative_sentence(points, "ILD", 4) == "Negative in column 5."
    assert sentences.negative_sentence(points, "ILD", 30) == "Negative in column 20."
    assert sentences.negative_sentence(points[:1], "ILD", 4) == ""


def test_the_caption_of_k_stays_inside_the_chart():
    """At the right end it stands left of its line; before the curve has an end, where it always began."""

    def anchor(k: int, points: list[SweepPoint] = POINTS) -> str:
        return tradeoff_figure(points, current=("given groups", k, 0)).layout.annotations[0].xanchor

    assert (anchor(2), anchor(5), anchor(10)) == ("left", "left", "right")
    assert anchor(5, POINTS[4:5]) == "left"


def test_no_limit_crosses_what_is_said_in_the_best_corner():
    """The curves reach up to 0.5; text of 20 pixels stands in the lowest 15 % of them."""

    def notes(**how):
        found = tradeoff_figure(POINTS, **how).layout.annotations
        return {one.text: (one.xanchor, one.yanchor, one.y, one.yref) for one in found}

    assert notes(bound=0.35)["better ↘"] == ("right", "bottom", 0, "paper")
    low = notes(bound=0.02)
    assert low["better ↘"] == ("right", "bottom", 0.02, None) and low["limit"][0] == "left"
    beside = notes(bound=0.02, x="WorstRisk")
    assert beside["↙ better"][:3] == ("left", "bottom", 0.02) and beside["limit"][0] == "right"


def test_clicks_give_the_algorithm_and_k():
    trace = tradeoff_figure(POINTS).data[1]
    event = {"selection": {"points": [{"customdata": np.asarray(trace.customdata)[1].tolist()}]}}
    assert picked_setting(event) == (1, 10, 0)
    assert sentences.curves(POINTS)[1].algorithm == Tuned()
    assert picked_setting({"selection": {"points": [{}]}}) is None


def test_any_metric_on_either_axis():
    figure = tradeoff_figure(POINTS, x="WorstRisk", y="ILSSDM", current=("given groups", 2, 0))
    assert np.asarray(figure.data[0].x).tolist() == [0.5, 0.2, 0.1]
    assert np.asarray(figure.data[2].x).tolist() == [0.5] and np.asarray(figure.data[2].y).tolist() == [0.1]
    assert figure.layout.annotations[-1].text == "↙ better"
    assert tradeoff_figure(POINTS, x="ILSSDM", y="AchievedK").layout.annotations[-1].text == "↖ better"
    assert tradeoff_figure(POINTS, x="NCP").data[0].x is not None
    for name in QUANTITIES:
        assert QUANTITIES[name].title in axis_title(name) and "(" in axis_title(name)
        tradeoff_figure(POINTS, x=name, y=name)
    with pytest.raises(OptionError, match="does not compute “Beauty”"):
        tradeoff_figure(POINTS, y="Beauty")


def test_time_is_shown_like_a_metric():
    points = [SweepPoint(Given(), k, {"ILSSDM": 0.1}, seconds) for k, seconds in ((2, 0.25), (3, 120.4))]
    line = tradeoff_figure([*points, POINTS[-1]], y="seconds").data[0]
    assert np.asarray(line.y).tolist() == [0.25, 120.4]
    assert line.text == ("Time on this machine: 0.25 s", "Time on this machine: 120 s")
    assert (
        tradeoff_figure(points, y="seconds").layout.yaxis.tickformat == "~g"
    )  # never 500m for half a second
    assert axis_title("seconds") == "Time on this machine (seconds, lower is better)"
    assert (
        sentences.cheapest_sentence(points, "seconds", 2)
        == "At k = 2, given groups has time on this machine 0.25 s."
    )
    assert sentences.within_sentence(points, "seconds", 1).startswith(
        "The largest k with time on this machine of at most 1 s is k = 2"
    )
    assert sentences.warnings(points[::-1], "seconds") == []


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


@dataclass(frozen=True)
class Overlapping(Algorithm):
    """One that conceals."""

    title: ClassVar[str] = "overlapping"
    family: ClassVar[str] = "tests"
    summary: ClassVar[str] = "an algorithm of k-concealment"

    def guarantees(self, k: int) -> tuple[KConcealment]:
        return (KConcealment(k),)


def cost(algorithm: Algorithm, k: int, value: float, **scores: float) -> SweepPoint:
    return SweepPoint(algorithm, k, {"MatchingCost": value, **scores}, 0.1)


COSTS = [
    cost(OptimalConcealment(), 2, 100.0),
    cost(Overlapping(), 2, 115.2),
    cost(Given(), 2, 250.0),
    cost(BEST_PAIRS, 2, 110.0),
    cost(OptimalConcealment(), 5, 400.0),
    cost(Overlapping(), 5, 500.0),
    cost(Given(), 5, 1000.0),
    cost(Given(), 9, 2000.0),
]


def test_gaps_to_the_floor_are_drawn_and_told():
    floor, overlapping, closed, pairs, _ = tradeoff_figure(
        COSTS, y="MatchingCost", above=True, bound=300.0
    ).data
    assert np.asarray(floor.y).tolist() == [0, 0]
    assert np.asarray(overlapping.y) == pytest.approx([0.152, 0.25])
    gaps = tradeoff_figure(COSTS, y="MatchingCost", above=True, current=("overlapping", 2, 0)).layout
    assert [note.text for note in gaps.annotations] == ["now k = 2"]
    # At k = 9 there is no floor yet, and so no gap.
    assert np.asarray(closed.x).tolist() == [2, 5] and np.asarray(closed.y) == pytest.approx([1.5, 1.5])
    assert overlapping.text[0] == "Matching cost: 115.2<br>15.2 % above the optimum"
    assert floor.text[0] == "Matching cost: 100" and pairs.text == (
        "Matching cost: 110<br>10.0 % above the optimum",
    )
    figure = tradeoff_figure(COSTS, y="MatchingCost", current=("overlapping", 2, 0), bound=300.0)
    assert np.asarray(figure.data[1].y).tolist() == [115.2, 500] and len(figure.layout.shapes) == 2
    assert axis_title("MatchingCost", above=True) == "Matching cost above the optimum (0 % = optimal)"
    with pytest.raises(OptionError, match="No optimum is known for “NCP”"):
        tradeoff_figure(COSTS, y="NCP", above=True)


def test_gap_sentence():
    assert (
        gap_sentence(COSTS, "MatchingCost", 2)
        == "At k = 2, the lowest possible matching cost is 100 (Optimal concealment). Pairing (exact yes) is"
        " 10.0 % above it, overlapping 15.2 %, given groups 150 %."
    )
    assert gap_sentence(COSTS[:1], "MatchingCost", 2).endswith("is 100 (Optimal concealment).")
    assert gap_sentence(COSTS, "MatchingCost", 9) == gap_sentence(COSTS, "NCP", 2) == ""
    assert [gap_text(share) for share in (0.0, 0.0004, 0.152, 2.5)] == ["0.00 %", "0.04 %", "15.2 %", "250 %"]


def test_theorem_sentence():
    assert (
        theorem_sentence(COSTS, 2)
        == "At k = 2, both optima are certified. Concealment costs 100; groups of exactly two records cost"
        " 110, 10.0 % more."
    )
    assert (
        theorem_sentence(COSTS, 5)
        == "At k = 5, the best k-anonymous release found (given groups) costs 1,000, 150 % more than the"
        " certified optimum of concealment, 400. For k ≥ 3, the best k-anonymous release is NP-hard to find."
    )
    without = [p for p in COSTS if p.algorithm != BEST_PAIRS]
    assert theorem_sentence(without, 2).startswith(
        "At k = 2, the best k-anonymous release found (given groups) costs 250"
    )
    assert "NP-hard" not in theorem_sentence(without, 2)
    unproven = [replace(p, certified=p.algorithm != BEST_PAIRS) for p in COSTS]
    assert "certified. " not in theorem_sentence(unproven, 2)
    assert (
        theorem_sentence(COSTS, 9) == theorem_sentence([p for p in COSTS if p.algorithm != Given()], 5) == ""
    )


def test_names_are_text():
    trace = tradeoff_figure(POINTS).data[1]
    assert trace.name == "&lt;b&gt;tuned&lt;/b&gt;"
    assert "<b>" not in trace.hovertemplate


def test_labels_name_options_that_differ():
    assert sentences.algorithm_labels([Given(), Tuned()]) == ("given groups", "<b>tuned</b>")
    assert sentences.algorithm_labels([Tuned(), Tuned(gamma=1.5)]) == (
        "<b>tuned</b> (gamma 0.2)",
        "<b>tuned</b> (gamma 1.5)",
    )
    assert sentences.algorithm_labels([Tuned(gamma=1.5)]) == ("<b>tuned</b> (gamma 1.5)",)


def test_a_later_point_replaces_an_earlier_one():
    curve = sentences.curves([point(Given(), 2, 0.5), point(Given(), 2, 0.4)])[0]
    assert [p.scores["ILSSDM"] for p in curve.points] == [0.4]


def seeded(algorithm: Algorithm, k: int, losses: list[float]) -> list[SweepPoint]:
    """The points of seeds 0, 1, …"""
    return [replace(point(algorithm, k, loss), seed=seed) for seed, loss in enumerate(losses)]


SEEDED = [*seeded(Given(), 2, [0.3, 0.1, 0.2]), *seeded(Given(), 5, [0.5, 0.4]), *seeded(Tuned(), 2, [0.15])]


def test_of_several_seeds_the_median_is_drawn_and_a_band_from_least_to_most():
    band, line, single, ring = tradeoff_figure(SEEDED, current=("given groups", 2, 0)).data
    assert np.asarray(line.x).tolist() == [2, 5] and np.asarray(line.y).tolist() == [0.2, 0.4]
    assert np.asarray(line.customdata).tolist() == [[0, 2, 2], [0, 5, 1]]
    assert np.asarray(band.x).tolist() == [2, 5, 5, 2]
    assert np.asarray(band.y).tolist() == [0.3, 0.5, 0.4, 0.1]
    assert band.fill == "toself" and band.hoverinfo == "skip" and not band.showlegend
    assert np.asarray(single.y).tolist() == [0.15]
    # The ring is where the current seed is, not the median.
    assert np.asarray(ring.y).tolist() == [0.3]
    assert np.asarray(tradeoff_figure(SEEDED, current=("given groups", 2, 7)).data[-1].y).tolist() == [0.2]
    # Across another quantity a band would be no area that means anything.
    assert len(tradeoff_figure(SEEDED, x="WorstRisk").data) == 3


def test_a_lucky_seed_answers_no_question():
    assert sentences.cheapest_sentence(SEEDED, "ILSSDM", 2).startswith(
        "At k = 2, <b>tuned</b> is best: information loss 15.00 %"
    )
    assert "k = 2, by <b>tuned</b> (15.00 %)" in sentences.within_sentence(SEEDED, "ILSSDM", 0.15)
    assert (
        sentences.seeds_sentence(SEEDED, "ILSSDM", 2)
        == "Lines are medians of 3 seeds; bands range from the lowest to the highest value. At k = 2: given"
        " groups"
        " 10.00 % to 30.00 %."
    )
    assert sentences.seeds_sentence(SEEDED, "ILSSDM", 3).endswith("to the highest value.")
    assert sentences.seeds_sentence(POINTS, "ILSSDM", 2) == ""


def test_what_comes_from_a_sample_is_said_with_its_error():
    """Two estimates that lie within their errors are not ranked."""
    one, other = (p for p in POINTS if p.k == 2)
    near = [replace(one, errors={"ILSSDM": 0.03}), replace(other, errors={"ILSSDM": 0.01})]
    assert (
        sentences.cheapest_sentence(near, "ILSSDM", 2)
        == "At k = 2, the difference between given groups (information loss 10.00 ± 3.00 %) and <b>tuned</b>"
        " (12.00 ± 1.00 %) is within the sampling error."
    )
    far = [replace(point, errors={"ILSSDM": 0.01}) for point in near]
    assert (
        sentences.cheapest_sentence(far, "ILSSDM", 2)
        == "At k = 2, given groups is best: information loss 10.00 ± 1.00 %; next is <b>tuned</b> with"
        " 12.00 ± 1.00 %."
    )
    assert sentences.cheapest_sentence(far[:1], "ILSSDM", 2).endswith("loss 10.00 ± 1.00 %.")
    assert "k = 2, by given groups (10.00 ± 1.00 %)" in sentences.within_sentence(far[:1], "ILSSDM", 0.15)


def test_cheapest():
    assert (
        sentences.cheapest_sentence(POINTS, "ILSSDM", 2)
        == "At k = 2, given groups is best: information loss 10.00 %; next is <b>tuned</b> with 12.00 %."
    )
    assert (
        sentences.cheapest_sentence(POINTS, "ILSSDM", 5)
        == "At k = 5, given groups has information loss 30.00 %."
    )
    assert sentences.cheapest_sentence(POINTS, "ILSSDM", 7) == "No setting has finished at k = 7 yet."
    assert sentences.cheapest_sentence(POINTS, "AchievedK", 2).endswith("are equally good: achieved k 2.")


def test_answers():
    assert (
        sentences.within_sentence(POINTS, "ILSSDM", 0.4)
        == "The largest k with information loss of at most 40.00 % is k = 10, by <b>tuned</b> (40.00 %)."
    )
    assert (
        sentences.within_sentence(POINTS, "ILSSDM", 0.01)
        == "No finished setting has information loss of at most 1.00 %; raise the limit or try a smaller k."
    )
    assert (
        sentences.from_sentence(POINTS, "ILSSDM", 3)
        == "The smallest information loss at k ≥ 3 is 30.00 %, by given groups at k = 5."
    )
    assert sentences.from_sentence(POINTS, "ILSSDM", 11) == "No setting has finished at k = 11 or more."


def test_knee():
    points = [
        point(Given(), k, loss) for k, loss in ((2, 0.0), (3, 0.1), (4, 0.2), (5, 0.21), (6, 0.22), (7, 0.23))
    ]
    assert (
        sentences.knee_sentence(sentences.curves(points)[0], "ILSSDM")
        == "With given groups, the information loss grows by 10 percentage points per step from k = 2 to 4."
        " From k = 4 to 7, each step costs less: the information loss grows by 1 percentage point."
    )
    steep = [point(Given(), k, loss) for k, loss in ((2, 0.0), (3, 0.01), (4, 0.02), (5, 0.03), (6, 0.4))]
    assert "From k = 5 to 6, each step costs more" in sentences.knee_sentence(
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
        "given groups has a lower information loss at k = 12 (31.00 %) than at k = 11 (32.00 %). A larger k"
        " can fit the data better."
    ]
    assert sentences.warnings(points, "WorstRisk") == [] == sentences.warnings(points, "AchievedK")
    zigzag = [point(Given(), k, 0.5 + 0.1 * (k % 2)) for k in range(2, 20)]
    found = sentences.warnings(zigzag, "ILSSDM")
    assert len(found) == 4 and found[-1] == "There are 5 more such steps."


def test_what_points_still_to_come_may_change_is_so_far():
    coming = [*POINTS, sentences.pending(Tuned(), 3), sentences.pending(Given(), 10)]
    assert sentences.within_sentence(coming, "ILSSDM", 0.4) == (
        "The largest k with information loss of at most 40.00 % so far is k = 10, by <b>tuned</b> (40.00 %)."
    )
    assert "of at most 1.00 % so far; raise the limit" in sentences.within_sentence(coming, "ILSSDM", 0.01)
    assert "at k ≥ 3 so far is 30.00 %" in sentences.from_sentence(coming, "ILSSDM", 3)
    assert (
        sentences.from_sentence(coming, "ILSSDM", 11) == "No setting has finished at k = 11 or more so far."
    )
    # Of each k only what is missing there counts.
    assert sentences.cheapest_sentence(coming, "ILSSDM", 2).startswith("At k = 2, given groups is best")
    assert sentences.cheapest_sentence(coming, "ILSSDM", 10).startswith("At k = 10 so far, <b>tuned</b> is")
    falls = [
        point(Given(), k, loss) for k, loss in zip(range(2, 8), (0, 0.1, 0.2, 0.21, 0.22, 0.23), strict=True)
    ]
    told = sentences.knee_sentence(sentences.curves([*falls, sentences.pending(Given(), 9)])[0], "ILSSDM")
    assert told.startswith("With given groups so far, the information loss grows")
    told = sentences.seeds_sentence([*SEEDED, sentences.pending(Given(), 9)], "ILSSDM", 3)
    assert told.startswith("Lines are medians of 3 seeds so far; bands")


def test_a_curve_to_come_has_its_place_and_color_before_its_first_point():
    coming = tradeoff_figure([sentences.pending(Tuned(), 2), *POINTS])
    there = tradeoff_figure([point(Tuned(), 2, 0.12), *POINTS])
    assert [line.line.color for line in coming.data[:2]] == [line.line.color for line in there.data[:2]]
    alone = tradeoff_figure([sentences.pending(Tuned(), 2), *POINTS[:1]])
    assert [line.showlegend for line in alone.data[:2]] == [False, True]
    assert "1 finished setting" in alone.layout.meta["alt"]


def test_why_points_are_missing():
    problems = [SweepPoint(Tuned(), k, {}, 0.1, "Too few.") for k in (5, 6, 7)]
    odd = SweepPoint(Given(), 9, {}, 0.1, "Not now.")
    assert sentences.problem_sentences([*POINTS[:1], *problems, odd, sentences.pending(Given(), 3)]) == [
        "<b>tuned</b> has no result at k = 5 to 7: Too few.",
        "given groups has no result at k = 9: Not now.",
    ]
    assert sentences.problem_sentences([]) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_eight_curves_differ_in_color_dash_and_marker(theme):
    points = [point(Tuned(gamma=g / 8), 2, 0.1) for g in range(8)]
    lines = tradeoff_figure([*points, cost(OptimalConcealment(), 2, 1.0)], theme=theme).data[:9]
    assert len({line.line.color for line in lines}) == len({line.marker.symbol for line in lines}) == 9
    assert len({line.line.dash for line in lines[:8]}) == 8 == MOST_CURVES
    for sight in SIGHTS.values():
        seen = [lab_of(sight @ linear(line.line.color)) for line in lines]
        assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 13


def test_an_algorithm_has_one_color_whatever_is_drawn_beside_it():
    """Also in the risk–utility map, and before its options are changed."""
    alone = tradeoff_figure([point(kc.TopDown(), 2, 0.1)]).data[0]
    others = [point(kc.Refine(), 2, 0.1), point(kc.Mondrian(cut="gain"), 2, 0.1), point(kc.MDAV(), 2, 0.2)]
    beside = tradeoff_figure([*others, point(kc.TopDown(closeness=0.5), 2, 0.1)]).data[3]
    look = (alone.line.color, alone.line.dash, alone.marker.symbol)
    assert (beside.line.color, beside.line.dash, beside.marker.symbol) == look
    marks = risk_figure([*others, point(kc.TopDown(), 2, 0.1)]).data[4].marker
    assert (marks.color, marks.symbol) == (look[0], look[2])


def test_every_two_algorithms_differ_in_dash_or_marker_besides_color():
    for cls in kc.ALGORITHMS:
        assert cls.__name__ in linestyles._PLACES
    looks = [tradeoff_figure([point(cls(), 2, 0.1)]).data[0] for cls in kc.ALGORITHMS]
    assert len({(one.line.dash, one.marker.symbol) for one in looks}) == len(looks)


def test_of_one_algorithm_with_several_options_the_plain_one_has_its_color():
    ways = [kc.Mondrian(cut="gain"), kc.Mondrian(strict=False), kc.Mondrian()]
    lines = tradeoff_figure([point(way, 2, 0.1) for way in [*ways, kc.MDAV()]]).data[:4]
    alone = tradeoff_figure([point(kc.Mondrian(), 2, 0.1)]).data[0]
    assert lines[2].line.color == alone.line.color and len({line.line.color for line in lines}) == 4


SIGHTS = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
"""Matrices from linear red, green and blue to the colors that are seen with all cones and with each color
blindness (Machado, Oliveira and Fernandes 2009, severity 1)."""


def linear(color: str) -> np.ndarray:
    part = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab_of(rgb: np.ndarray) -> np.ndarray:
    """CIELAB, white D65."""
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    part = matrix @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    x, y, z = np.where(part > 0.008856, np.cbrt(part), 7.787 * part + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_a_number_that_comes_from_a_sample_has_a_bar_as_far_as_it_may_be_off():
    points = [
        SweepPoint(kc.Mondrian(), k, {"NCP": k / 100, "ILSSDM": 0.1}, 0.1, errors={"NCP": 0.01})
        for k in (2, 5)
    ]
    bars, line, *_ = tradeoff_figure(points, "k", "NCP").data
    assert np.allclose(bars.x, [2, 2, np.nan, 5, 5, np.nan], equal_nan=True)
    assert np.allclose(bars.y, [0.01, 0.03, np.nan, 0.04, 0.06, np.nan], equal_nan=True)
    assert line.text[0] == "Certainty penalty: 2.00 ± 1.00 %"
    assert (
        len(tradeoff_figure(points, "k", "ILSSDM").data) == len(tradeoff_figure(points, "k", "NCP").data) - 1
    )

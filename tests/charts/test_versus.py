"""Two releases side by side, and the risk–utility map with its front, on numbers made by hand."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.algorithms import MDAV, Mondrian
from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas.theme import THEMES
from kanon_core.charts.curves.linestyles import line_style, two_styles
from kanon_core.charts.curves.sentences import Curve
from kanon_core.charts.curves.tradeoff import front_sentence, picked_setting, risk_figure
from kanon_core.charts.loss.versus import Duel, duel_sentence, duels, radar_figure, radar_sentence
from kanon_core.metrics import (
    ILD,
    ILSSDM,
    NCP,
    AchievedK,
    Classification,
    Discernibility,
    Measured,
    WorstRisk,
)
from kanon_core.runs.sweeps import SweepPoint, front
from tests.charts.test_tradeoff import Tuned
from tests.helpers import Given

SIDES = (MDAV(), Mondrian())


def test_who_is_better_follows_the_direction():
    for metric, a, b, better, change, spokes in [
        (ILSSDM(), 0.1, 0.2, "A", "+10.00 points", (1.0, 0.5)),
        (AchievedK(), 4.0, 5.0, "B", "+1", (0.8, 1.0)),
        (Discernibility(), 300.0, 100.0, "B", "−200 pairs", (1 / 3, 1.0)),
        (NCP(), 0.3, 0.3 + 1e-14, "", "", (1.0, 1.0)),
        (NCP(), 0.0, 0.0, "", "", (1.0, 1.0)),
        (NCP(), 0.0, 0.00001, "A", "+less than 0.01 points", (1.0, 0.0)),
        (ILD(), -0.1, 0.2, "A", "+30.00 points", (math.nan, math.nan)),
        (Classification(), math.nan, 0.2, "?", "", (math.nan, math.nan)),
    ]:
        duel = Duel(metric, a, b)
        assert (duel.better, duel.change) == (better, change)
        np.testing.assert_allclose(duel.spokes, spokes)
        swapped = {"A": "B", "B": "A"}.get(better, better)
        assert Duel(metric, b, a).better == swapped


def found() -> tuple[Duel, ...]:
    metrics = [ILSSDM(), NCP(), AchievedK(), WorstRisk()]
    a = {"ILSSDM": 0.1, "NCP": 0.2, "AchievedK": 2.0, "WorstRisk": 0.5, "ILD": 0.1}
    b = a | {"ILSSDM": 0.2, "AchievedK": 4.0, "WorstRisk": 0.25}
    first, second = ({name: Measured(total) for name, total in side.items()} for side in (a, b))
    return duels(metrics, first, second)


def test_what_comes_from_samples_is_not_better_by_less_than_its_error():
    one, other = {"ILD": Measured(0.10, error=0.02)}, {"ILD": Measured(0.13, error=0.02)}
    (duel,) = duels([ILD()], one, other)
    assert duel.better == "±" and duel.spokes == (1.0, pytest.approx(10 / 13))
    assert duel_sentence([duel]) == "A and B differ by no more than the sampling error by ILD."
    assert Duel(ILD(), 0.1, 0.2, 0.04).better == "A"


def test_the_sentence_gives_no_verdict():
    assert (
        duel_sentence(found())
        == "A is better by Loss; B is better by Achieved k and Worst risk; A and B are equal by 1 measure."
    )
    assert duel_sentence([Duel(NCP(), 0.1, 0.1)]) == "A and B are equal by every measure."
    assert duel_sentence([Duel(NCP(), math.nan, 0.1)]) == "No measure is defined for both."
    many = [Duel(metric, 0.1, 0.2) for metric in (ILSSDM(), NCP(), WorstRisk(), ILD(), Classification())]
    assert duel_sentence(many) == "A is better by Loss, Certainty penalty, Worst risk and 2 more measures."


def test_the_radar_is_closed_and_the_better_one_is_at_the_rim():
    a, b = radar_figure(found(), SIDES).data
    assert list(a.r) == [1.0, 1.0, 0.5, 0.5, 1.0] and list(b.r) == [0.5, 1.0, 1.0, 1.0, 0.5]
    assert a.theta[0] == a.theta[-1] == "Loss"


def test_no_ratio_of_negative_numbers_is_drawn_and_that_is_said():
    both = (*found(), Duel(ILD(), -0.1, 0.1))
    assert "ILD" not in radar_figure(both, SIDES).data[0].theta
    assert "Not drawn, because a negative or undefined value has no ratio: ILD." in radar_sentence(both)
    assert radar_figure(found()[:2], SIDES) is None


def test_each_side_of_the_radar_has_the_color_of_its_algorithm():
    for theme in THEMES:
        for sides in ((MDAV(), Mondrian()), (Mondrian(), MDAV()), (MDAV(), MDAV())):
            drawn = radar_figure(found(), sides, theme).data
            looks = [(one.line.color, one.line.dash, one.marker.symbol) for one in drawn]
            assert looks == [*two_styles(sides, theme)] and len({*looks}) == 2
            alone = line_style([Curve("", sides[0], ())], 0, theme)
            assert looks[0] == alone


def point(algorithm, k: int, loss: float, risk: float, seed: int = 0) -> SweepPoint:
    return SweepPoint(
        algorithm, k, {"ILSSDM": loss, "WorstRisk": risk, "AchievedK": 1 / risk}, 0.1, seed=seed
    )


POINTS = [
    point(Given(), 2, 0.1, 0.5),
    point(Given(), 4, 0.3, 0.25),
    point(Given(), 5, 0.2, 0.2),
    point(Tuned(), 2, 0.1, 0.5),
    point(Tuned(), 4, 0.25, 0.25),
    point(Tuned(), 5, 0.3, 0.2),
    SweepPoint(Tuned(), 9, {}, 0.1, "It does not suit."),
]


def test_the_front_and_its_sentence():
    best = front(POINTS, "WorstRisk", "ILSSDM")
    assert [(p.algorithm, p.k) for p in best] == [(Given(), 5), (Given(), 2)]
    assert (
        front_sentence(POINTS, "WorstRisk", "ILSSDM")
        == "2 of 6 finished settings are not beaten by any other (given groups 2): from given groups at k = 5"
        " (worst-case re-identification risk 20.00 %, information loss 20.00 %) to given groups at k = 2"
        " (worst-case re-identification risk 50.00 %, information loss 10.00 %)."
    )
    assert "is best by both" in front_sentence(POINTS[:1], "WorstRisk", "ILSSDM")
    assert (
        front_sentence(POINTS[-1:], "WorstRisk", "ILSSDM")
        == "No finished setting has values of both measures."
    )


def _beats(one: SweepPoint, other: SweepPoint, signs: dict[str, int]) -> bool:
    ahead = [sign * (other.value(name) - one.value(name)) for name, sign in signs.items()]
    return min(ahead) >= 0 and max(ahead) > 0


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), max_size=25))
def test_the_front_is_what_nothing_beats(places):
    points = [point(Given(), i + 2, loss / 10, risk / 10) for i, (loss, risk) in enumerate(places)]
    for x, sign in (("WorstRisk", 1), ("AchievedK", -1)):
        signs = {x: sign, "ILSSDM": 1}
        kept = front(points, x, "ILSSDM")
        places_kept = {(p.value(x), p.value("ILSSDM")) for p in kept}
        unbeaten = {
            (p.value(x), p.value("ILSSDM")) for p in points if not any(_beats(q, p, signs) for q in points)
        }
        assert places_kept == unbeaten and len(kept) == len(places_kept)
        assert all(sign * a.value(x) < sign * b.value(x) for a, b in itertools.pairwise(kept))


def test_the_map_marks_every_point_and_its_clicks_are_read():
    figure = risk_figure(POINTS, current=("given groups", 5, 0))
    stairs, mine, tuned, ring = figure.data
    assert list(stairs.x) == [0.2, 0.5] and stairs.line.shape == "hv"
    assert len(mine.x) == 3 and len(tuned.x) == 3 and list(ring.x) == [0.2]
    event = {"selection": {"points": [{"customdata": np.asarray(tuned.customdata)[2].tolist()}]}}
    assert picked_setting(event) == (1, 5, 0)
    assert "<b>" not in json.dumps(json.loads(figure.to_json())["data"][2])
    with pytest.raises(OptionError):
        risk_figure(POINTS, "no such", "NCP")

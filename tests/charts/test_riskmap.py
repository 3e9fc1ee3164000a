"""The risk–utility map with its front and its pins, and the pins ranked by measures, on numbers made by
hand."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.base.errors import OptionError
from kanon_core.charts.curves.pins import Ranking, pin_looks, ranking_sentence
from kanon_core.charts.curves.sentences import curves
from kanon_core.charts.curves.tradeoff import front_sentence, picked_setting, risk_figure
from kanon_core.runs.sweeps import SweepPoint, front
from tests.charts.test_tradeoff import Tuned
from tests.helpers import Given


def point(algorithm, k: int, loss: float, risk: float, error: float = 0.0) -> SweepPoint:
    errors = {"ILSSDM": error} if error else {}
    scores = {"ILSSDM": loss, "WorstRisk": risk, "AchievedK": 1 / risk}
    return SweepPoint(algorithm, k, scores, 0.1, errors=errors)


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


def test_pins_have_the_color_of_their_algorithm_a_mark_of_their_own_and_a_letter():
    pins = {"A": POINTS[0], "B": POINTS[1], "D": POINTS[3]}
    looks = pin_looks(curves(POINTS), pins, "light")
    assert looks["A"].color == looks["B"].color != looks["D"].color
    assert len({(one.color, one.symbol) for one in looks.values()}) == 3
    _stairs, mine, tuned, *marks, _ring = risk_figure(POINTS, pins=pins).data
    assert [(mark.x[0], mark.y[0]) for mark in marks] == [(0.5, 0.1), (0.25, 0.3), (0.5, 0.1)]
    assert [mark.marker.color for mark in marks] == [looks[letter].color for letter in "ABD"]
    assert mine.marker.color == looks["A"].color and tuned.marker.color == looks["D"].color
    letters = [one.text for one in risk_figure(POINTS, pins=pins).layout.annotations][1:]
    assert letters == ["<b>A, D</b>", "<b>B</b>"]  # at one place they share a note
    assert len(risk_figure(POINTS, "NCP", pins=pins).data) == 4


def test_the_best_pins_are_those_that_no_other_beats_by_more_than_the_sampling_error():
    pins = {"A": point(Given(), 2, 0.1, 0.5), "B": point(Given(), 4, 0.3, 0.25)}
    assert Ranking.of("ILSSDM", pins).best == ("A",) and Ranking.of("AchievedK", pins).best == ("B",)
    near = {"A": point(Given(), 2, 0.10, 0.5, 0.02), "B": point(Given(), 4, 0.13, 0.5, 0.02)}
    assert Ranking.of("ILSSDM", near).best == () == Ranking.of("NCP", near).best
    three = near | {"C": point(Given(), 5, 0.3, 0.2)}
    assert Ranking.of("ILSSDM", three).best == ("A", "B") and Ranking.of("WorstRisk", three).best == ("C",)
    same = {"A": pins["A"], "B": point(Given(), 3, 0.1 + 1e-14, 0.5)}
    assert Ranking.of("ILSSDM", same).best == ()


def test_the_sentence_gives_no_verdict():
    pins = {"A": point(Given(), 2, 0.1, 0.5), "B": point(Given(), 4, 0.3, 0.25)}
    rankings = [Ranking.of(name, pins) for name in ("ILSSDM", "AchievedK", "WorstRisk", "NCP")]
    assert ranking_sentence(rankings, pins) == (
        "A alone is best by Information loss; B alone is best by Achieved k and Worst-case re-identification"
        " risk."
    )
    equal = [Ranking.of("ILSSDM", {"A": pins["A"], "B": pins["A"]})]
    assert ranking_sentence([*equal, rankings[0]], pins) == (
        "A alone is best by Information loss; by 1 measure, the best ones are equally good or within their"
        " sampling errors."
    )
    assert ranking_sentence(equal, pins) == "No pinned setting alone is best by any measure."

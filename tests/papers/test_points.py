"""Statements tried point by point: the tally, the worst miss, the verdict."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kanon_core.papers.points import Point, percent_points, share_points, steps, times_text, tried


def test_a_statement_says_how_many_points_agree_and_how_far_the_worst_is():
    points = [Point("a", -1.0), Point("b", 0.5), Point("c", 0.25)]
    check = tried("It is so.", points, percent_points, "pairs", must=True)
    assert check.sentence == "It is so. 1 of 3 pairs agree; the worst, b, misses by 0.5 points."
    assert not check.holds and check.verdict == "FAILS"
    assert tried("It is so.", points[:1] * 2, percent_points, "pairs").sentence == (
        "It is so. 2 of 2 pairs agree."
    )


def test_a_single_point_needs_no_tally():
    assert tried("It is so.", [Point("", 0.0)], times_text, "pairs").sentence == "It is so."
    alone = tried("It is so.", [Point("", 0.03)], times_text, "pairs")
    assert alone.sentence == "It is so. It misses by 3 %." and not alone.holds


def test_what_cannot_be_compared_does_not_agree():
    assert not tried("It is so.", [Point("a", float("nan"))], share_points, "k").holds


@given(st.dictionaries(st.integers(2, 99), st.integers(-9, 9).map(float), min_size=2), st.booleans())
def test_steps_agree_exactly_where_neighbors_do(values, falls):
    ks = sorted(values)
    pairs = [(values[a], values[b]) for a, b in pairwise(ks)]
    expected = [b <= a if falls else a <= b for a, b in pairs]
    points = steps(values, falls=falls)
    assert [point.miss <= 0 for point in points] == expected
    assert tried("", points, share_points, "steps").holds == all(expected)

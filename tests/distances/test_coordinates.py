"""Columns as points: squared distances are what the distance says, 2 on average, or as far off as told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.distances.coordinates import AXES, axes_of, spanned
from kanon_core.distances.mixed import coordinates_of, points_of
from kanon_core.distances.values.numbers import on_circle, unrolled
from kanon_core.table.domain import Domain
from tests.distances.cases import CASES, PARENTS
from tests.helpers import table_of
from tests.oracles.refine import plain_gaps

VALUES = (kc.Tree, kc.Graph, kc.GivenMatrix, kc.Hamming, kc.Levenshtein)
VALUES += (kc.NormalizedLevenshtein, kc.DamerauLevenshtein)
EUCLIDEAN = (kc.Tree, kc.Hamming)
"""The distances whose square roots are Euclidean."""


def gaps_of(table: kc.Table) -> np.ndarray:
    points = points_of(table)
    return plain_gaps(points.numeric, points.codes, points.weights)


@pytest.mark.deep
@settings(deadline=None, max_examples=60)
@pytest.mark.parametrize("cls", VALUES, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_values_are_as_far_apart_as_their_distance_says(cls, data):
    case = data.draw(CASES[cls])
    table, values = case.table, [value for value in dict.fromkeys(case.values) if value is not None]
    found = coordinates_of(table)["x"]
    first, gaps = [case.values.index(value) for value in values], gaps_of(table)
    wanted = np.array([[case.plain(a, b) for b in values] for a in values], float)
    apart = ~np.eye(len(values), dtype=bool)
    if apart.any():
        squares, wanted = gaps[np.ix_(first, first)], wanted * (2 / wanted[apart].mean())
        assert np.abs(squares - wanted)[apart].mean() / 2 == pytest.approx(found.off, abs=1e-8)
        assert found.off < 0.5
        if not found.off:
            assert squares == pytest.approx(wanted, abs=1e-7)
    if cls in EUCLIDEAN:
        assert found.off == 0
    for i, one in enumerate(case.values):
        for j, other in enumerate(case.values):
            assert (gaps[i, j] == 0) if one == other else (gaps[i, j] > 0 or found.off > 0)


@pytest.mark.deep
@settings(deadline=None, max_examples=60)
@pytest.mark.parametrize("cls", [kc.Calendar, kc.GreatCircle], ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_circles_and_places_are_straight_ways_in_the_order_of_the_ways_around(cls, data):
    case = data.draw(CASES[cls])
    present = [i for i, value in enumerate(case.values) if value is not None]
    if getattr(case.distance, "part", "") == "days" or len(present) < 2:
        return
    half = {"day of year": 183, "weekday": 3.5, "hour": 12}.get(
        getattr(case.distance, "part", ""), np.pi * 6371.0088
    )
    ways = np.array([[case.plain(case.values[i], case.values[j]) for j in present] for i in present])
    chords = 4 * np.sin(ways / half * np.pi / 2) ** 2
    squares = gaps_of(case.table)[np.ix_(present, present)]
    mean = chords.sum() / (len(present) * (len(present) - 1))
    if mean > 1e-6:
        assert squares == pytest.approx(chords * 2 / mean, abs=1e-6)


def test_no_unit_matters_and_a_default_that_is_chosen_changes_nothing():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=20), "c": rng.choice(list("abc"), 20), "lat": 1.0, "lon": 2.0})
    frame["lat"] += rng.normal(size=20)
    plain = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(frame.columns))
    for scale in ("range", "sd", "none"):
        chosen = plain.schema.with_distances({"x": kc.Absolute(scale), "c": kc.Discrete()})
        table = plain.with_schema(chosen)
        assert np.array_equal(points_of(table).numeric, points_of(plain).numeric)
        assert np.array_equal(points_of(table).codes, points_of(plain).codes)
    tree = kc.Tree({**dict.fromkeys("ab", "ab"), "c": "cc", "ab": "*", "cc": "*"})
    long = kc.Tree(tree.parents, (30.0, 30.0))
    one, other, heavy = (
        gaps_of(plain.with_schema(plain.schema.with_distances({"c": d}).with_weights({"c": w})))
        - gaps_of(plain.with_schema(plain.schema.with_weights({"c": 0})))
        for d, w in ((tree, 1), (long, 1), (tree, 4))
    )
    assert one == pytest.approx(other) and heavy == pytest.approx(4 * one)


def test_a_tree_by_hand():
    """Nagano and Gifu are 2 edges apart, both 4 from Tokyo: 10/3 on average, which is made 2."""
    tree = kc.Tree({"Nagano": "Chubu", "Gifu": "Chubu", "Tokyo": "Kanto", "Chubu": "*", "Kanto": "*"})
    table = table_of(kc.Schema((kc.Attribute("p", distance=tree),)), p=["Nagano", "Gifu", "Tokyo"])
    assert gaps_of(table)[0].tolist() == pytest.approx([0, 1.2, 2.4])
    assert points_of(table).numeric.shape == (3, 0)  # one mismatch for each level, no coordinate


def test_midnight_by_hand():
    seen = pd.to_datetime(["2024-05-01 23:50", "2024-01-01 00:10", "2024-03-01 12:00"])
    table = table_of(kc.Schema((kc.Attribute("t", kind="datetime", distance=kc.Calendar("hour")),)), t=seen)
    gaps = gaps_of(table)
    assert gaps[0, 1] < 0.01 * gaps[0, 2] and gaps[0, 2] == pytest.approx(gaps[1, 2])
    assert gaps.sum() / 6 == pytest.approx(2)


def test_179_9_degrees_are_near_minus_179_9():
    schema = kc.Schema(
        (
            kc.Attribute("lat", kind="latitude", distance=kc.GreatCircle()),
            kc.Attribute("lon", kind="longitude"),
        )
    )
    gaps = gaps_of(table_of(schema, lat=[-17.0, -17.0, -17.0], lon=[179.9, -179.9, 179.0]))
    assert gaps[0, 1] < gaps[0, 2] < gaps[1, 2]


@settings(deadline=None)
@given(st.integers(2, 40), st.integers(0, 99))
def test_points_of_a_euclidean_space_are_found_again(count, seed):
    places = np.random.default_rng(seed).normal(size=(count, 5)).round(3)
    squares = ((places[:, None] - places) ** 2).sum(axis=2)
    axes = axes_of(count, lambda a, b: squares[np.ix_(a, b)], AXES)
    assert axes.shape[1] <= 6
    assert ((axes[:, None] - axes) ** 2).sum(axis=2) == pytest.approx(squares, abs=1e-6)


def test_what_32_axes_do_not_hold_counts_like_a_mismatch():
    """The distances of 100 values that are all 1 apart are held in part by 32 axes and for the rest by a
    mismatch, so that their mean is 2, as it should be; the error of single pairs is reported."""
    found = spanned(np.arange(100, dtype=np.int32), 100, lambda a, b: (a[:, None] != b).astype(float))
    gaps = plain_gaps(found.numeric, found.codes, found.weights)
    apart = gaps[~np.eye(100, dtype=bool)]
    assert found.numeric.shape == (100, AXES) and found.codes.shape == (100, 1)
    assert apart.mean() == pytest.approx(2)
    assert np.abs(apart - 2).mean() / 2 == pytest.approx(found.off) and 0 < found.off < 0.4


def test_no_axis_takes_more_than_is_left():
    """A distance of which no root is Euclidean: every squared distance to the origin stays as given."""
    rng = np.random.default_rng(5)
    cells = rng.uniform(1, 9, (60, 60))
    cells = np.triu(cells, 1) + np.triu(cells, 1).T
    axes = axes_of(60, lambda a, b: cells[np.ix_(a, b)], 60)
    origin = int(np.argmax(cells[0]))
    assert ((axes**2).sum(axis=1) <= cells[origin] + 1e-9).all()


def test_missing_values_mismatch_every_present_one_and_stand_in_the_middle():
    hours = pd.to_datetime(["2024-05-01 06:00", "2024-01-01 18:00", None, None])
    table = table_of(kc.Schema((kc.Attribute("t", kind="datetime", distance=kc.Calendar("hour")),)), t=hours)
    gaps = gaps_of(table)
    assert gaps[2, 3] == 0 and gaps[0, 2] == pytest.approx(gaps[1, 2]) == pytest.approx(2 + gaps[0, 1] / 4)
    tree = kc.Tree({"a": "ab", "b": "ab", "c": "cc", "ab": "*", "cc": "*"})
    gaps = gaps_of(table_of(kc.Schema((kc.Attribute("v", distance=tree),)), v=["a", "b", "c", None]))
    assert gaps[:3, 3].tolist() == pytest.approx([2.4] * 3)  # as far as any value


def test_a_part_with_the_domain_of_the_whole_has_its_points():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "t": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 86_400, 30), unit="s"),
            "node": rng.choice(["a1", "a2", "b1", "a11"], 30),
            "word": rng.choice(["fish", "dish", "washing"], 30),
            "lat": rng.uniform(30, 40, 30),
            "lon": rng.uniform(130, 140, 30),
        }
    )
    frame.loc[3, ["t", "node", "lat"]] = None
    chosen = {
        "t": kc.Calendar("hour"),
        "node": kc.Tree(PARENTS),
        "word": kc.Hamming(),
        "lat": kc.GreatCircle(),
    }
    schema = kc.Schema.infer(frame).with_quasi(frame.columns).with_kinds({"node": "categorical"})
    schema = schema.with_distances(chosen)
    domain = Domain.of(kc.Table.from_frame(frame, schema).columns)
    whole, part = (points_of(kc.Table.from_frame(f, schema, domain=domain)) for f in (frame, frame[10:20]))
    assert np.array_equal(part.numeric, whole.numeric[10:20])
    assert np.array_equal(part.codes, whole.codes[10:20]) and np.array_equal(part.weights, whole.weights)


def test_a_circle_is_cut_at_its_widest_gap():
    turns = np.array([0.95, 0.05, np.nan, 0.5, 0.9])
    assert unrolled(turns).round(9).tolist()[:2] == [0.45, 0.55] and np.isnan(unrolled(turns)[2])
    assert np.hypot(*on_circle(turns).T)[[0, 1, 3, 4]] == pytest.approx(1)
    assert np.isnan(unrolled(np.array([np.nan]))).all()

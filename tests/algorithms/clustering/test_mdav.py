"""MDAV against its plain twin, the literature's losses, and its own log."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.clustering.mdav import MDAV, mdav_groups
from kanon_core.distances.mixed import Points
from tests.helpers import NINE_POINTS, looped, table_of
from tests.oracles import mdav as plain

NINE = np.array(NINE_POINTS)


def points_of(numeric, codes=None, weights=()) -> Points:
    """Points of these arrays; no categorical attributes when left out."""
    codes = np.zeros((len(numeric), 0), np.int32) if codes is None else np.asarray(codes, np.int32)
    return Points(np.ascontiguousarray(numeric, float), codes, np.array(weights, float), (), ())


def standardized(numeric: np.ndarray) -> np.ndarray:
    return (numeric - numeric.mean(axis=0)) / numeric.std(axis=0, ddof=1)


def loss(numeric: np.ndarray, labels: np.ndarray) -> float:
    """100 SSE / SST."""
    within = sum(
        len(part) * part.var(axis=0).sum() for part in (numeric[labels == g] for g in set(labels.tolist()))
    )
    return 100 * within / (len(numeric) * numeric.var(axis=0).sum())


def tables(n: int, seed: int) -> dict[str, Points]:
    """Tables that stress ties, empty boxes, scales and both kinds of attributes."""
    rng = np.random.default_rng(seed)
    normal, few = rng.standard_normal((n, 4)), rng.integers(0, 3, (n, 2)).astype(float)
    codes = np.column_stack([rng.integers(0, values, n) for values in (2, 7, 80)])
    lonely = np.column_stack([np.zeros(n, int), (np.arange(n) % 29 == 0).astype(int)])
    clusters = 1e6 * rng.standard_normal((5, 3))[rng.integers(0, 5, n)] + 1e-3 * rng.standard_normal((n, 3))
    constant = np.column_stack([normal[:, :2], np.full(n, 7.0)])
    return {
        "normal": points_of(normal),
        "one attribute": points_of(rng.standard_normal((n, 1))),
        "many attributes": points_of(rng.standard_normal((n, 12))),
        "heavy tails": points_of(rng.standard_cauchy((n, 3))),
        "integers": points_of(few),
        "all equal": points_of(np.full((n, 2), 0.1)),
        "duplicates": points_of(normal[rng.integers(0, n, n) // 4]),
        "constant column": points_of(constant),
        "far clusters": points_of(clusters),
        "mixed": points_of(few, codes, (2.0, 0.5, 2.0)),
        "codes only": points_of(np.zeros((n, 0)), codes, (2.0, 2.0, 1.0)),
        "rare codes": points_of(normal[:, :1], lonely, (2.0, 2.0)),
        "weight zero": points_of(normal[:, :1] * 0, codes, (0.0, 2.0, 0.0)),
    }


def replayed(events, n: int) -> np.ndarray:
    """Labels from a log: groups are numbered as they are made, later records join the group of another."""
    labels, groups = np.full(n, -1), 0
    for event, what in events:
        if event == "group":
            assert (labels[what["members"]] == -1).all()
            labels[what["members"]] = groups
            groups += 1
        elif event == "closed":  # this record did not join
            assert labels[what["record"]] == -1
        else:
            assert labels[what["record"]] == -1
            labels[what["record"]] = labels[what["joins"]]
    return labels


@looped("name", tables(1, 0))
@looped("n, k", [(3, 3), (5, 2), (40, 7), (200, 3), (701, 10)])
def test_equals_the_plain_twin(name, n, k):
    points = tables(n, seed=n)[name]
    expected = plain.mdav(points.numeric, points.codes, points.weights, k)
    assert np.array_equal(mdav_groups(points, k, Run()), expected)


def test_equals_the_plain_twin_over_several_rebuilds_of_the_index():
    points = tables(6000, seed=5)["mixed"]
    expected = plain.mdav(points.numeric, points.codes, points.weights, 25)
    assert np.array_equal(mdav_groups(points, 25, Run()), expected)


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_equals_the_plain_twin_on_any_small_table(data):
    n = data.draw(st.integers(1, 75), label="n")
    k = data.draw(st.integers(1, n), label="k")
    value = st.sampled_from([0.0, 0.1, 0.3, 1.0, -1.0, 1e-160, 1e8])
    numeric = np.array(data.draw(st.lists(st.tuples(value, value), min_size=n, max_size=n)))
    codes = np.array(data.draw(st.lists(st.tuples(st.integers(0, 2)), min_size=n, max_size=n)), np.int32)
    points = points_of(numeric, codes, [data.draw(st.sampled_from([0.0, 0.1, 2.0]))])
    expected = plain.mdav(points.numeric, points.codes, points.weights, k)
    assert np.array_equal(mdav_groups(points, k, Run()), expected)


@pytest.mark.parametrize(
    ("file", "losses"),
    [
        ("Tarragona", {3: 16.9326, 4: 19.5460, 5: 22.4619, 10: 33.1929}),
        ("CASCrefmicrodata", {3: 5.6922, 4: 7.4947, 5: 9.0884, 10: 14.1559}),
    ],
)
def test_losses_of_the_literature(kanon_data, file, losses):
    numeric = standardized(pd.read_csv(kanon_data / "casc" / f"{file}.csv").to_numpy(float))
    for k, expected in losses.items():
        assert loss(numeric, mdav_groups(points_of(numeric), k, Run())) == pytest.approx(expected, abs=5e-5)


def test_one_to_ten():
    numbers = table_of(x=np.arange(1.0, 11.0))
    assert MDAV().cover(numbers, 3, Run()).groups.tolist() == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
    values = np.arange(1.0, 11.0)[:, None]
    assert loss(values, MDAV().cover(numbers, 3, Run()).groups) == pytest.approx(100 * 0.109091, abs=1e-4)
    assert loss(values, MDAV().cover(numbers, 4, Run()).groups) == pytest.approx(100 * 0.272727, abs=1e-4)


def test_nine_points():
    labels = mdav_groups(points_of(NINE), 3, Run())
    assert np.bincount(labels).tolist() == [3, 3, 3]
    assert loss(NINE, labels) == pytest.approx(22.3312, abs=5e-5)


@looped("n", range(5, 24))
def test_sizes(n):
    labels = mdav_groups(points_of(np.random.default_rng(n).standard_normal((n, 2))), 5, Run())
    assert np.bincount(labels).tolist() == [5] * (n // 5 - 1) + [5 + n % 5]


def test_equal_records_go_by_their_number():
    labels = mdav_groups(points_of(np.full((11, 3), 0.1)), 3, Run())
    assert labels.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize("n", [4, 7, 9, 10, 500])
def test_the_log_replays_to_the_same_groups(n):
    run, points = Run(log=Log()), tables(n, seed=1)["mixed"]
    labels = mdav_groups(points, 4, run)
    assert np.array_equal(replayed(run.log.events, n), labels)
    for _, what in run.log.events[:-1]:
        assert what["pivot"] == what["members"][0] and len(what["members"]) == 4
    assert run.log.events[-1][1]["pivot"] == -1


def test_leaves_the_points_as_they_were():
    points = tables(300, seed=2)["mixed"]
    before = points.numeric.copy(), points.codes.copy(), points.weights.copy()
    mdav_groups(points, 3, Run())
    assert all(map(np.array_equal, before, (points.numeric, points.codes, points.weights)))


def test_progress_rises_to_one_and_a_raising_tick_stops_the_work():
    points, seen = tables(20_000, seed=3)["many attributes"], []
    mdav_groups(points, 10, Run(tick=lambda fraction, note="": seen.append(fraction)))
    assert len(seen) > 8 and seen == sorted(seen) and seen[-1] == 1.0

    class Stopped(BaseException):
        pass

    def stop(fraction, note=""):
        if fraction > 0.1:
            raise Stopped

    run = Run(tick=stop, log=Log())
    with pytest.raises(Stopped):
        mdav_groups(points, 10, run)
    assert 0 < len(run.log.events) < 2000


def test_more_than_all_records_is_unsuitable():
    assert "k = 3" in MDAV().unsuitable(table_of(x=[1.0, 2.0]), 3)[0]

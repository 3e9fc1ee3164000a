"""Single distances: golden values, words of 10,000 letters, columns of many values, scales kept for a
release."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pandas as pd
import pytest
from scipy.spatial import distance as scipy_distance

import kanon_core as kc
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.distances import base, encodings
from kanon_core.distances.chosen import default, distance_of, parts_of, sources
from kanon_core.distances.manhattan import distance_matrix, manhattan_points
from kanon_core.distances.values.sets import sets_of
from tests.helpers import table_of
from tests.oracles import distances as oracle


def table_with(distance: kc.Distance, values, kind: str = "text") -> kc.Table:
    return table_of(kc.Schema((kc.Attribute("x", kind=kind, distance=distance),)), x=values)


def matrix(distance: kc.Distance, values, kind: str = "text") -> np.ndarray:
    (part,) = parts_of(table_with(distance, values, kind))
    everybody = np.arange(len(values))
    return part.encoding.pairs(everybody[:, None], everybody)


def test_words():
    for distance, a, b, expected in [
        (kc.Levenshtein(), "kitten", "sitting", 3),
        (kc.Levenshtein(), "ca", "abc", 3),
        (kc.DamerauLevenshtein(), "ca", "abc", 2),  # 3 for the restricted one
        (kc.DamerauLevenshtein(), "smtih", "smith", 1),
        (kc.NormalizedLevenshtein(), "kitten", "sitting", 3 / 7),
        (kc.NormalizedLevenshtein(), "ab", "ba", 1),
        (kc.Hamming(), "10110", "11100", 2),
        (kc.Hamming(), "abc", "abcde", 2),
    ]:
        assert matrix(distance, [a, b])[0, 1] == expected


def test_paris_to_tokyo():
    frame = pd.DataFrame({"lat": [48.8566, 35.6895, 0, 0], "lon": [2.3522, 139.6917, 180.0, -180.0]})
    schema = kc.Schema.infer(frame).with_quasi(["lat", "lon"]).with_distances({"lat": kc.GreatCircle()})
    (part,) = parts_of(kc.Table.from_frame(frame, schema))
    assert part.names == ("lat", "lon")
    assert part.encoding.pairs(0, 1) == pytest.approx(9712, abs=1)
    assert part.encoding.pairs(2, 3) == pytest.approx(0, abs=1e-6)
    assert part.encoding.pairs(0, [1, 2]) == pytest.approx(
        [oracle.haversine((48.8566, 2.3522), place) for place in ((35.6895, 139.6917), (0, 180))]
    )


def test_a_meter_is_still_a_meter():
    north = 1 / 111_195.08  # degrees
    frame = pd.DataFrame({"lat": [35.0, 35.0 + north], "lon": [139.0, 139.0]})
    schema = kc.Schema.infer(frame).with_distances({"lat": kc.GreatCircle()})
    (part,) = parts_of(kc.Table.from_frame(frame, schema))
    assert part.encoding.pairs(0, 1) == pytest.approx(0.001, rel=1e-6)


def test_latitudes_without_longitudes_have_no_great_circle():
    for frame in (pd.DataFrame({"lat": [35.0]}), pd.DataFrame({"lat": [35.0], "lon": [139.0]})):
        schema = kc.Schema.infer(frame).with_quasi(["lat"]).with_distances({"lat": kc.GreatCircle()})
        with pytest.raises(UnsuitableError, match="longitude beside “lat”"):
            parts_of(kc.Table.from_frame(frame, schema))


def test_the_calendar_turns_around():
    dates = [
        dt.datetime(2020, 12, 31),
        dt.datetime(2021, 1, 1),
        dt.datetime(1999, 1, 1),
        dt.datetime(2021, 7, 1),
    ]
    assert matrix(kc.Calendar("days"), dates, "datetime")[0, 1] == 1
    assert matrix(kc.Calendar("day of year"), dates, "datetime")[0].tolist() == [0, 1, 1, 183]
    assert matrix(kc.Calendar("day of year"), dates, "datetime")[1].tolist() == [1, 0, 0, 182]
    assert matrix(kc.Calendar("weekday"), dates, "datetime")[0].tolist() == [0, 1, 1, 0]
    clock = [dt.datetime(2020, 1, 1, 23, 30), dt.datetime(1960, 5, 5, 0, 30), dt.datetime(2000, 1, 1, 12, 0)]
    assert matrix(kc.Calendar("hour"), clock, "datetime")[0].tolist() == [0, 1, 11.5]


def test_a_clock_of_many_times_has_no_matrix():
    seconds = np.append(np.arange(0, 6_000) * 14.0, np.nan)
    dates = pd.to_datetime(pd.Series(seconds), unit="s")
    (part,) = parts_of(table_with(kc.Calendar("hour"), dates, "datetime"))
    assert isinstance(part.encoding, encodings.Computed)
    some = np.array([0, 1, 3_085, 5_999, 6_000])
    apart = np.abs(seconds[some][:, None] - seconds) / 3600
    expected = np.where(np.isnan(apart), 12.0, np.minimum(apart, 24 - apart))
    expected[-1, -1] = 0.0
    assert part.encoding.pairs(some[:, None], np.arange(6_001)) == pytest.approx(expected)


def test_words_of_10_000_letters_are_measured_and_too_many_of_them_refused():
    long = ["a" * 10_000, "b" + "a" * 9_999, "a" * 9_998]
    for distance, expected in ((kc.Levenshtein(), [0, 1, 2]), (kc.Hamming(), [0, 1, 2])):
        assert matrix(distance, long)[0].tolist() == expected
    assert matrix(kc.DamerauLevenshtein(), long[:2])[0, 1] == 1
    many = [f"{i:05d}" * 2_000 for i in range(1_000)]
    for distance in (kc.Levenshtein(), kc.DamerauLevenshtein()):
        with pytest.raises(UnsuitableError, match=r"“x”.*would take about \d+ (minutes|hours|days)"):
            matrix(distance, many)
    assert not kc.Hamming().unsuitable(table_with(kc.Hamming(), many)["x"])


def test_long_work_ticks_between_blocks_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(base, "_BLOCK", 3e5)
    words = [f"{i:04d}" * 10 for i in range(60)]
    ticks = []
    parts_of(table_with(kc.DamerauLevenshtein(), words), lambda share, note="": ticks.append(share))
    assert len(ticks) > 20 and ticks == sorted(ticks)

    class Stop(Exception):
        pass

    def stop(share, note=""):
        raise Stop

    with pytest.raises(Stop):
        parts_of(table_with(kc.DamerauLevenshtein(), words), stop)


@pytest.mark.parametrize("missing", [False, True])
def test_many_values_are_computed_when_asked_for_and_come_out_the_same(missing, monkeypatch):
    values = ["one", "two", "three", "one", "four", *([None] if missing else [])]
    expected = matrix(kc.Levenshtein(), values)
    monkeypatch.setattr(base, "VALUES_AT_MOST", 2)
    (part,) = parts_of(table_with(kc.Levenshtein(), values))
    assert isinstance(part.encoding, encodings.Computed)
    everybody = np.arange(len(values))
    assert (part.encoding.pairs(everybody[:, None], everybody) == expected).all()
    rows = part.encoding.rows(part.encoding.codes)
    assert (rows[:, part.encoding.codes] == expected).all()


def test_what_is_published_is_measured_as_the_original_was():
    column, half = (
        table_of(kc.Schema((kc.Attribute("x", kind="numeric"),)), x=x)["x"]
        for x in ([0.0, 10.0, 30.0], [5.0, 5.0, 30.0])
    )
    for scale, unit in (("range", 30), ("sd", np.std([0, 10, 30], ddof=1)), ("none", 1)):
        distance = kc.Absolute(scale)
        line = distance.encoded(half, distance.scale_of(column))
        assert line.pairs(0, 2) == pytest.approx(25 / unit)


def test_without_a_choice_the_distances_are_those_of_definition_2_2():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 90, 50), "town": rng.choice(list("abc"), 50)}).astype(
        object
    )
    frame.iloc[::7, 0] = None
    schema = (
        kc.Schema.infer(frame)
        .with_quasi(["age", "town"])
        .with_kinds({"age": "numeric", "town": "categorical"})
    )
    table = kc.Table.from_frame(frame, schema.with_weights({"age": 2.5}))
    by_range, chosen = (manhattan_points(table.quasi, word) for word in ("range", "chosen"))
    assert all((getattr(by_range, part) == getattr(chosen, part)).all() for part in ("codes", "weights"))
    assert by_range.numeric.tobytes() == chosen.numeric.tobytes()
    assert isinstance(default("items"), kc.Jaccard)


def test_a_place_counts_once_with_the_latitudes_weight():
    frame = pd.DataFrame({"lat": [35.0, 36.0, None], "lon": [139.0, 139.0, 139.0], "c": ["x", "x", "x"]})
    schema = kc.Schema.infer(frame).with_quasi(["lat", "lon", "c"]).with_kinds({"c": "categorical"})
    schema = schema.with_distances({"lat": kc.GreatCircle()}).with_weights({"lat": 2.0, "lon": 7.0})
    table = kc.Table.from_frame(frame, schema)
    assert [distance_of(s.attribute).title for s in sources(table.quasi)] == ["Great circle", "Discrete"]
    kilometer = 111.19508
    apart = distance_matrix(manhattan_points(table.quasi, "chosen"))
    assert apart == pytest.approx(2 * kilometer * (1 - np.eye(3)), rel=1e-6)
    assert distance_matrix(manhattan_points(table.quasi))[0, 1] == pytest.approx(
        2.0
    )  # by range, and lon has none


PLAIN = kc.Absolute("none")


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
def test_the_product_distance_is_scipys_p_norm(p):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(20, 3)), columns=list("abc"))
    schema = kc.Schema.infer(frame).with_quasi("abc").with_distances(dict.fromkeys("abc", PLAIN))
    table = kc.Table.from_frame(frame, schema.with_weights({"a": 0.5, "b": 2, "c": 3}))
    product, everybody = kc.Product(p).of(table.quasi), np.arange(20)
    apart = product.pairs(everybody[:, None], everybody)
    name, how = ("chebyshev", {}) if p == math.inf else ("minkowski", {"p": p})
    expected = scipy_distance.cdist(frame, frame, name, w=[0.5, 2, 3], **how)
    assert apart == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert product.axioms == "metric" and apart.max() <= product.bound
    given = kc.Product(p, weights=(0.5, 2, 3)).of(table.with_schema(schema).quasi)
    assert (given.pairs(everybody[:, None], everybody) == apart).all()
    if p == 1:
        assert distance_matrix(manhattan_points(table.quasi, "plain")) == pytest.approx(apart, rel=1e-12)


def test_a_product_is_as_good_as_its_worst_attribute():
    def axioms(weights=(), **distances) -> str:
        schema = kc.Schema(
            tuple(
                kc.Attribute(name, kind="datetime" if isinstance(d, kc.Calendar) else "text", distance=d)
                for name, d in distances.items()
            )
        )
        return (
            kc.Product(weights=weights)
            .of(table_of(schema, **{name: ["2020-01-01", "2021-01-01"] for name in distances}).quasi)
            .axioms
        )

    assert axioms(a=kc.Levenshtein(), b=kc.Discrete()) == "metric"
    assert axioms(a=kc.NormalizedLevenshtein(), b=kc.Discrete()) == "semimetric"
    assert axioms(a=kc.NormalizedLevenshtein(), b=kc.Calendar("weekday")) == "semimetric"
    assert axioms(a=kc.Discrete(), b=kc.Calendar("weekday")) == "pseudometric"
    with pytest.raises(OptionError, match="2 weights for 1 attributes"):
        axioms(weights=(1, 2), a=kc.Discrete())


def test_different_sets_are_numbered_as_they_are_met_and_read_like_a_list():
    frame = pd.DataFrame({"s": ["b,a", "c", "a,b", "", "c", "a"]})
    schema = kc.Schema.infer(frame).with_kinds({"s": "items"}).with_delimiters({"s": ","})
    codes, sets = sets_of(kc.Table.from_frame(frame, schema)["s"])
    assert codes.tolist() == [0, 1, 0, 2, 1, 3] and codes.dtype == np.int32
    assert list(sets) == [(0, 1), (2,), (), (0,)] and list(sets[1:3]) == [(2,), ()] and sets[-1] == (0,)
    assert sets.sizes.tolist() == [2, 1, 0, 1]
    with pytest.raises(IndexError):
        sets[4]


def test_sets_of_items_that_the_others_do_not_know_are_far_from_them():
    apart = kc.Jaccard().between([(0, 9), ()], [(0, 1), (), (0, 1, 2)])
    assert apart.tolist() == [[1 - 1 / 3, 1, 1 - 1 / 4], [1, 0, 1]]
    assert kc.Jaccard().between([(0,)], [(0, 9)]).tolist() == [[0.5]]

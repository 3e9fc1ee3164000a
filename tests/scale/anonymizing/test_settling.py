"""Steps of round ends that all intervals choose, and means of which some are missing: over files as on one
machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.scale.passes import neighbors
from kanon_core.scale.tuning.tuning import tune_files
from tests.scale.inside import Inside, Off
from tests.scale.manytables import DRAWN, QUASI, Many, differences, over_files, published, small, suited
from tests.scale.test_bytes import compare

STEPPED = sorted(name for name, (_, a) in QUASI.items() if a.round_to == "auto")
GONE = ("gone_mean", "gone_median", "gone_mode")
ALGORITHMS = (
    kc.Mondrian(),
    kc.Fragments(kc.TopDown(), 20),
    kc.Sorting(),
    kc.Fragments(kc.MDAV(), 20),
    kc.Fragments(kc.VMDAV(), 30),
)


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from([*STEPPED, *GONE]), min_size=1, max_size=3, unique=True),
    more=st.lists(st.sampled_from(["few", "city", "mean", "job"]), max_size=2, unique=True),
    records=st.integers(31, 200),
    algorithm=st.sampled_from(ALGORITHMS),
    k=st.integers(2, 7),
    rows=st.integers(20, 60),
    most=st.sampled_from([5, 40, 10_000]),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, more, records, algorithm, k, rows, most
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbors, "VALUES_OF_A_RANGE", most)
        columns = dict.fromkeys([*suited(quasi, algorithm), *more, "illness"])
        compare(Many.of(seed, ends, list(columns), records), algorithm, k, rows)


@pytest.mark.deep
@settings(max_examples=10)
@given(**DRAWN, name=st.sampled_from(sorted({*STEPPED} - {"globe_ends"})), records=st.integers(60, 150))
def test_concealment_rounds_by_the_intervals_of_all(seed, ends, name, records):
    many = Many.of(seed, ends, [name, "few", "illness"], records)
    compare(many, kc.Fragments(kc.OptimalConcealment(), 40), 3, 40)


@pytest.mark.deep
@pytest.mark.parametrize("gone", [0, 1, 40])
def test_means_are_texts_just_where_some_are_missing(tmp_path, gone):
    many = Many.of(1, (0.3, 0.6), ["few", "age", "illness"], 90)
    ages = many.frame["age"].astype(float).mask(np.arange(90) < gone)
    many = replace(
        many, frame=many.frame.assign(age=ages), schema=many.schema.with_recodings({"age": "mean"})
    )
    source = many.written(tmp_path / "source")
    over_files(source, many, kc.Mondrian(), 4, tmp_path / "out", 30)
    one, made = many.release(kc.Mondrian(), 4).publish(), published(tmp_path / "out")
    assert not differences(one, made)
    assert (made["age"].dtype.kind == "f") == (gone < 40)


def test_values_of_many_ranges_are_as_far_apart_as_those_of_one(tmp_path, monkeypatch):
    """Only 500.0 and 500.125, of different parts, are nearer than 1: five times 0.125 is 1 at least."""
    monkeypatch.setattr(neighbors, "VALUES_OF_A_RANGE", 7)
    many = Many.of(1, (0.5, 0.5), ["age", "illness"], 80)
    cells = np.concatenate([np.arange(460.0, 500.0), np.arange(500.125, 540.0)])
    steps = many.schema.with_round_ends({"age": "auto"})
    many = replace(many, frame=many.frame.assign(age=cells), schema=steps)
    source = many.written(tmp_path / "source")
    over_files(source, many, kc.Mondrian(), 2, tmp_path / "out", 30)
    assert published(tmp_path / "out")["age"].iloc[0].strip("[]").split(", ")[0].isdigit()
    assert not differences(many.release(kc.Mondrian(), 2).publish(), published(tmp_path / "out"))


@pytest.mark.deep
@pytest.mark.parametrize("after", [7, 9, 12, 14, 17, 20])
def test_work_that_was_stopped_goes_on_to_the_same_rows(tmp_path, after):
    many = Many.of(4, (0.3, 0.6), ["stepped", "gone_mean", "city", "illness"], 120)
    source, engine = many.written(tmp_path / "source"), Inside(stop_after=after)
    with pytest.raises(Off):
        over_files(source, many, kc.Mondrian(), 3, tmp_path / "out", 30, engine=engine)
    over_files(source, many, kc.Mondrian(), 3, tmp_path / "out", 30, engine=Inside(turned=True))
    assert not differences(many.release(kc.Mondrian(), 3).publish(), published(tmp_path / "out"))
    assert {path.name for path in tmp_path.iterdir()} == {"source", "out"}


def test_numbers_beyond_steps_are_refused(tmp_path):
    many = Many.of(1, (0.3, 0.6), ["age", "illness"], 90)
    steps = many.schema.with_round_ends({"age": "auto"})
    many = replace(many, frame=many.frame.assign(age=many.frame["age"] * 1e-110), schema=steps)
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.UnsuitableError, match="numbers of column “age” are too large or too small"):
        over_files(source, many, kc.Mondrian(), 3, tmp_path / "out", 30)


def test_a_step_that_all_rows_choose_is_not_tuned_on_some(tmp_path, monkeypatch):
    small(monkeypatch)
    many = Many.of(1, (0.3, 0.6), ["stepped", "illness"], 90)
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.UnsuitableError, match="column “stepped” depends on the intervals of all"):
        tune_files(str(source), many.schema, kc.Mondrian(), [2], Inside(), cells=10, rows=40, seed=1)

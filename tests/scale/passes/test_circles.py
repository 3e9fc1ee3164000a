"""Circles over files are cut where one machine cuts them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.scale.tuning.tuning import tune_files
from tests.scale.inside import Inside, Off
from tests.scale.manytables import DRAWN, ROUND, Many, differences, is_whole, over_files, published, small
from tests.scale.test_bytes import compare

WITHIN = kc.Fragments(kc.MDAV(), 30)
INNERS = (kc.MDAV(), kc.VMDAV(), kc.Sorting(), kc.TopDown(), kc.OptimalConcealment())
FORBIDS = "Over many files, only Fragments anonymizes"
MISFIT = "“age” has cells that do not fit its kind"


@pytest.mark.deep
@settings(max_examples=30)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(ROUND), min_size=1, max_size=3, unique=True),
    more=st.lists(st.sampled_from(["few", "city", "lat", "job"]), max_size=2, unique=True),
    records=st.integers(61, 200),
    inner=st.sampled_from(INNERS),
    k=st.integers(2, 7),
    rows=st.integers(20, 60),
)
def test_the_rows_and_their_order_are_those_of_one_machine(seed, ends, quasi, more, records, inner, k, rows):
    compare(Many.of(seed, ends, [*quasi, *more, "illness"], records), kc.Fragments(inner, rows), k, rows)


@pytest.mark.parametrize("algorithm", [kc.Mondrian(), kc.Sorting()])
@pytest.mark.parametrize("name", ["hour", "weekday", "globe"])
def test_circles_run_within_fragments_only(tmp_path, algorithm, name):
    many = Many.of(1, (0.3, 0.6), [name, "illness"], 90)
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.UnsuitableError, match=f"“{name}” .*{FORBIDS}"):
        over_files(source, many, algorithm, 3, tmp_path / "out", 30)
    with pytest.raises(kc.UnsuitableError, match=r"Version 0\.1\.0"):
        kc.repeat_files(source, many.release(algorithm, 3).recipe, tmp_path / "out", Inside())
    over_files(source, many, WITHIN, 3, tmp_path / "out", 30)
    assert not differences(many.release(WITHIN, 3).publish(), published(tmp_path / "out"))


@pytest.mark.deep
@settings(max_examples=15)
@given(
    cells=st.lists(
        st.sampled_from([-180.0, -179.0, -91.0, -1.0, 0.0, 89.0, 90.0, 179.5, 180.0]), min_size=30
    ),
    kind=st.sampled_from(["longitude", "cyclic"]),
    ends=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_any_places_are_cut_alike(cells, kind, ends):
    many = Many.of(1, ends, ["age", "illness"], len(cells))
    places = pd.Series(cells)
    frame = many.frame.assign(age=places.astype("int64") if is_whole(places) else places)
    attribute = kc.Attribute("age", kind=kind, period=360.0 if kind == "cyclic" else 0.0)
    schema = kc.Schema(tuple(attribute if a.name == "age" else a for a in many.schema))
    compare(replace(many, frame=frame, schema=schema), kc.Fragments(kc.MDAV(), 20), 2, 20)


def _of(cells: pd.Series, **more: object) -> Many:
    many = Many.of(1, (0.3, 0.6), ["age", "illness"], len(cells))
    attribute = kc.Attribute("age", kind="cyclic", **more)
    schema = kc.Schema(tuple(attribute if a.name == "age" else a for a in many.schema))
    return replace(many, frame=many.frame.assign(age=cells), schema=schema)


@pytest.mark.parametrize("wrong", [5, 80])
def test_times_of_day_are_so_by_how_many_cells_are(tmp_path, wrong):
    """A column of 100 cells has three times of day and “noon”, which is not one and does not fit the kind."""
    cells = pd.Series([*["noon"] * wrong, *(["23:50", "0:10", "12:00"] * 40)[: 100 - wrong]], dtype="str")
    many = _of(cells.sample(100, random_state=2, ignore_index=True))
    source = many.written(tmp_path / "source")
    assert many.release(WITHIN, 3).table.misfits["age"].count > 0
    with pytest.raises(kc.UnsuitableError, match=MISFIT):
        over_files(source, many, WITHIN, 3, tmp_path / "out", 30)


def test_words_that_are_not_of_the_circle_are_missing(tmp_path):
    rng = np.random.default_rng(1)
    cells = pd.Series(rng.choice(["night", "noon", "dusk", "other"], 90), dtype="str")
    many = _of(cells, order=("noon", "dusk", "night"))
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.UnsuitableError, match=MISFIT):
        over_files(source, many, WITHIN, 3, tmp_path / "out", 30)


def test_a_part_in_which_all_words_are_missing(tmp_path):
    many = Many.of(1, (0.3, 0.6), ["weekday", "few", "illness"], 90)
    gone = np.arange(90) < many.bounds[1]
    many = replace(many, frame=many.frame.assign(weekday=many.frame["weekday"].mask(gone)))
    source = many.written(tmp_path / "source")
    over_files(source, many, WITHIN, 3, tmp_path / "out", 30)
    assert not differences(many.release(WITHIN, 3).publish(), published(tmp_path / "out"))


def test_numbers_beyond_their_circle_are_refused(tmp_path):
    many = _of(pd.Series(np.arange(90) % 30.0), period=24.0)
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.UnsuitableError, match="“age” has numbers outside its period of 24"):
        over_files(source, many, WITHIN, 3, tmp_path / "out", 30)


def test_a_circle_whose_values_a_rule_counts_is_refused(tmp_path):
    many = _of(pd.Series(np.arange(90) % 24.0))
    schema = many.schema.with_roles({"age": "sensitive", "illness": "quasi_identifier"})
    many = replace(many, schema=schema)
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.UnsuitableError, match=FORBIDS):
        over_files(source, many, kc.Mondrian(diversity=2.0), 3, tmp_path / "out", 30)


@pytest.mark.deep
@pytest.mark.parametrize("after", [4, 7, 9, 11, 13, 16])
def test_work_that_was_stopped_goes_on_to_the_same_rows(tmp_path, after):
    many = Many.of(4, (0.3, 0.6), ["globe", "clock", "hour", "illness"], 120)
    source, engine = many.written(tmp_path / "source"), Inside(stop_after=after)
    with pytest.raises(Off):
        over_files(source, many, WITHIN, 3, tmp_path / "out", 30, engine=engine)
    over_files(source, many, WITHIN, 3, tmp_path / "out", 30, engine=Inside(turned=True))
    assert not differences(many.release(WITHIN, 3).publish(), published(tmp_path / "out"))


def test_circles_are_not_tuned(tmp_path, monkeypatch):
    small(monkeypatch)
    many = Many.of(1, (0.3, 0.6), ["hour", "illness"], 90)
    source, said = many.written(tmp_path / "source"), {"cells": 10, "rows": 40, "seed": 1}
    with pytest.raises(kc.UnsuitableError, match=FORBIDS):
        tune_files(str(source), many.schema, kc.Mondrian(), [2], Inside(), **said)

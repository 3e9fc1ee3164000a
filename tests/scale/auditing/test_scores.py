"""Scores and risks over files are those of one machine."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.metrics.privacy.among import Among, OfSizes
from kanon_core.scale.files import FilesRelease
from tests.scale.manytables import CARRIED, DRAWN, STRAIGHT, Many, over_files


def compare(many: Many, algorithm: kc.Algorithm, k: int, rows: int) -> FilesRelease | None:
    with tempfile.TemporaryDirectory() as place:
        source = many.written(Path(place) / "source")
        try:
            one = many.release(algorithm, k)
        except kc.KanonError as problem:
            with pytest.raises(type(problem)):
                over_files(source, many, algorithm, k, Path(place) / "out", rows)
            return None
        made = over_files(source, many, algorithm, k, Path(place) / "out", rows)
    metrics = [cls() for cls in made.measured]
    scores = kc.score(one.table, one, metrics).query("part != 'record'")
    columns = ["metric", "part", "name", "error", "note"]
    pd.testing.assert_frame_equal(made.scores[columns], scores[columns].reset_index(drop=True))
    assert made.scores["value"].to_numpy() == pytest.approx(
        scores["value"].to_numpy(), abs=1e-12, nan_ok=True
    )
    labels = kc.Classification()
    assert (kc.Classification in made.measured) == (not labels.unsuitable(one.table))
    compare_risks(made, kc.risks(one.table, one))
    return made


def compare_risks(made: FilesRelease, expected: kc.Risks) -> None:
    known = {type(each.attacker): each for each in expected.found if not each.problem}
    assert {type(each.attacker) for each in made.risks} == set(known)
    for each in made.risks:
        found, after = each.after, known[type(each.attacker)].after
        assert found.count == len(after.each) and found.worst == after.worst
        assert found.average == pytest.approx(after.average)
        for threshold in (0.05, 0.09, 0.2, 0.33):
            assert found.above(threshold) == after.above(threshold)
            assert found.share_above(threshold) == after.share_above(threshold)
        start = each.sentence(0.2, "records").removesuffix(".")
        assert known[type(each.attacker)].sentence(0.2, "records").startswith(start)


@pytest.mark.deep
@settings(max_examples=30)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(STRAIGHT), min_size=1, max_size=3, unique=True),
    carried=st.lists(st.sampled_from(sorted(CARRIED)), min_size=1, max_size=3, unique=True),
    records=st.integers(2, 200),
    algorithm=st.sampled_from((kc.Mondrian(), kc.Mondrian(diversity=2.0))),
    k=st.integers(2, 7),
)
def test_scores_and_risks_are_those_of_one_machine(seed, ends, quasi, carried, records, algorithm, k):
    compare(Many.of(seed, ends, [*quasi, *carried], records), algorithm, k, 40)


def test_records_that_are_left_out_count(without_the_youngest):
    many = Many.of(7, (0.3, 0.6), ["age", "skewed", "trade"], 150)
    made = compare(many, kc.Fragments(kc.MDAV(), 40), 3, 40)
    assert made is not None and made.measured[kc.SuppressedRecords].total == 12 / 150
    assert made.records == 138
    assert made.measured[kc.Classification].total > 12 / 150


def test_sampling_weights_are_not_read(tmp_path):
    many = Many.of(7, (0.3, 0.6), ["age", "skewed", "trade", "income"], 150)
    many.frame["income"] = many.frame["income"] + 1.0
    schema = many.schema.with_roles({"income": "sampling_weight"})
    many = Many(many.frame, schema, many.bounds)
    made = over_files(many.written(tmp_path / "source"), many, kc.Mondrian(), 3, tmp_path / "out", 40)
    problems = {type(each.attacker): each.problem for each in made.risks if each.problem}
    assert problems == dict.fromkeys(
        (kc.Journalist, kc.Marketer), "Sampling weights are not read over many files."
    )


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), max_size=6), st.integers(0, 3))
def test_counts_by_size_give_the_totals_of_the_records(classes, left_out):
    """Hand-worked: of records that hide among 4, 4, 4, 4 and 5 … each metric is the same, counted or one by
    one."""
    sizes = np.array([size for size, _ in classes], np.int64)
    counts = np.array([count for _, count in classes], np.int64)
    counted = Among.of_classes(sizes, counts, left_out)
    each = np.repeat(sizes, sizes * counts)
    listed = Among(each, np.ones(len(each), np.int64), left_out)
    if not len(each) and not left_out:
        return
    for cls in OfSizes.__subclasses__():
        assert cls().of_sizes(counted) == pytest.approx(cls().of_sizes(listed), nan_ok=True), cls


def test_a_worked_example():
    """Classes of 4 and 5 records, and one record that is left out."""
    among = Among.of_classes(np.array([4, 5]), np.array([1, 1]), 1)
    totals = {cls: cls().of_sizes(among) for cls in OfSizes.__subclasses__()}
    assert totals == {
        kc.Discernibility: 4 * 4 + 5 * 5 + 10,
        kc.AverageClassSize: 4.5,
        kc.AchievedK: 4.0,
        kc.WorstRisk: 0.25,
        kc.AverageRisk: 2 / 9,
        kc.SuppressedRecords: 0.1,
    }


def test_where_records_hide_otherwise_than_in_classes_only_what_is_counted_is_said(tmp_path):
    """A release by k-concealment has neither risks, nor metrics of classes, nor findings on sensitive values
    in classes; for an unchanged column, the records are counted that it singles out by itself."""
    many = Many.of(5, (0.3, 0.7), ["age", "city", "illness", "income"], 130)
    many.frame["income"] = [*range(60), *[7] * 70]
    source = many.written(tmp_path / "source")
    algorithm = kc.Fragments(kc.OptimalConcealment(), 40)
    made = over_files(source, many, algorithm, 3, tmp_path / "out", 40)
    assert list(made.measured) == [kc.ILSSDM, kc.NCP] and made.risks == ()
    assert "sensitive values" not in {one.name for one in made.findings}
    counts = many.frame["income"].value_counts()
    (income,) = (one for one in made.findings if one.columns == ("income",))
    assert income.count == (counts == 1).sum() and "by it alone" in income.sentence

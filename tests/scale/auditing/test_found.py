"""The findings over files, which are those of `judge` on one machine, in the same sentences."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.findings import Aggregates, DirectJoins, Finding, FreeText, Longitude, SensitiveValues
from kanon_core.scale.auditing.findings import LOOKED_FOR
from tests.scale.inside import Inside
from tests.scale.manytables import CARRIED, DRAWN, STRAIGHT, Many, over_files, small

SEARCHES = tuple(cls() for cls in LOOKED_FOR)


def facts(finding: Finding) -> tuple[object, ...]:
    """Return the contents of a finding; on sensitive values, without t and the nearness of numbers, which a
    release in files does not report."""
    sentence = finding.sentence
    for end in ("; t-closeness with", " For "):
        head, there, rest = sentence.partition(end)
        if there and finding.name == SensitiveValues.name and "Reached" in head:
            missing = " Missing counts" if "A missing value" in rest else ""
            sentence = f"{head}.{missing}".replace("..", ".")
    sentence = sentence.replace(SensitiveValues().said_of_missing(), " Missing counts")
    return (
        finding.name,
        finding.severity,
        finding.columns,
        finding.count,
        sentence,
        finding.action.replace(" and Top-down", "").replace("Ask for", "Require"),  # Top-down has no ℓ there
        finding.price,
        finding.remedy,
    )


def compare(many: Many, algorithm: kc.Algorithm, k: int, rows: int, seed: int = 3) -> tuple[Finding, ...]:
    with tempfile.TemporaryDirectory() as place:
        source = many.written(Path(place) / "source")
        try:
            one = many.release(algorithm, k, seed)
        except kc.KanonError as problem:
            with pytest.raises(type(problem)):
                over_files(source, many, algorithm, k, Path(place) / "out", rows, seed)
            return ()
        made = over_files(source, many, algorithm, k, Path(place) / "out", rows, seed)
    expected = kc.judge(one.table, one, SEARCHES)
    assert list(map(facts, made.findings)) == list(map(facts, expected))
    stopping = {finding.sentence for finding in expected if finding.severity == "stops"}
    assert dict(made.recipe.reasons) == dict.fromkeys(stopping, "made up")
    return made.findings


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(STRAIGHT), min_size=1, max_size=3, unique=True),
    carried=st.lists(st.sampled_from(sorted(CARRIED)), min_size=1, max_size=5, unique=True),
    records=st.integers(2, 200),
    algorithm=st.sampled_from((kc.Mondrian(), kc.Mondrian(diversity=2.0))),
    k=st.integers(2, 7),
    secret=st.sampled_from((3, 2**100)),
)
def test_findings_are_those_of_one_machine(seed, ends, quasi, carried, records, algorithm, k, secret):
    compare(Many.of(seed, ends, [*quasi, *carried], records), algorithm, k, 40, secret)


def test_of_records_that_are_left_out_nothing_is_counted(without_the_youngest):
    """A record whose value is unique among the published rows may share it with others in the table."""
    many = Many.of(7, (0.3, 0.6), ["age", "skewed", "grade", "income", "seen", "trade"], 150)
    many = replace(many, frame=many.frame.assign(income=np.arange(150) // 2))
    found = compare(many, kc.Fragments(kc.MDAV(), 40), 3, 40)
    nothing_to_find = {Aggregates, DirectJoins, FreeText, Longitude}
    assert {one.name for one in found} == {cls.name for cls in set(LOOKED_FOR) - nothing_to_find}
    (income,) = (one for one in found if one.columns == ("income",))
    assert "of 138 records" in income.sentence and "singles out 0 of 138 records" not in income.sentence


def test_what_is_found_only_of_the_published_rows_stops_them(without_the_youngest, tmp_path, monkeypatch):
    """Nobody is alone in the table; 20 % and more are when the records beside them are left out."""
    many = Many.of(7, (0.3, 0.6), ["age", "skewed", "grade", "income"], 150)
    many = replace(many, frame=many.frame.assign(income=np.arange(150) // 2))
    source, way = many.written(tmp_path / "source"), kc.Fragments(kc.MDAV(), 12)
    small(monkeypatch)
    with pytest.raises(kc.StoppedError, match=r"“income” is published unchanged\. An attacker"):
        kc.anonymize_files(str(source), many.schema, way, 3, str(tmp_path / "out"), Inside(), 3)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
    compare(many, way, 3, 12)


def test_a_column_named_like_people_is_told_with_its_count():
    many = Many.of(7, (0.3, 0.6), ["age", "skewed", "grade", "income", "seen"], 150)
    many = replace(many, schema=many.schema.with_roles({"name": "other"}))
    (named, *_) = compare(many, kc.Mondrian(), 3, 40)
    assert (named.severity, named.columns, named.count) == ("stops", ("name",), 150)


@pytest.mark.parametrize("role", ["sensitive", "other"])
def test_item_sets_are_counted_by_their_texts(role):
    many = Many.of(7, (0.3, 0.6), ["age", "skewed", "trade"], 150)
    baskets = np.array(["mug", "bowl;mug", "bowl;lamp", "bowl;lamp;mug"], object)
    frame = many.frame.assign(basket=np.random.default_rng(1).choice(baskets, 150))
    schema = kc.Schema((*many.schema, kc.Attribute("basket", kind="items", role=role)))
    found = compare(replace(many, frame=frame, schema=schema), kc.Mondrian(), 3, 40)
    assert any("basket" in one.columns for one in found)

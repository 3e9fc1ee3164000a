"""Recoding, published cells as text, publication, audit."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.cells import AggregatedNumbers, Intervals
from kanon_core.report import release_bytes
from kanon_core.table.schema import Attribute, Schema
from tests.helpers import release_of, table_of


def shown(release, column):
    return release.to_frame()[column].tolist()


def test_intervals_sets_and_single_values():
    release = release_of(table_of(age=[20, 35, 7, 7], sex=["F", "M", "F", "F"]), [0, 0, 1, 1])
    assert shown(release, "age") == ["[20, 35]", "[20, 35]", "7", "7"]
    assert shown(release, "sex") == ["{F, M}", "{F, M}", "F", "F"]


def test_missing_values_are_said():
    table = table_of(x=[1.5, np.nan, np.nan, np.nan], c=["a", None, None, None])
    release = release_of(table, [0, 0, 1, 1])
    assert shown(release, "x") == ["1.5 or (missing)"] * 2 + ["(missing)"] * 2
    assert shown(release, "c") == ["{a, (missing)}"] * 2 + ["(missing)"] * 2


def test_dates_before_1900_and_times():
    schema = Schema((Attribute("d", kind="datetime"), Attribute("t", kind="datetime")))
    table = table_of(schema, d=["1799-12-31", "2020-01-02"], t=["2020-01-02 03:04:05", "2020-01-02"])
    release = release_of(table, [0, 0])
    assert shown(release, "d")[0] == "[1799-12-31, 2020-01-02]"
    assert shown(release, "t")[0] == "[2020-01-02 00:00:00, 2020-01-02 03:04:05]"


def test_labels_that_could_be_mistaken_are_quoted():
    labels = ["{a, b}", "(missing)", "*", "", '"q"', "plain"]
    texts = shown(release_of(table_of(c=labels), range(6)), "c")
    assert [json.loads(t) for t in texts[:5]] == labels[:5]
    assert texts[5] == "plain"


def test_a_label_with_a_comma_is_quoted_within_sets_and_intervals_alone():
    labels = ["York, UK", "York, UK", "Rome", "York, UK", 'the "Inn"', "a"]
    texts = shown(release_of(table_of(c=labels), [0, 0, 1, 1, 2, 2]), "c")
    assert texts[0] == "York, UK" and texts[2] == '{Rome, "York, UK"}' and texts[4] == '{a, "the \\"Inn\\""}'
    assert shown(release_of(table_of(c=labels), range(6)), "c") == labels
    schema = Schema((Attribute("c", kind="ordinal", order=("a", "York, UK", "b")),))
    table = table_of(schema, c=["York, UK", "York, UK", "a", "York, UK"])
    texts = shown(release_of(table, [0, 0, 1, 1]), "c")
    assert texts[0] == "York, UK" and texts[2] == '[a, "York, UK"]'


@pytest.mark.parametrize("kind", ["categorical", "ordinal"])
def test_labels_with_commas_are_read_back(kind):
    labels = ["York, UK", "York, UK", "York", "York, UK", "UK", "York", '"York, UK"', "UK"]
    order = tuple(dict.fromkeys(labels)) if kind == "ordinal" else ()
    table = table_of(Schema((Attribute("c", kind=kind, order=order),)), c=labels)
    release = release_of(table, [0, 0, 1, 1, 2, 2, 3, 3])
    back = kc.read_release(release_bytes(release), table, header=True)
    assert back.notes == () and back.consistency().rows.tolist() == release.consistency().rows.tolist()


@given(st.lists(st.text('{},"*[] ab', max_size=4), min_size=4, max_size=8))
def test_different_cells_have_different_texts(labels):
    labels = labels[: len(labels) // 2 * 2]
    release = release_of(
        table_of(Schema((Attribute("c", kind="categorical"),)), c=labels), np.arange(len(labels)) // 2
    )
    sets = [frozenset(labels[i - i % 2 : i - i % 2 + 2]) for i in range(len(labels))]
    texts = shown(release, "c")
    for i in range(len(labels)):
        for j in range(len(labels)):
            assert (texts[i] == texts[j]) == (sets[i] == sets[j])


def test_mean_median_and_mode():
    frame = {
        "a": [1.0, 2.0, 6.0, 5.0],
        "b": [1.0, 2.0, 6.0, 5.0],
        "c": ["x", "y", "y", "z"],
        "d": [3.0, 3.0, 9.0, 1.0],
    }
    table = table_of(**frame)
    schema = table.schema.with_recodings({"a": "mean", "b": "median", "c": "mode", "d": "mode"})
    release = release_of(table.with_schema(schema), [0, 0, 0, 1])
    assert shown(release, "a") == [3.0, 3.0, 3.0, 5.0]
    assert shown(release, "b") == [2.0, 2.0, 2.0, 5.0]
    assert shown(release, "c") == ["y", "y", "y", "z"]
    assert shown(release, "d") == ["3", "3", "3", "1"] or shown(release, "d") == [3.0, 3.0, 3.0, 1.0]


def test_mode_ties_go_to_the_first_in_text_order():
    table = table_of(c=["b", "a", "b", "a"])
    table = table.with_schema(table.schema.with_recodings({"c": "mode"}))
    assert shown(release_of(table, [0] * 4), "c") == ["a"] * 4


def test_the_most_frequent_number_may_be_missing():
    table = table_of(a=[5.0, np.nan, np.nan, 1.0, 2.0, 1.0])
    table = table.with_schema(table.schema.with_recodings({"a": "mode"}))
    release = release_of(table, [0, 0, 0, 1, 1, 1])
    assert shown(release, "a") == ["(missing)"] * 3 + ["1"] * 3
    assert release["a"].true_of(table["a"], np.arange(6)).all()
    assert not release["a"].cells.contain(table["a"], np.array([3]), np.array([0])).any()
    with pytest.raises(KeyError, match="“b”"):
        release["b"]


def test_even_median_is_the_middle_and_missing_is_left_out():
    table = table_of(a=[1.0, 4.0, np.nan, 8.0])
    table = table.with_schema(table.schema.with_recodings({"a": "median"}))
    assert shown(release_of(table, [0, 0, 0, 1]), "a") == [2.5, 2.5, 2.5, 8.0]


def test_identifiers_are_dropped_and_others_kept():
    schema = Schema(
        (Attribute("id", "identifier"), Attribute("p", "person"), Attribute("x"), Attribute("s", "sensitive"))
    )
    table = table_of(schema, id=["i", "j"], p=["1", "2"], x=["a", "b"], s=["flu", "none"])
    frame = release_of(table, [0, 0]).to_frame()
    assert list(frame) == ["x", "s"]
    assert frame["s"].tolist() == ["flu", "none"]


def test_suppressed_records_read_as_stars_and_are_not_published():
    schema = Schema((Attribute("x", kind="numeric"), Attribute("s", "sensitive")))
    release = release_of(table_of(schema, x=[1, 2, 3], s=["a", "b", "c"]), [0, 0, -1])
    assert release.to_frame().iloc[2].tolist() == ["*", "*"]
    assert sorted(release.publish()["s"]) == ["a", "b"]
    assert release.suppressed.tolist() == [False, False, True]


def test_the_order_of_publication_depends_on_nothing_but_what_is_published():
    schema = Schema(
        (Attribute("id", "identifier"), Attribute("x", kind="numeric"), Attribute("s", "sensitive"))
    )
    n = 60
    frame = {"id": [f"p{i}" for i in range(n)], "x": np.arange(n) // 6, "s": list("abc") * (n // 3)}
    table = table_of(schema, **frame)
    published = release_of(table, np.arange(n) // 6).publish()
    pd.testing.assert_frame_equal(published, release_of(table, np.arange(n) // 6).publish())
    backwards = table_of(schema, **{name: list(cells)[::-1] for name, cells in frame.items()})
    pd.testing.assert_frame_equal(published, release_of(backwards, np.arange(n)[::-1] // 6).publish())
    renamed = table_of(schema, **{**frame, "id": [f"q{i}" for i in range(n)]})
    pd.testing.assert_frame_equal(published, release_of(renamed, np.arange(n) // 6).publish())
    assert (
        published["x"].tolist() != release_of(table, np.arange(n) // 6).publish(shuffle=False)["x"].tolist()
    )


def test_a_preview_is_the_top_of_what_is_published():
    release = release_of(table_of(x=np.arange(20)), np.arange(20) // 2)
    pd.testing.assert_frame_equal(release.publish(first=5), release.publish().head(5))


def test_equal_cells_of_different_groups_are_one_class():
    release = release_of(table_of(x=[1, 2, 1, 2]), [0, 0, 1, 1])
    assert release.class_sizes.tolist() == [4]


def test_the_audit_names_those_who_hide_behind_too_few():
    table = table_of(x=[1, 1, 5, 9, 9])
    verdict = kc.audit(table, release_of(table, [0, 0, 1, 2, 2]))[0]
    assert (verdict.holds, verdict.found, verdict.required, verdict.witnesses) == (False, 1, 2, (3,))


def test_the_audit_finds_a_cell_that_is_not_true():
    table = table_of(x=[1.0, 2.0, 3.0, 4.0])
    release = release_of(table, [0, 0, 1, 1])
    narrow = Intervals(np.array([1.0, 3.0]), np.array([2.0, 3.5]), np.array([False, False]))
    columns = (dataclasses.replace(release["x"], cells=narrow),)
    forged = kc.Release(table, release.cover, columns, release.recipe)
    truth = kc.audit(table, forged)[1]
    assert (truth.holds, truth.witnesses) == (False, (4,))


def test_the_audit_finds_a_mean_outside_its_group():
    table = table_of(x=[1.0, 2.0, 3.0, 4.0])
    table = table.with_schema(table.schema.with_recodings({"x": "mean"}))
    release = release_of(table, [0, 0, 1, 1])
    assert kc.audit(table, release)[1].holds
    means = AggregatedNumbers.of(np.array([1.5, 99.0]), release["x"].cells.underlying)
    wrong = dataclasses.replace(release["x"], cells=means)
    assert kc.audit(table, dataclasses.replace(release, published=(wrong,)))[1].witnesses == (3, 4)


def test_the_audit_finds_a_quasi_identifier_that_is_not_anonymized():
    table = table_of(x=[1.0, 2.0], c=["a", "b"])
    release = release_of(table, [0, 0])
    stripped = dataclasses.replace(release, published=release.published[:1])
    verdict = kc.audit(table, stripped)[2]
    assert not verdict.holds
    assert "“c”" in verdict.sentence
    assert "c" not in stripped.to_frame()


def test_another_schemas_release_is_refused():
    table = table_of(x=[1.0, 2.0], c=["a", "b"])
    release = release_of(table.with_schema(table.schema.with_roles({"c": "other"})), [0, 0])
    with pytest.raises(kc.KanonError, match="other roles"):
        kc.audit(table, release)


def test_columns_published_unchanged_are_named():
    schema = Schema((Attribute("x"), Attribute("zip", "other"), Attribute("s", "sensitive")))
    table = table_of(schema, x=["a", "a"], zip=["1", "2"], s=["f", "g"])
    assert (
        "Published unchanged: “zip” (other), “s” (sensitive)."
        in kc.audit(table, release_of(table, [0, 0]))[2].sentence
    )


def test_a_mean_of_dates_is_one_that_can_be_written():
    schema = Schema((Attribute("d", kind="datetime", recoding="mean"),))
    table = table_of(schema, d=["2020-01-01", "2020-01-02", "2020-01-01", "2020-01-01"])
    release = release_of(table, [0, 0, 1, 1])
    assert set(shown(release, "d")) <= {"2020-01-01", "2020-01-02"}
    assert kc.audit(table, release)[1].holds


def test_parts_of_a_second_are_kept():
    table = table_of(t=pd.to_datetime(["2020-01-01 00:00:00.25", "2020-01-01 00:00:01.0"]))
    assert (
        shown(release_of(table, [0, 0]), "t")[0] == "[2020-01-01 00:00:00.250000, 2020-01-01 00:00:01.000000]"
    )


def test_another_tables_release_is_refused():
    release = release_of(table_of(x=[1, 2]), [0, 0])
    with pytest.raises(kc.KanonError, match="other data"):
        kc.audit(table_of(x=[1, 3]), release)


def test_everything_suppressed_is_said():
    table = table_of(x=[1, 2])
    verdict = kc.audit(table, release_of(table, [-1, -1]))[0]
    assert verdict.holds
    assert "No record is published" in verdict.sentence


cells = st.one_of(st.none(), st.integers(-3, 3).map(float))
texts = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))


@settings(deadline=None)
@given(st.lists(st.tuples(cells, texts, st.integers(-1, 3)), min_size=1, max_size=25))
def test_classes_are_those_of_the_published_texts(rows):
    schema = Schema((Attribute("x", kind="numeric"), Attribute("c")))
    table = table_of(schema, x=[r[0] for r in rows], c=[r[1] for r in rows])
    release = release_of(table, [r[2] for r in rows])
    published = release.to_frame().astype(str).agg("|".join, axis=1)
    kept = ~release.suppressed
    sizes = published[kept].value_counts()
    assert sorted(release.class_sizes.tolist()) == sorted(sizes.tolist())
    assert kc.audit(table, release)[1].holds


def test_a_published_frame_lists_no_category_of_suppressed_records():
    ill = pd.Categorical(
        ["flu", "cold", "flu", "cold", "rare"], categories=["rare", "cold", "flu", "nobody's"]
    )
    frame = pd.DataFrame({"age": [1, 1, 2, 2, 90], "ill": ill})
    table = kc.Table.from_frame(
        frame, Schema.infer(frame).with_roles({"age": "quasi_identifier", "ill": "sensitive"})
    )
    published = release_of(table, [0, 0, 1, 1, -1]).publish()
    assert published["ill"].cat.categories.tolist() == ["cold", "flu"]
    assert sorted(published["ill"]) == ["cold", "cold", "flu", "flu"]


def test_in_short_a_concealment_speaks_of_the_sets_that_its_records_hide_in():
    table = kc.read_table("sample:people-100")
    assert repr(kc.anonymize(table, kc.Tours(), 3, seed=1)) == (
        "Release(100 records, k-concealment with k = 3, 100 overlapping sets of 3 or more, by Tours)"
    )
    assert repr(kc.anonymize(table, kc.MDAV(), 3, seed=1)) == (
        "Release(100 records, k-anonymity with k = 3, 33 groups of 3 or more, by MDAV)"
    )

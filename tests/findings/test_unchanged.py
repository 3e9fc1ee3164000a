"""Unchanged columns: whom they single out, and what they give back."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.words import counted
from kanon_core.findings import DependentColumns, UnchangedColumns
from kanon_core.findings.narrowing import Narrowing
from tests.findings.cases import households
from tests.helpers import looped, release_of, table_of
from tests.oracles.findings import narrowed, singled_out

ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
    " capital-gain capital-loss hours-per-week native-country income"
)


def silent(share, note=""):
    """No progress is shown."""


def with_roles(table: kc.Table, **roles: str) -> kc.Table:
    return table.with_schema(table.schema.with_roles(roles))


def found(search: kc.Search, release: kc.Release) -> dict[tuple[str, ...], kc.Finding]:
    return {finding.columns: finding for finding in search.find(release.table, release, silent)}


def test_adult_gives_the_numbers_of_the_issue(kanon_data):
    """Unique on fnlwgt 47 %, with the published cells 97.2 %; education is given back wherever it was
    generalized, 36 %."""
    file = kanon_data / "adult" / "adult.data"
    frame = pd.read_csv(file, header=None, names=ADULT.split(), skipinitialspace=True, na_values="?")
    quasi = ["age", "workclass", "education", "marital-status", "race"]
    schema = kc.Schema.infer(frame).with_quasi(quasi)
    assert schema["fnlwgt"].role == "sampling_weight"
    schema = schema.with_roles({"income": "sensitive", "fnlwgt": "other"})
    release = kc.anonymize(kc.Table.from_frame(frame, schema), kc.Mondrian(), 10)
    weight = found(UnchangedColumns(), release)["fnlwgt",]
    assert (weight.severity, weight.count) == ("stops", 31_637)
    assert "15,330 of 32,561 records (47.1 %) by it alone" in weight.sentence
    assert "31,637 (97.2 %)" in weight.sentence
    years = found(DependentColumns(), release)["education-num", "education"]
    general = release["education"].cells.sizes[release["education"].cell] > 1
    assert (years.severity, years.count) == ("decide", 11_652) and general.sum() == 11_652
    assert "“education-num” discloses “education”: for 11,652 of 32,561 records (35.8 %)" in years.sentence
    assert list(years.witnesses) == (np.flatnonzero(general)[:1000] + 1).tolist()


def test_a_weight_that_hardly_repeats_stops_the_release():
    weight = found(UnchangedColumns(), households())["weight",]
    assert weight.severity == "stops" and weight.count > 4_900


@pytest.mark.deep
@settings(deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(-1, 2), st.sampled_from("abc"), st.sampled_from(["x", "y", "z", None])),
        min_size=2,
        max_size=14,
    )
)
def test_who_is_singled_out_is_counted_record_by_record(rows):
    groups, letters, values = ([row[i] for row in rows] for i in range(3))
    table = table_of(letter=letters, extra=pd.Series(values, dtype="str"))
    release = release_of(with_roles(table, letter="quasi_identifier", extra="other"), groups)
    alone, together = singled_out(release, values)
    finding = found(UnchangedColumns(stops_at=100), release).get(("extra",))
    assert (list(finding.witnesses) if finding and together else []) == together
    if finding:
        published = counted(sum(g >= 0 for g in groups), "record")
        assert f" singles out {len(alone)} of {published} (" in finding.sentence


def test_in_concealment_the_rows_that_could_be_ones_own_count():
    rng = np.random.default_rng(1)
    table = table_of(age=rng.integers(0, 99, 30), extra=rng.choice(list("abcd"), 30).tolist())
    table = with_roles(table, age="quasi_identifier", extra="other")
    release = kc.anonymize(table, kc.Greedy(), 3)
    _, together = singled_out(release, table.frame["extra"].tolist())
    assert together and list(found(UnchangedColumns(), release)["extra",].witnesses) == together


def test_severity_by_share():
    """1 of 100 needs a decision, 20 of 100 stop; columns that are harmless alone count together."""
    for different, severity in ((1, "decide"), (19, "decide"), (20, "stops")):
        extra = [*range(1, different + 1), *[0] * (100 - different)]
        table = with_roles(table_of(age=[1] * 100, extra=extra), age="quasi_identifier", extra="other")
        finding = found(UnchangedColumns(), release_of(table, [0] * 100))["extra",]
        assert (finding.severity, finding.count) == (severity, different)
    # With the published cells it singles everybody out, by itself nobody: that is for whoever signs.
    table = with_roles(table_of(age=[1, 1, 2, 2], extra=[0, 1, 0, 1]), age="quasi_identifier", extra="other")
    finding = found(UnchangedColumns(), release_of(table, [0, 0, 1, 1], k=2))["extra",]
    assert (finding.severity, finding.count) == ("decide", 4)
    table = table_of(age=[1] * 100, one=np.arange(100) // 10, two=np.arange(100) % 10)
    table = with_roles(table, age="quasi_identifier", one="other", two="other")
    both = found(UnchangedColumns(), release_of(table, [0] * 100))
    assert both["one", "two"].severity == "stops" and both["one", "two"].count == 100
    assert ("one",) not in both


def test_what_looks_like_a_name_stops_whatever_its_role():
    for role in ("other", "sensitive"):
        table = table_of(age=[1, 1, 2, 2], full_name=["a", "a", "b", "b"])
        table = with_roles(table, age="quasi_identifier", full_name=role)
        finding = found(UnchangedColumns(), release_of(table, [0, 0, 1, 1]))["full_name",]
        assert finding.severity == "stops" and "looks like a name" in finding.sentence


def test_a_sensitive_column_is_judged_alone():
    """Four different values in a class are what diversity asks for; a value that occurs once is not."""
    table = table_of(age=[1] * 4 + [2] * 4, ill=["a", "b", "c", "d"] * 2)
    table = with_roles(table, age="quasi_identifier", ill="sensitive")
    assert not found(UnchangedColumns(), release_of(table, [0] * 4 + [1] * 4))
    table = table_of(age=[1] * 4 + [2] * 4, ill=["a", "b", "c", "e"] + ["a", "b", "c", "d"])
    table = with_roles(table, age="quasi_identifier", ill="sensitive")
    finding = found(UnchangedColumns(), release_of(table, [0] * 4 + [1] * 4))["ill",]
    assert (finding.severity, finding.witnesses) == ("decide", (4, 8))


@looped(
    "single, severity",
    [(98, "stops"), (50, "stops"), (48, "decide"), (1, "decide"), (0, "")],
)
def test_a_sensitive_column_that_is_nearly_a_number_of_people_stops(single, severity):
    """A column of 100 pays has ``single`` values that occur once; the others occur twice or more."""
    pay = [*range(single), *np.repeat(1_000, 100 - single)]
    table = with_roles(table_of(age=[1] * 100, pay=pay), age="quasi_identifier", pay="sensitive")
    finding = found(UnchangedColumns(), release_of(table, [0] * 100)).get(("pay",))
    assert (finding.severity if finding else "") == severity
    few = with_roles(table_of(age=[1] * 6, pay=list(range(6))), age="quasi_identifier", pay="sensitive")
    assert found(UnchangedColumns(), release_of(few, [0] * 6))["pay",].severity == "decide"


def schooled(n: int = 40) -> kc.Release:
    """Years and degree go together, the weight is everybody's own."""
    rng = np.random.default_rng(n)
    years = rng.integers(13, 15, n)
    degree = np.where(years == 13, "Bachelors", "Masters").tolist()
    table = table_of(age=[1] * n, degree=degree, years=years, weight=np.arange(n))
    roles = {"age": "quasi_identifier", "degree": "quasi_identifier", "years": "other", "weight": "other"}
    table = with_roles(table, **roles)
    return release_of(table, np.arange(n) // 10)


def test_years_of_education_give_the_degree_back_and_a_unique_weight_does_not():
    release = schooled()
    pairs = found(DependentColumns(), release)
    assert set(pairs) == {("years", "degree")}
    finding = pairs["years", "degree"]
    assert (finding.severity, finding.count) == (
        "decide",
        40,
    ) and "“years” discloses “degree”" in finding.sentence
    assert not found(DependentColumns(decide_at=100), households())


def test_what_chance_gives_half_of_is_told_where_that_is_asked_for():
    """Two records each share a house and a letter; in random order about half of the pairs still do."""
    house = np.arange(400) // 2
    letter = np.array(["a", "b"])[np.random.default_rng(3).integers(0, 2, 200)][house].tolist()
    table = with_roles(table_of(letter=letter, house=house), letter="quasi_identifier", house="other")
    release = release_of(table, np.zeros(400, int))
    assert found(DependentColumns(beyond=1), release)["house", "letter"].count == 400
    assert not found(DependentColumns(beyond=3), release)


def test_independent_columns_are_not_called_dependent():
    rng = np.random.default_rng(5)
    n = 2_000
    table = table_of(age=rng.integers(0, 80, n), city=rng.choice(list("abcdefgh"), n).tolist())
    table = table.with_schema(table.schema.with_quasi(["age", "city"]))
    frame = table.frame.assign(shoe=rng.integers(30, 50, n), hat=rng.integers(0, 700, n))
    schema = kc.Schema.infer(frame).with_roles({"shoe": "other", "hat": "other"})
    release = kc.anonymize(kc.Table.from_frame(frame, schema), kc.Mondrian(), 5)
    assert not found(DependentColumns(), release)


CITIES = kc.Hierarchy.of_paths([("a", "first"), ("b", "first"), ("c", "second"), ("never", "second")])


@pytest.mark.deep
@settings(deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.integers(-1, 2),
            st.sampled_from(["a", "b", "c", None]),
            st.sampled_from([1.0, 2.0, 3.5, 9.0, None]),
            st.sampled_from("xyz"),
        ),
        min_size=1,
        max_size=14,
    ).filter(lambda rows: any(row[0] >= 0 for row in rows)),
    recoded=st.booleans(),
    grouped=st.booleans(),
)
def test_cells_are_narrowed_as_plain_counting_says(rows, recoded, grouped):
    groups, letters, numbers, beside = ([row[i] for row in rows] for i in range(4))
    frame = pd.DataFrame(
        {
            "letter": pd.Series(letters, dtype="str"),
            "number": pd.Series(numbers, dtype="float64"),
            "beside": beside,
        }
    )
    roles = {"letter": "quasi_identifier", "number": "quasi_identifier", "beside": "other"}
    schema = (
        kc.Schema.infer(frame).with_kinds({"letter": "categorical", "number": "numeric"}).with_roles(roles)
    )
    if recoded:
        schema = schema.with_recodings({"letter": "mode", "number": "median"})
    if grouped:
        schema = schema.with_hierarchies({"letter": CITIES})
    table = kc.Table.from_frame(frame, schema)
    release = release_of(table, groups)
    codes = np.unique(beside, return_inverse=True)[1]
    for published in release.published:
        column = table[published.attribute.name]
        narrower, back = Narrowing.of(column, published).by(codes)
        assert (narrower.tolist(), back.tolist()) == narrowed(column, published, beside)


def test_the_ways_to_look_pairs_up_agree(monkeypatch):
    release = schooled()
    before = found(DependentColumns(), release)
    monkeypatch.setattr("kanon_core.findings.narrowing._TABLE_AT_MOST", 0)
    assert found(DependentColumns(), release) == before


def test_texts_that_are_said_to_be_numbers_are_looked_at_as_words():
    frame = pd.DataFrame({"age": [20, 21, 22, 23], "income": ["[]"] * 4})
    schema = kc.Schema.infer(frame).with_roles({"income": "sensitive"}).with_kinds({"income": "numeric"})
    table = kc.Table.from_frame(frame, schema)
    release = kc.anonymize(table, kc.Sorting(), k=2, seed=1)
    assert all("income" not in each.columns for each in kc.judge(table, release) if each.severity == "stops")

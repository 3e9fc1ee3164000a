"""Findings on single cells (means, ends of intervals, longitudes), on suppressed records, and on attackers
who join rows or run the algorithm again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.words import tr_n
from kanon_core.findings import Aggregates, DirectJoins, ExactEnds, KnownSeed, Longitude, Suppressed
from tests.contracts.tables import table_of as contract_table
from tests.findings.cases import births, incomes, rerun
from tests.helpers import release_of, table_of


def found(search: kc.Search, release: kc.Release) -> list[kc.Finding]:
    return list(search.find(release.table, release, lambda share, note: None))


def quasi(recoding: str = "generalize", **columns) -> kc.Table:
    """A table of quasi-identifiers, all numbers, recoded so."""
    table = table_of(**columns)
    schema = table.schema.with_quasi(columns).with_kinds(dict.fromkeys(columns, "numeric"))
    return table.with_schema(schema.with_recodings(dict.fromkeys(columns, recoding)))


def test_the_mean_of_10_10_and_1000_gives_the_extreme_away():
    """Without 1000 and the second largest, 10 is left: less than 10 % of 1000. 50, 50, 51: 50 is left."""
    said = {(f.severity, f.columns): f for f in found(Aggregates(), incomes())}
    assert set(said) == {("decide", ("income",)), ("know", ("income",)), ("know", ("area",))}
    dominated = said["decide", ("income",)]
    assert dominated.witnesses == (3,) and "in 1 of 2 groups (50 %)" in dominated.sentence
    assert dominated.price == "Suppressing them costs 1 of 6 records."
    assert "mean of its group" in said["know", ("income",)].sentence
    assert said["know", ("area",)].witnesses == (6,)  # c is published as b
    assert not [f for f in found(Aggregates(p=1), incomes()) if f.severity == "decide"]


def test_a_mean_of_two_is_dominated_and_a_median_never_called_so():
    table = quasi("mean", income=[10.0, 20.0, 30.0, 40.0])
    assert found(Aggregates(), release_of(table, [0, 0, 1, 1]))[1].witnesses == (2, 4)
    table = quasi("median", income=[10.0, 20.0, 30.0, 40.0])
    (finding,) = found(Aggregates(), release_of(table, [0, 0, 1, 1]))
    assert (finding.severity, finding.count) == ("know", 4) and "median" in finding.sentence


@pytest.mark.deep
@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-1, 2), st.one_of(st.none(), st.integers(-2, 9), st.integers(0, 999))),
        min_size=1,
        max_size=15,
    ),
    st.integers(0, 100),
)
def test_dominated_groups_by_plain_counting(rows, p):
    groups, values = [row[0] for row in rows], [row[1] for row in rows]
    release = release_of(quasi("mean", x=pd.Series(values, dtype="float64")), groups)
    least = min(0, *(value for value in values if value is not None), 0)
    wanted = set()
    for group in set(groups) - {-1}:
        own = sorted(
            (value - least, i + 1)
            for i, (value, g) in enumerate(zip(values, groups, strict=True))
            if g == group and value is not None
        )
        if len(own) > 1 and 100 * sum(value for value, _ in own[:-2]) < p * own[-1][0]:
            wanted.add(own[-1][1])
    decided = [f for f in found(Aggregates(p=p), release) if f.severity == "decide"]
    assert {number for f in decided for number in f.witnesses} == wanted


def test_dates_end_where_one_person_was_born():
    """1931-03-04 is one person's, 1940-11-30 that of two; 1980-01-02 that of two, 1991-06-07 of one."""
    (finding,) = found(ExactEnds(), births())
    assert (finding.severity, finding.columns, finding.witnesses) == ("know", ("born",), (1, 6))
    assert "2 of 2 published intervals (100 %)" in finding.sentence


@pytest.mark.deep
@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(-1, 2), st.one_of(st.none(), st.integers(0, 4))), min_size=1, max_size=15)
)
def test_ends_by_plain_counting(rows):
    groups, values = [row[0] for row in rows], [row[1] for row in rows]
    release = release_of(quasi(x=pd.Series(values, dtype="float64")), groups)
    shown = [i for i, group in enumerate(groups) if group >= 0]
    texts = release.to_frame()["x"].astype(str).tolist()
    wanted = set()
    for i in shown:
        alike = [values[j] for j in shown if texts[j] == texts[i] and values[j] is not None]
        if values[i] is not None and min(alike) < max(alike) and values[i] in (min(alike), max(alike)):
            wanted |= {i + 1} if alike.count(values[i]) == 1 else set()
    assert {number for f in found(ExactEnds(), release) for number in f.witnesses} == wanted


def test_ends_in_concealment_are_those_of_the_rows():
    rng = np.random.default_rng(2)
    table = quasi(x=rng.integers(0, 30, 20))
    release = kc.anonymize(table, kc.Greedy(), 3)
    values, wanted = table["x"].values, set()
    for row in range(20):
        own = values[release.cover.members(row)]
        for record in release.cover.members(row):
            ends = own.min() < own.max() and values[record] in (own.min(), own.max())
            wanted |= {int(record) + 1} if ends and (own == values[record]).sum() == 1 else set()
    (finding,) = found(ExactEnds(), release)
    assert set(finding.witnesses) == wanted


@pytest.mark.parametrize("recoding, severity", [("generalize", "know"), ("mean", "decide")])
def test_places_across_180_degrees(recoding, severity):
    table = table_of(longitude=[179.0, -179.0, 178.5, 10.0, 11.0, 12.0])
    table = table.with_schema(table.schema.with_recodings({"longitude": recoding}))
    assert table.schema["longitude"].kind == "longitude"
    assert not found(Longitude(), release_of(table, [0, 0, 0, 1, 1, 1]))
    table = table.with_schema(table.schema.with_kinds({"longitude": "numeric"}))
    (finding,) = found(Longitude(), release_of(table, [0, 0, 0, 1, 1, 1]))
    assert (finding.severity, finding.witnesses) == (severity, (1, 2, 3))
    assert not found(Longitude(near=0), release_of(table, [0, 0, 0, 1, 1, 1]))
    numbers = table_of(height=[179.0, -179.0, 178.5, 10.0, 11.0, 12.0])
    assert not found(Longitude(), release_of(numbers, [0, 0, 0, 1, 1, 1]))


def test_suppressed_records():
    release = release_of(quasi(x=range(100)), [-1] * 4 + [0] * 96)
    (finding,) = found(Suppressed(), release)
    assert (finding.severity, finding.witnesses) == ("know", (1, 2, 3, 4)) and "(4 %)" in finding.sentence
    assert found(Suppressed(many=4), release)[0].severity == "decide"
    assert not found(Suppressed(), release_of(quasi(x=range(4)), [0] * 4))


def test_a_short_seed_is_a_decision_and_a_secret_one_none(secrets):
    (finding,) = found(KnownSeed(), rerun())
    assert (
        finding.severity == "decide"
        and "which of the possible rows of a record is the true one" in finding.sentence
    )
    table = kc.read_table("sample:people-100")
    assert (
        "the groups still protect their records"
        in found(KnownSeed(), kc.anonymize(table, kc.MDAV(), 5, seed=2**64 - 1))[0].sentence
    )
    assert not found(KnownSeed(), kc.anonymize(table, kc.MDAV(), 5, seed=2**64))
    assert not found(KnownSeed(), kc.anonymize(table, kc.MDAV(), 5))


def test_who_knows_every_item_joins_rows():
    table = contract_table("composite", 23)
    release = kc.anonymize(table, kc.TopDown(known_items=1), 3)
    classes = release.classes.tolist()
    apart = [i + 1 for i, one in enumerate(classes) if one >= 0 and classes.count(one) < 3]
    (finding,) = found(DirectJoins(), release)
    assert apart and (finding.severity, list(finding.witnesses)) == ("decide", apart)
    assert not found(DirectJoins(), kc.anonymize(table, kc.TopDown(), 3))


def test_long_histories_under_several_pseudonyms():
    table = contract_table("purchases", 60)
    assert not found(DirectJoins(), kc.anonymize(table, kc.PurchaseHistories(grouping="whole"), 2))
    release = kc.anonymize(table, kc.PurchaseHistories(grouping="similar"), 2)
    frame, person = release.to_frame(), table.frame["customer"]
    names = frame["customer"][frame["customer"] != "*"].groupby(person).nunique()
    many = set(names[names > 1].index)
    wanted = [i + 1 for i in range(60) if person[i] in many and frame["customer"][i] != "*"]
    (finding,) = found(DirectJoins(), release)
    assert wanted and list(finding.witnesses) == wanted
    people = tr_n("{n} person has", "{n} people have", len(many)).format(n=len(many))
    assert finding.sentence.startswith(f"{people} {names[names > 1].sum()} pseudonyms")

"""The audit finds every single broken promise: releases forged in one place each, which only that place
betrays."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.covers.cells import AggregatedValues, Intervals, PublishedColumn, ValueSets
from kanon_core.covers.cover import Concealment
from kanon_core.guarantees import (
    KAnonymity,
    KConcealment,
    LDiversity,
    PersonKAnonymity,
    TCloseness,
    Truth,
    Withheld,
)
from tests.helpers import release_of, table_of

PEOPLE = {"who": ["A", "B", "C", "D"], "age": [1.0, 2.0, 3.0, 4.0], "city": ["a", "b", "a", "b"]}


def five(*rows: tuple[float, float]) -> kc.Release:
    """Records 1 … 5 of k-concealment at k = 2, published with these intervals."""
    table = table_of(x=[1.0, 2.0, 3.0, 4.0, 5.0])
    low, high = np.array(rows, np.float64).T
    intervals = Intervals(low, high, np.zeros(5, bool))
    cells = (PublishedColumn(table["x"].attribute, intervals, np.arange(5)),)
    recipe = kc.Recipe(table.schema, kc.Greedy(), 2, 0, table.data_digest, 5)
    return kc.Release(table, Concealment(np.array([np.arange(5), np.roll(np.arange(5), 1)])), cells, recipe)


def test_concealment_is_judged_by_matches_and_not_by_rows_that_fit():
    """Everybody fits two rows and every row two records, but 1 and 2 need each other's rows, and so do 4 and
    5: 3 has one."""
    release = five((1, 3), (1, 2), (3, 4), (4, 5), (4, 5))
    counts = release.consistency()
    assert counts.rows.min() == counts.originals.min() == 2 and counts.perfect
    verdict = KConcealment(2).check(release.table, release)
    assert (verdict.holds, verdict.found, verdict.required, verdict.witnesses) == (False, 1, 2, (3,))
    assert kc.audit(release.table, release)[0] == verdict
    assert release.hidden_among.tolist() == [2, 2, 1, 2, 2]


def test_concealment_holds_where_every_record_has_k_matches():
    release = five((1, 5), (1, 2), (2, 3), (3, 4), (4, 5))
    verdict = KConcealment(2).check(release.table, release)
    assert verdict.holds and verdict.found == 2 and not verdict.witnesses


def test_a_cell_that_is_not_true_is_found_in_whichever_column_it_is():
    table = table_of(x=[1.0, 2.0, 3.0, 4.0], c=["a", "b", "a", "b"])
    release = release_of(table, [0, 0, 1, 1])
    x, c = release.published
    intervals = Intervals(np.array([1.0, 3.0]), np.array([2.0, 3.5]), np.zeros(2, bool))
    narrow = dataclasses.replace(x, cells=intervals)
    alone = dataclasses.replace(c, cells=ValueSets(np.array([0, 1, 3]), np.array([0, 0, 1], np.int32)))
    for published, wrong in (((narrow, c), (4,)), ((x, alone), (2,)), ((narrow, alone), (2, 4))):
        verdict = Truth().check(table, dataclasses.replace(release, published=published))
        assert (verdict.holds, verdict.found, verdict.witnesses) == (False, len(wrong), wrong)
    assert Truth().check(table, release).holds


def test_a_mode_outside_its_group_is_found():
    table = table_of(c=["a", "b", "c", "c"])
    table = table.with_schema(table.schema.with_recodings({"c": "mode"}))
    release = release_of(table, [0, 0, 1, 1])
    assert Truth().check(table, release).holds
    codes, (column,) = np.array([2, 2], np.int32), release.published
    wrong = dataclasses.replace(column, cells=AggregatedValues.of(codes, column.cells.underlying))
    verdict = Truth().check(table, dataclasses.replace(release, published=(wrong,)))
    assert not verdict.holds and verdict.witnesses == (1, 2)


@pytest.mark.parametrize("role", ["identifier", "person"])
def test_a_column_that_names_people_is_found_where_it_is_published(role, monkeypatch):
    table = table_of(**PEOPLE)
    roles = {"who": role, "age": "quasi_identifier", "city": "other"}
    table = table.with_schema(table.schema.with_roles(roles))
    release = release_of(table, [0, 0, 1, 1])
    assert Withheld().check(table, release).holds
    shown = release.to_frame()
    monkeypatch.setattr(kc.Release, "to_frame", lambda release, rows=None: shown.assign(who=PEOPLE["who"]))
    verdict = Withheld().check(table, release)
    assert (verdict.holds, verdict.found) == (False, 1) and "“who”" in verdict.sentence


def test_a_column_that_is_no_quasi_identifier_and_is_published_as_one_is_found():
    table = table_of(**{name: PEOPLE[name] for name in ("age", "city")})
    release = release_of(table, [0, 0, 1, 1])
    other = table.with_schema(table.schema.with_roles({"city": "other"}))
    verdict = Withheld().check(other, release)
    assert (verdict.holds, verdict.found) == (False, 1) and "“city”" in verdict.sentence


@pytest.mark.parametrize(
    ("algorithm", "guarantee"),
    [
        (kc.MDAV(), KAnonymity),
        (kc.Greedy(), KConcealment),
        (kc.TopDown(diversity=2), LDiversity),
        (kc.TopDown(closeness=0.9), TCloseness),
        (kc.PurchaseHistories(), PersonKAnonymity),
        (kc.MDAV(), Truth),
        (kc.MDAV(), Withheld),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_whichever_guarantee_breaks_there_is_no_release(algorithm, guarantee, monkeypatch):
    roles = {
        "who": "person" if algorithm.guarantees(2)[0].unit == "people" else "identifier",
        "city": "sensitive",
    }
    table = table_of(**PEOPLE)
    table = table.with_schema(table.schema.with_roles({**roles, "age": "quasi_identifier"}))
    assert kc.anonymize(table, algorithm, 2)
    broken = kc.Verdict(guarantee.name, False, 1, 2, "It is broken.")
    monkeypatch.setattr(guarantee, "check", lambda *arguments: broken)
    with pytest.raises(kc.BrokenPromise, match=f"guarantee of {guarantee.name}: It is broken"):
        kc.anonymize(table, algorithm, 2)

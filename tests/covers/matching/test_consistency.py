"""Counts of matches: the paper's examples, brute force over permutations, and releases of all kinds."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest

import kanon_core.covers.matching.consistency as module
from kanon_core.base.errors import KanonError
from kanon_core.covers.cells import Intervals, PublishedColumn, ValueSets
from kanon_core.covers.cover import Concealment, Partition
from kanon_core.covers.matching.consistency import consistency
from kanon_core.covers.recoding import recode
from kanon_core.table.table import Table
from tests.helpers import looped, release_of, table_of

PEOPLE = {"age": [10, 20, 40, 50], "sex": ["F", "M", "M", "F"]}
OWN = np.arange(4)


def example(ages, sexes):
    """Table 1 of the paper, published with these intervals and sets (as texts of codes F = 0, M = 1)."""
    table = table_of(**PEOPLE)
    low, high = np.array(ages, np.float64).T
    sets = [[("F", "M").index(sex) for sex in text] for text in sexes]
    starts = np.cumsum([0, *map(len, sets)])
    age, sex = (column.attribute for column in table.quasi)
    return table, (
        PublishedColumn(age, Intervals(low, high, np.zeros(4, bool)), OWN),
        PublishedColumn(sex, ValueSets(starts, np.concatenate(sets).astype(np.int32)), OWN),
    )


B1 = example([(10, 50), (10, 20), (20, 40), (40, 50)], ["F", "FM", "M", "FM"])
B2 = example([(10, 50), (10, 40), (20, 40), (40, 50)], ["F", "FM", "M", "FM"])


def test_table_5_of_the_paper_gives_everybody_two_matches():
    found = consistency(*B1)
    assert found.perfect
    assert found.matches.tolist() == found.row_matches.tolist() == [2, 2, 2, 2]


def test_table_6_of_the_paper_gives_carol_and_row_2_three_matches():
    found = consistency(*B2)
    assert found.matches.tolist() == [2, 2, 3, 2]
    assert found.row_matches.tolist() == [2, 3, 2, 2]


def test_table_6_gives_alice_her_row_in_two_of_three_ways():
    """Two matches, and yet not one in two: what `WorstRisk` says of k-concealment is a random pick, no
    bound."""
    table, published = B2
    rows = np.arange(4)

    def fits(way) -> bool:
        return all(p.cells.contain(table[p.attribute.name], rows, np.array(way)).all() for p in published)

    ways = [way for way in itertools.permutations(range(4)) if fits(way)]
    assert len(ways) == 3 and sum(way[0] == 0 for way in ways) == 2
    assert consistency(*B2).matches[0] == 2


def test_the_order_of_the_rows_changes_nothing_but_the_order():
    order = np.array([2, 0, 3, 1])
    found = consistency(B2[0], rows_as(B2[1], order))
    assert found.perfect
    assert found.matches.tolist() == [2, 2, 3, 2]
    assert found.row_matches.tolist() == np.array([2, 3, 2, 2])[order].tolist()


def test_consistent_pairs_need_not_be_matches():
    """Row 1 fits everybody, row 2 only record 2, row 3 records 2 and 3: each record has one match, its own
    row."""
    table = table_of(x=[1.0, 2.0, 3.0])
    cells = Intervals(np.array([1.0, 2.0, 2.0]), np.array([3.0, 2.0, 3.0]), np.zeros(3, bool))
    found = consistency(table, [PublishedColumn(table.quasi[0].attribute, cells, np.arange(3))])
    assert found.rows.tolist() == [1, 3, 2]
    assert found.originals.tolist() == [3, 1, 2]
    assert found.matches.tolist() == found.row_matches.tolist() == [1, 1, 1]


def test_rows_that_cannot_all_be_true_have_no_match():
    table = table_of(x=[1.0, 2.0, 3.0])
    cells = Intervals(np.array([1.0, 1.0, 1.0]), np.array([2.0, 2.0, 2.0]), np.zeros(3, bool))
    found = consistency(table, [PublishedColumn(table.quasi[0].attribute, cells, np.arange(3))])
    assert not found.perfect
    assert found.rows.tolist() == [3, 3, 0]
    assert not found.matches.any() and not found.row_matches.any()


def rows_as(published, cell):
    """The same cells, row i published with cell ``cell[i]``."""
    return [dataclasses.replace(column, cell=cell) for column in published]


def brute_force(table, published, cell):
    """Rows, originals, matches and row matches by all permutations."""
    n = len(table)
    fits = np.ones((n, n), bool)  # [original, row]
    for row, c in enumerate(cell):
        if c >= 0:
            for one in published:
                column = table[one.attribute.name]
                fits[:, row] &= one.cells.contain(column, np.arange(n), np.full(n, c))
    used = np.zeros((n, n), bool)
    for rows in itertools.permutations(range(n)):
        if fits[np.arange(n), rows].all():
            used[np.arange(n), rows] = True
    shown = np.asarray(cell) >= 0
    fits, used = fits & shown, used & shown
    return fits.sum(1), fits.sum(0), used.sum(1), used.sum(0)


def random_case(seed):
    """A small mixed table with gaps and repeated records, published along random, often overlapping, sets of
    records."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    numbers = np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 4, n))
    words = [None if rng.random() < 0.15 else "abcd"[rng.integers(4)] for _ in range(n)]
    table = Table.from_frame(pd.DataFrame({"x": numbers, "c": words}))
    table = table.with_schema(
        table.schema.with_kinds({"x": "numeric", "c": "categorical"}).with_quasi(["x", "c"])
    )
    if seed % 2:
        cover = Partition(rng.integers(-1, 3, n))
    else:
        cover = Concealment(np.array([np.roll(np.arange(n), step) for step in range(min(n, 2))]))
    return table, tuple(recode(column, cover) for column in table.quasi), cover.set_of, rng


@pytest.mark.deep
@looped("seed", range(60))
def test_counts_equal_brute_force(seed, monkeypatch):
    table, published, cell, rng = random_case(seed)
    order = rng.permutation(len(cell))
    for each in (cell, cell[order]):
        found = consistency(table, rows_as(published, each))
        assert found.perfect
        expected = brute_force(table, published, each)
        for counts, wanted in zip(
            (found.rows, found.originals, found.matches, found.row_matches), expected, strict=True
        ):
            assert counts.tolist() == wanted.tolist()
    with monkeypatch.context() as little:
        little.setattr(module, "EDGES_AT_ONCE", 1)
        merged = consistency(table, published)
    assert merged.matches.tolist() == brute_force(table, published, cell)[2].tolist()


def test_merging_in_portions_changes_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    table = table_of(x=rng.normal(size=300).round(2), y=rng.normal(size=300).round(2))
    cover = Concealment(np.array([np.roll(np.arange(300), step) for step in range(3)]))
    published = [recode(column, cover) for column in table.quasi]
    whole = consistency(table, published)
    monkeypatch.setattr(module, "EDGES_AT_ONCE", 500)
    monkeypatch.setattr(module, "_ROOM", 300)
    parts = consistency(table, published)
    for name in ("rows", "originals", "matches", "row_matches"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
    assert (whole.matches >= 3).all() and whole.rows.max() > 3


def test_groups_of_equal_rows_give_as_many_matches_as_records():
    table = table_of(x=[1.0, 2.0, 3.0, 11.0, 12.0, 13.0, 14.0])
    release = release_of(table, [0, 0, 0, 1, 1, 1, 1])
    found = consistency(table, release.published)
    assert found.matches.tolist() == found.originals.tolist() == [3, 3, 3, 4, 4, 4, 4]


def test_too_many_pairs_in_another_order_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(module, "EDGES_TO_MATCH", 3)
    with pytest.raises(KanonError, match="order of the records"):
        consistency(B2[0], rows_as(B2[1], np.array([2, 0, 3, 1])))


def test_whatever_the_tick_raises_passes_through():
    class Stop(Exception):
        pass

    def tick(fraction, note=""):
        raise Stop

    with pytest.raises(Stop):
        consistency(*B1, tick)

"""Equal records counted once: which are equal, and that Mondrian's groups stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.partitioning import equals, mondrian
from kanon_core.algorithms.partitioning.equals import different
from kanon_core.base.compiled import uncompiled
from tests.helpers import mixed_columns, table_of

RULES = (kc.Mondrian(), kc.Mondrian(diversity=2.0), kc.Mondrian(closeness=0.4))


@contextmanager
def always() -> Iterator[None]:
    """Equal records are looked for however few they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equals, "FEWEST", 0)
        patch.setattr(equals, "TIMES", 0.0)
        yield


def repeated(rng: np.random.Generator, n: int, kinds: int) -> kc.Table:
    """n records drawn of a few; numbers with ties and missing cells, words, and what a rule protects."""
    drawn = rng.integers(0, kinds, n)
    columns = {name: np.array(cells, object)[drawn] for name, cells in mixed_columns(rng, kinds).items()}
    table = table_of(**columns, illness=rng.choice(["flu", "cold", "gout"], n))
    roles = dict.fromkeys(columns, "quasi_identifier") | {"illness": "sensitive"}
    return table.with_schema(table.schema.with_roles(roles))


@given(seed=st.integers(0, 10**6), n=st.integers(0, 60))
def test_rows_are_told_apart_by_all_their_columns(seed, n):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(-1, 2, n), np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 3, n) / 2)]
    with always():
        found = different(columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    if not n:
        assert found is None
        return
    assert len(set(map(str, rows))) == len(found.first) == len(found.counts)
    assert [str(rows[found.first[kind]]) for kind in found.of] == list(map(str, rows))
    assert found.counts.tolist() == np.bincount(found.of).tolist()
    assert (np.diff(found.first) > 0).all()


def test_rows_are_counted_once_where_they_are_many_to_each_different_one():
    rng = np.random.default_rng(3)
    for kinds, pays in ((300, True), (10_000, True), (10**6, False)):
        found = different([rng.integers(0, kinds, 40_000), np.zeros(40_000)])
        assert (found is not None) == pays
    assert different([np.zeros(equals.FEWEST - 1)]) is None and different([]) is None


def test_different_rows_of_one_hash_are_not_taken_for_equal(monkeypatch):
    monkeypatch.setattr(equals, "_hashes", lambda columns: np.zeros(len(columns[0]), np.uint64))
    with always():
        assert different([np.array([1, 1, 2])]) is None
        assert different([np.array([1, 1, 1])]).counts.tolist() == [3]


@pytest.mark.deep
@pytest.mark.parametrize("interpreted", [True, False])
@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(6, 120),
    kinds=st.integers(1, 30),
    k=st.integers(2, 6),
    rule=st.sampled_from(RULES),
)
def test_the_groups_are_those_of_every_record_by_itself(interpreted, seed, n, kinds, k, rule):
    table = repeated(np.random.default_rng(seed), n, kinds)
    with uncompiled(interpreted):
        expected = rule.cover(table, k, Run()).groups
        with always():
            found = rule.cover(table.with_schema(table.schema), k, Run()).groups
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize(
    "algorithm", [kc.Mondrian(strict=False), kc.Mondrian(cut="gain"), kc.Mondrian()], ids=str
)
def test_other_cuts_and_runs_with_a_log_take_each_record_by_itself(monkeypatch, algorithm):
    monkeypatch.setattr(mondrian, "different", lambda columns: pytest.fail("looked for equal records"))
    log = Log() if algorithm == kc.Mondrian() else None
    algorithm.cover(repeated(np.random.default_rng(1), 60, 9), 3, Run(log=log))

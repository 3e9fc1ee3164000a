"""kᵐ-anonymity against a count of every combination."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.guarantees import KMAnonymity
from kanon_core.guarantees.files.written import WrittenFile
from tests.algorithms.partitioning.test_composite import table_of
from tests.helpers import release_of, verdict_on


def shown(sets: list[frozenset], groups: list[int]) -> list[frozenset | None]:
    """Return the items that each record publishes; None when it is suppressed."""
    common = {
        g: frozenset.intersection(*[s for s, h in zip(sets, groups, strict=True) if h == g]) for g in groups
    }
    return [None if g < 0 else common[g] for g in groups]


@pytest.mark.deep
@settings(max_examples=300, deadline=None)
@given(data=st.data(), m=st.integers(1, 6), k=st.integers(2, 4))
def test_as_many_records_fail_as_by_counting(data, m, k):
    n = data.draw(st.integers(1, 14))
    sets = data.draw(st.lists(st.frozensets(st.integers(0, 5), min_size=1), min_size=n, max_size=n))
    groups = data.draw(st.lists(st.integers(-1, 6), min_size=n, max_size=n))
    table = table_of(s=sets)
    published = shown(sets, groups)
    support = {
        known: sum(known <= other for other in published if other is not None)
        for one in published
        if one
        for size in range(1, m + 1)
        for known in map(frozenset, combinations(sorted(one), size))
    }
    failing = [
        i + 1
        for i, one in enumerate(published)
        if one
        and any(
            support[frozenset(known)] < k
            for size in range(1, m + 1)
            for known in combinations(sorted(one), size)
        )
    ]
    verdict = KMAnonymity(k, m).check(table, release_of(table, groups, k))
    assert verdict.holds == (not failing)
    assert list(verdict.witnesses) == failing
    if support:
        assert verdict.found <= min(support.values()) if verdict.holds else verdict.found < k


def test_worked_example():
    """Any one of a, b, c is published of 4 records, any two of 2: 2²-anonymous, 4¹-anonymous, not
    3²-anonymous."""
    sets = [frozenset(s) for s in ("ab", "ac", "bc", "ab", "ac", "bc")]
    table = table_of(s=sets)
    found = {
        (k, m): KMAnonymity(k, m).check(table, release_of(table, list(range(6)), k))
        for k in (2, 3, 4)
        for m in (1, 2)
    }
    assert {key for key, verdict in found.items() if verdict.holds} == {(2, 1), (2, 2), (3, 1), (4, 1)}
    assert found[3, 2].witnesses == (1, 2, 3, 4, 5, 6) and found[3, 2].found == 2


def test_three_known_items_can_tell_more_than_two():
    """Each record has a different three of four drugs: any two drugs are in two records, any three in one."""
    table = table_of(s=[frozenset(s) for s in ("abc", "abd", "acd", "bcd")])
    two, three = (KMAnonymity(2, m).check(table, release_of(table, list(range(4)), 2)) for m in (2, 3))
    assert two.holds and two.found == 2
    assert not three.holds and three.found == 1 and three.witnesses == (1, 2, 3, 4)


@pytest.mark.parametrize("order", ["st", "ts"])
def test_every_column_of_item_sets_must_keep_it(order):
    """Whichever of two columns it is that tells records 1 and 2 apart."""
    sets = {"s": [frozenset(s) for s in ("a", "b", "c", "c")], "t": [frozenset("x")] * 4}
    table = table_of(**{name: sets[name] for name in order})
    verdict = KMAnonymity(2, 1).check(table, release_of(table, list(range(4)), 2))
    assert (verdict.holds, verdict.found, verdict.witnesses) == (False, 1, (1, 2))


def test_k_anonymous_item_sets_keep_it_for_every_m():
    rng = np.random.default_rng(0)
    sets = [frozenset(rng.integers(0, 30, rng.integers(1, 9)).tolist()) for _ in range(400)]
    release = kc.anonymize(table_of(s=sets), kc.TopDown(), 5)
    assert all(KMAnonymity(5, m).check(release.table, release).holds for m in (1, 2, 3))


@pytest.mark.parametrize("m", [0, 9, True, 2.5, "two", None])
def test_an_illegal_m_is_refused(m):
    with pytest.raises(kc.OptionError, match="“m” of KMAnonymity must be a whole number from 1 to 8"):
        KMAnonymity(5, m)


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(data=st.data(), m=st.integers(1, 5), k=st.integers(2, 4), ages=st.booleans())
def test_a_file_as_it_stands_fails_where_counting_every_combination_finds_less_than_k(data, m, k, ages):
    n = data.draw(st.integers(1, 12))
    columns = {
        name: data.draw(st.lists(st.frozensets(st.integers(0, 4)), min_size=n, max_size=n)) for name in "st"
    }
    age = data.draw(st.lists(st.sampled_from("xy"), min_size=n, max_size=n)) if ages else ["x"] * n
    table = table_of(**columns, **({"age": age} if ages else {}))
    known = [frozenset((name, item) for name in "st" for item in columns[name][i]) for i in range(n)]
    found = {
        i: min(
            sum(age[j] == age[i] and set(some) <= known[j] for j in range(n))
            for size in range(m + 1)
            for some in combinations(sorted(known[i]), size)
        )
        for i in range(n)
    }
    verdict = verdict_on(kc.KKMAnonymity(k, m), WrittenFile(table, table.frame))
    failing = [i + 1 for i, least in found.items() if least < k]
    assert verdict.holds == (not failing)
    assert list(verdict.witnesses) == failing
    assert verdict.found <= min(found.values()) if verdict.holds else verdict.found < k


def test_an_audit_asked_for_known_items_checks_them_last():
    table = table_of(s=[frozenset("ab")] * 3 + [frozenset("ac")] * 3)
    release = kc.anonymize(table, kc.TopDown(), 3)
    plain = kc.audit(table, release)
    asked = kc.audit(table, release, known_items=2)
    assert asked[:-1] == plain
    assert asked[-1] == KMAnonymity(3, 2).check(table, release) and asked[-1].holds
    with pytest.raises(kc.KanonError, match="“m” of KMAnonymity"):
        kc.audit(table, release, known_items=9)


def test_what_more_known_items_cost_is_said_before():
    """Two different baskets, of 100 and 99 items: the first alone has 79,375,495 combinations of at most
    five, which are looked at for six."""
    table = table_of(s=[frozenset(range(100))] * 2 + [frozenset(range(99))])
    assert not KMAnonymity(2, 4).unsuitable(table) and not KMAnonymity(2, 3).unsuitable(table)
    (reason,) = KMAnonymity(2, 6).unsuitable(table)
    assert "up to 2e+08 combinations" in reason and "at most 2e+07 are counted" in reason
    with pytest.raises(kc.UnsuitableError, match="choose fewer known items"):
        kc.audit(table, kc.anonymize(table, kc.TopDown(), 2), known_items=6)
    assert not KMAnonymity(4, 6).unsuitable(table)

"""Losses in bits against their definitions, record by record."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from tests.helpers import release_of, table_of


def test_the_examples_of_the_measures():
    table = table_of(kc.Schema((kc.Attribute("c"),)), c=list("abcd"))
    found = kc.EntropyLoss().measure(table, release_of(table, [0, 0, 1, 2]))
    assert found.total == 0.25 and found.details == {"bits lost": 2, "bits there are": 8}
    table = table_of(kc.Schema((kc.Attribute("x", kind="numeric"),)), x=range(100))
    found = kc.EntropyDifference().measure(table, release_of(table, np.arange(100) // 25))
    assert found.total == pytest.approx(math.log(25) / math.log(100))


def bits(values: list, groups: list[int], allowed) -> tuple[float, float]:
    """The bits that each record lacks, summed, and those of a suppressed table; ``allowed(group, values)``
    are the values of a cell."""
    counts, n = Counter(values), len(values)
    lost = 0.0
    for value, group in zip(values, groups, strict=True):
        members = [v for v, other in zip(values, groups, strict=True) if other == group]
        likely = n if group < 0 else sum(counts[v] for v in counts if allowed(v, members))
        lost -= math.log2(counts[value] / likely)
    return lost, -sum(math.log2(counts[v] / n) for v in values)


def within(value, members: list) -> bool:
    if value is None:
        return None in members
    present = [v for v in members if v is not None]
    return bool(present) and min(present) <= value <= max(present)


ROWS = st.lists(
    st.tuples(st.none() | st.integers(0, 5), st.none() | st.sampled_from("abc"), st.integers(-1, 2)),
    min_size=1,
    max_size=10,
)


@pytest.mark.deep
@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_the_bits_that_a_reader_lacks(rows):
    x, c, groups = (list(part) for part in zip(*rows, strict=True))
    schema = kc.Schema((kc.Attribute("x", kind="numeric"), kc.Attribute("c", weight=2.0)))
    table = table_of(schema, x=np.array(x, np.float64), c=c)
    found = kc.EntropyLoss().measure(table, release_of(table, groups))
    of_x, of_c = bits(x, groups, within), bits(c, groups, lambda v, members: v in members)
    share = {name: lost / whole if whole else 0 for name, (lost, whole) in {"x": of_x, "c": of_c}.items()}
    assert found.attributes == pytest.approx(share, abs=1e-9)
    whole = of_x[1] + 2 * of_c[1]
    assert found.total == pytest.approx((of_x[0] + 2 * of_c[0]) / whole if whole else 0, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.frozensets(st.sampled_from("abc")), st.integers(-1, 1)), min_size=1, max_size=8))
def test_every_item_is_a_bit(rows):
    sets, groups = zip(*rows, strict=True)
    schema = kc.Schema((kc.Attribute("t", kind="items", delimiter=";"),))
    table = table_of(schema, t=[";".join(sorted(held)) for held in sets])
    lost = whole = 0.0
    for item in set().union(*sets):
        has = [item in held for held in sets]
        known = [group >= 0 and all(item in s for s, other in rows if other == group) for group in groups]
        unknown = [h for h, k in zip(has, known, strict=True) if not k]
        lost -= sum(math.log2(Counter(unknown)[h] / len(unknown)) for h in unknown)
        whole -= sum(math.log2(Counter(has)[h] / len(has)) for h in has)
    found = kc.EntropyLoss().measure(table, release_of(table, groups))
    assert found.total == pytest.approx(lost / whole if whole else 0, abs=1e-9)


def test_a_group_of_a_hierarchy_may_be_any_value_below_it():
    tree = kc.Hierarchy.of_paths([("a", "vowel"), ("e", "vowel"), ("b", "consonant")])
    schema = kc.Schema((kc.Attribute("c", hierarchy=tree),))
    table = table_of(schema, c=["a", "a", "e", "b"])
    found = kc.EntropyLoss().measure(table, release_of(table, [0, 1, 0, 2]))
    lost = -math.log2(2 / 3) - math.log2(1 / 3)
    whole = 2 * math.log2(2) + 2 * math.log2(4)
    assert found.total == pytest.approx(lost / whole)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_identification_by_counting_records(rows):
    x, c, groups = (list(part) for part in zip(*rows, strict=True))
    schema = kc.Schema((kc.Attribute("x", kind="numeric"), kc.Attribute("c")))
    table = table_of(schema, x=np.array(x, np.float64), c=c)
    release = release_of(table, groups)

    def entropy(things: list) -> float:
        return -sum(k / len(things) * math.log2(k / len(things)) for k in Counter(things).values())

    shown = [tuple(row) for row in release.to_frame().astype(str).to_numpy().tolist()]
    pairs = {
        "": (list(zip(x, c, strict=True)), shown),
        "x": (x, [s[0] for s in shown]),
        "c": (c, [s[1] for s in shown]),
    }
    expected = {}
    for name, (true, published) in pairs.items():
        whole = entropy(true)
        expected[name] = (whole - entropy(published)) / whole if whole > 1e-12 else 0
    found = kc.EntropyDifference().measure(table, release)
    assert found.total == pytest.approx(expected.pop(""), abs=1e-9)
    assert found.attributes == pytest.approx(expected, abs=1e-9)

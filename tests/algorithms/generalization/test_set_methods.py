"""Rare items, local partition and apriori against plain Python, by hand, and on baskets and receipts."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.papers.itemsets_runs import in_tens
from tests.contracts.known import as_published, rare
from tests.oracles import set_methods as oracle

PATHS = [
    ("ale", "beer", "drinks"),
    ("stout", "beer", "drinks"),
    ("tea", "drinks"),
    ("milk", "drinks"),
    ("bread", "food"),
    ("cheddar", "cheese", "food"),
    ("gouda", "cheese", "food"),
    ("nails",),
]
ABOVE = {node: above for path in PATHS for node, above in zip(path, (*path[1:], oracle.TOP), strict=True)}
ITEMS = [path[0] for path in PATHS]
baskets = st.lists(st.frozensets(st.sampled_from(ITEMS), max_size=5), min_size=6, max_size=18)


def table_of(sets: list[frozenset], tree: bool = True) -> kc.Table:
    frame = pd.DataFrame({"basket": pd.Series([";".join(sorted(own)) for own in sets], dtype="str")})
    hierarchy = kc.Hierarchy.of_paths(PATHS) if tree else None
    attribute = kc.Attribute("basket", kind="items", delimiter=";", hierarchy=hierarchy)
    return kc.Table.from_frame(frame, kc.Schema((attribute,)))


def shown(release: kc.Release) -> list[frozenset]:
    """The items and groups that each record publishes, without groups above others."""
    (column,) = release.published
    original = release.table[column.attribute.name]
    cells = column.cells.lowest(original)
    labels = original.closure.sets.labels
    sets = [
        frozenset(labels[code] for code in cells.items[cells.starts[i] : cells.starts[i + 1]])
        for i in range(len(cells))
    ]
    return [sets[cell] for cell in column.cell]


@pytest.mark.deep
@settings(max_examples=120, deadline=None)
@given(sets=baskets, k=st.integers(2, 4), m=st.integers(0, 3), tree=st.booleans())
def test_rare_items_are_those_of_a_plain_search(sets, k, m, tree):
    release = kc.anonymize(table_of(sets, tree), kc.RareItems(known_items=m), k)
    kept = oracle.frequent_first(sets, k, m)
    assert shown(release) == [own & kept for own in sets]
    assert not m or not rare(as_published(release), k, m)


@pytest.mark.deep
@settings(max_examples=120, deadline=None)
@given(sets=baskets, k=st.integers(2, 5))
def test_local_partition_is_that_of_a_plain_search(sets, k):
    table = table_of(sets)
    cover = kc.LocalPartition().cover(table, k, Run())
    groups = {frozenset(cover.members(group).tolist()) for group in range(len(cover.sizes))}
    assert groups == set(oracle.partitioned(sets, ABOVE, k))
    assert cover.sizes.min() >= k


@pytest.mark.deep
@settings(max_examples=120, deadline=None)
@given(sets=baskets, k=st.integers(2, 4), m=st.integers(1, 3), top=st.sampled_from(["group", "all"]))
def test_apriori_is_that_of_a_plain_search(sets, k, m, top):
    release = kc.anonymize(table_of(sets), kc.Apriori(known_items=m, top=top), k)
    cut = oracle.generalized(sets, ABOVE, k, m, top == "all")
    assert shown(release) == [frozenset(cut[item] for item in own) - {oracle.TOP} for own in sets]
    assert not rare(as_published(release), k, m)


def test_worked_by_hand():
    """k = 2. One has ale, one stout: apriori makes both beer; nails are of one record and go."""
    sets = [{"ale", "tea"}, {"stout", "tea"}, {"tea"}, {"tea", "nails"}]
    table = table_of([frozenset(own) for own in sets])
    first = kc.anonymize(table, kc.Apriori(known_items=2), 2)
    assert shown(first) == [{"beer", "tea"}, {"beer", "tea"}, {"tea"}, {"tea"}]
    lost = kc.NCP().measure(table, first).records
    assert lost == pytest.approx([2 / 8 / 2, 2 / 8 / 2, 0, 0.5])
    plain = kc.anonymize(table, kc.RareItems(), 2)
    assert shown(plain) == [{"tea"}] * 4
    local = kc.anonymize(table, kc.LocalPartition(), 2)
    assert shown(local) == [{"beer", "tea"}, {"beer", "tea"}, {"tea"}, {"tea"}]
    everything = kc.anonymize(table, kc.Apriori(known_items=2, top="all"), 2)
    assert shown(everything) == [frozenset()] * 4


@pytest.mark.deep
@settings(max_examples=40, deadline=None)
@given(sets=baskets, k=st.integers(2, 4), m=st.integers(0, 2))
def test_groups_that_are_shown_above_items_leave_squared_errors_as_they_are(sets, k, m):
    releases = [kc.anonymize(table_of(sets, tree), kc.RareItems(known_items=m), k) for tree in (True, False)]
    losses = [kc.ILSSDM().measure(release.table, release).total for release in releases]
    assert losses[0] == pytest.approx(losses[1])


def test_what_is_missing_is_said_with_a_remedy():
    sets = [frozenset({"ale"})] * 4
    for algorithm in (kc.LocalPartition(), kc.Apriori()):
        (reason,) = algorithm.unsuitable(table_of(sets, tree=False), 2)
        assert "“basket” has no hierarchy" in reason and "Data page" in reason
    frame = table_of(sets).frame.assign(age=[1, 2, 3, 4])
    schema = kc.Schema((table_of(sets).schema["basket"], kc.Attribute("age", kind="numeric")))
    mixed = kc.Table.from_frame(frame, schema)
    for algorithm in (kc.LocalPartition(), kc.Apriori(), kc.RareItems()):
        (reason,) = algorithm.unsuitable(mixed, 2)
        assert "“age” has one value per record" in reason


@pytest.mark.deep
def test_baskets_are_partitioned_as_by_a_plain_search(kanon_data):
    """The first 3,000 of BMS-WebView-2, numbers of items in tens."""
    table = kc.read_table(kanon_data / "baskets" / "BMS-WebView-2.fimi.txt")
    name = table.schema.names[-1]
    table = in_tens(kc.Table.from_frame(table.frame.iloc[:3000], table.schema.with_quasi([name])))
    column = table[name]
    sets = [
        frozenset(column.labels[item] for item in column.items[a:b])
        for a, b in zip(column.starts[:-1], column.starts[1:], strict=True)
    ]
    cover = kc.LocalPartition().cover(table, 10, Run())
    groups = {frozenset(cover.members(group).tolist()) for group in range(len(cover.sizes))}
    assert groups == set(oracle.partitioned(sets, dict(table.schema[name].hierarchy.above), 10))
    kept = oracle.frequent_first(sets, 10, 0)
    plain = kc.anonymize(table, kc.RareItems(), 10)
    assert [own & kept for own in sets] == shown(plain)
    losses = {
        type(algorithm).__name__: kc.NCP().measure(table, kc.anonymize(table, algorithm, 10)).total
        for algorithm in (kc.RareItems(), kc.TopDown(), kc.LocalPartition())
    }
    assert losses["RareItems"] > losses["TopDown"] > losses["LocalPartition"] > 0

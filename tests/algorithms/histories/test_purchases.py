"""Purchase histories: the paper's steps, our variants, and input that goes wrong."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.histories.blocks import by_count, by_fewest
from kanon_core.covers.cover import Histories, MalformedCover
from tests.oracles.histories import most_kept, paper, shared_by

ROLES = ("person", *["quasi_identifier"] * 4)
KINDS = ("categorical", "datetime", "categorical", "numeric", "numeric")
NAMES = ("customer", "day", "product", "price", "quantity")
VARIANTS = [
    kc.PurchaseHistories(grouping=grouping, pairing=pairing, remainder=remainder)
    for grouping in ("count", "fewest", "similar", "whole")
    for pairing in ("rank", "assignment")
    for remainder in ("drop", "spread")
]


def table_of(frame: pd.DataFrame) -> kc.Table:
    given = zip(NAMES, ROLES, KINDS, strict=True)
    return kc.Table.from_frame(frame, kc.Schema(tuple(kc.Attribute(*each) for each in given)))


def frame_of(customers: list, seed: int = 0) -> pd.DataFrame:
    rng, n = np.random.default_rng(seed), len(customers)
    days = np.datetime64("2011-01-01") + rng.integers(0, 365, n).astype("timedelta64[D]")
    return pd.DataFrame(
        {
            "customer": pd.Series(customers, dtype="str"),
            "day": days.astype("datetime64[s]"),
            "product": rng.choice(list("ABCDEFGH"), n),
            "price": rng.choice([0.85, 1.25, 2.5, 12.75, 0.85], n),
            "quantity": rng.integers(-3, 5, n),
        }
    )


def customers_of(counts: list[int], seed: int = 0) -> list[str]:
    names = np.repeat([f"c{i}" for i in range(len(counts))], counts)
    return np.random.default_rng(seed).permutation(names).tolist()


def of_each_variant(table: kc.Table, k: int) -> list[tuple[kc.PurchaseHistories, kc.Release]]:
    return [(variant, kc.anonymize(table, variant, k)) for variant in VARIANTS]


def groups_of(release: kc.Release) -> set[frozenset[int]]:
    return {frozenset(release.cover.members(group).tolist()) for group in range(len(release.cover.sizes))}


def promised(release: kc.Release, k: int) -> bool:
    """Return whether at least k people share each history, counted from the published texts alone."""
    shown = np.flatnonzero(~release.suppressed)
    texts = release.to_frame(shown)
    persons = release.table.frame["customer"].iloc[shown].tolist()
    rows = list(texts.drop(columns="customer").itertuples(index=False, name=None))
    assert not {*texts["customer"]} & {*release.table.frame["customer"].dropna()}
    return all(count >= k for count in shared_by(persons, texts["customer"].tolist(), rows).values())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    customers=st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g", None]), min_size=1, max_size=40),
    k=st.integers(2, 4),
    seed=st.integers(0, 9),
)
def test_the_paper_s_steps(customers, k, seed):
    table = table_of(frame_of(customers, seed)).in_given_order()
    if kc.PurchaseHistories().unsuitable(table, k):
        return
    release = kc.anonymize(table, kc.PurchaseHistories(), k)
    frame = table.frame
    expected = paper(customers, frame["price"].tolist(), frame["quantity"].tolist(), k)
    assert groups_of(release) == set(expected)
    assert promised(release, k)


def test_ties_in_count_go_to_the_first_to_appear_and_the_last_are_left_out():
    customers = ["late", "x", "y", "x", "y", "late", "z"]
    release = kc.anonymize(table_of(frame_of(customers)).in_given_order(), kc.PurchaseHistories(), k=3)
    assert release.suppressed.tolist() == [False] * 6 + [True]
    assert release.recipe.algorithm.remainder == "drop"
    assert release.report["people left out"] == 1


def test_what_exceeds_the_shortest_history_is_left_out_from_the_lowest_price_up():
    frame = frame_of(["a", "a", "a", "b", "b"]).assign(price=[1.0, 3, 2, 9, 9], quantity=[5, 1, 1, 1, 2])
    release = kc.anonymize(table_of(frame), kc.PurchaseHistories(), k=2)
    assert release.suppressed.tolist() == [True, False, False, False, False]
    # The dearest of each are paired; of equal prices the larger quantity comes first.
    assert release.cover.groups.tolist() == [-1, 0, 1, 1, 0]


def test_sort_keys_can_be_chosen():
    frame = frame_of(["a", "a", "b", "b"]).assign(price=[1.0, 2, 1, 2], quantity=[2, 1, 1, 2])
    by_price = kc.anonymize(table_of(frame), kc.PurchaseHistories(), k=2)
    by_pieces = kc.anonymize(table_of(frame), kc.PurchaseHistories(by=("quantity",)), k=2)
    assert by_price.cover.groups.tolist() == [0, 1, 0, 1]
    assert by_pieces.cover.groups.tolist() == [0, 1, 1, 0]
    with pytest.raises(kc.UnsuitableError, match="“customer”, which is not a quasi-identifier"):
        kc.anonymize(table_of(frame), kc.PurchaseHistories(by=("customer",)), k=2)


def test_the_remainder_is_spread_over_the_last_blocks():
    table = table_of(frame_of(customers_of([5, 4, 4, 3, 3, 2, 2, 1])))
    dropped = kc.anonymize(table, kc.PurchaseHistories(), k=3)
    spread = kc.anonymize(table, kc.PurchaseHistories(remainder="spread"), k=3)
    assert dropped.report["people left out"] == 2 and spread.report["people left out"] == 0
    # Blocks 5 4 4 3 | 3 2 2 1.
    assert int(spread.suppressed.sum()) == (2 + 1 + 1) + (2 + 1 + 1)
    assert np.unique(spread.hidden_among).tolist() == [0, 4] and promised(spread, 4)


@pytest.mark.deep
def test_every_variant_keeps_its_guarantee():
    for seed, counts in enumerate(
        ([30, 2, 2, 1, 1, 1, 7, 5], [1] * 9, [4, 4, 4], [40, 9, 8, 8, 3, 2, 2, 2, 1], [50, *[5] * 10])
    ):
        table = table_of(frame_of(customers_of(counts, seed), seed))
        owners = table.frame["customer"].to_numpy()
        for k in (2, 3, 4)[: len(counts) - 1]:
            for variant, release in of_each_variant(table, k):
                assert promised(release, k) and (release.hidden_among[~release.suppressed] >= k).all(), (
                    variant
                )
                groups = [release.cover.members(group) for group in range(len(release.cover.sizes))]
                assert all(len(set(owners[group])) == len(group) >= k for group in groups), variant


@settings(max_examples=40, deadline=None, derandomize=True)
@given(counts=st.lists(st.integers(1, 12), min_size=4, max_size=7), k=st.integers(2, 3))
def test_fewest_leaves_out_as_few_as_any_blocks_of_whole_histories(counts, k):
    blocks = by_fewest(np.array(counts), k)
    kept = sum(len(people) * slots for people, slots in zip(blocks.members, blocks.slots, strict=True))
    assert kept == most_kept(counts, k)


def test_fewest_is_never_worse_than_the_paper_and_similar_lets_long_histories_go_on():
    counts = np.array([400, 30, 28, 25, 9, 8, 8, 7, 7, 7, 3, 2])
    table, k = table_of(frame_of(customers_of(counts.tolist()))), 3
    lost = {
        grouping: int(kc.anonymize(table, kc.PurchaseHistories(grouping=grouping), k).suppressed.sum())
        for grouping in ("count", "fewest", "similar")
    }
    assert lost["similar"] < lost["fewest"] <= lost["count"]
    assert by_count(counts, k, False).slots.tolist() == [28, 8, 7, 2]
    release = kc.anonymize(table, kc.PurchaseHistories(grouping="similar"), k)
    parts = np.bincount(release.bearers.owner)
    heavy = int(np.argmax(np.bincount(pd.factorize(table.frame["customer"])[0])))
    assert parts[heavy] > 1 and release.report["further pseudonyms"] == len(release.bearers) - len(parts)
    assert "further pseudonyms" in kc.audit(table, release)[0].sentence


@pytest.mark.deep
def test_assignment_finds_the_cheapest_pairing_of_two_people():
    for n, seed in itertools.product((3, 4), range(12)):
        frame = frame_of(["a"] * n + ["b"] * (n + 1), seed)
        frame["price"] += np.arange(len(frame)) / 100
        table = table_of(frame)
        best = min(
            _utility(table, dict(zip(chosen, range(n), strict=True)), n)
            for chosen in itertools.permutations(range(n, 2 * n + 1), n)
        )
        release = kc.anonymize(table, kc.PurchaseHistories(pairing="assignment"), k=2)
        assert kc.PurchaseUtility().measure(table, release).total == pytest.approx(best)


def _utility(table: kc.Table, partner: dict[int, int], n: int) -> float:
    groups = [partner.get(i, i if i < n else -1) for i in range(2 * n + 1)]
    recipe = kc.Recipe(table.schema, kc.PurchaseHistories(), 2, 0, table.data_digest, len(table))
    release = kc.Release.of(table, kc.Partition(np.array(groups)), recipe)
    return kc.PurchaseUtility().measure(table, release).total


def test_one_purchase_per_person():
    for variant, release in of_each_variant(table_of(frame_of(customers_of([1] * 7))), 2):
        everybody = variant.remainder == "spread" or variant.grouping == "fewest"
        assert int((~release.suppressed).sum()) == (7 if everybody else 6), variant


def test_k_above_the_number_of_people_is_refused():
    table = table_of(frame_of(customers_of([5, 6, 7])))
    said = "The table has only 3 people, fewer than k = 4; choose a smaller k."
    for variant in VARIANTS:
        assert variant.unsuitable(table, 4) == [said] and not variant.unsuitable(table, 3)
    with pytest.raises(kc.UnsuitableError, match=said):
        kc.anonymize(table, VARIANTS[0], k=4)


def test_a_product_that_one_person_bought_hides_in_a_set():
    frame = frame_of(customers_of([3, 3, 3, 3]))
    frame.loc[5, "product"] = "ONLY ONE"
    for variant, release in of_each_variant(table_of(frame), 4):
        shown = release.to_frame()["product"]
        bearing = shown[shown.str.contains("ONLY ONE")]
        assert len(bearing) == 4 and (bearing.str.count(",") >= 1).all(), variant


def test_missing_prices_dates_and_persons():
    frame = frame_of([*customers_of([4, 4, 3, 3, 2]), None, None])
    frame.loc[[1, 5, 9], "price"] = np.nan
    frame.loc[[2, 6], "day"] = pd.NaT
    for variant, release in of_each_variant(table_of(frame), 2):
        assert release.suppressed[-2:].all() and release.report["records without a person"] == 2
        assert promised(release, 2), variant


def test_dates_in_three_formats_are_the_same_purchases():
    frame = frame_of(customers_of([3, 3, 2]))
    days = pd.Series(frame["day"])
    written = {form: days.dt.strftime(form) for form in ("%Y/%m/%d", "%Y-%m-%d", "%d.%m.%Y")}
    releases = [
        kc.anonymize(table_of(frame.assign(day=texts)), kc.PurchaseHistories(), k=3)
        for texts in (*written.values(), days.dt.strftime("%Y年%m月%d日"))
    ]
    tables = [release.to_frame() for release in releases]
    for other in tables[1:]:
        pd.testing.assert_frame_equal(other, tables[0])


def test_rows_wise_algorithms_protect_no_people():
    table = table_of(frame_of(customers_of([3, 3, 2])))
    with pytest.raises(kc.UnsuitableError, match=r"8 records, 3 people.*Choose Purchase histories.*\.$"):
        kc.anonymize(table, kc.MDAV(), k=2)
    once = table_of(frame_of(customers_of([1, 1, 1, 1])))
    assert "customer" not in kc.anonymize(once, kc.MDAV(), k=2).publish()
    both = table.schema.with_roles({"product": "person"})
    for algorithm in (kc.MDAV(), kc.PurchaseHistories()):
        with pytest.raises(kc.UnsuitableError, match="keep this role for only one"):
            kc.anonymize(table.with_schema(both), algorithm, k=2)


def test_a_cover_of_histories_is_checked():
    Histories(np.array([0, 0, 1, 1, -1]), np.array([3, 3, 3, 3, -1]))
    for blocks in ([0, 1, 0, 0, -1], [0, 0, 0, 0, 0], [0, 0, -1, -1, -1], [0, 0, 0, 0], [0, 0, 0, 0, -2]):
        with pytest.raises(MalformedCover):
            Histories(np.array([0, 0, 1, 1, -1]), np.array(blocks))


def test_the_seed_names_people_and_nothing_else():
    table = table_of(frame_of(customers_of([4, 4, 3, 3]))).in_given_order()
    one, other = (kc.anonymize(table, kc.PurchaseHistories(), k=2, seed=seed) for seed in (1, 2))
    assert one.cover == other.cover
    assert not set(one.pseudonyms.tolist()) & set(other.pseudonyms.tolist())


def test_what_is_published_does_not_tell_the_order_of_the_input():
    """The same records in another order give the same published file."""
    frame = frame_of(customers_of([3, 3, 3, 3], 4), 4)
    mixed = frame.sample(frac=1, random_state=5)
    first, second = (
        kc.anonymize(table_of(one), kc.PurchaseHistories(), k=4, seed=3).publish() for one in (frame, mixed)
    )
    pd.testing.assert_frame_equal(first, second)

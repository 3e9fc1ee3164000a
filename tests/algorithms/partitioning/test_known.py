"""Records that show items of their own, against a count of every combination."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.partitioning.topdown.known import groups as known_groups
from kanon_core.algorithms.partitioning.topdown.known import shown
from kanon_core.algorithms.partitioning.topdown.known.shown import baskets_of, shown_items
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.guarantees import KKMAnonymity
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from tests.algorithms.partitioning.test_composite import table_of
from tests.contracts.known import as_published, rare

AGES = st.sampled_from([20, 30, 40, 50])


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(data=st.data(), m=st.integers(1, 3), k=st.integers(2, 4), ages=st.booleans(), two=st.booleans())
def test_no_combination_of_known_items_is_rare(data, m, k, ages, two):
    n = data.draw(st.integers(k, 16))
    sets = st.lists(st.frozensets(st.integers(0, 6)), min_size=n, max_size=n)
    columns = {name: data.draw(sets) for name in ("s", "t")[: 1 + two]}
    if ages:
        columns["age"] = data.draw(st.lists(AGES, min_size=n, max_size=n))
    table = table_of(**columns)
    release = kc.anonymize(table, kc.TopDown(known_items=m), k)
    rows = as_published(release)
    assert not rare(rows, k, m)
    for i, (_, items) in enumerate(rows):
        assert items <= {(name, str(item)) for name in "st" if name in columns for item in columns[name][i]}
    assert release.cover.sizes.min() >= k
    assert release.guarantee.told_apart(release) == sum(
        count for count in Counter(rows).values() if count < k
    )
    verdict = kc.audit(table, release)[0]
    assert verdict.holds and verdict.guarantee == "(k, kᵐ)-anonymity" and verdict.found >= k


def kept_sets(sets: list[str], k: int, m: int) -> list[str]:
    """Return the letters of each of these sets that are published when all sets are one group."""
    table = table_of(s=[frozenset(one) for one in sets])
    return [
        "".join(sorted(item for _, item in items))
        for _, items in as_published(kc.anonymize(table, kc.TopDown(known_items=m), k))
    ]


def test_worked_example():
    """ab is in one record only: of a (4 records) and b (3) the rarer b goes, and stays in 2; with one known
    item nothing goes."""
    sets = ["ab", "a", "a", "a", "b", "b"]
    assert kept_sets(sets, 2, 1) == sets
    assert kept_sets(sets, 2, 2) == ["a", "a", "a", "a", "b", "b"]


def test_the_item_with_most_clashes_goes():
    """x stands beside a, b, c in one record only, which are together in the next: x goes, not the three."""
    assert kept_sets(["abcx", "abc", "x", "x"], 2, 2) == ["abc", "abc", "x", "x"]


def test_three_known_items_cost_what_two_do_not():
    """Every pair of a, b, c is in two records, all three in one."""
    sets = ["abc", "ab", "bc", "ac"]
    assert kept_sets(sets, 2, 2) == sets
    assert sum(map(len, kept_sets(sets, 2, 3))) < 9


def test_what_turns_out_to_break_nothing_is_shown_again():
    """Nothing that is not shown could be added alone."""
    rng = np.random.default_rng(3)
    sets = [frozenset(rng.integers(0, 12, rng.integers(1, 6)).tolist()) for _ in range(60)]
    table = table_of(s=sets)
    for m in (1, 2, 3):
        rows = as_published(kc.anonymize(table, kc.TopDown(known_items=m), 3))
        for i, (single, items) in enumerate(rows):
            for item in sets[i]:
                if ("s", str(item)) not in items:
                    more = [*rows[:i], (single, items | {("s", str(item))}), *rows[i + 1 :]]
                    assert rare(more, 3, m) or not any(("s", str(item)) in other for _, other in rows)


def test_fewer_items_known_lose_fewer_items():
    rng = np.random.default_rng(0)
    sets = [frozenset(rng.geometric(0.15, rng.integers(1, 8)).tolist()) for _ in range(600)]
    table = table_of(s=sets)
    lost = [
        kc.SuppressedItems().measure(table, kc.anonymize(table, kc.TopDown(known_items=m), 5)).total
        for m in (1, 2, 3, 0)
    ]
    assert lost == sorted(lost) and lost[0] < lost[-1]


def test_sets_at_the_edge():
    """One item, empty sets, some empty, all alike, items in every record."""
    for sets in (
        ["a"] * 5,
        [""] * 5,
        ["", "", "a", "a", "b"],
        ["abc"] * 5,
        ["abc", "abd", "abe", "abf", "ab"],
    ):
        for m in (1, 2, 3):
            shown = kept_sets(sets, 2, m)
            assert all(set(one) <= set(own) for one, own in zip(shown, sets, strict=True))
            assert shown == sets or sets[0] != sets[-1]


def test_groups_are_cut_only_as_long_as_it_is_worth_the_items():
    """Two ages that say nothing of the items: halves of 4 cannot show what the 8 can."""
    sets = ["ab", "cd"] * 4
    table = table_of(s=[frozenset(one) for one in sets], age=[1, 1, 1, 1, 2, 2, 2, 2])
    assert len(kc.anonymize(table, kc.TopDown(known_items=2), 4).cover.sizes) == 1
    assert len(kc.anonymize(table, kc.TopDown(known_items=2), 2).cover.sizes) == 2


def test_without_item_sets_there_are_no_items_to_know():
    table = table_of(age=[1, 1, 2, 2, 3, 3])
    with pytest.raises(kc.UnsuitableError, match="about the items that an attacker knows"):
        kc.anonymize(table, kc.TopDown(known_items=2), 2)


@pytest.mark.deep
def test_a_basket_of_ten_thousand_items():
    sets = [
        frozenset(range(10_000)),
        *(frozenset(range(i, 10_000, 3)) for i in range(3)),
        frozenset(range(5_000)),
    ]
    table = table_of(s=sets)
    for m in (1, 2):
        kept = shown_items(baskets_of([table["s"]]), np.zeros(5, np.int64), 2, m)
        release = kc.anonymize(table, kc.TopDown(known_items=m), 2)
        assert kept.sum() == release.published[0].cells.sizes[release.published[0].cell].sum() > 0
    with pytest.raises(kc.UnsuitableError, match="10,000 items"):
        kc.anonymize(table, kc.TopDown(known_items=3), 2)


def test_what_does_not_go_with_known_items_is_refused():
    frame = pd.DataFrame({"s": ["a;b", "a;b", "c;a", "c;a;b", "c;b", "a"], "d": list("xyzxyz")})
    roles = {"s": "quasi_identifier", "d": "sensitive"}
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles).with_kinds({"s": "items"}))
    for algorithm, said in (
        (kc.TopDown(known_items=2, max_suppressed=0.1), "suppresses items but no records"),
        (kc.TopDown(known_items=2, diversity=2.0, protect=("d",)), "ℓ-diversity"),
        (kc.RefineSets(kc.TopDown(known_items=2), steps=1), "known items"),
    ):
        with pytest.raises(kc.UnsuitableError, match=said):
            kc.anonymize(table, algorithm, 2)


def test_progress_and_cancel():
    table = table_of(s=[frozenset({i % 7, i % 5 + 10, i % 3 + 20}) for i in range(200)], age=list(range(200)))
    seen = []
    kc.anonymize(table, kc.TopDown(known_items=3), 5, progress=lambda share, note="": seen.append(note))
    assert any("suppress" in note for note in seen) and any("audit" in note for note in seen)

    for stop in range(0, len(seen) // 2, 5):
        left = iter(range(stop))

        def tick(share, note="", left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            kc.anonymize(table, kc.TopDown(known_items=3), 5, progress=tick)


@pytest.mark.parametrize("seed", range(12))
def test_it_never_loses_more_than_when_all_items_are_known(seed):
    """People with alike baskets: cutting by items pays there, and what the records of a group have in common
    is always shown."""
    rng = np.random.default_rng(seed)
    n, k, m = 300, int(rng.integers(2, 6)), 1 + seed % 3
    kinds = [rng.choice(25, rng.integers(2, 9), replace=False).tolist() for _ in range(4)]
    sets = [frozenset([*kinds[i], *rng.integers(0, 25, rng.poisson(0.1))]) for i in rng.integers(0, 4, n)]
    table = table_of(s=sets, age=rng.integers(0, 40, n).tolist(), size=rng.integers(0, 40, n).tolist())
    baskets = baskets_of([table["s"]])

    def loss(groups, kept):
        return known_groups.loss_of(table.quasi, baskets, groups, kept, lambda share, note: None)

    owner, names = np.repeat(np.arange(n), np.diff(baskets.starts)), table["s"].labels
    whole = kc.anonymize(table, kc.TopDown(), k)
    groups, held = whole.cover.groups, whole.published[0].cells
    of_group = [set(held.items[a:b].tolist()) for a, b in pairwise(held.starts)]
    common = np.array(
        [item in of_group[groups[i]] for i, item in zip(owner, baskets.tokens.tolist(), strict=True)]
    )
    assert (shown_items(baskets, groups, k, m) >= common).all()
    release = kc.anonymize(table, kc.TopDown(known_items=m), k)
    shown = as_published(release)
    kept = np.array(
        [("s", names[item]) in shown[i][1] for i, item in zip(owner, baskets.tokens, strict=True)]
    )
    assert loss(release.cover.groups, kept) <= loss(groups, common) * (1 + 1e-12)
    assert not rare(shown, k, m)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), m=st.integers(1, 3), k=st.integers(1, 4))
def test_groups_taken_together_are_settled_as_alone(data, m, k):
    n = data.draw(st.integers(1, 20))
    draws = [data.draw(st.lists(st.frozensets(st.integers(0, 6)), min_size=n, max_size=n)) for _ in range(2)]
    table = table_of(s=draws[0], t=draws[1])
    groups = np.array(data.draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n)))
    baskets = baskets_of([table["s"], table["t"]])
    for column, places, first in zip((table["s"], table["t"]), baskets.places, baskets.first, strict=False):
        assert np.array_equal(baskets.tokens[places], column.items + first)
    whole = shown_items(baskets, groups, k, m)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown, "_ITEMS_AT_ONCE", 7)
        assert np.array_equal(shown_items(baskets, groups, k, m), whole)
    alone = [shown_items(baskets, np.where(groups == one, 0, -1), k, m) for one in range(5)]
    assert np.array_equal(np.any(alone, axis=0), whole)
    assert not whole[np.repeat(groups, np.diff(baskets.starts)) < 0].any()


@pytest.mark.parametrize("m", [1, 2, 3])
def test_groups_that_are_not_looked_at_would_not_have_been_chosen(m):
    """The same cuts as when every node is estimated, each cut made where the parts lose less."""
    rng = np.random.default_rng(m)
    sets = [frozenset(rng.geometric(0.3, rng.integers(1, 6)).tolist()) for _ in range(400)]
    table = table_of(s=sets, age=rng.integers(0, 60, 400).tolist(), size=rng.integers(0, 60, 400).tolist())
    items, singles = [table["s"]], [table["age"], table["size"]]
    _, order, cuts = kc.TopDown().cutting(table, 4).cut(tuple(singles), Run())
    tree, baskets = known_groups.tree_of(order, cuts), baskets_of(items)
    lost = np.zeros(len(tree.start))
    for node in range(len(lost)):
        members = tree.order[tree.start[node] : tree.end[node]]
        labels = np.full(400, -1)
        labels[members] = 0
        gone = np.diff(baskets.starts)[members].sum()
        gone -= shown_items(baskets, labels, 4, m, passes=1).sum()
        spread = sum(np.ptp(one.values[members]) / np.ptp(one.values) for one in singles)
        lost[node] = len(members) * spread + gone * 400 / len(baskets.tokens)
    best, made = lost.copy(), np.zeros(len(cuts), bool)
    for node in np.argsort(-tree.depth, kind="stable"):
        if tree.left[node] >= 0:
            parts = best[tree.left[node]] + best[tree.left[node] + 1]
            made[tree.cut[node]] = parts < best[node]
            best[node] = min(parts, best[node])
    seen = []
    groups, found = known_groups.grouped(
        tree, singles, items, baskets, 4, m, lambda share, note: seen.append(share)
    )
    assert np.array_equal(groups, known_groups._labels(tree, made)) and np.array_equal(made, found)
    assert found.any() and not found.all()
    shares = [share for share in seen if share is not None]
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] <= 1


def showing(table, groups, recipe, **shown):
    """The release of these groups whose record i shows set i of each named column."""
    own = {
        name: PublishedColumn(table[name].attribute, CommonItems(*sets), np.arange(len(table)))
        for name, sets in shown.items()
    }
    return Release.of(table, kc.Partition(groups), recipe, shown=own)


def test_the_check_does_not_believe_the_algorithm():
    """A rare pair smuggled into the published cells is found, and so is a rare single value."""
    table = table_of(s=[frozenset(one) for one in ("ab", "a", "a", "b", "b", "b")], age=[1, 1, 1, 1, 2, 2])
    recipe = Recipe(table.schema, kc.TopDown(known_items=2), 2, 0, table.data_digest, len(table))
    sets = table["s"]
    everything = showing(table, np.zeros(6, np.int64), recipe, s=(sets.starts, sets.items))
    verdict = KKMAnonymity(2, 2).check(table, everything)
    assert not verdict.holds and verdict.witnesses == (1,) and verdict.found == 1
    table, nothing = table.with_schema(table.schema), (np.zeros(7, np.int64), np.zeros(0, np.int32))
    alone = showing(table, np.array([0, 0, 0, 0, 1, 2]), recipe, s=nothing)
    assert KKMAnonymity(2, 2).check(table, alone).holds  # groups 1 and 2 publish the same age
    moved = showing(table, np.array([0, 0, 0, 1, 2, 2]), recipe, s=nothing)
    assert KKMAnonymity(2, 2).check(table, moved).holds


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(data=st.data(), m=st.integers(1, 3), k=st.integers(2, 4))
def test_the_check_finds_exactly_the_records_that_counting_finds(data, m, k):
    n = data.draw(st.integers(2, 12))
    sets = st.lists(st.frozensets(st.integers(0, 4)), min_size=n, max_size=n)
    columns = {name: data.draw(sets) for name in "st"}
    ages = data.draw(st.lists(st.sampled_from([1, 2]), min_size=n, max_size=n))
    table = table_of(**columns, age=ages)
    recipe = Recipe(table.schema, kc.TopDown(known_items=m), k, 0, table.data_digest, n)
    groups = np.unique(ages, return_inverse=True)[1]
    release = showing(table, groups, recipe, **{c: (table[c].starts, table[c].items) for c in "st"})
    verdict = release.guarantee.check(table, release)
    assert list(verdict.witnesses) == rare(as_published(release), k, m)
    assert verdict.holds == (not verdict.witnesses)


def test_same_bytes_and_a_log_that_tells_the_groups():
    table = table_of(s=[frozenset({i % 7, i % 5 + 10}) for i in range(120)], age=[i % 40 for i in range(120)])
    log = kc.Log()
    first, shown = kc.TopDown(known_items=2).cover(table, 3, Run(log=log)), []
    for m in (2, 2, 1):
        run = Run()
        assert m == 1 or kc.TopDown(known_items=m).cover(table, 3, run) == first
        kc.TopDown(known_items=m).cover(table, 3, run)
        shown.append(run.shown["s"].texts(table["s"], np.arange(120)))
    assert shown[0] == shown[1] != shown[2]
    labels = np.zeros(120, np.int64)
    for event, what in log.events:
        if event == "split":
            labels[what["part"]] = what["new"]
    assert kc.Partition(labels) == kc.Partition(first.groups)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), m=st.integers(1, 3), k=st.integers(2, 4))
def test_the_loss_counts_what_is_not_shown_against_the_others_of_the_group_that_do_not_show_it(data, m, k):
    n = data.draw(st.integers(k, 14))
    sets = data.draw(st.lists(st.frozensets(st.integers(0, 5)), min_size=n, max_size=n))
    table = table_of(s=sets, age=data.draw(st.lists(AGES, min_size=n, max_size=n)))
    release = kc.anonymize(table, kc.TopDown(known_items=m), k)
    shown = [{int(item) for _, item in items} for _, items in as_published(release)]
    lost = np.zeros(n)
    for i in range(n):
        for item in range(6):
            alike = [j for j in release.cover.members(release.groups[i]) if item not in shown[j]]
            if item not in shown[i]:
                lost[i] += ((item in sets[i]) - np.mean([item in sets[j] for j in alike])) ** 2
    spread = sum(
        ((item in one) - np.mean([item in other for other in sets])) ** 2 for one in sets for item in range(6)
    )
    found = kc.ILSSDM().measure(table, release).attributes["s"]
    assert found == pytest.approx(lost.sum() / spread if spread else 0.0)


def test_figures_for_those_who_know_all_say_so():
    table = table_of(s=[frozenset(one) for one in ("ab", "a", "a", "a", "b", "b", "b", "ab", "abc", "c")])
    release = kc.anonymize(table, kc.TopDown(known_items=1), 2)
    assert release.hidden_among.tolist() == [2, 3, 3, 3, 3, 3, 3, 2, 1, 1]
    assert release.guarantee.told_apart(release) == 2
    for metric in (kc.WorstRisk, kc.AverageRisk, kc.AchievedK, kc.AverageClassSize, kc.Discernibility):
        assert "knows every item of a person" in metric().measure(table, release).notes[0]
        assert metric().measure(table, kc.anonymize(table, kc.TopDown(), 2)).notes == ()
    assert kc.WorstRisk().measure(table, release).total == 1.0
    sentence = kc.audit(table, release)[0].sentence
    assert "up to 1 item of a person finds at least 2 records" in sentence
    assert "can tell 2 of 10 records apart" in sentence


def test_places_and_groups_are_those_of_the_single_values():
    from kanon_core.charts.maps.boxes import placed

    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"lat": rng.normal(35, 1, 60), "lon": rng.normal(139, 1, 60)})
    frame["s"] = [f"{a};{b}" for a, b in rng.integers(0, 4, (60, 2))]
    schema = kc.Schema.infer(frame).with_kinds({"lat": "latitude", "lon": "longitude", "s": "items"})
    table = kc.Table.from_frame(frame, schema.with_roles(dict.fromkeys(frame, "quasi_identifier")))
    release = kc.anonymize(table, kc.TopDown(known_items=2), 4)
    found, number = placed(release, "lat", "lon")
    assert len(release.held) > len(found.sizes) == len(release.cover.sizes) > 1
    assert np.array_equal(found.sizes, release.cover.sizes) and np.array_equal(number, release.cover.groups)
    for record in range(60):
        assert found.south[number[record]] <= frame["lat"][record] <= found.north[number[record]]
    kc.score(table, release)


@settings(max_examples=40, deadline=None)
@given(
    data=st.data(), m=st.integers(2, 3), work=st.sampled_from([7, 50]), clashes=st.sampled_from([1, 3, 20])
)
def test_the_guarantee_does_not_depend_on_where_the_work_is_cut(data, m, work, clashes):
    """The compiled loops stop and go on anywhere, and clashes for which there is no room are met in later
    passes."""
    n = data.draw(st.integers(4, 12))
    sets = data.draw(st.lists(st.frozensets(st.integers(0, 6)), min_size=n, max_size=n))
    table = table_of(s=sets, age=data.draw(st.lists(AGES, min_size=n, max_size=n)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown, "_WORK_PER_CALL", work)
        patch.setattr(shown, "_CLASHES_AT_MOST", clashes)
        release = kc.anonymize(table, kc.TopDown(known_items=m), 3)
    assert not rare(as_published(release), 3, m)


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(data=st.data(), m=st.integers(1, 3), k=st.integers(2, 3))
def test_the_audit_finds_whatever_is_changed_by_hand(data, m, k):
    """One item more, of the record or not, or the sets of two records exchanged: no guarantee is said to hold
    that does not."""
    n = data.draw(st.integers(4, 12))
    sets = data.draw(st.lists(st.frozensets(st.integers(0, 5), max_size=4), min_size=n, max_size=n))
    table = table_of(s=[one | {6} for one in sets], age=data.draw(st.lists(AGES, min_size=n, max_size=n)))
    release = kc.anonymize(table, kc.TopDown(known_items=m), k)
    each = release["s"].cells.taken(release["s"].cell)
    shown = [set(each.items[a:b].tolist()) for a, b in pairwise(each.starts.tolist())]
    own = [set(table["s"].items[a:b].tolist()) for a, b in pairwise(table["s"].starts.tolist())]
    one, other = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    if data.draw(st.booleans()):
        shown[one], shown[other] = shown[other], shown[one]
    else:
        shown[one].add(data.draw(st.integers(0, len(table["s"].labels) - 1)))
    ends = np.concatenate([[0], np.cumsum([len(each) for each in shown])]).astype(np.int64)
    changed = np.array([item for each in shown for item in sorted(each)], np.int32)
    forged = showing(table, release.groups, release.recipe, s=(ends, changed))
    verdicts, published = {v.guarantee: v for v in kc.audit(table, forged)}, as_published(forged)
    assert verdicts["(k, kᵐ)-anonymity"].holds == (not rare(published, k, m))
    true = all(each <= whole for each, whole in zip(shown, own, strict=True))
    assert verdicts["truthful cells"].holds == true


def test_groups_that_share_their_items_score_as_before():
    """Rows of their own that publish what the group shares are the same release by every measure."""
    rng = np.random.default_rng(5)
    table = table_of(
        s=[frozenset(np.flatnonzero(rng.random(6) < 0.5).tolist()) for _ in range(30)],
        age=rng.integers(1, 6, 30).tolist(),
        sex=rng.choice(list("fm"), 30).tolist(),
    )
    release = kc.anonymize(table, kc.TopDown(), 3)
    each = release["s"].cells.taken(release.groups)
    again = showing(table, release.groups, release.recipe, s=(each.starts, each.items))
    for metric in (metric() for metric in kc.METRICS):
        before, after = metric.measure(table, release), metric.measure(table, again)
        assert after.total == pytest.approx(before.total, nan_ok=True)
        assert after.attributes == pytest.approx(before.attributes, nan_ok=True)

"""The top-down pass against a plain twin, and what it guarantees on good and bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.partitioning.constraints import rule_of
from kanon_core.algorithms.partitioning.topdown import clusters_kernels
from kanon_core.algorithms.partitioning.topdown import topdown_kernels as kernels
from kanon_core.algorithms.partitioning.topdown.cutting import labels_of
from kanon_core.algorithms.partitioning.topdown.records import records_of
from kanon_core.table.columns.columns import Categories, Items, Numbers
from tests.contracts.replay import replay
from tests.oracles import topdown as plain


def table_of(**columns) -> kc.Table:
    """Lists of numbers, of words, and of item sets; all are quasi-identifiers."""
    frame, attributes = {}, []
    for name, cells in columns.items():
        sets, words = isinstance(cells[0], frozenset), isinstance(cells[0], str)
        frame[name] = [";".join(map(str, sorted(cell))) for cell in cells] if sets else cells
        kind = "items" if sets else "categorical" if words else "numeric"
        attributes.append(kc.Attribute(name, kind=kind, delimiter=";" if sets else ""))
    return kc.Table.from_frame(pd.DataFrame(frame), kc.Schema(tuple(attributes)))


def down(tree: kc.Hierarchy, value: str) -> tuple[str, ...]:
    """The way from the top of a hierarchy to a value."""
    way = [value]
    while way[-1] != "*":
        way.append(tree.above[way[-1]])
    return tuple(reversed(way))


def twin_of(table: kc.Table) -> list[plain.Attribute]:
    """The quasi-identifiers for the plain twin, numbers first, then categories, then item sets."""
    found = []
    for column in table.quasi:
        if isinstance(column, Numbers):
            low, high = column.range
            unit = (column.values - low) / ((high - low) or 1)
            found.append(plain.Attribute("numbers", np.where(np.isnan(unit), -1.0, unit).tolist()))
        elif isinstance(column, Categories) and column.attribute.hierarchy is not None:
            tree = column.attribute.hierarchy
            values = [down(tree, column.labels[code]) for code in column.codes]
            found.append(plain.Attribute("ways", values, ways=[down(tree, value) for value in tree.values]))
        elif isinstance(column, Categories):
            found.append(plain.Attribute("codes", column.codes.tolist(), len(column.labels)))
        else:
            names = np.array([int(label) for label in column.labels], np.int64)
            ends = zip(column.starts[:-1], column.starts[1:], strict=True)
            held = [frozenset(names[column.items[a:b]].tolist()) for a, b in ends]
            found.append(plain.Attribute("items", held))
    return found


def outcome(algorithm: kc.TopDown, table: kc.Table, k: int) -> tuple[list[list[int]], list[int]]:
    cover = algorithm.cover(table, k, Run())
    groups = sorted(cover.members(g).tolist() for g in range(len(cover.sizes)))
    return groups, np.flatnonzero(cover.suppressed).tolist()


def sets(n: int, items: int):
    return st.lists(st.frozensets(st.integers(0, items), max_size=items), min_size=n, max_size=n)


@st.composite
def composites(draw):
    """Records with numbers on a grid (sums are exact, so that losses tie alike), words and item sets, in any
    order."""
    n = draw(st.integers(4, 40))
    number = st.one_of(st.none(), st.integers(0, 64).map(lambda i: i / 64))
    numbers = draw(st.lists(number, min_size=n - 2, max_size=n - 2))
    columns = {
        "x": [0.0, 1.0, *numbers],
        "word": draw(st.lists(st.sampled_from(["a", "a", "b", "c", "d"]), min_size=n, max_size=n)),
        "items": draw(sets(n, 7)),
        "more": draw(sets(n, 2)),
    }
    chosen = draw(st.lists(st.sampled_from(list(columns)), min_size=1, unique=True))
    return table_of(**{name: columns[name] for name in columns if name in chosen}), draw(
        st.integers(2, min(n, 5))
    )


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(
    drawn=composites(),
    share=st.sampled_from([0.0, 0.0, 0.1, 0.5, 1.0]),
    split=st.sampled_from(["median", "midpoint"]),
)
def test_groups_equal_the_plain_twin(drawn, share, split):
    table, k = drawn
    n = len(table)
    expected = plain.topdown(twin_of(table), n, k, int(share * n), split == "midpoint")
    assert outcome(kc.TopDown(share, split), table, k) == expected


def test_a_suppressed_record_has_lost_all_in_every_attribute():
    """Tables in which another attribute would be next if a suppressed record did not count as lost in this
    kind of attribute: item sets, numbers, categories."""
    for values, sets, groups, gone in (
        ("0877658308", "124 14 01234 12 13 01234 024 123 01234 12", [[0, 5, 8], [1, 2], [3, 9], [4, 7]], [6]),
        ("082100745", "0124 2 14 0123 0 0124 01234 01234 1234", [[0, 5], [2, 7], [3, 4], [6, 8]], [1]),
        ("bbddaadc", "123 01234 02 023 0123 024 01 01234", [[0, 1, 7], [2, 3], [4, 5]], [6]),
    ):
        x = [int(one) / 8 if one.isdigit() else one for one in values]
        table = table_of(x=x, s=[frozenset(map(int, one)) for one in sets.split()])
        assert plain.topdown(twin_of(table), len(table), 2, len(table) // 2) == (groups, gone)
        assert outcome(kc.TopDown(0.5), table, 2) == (groups, gone)


@st.composite
def trees(draw, values):
    """Hierarchies above these values and perhaps others: up to six groups, each below one made before it."""
    above = [draw(st.integers(0, i)) for i in range(draw(st.integers(0, 5)))]
    groups = ["*", *(f"group {i}" for i in range(len(above)))]
    parents = {f"group {i}": groups[parent] for i, parent in enumerate(above)}
    used = {value: draw(st.sampled_from(groups)) for value in values}
    bare = set(groups[1:]) - set(parents.values()) - set(used.values())
    return kc.Hierarchy(
        (*parents.items(), *used.items(), *((f"other {i}", g) for i, g in enumerate(sorted(bare))))
    )


@pytest.mark.deep
@settings(max_examples=80, deadline=None)
@given(drawn=composites(), data=st.data())
def test_groups_equal_the_plain_twin_with_hierarchies(drawn, data):
    table, k = drawn
    words = data.draw(st.lists(st.sampled_from("abcdefg"), min_size=len(table), max_size=len(table)))
    frame = table.frame.assign(h=words)
    schema = kc.Schema((*table.schema, kc.Attribute("h", hierarchy=data.draw(trees("abcdefg")))))
    grouped = kc.Table.from_frame(frame, schema)
    assert outcome(kc.TopDown(), grouped, k) == plain.topdown(twin_of(grouped), len(table), k)


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(
    drawn=composites(),
    share=st.sampled_from([0.0, 0.05, 0.3, 1.0]),
    ties=st.sampled_from(["shared", "first"]),
)
def test_groups_keep_k_and_no_more_records_are_suppressed_than_allowed(drawn, share, ties):
    table, k = drawn
    release = kc.anonymize(table, kc.TopDown(share, ties=ties), k)
    assert release.cover.sizes.min(initial=k) >= k
    assert release.suppressed.sum() <= share * len(table)
    assert release.class_sizes.min(initial=k) >= k


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(drawn=composites(), share=st.sampled_from([0.0, 0.3, 1.0]))
def test_the_log_replays_to_the_same_groups(drawn, share):
    table, k = drawn
    log = Log()
    cover = kc.TopDown(share).cover(table, k, Run(log=log))
    assert np.array_equal(replay(log.events, len(table)), cover.groups)
    rounds = [what["round"] for event, what in log.events if event != "group"]
    assert rounds == sorted(rounds)
    for event, what in log.events[1:]:
        if what["pivot"]:
            column = table[what["column"]]
            code = column.labels.index(what["pivot"])
            held = [code in column.items[column.starts[r] : column.starts[r + 1]] for r in what["part"]]
            assert set(held) == {what["has"]}
        assert 2 * len(what["part"]) <= what["size"] or event == "suppress"


def in_steps(
    table: kc.Table, k: int, budget: int, first: bool = False
) -> tuple[kc.Partition, list[int], int]:
    """The groups, made in small steps; how many list entries were in use after each, and the most slots of a
    cluster that were not watched."""
    records, _ = records_of(table.quasi)
    limits = clusters_kernels.Limits(k, 0, False, first, rule_of((), kc.TopDown()))
    work = clusters_kernels.new_work(records, k, 0)
    used, unwatched = [], 0
    while not kernels.specialize(records, work, limits, budget):
        used.append(int(work.made[clusters_kernels.LISTED]))
        unwatched = max(unwatched, int((work.slots - work.watched).max()))
    assert not work.amount.any() and (work.spot == -1).all(), "scratch is left clean"
    made = work.made[clusters_kernels.CLUSTERS]
    labels = labels_of(work.order, work.start[:made], work.end[:made])
    return kc.Partition(labels), used, unwatched


@settings(max_examples=40, deadline=None)
@given(drawn=composites(), budget=st.integers(1, 50))
def test_the_size_of_a_step_and_the_order_of_records_change_nothing(drawn, budget):
    table, k = drawn
    whole = kc.TopDown().cover(table, k, Run())
    assert in_steps(table, k, budget)[0] == whole
    backwards = kc.Table.from_frame(table.frame.iloc[::-1], table.schema)
    assert kc.Partition(kc.TopDown().cover(backwards, k, Run()).groups[::-1]) == whole


def test_lists_are_packed_when_their_room_runs_out():
    rng = np.random.default_rng(0)
    records = [
        frozenset(np.minimum(rng.geometric(0.04, rng.integers(1, 9)), 90).tolist()) for _ in range(1_500)
    ]
    table = table_of(items=records, word=[f"w{i}" for i in rng.integers(0, 8, 1_500)])
    cover, used, _ = in_steps(table, 3, 1)
    assert min(np.diff(used)) < 0, "room was made"
    groups = sorted(cover.members(g).tolist() for g in range(len(cover.sizes)))
    assert (groups, []) == plain.topdown(twin_of(table), 1_500, 3)


def test_clusters_of_many_items_of_which_the_rare_ones_are_not_watched_are_cut_as_in_the_plain_twin():
    """A tenth of 900 items are popular: the frequencies of the others wait until one of them may be the
    pivot."""
    for k, ties in ((2, "shared"), (3, "shared"), (3, "first")):
        rng = np.random.default_rng(k)
        popular = np.minimum(rng.geometric(0.03, (1_500, 3)), 90)
        rare = 100 + rng.integers(0, 800, (1_500, 4))
        table = table_of(s=[frozenset(each.tolist()) for each in np.column_stack([popular, rare])])
        cover, _, unwatched = in_steps(table, k, 1, ties == "first")
        assert unwatched > 256
        assert cover == kc.TopDown(ties=ties).cover(table, k, Run())
        if ties == "shared":
            groups = sorted(cover.members(g).tolist() for g in range(len(cover.sizes)))
            assert (groups, []) == plain.topdown(twin_of(table), 1_500, k)


def common(table: kc.Table, k: int, algorithm: kc.TopDown | None = None) -> list[str]:
    name = next(c.attribute.name for c in table.quasi if isinstance(c, Items))
    return kc.anonymize(table, algorithm or kc.TopDown(), k).to_frame()[name].tolist()


def test_empty_sets_and_an_item_in_every_record():
    assert common(table_of(s=[frozenset()] * 6), 2) == ["{}"] * 6
    assert common(table_of(s=[frozenset("a")] * 6), 2) == ["{a}"] * 6
    mixed = [frozenset("ab"), frozenset("ab"), frozenset("a"), frozenset("a")]
    assert common(table_of(s=mixed), 2) == ["{a, b}", "{a, b}", "{a}", "{a}"]
    assert common(table_of(s=[*[frozenset()] * 3, *[frozenset("a")] * 3]), 3) == ["{}"] * 3 + ["{a}"] * 3


def test_a_rare_item_is_not_shown_and_k_of_all_records_is_one_group():
    rare = [frozenset("a"), *[frozenset("b")] * 4]
    assert common(table_of(s=rare), 2) == ["{}"] * 5
    assert common(table_of(s=rare), 5) == ["{}"] * 5


def test_records_are_suppressed_only_for_more_items_and_within_the_share():
    """Nine of ten share b: leaving the tenth out publishes 9 items instead of none."""
    nine = [*[frozenset("b")] * 9, frozenset("c")]
    assert common(table_of(s=nine), 2) == ["{}"] * 10
    assert common(table_of(s=nine), 2, kc.TopDown(0.09)) == ["{}"] * 10
    assert common(table_of(s=nine), 2, kc.TopDown(0.1)) == ["{b}"] * 9 + ["*"]
    for holders, kept in ((5, "{a, b}"), (6, "{a, b, c}")):
        some = [frozenset("abc") if i < holders else frozenset("ab") for i in range(8)]
        assert common(table_of(s=some), 4, kc.TopDown(1.0))[0] == kept, (
            "3 · 5 items are not more than 2 · 8, 3 · 6 are"
        )


@pytest.mark.deep
def test_a_long_basket_and_many_items_take_little_memory():
    rng = np.random.default_rng(1)
    records = [
        frozenset(range(10_000)),
        *(frozenset(rng.integers(0, 50_000, 5).tolist()) for _ in range(30_000)),
    ]
    table = table_of(s=records)
    records, _ = records_of(table.quasi)
    work = clusters_kernels.new_work(records, 2, 0)
    assert sum(array.nbytes for array in work) < 20_000_000
    release = kc.anonymize(table, kc.TopDown(), 2)
    assert release.cover.sizes.min() >= 2 and len(release.cover.sizes) > 1_000


def test_the_attribute_that_lost_most_is_cut_first():
    """Equal losses: the first column. A weight makes its attribute lose more, weight 0 none at all."""
    columns = {
        "x": [float(i) for i in range(16)],
        "s": [frozenset("a") if i % 2 else frozenset("b") for i in range(16)],
    }
    table = table_of(**columns)

    def first(table: kc.Table) -> list[str]:
        log = Log()
        kc.TopDown().cover(table, 2, Run(log=log))
        return [what["column"] for event, what in log.events if event == "split"]

    assert first(table)[0] == "x"
    assert first(table.with_schema(table.schema.with_weights({"s": 2.0})))[0] == "s"
    assert set(first(table.with_schema(table.schema.with_weights({"x": 0.0})))) == {"s"}


def test_ties_go_to_the_first_by_name_and_numbers_are_ordered_by_size():
    def pivot(first: int | str, second: int | str) -> str:
        log = Log()
        sets = [frozenset([first])] * 2 + [frozenset([second])] * 2 + [frozenset()] * 2
        kc.TopDown(ties="first").cover(table_of(s=sets), 2, Run(log=log))
        return log.events[1][1]["pivot"]

    assert pivot(10, 9) == pivot(9, 10) == "9"
    assert pivot("b10", "b9") == "b10"
    assert pivot("10", "x") == "10"


def test_numbers_are_cut_at_the_median_or_the_middle():
    table = table_of(x=[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 90.0, 100.0])
    assert outcome(kc.TopDown(), table, 2)[0] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert outcome(kc.TopDown(split="midpoint"), table, 2)[0] == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert outcome(kc.TopDown(split="midpoint"), table, 3)[0] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_what_a_tick_raises_stops_the_work():
    class Stop(BaseException):
        pass

    def tick(fraction, note=""):
        raise Stop

    with pytest.raises(Stop):
        kc.TopDown().cover(table_of(s=[frozenset("a")] * 4), 2, Run(tick=tick))

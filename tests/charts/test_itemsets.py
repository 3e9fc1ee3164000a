"""Counts, charts and sentences of a column of item sets: bars, pairs, groups, lattice; odd tables; markup
shown as text."""

from __future__ import annotations

import itertools
from itertools import combinations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.errors import OptionError, SchemaError
from kanon_core.charts.sets.itempairs import pair_figure, pairs_of, pairs_sentence
from kanon_core.charts.sets.itemsets import (
    ItemView,
    groups_of,
    groups_sentence,
    item_columns,
    loss_sentence,
    penalties_sentence,
    short_sets,
)
from kanon_core.charts.sets.itemsteps import paths_of, pivots_of, replayed
from kanon_core.charts.sets.lattice import (
    lattice_figure,
    lattice_of,
    lattice_sentence,
    short_names,
    starting_items,
    taken,
)
from kanon_core.charts.table.valuebars import ORDERS, item_figure, items_sentence, ranked_items
from tests.charts.itemtables import EVIL, FIGURE_6, ODD, item_table, paper, view_of
from tests.helpers import release_of

PUBLISHED = ["ad", "afg", "ad", "afg", "bc", "ex", "ex", "bc", "ex"]


def test_figure_6_in_sentences():
    view = view_of(paper())
    assert "".join(loss_sentence(view)) == "8 of the 28 items in “things” are suppressed (29 %)."
    text = penalties_sentence(view)
    assert "NCP_sv = 2.183, on average 24 %" in text and "NCP*_sv = 2.571, 29 %" in text
    assert "large sets lose a larger share of their items than small ones" in text
    groups = groups_of(view)
    assert (
        groups_sentence(view, groups)
        == "4 groups publish 4 different sets of “things”; the largest set has 3 items and is shared by 2"
        " records."
    )
    assert sorted(zip(groups.records, groups.items, groups.lost, strict=True)) == [
        (2, 2, 1),
        (2, 2, 4),
        (2, 3, 1),
        (3, 2, 2),
    ]


def test_the_penalties_agree_when_all_sets_are_equally_large():
    assert "The two penalties are equal here." in penalties_sentence(
        view_of(item_table([["a", "b"], ["a", "c"], ["a", "d"]]))
    )


def test_suppressed_records_and_bare_ones_are_told():
    sets = [["a"], ["a"], ["a"], ["a"], ["b"]]
    text = "".join(loss_sentence(view_of(item_table(sets), k=2, max_suppressed=0.3)))
    assert text == "1 of the 5 items in “things” is suppressed (20 %); 1 record is suppressed."
    text = "".join(loss_sentence(view_of(item_table([["a"], ["b"], []]))))
    assert (
        text == "2 of the 2 items in “things” are suppressed (100 %); 2 records that have items are published"
        " without any."
    )


def test_groups_in_each_order():
    groups = groups_of(view_of(paper()))
    for by in ("records", "items", "lost"):
        values = getattr(groups, by)[groups.order(by)]
        assert np.all(np.diff(values) <= 0)
    assert groups.lost.sum() == 8 and groups.records @ groups.items == 20


def test_items_are_counted_by_hand():
    view = view_of(paper())
    own, kept = view.counts
    for code, label in enumerate(view.column.labels):
        assert own[code] == sum(label in record for record in FIGURE_6)
        assert kept[code] == sum(label in record for record in PUBLISHED)
    assert (view.total, view.kept) == (28, 20)
    assert (
        items_sentence(view)
        == "The most frequent item is “a”: 4 records; published: 4. Never published: 2 of 10 different"
        " items; always published: 5."
    )


def test_items_in_each_order_and_by_name():
    view = view_of(paper())

    def named(order: str, search: str = "") -> str:
        return "".join(view.column.labels[code] for code in ranked_items(view, order, search))

    assert named("often") == "abcfexdgyz"
    assert named("lost") == "bcfyzaexdg"
    assert named("share").startswith("yzbcf")
    assert named("often", "A") == "a" and named("often", "q") == ""
    assert set(ORDERS) == {"often", "lost", "share"}
    with pytest.raises(OptionError, match="often"):
        ranked_items(view, "loud")


def test_pairs_are_counted_by_hand():
    view = view_of(paper())
    pairs = pairs_of(view, 10)
    labels = [view.column.labels[code] for code in pairs.items]
    for i, j in combinations(range(len(labels)), 2):
        both = {labels[i], labels[j]}
        assert pairs.before[i, j] == pairs.before[j, i] == sum(both <= set(record) for record in FIGURE_6)
        assert pairs.after[i, j] == sum(both <= set(record) for record in PUBLISHED)
    assert pairs.largest == 3 and len(pairs_of(view, 4).items) == 4
    assert "occur 33 times in the records; 13 of these occurrences (39 %)" in pairs_sentence(view, pairs)
    first, second = (pair_figure(view, pairs, after).data[0] for after in (False, True))
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax)
    assert np.isnan(np.diag(np.array(first.z))).all()


def test_nothing_is_lost_of_pairs():
    view = view_of(item_table([["a", "b"]] * 3))
    assert "(100 %) are published." in pairs_sentence(view, pairs_of(view))


def test_lattice_counts_by_hand():
    table = paper()
    column = table["things"]
    found = lattice_of(column, [column.labels.index(item) for item in "abd"])
    names = "abd"
    for number in range(8):
        wanted = {name for i, name in enumerate(names) if number >> i & 1}
        assert found.records[number] == sum(wanted <= set(record) for record in FIGURE_6)
    with pytest.raises(OptionError, match="at most 6"):
        lattice_of(column, range(7))


def test_the_way_of_the_pivots():
    table = paper()
    column, steps = table["things"], replayed(table, kc.TopDown(), 2)
    assert pivots_of(steps, "things") == ("a", "e", "d")
    paths = paths_of(steps, "things")
    assert paths == {(frozenset(), "a"), (frozenset(), "e"), (frozenset("a"), "d")}
    items = starting_items(column, pivots_of(steps, "things"))
    assert "".join(column.labels[code] for code in items) == "abcde"
    found = lattice_of(column, items)
    assert taken(column, found, paths) == [(0, 1), (0, 16), (1, 9)]
    text = lattice_sentence(column, found, 2, paths)
    assert (
        "9 of the 31 sets of these items are contained in at least 2 records" in text
        and "Thick lines" in text
    )
    assert "thick" not in lattice_sentence(column, found, 2)
    figure = lattice_figure(column, found, 2, paths)
    filled = figure.data[2]
    assert sorted(text.split("<br>")[0] for text in filled.text) == [
        "a",
        "ab",
        "ad",
        "b",
        "bc",
        "c",
        "ce",
        "d",
        "e",
        "∗",
    ]


def test_long_names_get_letters():
    table = item_table([["apple", "b"], ["apple"]])
    column = table["things"]
    found = lattice_of(column, [0, 1])
    assert short_names(column, found) == ["A", "B"]
    assert "A = apple, B = b." in lattice_sentence(column, found, 2)


@pytest.mark.deep
def test_figures_of_odd_tables():
    for odd, theme in itertools.product(ODD, ["light", "dark"]):
        table = ODD[odd]
        view = view_of(table)
        column = view.column
        pairs, ranked = pairs_of(view), ranked_items(view)[:20]
        found = lattice_of(column, starting_items(column, ()))
        paths = paths_of(replayed(table, kc.TopDown(), 2), "things")
        for figure in (
            item_figure(view, ranked, theme),
            pair_figure(view, pairs, False, theme),
            pair_figure(view, pairs, True, theme),
            lattice_figure(column, found, 2, paths, theme),
        ):
            assert figure.layout.meta["alt"].endswith(".")
            sent = figure.to_json()
            assert "<img" not in sent and "<b>c" not in sent
        assert all(part for part in (*loss_sentence(view)[1:], penalties_sentence(view)))
        assert groups_sentence(view, groups_of(view)).endswith(".")


def test_everything_suppressed():
    table = item_table([["a"], ["a"], ["b"]])
    release = kc.anonymize(table, kc.TopDown(), 3)
    empty = kc.Partition(np.full(3, -1))
    gone = kc.Release.of(table, empty, release.recipe)
    view = ItemView.of(table, gone, "things")
    assert "3 records are suppressed" in "".join(loss_sentence(view))
    assert groups_sentence(view, groups_of(view)) == "No record is published, so there are no groups."
    assert "Never published: " in items_sentence(view)


def test_only_columns_of_item_sets_are_looked_at():
    table = ODD["beside others"]
    assert [column.attribute.name for column in item_columns(table)] == ["things"]
    release = kc.anonymize(table, kc.TopDown(), 2)
    with pytest.raises(SchemaError, match="age"):
        ItemView.of(table, release, "age")


def test_short_sets_cut_large_ones():
    column = ODD["one large set"]["things"]
    texts, more = short_sets(column, column.starts, column.items, np.array([0, 1]), 3)
    assert texts == ["i00000, i00001, i00002", "i00000"] and more == [9_997, 0]
    evil = ODD["HTML in items"]["things"]
    texts, _ = short_sets(evil, evil.starts, evil.items, np.array([1]), 3)
    assert texts == ['"' + EVIL.replace('"', '\\"') + '"']


GROUPS = kc.Hierarchy(
    (
        ("b", "consonant"),
        ("c", "consonant"),
        ("d", "consonant"),
        ("f", "consonant"),
        ("g", "consonant"),
        ("x", "late"),
        ("y", "late"),
        ("z", "late"),
        ("a", "*"),
        ("e", "*"),
        ("consonant", "*"),
        ("late", "*"),
    )
)


def grouped_view() -> ItemView:
    """Figure 6's sets in three groups of records; b, c, d, f and g are consonants, x, y and z late
    letters."""
    table = paper()
    table = table.with_schema(table.schema.with_hierarchies({"things": GROUPS}))
    return ItemView.of(table, release_of(table, [0, 0, 0, 0, 1, 1, 2, 1, 2]), "things")


def test_items_published_as_a_group_are_neither_kept_nor_suppressed():
    """The groups are {1–4}, {5, 6, 8} and {7, 9}: sets of the first have a and some consonant, of the second
    c, of the third e and x."""
    view = grouped_view()
    shown = view.release.to_frame()["things"].tolist()
    assert shown == ["{a, consonant}"] * 4 + ["{c}"] * 2 + ["{e, x}", "{c}", "{e, x}"]
    # As consonants: bd, fg, df, bfg. Lost are y and z; b and f, e and x, b beside c; and c beside e and x.
    kept = [1, 1, 1, 1, 1, 1, 2, 1, 2]
    grouped = [2, 2, 2, 3, 0, 0, 0, 0, 0]
    gone = [0, 0, 2, 0, 2, 2, 0, 1, 1]
    assert view.gone.tolist() == gone and view.kept == sum(kept) and view.grouped.sum() == sum(grouped)
    assert view.total == sum(kept) + sum(grouped) + sum(gone)
    assert (
        "".join(loss_sentence(view))
        == "8 of the 28 items in “things” are suppressed (29 %); 9 are published as a group (32 %)."
    )
    groups = groups_of(view)
    assert groups.items.tolist() == [2, 1, 2] and groups.lost.tolist() == [2, 5, 1]
    assert "the largest set has 2 items and groups" in groups_sentence(view, groups)
    assert "loses the group's share of all values" in penalties_sentence(view)


def test_bars_and_pairs_of_items_in_groups():
    view = grouped_view()
    figure = item_figure(view, ranked_items(view))
    assert [trace.name for trace in figure.data] == ["published", "as a group", "suppressed"]
    assert sum(trace.x.sum() for trace in figure.data) == view.total
    assert "published: 4; published as a group: 0" in items_sentence(view)
    assert "Never published, not even as a group: " in items_sentence(view)
    assert ranked_items(view, "lost")[0] == view.column.labels.index("b")
    pairs = pairs_of(view)
    labels = [view.column.labels[code] for code in pairs.items]
    e, x, a, b = map(labels.index, "exab")
    assert pairs.after[e, x] == 2 and pairs.after[a, b] == 0 and pairs.before[a, b] == 2


def test_a_lattice_may_have_groups():
    column = grouped_view().column.closure.sets
    codes = [column.labels.index(label) for label in ("a", "consonant")]
    found = lattice_of(column, codes)
    assert found.records.tolist() == [9, 4, 8, 4]
    assert "late" in [column.labels[code] for code in starting_items(column, ["late"], 3)]

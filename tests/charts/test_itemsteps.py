"""The replay of a top-down run: figure 6 step by step, rounds of larger tables, suppression, other
columns."""

from __future__ import annotations

import numpy as np

import kanon_core as kc
from kanon_core.charts.sets.itemsteps import (
    FEW_RECORDS,
    records_text,
    replayed,
    round_cuts,
    round_rows,
    short_text,
    step_sentence,
)
from tests.charts.itemtables import ODD, item_table, paper


def texts(steps, step: int) -> list[str]:
    """Return the labels that each record publishes after a step, joined to one text."""
    column = steps.table["things"]
    published = steps.sets("things", steps.done(step))
    cells, cell = published.cells, published.cell
    found = [cells.items[cells.starts[c] : cells.starts[c + 1]] for c in cell]
    return ["".join(column.labels[item] for item in items) for items in found]


def test_figure_6_step_by_step():
    """The figure shows pivots alone, one a round; what else a group shares is published with it here."""
    steps = replayed(paper(), kc.TopDown(), 2)
    assert steps.by_cut and steps.count == 3
    assert texts(steps, 0) == [""] * 9
    assert texts(steps, 1) == ["a"] * 4 + [""] * 5
    assert texts(steps, 2) == ["a"] * 4 + ["bc", "ex", "ex", "bc", "ex"]
    assert texts(steps, 3) == ["ad", "afg", "ad", "afg", "bc", "ex", "ex", "bc", "ex"]
    said = [step_sentence(steps, step, "things") for step in range(4)]
    assert said[0].startswith("At the start, all 9 records form one group")
    assert said[1:] == [
        (
            "Round 1: the group of records 1–9 is split by item a: 4 records with it, 5 without. Published"
            " now:"
            " 4 of 28 items of “things”."
        ),
        (
            "Round 2: the group of records 5–9 is split by item e: 3 records with it, 2 without. Published"
            " now:"
            " 14 of 28 items of “things”."
        ),
        (
            "Round 2: the group of records 1–4 is split by item d: 2 records with it, 2 without. Published"
            " now:"
            " 20 of 28 items of “things”."
        ),
    ]


def test_the_last_step_is_the_release():
    for odd in ODD:
        for share in [0.0, 0.3]:
            algorithm = kc.TopDown(max_suppressed=share)
            steps = replayed(ODD[odd], algorithm, 2)
            release = kc.anonymize(ODD[odd], algorithm, 2)
            assert np.array_equal(kc.Partition(steps.labels(len(steps.cuts))).groups, release.groups)
            for step in range(steps.count + 1):
                assert step_sentence(steps, step, "things").endswith("of “things”.")


def many(n: int = 300) -> kc.Table:
    rng = np.random.default_rng(2)
    sets = [
        [item for item, odds in zip("abcdefgh", range(8), strict=True) if rng.random() < 0.7 - odds / 12]
        for _ in range(n)
    ]
    return item_table(sets, age=rng.integers(0, 90, n).tolist(), sex=rng.choice(list("fm"), n).tolist())


def test_of_many_records_a_step_is_a_round():
    table = many()
    steps = replayed(table, kc.TopDown(), 5)
    assert len(table) > FEW_RECORDS and not steps.by_cut
    assert steps.count == steps.cuts[-1].round and steps.done(steps.count) == len(steps.cuts)
    assert sum(len(round_cuts(steps, number)) for number in range(1, steps.count + 1)) == len(steps.cuts)
    for number in range(1, steps.count + 1):
        labels = steps.labels(steps.done(number))
        cuts = round_cuts(steps, number)
        rows = round_rows(steps, number, 3)
        assert len(rows) == min(3, len(cuts))
        for cut, row in zip(cuts, rows, strict=False):
            assert row.with_it[0] + row.without[0] == row.records == cut.size
            assert (labels == cut.new).sum() == len(cut.part)
            assert not cut.pivot or row.with_it[0] == cut.with_pivot
    texts_of = {
        step_sentence(steps, number, "things").split(" by “")[1].split("”, the column that")[0]
        for number in range(1, steps.count + 1)
        if round_cuts(steps, number)
    }
    assert texts_of <= {"things", "age", "sex"} and len(texts_of) == 3


def test_the_first_cut_of_a_round_says_what_both_parts_publish():
    table = many()
    steps = replayed(table, kc.TopDown(), 5)
    number = next(cut.round for cut in steps.cuts if cut.column == "age")
    row = round_rows(steps, number, 1)[0]
    ages = table["age"].values[steps.cuts[steps.ends[number - 1]].part]
    assert f"[{ages.min():.0f}, {ages.max():.0f}]" == row.with_it[1] and row.by == "age"
    number = next(cut.round for cut in steps.cuts if cut.column == "things")
    first = next(row for row in round_rows(steps, number, 50))
    assert first.by in first.with_it[1] and first.by not in first.without[1]


def test_single_values_are_told_by_what_both_parts_publish():
    table = item_table([["a"]] * 4, age=[1, 2, 30, 40])
    steps = replayed(table, kc.TopDown(), 2)
    said = step_sentence(steps, 1, "things")
    assert ("2 records with [1, 2], 2 with [30, 40]." in said) != (
        "2 records with [30, 40], 2 with [1, 2]." in said
    )


def test_suppression_is_told():
    table = item_table([["a"], ["a"], ["a"], ["a"], ["b"]])
    steps = replayed(table, kc.TopDown(max_suppressed=0.3), 2)
    text = step_sentence(steps, 1, "things")
    assert "4 records with it, 1 without; suppressed: 1 record." in text
    assert texts(steps, 1)[:4] == ["a"] * 4 and steps.sets("things", 1).cell[4] == -1
    rng = np.random.default_rng(1)
    table = item_table([["a", *("b" * (rng.random() < 0.5))] for _ in range(60)] + [["c"]])
    steps = replayed(table, kc.TopDown(max_suppressed=0.1), 2)
    number = next(cut.round for cut in steps.cuts if cut.new < 0)
    assert "suppressed: 1 record" in step_sentence(steps, number, "things")
    assert any(row.suppressed for row in round_rows(steps, number))


def test_nothing_to_cut():
    steps = replayed(ODD["one item only"], kc.TopDown(), 4)
    assert steps.count == 0 and "Published now: 4 of 4 items" in step_sentence(steps, 0, "things")


def test_record_numbers_in_words():
    for records, text in [
        ([4], "record 5"),
        ([0, 1, 2, 3], "records 1–4"),
        ([4, 7], "records 5 and 8"),
        ([0, 1, 4, 8], "records 1, 2, 5 and 9"),
        (range(0, 20, 2), "records 1, 3, 5, 7 and 6 others"),
    ]:
        assert records_text(np.array(list(records))) == text


def test_long_texts_are_cut():
    assert short_text("a" * 200, 5) == "aaaa…" and short_text("ab") == "ab"


def test_a_cut_by_a_group_says_so():
    """Nobody shares an item with anybody; of two groups of items, two records each do."""
    table = item_table([["beer"], ["wine"], ["bread"], ["rice"]])
    tree = kc.Hierarchy.of_paths(
        [("beer", "drinks"), ("wine", "drinks"), ("bread", "food"), ("rice", "food")]
    )
    table = table.with_schema(table.schema.with_hierarchies({"things": tree}))
    steps = replayed(table, kc.TopDown(), 2)
    assert [step_sentence(steps, step, "things") for step in (0, 1)][1] == (
        "Round 1: the group of records 1–4 is split by group drinks: 2 records with it, 2 without."
        " Published now: 0 of 4 items of “things”, and 4 as a group."
    )
    release = kc.anonymize(table, kc.TopDown(), 2)
    published = steps.sets("things", steps.done(steps.count))
    cells, cell = published.cells, published.cell
    shown = [cells.texts(table["things"], [c])[0] for c in cell]
    assert shown == release.to_frame()["things"].tolist() == ["{drinks}"] * 2 + ["{food}"] * 2

"""Figures 7 to 11 of the set-valued paper made again: rows, printed numbers, statements, sources, command."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.cli import main
from kanon_core.papers import Source, frame_of, made, reproduction
from kanon_core.papers.frame import papers_text
from kanon_core.papers.itemsets import KS, SetFigures
from kanon_core.papers.itemsets_runs import in_tens
from kanon_core.papers.printed import printed

TINY = SetFigures(records=60, large=120, baskets=80)
RECEIPTS = ["figure 7", "figure 8", "figure 10", "table 2", "table 3", "table 2, why"]
BASKETS = ["figure 9", "figure 11", "beside figure 9", "beside figure 11"]


def sets(n: int, beside: bool) -> kc.Table:
    rng = np.random.default_rng(5)
    cells = [[item for item in "abcdefg" if rng.random() < 0.5] for _ in range(n)]
    frame = pd.DataFrame({"age": rng.integers(0, 90, n), "things": cells} if beside else {"things": cells})
    schema = kc.Schema.infer(frame.assign(things="x")).with_kinds({"things": "items"})
    return kc.Table.from_frame(frame, schema.with_roles(dict.fromkeys(frame, "quasi_identifier")))


@pytest.fixture(scope="module")
def rows():
    return list(TINY.rows())


def of(rows, table: str, unit: str = ""):
    return [row for row in rows if row.part.table == table and unit in row.part.unit]


@pytest.mark.deep
def test_every_figure_is_there_with_its_places(rows):
    assert list(dict.fromkeys(row.part.table for row in rows)) == [*RECEIPTS, *BASKETS]
    for table in ("figure 7", "figure 9", "figure 10", "figure 11"):
        assert [row.place["k"] for row in of(rows, table)] == list(KS)
    assert [tuple(row.place.values()) for row in of(rows, "figure 8")] == [
        (1, "diseases"),
        (2, "birth_year"),
        (3, "sex"),
        (4, "month"),
    ]
    assert [row.place["records"] for row in of(rows, "table 3")] == [60, 120]


def test_the_values_are_those_of_the_release(rows):
    table = SetFigures(records=60)._data("receipts", 60).samples[0]
    release = kc.anonymize(table, kc.TopDown(), 5)
    lost = kc.SuppressedItems().measure(table, release).total
    assert of(rows, "figure 7")[1].mean == pytest.approx(100 * lost)
    assert of(rows, "figure 8")[-1].mean == of(rows, "figure 7")[2].mean == of(rows, "table 2", "%")[0].mean
    items = of(rows, "table 2", "items")[0]
    assert items.mean == pytest.approx(of(rows, "table 2", "%")[0].mean * len(table["diseases"].items) / 100)
    assert all(row.mean > 0 for row in of(rows, "figure 10") + of(rows, "figure 11"))


def test_only_what_the_paper_prints_stands_beside(rows):
    papers = {
        (row.part.table, row.part.unit, *row.place.values()): row.printed for row in rows if row.printed
    }
    assert papers == {
        ("figure 7", "%", 10): 50.7,
        ("figure 8", "%", 4, "month"): 50.7,
        ("figure 10", "seconds", 10): 87.4,
    }  # the sizes here are not the paper's
    sizes = list(dataclasses.replace(TINY, records=60, large=10_000, figures="receipts").tasks())
    assert {task.printed for task in sizes if task.part.table == "table 3"} == {None, 87.4}
    assert printed("set-valued", "table 3", "100,000", "seconds") == 7005.4
    assert printed("set-valued", "table 2", "100,000", "items") == 58_847
    assert not any(row.part.comparable for row in rows)


def test_the_papers_seconds_have_its_decimals(rows):
    printed_row = next(row for row in of(rows, "figure 10") if row.printed)
    assert papers_text(printed_row) == "87.4*"


def test_rival_methods_stand_beside_figures_9_and_11(rows):
    """Every method on the same baskets, at every k: what its release loses, and seconds."""
    plain = TINY._data("baskets", 80).samples[0]
    grouped = in_tens(plain)
    made = {(row.part.called, row.place["k"], row.place["method"]): row.mean for row in rows[-50:]}
    assert len(made) == 50
    for table, called, methods in (
        (plain, "suppression alone", {"top-down": kc.TopDown(), "rare items": kc.RareItems()}),
        (
            grouped,
            "with a hierarchy",
            {
                "top-down, grouped": kc.TopDown(),
                "local partition": kc.LocalPartition(),
                "apriori": kc.Apriori(),
            },
        ),
    ):
        for k in (2, 10):
            for name, algorithm in methods.items():
                release = kc.anonymize(table.in_given_order(), algorithm, k)
                lost = 100 * kc.SuppressedItems().measure(table, release).total
                title = f"Comparison for figure 9: suppressed items by k, {called}"
                assert made[title, k, name] == pytest.approx(lost, abs=0.2)  # whole items
                assert made[f"Comparison for figure 11: time by k, {called}", k, name] > 0
    assert [row.mean for row in of(rows, "figure 9")] == [
        row.mean for row in of(rows, "beside figure 9") if row.place["method"] == "top-down"
    ]
    assert "two items of a record" in rows[-1].part.remark
    where = frame_of(rows)[["table", "k", "method"]]
    assert not where[where["table"].str.startswith("beside")].duplicated().any()


def test_items_in_tens_are_in_the_order_of_their_numbers():
    frame = pd.DataFrame({"items": [";".join(map(str, range(12))), "100;2"]})
    schema = kc.Schema.infer(frame).with_kinds({"items": "items"}).with_quasi(["items"])
    grouped = in_tens(kc.Table.from_frame(frame, schema))
    tree = grouped.schema["items"].hierarchy
    assert [tree.above[item] for item in ("2", "9", "10", "100")] == [
        *["[10:0]"] * 2,
        *["[10:1]"] * 2,
    ]
    assert in_tens(grouped).schema["items"].hierarchy is tree
    assert tree.above["[10:1]"] == "[100:0]" and tree.above["[100:0]"] == "[1000:0]"


def test_statements_are_made_of_the_rows(rows):
    found = {check.sentence.split(":")[0]: check for check in TINY.checks(rows)}
    whys = ["Table 2, why our share rises", "Table 2, where the share falls"]
    receipts = ["Figure 7", "Figure 8", "Figure 10", "Table 2", "Table 3", *whys]
    assert list(found) == [*receipts, "Figure 9", "Figure 11"]
    assert not any(check.must for check in found.values())
    assert "(paper: 50.7 % and 13.3 %)" in found["Table 2"].sentence
    assert (
        "2 times the records take" in found["Table 3"].sentence
        and "(paper: 10 and 80; its text says about 70)" in found["Table 3"].sentence
    )
    assert TINY.checks(rows[:1]) == [] == TINY.checks([])


def test_a_statement_can_fail(rows):
    turned = [dataclasses.replace(row, values=(100 - row.mean,)) for row in of(rows, "figure 9")]
    rising, half = TINY.checks(turned)
    assert not rising.holds and half.holds == (min(row.mean for row in turned) >= 50)


def test_every_neighboring_pair_is_compared(rows):
    """The ends rise and fall as they should; one step between does not."""
    turned = [
        dataclasses.replace(row, values=(value,))
        for row, value in zip(of(rows, "figure 7"), (10.0, 30.0, 28.5, 40.0, 50.0), strict=True)
    ]
    (check,) = TINY.checks(turned)
    assert not check.holds and check.sentence.endswith(
        "3 of 4 steps agree; the worst, k = 5 to 10, misses by 1.5 points."
    )
    turned = [
        dataclasses.replace(row, values=(value,))
        for row, value in zip(of(rows, "figure 10"), (0.5, 0.277, 0.319, 0.2, 0.1), strict=True)
    ]
    (check,) = TINY.checks(turned)
    assert not check.holds and check.sentence.endswith(
        "3 of 4 steps agree; the worst, k = 5 to 10, misses by 0.042 s."
    )


@pytest.mark.deep
def test_why_table_2_rises_here_and_falls_in_the_paper():
    """In the paper's sizes: size lowers the share, variety raises it, and steep frequencies let it fall."""
    tasks = [task for task in SetFigures(figures="receipts").tasks() if task.part.table.startswith("table 2")]
    rows = list(made([task for task in tasks if task.part.unit == "%"]))
    lost = {tuple(row.place.values()): row.mean for row in of(rows, "table 2, why")}
    assert next(iter(lost)) == (10_000, 169, "1/r") and list(lost)[-1] == (100_000, 4_156, "1/r²")
    assert list(lost.values()) == pytest.approx([47.2, 33.0, 72.0, 55.6, 25.3, 16.9], abs=0.1)
    assert [row.mean for row in rows[:2]] == [lost[10_000, 169, "1/r"], lost[100_000, 4_156, "1/r"]]
    table_2, rises, falls = SetFigures().checks(rows)
    assert not table_2.holds and "It misses by 8.4 points." in table_2.sentence
    assert rises.holds and "4 of 4 pairs agree" in rises.sentence and falls.holds


@pytest.mark.deep
def test_samples_give_ranges():
    rows = list(SetFigures(figures="baskets", baskets=40, seeds=3).rows())
    assert all(len(row.values) == 3 for row in rows)
    assert len(set(of(rows, "figure 9")[0].values)) > 1
    assert "3 samples of 40 invented baskets" in rows[0].part.data


def test_a_source_stands_in_for_receipts_or_for_baskets():
    for beside, mine, theirs in ((True, "figure 7", "figure 9"), (False, "figure 9", "figure 7")):
        tasks = dataclasses.replace(TINY).tasks(Source(sets(50, beside), "“mine”"))
        parts = {task.part.table: task.part for task in tasks}
        assert "50 records of “mine”" in parts[mine].data and "invented" in parts[theirs].data
    alone = SetFigures(figures="receipts").tasks(Source(sets(50, True), "“mine”"))
    assert {task.part.table for task in alone} == {"figure 7", "figure 8", "figure 10"}
    assert [task.place["added"] for task in alone if task.part.table == "figure 8"] == ["things", "age"]


def test_a_large_source_is_sampled_and_compared_with_the_whole():
    chosen = SetFigures(figures="receipts", records=20)
    rows = list(chosen.rows(Source(sets(50, True), "“mine”")))
    assert [row.place["records"] for row in of(rows, "table 3")] == [20, 50]
    assert [row.place["k"] for row in of(rows, "figure 7")] == [2, 5, 10, 20]


def test_a_source_that_does_not_suit_is_refused():
    people = kc.Table.from_frame(pd.DataFrame({"age": range(30)}))
    with pytest.raises(InputError, match="item sets"):
        TINY.tasks(Source(people, ""))
    with pytest.raises(InputError, match="at least 10 records"):
        TINY.tasks(Source(sets(5, True), ""))


def test_on_the_command_line(capsys, tmp_path):
    out = tmp_path / "rows.csv"
    words = f"reproduce sets --figures baskets --baskets 60 --out {out}"
    assert main(words.split()) == 0
    shown = capsys.readouterr().out
    assert "Figure 9: suppressed items by k, baskets" in shown and "Statements of the paper" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert len(pd.read_csv(out)) == 60
    assert reproduction("sets") is SetFigures


@pytest.mark.deep
def test_what_is_computed_is_repeatable():
    first, second = (
        frame_of([row for row in SetFigures(figures="baskets", baskets=50).rows() if row.part.unit == "%"])
        for _ in range(2)
    )
    pd.testing.assert_frame_equal(first, second)


@pytest.mark.deep
def test_bms_web_view_2(kanon_data):
    """The paper's own baskets: more than half is suppressed at every k, rising with k."""
    table = kc.read_table(kanon_data / "baskets" / "BMS-WebView-2.fimi.txt")
    chosen = SetFigures(figures="baskets")
    tasks = [task for task in chosen.tasks(Source(table, "BMS-WebView-2")) if task.part.table == "figure 9"]
    assert all(task.part.comparable for task in tasks)
    rows = list(made(tasks))
    checks = chosen.checks(rows)
    assert len(checks) == 2 and all(check.must and check.holds for check in checks)
    assert [row.mean for row in rows] == pytest.approx([53.4, 62.5, 67.0, 71.4, 77.4], abs=0.5)

"""Figures 4.1 to 4.6 of the ILD paper made again: values, statements, columns, the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError, KanonError
from kanon_core.cli import main
from kanon_core.papers import Source, frame_of, reproduction
from kanon_core.papers.losses import KS, MEASURED, LossFigures

FIGURES = [f"figure 4.{i}" for i in range(1, 7)]


def source(n: int = 60, **more) -> Source:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"pay": rng.gamma(2, 100, n).round(), "town": rng.choice(["Ueda", "Ina", "Suwa"], n), **more}
    )
    return Source(kc.Table.from_frame(frame), "“pays.csv”")


def value(rows, figure: str, k: int, measured: str) -> float:
    (row,) = (r for r in rows if r.part.table == figure and r.place == {"k": k, "measured": measured})
    return row.mean


def test_every_figure_is_there_with_its_places():
    rows = list(LossFigures(largest_k=20).rows())
    assert list(dict.fromkeys(row.part.table for row in rows)) == FIGURES
    for figure in FIGURES:
        places = [tuple(row.place.values()) for row in rows if row.part.table == figure]
        assert places == [(k, which) for k in KS if k <= 20 for which in MEASURED]
    assert not any(row.part.comparable for row in rows) and all(row.printed is None for row in rows)
    assert "invented households" in rows[0].part.data and "“capital_income”" in rows[0].part.data
    assert frame_of(rows)["unit"].unique().tolist() == ["share"]


def test_values_are_those_of_the_release():
    given = source()
    rows = list(LossFigures(largest_k=5).rows(given))
    schema = kc.Schema(
        (
            kc.Attribute("pay", kind="numeric", recoding="mean"),
            kc.Attribute("town", recoding="mode", distance=kc.NormalizedLevenshtein()),
        )
    )
    table = kc.Table.from_frame(given.table.frame, schema)
    for figure, by in (("figure 4.4", ("pay",)), ("figure 4.5", ("town",)), ("figure 4.6", ("town", "pay"))):
        for k in (2, 5):
            loss = kc.ILD().measure(table, kc.anonymize(table.in_given_order(), kc.Sorting(by), k))
            assert value(rows, figure, k, "both") == pytest.approx(loss.total)
            assert value(rows, figure, k, "number") == pytest.approx(loss.attributes["pay"])
            assert value(rows, figure, k, "category") == pytest.approx(loss.attributes["town"])


@pytest.mark.deep
def test_on_the_papers_data_every_statement_holds(kanon_data):
    table = kc.read_table(kanon_data / "adult" / "adult.data")
    chosen = LossFigures(number="column_11", category="column_6")
    rows = list(chosen.rows(Source(table, "“adult.data”")))
    assert all(row.part.comparable for row in rows)
    golden = {
        ("figure 4.1", 10): (0.003223, 0.283207, 0.143215),
        ("figure 4.1", 100): (0.005205, 0.673523, 0.339364),
        ("figure 4.2", 10): (0.895977, -0.000374, 0.447801),
        ("figure 4.3", 10): (0.053886, -0.000374, 0.026756),
        ("figure 4.3", 100): (0.305701, -0.004795, 0.150453),
    }
    for (figure, k), expected in golden.items():
        assert tuple(value(rows, figure, k, which) for which in MEASURED) == pytest.approx(expected, abs=6e-7)
    assert value(rows, "figure 4.4", 10, "both") == pytest.approx(0.107441, abs=6e-7)
    assert value(rows, "figure 4.6", 10, "both") == pytest.approx(0.026929, abs=6e-7)
    checks = chosen.checks(rows)
    assert sum(check.must for check in checks) == 6 and all(check.holds for check in checks if check.must)
    failed = [check.sentence for check in checks if not check.holds]
    assert [one.split(",")[0].split(":")[0] for one in failed] == ["Figure 4.4"] * 2 + [
        "In general ILD is not below 0; it is where a frequent category replaces rarer ones"
    ]
    # .062200 at k = 2, .061172 at k = 5: the ends rise, a step between falls.
    assert failed[1].endswith("4 of 5 steps agree; the worst, k = 2 to 5, misses by 0.1 points.")
    assert failed[2].endswith(
        "96 of 108 values agree; the worst, figure 4.2, k = 100, misses by 0.48 points."
    )
    assert "make 6 % of all squared deviations" in rows[0].part.remark


def test_statements_are_tried_on_the_rows():
    chosen = LossFigures(largest_k=10)
    rows = list(chosen.rows(source()))
    assert {check.verdict for check in chosen.checks(rows)} <= {"holds", "differs here"}
    assert chosen.checks([]) == []
    (only,) = [
        c
        for c in chosen.checks([r for r in rows if r.part.table == "figure 4.2"])
        if "D_B loses more in total" in c.sentence
    ]
    totals = [value(rows, "figure 4.2", k, "both") for k in (2, 5, 10)]
    assert only.holds == (totals == sorted(totals)) and f"{100 * totals[0]:.1f} % at k = 2" in only.sentence


def test_what_is_kept_is_told_by_how_much():
    """Our households: a few of them have most of the capital income, and no group of k keeps that."""
    rows = list(LossFigures(largest_k=5).rows())
    (kept,) = [c for c in LossFigures().checks(rows) if c.sentence.startswith("Figure 4.1: D_A loses little")]
    assert not kept.holds and "0 of 2 k agree; the worst, k = 5 (" in kept.sentence
    assert "10 numbers farthest from the mean make 78 %" in rows[0].part.remark


def test_what_few_numbers_hold_by_hand():
    """The mean of 0 (18 times), 30 and 30 is 3. The 10 numbers farthest from it have 2 · 27² + 8 · 3² of all
    2 · 27² + 18 · 3², which is 94 %; one group of all 20 loses everything."""
    frame = pd.DataFrame({"x": [0.0] * 18 + [30.0] * 2, "y": list("ab") * 10})
    source = Source(kc.Table.from_frame(frame), "ours")
    remark = LossFigures(largest_k=2).tasks(source)[0].part.remark
    assert "The 10 numbers farthest from the mean make 94 %" in remark
    assert "one group of the 20 farthest, published at their mean, loses 100 % of all." in remark


def test_columns_are_found_or_named():
    given = source(when=pd.date_range("2020-01-01", periods=60), other=list("ab") * 30)
    found = LossFigures().tasks(given)[0].part.data
    assert "“pay”" in found and "“town”" in found
    named = LossFigures(number="when", category="other")
    assert "“when”" in named.tasks(given)[0].part.data
    assert all(np.isfinite(row.mean) for row in named.rows(given))


def test_what_does_not_suit_is_said():
    for options, said in [
        ({"number": "town"}, "“town” does not hold numbers or dates"),
        ({"category": "pay"}, "“pay” does not hold categories or texts"),
        ({"number": "nobody"}, "no column “nobody”"),
    ]:
        with pytest.raises(KanonError, match=said):
            LossFigures(**options).tasks(source())


def test_too_few_columns_records_or_too_many_values():
    with pytest.raises(InputError, match="no column of categories or texts; name one"):
        LossFigures().tasks(Source(kc.Table.from_frame(pd.DataFrame({"x": [1.5, 2.5, 3.25]})), ""))
    with pytest.raises(InputError, match="at least 2 records"):
        LossFigures().tasks(Source(kc.Table.from_frame(pd.DataFrame({"x": [1.5], "c": ["a"]})), ""))
    names = pd.DataFrame({"x": np.arange(5_100.0) ** 1.5, "c": [f"n{i}" for i in range(5_100)]})
    with pytest.raises(InputError, match="5,100 different values"):
        LossFigures(category="c").tasks(Source(kc.Table.from_frame(names), ""))


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    source().table.frame.to_csv("pays.csv", index=False)
    assert reproduction("loss") is LossFigures
    assert (
        main(
            [
                "reproduce",
                "loss",
                "--file",
                "pays.csv",
                "--number",
                "pay",
                "--largest-k",
                "5",
                "--out",
                "rows.csv",
            ]
        )
        == 0
    )
    shown = capsys.readouterr().out
    assert (
        "Figure 4.6: ILD of D_C" in shown
        and "Statements of the paper" in shown
        and max(map(len, shown.splitlines())) <= 100
    )
    assert len(pd.read_csv("rows.csv")) == 6 * 2 * 3

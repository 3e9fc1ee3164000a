"""Tables 8 and 9 of the paper on k-concealment: samples, costs, the use of a given table, and what the paper
says."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError, OptionError, SchemaError
from kanon_core.base.randomness import generator
from kanon_core.papers import Part, Row, Source, made
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.papers.printed import printed

TINY = {"records": 12, "visits": 8, "seeds": 2, "largest_k": 3, "draws": 20}
FOUR = ["lottery", "lottery + clusters", "tours", "tours + clusters"]
EIGHT = ["optimum", "greedy 2-anonymity", "greedy", *FOUR, "best pairs"]


def places(n: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {"name": [f"P{i}" for i in range(n)], "lat": rng.normal(35.6, 0.1, n), "lon": rng.normal(139, 0.1, n)}
    )


def households(n: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(6)
    ids = [f"person number {i}" for i in range(n)]
    return pd.DataFrame({"name": ids, "age": rng.integers(18, 90, n), "job": rng.choice(list("ABCD"), n)})


def source(frame: pd.DataFrame) -> Source:
    return Source(kc.Table.from_frame(frame), "“test.csv”")


def method(row: Row) -> str:
    return str(row.place["method"])


def test_tables_methods_and_k_in_order():
    rows = list(ConcealmentTables(**TINY).rows())
    table_8, table_9 = rows[:16], rows[16:]
    assert [method(row) for row in table_8] == EIGHT * 2
    assert [row.part.unit for row in table_8] == ["degrees"] * 8 + ["shares of the range"] * 8
    assert [(row.place["k"], method(row)) for row in table_9] == [
        (k, m) for k in (2, 3) for m in ["optimum", *FOUR]
    ]
    assert all(len(row.values) == 2 for row in rows)
    assert [row.printed for row in table_8[:8]] == [None, 0.2145, 0.2328, 3.149, 0.1493, 0.3186, 0.164, None]
    assert all(row.printed is None for row in table_8[8:])
    assert [row.printed for row in table_9[:5]] == [None, 5535.23, 1819.31, 1683.76, 1718.13]


def test_costs_are_those_of_audited_releases_of_the_samples():
    frame = households()
    rows = ConcealmentTables(**TINY, table="9").rows(source(frame))
    found = {(row.place["k"], method(row)): row.values for row in rows}
    for seed in range(2):
        part = frame.iloc[generator(seed).choice(30, 12, replace=False)][["age", "job"]]
        table = kc.Table.from_frame(part, kc.Schema.infer(part).with_quasi(["age", "job"]))
        for name, algorithm in (
            ("optimum", kc.OptimalConcealment()),
            ("lottery", kc.Lottery(20)),
            ("lottery + clusters", kc.Clustered(kc.Lottery(20))),
            ("tours", kc.Tours()),
            ("tours + clusters", kc.Clustered(kc.Tours())),
        ):
            assert (
                found[3, name][seed]
                == kc.anonymize(table.in_given_order(), algorithm, 3, seed).report["cost"]
            )


@pytest.mark.deep
def test_no_cost_is_below_the_optimum_and_the_optimum_is_at_its_bound():
    for row in ConcealmentTables(**TINY).rows():
        assert row.floor is not None
        for value, floor in zip(row.values, row.floor, strict=True):
            assert value == pytest.approx(floor, rel=1e-6) if row.is_floor else value >= floor * (1 - 1e-9)


def test_table_8_is_in_degrees_and_in_shares_of_the_range():
    frame = places(6)
    rows = list(ConcealmentTables(table="8", visits=6, seeds=1, draws=5).rows(source(frame)))
    points = frame[["lat", "lon"]].to_numpy()
    for unit, scaled in (("degrees", points), ("shares of the range", points / np.ptp(points, axis=0))):
        distances = np.abs(scaled[:, None] - scaled).sum(2)
        least = min(
            sum(distances[i, p] for i, p in enumerate(permutation))
            for permutation in itertools.permutations(range(6))
            if all(i != p for i, p in enumerate(permutation))
        )
        (optimum,) = [row for row in rows if row.part.unit == unit and row.is_floor]
        assert optimum.mean == pytest.approx(least)


@pytest.mark.deep
def test_a_sample_does_not_depend_on_how_many_there_are():
    both = [row.values[0] for row in ConcealmentTables(**TINY).rows()]
    assert both == [row.values[0] for row in ConcealmentTables(**{**TINY, "seeds": 1}).rows()]


def test_the_paper_settings_are_the_defaults():
    from kanon_core.algorithms.concealment.lottery import Lottery

    tasks = ConcealmentTables().tasks()
    draws = {
        task.part.table: chosen.draws
        for task in tasks
        for chosen in getattr(task.make, "args", ())
        if isinstance(chosen, Lottery)
    }
    assert draws == {"table 8": 100_000, "table 9": 10_000}
    assert {(task.part.table, task.part.size) for task in tasks} == {("table 8", 100), ("table 9", 1_000)}
    assert max(int(task.place["k"]) for task in tasks) == 7


def test_a_given_table_goes_where_it_fits():
    def data(frame: pd.DataFrame, **options) -> list[str]:
        tasks = ConcealmentTables(**TINY, **options).tasks(source(frame))
        return list(dict.fromkeys(f"{task.part.table} {'test.csv' in task.part.data}" for task in tasks))

    assert data(places()) == ["table 8 True", "table 9 False"]
    assert data(households()) == ["table 8 False", "table 9 True"]
    assert data(places(), table="8") == ["table 8 True"]
    assert data(places(), table="9") == ["table 9 True"]
    frame = households().assign(up=35.0, east=139.0)
    assert data(frame, coordinates=("up", "east")) == ["table 8 True", "table 9 False"]


def test_records_without_a_place_are_left_out_and_counted():
    frame = places()
    frame.loc[[2, 3], "lat"] = np.nan
    frame.loc[3, "lon"] = np.nan
    tasks = ConcealmentTables(table="8", visits=28, seeds=1).tasks(source(frame))
    assert "28 records of “test.csv” (2 without a place left out)" in tasks[0].part.data


def test_all_attributes_but_those_that_name_a_person():
    tasks = ConcealmentTables(**TINY, table="9").tasks(source(households()))
    assert tasks[0].part.data.endswith("from 30 records of “test.csv”, 1 numeric and 1 other attributes")


def test_data_of_the_shape_of_the_papers_are_taken_for_them():
    for records, papers_data in [(1_000, "another sample"), (500, "samples of 1,000")]:
        n = 32_561
        frame = pd.DataFrame(
            {f"n{i}": np.arange(n) % 7 for i in range(6)}
            | {f"c{i}": list("ab") * (n // 2) + ["a"] for i in range(9)}
        )
        part = ConcealmentTables(table="9", records=records, seeds=1).tasks(source(frame))[0].part
        assert part.comparable == (records == 1_000) and part.papers_data.startswith(papers_data)
        assert not ConcealmentTables(table="9", records=records, seeds=1).tasks()[0].part.comparable


def test_what_does_not_suit_is_refused_in_a_sentence():
    for options, frame, error, says in [
        ({"table": "8"}, households(), InputError, "needs places"),
        ({"coordinates": ("lat",)}, places(), OptionError, "two columns"),
        ({"coordinates": ("lat", "lon")}, None, OptionError, "given table"),
        ({"coordinates": ("age", "job")}, households(), InputError, "“job” holds no numbers"),
        ({"coordinates": ("age", "nobody")}, households(), SchemaError, "nobody"),
        ({"table": "8", "visits": 32}, places(), InputError, "set “visits” to 30 or less"),
        ({"table": "9", "records": 31}, households(), InputError, "set “records” to 30 or less"),
        ({"table": "9"}, households()[["name"]], InputError, "nothing can be compared"),
        ({"table": "8"}, places().assign(lat=np.nan), InputError, "needs places"),
        (
            {"table": "8", "coordinates": ("lat", "lon")},
            places().assign(lon=np.nan),
            InputError,
            "both a latitude and a longitude",
        ),
    ]:
        with pytest.raises(error, match=says) as refused:
            ConcealmentTables(**{**TINY, **options}).tasks(None if frame is None else source(frame))
        assert str(refused.value).endswith(".")


def test_an_odd_number_of_visits_has_no_best_pairs():
    rows = list(ConcealmentTables(**{**TINY, "visits": 9}, table="8").rows())
    assert [method(row) for row in rows] == EIGHT[:-1] * 2
    assert not any("theorem" in check.sentence for check in ConcealmentTables().checks(rows))


def test_equal_records_cost_nothing():
    for table in ["8", "9"]:
        frame = pd.DataFrame({"lat": [1.5] * 12, "lon": [2.5] * 12})
        chosen = ConcealmentTables(**TINY, table=table)
        rows = list(chosen.rows(source(frame)))
        assert {value for row in rows for value in row.values} == {0.0}
        checks = chosen.checks(rows)
        assert checks and all(check.holds for check in checks if check.must)
        assert not any("nan" in check.sentence for check in checks)


def test_progress_grows_and_names_the_row():
    seen: list[tuple[float, str]] = []
    list(ConcealmentTables(**TINY).rows(None, lambda fraction, note: seen.append((fraction or 0.0, note))))
    known = [fraction for fraction, _ in seen if fraction]
    assert known == sorted(known) and 0.9 < known[-1] <= 1 + 1e-9
    assert seen[-1][1].startswith("table 9, k = 3, tours + clusters")


def test_a_stop_keeps_the_rows_so_far_and_the_rest_can_follow():
    class Stopped(Exception):
        pass

    def tick(fraction: float | None, note: str) -> None:
        if "tours + clusters" in note:
            raise Stopped

    chosen = ConcealmentTables(**TINY, table="9")
    tasks, rows = chosen.tasks(), list[Row]()
    with pytest.raises(Stopped):
        for row in made(tasks, tick):
            rows.append(row)
    assert [method(row) for row in rows] == ["optimum", *FOUR[:3]]
    assert rows + list(made(tasks[4:])) == list(chosen.rows())


def papers_rows(table: str, unit: str = "", comparable: bool = True, **other: float) -> list[Row]:
    """The paper's own numbers as if we had found them, but for the cells given; an optimum of 90 %."""
    part = Part(table, "", unit, "", "", comparable, 1_000, 2)
    if table == "table 8":
        c = {(2, m): printed("k-concealment", "table 8", m, "cost") for m in EIGHT[1:-1]}
        c[2, "best pairs"] = 0.1480
    else:
        c = {(k, m): printed("k-concealment", "table 9", f"k = {k}", m) for k in range(2, 8) for m in FOUR}
    c |= {(int(name[-1]), name[:-1].strip().replace("_", " + ")): value for name, value in other.items()}
    rows = []
    for k in sorted({k for k, _ in c}):
        least = 0.9 * min(value for (other_k, m), value in c.items() if other_k == k)
        rows.append(Row(part, {"k": k, "method": "optimum"}, (least,), None, (least,), True))
        rows += [
            Row(part, {"k": k, "method": m}, (v,), v, (least,))
            for (other_k, m), v in c.items()
            if other_k == k
        ]
    return rows


def test_the_papers_own_numbers_are_what_it_says():
    for table, unit, count in [("table 8", "degrees", 5), ("table 9", "", 4)]:
        checks = ConcealmentTables().checks(papers_rows(table, unit))
        assert len(checks) == count
        assert all(check.holds and check.verdict == "holds" for check in checks)
        assert all(check.sentence.endswith(".") and "nan" not in check.sentence for check in checks)


def test_ratios_are_said_with_the_papers():
    says = " ".join(check.sentence for check in ConcealmentTables().checks(papers_rows("table 9")))
    assert "3.29 times as much as tours (paper: 3.29" in says
    assert "0.33 of the cost of lottery (paper: 0.33) and 1.02 of the cost of tours (paper: 1.02)" in says
    assert "could save 10.0 % at k = 2 and 10.0 % at k = 7" in says


def test_a_table_9_that_is_not_like_the_papers_fails():
    for changed, statement in [
        ({"tours5": 7900.0}, "order"),
        ({"lottery2": 6200.0}, "times as much"),
        ({"lottery_clusters4": 16700.0}, "help the lottery most"),
    ]:
        for comparable, verdict in ((True, "FAILS"), (False, "differs here")):
            checks = ConcealmentTables().checks(papers_rows("table 9", comparable=comparable, **changed))
            (check,) = [check for check in checks if statement in check.sentence]
            assert not check.holds and check.verdict == verdict


def test_a_table_8_that_is_not_like_the_papers_is_of_other_data():
    for changed, statement in [
        ({"lottery_clusters2": 0.17}, "costs least"),
        ({"tours_clusters2": 0.33}, "clusters lower the cost"),
        ({"greedy2": 0.21}, "without clusters"),
        ({"tours_clusters2": 0.22}, "less with clusters"),
    ]:
        checks = ConcealmentTables().checks(papers_rows("table 8", "degrees", **changed))
        (check,) = [check for check in checks if statement in check.sentence]
        assert not check.holds and check.verdict == "differs here"


def test_theorem_and_bound_must_hold_on_all_data():
    rows = papers_rows("table 8", "shares of the range", comparable=False)
    assert [check.must for check in ConcealmentTables().checks(rows)] == [True, True]
    (optimum,) = [row for row in rows if row.is_floor]
    for values, floor in (((0.15,), (0.15,)), (optimum.values, (0.9 * optimum.mean,))):
        found = Row(optimum.part, optimum.place, values, None, floor, True)
        others = [Row(r.part, r.place, r.values, None, values) for r in rows if not r.is_floor]
        assert "FAILS" in [check.verdict for check in ConcealmentTables().checks([found, *others])]


def test_statements_about_missing_rows_are_left_out():
    rows = papers_rows("table 9")
    assert ConcealmentTables().checks([]) == ConcealmentTables().checks(rows[:1]) == []
    one_method = [row for row in rows if method(row) == "tours"]
    assert ConcealmentTables().checks(one_method) == []


def test_tours_cost_the_same_backwards_in_the_paper_and_here():
    """An odd k adds the tour before it, backwards (the reading of algorithm 3)."""
    printed_costs = {k: printed("k-concealment", "table 9", f"k = {k}", "tours") for k in range(2, 8)}
    rows = ConcealmentTables(table="9", records=60, largest_k=7, draws=5).rows()
    ours = {int(row.place["k"]): row.mean for row in rows if method(row) == "tours"}
    for costs in (printed_costs, ours):
        c = {1: 0.0, **costs}
        for k in (3, 5, 7):
            assert c[k] - c[k - 1] == pytest.approx(c[k - 1] - c[k - 2])


def test_every_k_counts():
    """The proportion of lottery and tours agrees at k = 2 and not at k = 5."""
    rows = papers_rows("table 9", tours5=5000.0)
    (check,) = [c for c in ConcealmentTables().checks(rows) if "times as much as tours" in c.sentence]
    assert not check.holds and "5 of 6 proportions agree; the worst, k = 5, misses by" in check.sentence
    more = [
        Row(
            row.part,
            row.place,
            (*row.values, 2 * row.mean),
            row.printed,
            (*row.floor, *row.floor),
            row.is_floor,
        )
        for row in papers_rows("table 9")
    ]
    (check,) = [c for c in ConcealmentTables().checks(more) if "lower bound proves" in c.sentence]
    assert "the worst, k = 2, optimum, sample 1, misses by 1e+02 %" in check.sentence


@pytest.mark.deep
def test_table_9_on_the_papers_data(kanon_data):
    """1,000 records of Adult with fewer draws: everything the paper says, costs within 12 % of what it
    prints."""
    chosen = ConcealmentTables(table="9", seeds=1, largest_k=3, draws=500)
    table = kc.read_table(kanon_data / "adult" / "adult.data")
    rows = list(chosen.rows(Source(table, "“adult.data”")))
    assert all(row.part.comparable for row in rows)
    assert [row.ratio for row in rows if row.printed] == pytest.approx([1.0] * 8, abs=0.12)
    checks = chosen.checks(rows)
    assert len(checks) == 4 and all(check.must and check.holds for check in checks)
    best = [row for row in rows if method(row) == "tours"]
    assert [row.above for row in best] == pytest.approx([0.18, 0.09], abs=0.05)


def test_table_8_on_visits_of_the_papers_city(kanon_data):
    """Real places in Tokyo: the paper's cheapest method is the cheapest, and the scale is that of degrees."""
    path = kanon_data / "location" / "tokyo_nightley_poi_visits_expanded.csv"
    rows = list(ConcealmentTables(table="8", draws=20_000).rows(Source(kc.read_table(path), "“visits”")))
    in_degrees = {method(row): row.mean for row in rows if row.part.unit == "degrees"}
    assert 0.5 < in_degrees["optimum"] < in_degrees["best pairs"] < 1 < 4 < in_degrees["lottery"] < 6
    assert min(FOUR, key=in_degrees.__getitem__) == "lottery + clusters"
    assert {
        check.sentence for check in ConcealmentTables().checks(rows) if check.must and not check.holds
    } == set()

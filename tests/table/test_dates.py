"""Dates as people write them: what is read as which day, what is asked about, and what is no date."""

from __future__ import annotations

import io
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.findings import DateOrder
from kanon_core.table.columns.dates import DateForm, parse_dates, read_dates
from kanon_core.table.dateorders import date_notes, date_questions
from kanon_core.table.inference import infer_kind

READ = [
    (["05.03.2024", "31.3.2024"], ["2024-03-05", "2024-03-31"]),
    (["3/5/2024", "12/31/2024"], ["2024-03-05", "2024-12-31"]),
    (["05-03-2024", "31-12-2024"], ["2024-03-05", "2024-12-31"]),
    (["2024/3/5", "2024/12/31"], ["2024-03-05", "2024-12-31"]),
    (["2024. 3. 5."], ["2024-03-05"]),
    (["２０２４/３/５"], ["2024-03-05"]),
    (["5-Mar-2024", "5 March 2024", "05MAR2024", "5. März 2024"], ["2024-03-05"] * 4),
    (["Mar 5, 2024", "March 5th, 2024", "Tue, 5 Mar 2024"], ["2024-03-05"] * 3),
    (["5 de marzo de 2024", "5 mars 2024"], ["2024-03-05"] * 2),
    (["2024年3月5日", "2024年3月5日(火)"], ["2024-03-05"] * 2),
    (["令和6年3月5日", "R6.3.5", "令和元年5月1日"], ["2024-03-05", "2024-03-05", "2019-05-01"]),
    (["平成元年3月5日", "昭和39年10月10日"], ["1989-03-05", "1964-10-10"]),
    (["大正12年9月1日", "明治45年7月1日"], ["1923-09-01", "1912-07-01"]),
    (["1850-01-01", "2024-03-05"], ["1850-01-01", "2024-03-05"]),
    (["2024-03"], ["2024-03-01"]),
    (["2024-03-05T23:30:00-02:00", "2024-03-05 12:30"], ["2024-03-06 01:30", "2024-03-05 12:30"]),
    (["05.03.2024 14:30", "31.03.2024 8:05:09"], ["2024-03-05 14:30", "2024-03-31 08:05:09"]),
    (["3/5/2024 2:30 PM", "3/25/2024 12:05 am"], ["2024-03-05 14:30", "2024-03-25 00:05"]),
    (["5/Mar/2024:12:30:00 +0100", "5-Mar-2024 12:30 UTC"], ["2024-03-05 11:30", "2024-03-05 12:30"]),
    (["令和6年3月5日 14時30分"], ["2024-03-05 14:30"]),
    (["05.03.64", "24.12.26", "24.12.27"], ["1964-03-05", "2026-12-24", "1927-12-24"]),
    (["3/5/64", "3/25/64"], ["1964-03-05", "1964-03-25"]),
]
"""Texts, and the days or moments that they are read as."""
NO_DATES = [
    ["1.2.3", "1.10.12", "2.0.11"],
    ["10.0.0.1", "192.168.1.12"],
    ["030-12-3456", "06-12-3456", "090-1234-5678", "01 23 45 67 89"],
    ["3-2", "1/2"],
    ["1.5", "12.34", "2024.03"],
    ["2024", "20240305"],
    ["01-02-03", "12-05-01", "50-00-0"],
    ["P001", "S1.1.1", "A 5"],
    ["may", "march"],
    ["12:30", "23:59"],
    ["2010-11", "2012-13"],
    ["[2020-01-01, 2020-02-03]", "{05.03.2024, 06.03.2024}"],
    ["30.02.2024", "31.04.2024"],
]


@pytest.mark.parametrize(("texts", "days"), READ, ids=[texts[0] for texts, _ in READ])
def test_dates_are_told_by_their_values(texts, days):
    cells = pd.Series(texts, dtype="str")
    assert infer_kind("x", cells) == "datetime"
    assert (parse_dates(cells).dt.tz_localize(None) == pd.to_datetime(pd.Series(days), format="mixed")).all()
    said = read_dates(cells)[1]
    for text, day in zip(texts, days, strict=True):  # by a given order each is read apart from the others
        (alone,) = parse_dates(pd.Series([text]), said.order or "dmy")
        assert alone == pd.Timestamp(day, tz="UTC")


@pytest.mark.parametrize("texts", NO_DATES, ids=lambda texts: texts[0])
def test_what_looks_like_dates_and_is_none(texts):
    assert infer_kind("x", pd.Series(texts * 20, dtype="str")) != "datetime"


def test_numbers_stay_numbers():
    for values in ([2024, 1999], [20240305, 19991231], [1.2, 31.12]):
        assert infer_kind("born", pd.Series(values)) == "numeric"


def test_names_decide_where_codes_look_like_dates():
    assert infer_kind("geburtsdatum", pd.Series(["01-02-03", "12-05-01"])) == "datetime"


@pytest.mark.deep
@pytest.mark.parametrize("order", ["dmy", "mdy"])
@pytest.mark.parametrize("form", ["{}/{}/{:04d}", "{:02d}.{:02d}.{:04d}", "{:02d}-{:02d}-{:04d} 12:30"])
def test_a_column_in_one_order_is_read_back_or_asked_about(order, form):
    """Whatever dates it holds: never other days in silence."""
    rng = np.random.default_rng(5)
    asked = 0
    for _ in range(60):
        span = int(rng.choice([12, 40, 4000]))
        days = [date(1960, 1, 1) + timedelta(int(x)) for x in rng.integers(0, span, int(rng.integers(1, 12)))]
        parts = [(d.day, d.month, d.year) if order == "dmy" else (d.month, d.day, d.year) for d in days]
        table = kc.Table.from_frame(pd.DataFrame({"x": [form.format(*each) for each in parts], "n": 1}))
        read = np.floor(table.numbers("x").values / 86400)
        true = [(d - date(1970, 1, 1)).days for d in days]
        questions = date_questions(table)
        asked += bool(questions)
        assert questions or read.tolist() == true
        said = table.with_schema(table.schema.with_date_orders({"x": order}))
        assert np.floor(said.numbers("x").values / 86400).tolist() == true and not date_questions(said)
    assert 0 < asked < 60


def test_both_orders_are_asked_about_and_answered():
    rows = "".join(f"{n}/{n + 1}/2020,{n}\n" for n in range(1, 12)) + "1/12/2020,12\n"
    table = kc.read_table(f"visit,n\n{rows}".encode())
    assert table.schema["visit"].kind == "datetime" and table.schema["visit"].date_order == ""
    (question,) = date_questions(table)
    assert question.sentence.startswith(
        "The dates in column “visit” fit several orders, day first or month first; they were read day first."
    )
    assert "--date-order visit=dmy or --date-order visit=mdy" in question.sentence
    assert question.sentence in date_notes(table)
    months = table.with_schema(table.schema.with_date_orders({"visit": "mdy"}))
    for given, severities in ((table, ["decide"]), (months, [])):
        release = kc.anonymize(given, kc.MDAV(), 2, 1)
        assert [f.severity for f in kc.judge(given, release, [DateOrder()])] == severities
    assert not date_questions(months) and months.numbers("visit").range != table.numbers("visit").range
    entry = months.schema.to_json()[0]
    assert entry["date_order"] == "mdy" and "date_order" not in table.schema.to_json()[0]
    assert kc.Schema.from_json(months.schema.to_json()) == months.schema
    assert months.with_schema(table.schema).numbers("visit").range == table.numbers("visit").range


def test_the_other_dates_of_a_table_decide_and_it_is_asked_all_the_same():
    table = kc.read_table(b"a,b\n1/2/2020,3/25/2020\n2/12/2020,4/1/2020\n")
    assert [question.column for question in date_questions(table)] == ["a"]
    assert table.numbers("a").form.order == "mdy" and "read month first" in date_notes(table)[0]
    some = table.some(np.array([0]))
    assert (
        some.schema["a"].date_order == "mdy" and some.numbers("a").values[0] == table.numbers("a").values[0]
    )


def test_two_orders_in_one_column_stay_text_and_are_asked_about():
    cells = ["13/2/2020", "2/13/2020", "1/2/2020"] * 10
    table = kc.Table.from_frame(pd.DataFrame({"x": cells, "n": range(30)}))
    assert table.schema["x"].kind == "categorical"
    (question,) = date_questions(table)
    assert "no order fits both record 1 and record 2" in question.sentence
    months = table.with_schema(table.schema.with_date_orders({"x": "mdy"}))
    assert months.schema["x"].kind == "datetime" and months.misfits["x"].count == 10
    assert not date_questions(months)


def test_centuries_and_numbers_are_noted():
    table = kc.read_table(b"born,entry_date\n05.03.64,20240305\n24.12.71,20231231\n")
    assert "were read as 1927 to 2026" in date_notes(table)[0]
    assert "--kinds entry_date=datetime" in date_notes(table)[1]
    dated = table.with_schema(table.schema.with_kinds({"entry_date": "datetime"}))
    assert dated.numbers("entry_date").values[0] == pd.Timestamp("2024-03-05").timestamp()


def test_an_order_is_one_of_three_and_of_dates():
    for wrong in ({"date_order": "dym"}, {"date_order": "dmy", "kind": "numeric"}):
        with pytest.raises(kc.SchemaError, match="date order of column “x” must be one of dmy, mdy, ymd"):
            kc.Attribute("x", **{"kind": "datetime", **wrong})
    assert kc.Schema((kc.Attribute("x", kind="datetime", date_order="dmy"),)).with_kinds({"x": "text"})


def test_a_form_says_how_texts_are_written():
    assert read_dates(pd.Series(["2024-03-05"]))[1] == DateForm()
    assert read_dates(pd.Series(["2024-01-02", "25.03.2024"]))[1] == DateForm("dmy")
    assert read_dates(pd.Series(["5/5/2024"]))[1] == DateForm("dmy"), "both orders tell the same day"


def test_birth_dates_are_published_as_intervals(tmp_path, capsys):
    """3,000 rows of a German shop, whose dates were words."""
    rng = np.random.default_rng(1)
    days = np.datetime64("1950-01-01") + rng.integers(0, 20_000, 1_600).astype("timedelta64[D]")
    born = pd.Series(rng.choice(days, 3_000)).dt.strftime("%d.%m.%Y")
    frame = pd.DataFrame({"geburtsdatum": born, "geschlecht": rng.choice(list("mw"), 3_000)})
    text = frame.assign(kaufsumme=rng.integers(5, 500, 3_000)).to_csv(sep=";", index=False)
    table = kc.read_table(text.encode())
    assert table.schema["geburtsdatum"] == kc.Attribute("geburtsdatum", "quasi_identifier", "datetime")
    assert not date_notes(table)
    released = kc.anonymize(table, kc.Mondrian(), 3, 3).publish()["geburtsdatum"].astype("str")
    assert released.str.fullmatch(r"(\[\d{4}-\d\d-\d\d, )?\d{4}-\d\d-\d\d\]?").all()


def test_the_command_line_asks_and_takes_the_answer(tmp_path, capsys):
    file = tmp_path / "visits.csv"
    file.write_text("visit,n\n" + "".join(f"1/{n}/2020,{n}\n" for n in range(2, 13)))
    assert main(["describe", str(file)]) == 0
    assert "fit several orders, day first or month first" in capsys.readouterr().out
    for order in ("mdy", "visit=mdy"):
        out = tmp_path / "out.csv"
        given = [
            "--date-order",
            order,
            "--k",
            "2",
            "--algorithm",
            "mondrian",
            "--seed",
            "1",
            "--out",
            str(out),
        ]
        recipe = tmp_path / "recipe.json"
        assert main(["anonymize", str(file), *given, "--recipe", str(recipe)]) == 0
        assert "fit several orders" not in capsys.readouterr().err
        assert "2020-01-12" in out.read_text() and '"date_order": "mdy"' in recipe.read_text()
    assert main(["describe", str(file), "--date-order", "visit=first"]) == 2
    assert "must be one of dmy, mdy, ymd" in capsys.readouterr().err


def test_a_release_tells_how_its_dates_were_written():
    table = kc.read_table(b"visit,n\n1/2/2020,1\n1/3/2020,2\n1/4/2020,3\n1/5/2020,4\n")
    table = table.with_schema(table.schema.with_date_orders({"visit": "mdy"}))
    release = kc.anonymize(table, kc.MDAV(), 2, 1)
    from kanon_core.report.command import command_line
    from kanon_core.report.script import script

    assert "--date-order=visit=mdy" in command_line(release, "t.csv", "out.csv")
    assert '.with_date_orders({"visit": "mdy"})' in script(release, "t.csv", "out.csv")


def test_dates_first_rows_are_no_names():
    for day in ("2024年3月5日", "令和6年3月5日", "R6.3.5", "5-Mar-2024", "05.03.2024"):
        table = kc.read_table(io.BytesIO(f"{day},Rome\n{day},Oslo\n".encode()))
        assert len(table) == 2 and table.schema.names == ("column_1", "column_2")

"""Writing files: the same bytes each time, values that come back, texts no spreadsheet runs."""

from __future__ import annotations

import datetime as dt
import io
import re
import time
import zipfile
from decimal import Decimal

import numpy as np
import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kanon_core.base.errors import InputError, OptionError
from kanon_core.table.readers import read_frame
from kanon_core.table.writers import WRITERS, marked_cells, neutralized, write_frame
from kanon_core.table.writers.cells import without_apostrophe

FORMATS = tuple(WRITERS)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)


def sample() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "whole": [1, -2, 3],
            "part": [1.5, np.nan, -1e-300],
            "text": ["a, b", 'say "x"', "two\nlines"],
            "html": ["<b>x</b>", "😀 & co", " blanks "],
            "code": ["007", "0010", "NA"],
            "day": ["1850-01-01", None, "2020-02-29"],
        }
    ).astype(dict.fromkeys(("text", "html", "code", "day"), "str"))


@pytest.mark.parametrize("format", FORMATS)
def test_values_come_back(format: str) -> None:
    frame = sample()
    back = read_frame(write_frame(frame, format=format), keep=("NA",)).frame
    pd.testing.assert_frame_equal(back, frame)


@pytest.mark.parametrize("format", FORMATS)
def test_same_bytes_at_another_time(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_frame(sample(), format=format)
    moment = time.time() + 10_000_000
    monkeypatch.setattr(time, "time", lambda: moment)
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(moment))
    shuffled_index = sample().set_index(pd.Index([7, 5, 6]))
    assert write_frame(shuffled_index, format=format) == first


def test_csv_bytes() -> None:
    frame = pd.DataFrame({"n": [-3.5, np.nan], "t": ["=1+1", "x;y"], "é": [True, False]})
    assert write_frame(frame) == 'n,t,é\n-3.5,\'=1+1,True\n,"x;y",False\n'.encode()
    assert write_frame(pd.DataFrame({"x": ["a", None]})) == b'x\na\n""\n'


def test_formulas_are_neutralized():
    for text in [
        "=1+1",
        "+1 2",
        "-a",
        "@SUM(A1)",
        "\t=1",
        "\r",
        "  =1",
        "\u00a0=1",
        "\u200b=1",
        "＝1",
        "＋1",
        "－1",
        "＠x",
        "﹦1",
        "﹢1",
        "﹣1",
        "﹫x",
        "\x01=1",
        "-1-cmd",
        "-1+2",
        "-A1",
        "+1 A1",
        "=",
        "@",
        "\n@x",
    ]:
        assert neutralized(text) == f"'{text}" and without_apostrophe(f"'{text}") == text
        frame = pd.DataFrame({text: [text, "plain"], "n": [1, 2]})
        assert marked_cells(frame) == 2
        assert read_frame(write_frame(frame), header=True).frame.iloc[0, 0] == f"'{text}"
        plain = read_frame(write_frame(frame, plain=True), header=True).frame.iloc[0, 0]
        assert plain == text if text.strip() else pd.isna(plain)
        book = openpyxl.load_workbook(io.BytesIO(write_frame(frame, format="xlsx")))
        for cell in (book.worksheets[0]["A1"], book.worksheets[0]["A2"]):
            assert cell.data_type == "s" and not cell.value.startswith("'")
            assert (cell.quotePrefix and cell.number_format == "@") or "\x01" in text
        assert not book.worksheets[0]["A3"].quotePrefix
        assert read_frame(write_frame(frame, format="parquet")).frame.iloc[0, 0] == text


def test_harmless_texts_stay():
    for text in ["-", "--", "+", " - ", "－", "-5,2", "-1,234.5", "-1 234,5", "- 5", "-5 %", "\u22125"]:
        assert neutralized(text) == text and marked_cells(pd.DataFrame({"a": [text]})) == 0
    for text in ["-3.5", "+41", "-1e-5", "a=b", "[-3, 5]", "'=1", "3-4", "", "x@y.ch"]:
        assert neutralized(text) == text


@settings(deadline=None)
@given(TEXTS)
@example("＝cmd")
@example("\ufeff=1")
def test_no_text_begins_like_a_formula(text: str) -> None:
    safe = neutralized(text)
    visible = safe.lstrip().lstrip("\u200b\ufeff")
    assert safe in (text, f"'{text}")
    if visible.startswith(("=", "+", "-", "@", *"＝＋－＠﹦﹢﹣﹫")):
        assert not re.search(r"[^-+＋－﹢﹣0-9.,eE%' \u00a0\u202f]", visible)
    assert not safe.startswith(("\t", "\r", "\n"))


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6))
@example([(" a", " b")])
@example([("x", "\r"), ("\x1a", "y")])
@example([("a|b", "c")])
def test_any_text_comes_back_from_csv_and_parquet(rows: list[tuple[str, str]]) -> None:
    frame = pd.DataFrame(
        {"first": [f"x{a}" for a, _ in rows], "second": [f"x{b}" for _, b in rows], "third": range(len(rows))}
    )
    for format in ("csv", "parquet"):
        back = read_frame(write_frame(frame, format=format), format=format).frame
        assert back.values.tolist() == frame.values.tolist(), format


@pytest.mark.deep
@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6))
@example(["_x0041_", "a\rb", "#N/A!", "\x02", "\ufffe"])
def test_any_text_comes_back_from_xlsx(texts: list[str]) -> None:
    frame = pd.DataFrame({"first": [f"x{text}" for text in texts], "n": range(len(texts))})
    back = read_frame(write_frame(frame, format="xlsx"), header=True).frame
    allowed = [
        "".join("\ufffd" if (c < " " and c not in "\t\r\n") or c in "\ufffe\uffff" else c for c in text)
        for text in frame["first"]
    ]
    assert back["first"].tolist() == allowed


@pytest.mark.parametrize("format", FORMATS)
def test_other_types(format: str) -> None:
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(["a", None, "b"]),
            "flag": [True, False, True],
            "nullable": pd.array([1, None, 3], "Int64"),
            "object": ["a", 1, None],
            "day": pd.to_datetime(["2020-01-01", None, "2020-01-03"]),
            "old": pd.Series(["1850-01-01 12:00:00"] * 3).astype("datetime64[us]"),
            "zone": pd.to_datetime(["2020-01-01 10:30:00"] * 3).tz_localize("Asia/Tokyo"),
        }
    )
    back = read_frame(write_frame(frame, format=format)).frame
    assert back["flag"].tolist() == ["True", "False", "True"]
    assert back["nullable"].dropna().tolist() == [1.0, 3.0] and back["category"].dropna().tolist() == [
        "a",
        "b",
    ]
    assert back["object"].dropna().tolist() == ["a", "1"]
    assert pd.to_datetime(back["day"]).dropna().dt.day.tolist() == [1, 3]
    assert [str(cell)[:16] for cell in back["old"]] == ["1850-01-01 12:00"] * 3
    assert [str(cell)[:16] for cell in back["zone"]] == ["2020-01-01 01:30"] * 3


@pytest.mark.parametrize("format", FORMATS)
def test_the_list_of_categories_stays_at_home(format: str) -> None:
    """Categories may be the names of people who are not in the frame."""
    people = pd.Categorical(["Ann", "Bob", None], categories=["Ann", "Bob", "Zacharias"])
    mixed = pd.Categorical([1, "x", 2.5])
    data = write_frame(pd.DataFrame({"who": people, "mixed": mixed}), format=format)
    parts = [data]
    if format == "xlsx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [archive.read(name) for name in archive.namelist()]
    assert not any(b"Zacharias" in part for part in parts)
    back = read_frame(data, header=True).frame
    assert back["who"].tolist()[:2] == ["Ann", "Bob"] and pd.isna(back["who"].iloc[2])
    assert back["mixed"].tolist() == ["1", "x", "2.5"]


def test_parquet_types_are_numbers_truth_values_dates_and_text() -> None:
    frame = pd.DataFrame(
        {
            "whole": pd.array([1, None], "Int32"),
            "flag": pd.array([True, None], "boolean"),
            "thin": pd.arrays.SparseArray([0, 7]),
            "zone": pd.to_datetime(["2020-01-01 10:30:00"] * 2).tz_localize("Asia/Tokyo"),
            "price": [Decimal("1.50"), None],
            "span": pd.to_timedelta([1, 2], unit="h"),
            "month": pd.period_range("2020-01", periods=2, freq="M"),
            "flags": pd.Categorical([True, False]),
            "day": [dt.date(2020, 1, 1), None],
        }
    )
    schema = pq.read_schema(io.BytesIO(write_frame(frame, format="parquet")))
    kinds = [str(kind) for kind in schema.types]
    assert kinds[:3] == ["int32", "bool", "int64"] and kinds[3].startswith("timestamp[")
    assert kinds[4:] == ["large_string"] * 5 and schema.metadata is None


@pytest.mark.parametrize("format", FORMATS)
def test_half_characters_become_the_replacement_character(format: str) -> None:
    cells = pd.Series(["\ud800x", "é", "\udc80"], dtype=object)
    frame = pd.DataFrame(
        {"text": cells, "word": pd.Categorical.from_codes([0, 1, 2], pd.Index(cells)), "n": [1, 2, 3]}
    )
    frame.columns = pd.Index(["\ud800", "\ufffd", "n"], dtype=object)
    back = read_frame(write_frame(frame, format=format), format=format, header=True).frame
    assert list(back.columns) == ["'\ufffd", "\ufffd", "n"]
    assert back.iloc[:, 0].tolist() == ["\ufffdx", "é", "\ufffd"] and back.iloc[:, 1].equals(back.iloc[:, 0])


@pytest.mark.parametrize("format", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("names", "written"),
    [
        (["=x", "'=x", "n"], ["''=x", "'=x", "n"]),
        (["'=x", "=x", "''=x"], ["'=x", "{}=x".format("'" * 3), "''=x"]),
        (["=x", "y", "=z"], ["'=x", "y", "'=z"]),
    ],
)
def test_names_stay_different(format: str, names: list[str], written: list[str]) -> None:
    reading = read_frame(
        write_frame(pd.DataFrame([[1, 2, 3]], columns=names), format=format), header=True, delimiter=","
    )
    assert list(reading.frame.columns) == (written if format == "csv" else names) and not reading.notes


def test_sheet_keeps_what_it_would_round() -> None:
    back = read_frame(write_frame(pd.DataFrame({"n": [2**60, -(2**60)]}), format="xlsx")).frame
    assert back["n"].tolist() == [str(2**60), str(-(2**60))]


def test_sheet_has_no_clock() -> None:
    with zipfile.ZipFile(io.BytesIO(write_frame(sample(), format="xlsx"))) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_refusals() -> None:
    with pytest.raises(OptionError, match="csv, xlsx, parquet"):
        write_frame(sample(), format="docx")
    with pytest.raises(InputError, match="32,767 characters"):
        write_frame(pd.DataFrame({"x": ["a" * 40_000]}), format="xlsx")
    with pytest.raises(InputError, match="a sheet holds"):
        write_frame(pd.DataFrame(np.zeros((1, 16_385))), format="xlsx")
    with pytest.raises(InputError, match="have the name “x”"):
        write_frame(pd.DataFrame([[1, 2]], columns=["x", "x"]), format="parquet")

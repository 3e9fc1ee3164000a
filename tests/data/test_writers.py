"""Writing files: the same bytes each time, values that come back, texts no spreadsheet runs."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kanon_core.data.readers import read_frame
from kanon_core.data.writers import WRITERS, neutralized, write_frame
from kanon_core.errors import InputError, OptionError

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
    back = read_frame(write_frame(frame, format=format)).frame
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


@pytest.mark.parametrize(
    "text",
    [
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
        "-",
        "\x01=1",
        "-1-cmd",
        "=",
        "\n@x",
    ],
)
def test_formulas_are_neutralized(text: str) -> None:
    assert neutralized(text) == f"'{text}"
    frame = pd.DataFrame({text: [text, "plain"], "n": [1, 2]})
    assert read_frame(write_frame(frame), header=True).frame.iloc[0, 0] == f"'{text}"
    book = openpyxl.load_workbook(io.BytesIO(write_frame(frame, format="xlsx")))
    for cell in (book.worksheets[0]["A1"], book.worksheets[0]["A2"]):
        assert cell.data_type == "s" and cell.value.startswith("'")
    assert read_frame(write_frame(frame, format="parquet")).frame.iloc[0, 0] == text


@pytest.mark.parametrize("text", ["-3.5", "+41", "-1e-5", "a=b", "[-3, 5]", "'=1", "3-4", "", "x@y.ch"])
def test_harmless_texts_stay(text: str) -> None:
    assert neutralized(text) == text


@settings(deadline=None)
@given(TEXTS)
@example("＝cmd")
@example("\ufeff=1")
def test_no_text_begins_like_a_formula(text: str) -> None:
    safe = neutralized(text)
    visible = safe.lstrip().lstrip("\u200b\ufeff")
    assert safe in (text, f"'{text}")
    if visible.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")):
        float(safe)
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


def test_sheet_keeps_what_it_would_round() -> None:
    back = read_frame(write_frame(pd.DataFrame({"n": [2**60, -(2**60)]}), format="xlsx")).frame
    assert back["n"].tolist() == [str(2**60), str(-(2**60))]


def test_sheet_has_no_clock() -> None:
    with zipfile.ZipFile(io.BytesIO(write_frame(sample(), format="xlsx") or b"")) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="csv, xlsx, parquet"):
        write_frame(sample(), format="docx")
    with pytest.raises(InputError, match="32,767 characters"):
        write_frame(pd.DataFrame({"x": ["a" * 40_000]}), format="xlsx")
    with pytest.raises(InputError, match="a sheet holds"):
        write_frame(pd.DataFrame(np.zeros((1, 16_385))), format="xlsx")
    with pytest.raises(InputError, match="same name"):
        write_frame(pd.DataFrame([[1, 2]], columns=["x", "x"]), format="parquet")
    with pytest.raises(InputError, match="cannot be written"):
        write_frame(sample(), tmp_path / "absent" / "file.csv")


def test_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "released.csv"
    target.write_text("old")
    assert write_frame(sample(), target) is None
    assert target.read_bytes() == write_frame(sample())
    with pytest.raises(InputError):
        write_frame(pd.DataFrame({"x": ["a" * 40_000]}), target, format="xlsx")
    assert target.read_bytes() == write_frame(sample()) and list(tmp_path.iterdir()) == [target]

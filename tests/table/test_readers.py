"""Reading files: what is detected, what is repaired and said, and what is refused with one clear sentence."""

from __future__ import annotations

import datetime as dt
import gzip
import inspect
import io
import pickle
import struct
import tracemalloc
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.table.guesses import role_reasons
from kanon_core.table.readers import (
    FORMATS,
    READING_KEYS,
    Limits,
    Reading,
    check_reading,
    read_frame,
)
from kanon_core.table.readers.text import delimited

PLAIN = b"age,city\n39,Bern\n40,Basel\n"


def refused(source: object, **how: object) -> str:
    """The sentence with which the source is refused."""
    with pytest.raises(InputError) as caught:
        read_frame(source, **how)  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert sentence.endswith((".", "“, ”.")) and "Error" not in sentence and "\n" not in sentence
    return sentence


def noted(reading: Reading, part: str) -> bool:
    return any(part in note for note in reading.notes)


def workbook(*sheets: tuple[str, list[list[object]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def with_part(book: bytes, name: str, content: bytes) -> bytes:
    """The same workbook with one part replaced."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, content if part == name else old.read(part))
    return file.getvalue()


def sheet_xml(rows: str, dimension: str = "") -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{main}">{dimension}<sheetData>{rows}</sheetData></worksheet>'.encode()


def parquet(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


# Sources and formats


def test_path_bytes_and_buffer_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(PLAIN)
    buffer = io.BytesIO(PLAIN)
    buffer.read()
    frames = [read_frame(source).frame for source in (path, str(path), PLAIN, buffer, buffer)]
    for frame in frames:
        pd.testing.assert_frame_equal(frame, pd.DataFrame({"age": [39, 40], "city": ["Bern", "Basel"]}))


def test_formats_are_told_by_content() -> None:
    frame = pd.DataFrame({"age": [39, 40], "city": ["Bern", "Basel"]})
    files = {
        "csv": PLAIN,
        "tsv": PLAIN.replace(b",", b"\t"),
        "xlsx": workbook(("S", [["age", "city"], [39, "Bern"], [40, "Basel"]])),
        "parquet": parquet(pa.Table.from_pandas(frame)),
    }
    assert {*files, "fimi", "spmf", "pwscup"} == {
        format.name for format in FORMATS
    }  # see test_baskets, test_purchases
    for name, data in files.items():
        reading = read_frame(data)
        assert reading.format == name
        pd.testing.assert_frame_equal(reading.frame, frame)
        again = read_frame(data, **reading.how())
        pd.testing.assert_frame_equal(again.frame, frame)
        assert not noted(again, "detected") and not noted(again, "read as column names")


def test_source_problems(tmp_path: Path) -> None:
    assert "cannot be opened" in refused(tmp_path / "absent.csv")
    assert "cannot be opened" in refused(tmp_path)
    assert "binary mode" in refused(io.StringIO("a,b\n1,2\n"))
    assert "choose one of" in refused(PLAIN, format="docx")


# Encoding


def test_encoding_is_detected():
    for encoding, text in [
        ("utf-8", "名前,歳\n山田,39\n鈴木,40\n"),
        ("cp932", "名前,歳\n山田太郎,39\n鈴木花子,40\n"),
        ("cp932", "sex,age\n男,39\n女,40\n"),
        ("cp932", "氏名,カナ\n山田,ﾔﾏﾀﾞ\n鈴木,ｽｽﾞｷ\n"),
        ("euc_jp", "名前,歳\n山田太郎,39\nアイウ,40\n"),
        ("iso2022_jp", "名前,歳\n山田,39\n鈴木,40\n"),
        ("cp1252", "name,city\nRenée,Zürich\nJosé,Málaga\nÅse,Tromsø\n“Bo”,Genève\n"),
        ("utf-16", "名前,歳\n山田,39\n鈴木,40\n"),
        ("utf-16-le", "name,age\nRenée,39\nJosé,40\n"),
        ("utf-16-be", "name,age\nRenée,39\nJosé,40\n"),
        ("utf-8-sig", "名前,歳\n山田,39\n鈴木,40\n"),
        ("utf-32", "名前,歳\n山田,39\n鈴木,40\n"),
    ]:
        reading = read_frame(text.encode(encoding))
        lines = [line.split(",") for line in text.splitlines()]
        assert list(reading.frame.columns) == lines[0]
        assert reading.frame.astype(str).values.tolist() == lines[1:]
        assert reading.encoding == encoding.removesuffix("-sig")
        assert read_frame(text.encode(encoding), **reading.how()).frame.equals(reading.frame)


def test_encoding_as_said() -> None:
    data = "имя,age\nОльга,39\n".encode("cp1251")
    assert read_frame(data, encoding="cp1251").frame.columns[0] == "имя"
    assert "not utf-8 text" in refused(data, encoding="utf-8")
    assert "not a known text encoding" in refused(data, encoding="klingon")
    assert "not a known text encoding" in refused(data, encoding="base64")
    assert "not a known text encoding" in refused(data, encoding="undefined")


# Delimiter, quotes, lines


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|", ", "])
def test_delimiter_is_detected(delimiter: str) -> None:
    rows = [["age", "city", "note"], ["39", "Bern", '"a, b; c|d"'], ["40", "Basel", "x"]]
    data = "\n".join(delimiter.join(row) for row in rows).encode()
    reading = read_frame(data)
    assert reading.delimiter == delimiter
    assert reading.frame.values.tolist() == [[39, "Bern", "a, b; c|d"], [40, "Basel", "x"]]


def test_blanks_after_the_comma_belong_to_it() -> None:
    data = b"n, word, part\n1, x, 1.5\n2, , 2.5\n3, ?,\n4, ?, -0.5\n"
    reading = read_frame(data, delimiter=", ", missing=("?",))
    words, parts = reading.frame["word"], reading.frame["part"]
    assert words.iloc[0] == "x" and words.isna().tolist() == [False, True, True, True]
    assert parts.tolist()[:2] == [1.5, 2.5] and parts.isna().tolist() == [False, False, True, False]
    quoted = read_frame(data.replace(b" x", b' "x"'), delimiter=", ", missing=("?",))
    pd.testing.assert_frame_equal(quoted.frame, reading.frame)


@given(st.lists(st.sampled_from([b",", b" ", b", ", b"x"]), max_size=12), st.integers(1, 4))
def test_blanks_are_taken_out_across_pieces(parts: list[bytes], piece: int) -> None:
    text = b"".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_PIECE", piece)
        assert delimited._without_blanks(text) == text.replace(b", ", b",")


def test_semicolons_win_over_decimal_commas() -> None:
    reading = read_frame(b"1,5;2,25\n-3,0;1.000,5\n")
    assert reading.delimiter == ";"
    assert reading.frame.values.tolist() == [[1.5, 2.25], [-3.0, 1000.5]]
    assert noted(reading, "decimal marks")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends_quotes_and_blank_lines(end: bytes) -> None:
    data = end.join([b'a,"b ""x""",c', b"", b'1,"two' + end + b'lines",3', b"4,,6", b"", b""])
    frame = read_frame(data).frame
    assert list(frame.columns) == ["a", 'b "x"', "c"]
    assert frame["a"].tolist() == [1, 4]
    assert frame.iloc[0, 1] == "two" + end.decode() + "lines" and pd.isna(frame.iloc[1, 1])


def test_ragged_lines_are_named() -> None:
    sentence = refused(b'a,b\n\n"x\ny",2\n3\n4,5,6\n7,8\n')
    assert "the first has 2, line 5 has 1, line 6 has 3." in sentence
    many = b"a,b\n" + b"1,2\n3\n" * 1000
    assert "line 3 has 1, line 5 has 1" in refused(many) and "1,000 such lines" in refused(many)


def test_unclosed_quote_is_named() -> None:
    assert "opens on line 3 is never closed" in refused(b'a,b\n1,2\n1,"x\n2,3\n')
    assert read_frame(b'size,n\n5" pipe,1\n6 pipe,2\n').frame.iloc[0, 0] == '5" pipe'


def test_single_column_and_long_cells() -> None:
    reading = read_frame(b"age\n39\n40\n")
    assert reading.frame["age"].tolist() == [39, 40] and noted(reading, "single column")
    long = "x" * 3_000_000
    assert read_frame(f"a,b\n1,{long}\n2,y\n".encode()).frame["b"].tolist() == [long, "y"]


def test_delimiter_argument() -> None:
    assert read_frame(b"a:b\n1:2\n", delimiter=":").frame.values.tolist() == [[1, 2]]
    assert "one ASCII character" in refused(PLAIN, delimiter="::")
    assert "one ASCII character" in refused(PLAIN, delimiter="")


# Header and names


def test_header_is_detected():
    for text, header in [
        ("age,city\n39,Bern\n", True),
        ("39,Bern\n40,Basel\n", False),
        ("name,city\nAnn,Bern\nBob,Basel\n", True),
        ("Ann,Bern\nBob,Bern\nEve,Basel\n", False),
        ("country,2019,2020\nCH,1,2\n", True),
        ("Ann,2019\nBob,2020\n", False),
        ("Ann,1999-12-31\nBob,2000-01-01\n", False),
        (",a\n0,x\n1,y\n", True),
        ("a,a\n1,2\n", True),
        ("Ann,ann@x.ch\nBob,bob@y.ch\n", False),
        ("name,mail\nAnn,ann@x.ch\n", True),
        ("Ann,12 Mar 1999\nBob,1 May 2001\n", False),
        ("Ann;Mar 12, 1999\nBob;May 1, 2001\n", False),
        ("Ann,true\nBob,false\n", False),
        ("No,Name\nx,Ann\n", True),
        ("P001,Ann\nP002,Bob\nP003,Eve\nP004,Zoe\n", False),
        ("Q1,Q2\nA,B\nB,A\nC,C\n", True),
        ("Ann,Ann\nBob,Eve\n", False),
    ]:
        reading = read_frame(text.encode())
        assert reading.header is header
        assert len(reading.frame) == text.count("\n") - header


@pytest.mark.parametrize("table", ["name,city\nAnn,Bern\nBob,Basel\n", "Ann,Bern\nBob,Basel\n"])
def test_a_header_that_only_words_tell_is_doubted(table: str) -> None:
    """No program can know whether the first row of a table of texts is a person: it is said that it may be
    one."""
    rows = [line.split(",") for line in table.splitlines()]
    for reading in (read_frame(table.encode()), read_frame(workbook(("S", rows)))):
        assert reading.header and noted(reading, "set “First row” to “a record” under “Reading options”")
    assert not noted(read_frame(table.encode(), header=True), "record")


def test_a_header_over_values_is_not_doubted() -> None:
    for data in (PLAIN, b"name,mail\nAnn,ann@x.ch\n", workbook(("S", [["a"], [1]]))):
        reading = read_frame(data)
        assert noted(reading, "read as column names.") and not noted(reading, "if it is a record")


def test_header_as_said() -> None:
    assert read_frame(PLAIN, header=False).frame.shape == (3, 2)
    assert list(read_frame(b"1,2\n3,4\n", header=True).frame.columns) == ["1", "2"]


def test_names_are_made_unique_and_printable() -> None:
    reading = read_frame('id,id,id (2),,"a\nb",\u202e<b>😀</b>\n1,2,3,4,5,6\n'.encode())
    assert list(reading.frame.columns) == ["id", "id (3)", "id (2)", "column_4", "a b", "<b>😀</b>"]
    assert (
        noted(reading, "“id (3)”") and noted(reading, "“column_4”") and noted(reading, "Control characters")
    )


def test_empty_columns_without_a_name_are_left_out() -> None:
    reading = read_frame(b"a,b,\n1,2,\n3,4,\n")
    assert list(reading.frame.columns) == ["a", "b"] and noted(reading, "left out: “column_3”")
    assert read_frame(b"a,b,c\n1,2,\n3,4,\n").frame["c"].isna().all()
    assert "All cells of the file are empty" in refused(b",,\n,,\n", header=False)


def test_an_exported_index_is_an_identifier_and_said_once() -> None:
    for name in ("", "Unnamed: 0"):
        table = kc.read_table(f"{name},x\n0,5\n1,7\n2,5\n".encode())
        first = table.schema.names[0]
        assert table.schema[first].role == "identifier" and "row numbers" in role_reasons(table)[first]
        assert not any("number" in note for note in table.notes)


# Cells


def column(*cells: str, **how: object) -> Reading:
    return read_frame("\n".join(["n,x", *(f'{i},"{cell}"' for i, cell in enumerate(cells))]).encode(), **how)  # type: ignore[arg-type]


def test_cells_become_columns():
    for cells, kind, values in [
        (["1", "-2", "+3"], "int64", [1, -2, 3]),
        (["1", "", "3"], "float64", [1.0, None, 3.0]),
        (["1.5", ".5", "2.", "1e3"], "float64", [1.5, 0.5, 2.0, 1000.0]),
        ([" 1 ", "2"], "int64", [1, 2]),
        (["1", "NA", "n/a", "-", "null", " ", "NaN"], "float64", [1.0] + [None] * 6),
        (["1", "inf", "-Infinity", "1e999"], "float64", [1.0, None, None, None]),
        (["007", "012"], "str", ["007", "012"]),
        (["01", "NA"], "str", ["01", None]),
        (["0", "0.5", "-0.5"], "float64", [0.0, 0.5, -0.5]),
        (["NA", "CH", "null", "None"], "str", ["NA", "CH", None, "None"]),
        (["NA", "", "NA"], "str", [None, None, None]),
        (["1", "x", "3"], "str", ["1", "x", "3"]),
        (["1", "?", "3"], "str", ["1", "?", "3"]),
        (["1,234", "1,234,567.5", "3"], "float64", [1234.0, 1234567.5, 3.0]),
        (["0x1F", "0x2F"], "str", ["0x1F", "0x2F"]),
        (["True", "False"], "str", ["True", "False"]),
        (["12345678901234567890", "1"], "str", ["12345678901234567890", "1"]),
        (["9007199254740993", "1"], "int64", [9007199254740993, 1]),
        (["9007199254740993", ""], "str", ["9007199254740993", None]),
        (["<b>x</b>", "😀"], "str", ["<b>x</b>", "😀"]),
        (["1899-12-31", "0001-01-01"], "str", ["1899-12-31", "0001-01-01"]),
        (["", ""], "str", [None, None]),
    ]:
        found = column(*cells).frame["x"]
        assert str(found.dtype) == kind
        assert [None if pd.isna(cell) else cell for cell in found] == values


def test_repairs_are_noted():
    for cells, note in [
        (["1", "NA", "-"], "count as missing: “x” 2"),
        (["1", "inf", "1e999"], "Infinite or overflowing numbers count as missing: “x” 2"),
        (["007", "1"], "leading zeros"),
        (["1", "x", "y"], "are read as words: “x” 2"),
        (["a", "?", "?"], "“?” was read as text, not as a missing value: “x” 2"),
        (["1,234", "5"], "thousands"),
        (["12345678901234567890", "1"], "too many digits"),
    ]:
        assert noted(column(*cells), note)


@pytest.mark.parametrize(
    "cells",
    [["00,123", "1,234"], ["00,5", "1,5"], ["0.5", "1.234,5"], ["9,223,372,036,854,775,808", "1,234"]],
)
def test_numbers_with_commas_that_stay_text_are_kept_as_they_are_written(cells: list[str]) -> None:
    reading = column(*cells)
    assert reading.frame["x"].tolist() == cells
    assert not noted(reading, "decimal marks") and not noted(reading, "as thousands separators")
    assert (
        noted(reading, "leading zeros")
        or noted(reading, "too many digits")
        or noted(reading, "contradictory points and commas")
    )


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.50", "1.5", "01.5"], ["1.50", "1.5", "01.5"]),
        (["-inf", "NA", "null", "1e999", "5"], ["-inf", "NA", "null", "1e999", "5"]),
        (["", "x", "2020-01-01"], [None, "x", "2020-01-01"]),
        (["1,234", "+1", "1 "], ["1,234", "+1", "1 "]),
    ],
)
def test_without_types_cells_are_as_written(cells: list[str], values: list[object]) -> None:
    reading = column(*cells, typed=False)
    assert [None if pd.isna(cell) else cell for cell in reading.frame["x"]] == values
    assert set(map(str, reading.frame.dtypes)) == {"str"}
    assert reading.how()["typed"] is False and "typed" not in column(*cells).how()
    assert not noted(reading, "“x”")


def test_missing_as_said() -> None:
    reading = column("1", "?", "3", missing=("?",))
    assert reading.frame["x"].dtype == "float64" and reading.frame["x"].isna().tolist() == [
        False,
        True,
        False,
    ]
    assert reading.how()["missing"] == ("?",)


@settings(deadline=None)
@given(
    st.lists(st.integers(-(2**62), 2**62), min_size=1)
    | st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1)
)
def test_numbers_are_read_exactly(numbers: list[float]) -> None:
    data = "x,y\n" + "".join(f"{number!r},a\n" for number in numbers)
    assert read_frame(data.encode(), header=True).frame["x"].tolist() == numbers


@settings(deadline=None)
@given(st.lists(st.from_regex(r"-?(0|[1-9][0-9]{0,16})(\.[0-9]{1,3})?", fullmatch=True), min_size=1))
def test_usual_numbers_are_read_as_unusual_ones_are(texts: list[str]) -> None:
    """A column in which no cell needs a closer look takes a short cut, which must lead to the same place."""
    usual, closer = (
        read_frame("\n".join(["n,x", *(f"a,{text}{end}" for text in texts)]).encode(), header=True).frame["x"]
        for end in ("", " ")
    )
    assert usual.dtype == closer.dtype
    assert usual.tolist() == [cell.strip() if isinstance(cell, str) else cell for cell in closer]


# Files that are refused


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \r\n \t", "\ufeff".encode()])
def test_empty_files(data: bytes) -> None:
    assert "empty" in refused(data)


def test_header_only_and_one_row() -> None:
    assert "no records" in refused(b"age,city\n")
    assert len(read_frame(b"age,city\n39,Bern\n").frame) == 1


def test_foreign_files():
    for data, part in [
        (b"a,b\n1,\0\n", "line 2 holds a zero byte"),
        (bytes(range(256)) * 50, "zero byte"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x1f\x8b\x08rest", "unpack"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "password"),
        (b"<html><table><tr><td>1</td></tr></table></html>", "web page"),
        (b'{"age": 39}', "JSON"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
    ]:
        assert part in refused(data)


def test_how_a_file_is_read_is_checked() -> None:
    how = {"format": "csv", "header": None, "delimiter": ",", "missing": ["?"], "typed": False}
    assert check_reading(how) == {**how, "missing": ("?",)} and how["missing"] == ["?"]
    assert set(READING_KEYS) == set(inspect.signature(read_frame).parameters) - {"source", "limits", "tick"}
    for wrong in (
        {"foo": 1},
        {"limits": None},
        {"header": "yes"},
        {"typed": None},
        {"encoding": 1},
        {"missing": "?"},
        {"missing": [1]},
        {"missing": None},
    ):
        with pytest.raises(InputError, match=rf"“{next(iter(wrong))}”.*\.$"):
            check_reading(wrong)


def test_limits() -> None:
    wide = ",".join(f"c{i}" for i in range(10_000)) + "\n" + ",".join(["1"] * 10_000) + "\n"
    assert "10,000 columns; the limit is 2,000" in refused(wide.encode())
    assert "more than 3 rows" in refused(b"a\n" * 5, limits=Limits(rows=3))
    assert "the limit is 5" in refused(PLAIN * 2, limits=Limits(cells=5))
    assert "larger than" in refused(PLAIN, limits=Limits(bytes=10))
    assert "larger than" in refused(io.BytesIO(PLAIN), limits=Limits(bytes=10))


def test_no_cell_is_quoted() -> None:
    for data in (b"a,b\nsecret\n", b'a,b\n1,"secret\n', b"a,b\nsecret,\0\n"):
        assert "secret" not in refused(data)


# Workbooks


def test_workbook_types() -> None:
    when = dt.datetime(2020, 1, 2, 3, 4, 5)
    rows = [
        ["n", "x", "day", "when", "flag", "code", "mix", "na", "err", "text"],
        [1, 1.5, dt.date(2020, 1, 2), when, True, "007", 1, 1, 1.5, "1"],
        [2, None, None, when, False, "12", "a", "NA", "#N/A", "2"],
    ]
    reading = read_frame(workbook(("S", rows)))
    kinds = [
        "int64",
        "float64",
        "datetime64[us]",
        "datetime64[us]",
        "str",
        "str",
        "str",
        "float64",
        "float64",
        "str",
    ]
    assert [str(kind) for kind in reading.frame.dtypes] == kinds
    assert reading.frame["flag"].tolist() == ["True", "False"] and reading.frame["mix"].tolist() == ["1", "a"]
    assert reading.frame["when"].tolist() == [when, when]
    for part in ("“na” 1", "“err” 1", "“mix” 1"):
        assert noted(reading, part)


def test_workbook_without_types() -> None:
    rows = [["n", "day", "err"], [1.5, dt.date(2020, 1, 2), "#N/A"], ["1.50", "x", None], [-0.0, True, "NA"]]
    reading = read_frame(workbook(("S", rows)), typed=False)
    cells = [[None if pd.isna(cell) else cell for cell in reading.frame[name]] for name in reading.frame]
    assert cells == [["1.5", "1.50", "0"], ["2020-01-02", "x", "True"], ["#N/A", None, "NA"]]
    assert not noted(reading, "“err”")


def test_workbook_sheets() -> None:
    book = workbook(("Empty", []), ("First", [["a"], [1]]), ("Second", [["b"], [2]]))
    reading = read_frame(book)
    assert (reading.sheet, reading.sheets) == ("First", ("Empty", "First", "Second")) and noted(
        reading, "3 sheets"
    )
    assert read_frame(book, sheet="Second").frame["b"].tolist() == [2]
    assert "no sheet “Third”" in refused(book, sheet="Third")
    assert "is empty" in refused(book, sheet="Empty")
    assert "is empty" in refused(workbook(("Empty", [])))
    assert "no records" in refused(workbook(("S", [["age", "city"]])))


def test_workbook_gaps_and_formulas() -> None:
    rows = [[None, None, None], [None, "a", "b", "a"], [], [None, 1, "=1+1"], [None, 2, None, "x", "extra"]]
    reading = read_frame(workbook(("S", rows)))
    assert list(reading.frame.columns) == ["a", "b", "a (2)", "column_4"]
    assert reading.frame["a"].tolist() == [1, 2] and reading.frame["b"].isna().all()
    assert noted(reading, "left out: “column_1”")


def test_workbook_that_is_none() -> None:
    assert "is not .xlsx" in refused(PLAIN, format="xlsx")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert "zip archive" in refused(file.getvalue())
    assert "zip archive" in refused(file.getvalue(), format="xlsx")
    book = workbook(("S", [["a"], [1]]))
    assert "damaged" in refused(book[: len(book) // 2])
    assert "damaged" in refused(with_part(book, "xl/worksheets/sheet1.xml", b"<worksheet><sheetData>"))


def test_zip_bomb() -> None:
    book = workbook(("S", [["a"], [1]]))
    bomb = with_part(book, "xl/worksheets/sheet1.xml", bytes(200 * 2**20))
    assert len(bomb) < 2**20
    assert "unpacked workbook has 200 MB" in refused(bomb)
    assert "unpacked workbook" in refused(book, limits=Limits(unpacked=1000))


def test_zip_bomb_that_lies() -> None:
    """The directory and the entry's header state 100 bytes for 50 MB: no more than that is ever unpacked."""
    name = "xl/worksheets/sheet1.xml"
    content = sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row>' * 1_400_000)
    bomb = with_part(workbook(("S", [["a"], [1]])), name, content)
    size = struct.pack("<I", len(content))
    assert bomb.count(size) >= 1
    assert "damaged" in refused(bomb.replace(size, struct.pack("<I", 100)))


def test_entity_bomb() -> None:
    entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(9))
    head = f'<!DOCTYPE x [<!ENTITY e0 "haha">{entities}]>'
    cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&e9;</t></is></c></row>'
    bomb = with_part(
        workbook(("S", [["a"], [1]])), "xl/worksheets/sheet1.xml", head.encode() + sheet_xml(cell)
    )
    assert "damaged" in refused(bomb)


def test_sheet_that_lies_about_its_size() -> None:
    book = workbook(("S", [["a"], [1]]))
    rows = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="900000"><c'
        ' r="A900000"><v>1</v></c></row>'
    )
    lie = with_part(book, "xl/worksheets/sheet1.xml", sheet_xml(rows, '<dimension ref="A1:XFD1048576"/>'))
    assert read_frame(lie).frame["a"].tolist() == [1]
    far = with_part(
        book, "xl/worksheets/sheet1.xml", sheet_xml('<row r="1"><c r="XFD1"><v>1</v></c></row>' * 99)
    )
    assert "16,384 columns; the limit is 2,000" in refused(far)
    assert "more than 3 cells" in refused(workbook(("S", [["a", "b"], [1, 2]])), limits=Limits(sheet_cells=3))


# Parquet


def test_parquet_types() -> None:
    when = dt.datetime(1850, 1, 2, 3, 4, 5)
    table = pa.table(
        {
            "int": pa.array([1, 2], pa.int8()),
            "gap": pa.array([1, None], pa.int32()),
            "huge": pa.array([2**64 - 1, 1], pa.uint64()),
            "inf": pa.array([float("inf"), 1.0]),
            "decimal": pa.array([Decimal("1.25"), None]),
            "day": pa.array([dt.date(1, 1, 1), None]),
            "when": pa.array([when, None], pa.timestamp("ns")),
            "zone": pa.array([when, when], pa.timestamp("us", "Asia/Tokyo")),
            "category": pa.array(["a", None]).dictionary_encode(),
            "flag": pa.array([True, False]),
            "list": pa.array([["é", "b"], None]),
            "none": pa.nulls(2),
            "text": pa.array(["NA", ""]),
        }
    )
    reading = read_frame(parquet(table))
    kinds = [
        "int64",
        "float64",
        "str",
        "float64",
        "float64",
        "datetime64[us]",
        "datetime64[us]",
        "datetime64[us]",
        "str",
        "str",
        "str",
        "str",
        "str",
    ]
    assert [str(kind) for kind in reading.frame.dtypes] == kinds
    first = reading.frame.iloc[0].to_dict()
    assert first["day"] == dt.datetime(1, 1, 1) and first["when"] == when and first["list"] == '["é", "b"]'
    assert first["decimal"] == 1.25 and first["flag"] == "True" and np.isnan(first["inf"])
    assert reading.frame["text"].isna().tolist() == [False, True]
    for part in (
        "JSON text: “list”",
        "UTC: “zone”",
        "too many digits",
        "floating-point numbers: “decimal”",
        "“inf” 1",
    ):
        assert noted(reading, part)


def test_parquet_without_types() -> None:
    infinite = float("inf")
    table = pa.table(
        {
            "number": pa.array([infinite, -infinite, float("nan"), None, 0.1 + 0.2, 0.3]),
            "whole": pa.array([2**63, 1, None, 0, 0, 0], pa.uint64()),
            "price": pa.array([Decimal("1.50"), None, None, None, None, None]),
            "when": pa.array([dt.datetime(2020, 1, 2)] + [None] * 5, pa.timestamp("us", "Asia/Tokyo")),
            "flag": pa.array([True, False] + [None] * 4),
            "word": pa.array(["NA", "?", "", None, "a", "b"]).dictionary_encode(),
        }
    )
    frame = read_frame(parquet(table), typed=False, missing=("?",)).frame
    assert set(map(str, frame.dtypes)) == {"str"}
    assert frame["number"].nunique() == 5 and frame["number"].isna().sum() == 1
    assert frame.loc[0, ["whole", "price", "flag"]].tolist() == ["9223372036854775808", "1.50", "True"]
    assert frame["when"].iloc[0].startswith("2020-01-02 ")
    assert frame["word"].isna().tolist() == [False, True, True, True, False, False]


def test_parquet_index_is_kept() -> None:
    frame = pd.DataFrame({"x": [1.5, 2.5]}, index=["p", "q"])
    assert read_frame(parquet(pa.Table.from_pandas(frame))).frame["index"].tolist() == ["p", "q"]
    plain = read_frame(parquet(pa.Table.from_pandas(frame.reset_index(drop=True)))).frame
    assert list(plain.columns) == ["x"]


def test_parquet_problems() -> None:
    data = parquet(pa.table({"x": list(range(1000))}))
    assert "damaged" in refused(data[:-20])
    assert "damaged" in refused(data[:40] + bytes(40) + data[80:])
    assert "is not parquet" in refused(PLAIN, format="parquet")
    assert "no records" in refused(parquet(pa.table({"x": pa.array([], pa.int64())})))
    assert "has the type" in refused(parquet(pa.table({"x": [b"\xff\xfe"]})))
    wide = pa.table({f"c{i}": [1] for i in range(2_001)})
    assert "2,001 columns" in refused(parquet(wide))
    assert "unpacked table takes more" in refused(
        parquet(pa.table({"x": ["long text" * 1000] * 5000})), limits=Limits(unpacked=2**20)
    )


# Real data and any bytes


def test_adult(kanon_data: Path) -> None:
    reading = read_frame(kanon_data / "adult" / "adult.data")
    assert reading.frame.shape == (32_561, 15) and reading.delimiter == ", " and not reading.header
    assert noted(reading, "“column_2” 1,836, “column_7” 1,843, “column_14” 583")
    assert (reading.frame.dtypes == "int64").sum() == 6
    assert reading.frame.iloc[0, :4].tolist() == [39, "State-gov", 77516, "Bachelors"]


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text(alphabet='a1,;\t|"\r\n ?-.é', max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        reading = read_frame(data)
    except InputError:
        return
    assert len(reading.frame) and reading.frame.columns.is_unique
    assert not np.isinf(reading.frame.select_dtypes("number").to_numpy(float)).any()


RETAIL = """InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country
536365,85123A,LANTERN,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom
536365,71053,MUG,6,2010-12-01 08:26:00,3.39,17850.0,United Kingdom
C536379,85123A,LANTERN,-1,2010-12-01 09:41:00,2.5,14527.0,France
536414,71053,,56,2010-12-01 11:52:00,0.0,,United Kingdom
536415,71053,damaged,-2,2010-12-01 11:52:00,0.0,,United Kingdom
"""


def test_online_retail_as_it_is():
    table = kc.read_table(RETAIL.encode())
    roles = {attribute.name: attribute.role for attribute in table.schema}
    assert roles["CustomerID"] == "person" and roles["Description"] == roles["InvoiceNo"] == "identifier"
    assert [a.name for a in table.schema.quasi_identifiers] == [
        "StockCode",
        "Quantity",
        "InvoiceDate",
        "UnitPrice",
        "Country",
    ]
    assert table.frame["CustomerID"].dropna().tolist() == ["17850", "17850", "14527"]
    assert table["StockCode"].labels == ("71053", "85123A")
    assert table.notes[-2:] == (
        "2 returns were kept. To leave returns out, use “returns”.",
        "2 rows without a customer were kept. To leave such rows out, use “nobody”.",
    )


def test_codes_with_decimals_stay_as_they_are_written():
    table = kc.read_table(RETAIL.replace("17850.0", "17850.5").encode())
    assert table.frame["CustomerID"].dropna().tolist() == ["17850.5", "17850.5", "14527"]


@pytest.mark.parametrize(
    ("without", "left"), [(("returns",), 3), (("nobody",), 3), (("returns", "nobody"), 2)]
)
def test_returns_and_rows_of_nobody_are_left_out_by_choice(without, left):
    table = kc.read_table(gzip.compress(RETAIL.encode()), without=without)
    assert len(table) == left and table.reading["without"] == without
    counted = [note for note in table.notes if note.endswith("were left out.")]
    assert len(counted) == len(without) and all(note.startswith("2 r") for note in counted)
    again = kc.read_table(RETAIL.encode(), **table.reading)
    assert again.data_digest == table.data_digest


def test_what_cannot_be_left_out():
    with pytest.raises(InputError, match="“gifts” cannot be left out; choose one of returns, nobody"):
        read_frame(RETAIL.encode(), without=("gifts",))
    with pytest.raises(InputError, match="only be left out of UCI's Online Retail"):
        read_frame(b"a,b\n1,2\n", without=("returns",))
    with pytest.raises(InputError, match="No row remains"):
        read_frame("\n".join(RETAIL.splitlines()[i] for i in (0, 3)).encode(), without=("returns",))


def test_a_file_packed_by_gzip():
    packed = gzip.compress(b"a,b\n1,2\n3,4\n")
    assert read_frame(packed).frame.equals(read_frame(b"a,b\n1,2\n3,4\n").frame)
    for damaged in (packed[:-9], packed[:12] + b"\xff" * 9, gzip.compress(b"")):
        with pytest.raises(InputError, match=r"gzip file|file is empty"):
            read_frame(damaged)
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_frame(gzip.compress(b"a,b\n" + b"1,2\n" * 400_000), limits=Limits(unpacked=2**20))


def test_a_far_too_wide_line_is_refused_before_its_fields_are_made():
    """A hundred million fields would take 800 MB for each list of them."""
    wide = gzip.compress(b"," * 10**7)
    tracemalloc.start()
    with pytest.raises(InputError, match="10,000,001 columns"):
        read_frame(wide)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 10**7


def test_a_note_keeps_what_was_read_apart_from_the_advice_under_new_names_and_in_other_processes():
    table = kc.read_table(b"a,b\n?,1\nx,2\ny,3\n").with_names(["first", "second"])
    (note,) = (note for note in table.notes if note.startswith("“?”"))
    for one in (note, pickle.loads(pickle.dumps(note))):
        assert one.said == "“?” was read as text, not as a missing value: “first” 1."
        assert one == one.said + (
            " If it means “missing”, enter it under “Also missing” (on the command line: --missing)."
        )

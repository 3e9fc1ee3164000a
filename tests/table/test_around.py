"""Titles above a table, second rows of names, labels and notes: read as the same table, told with lines, or
asked about; never a record lost in silence."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.scale.source import layouts
from kanon_core.table.readers import Reading, read_frame, texts_in

NAMES = ["id", "age", "zip", "sex"]
ROWS = [[f"a{i}", str(30 + i), str(1000 + i), "fm"[i % 2]] for i in range(6)]
TABLE = [NAMES, *ROWS]
LABELS = ["Number of the person", "How old are you?", "Where do you live?", "Are you a man?"]
WORDS = ["none of them", "very old", "far away", "yes"]
CODES = [[str(1 + i % 3), str(i), str(2 * i), str(7 - i)] for i in range(6)]

Row = list[str]


def text(rows: list[Row], sign: str = ",") -> bytes:
    return "".join(sign.join(f'"{c}"' if sign in c else c for c in row) + "\n" for row in rows).encode()


def workbook(rows: list[Row]) -> bytes:
    """The rows as a sheet: cells of digits are numbers, empty ones are left out."""
    book = openpyxl.Workbook()
    for number, row in enumerate(rows, start=1):
        for column, cell in enumerate(row, start=1):
            if cell:
                book.worksheets[0].cell(number, column, int(cell) if cell.isdigit() else cell)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def cells(reading: Reading) -> list[Row]:
    frame = reading.frame.astype("str")
    return [list(map(str, frame.columns)), *frame.to_numpy().tolist()]


def told(reading: Reading, part: str) -> bool:
    return any(part in note for note in reading.notes)


AROUND: list[tuple[str, list[Row], dict[str, int], str]] = [
    ("a title with as many commas", [["Survey 2020", "", "", ""], *TABLE], {"skip": 1}, "line 1."),
    (
        "a title of two rows",
        [["Survey", "", "", ""], ["all of it", "", "", ""], *TABLE],
        {"skip": 2},
        "1 to 2",
    ),
    ("a title and a row of nothing", [["Survey", "", "", ""], [""] * 4, *TABLE], {"skip": 2}, ""),
    ("a source below", [*TABLE, ["Source: census", "", "", ""]], {"skip_end": 1}, "line 8."),
    ("notes after a row of nothing", [*TABLE, [""] * 4, ["of 2020", "", "", ""]], {"skip_end": 2}, "8 to 9"),
    ("labels", [NAMES, LABELS, *ROWS], {"skip_rows": 1}, "line 2."),
    ("two rows of labels", [NAMES, LABELS, WORDS, *ROWS], {"skip_rows": 2}, "lines 2 to 3"),
    (
        "all of it",
        [["Survey", "", "", ""], NAMES, LABELS, *ROWS, ["Quelle: Amt", "", "", ""]],
        {"skip": 1, "skip_rows": 1, "skip_end": 1},
        "line 3.",
    ),
]


@pytest.mark.parametrize(("what", "rows", "how", "lines"), AROUND, ids=[row[0] for row in AROUND])
def test_what_stands_around_a_table_is_left_out_and_told(
    what: str, rows: list[Row], how: dict[str, int], lines: str
) -> None:
    plain = [NAMES, *CODES] if "labels" in what else TABLE
    rows = [row for row in rows if row not in TABLE[1:]] if "labels" in what else rows
    rows = [*rows, *CODES] if "labels" in what else rows
    for data in (text(rows), text(rows, ";")):
        reading = read_frame(data)
        assert cells(reading) == plain, what
        assert {name: reading.how()[name] for name in how} == how
        assert told(reading, lines) and told(reading, "Skipped as")
        assert read_frame(data, **reading.how()).frame.equals(reading.frame)
        with pytest.raises(InputError, match="remove them from the file"):
            texts_in(data)
    if [""] * 4 not in rows:
        sheet = read_frame(workbook(rows))
        assert cells(sheet) == plain and told(sheet, lines.replace("line", "row"))
        assert read_frame(workbook(rows), **sheet.how()).frame.equals(sheet.frame)


def test_lines_of_fewer_fields_than_the_table() -> None:
    for above, below, how in (
        ("Survey 2020\n", "", {"skip": 1}),
        ("Survey 2020\n\n", "", {"skip": 2}),
        ("\nSurvey 2020\nby us, all of us\n\n", "", {"skip": 4}),
        ("", "\nSource: census, 2020\n", {"skip_end": 1}),
        ("", "\nof the year\nand of another, too\n", {"skip_end": 2}),
        ("Survey 2020\n", "Source: census\n", {"skip": 1, "skip_end": 1}),
    ):
        reading = read_frame(above.encode() + text(TABLE) + below.encode())
        assert cells(reading) == TABLE
        assert {name: reading.how()[name] for name in how} == how
    assert "line 10" in str(read_frame(text(TABLE) + b"\n\nSource: x\n").notes)
    assert told(read_frame(b"Survey\n\n" + text(TABLE) + b"\nSource: x\n"), "line 11")


def test_texts_alone_below_a_title_are_a_table_where_the_title_stands_apart() -> None:
    table = [
        ["name", "city", "job"],
        ["Anna", "Bern", "nurse"],
        ["Bert", "Rome", "cook"],
        ["Carl", "Rome", "x"],
    ]
    assert cells(read_frame(b"People of ours\n" + text(table))) == table
    assert cells(read_frame(b"People\n\n" + text(table))) == table
    asked = read_frame(text([["People", "", ""], *table]))
    assert len(asked.frame) == 4 and told(asked, "--skip 1")
    assert cells(read_frame(text([["People", "", ""], *table]), skip=1)) == table


def test_the_line_in_which_excel_is_told_the_delimiter() -> None:
    for first in (b"sep=;\n", b"SEP=;\r\n", b'"sep=;"\n', b"\xef\xbb\xbfsep=;\n"):
        reading = read_frame(first + text(TABLE, ";"))
        assert cells(reading) == TABLE and reading.delimiter == ";" and told(reading, "Line 1 (sep=)")
        assert cells(read_frame(first + text(TABLE, ";"), **reading.how())) == TABLE
    assert cells(read_frame(b"sep=\t\n" + text(TABLE, "\t"))) == TABLE
    assert list(read_frame(b"sep=;\na,b;c\n1,2;3\n").frame) == ["a,b", "c"]
    found = texts_in(b"sep=;\n" + text(TABLE, ";"))
    assert found is not None and found.names == tuple(NAMES)


def test_two_rows_of_names() -> None:
    for upper, lower, names in (
        (
            ["2020", "", "2021", ""],
            ["men", "women"] * 2,
            ["2020 men", "2020 women", "2021 men", "2021 women"],
        ),
        (
            ["men", "men", "women", "women"],
            ["old", "young"] * 2,
            ["men old", "men young", "women old", "women young"],
        ),
        (["id", "score", "", "place"], ["", "math", "art", ""], ["id", "score math", "score art", "place"]),
    ):
        for data in (text([upper, lower, *CODES]), workbook([upper, lower, *CODES])):
            reading = read_frame(data)
            assert cells(reading) == [names, *CODES] and told(reading, "first two rows together")
            assert cells(read_frame(data, **reading.how())) == [names, *CODES]
        assert len(read_frame(text([upper, lower, *CODES]), skip_rows=0).frame) == 7
        with pytest.raises(InputError, match="remove them from the file"):
            texts_in(text([upper, lower, *CODES]))


def test_what_is_said_counts() -> None:
    assert cells(read_frame(b"x\ny,1\n" + text(TABLE), skip=2)) == TABLE
    assert cells(read_frame(text(TABLE) + b"the end\n", skip_end=1)) == TABLE
    assert cells(read_frame(text([NAMES, WORDS, *ROWS]), skip_rows=1)) == TABLE
    kept = read_frame(text([NAMES, LABELS, *CODES]), skip_rows=0)
    assert len(kept.frame) == 7 and told(kept, "record 1.")
    assert len(read_frame(text([*TABLE, ["Source: x", "", "", ""]]), skip_end=0).frame) == 7
    assert next(iter(read_frame(text([["Survey", "", "", ""], *TABLE]), skip=0).frame)) == "Survey"
    assert len(read_frame(workbook([["x"], *TABLE, ["end"]]), skip=1, skip_rows=1, skip_end=1).frame) == 5
    for how in ({"skip": 99}, {"skip_end": 99}):
        for data in (text(TABLE), workbook(TABLE)):
            with pytest.raises(InputError, match="skip fewer"):
                read_frame(data, **how)
    for wrong in (-1, True, "1"):
        with pytest.raises(InputError, match="a whole number from 0 on"):
            read_frame(text(TABLE), skip=wrong)  # type: ignore[arg-type]


def test_lines_are_counted_from_the_beginning_of_the_file() -> None:
    broken = b"Survey\n\n" + text(TABLE) + b"x,y\n1,2,3,4\n"
    with pytest.raises(InputError, match="line 10 has 2"):
        read_frame(broken)
    with pytest.raises(InputError, match="line 10"):
        read_frame(b"Survey\n\n" + text(TABLE) + b'b,"3,1,f\n')


@pytest.mark.parametrize(
    ("rows", "records"),
    [
        ([["items"], ["a", "b"], ["c", "d"], ["e"]], 3),
        ([["items"], ["a", "b"], ["c"], ["a", "b", "c"]], 3),
        ([["", "a", "b"], ["0", "1", "2"], ["1", "2", "3"]], 2),
        ([["a", "b", "c"], ["x", "", ""], ["y", "1", "2"], ["z", "3", "4"]], 3),
        ([["a", "b", "c"], ["y", "1", "2"], ["z", "3", "4"], ["x", "", ""]], 3),
        ([["a", "b"], ["y", "1"], ["z", "3"], ["", ""], ["x", ""]], 4),
        ([["a", "b", "c"], ["w", "", ""], ["y", "1", "2"], ["", "", ""], ["z", "", ""]], 4),
        ([["a", "b", "c"], ["unknown", "NA", "-"], ["1", "1", "2"], ["3", "3", "4"], ["1", "2", "3"]], 4),
        ([["a", "b", "c"], ["[20, 30]", "*", "*"], ["1", "1", "2"], ["3", "3", "4"], ["1", "2", "3"]], 4),
        (
            [
                ["a", "b", "c"],
                ["{x, y}", "(any)", "20-30"],
                ["1", "1", "2"],
                ["3", "3", "4"],
                ["1", "2", "3"],
            ],
            4,
        ),
        ([["a", "b"], ["x y", "u v"], ["p", "q"], ["r", "s"], ["t", "u"]], 4),
        ([["", "name"], ["x", "Anna"], ["y", "Bert"], ["z", "Carl"]], 3),
    ],
)
def test_records_that_look_a_little_like_it_stay(rows: list[Row], records: int) -> None:
    reading = read_frame(text(rows))
    assert len(reading.frame) == records and not told(reading, "Skipped as")


def test_a_truncated_record_is_no_note() -> None:
    with pytest.raises(InputError, match=r"line 8 has 1.*--skip-end"):
        read_frame(text(TABLE) + b"Anna\n")


def test_a_record_of_another_kind_is_told() -> None:
    rows = [["a", "b", "c"], *([str(i), str(2 * i), str(i % 3)] for i in range(20)), ["x", "b", "c"]]
    rows.insert(5, ["a", "b", "c"])
    for data in (text(rows), workbook(rows)):
        assert told(read_frame(data), "record 5, 22.")
    assert not told(
        read_frame(text([row if row[0] != "a" else ["5", "b", "1"] for row in rows[:-1]])), "record 5"
    )
    assert not any("Words stand" in note for note in kc.read_table("sample:people-100").notes)


def test_large_files_in_pieces_are_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "LARGE", 10)
    file = tmp_path / "people.csv"
    for rows in (
        [["Survey", "", "", ""], *TABLE],
        [NAMES, LABELS, *CODES],
        [*TABLE, ["Source: x", "", "", ""]],
    ):
        file.write_bytes(text(rows))
        with pytest.raises(InputError, match="remove them from the file"):
            layouts.looked_at_head(str(file), file.stat().st_size)
    file.write_bytes(b"sep=;\n" + text(TABLE, ";"))
    assert layouts.looked_at_head(str(file), file.stat().st_size) == {}
    file.write_bytes(text(TABLE))
    assert layouts.looked_at_head(str(file), file.stat().st_size)["delimiter"] == ","


@pytest.mark.parametrize(
    ("written", "encoding", "found"),
    [
        ("id,“”\n1,2\n", "cp1252", "cp1252"),
        ("id,name\n1,ét\n", "cp1252", "cp1252"),
        ("id,ÄÖÜß\n1,2\n", "cp1252", "cp1252"),
        ("id,name\n1,éè\n2,b\n", "cp1252", "cp1252"),
        ("café,naïve\n1,São\n", "cp1252", "cp1252"),
        ("年齢,性別\n1,2\n", "cp932", "cp932"),
        ("氏名,x\n1,2\n", "cp932", "cp932"),
        ("氏名,x\n1,2\n", "euc_jp", "euc_jp"),
        ("カナ,x\n1,2\n", "euc_jp", "euc_jp"),
        ("id,性\n1,男\n2,女\n", "cp932", "cp932"),
        ("ﾈﾝﾚｲ,ｾｲﾍﾞﾂ\n1,2\n", "cp932", "cp932"),
        ("a,b\n" * 1000 + "東京,1\n", "cp932", "cp932"),
    ],
)
def test_a_few_bytes_beyond_ascii_are_no_japanese(written: str, encoding: str, found: str) -> None:
    reading = read_frame(written.encode(encoding), header=True, delimiter=",")
    assert reading.encoding == found and told(reading, found)
    assert cells(reading)[0] == written.splitlines()[0].split(",")


def test_intervals_below_names_confirm_them():
    released = [["age", "town"], ["[20, 29]", "Bern"], ["*", "Rome"], ["[30, 39]", "Oslo"]]
    doubt = "no column of numbers or dates confirms this"
    assert not any(doubt in note for note in read_frame(text(released, ";")).notes)
    words = [["name", "town"], ["Ann", "Bern"], ["Bob", "Rome"], ["Cid", "Oslo"]]
    assert any(doubt in note for note in read_frame(text(words)).notes)


WORD = st.text("abcdefgh ,.", min_size=3, max_size=30).map(str.strip).filter(lambda word: len(word) > 2)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(WORD, max_size=3),
    st.booleans(),
    st.booleans(),
    st.lists(WORD, max_size=3),
    st.integers(2, 6),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
)
def test_no_record_is_lost_in_silence(
    titles: list[str], blank: bool, labels: bool, below: list[str], width: int, sign: str, padded: bool
) -> None:
    names = [f"name{i}" for i in range(width)]
    records = [[str(10 * i + j) for j in range(width)] for i in range(5)]
    rows = [
        *([title, *[""] * ((width - 1) * padded)] for title in titles),
        *([[]] if blank and titles else []),
    ]
    rows += [names, *([[f"label of {name}" for name in names]] if labels else []), *records]
    rows += [*([[]] if blank and below else []), *([note, *[""] * ((width - 1) * padded)] for note in below)]
    try:
        reading = read_frame(text(rows, sign), typed=False)
    except InputError:
        return
    lost = sum(map(any, rows)) - len(reading.frame)
    said = [note for note in reading.notes if "Skipped as" in note]
    if any(reading.how().get(name) for name in ("skip", "skip_rows", "skip_end")):
        assert said and len(said) == sum(
            bool(reading.how().get(key)) for key in ("skip", "skip_rows", "skip_end")
        )
        assert len(reading.frame) >= 5
        held = {cell for row in cells(reading)[1:] for cell in row}
        assert {cell for row in records for cell in row} <= held or len(reading.frame.columns) == 1
    else:
        assert lost <= 2  # names, or two rows of names, which are told

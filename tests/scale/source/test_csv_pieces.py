"""Large csv files are cut into pieces at ends of records, and read as one machine reads the whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import InputError, KanonError
from kanon_core.scale.source import layouts
from kanon_core.table import readers
from kanon_core.table.readers.base import Limits
from tests.scale.source.csvpieces import alike, csv_texts, in_pieces, outcome, tiny


@pytest.mark.deep
@settings(max_examples=200)
@given(text=csv_texts(), chunk=st.sampled_from([7, 24, 100]), rows=st.sampled_from([1, 3, 10]))
def test_pieces_give_the_rows_of_the_whole(text, chunk, rows):
    with pytest.MonkeyPatch.context() as patch:
        tiny(patch, chunk=chunk, rows=rows)
        one, many = outcome(text, whole=True), outcome(text, whole=False)
    if isinstance(one, KanonError):
        assert isinstance(many, KanonError)
        return
    assert isinstance(many, pd.DataFrame), (str(many), text)
    assert alike(one, many), (one, many)


@pytest.mark.deep
@settings(max_examples=200)
@given(text=csv_texts(careless=True), chunk=st.sampled_from([7, 24]))
def test_careless_texts_give_the_same_rows_or_are_refused(text, chunk):
    with pytest.MonkeyPatch.context() as patch:
        tiny(patch, chunk=chunk, rows=1)
        one, many = outcome(text, whole=True), outcome(text, whole=False)
    if isinstance(many, pd.DataFrame):
        assert isinstance(one, pd.DataFrame), (str(one), text)
        assert alike(one, many), (one, many)


@pytest.fixture
def pieces(monkeypatch):
    tiny(monkeypatch)


LINES = [f"{i},{i * 7},town {i}" for i in range(40)]


def text_of(*lines: str, end: str = "\n") -> bytes:
    return end.join(["age,zip,town", *lines, ""]).encode()


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ragged_lines_are_named_as_on_one_machine(end):
    lines = [*LINES[:20], '5,8,"a\nb"', "6,7", *LINES[20:39], "1,2,3,4"]
    with pytest.raises(InputError) as one:
        kc.read_table(text_of(*lines, end=end))
    with pytest.raises(InputError) as many:
        in_pieces(text_of(*lines, end=end))
    assert "line 24 has 2, line 44 has 4" in str(one.value)
    assert str(many.value) == f"In the file “part-0.csv”: {one.value}"


@pytest.mark.usefixtures("pieces")
def test_a_quote_that_is_never_closed_is_named_by_its_line():
    lines = [*LINES[:20], '5,8,"a\nb"', '6,7,"town', *LINES[20:]]
    with pytest.raises(InputError, match=r"“part-0.csv”: The quote that opens on line 24 is never closed"):
        in_pieces(text_of(*lines))


@pytest.mark.usefixtures("pieces")
def test_a_zero_byte_is_named_by_its_line():
    with pytest.raises(InputError, match=r"“part-0.csv”.*line 32 holds a zero byte"):
        in_pieces(text_of(*LINES[:30], "1,2,a\0b", *LINES[30:]))


@pytest.mark.usefixtures("pieces")
def test_all_files_decide_together():
    """Zip codes with a leading zero in the second file alone are texts in the first; a column that is empty
    in one file is of numbers in both, and one that has no name and no value nowhere is left out."""
    one = b"age,zip,dose,\n1,8001,,\n2,8002,,\n"
    other = b"age;zip;dose;\n3;08003;1,5;\n4;8004;2;\n"
    frame, parts = in_pieces(one, other)
    assert parts == 2 and list(frame) == ["age", "zip", "dose"]
    assert frame["zip"].tolist() == ["8001", "8002", "08003", "8004"]
    assert frame["age"].dtype == "int64" and frame["dose"].tolist()[2:] == [1.5, 2.0]


@pytest.mark.deep
@settings(max_examples=60)
@given(texts=st.lists(csv_texts(), min_size=2, max_size=3))
def test_of_several_files_all_pieces_have_the_same_types(texts):
    """All pieces have the types that all have together (`in_pieces` asserts it), and no row is lost."""
    with pytest.MonkeyPatch.context() as patch:
        tiny(patch, rows=1)
        alone = [outcome(text, whole=True) for text in texts]
        names = {tuple(one) if isinstance(one, pd.DataFrame) else None for one in alone}
        if len(names) == 1 and None not in names:
            try:
                frame, _ = in_pieces(*texts)
            except InputError as problem:
                assert "numbers such as 1,234" in str(problem) or "quotes occur" in str(problem)
                return
            assert len(frame) == sum(map(len, alone))


@pytest.mark.usefixtures("pieces")
def test_empty_files_are_refused_as_on_one_machine():
    with pytest.raises(InputError, match="has column names but no records"):
        in_pieces(b"a rather long name of a column,another rather long name\r\n\r\n\r\n")
    with pytest.raises(InputError, match=r"“part-0.csv”: All cells of the file are empty"):
        in_pieces(b'""\n' * 40)


WESTERN = "name;town\n" + "\n".join(f"{i};Zürich – {i}" for i in range(30)) + "\n"


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_encodings_in_which_lines_can_be_told_apart(encoding):
    frame, parts = in_pieces(WESTERN.encode(encoding))
    assert parts > 3 and frame["town"].tolist() == [f"Zürich – {i}" for i in range(30)]


@pytest.mark.usefixtures("pieces")
def test_bytes_that_are_no_windows_characters_are_latin_1():
    text = WESTERN.replace("–", "\x81").encode("latin-1")
    assert alike(kc.read_table(text).frame, in_pieces(text)[0])


JAPANESE = "名前,都市\n" + "".join(f"山田{i},東京都千代田区\n" for i in range(30))


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp932", "euc_jp", "iso2022_jp", "utf-32"])
def test_other_encodings_are_refused(encoding):
    with pytest.raises(
        InputError, match=r"“part-0.csv”: The file is larger than .* write it in UTF-8, or as"
    ):
        in_pieces(JAPANESE.encode(encoding))


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("encoding", ["utf-16", "cp932"])
def test_what_cannot_be_cut_is_read_at_once_up_to_a_size(monkeypatch, encoding):
    monkeypatch.setattr(layouts, "MOST_AT_ONCE", 10_000)
    frame, parts = in_pieces(JAPANESE.encode(encoding))
    assert parts == 1 and alike(kc.read_table(JAPANESE.encode()).frame, frame)
    spaced = b"a, b, c\n" + b'1, 5" x, 3\n' * 20
    assert alike(kc.read_table(spaced).frame, in_pieces(spaced)[0])


@pytest.mark.usefixtures("pieces")
def test_other_contents_are_refused():
    zipped = gzip.compress(text_of(*LINES))
    with pytest.raises(InputError, match="compressed with gzip: decompress it"):
        in_pieces(zipped)
    baskets = b"1 2 3\n4 5\n" * 20
    with pytest.raises(InputError, match="Its content is not csv"):
        in_pieces(baskets)
    with pytest.raises(InputError, match="PDF"):
        in_pieces(b"%PDF" + b" " * 100)
    spaced = b"a, b, c\n" + b'1, 5" x, 3\n' * 20
    with pytest.raises(InputError, match="quotes occur within cells"):
        in_pieces(spaced)


def test_small_files_of_other_contents_are_read_as_before(tmp_path):
    baskets = b"1 2 3\n4 5\n" * 20
    frame, _ = in_pieces(baskets)
    assert alike(kc.read_table(baskets).frame, frame)
    zipped = gzip.compress(text_of(*LINES))
    assert alike(kc.read_table(text_of(*LINES)).frame, in_pieces(zipped)[0])


def test_short_rows_are_any_number(monkeypatch):
    """In files that are cut, and in those that are small."""
    monkeypatch.setattr(readers, "DEFAULT_LIMITS", Limits(rows=10, cells=10))
    assert len(in_pieces(b"n\n" + b"1\n" * 40)[0]) == 40
    tiny(monkeypatch)
    assert len(in_pieces(b"n\n" + b"1\n" * 40)[0]) == 40


@pytest.mark.usefixtures("pieces")
def test_a_single_column_whose_later_cells_have_commas(tmp_path: Path):
    text = b"town\n" + b"Oslo\n" * 30 + b"Bern\n" * 10
    assert alike(kc.read_table(text).frame, in_pieces(text)[0])


def test_a_table_of_returns_is_prepared_in_pieces_as_in_one(monkeypatch):
    """UCI's Online Retail, whose codes are texts: customers too, though they are numbers in the file."""
    head = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n"
    rows = [
        f"{536365 + i},{85123 + i % 3},a mug,{i},12/1/2010 8:26,2.5,{17850 + i}.0,UK\n" for i in range(20)
    ]
    rows[13] = "C536379,D,Discount,-1,12/1/2010 9:41,27.5,,UK\n"
    text = (head + "".join(rows)).encode()
    tiny(monkeypatch)
    frame, parts = in_pieces(text)
    assert parts > 3 and alike(kc.read_table(text).frame, frame)

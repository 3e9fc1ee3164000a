"""Files that ask for more than they are worth: refused in a sentence, before memory and time are taken."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import os
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.base.words import set_language, spoken
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.table.readers import Limits, read_frame
from kanon_core.table.readers.apart import read_apart
from kanon_core.table.readers.base import Reading, ReadOptions
from kanon_core.table.readers.columnar import is_usual
from kanon_core.table.readers.lines import read_hierarchy
from kanon_core.table.readers.workbook.archive import opened
from kanon_core.table.readers.workbook.sheet import filled_rows
from kanon_core.table.readers.workbook.values import Values
from tests.fuzz.case import SECONDS, at_most
from tests.fuzz.tables import workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def refused(data: bytes, **how) -> str:
    """The sentence, which came in the time that any file below 10 MB may take."""
    with at_most(SECONDS), pytest.raises(InputError) as found:
        read_frame(data, **how)
    return str(found.value)


def parquet(columns: dict[str, object], **how) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, **how)
    return file.getvalue()


def sheet(rows: str) -> bytes:
    return workbook(f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>')


def with_strings(data: bytes, strings: str) -> bytes:
    """The workbook with these shared texts, as XML."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            texts = f'<sst xmlns="{MAIN}">{strings}</sst>'.encode()
            new.writestr(name, texts if name.endswith("sharedStrings.xml") else old.read(name))
    return file.getvalue()


# Workbooks


def test_a_row_far_away_costs_nothing() -> None:
    first = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>'
    far = f'{first}<row r="1048576"><c r="A1048576"><v>7</v></c></row>'
    assert read_frame(sheet(far)).frame["a"].tolist() == [7]
    said = refused(sheet(f'{first}<row r="1000000000000"><c><v>7</v></c></row>'))
    assert "“S” has a row numbered 1,000,000,000,000" in said and "1,048,576" in said


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="2"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>',
        '<row><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row>',
        '<row><c r="XFE1"><v>1</v></c></row>',
        '<row><c t="s"><v>-1</v></c></row>',
        "<row><c><v>1_000</v></c></row>",
        "<c><v>1</v></c>",
    ],
)
def test_what_no_spreadsheet_writes_is_damaged(rows: str) -> None:
    assert "damaged" in refused(sheet(rows))


@pytest.mark.deep
def test_elements_are_counted() -> None:
    assert "XML elements" in refused(sheet("<x>" * 2_100_000))
    cells = Limits(sheet_cells=10_000)
    assert "10,000 cells" in refused(sheet(f"<row>{'<c/>' * 16_000}</row>" * 2), limits=cells)
    wide = '<row r="1"><c r="T1"><v>1</v></c></row>'
    tall = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c></row>' for n in range(2, 3_000))
    assert "10,000 cells" in refused(sheet(wide + tall), limits=cells)


@pytest.mark.deep
def test_a_text_in_a_million_pieces_takes_their_time() -> None:
    pieces = "<t>a</t>" * 1_000_000
    rows = f'<row><c t="inlineStr"><is>{pieces}</is></c></row><row><c><v>1</v></c></row>'
    with at_most(SECONDS):
        assert read_frame(sheet(rows), header=True).frame.columns[0] == "a" * 1_000_000


@pytest.mark.parametrize("shared", [False, True])
def test_a_text_within_many_elements_is_kept_once(shared: bool) -> None:
    """A file of 5 kB, whose one text of 4 MB would otherwise be kept 500 times."""
    long = "a" * 4_000_000
    text = "<t>" * 500 + long + "</t>" * 500
    cell = '<c t="s"><v>0</v></c>' if shared else f'<c t="inlineStr"><is>{text}</is></c>'
    data = sheet(f"<row>{cell}</row><row><c><v>1</v></c></row>")
    data = with_strings(data, f"<si>{text}</si>") if shared else data
    tracemalloc.start()
    assert read_frame(data, header=True).frame.columns[0] == long
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 200e6


def test_one_long_text_in_many_cells() -> None:
    body = '<row><c t="s"><v>0</v></c></row>' * 1_000
    data = workbook(f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>', ["x" * 10_000])
    assert read_frame(data).frame.shape == (1_000, 1)
    assert "exceed the memory limit" in refused(data, limits=Limits(unpacked=2**20))
    assert "more than 5,000 characters" in refused(data, limits=Limits(characters=5_000))


def test_workbooks_are_read_as_openpyxl_reads_them() -> None:
    """Dates of both calendars, times, spans, truth values, errors, rich texts and formulas."""
    day = dt.date(1990, 5, 6)
    for epoch in (openpyxl.utils.datetime.WINDOWS_EPOCH, openpyxl.utils.datetime.MAC_EPOCH):
        book = openpyxl.Workbook()
        book.epoch = epoch
        rows = [
            ["when", "day", "time", "span", "flag", "text", "n"],
            [dt.datetime(2020, 1, 2, 3, 4, 5), day, dt.time(7, 8), dt.timedelta(1.5), True, "a_x000D_b", 1],
            [dt.datetime(1905, 3, 1), day, dt.time(0), dt.timedelta(0.25), False, "#N/A", 1e300],
            [None, None, None, None, None, " b ", -0.1],
        ]
        for row in rows:
            book.active.append(row)
        file = io.BytesIO()
        book.save(file)
        known = openpyxl.load_workbook(io.BytesIO(file.getvalue()), read_only=True, data_only=True)
        ours, options = opened(file.getvalue(), ReadOptions()), ReadOptions()
        found = filled_rows(ours, ours.sheets[0][1], "Sheet", Values(ours, options), options)[0]
        assert [tuple(row) for row in found] == list(known.worksheets[0].iter_rows(values_only=True))


# Parquet


def references(rows: int, long: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * long]))


@pytest.mark.deep
@pytest.mark.parametrize("stored", [True, False])
def test_one_long_text_a_hundred_thousand_times(stored: bool) -> None:
    data = parquet({"a": references(131_072, 2**20)}, compression="zstd", store_schema=stored)
    assert len(data) < 1_000 and not is_usual(data, Limits(), lambda *_: None)
    assert "takes more than 1,536 MB of memory" in refused(data)


@pytest.mark.deep
def test_a_list_without_end() -> None:
    lists = pa.ListArray.from_arrays(pa.array([0, 2 * 10**7], pa.int32()), pa.nulls(2 * 10**7, pa.int8()))
    data = parquet({"a": lists}, compression="zstd")
    assert len(data) < 4_000 and "column “a” has more than 4,194,304 characters" in refused(data)
    deep = pa.int8()
    for _ in range(17):
        deep = pa.list_(deep)
    assert "more than 16 levels deep" in refused(parquet({"a": pa.array([None], deep)}))


@pytest.mark.deep
@pytest.mark.parametrize(
    "fields",
    [
        b"\x15\x02\x19\x25\x02\x02\x16\x00\x19\x0c\x00",  # columns that are numbers
        b"\x15\x02\x19\x18\x02hi\x16\x00\x19\x0c\x00",  # that are texts
        b"\x15\x02\x15\x02\x16\x00\x19\x0c\x00",  # one number
    ],
)
def test_a_footer_of_other_fields_is_damaged(fields: bytes) -> None:
    data = b"PAR1" + fields + len(fields).to_bytes(4, "little") + b"PAR1"
    assert not is_usual(data, Limits(), lambda *_: None) and "damaged" in refused(data)


def test_a_dictionary_of_less_than_no_texts_is_not_usual() -> None:
    """Less than none would raise the number of texts that may still be looked at."""
    data = parquet({"a": ["x", "x"]}, compression="none")
    place = data.index(b"\x4c\x15\x02") + 2  # the seventh field, a structure, whose first number is 1
    assert is_usual(data, Limits(), lambda *_: None)
    assert not is_usual(data[:place] + b"\x01" + data[place + 1 :], Limits(), lambda *_: None)


@pytest.mark.deep
def test_usual_files_are_read_here_and_lists_apart() -> None:
    rng = np.random.default_rng(0)
    words = [f"w{n}" for n in rng.integers(0, 10**6, 20_000)]
    flat = {"n": rng.integers(0, 9, 20_000), "x": rng.random(20_000), "w": words}
    for compression in ("none", "snappy", "zstd", "gzip", "brotli", "lz4"):
        for version in ("1.0", "2.0"):
            data = parquet(flat, compression=compression, data_page_version=version, row_group_size=7_000)
            assert is_usual(data, Limits(), lambda *_: None)
            frame = read_frame(data).frame
            assert frame["w"].tolist() == words and frame["x"].tolist() == flat["x"].tolist()
    nested = parquet({"n": [1, 2], "l": [[1, 2], None]})
    assert not is_usual(nested, Limits(), lambda *_: None)
    reading = read_frame(nested)
    assert reading.frame["l"].tolist()[0] == "[1, 2]" and pd.isna(reading.frame["l"][1])
    prefixed = parquet({"w": words}, use_dictionary=False, column_encoding={"w": "DELTA_BYTE_ARRAY"})
    assert not is_usual(prefixed, Limits(), lambda *_: None)
    assert read_frame(prefixed).frame["w"].tolist() == words


def test_times_beyond_the_calendar_are_missing_and_said_to_be() -> None:
    columns = {
        "ms": pa.array([2**62, 0, -(2**62), None], pa.timestamp("ms")),
        "s": pa.array([253_402_300_799, 253_402_300_800, -62_135_596_800, -(10**11)], pa.timestamp("s")),
        "day": pa.array([10**9, 0, -719_162, 2_932_896], pa.date32()),
        "ns": pa.array([2**62, 0, 1_999, -1], pa.timestamp("ns")),
    }
    reading = read_frame(parquet(columns))
    assert reading.frame["ms"].isna().tolist() == [True, False, True, True]
    assert reading.frame["s"].isna().tolist() == [False, True, False, True]
    assert reading.frame["s"][0].isoformat() == "9999-12-31T23:59:59"
    assert reading.frame["day"].isna().tolist() == [True, False, False, False]
    assert reading.frame["ns"].notna().all() and reading.frame["ns"][0].year == 2116
    assert any("outside the years 1 to 9999" in n and "“ms” 2, “s” 2, “day” 1" in n for n in reading.notes)


def slow(data: bytes, options: ReadOptions) -> Reading:
    time.sleep(60)
    raise AssertionError


def busy(data: bytes, options: ReadOptions) -> Reading:
    while True:
        pass


def large(data: bytes, options: ReadOptions) -> Reading:
    bytearray(2**30)
    raise AssertionError


def crash(data: bytes, options: ReadOptions) -> Reading:
    os.abort()


def half(data: bytes, options: ReadOptions) -> Reading:
    """An answer of which some is sent before the memory is too small for the rest."""
    return Reading(pd.DataFrame(), "parquet", notes=(("x" * 2**20), Large()))  # type: ignore[arg-type]


class Large:
    def __reduce__(self) -> tuple[object, ...]:
        raise MemoryError


def word(data: bytes, options: ReadOptions) -> Reading:
    raise InputError(spoken() + data.decode())


@pytest.mark.deep
@pytest.mark.parametrize(
    ("read", "limits", "said"),
    [
        (slow, Limits(seconds=0.1), "was stopped after 0 s"),
        (busy, Limits(seconds=1.0), "was stopped after 1 s"),
        (large, Limits(memory=2**29), "takes more than 512 MB of memory"),
        (half, Limits(memory=2**29), "takes more than 512 MB of memory"),
        (crash, Limits(), "it is damaged"),
        (word, Limits(), "en-GB!"),
    ],
)
def test_a_process_of_its_own_is_ended(read: Callable, limits: Limits, said: str) -> None:
    context = copy_context()  # in which alone the language is another
    context.run(set_language, "en-GB")
    with pytest.raises(InputError, match=said):
        context.run(read_apart, read, b"!", ReadOptions(limits=limits), "it is damaged")


def test_the_documented_limits_are_those_that_hold() -> None:
    limits = Limits()
    text = (Path(__file__).parents[2] / "docs" / "reference" / "reading.md").read_text("utf-8")
    for said in (
        f"| {limits.bytes // 2**20} MB |",
        f"| {limits.rows:,}, {limits.columns:,}, {limits.cells:,} |",
        f"| {limits.sheet_cells:,}, and 4 times",
        f"| {limits.unpacked_from(1) // 2**20} MB, or 32 times the file if that is more, up to 1 GB |",
        f"| {limits.characters // 2**20} MB |",
        f"| {limits.nesting} |",
        f"| {limits.memory / 2**30} GB, and 16 times",
        f"| {limits.seconds:.0f} s, and {limits.seconds:.0f} s for each 10 MB",
    ):
        assert said in text, said


# Packed, text and settings


@pytest.mark.deep
def test_packed_files_grow_within_bounds() -> None:
    data = gzip.compress(b"1,2\n" * (2**26 + 1))
    assert "larger than 256 MB" in refused(data)


def test_zeros_in_settings() -> None:
    for encoding in ("utf-8\0", "idna", "punycode", "undefined", "rot13", "hex", "nope", ""):
        assert "not a known text encoding" in refused(b"a,b\n1,2\n", encoding=encoding)
    assert "one ASCII character" in refused(b"a,b\n1,2\n", delimiter="\0")
    with pytest.raises(InputError, match="one character"):
        read_hierarchy(b"a;b;*\n", delimiter="\0")


def test_long_names_and_cells_take_no_time() -> None:
    for long in ("1 " * 50_000 + "x", "id" + "1" * 99_999 + "x", "“" * 100_000, "a@" + "." * 99_999):
        book = openpyxl.Workbook()
        book.active.append([long[:32_767], "b"])
        book.active.append([1, 2])
        file = io.BytesIO()
        book.save(file)
        for data in (file.getvalue(), f"{long},b\n1,2\n3,4\n".encode()):
            with at_most(SECONDS):
                assert kc.read_table(data, header=True, names=("a", "b")).schema.names == ("a", "b")
            with at_most(SECONDS):
                assert kc.read_table(data).schema.names
    assert "more than 4,194,304 characters" in refused(b"a,b\n1," + b"x" * (2**22 + 1) + b"\n")


def test_many_columns_of_one_name() -> None:
    with at_most(SECONDS):
        frame = read_frame((",".join(["a"] * 2_000) + "\n" + ",".join(["1"] * 2_000) + "\n").encode()).frame
    assert frame.columns[1_999] == "a (2000)"


@pytest.mark.deep
def test_a_released_cell_that_goes_on_takes_no_time() -> None:
    table = kc.read_table(b"age,city,size\n20,Bern,low\n30,Basel,high\n40,Bern,low\n")
    table = table.with_schema(table.schema.with_kinds({"size": "ordinal"}))
    pieces = (" ", ";", "1-", "a,", '{"', " or (missing)", "low, ")
    for cell in ("[ 1," + " " * 100_000 + "x", *(f"{{1{piece * 50_000}" for piece in pieces), "low" * 10**6):
        text = cell.replace('"', '""')
        with at_most(SECONDS):
            found = read_release(f'age,city,size\n"{text}","{text}","{text}"\n'.encode(), table)
        assert sum("fit no record" in note or "fits no record" in note for note in found.notes) == 3


# Ticks


class Stop(BaseException):
    pass


def files() -> dict[str, bytes]:
    rows = 300_000
    lines = "".join(f"{n},word {n % 7},{n / 3}\n" for n in range(rows)).encode()
    frame = pd.DataFrame({"a": np.arange(rows), "w": [f"word {n}" for n in range(rows)]})
    file = io.BytesIO()
    frame.to_parquet(file)
    book = sheet("".join(f"<row><c><v>{n}</v></c></row>" for n in range(60_000)))
    return {
        "csv": b"a,b,c\n" + lines,
        "gz": gzip.compress(b"a,b,c\n" + lines, 1),
        "parquet": file.getvalue(),
        "xlsx": book,
        "nested": parquet({"l": [[1, 2]] * 1_000}),
        "fimi": b"1 2 3\n4 5\n" * 100_000,
    }


def _stopped(data: bytes, after: int) -> tuple[bool, bool]:
    """Return whether the tick after the first ``after`` ticks raised, and whether that ended the reading."""
    left, raised = iter(range(after)), list[bool]()

    def stop(share: float | None, note: str) -> None:
        if next(left, None) is None:
            raised.append(True)
            raise Stop

    try:
        read_frame(data, tick=stop)
    except Stop:
        return bool(raised), True
    return bool(raised), False


@pytest.mark.deep
def test_every_reader_ticks_and_can_be_stopped() -> None:
    for name, data in files().items():
        ticks: list[str] = []
        frame = read_frame(data, tick=lambda share, note, t=ticks: t.append(note)).frame
        assert ticks and frame.equals(read_frame(data).frame), name

        # A file that is read apart ticks as time goes by, so the second reading may have fewer ticks.
        assert _stopped(data, 0) == (True, True), name
        raised, came_out = _stopped(data, len(ticks) // 2)
        assert raised == came_out, name
        assert read_frame(data).frame.equals(frame)


def test_entries_that_lie_are_never_unpacked_further() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"xl/{number}", b"")
        archive.writestr("xl/workbook.xml", b"<workbook/>")
    assert "10,002 parts" in refused(file.getvalue())

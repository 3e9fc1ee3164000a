"""Tables whose values are known, written in every format by code that shares nothing with the readers."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from kanon_core.table.readers import read_frame
from kanon_core.table.readers.base import MISSING_NUMBERS
from tests.fuzz.case import Case

Rows = list[list[str | None]]
_WORDS = ("a", "Bern", "x y", "St. Gallen", "007", "1.5", "-3", "1e5", "東京", "Zürich", "NA", "?", "{a, b}")
_WORDS += ("[1, 2]", "=1+1", 'say "hi"', "a,b", "a;b", "tab\there", "two\nlines", "“q”", "{0}", "%s", "é" * 9)
_NAMES = ("age", "zip code", "city", "id", "customer_id", "date", "年齢", "a,b", 'q"q', "x" * 80, "2019")
_SIGNS = {",": ",", ";": ";", "\t": "\t", "|": "|"}


def true_case(rng: random.Random) -> Case:
    """A file of a random table in a random format, read as texts or with types."""
    return rng.choice((_csv, _csv, _xlsx, _xlsx, _parquet, _parquet))(rng)


def table(rng: random.Random, fits: Callable[[str], bool] = lambda text: True) -> tuple[list[str], Rows]:
    """Names and rows of texts, some missing."""
    width, height = rng.randint(1, 6), rng.choice((1, 2, 3, 10, 200))
    names = rng.sample([name for name in _NAMES if fits(name)], width)
    columns = [_column(rng, height, fits) for _ in range(width)]
    return names, [list(row) for row in zip(*columns, strict=True)]


def _column(rng: random.Random, height: int, fits: Callable[[str], bool]) -> list[str | None]:
    words = [word for word in _WORDS if fits(word)]
    makers: tuple[Callable[[], str], ...] = (
        lambda: str(rng.randint(-5, 99)),
        lambda: repr(rng.uniform(-1e6, 1e6)),
        lambda: rng.choice(words),
        lambda: f"{rng.randint(1900, 2030)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
        lambda: f"w{rng.getrandbits(40)}",
    )
    make, gaps = rng.choice(makers), rng.choice((0, 0, 0.1, 0.5))
    cells = [None if rng.random() < gaps else make() for _ in range(height)]
    return cells if any(cell is not None for cell in cells) else [make(), *cells[1:]]


def same_texts(names: list[str], rows: Rows) -> Callable[[Any], None]:
    """Compares a reading as texts with the table; columns or rows without any value may be left out."""

    def check(reading: Any) -> None:
        frame = reading.frame
        assert list(frame.columns) == names, (list(frame.columns), names)
        found = [[None if pd.isna(cell) else cell for cell in row] for row in frame.to_numpy(object).tolist()]
        for number, (one, other) in enumerate(zip(found, rows, strict=True)):
            assert one == other, f"row {number}: {one!r} is not {other!r}"

    return check


def same_values(names: list[str], rows: Rows) -> Callable[[Any], None]:
    """The same of a reading with types: numbers are those that Python reads, texts as they are written."""

    def check(reading: Any) -> None:
        for place, name in enumerate(names):
            found, texts = reading.frame[name], [row[place] for row in rows]
            numeric = pd.api.types.is_numeric_dtype(found)
            for one, text in zip(found, texts, strict=True):
                if pd.isna(one):
                    assert text is None or text.strip().lower() in MISSING_NUMBERS, f"{name}: no {text!r}"
                else:
                    assert one == (float(text) if numeric else text), f"{name}: {one!r} is not {text!r}"

    return check


def _csv(rng: random.Random) -> Case:
    names, rows = table(rng)
    sign, end = rng.choice(list(_SIGNS)), rng.choice(("\n", "\r\n", "\r"))
    if end != "\n":
        rows = [[cell and cell.replace("\n", " ") for cell in row] for row in rows]
    always = rng.random() < 0.3

    def cell(text: str | None) -> str:
        if text is None:
            return '""' if always or len(names) == 1 else ""
        if always or set(text) & {'"', "\n", "\r", sign}:
            return '"' + text.replace('"', '""') + '"'
        return text

    text = end.join(sign.join(map(cell, row)) for row in ([*names], *rows)) + rng.choice(("", end))
    encoding = rng.choice(("utf-8", "utf-8-sig", "utf-16", "cp932"))
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        data, encoding = text.encode(), "utf-8"
    if rng.random() < 0.2:
        data = gzip.compress(data)
    said = {"encoding": encoding.removesuffix("-sig")} if encoding == "cp932" else {}
    how = {"delimiter": sign, "header": True, "typed": rng.random() < 0.5, **said}
    check = (same_values if how["typed"] else same_texts)(names, rows)
    return Case(f"csv {encoding}", data, lambda d: read_frame(d, **how), check, how)


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def _xlsx(rng: random.Random) -> Case:
    names, rows = table(rng)
    prefix = rng.choice(("", "", "x:"))
    strings: list[str] = []
    marked, apart = rng.random() < 0.7, rng.random() < 0.5

    def cell(row: int, column: int, text: str | None) -> str:
        place = f' r="{_letters(column)}{row}"' if marked else ""
        if text is None:
            return "" if marked else f"<{prefix}c/>"
        if apart:
            strings.append(text)
            return f'<{prefix}c{place} t="s"><{prefix}v>{len(strings) - 1}</{prefix}v></{prefix}c>'
        said = f'<{prefix}t xml:space="preserve">{escape(text)}</{prefix}t>'
        return f'<{prefix}c{place} t="inlineStr"><{prefix}is>{said}</{prefix}is></{prefix}c>'

    body = ""
    for number, row in enumerate(([*names], *rows), start=1):
        cells = "".join(cell(2 * number, place, text) for place, text in enumerate(row))
        place = f' r="{2 * number}"' if marked else ""
        body += f"<{prefix}row{place}>{cells}</{prefix}row>"
    space = f'xmlns{":x" if prefix else ""}="{_MAIN}"'
    sheet = f"<{prefix}worksheet {space}><{prefix}sheetData>{body}</{prefix}sheetData></{prefix}worksheet>"
    kept = [row for row in rows if any(cell is not None for cell in row)]
    how = {"header": True, "typed": False}
    check = same_texts(names, kept) if kept else None
    return Case("xlsx", workbook(sheet, strings), lambda d: read_frame(d, **how), check, how)


def _letters(column: int) -> str:
    return chr(ord("A") + column)


def workbook(sheet: str, strings: list[str] = (), styles: str = "") -> bytes:  # type: ignore[assignment]
    """The archive around one sheet, as small as Office accepts."""
    texts = "".join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in strings)
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="rId3" Type="{_OFFICE}/styles" Target="/xl/styles.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{texts}</sst>',
        "xl/styles.xml": styles or f'<styleSheet xmlns="{_MAIN}"/>',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text.encode("utf-8", "replace"))
    return file.getvalue()


def _parquet(rng: random.Random) -> Case:
    height = rng.choice((1, 3, 50, 3_000))

    def made(value: Callable[[], Any], kind: Any) -> Any:
        return pa.array([None if rng.random() < 0.1 else value() for _ in range(height)], kind)

    far = 2**63 - 1
    makers = {
        "whole": lambda: made(lambda: rng.randint(-(2**40), 2**40), pa.int64()),
        "real": lambda: made(lambda: rng.uniform(-1, 1), pa.float64()),
        "word": lambda: made(lambda: rng.choice(_WORDS), pa.string()),
        "kind": lambda: made(lambda: rng.choice(_WORDS), pa.string()).dictionary_encode(),
        "code": lambda: made(lambda: f"w{rng.getrandbits(40)}", pa.large_string()),
        "when": lambda: made(lambda: rng.randint(-(10**9), 10**9), pa.timestamp("s")),
        "far": lambda: pa.array([rng.randint(-far, far) for _ in range(height)], pa.timestamp("ms")),
        "list": lambda: made(lambda: [1, None, 3][: rng.randint(0, 3)], pa.list_(pa.int64())),
    }
    names = rng.sample(list(makers), rng.randint(1, 5))
    columns = pa.table({name: makers[name]() for name in names})
    file = io.BytesIO()
    pq.write_table(
        columns,
        file,
        compression=rng.choice(("none", "snappy", "zstd", "gzip", "brotli", "lz4")),
        use_dictionary=rng.random() < 0.5,
        store_schema=rng.random() < 0.5,
        data_page_version=rng.choice(("1.0", "2.0")),
        row_group_size=rng.choice((7, 1_000_000)) if height < 100 else 1_000,
        data_page_size=rng.choice((100, 2**20)),
    )

    def check(reading: Any) -> None:
        for name in names:
            found, expected = reading.frame[name], columns[name].to_pylist() if name != "far" else None
            if expected is not None:
                _same_values(name, found, expected)
            else:
                _same_moments(found, columns[name].cast(pa.int64()).to_pylist())

    return Case(f"parquet {names}", file.getvalue(), lambda d: read_frame(d), check)


def _same_values(name: str, found: pd.Series, expected: list[Any]) -> None:
    import json

    for place, (one, other) in enumerate(zip(found, expected, strict=True)):
        other = json.dumps(other) if isinstance(other, list) else None if other == "" else other
        assert (other is None and pd.isna(one)) or one == other, f"{name} {place}: {one!r} is not {other!r}"


def _same_moments(found: pd.Series, thousandths: list[int]) -> None:
    """Points in time are the same ones, or missing outside the years 1 to 9999."""
    for one, other in zip(found, thousandths, strict=True):
        inside = -62_135_596_800_000 <= other < 253_402_300_800_000
        assert inside == (not pd.isna(one)), f"{one!r} is not {other} ms"
        assert not inside or one == pd.Timestamp(other * 1000, unit="us"), f"{one!r} is not {other} ms"

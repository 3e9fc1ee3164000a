"""Small files that ask for much: what is short when it is packed, referred to or repeated."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kanon_core.table.reading import read_table
from tests.fuzz.case import Case
from tests.fuzz.tables import workbook

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PIECES = ("1 ", " ", "1", "a", '"', '""', "[", "{a,", "“", ",", "1,", "id", "id1", "-", "1-", "\u0301\u0323")
_PIECES += ("a@", "@", "年1")


def hostile_case(rng: random.Random) -> Case:
    """One of the attacks, with sizes of its own."""
    return rng.choice((_long_cells, _wide, _sheet, _strings, _references, _nested, _packed, _lines))(rng)


def _case(name: str, data: bytes, read: Callable[[bytes], Any] = read_table) -> Case:
    return Case(f"hostile {name}", data, read)


def _long(rng: random.Random) -> str:
    piece = rng.choice(_PIECES)
    return rng.choice(("", "1", "[1, ", "{", "id")) + piece * (rng.choice((50, 4_000, 100_000)) // len(piece))


def _long_cells(rng: random.Random) -> Case:
    """Long names and cells of one pattern, in csv or a workbook."""
    name, cell = _long(rng) + rng.choice(("", "x")), _long(rng) + rng.choice(("", "x", "]"))
    if rng.random() < 0.5:
        rows = "\n".join(f'"{cell.replace(chr(34), chr(34) * 2)}",{n}' for n in range(rng.choice((1, 3, 30))))
        return _case("long cells", f'"{name.replace(chr(34), chr(34) * 2)}",b\n{rows}\n'.encode())
    cells = [f'<c t="s"><v>{place}</v></c>' for place in (0, 1)]
    body = f"<row>{''.join(cells)}</row>" + f"<row>{cells[1]}</row>" * 20
    return _case("long cells xlsx", workbook(_worksheet(body), [name, cell]))


def _worksheet(body: str) -> str:
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'


def _wide(rng: random.Random) -> Case:
    """As many columns as can be, of one name."""
    width = rng.choice((1_999, 2_000, 2_001, 50_000))
    sign = rng.choice(",;\t|")
    return _case("wide", (sign.join(["a"] * width) + "\n" + sign.join(["1"] * width) + "\n").encode())


def _sheet(rng: random.Random) -> Case:
    """Rows and columns far away, empty ones without number, elements without end."""
    far = rng.choice((3, 10**6, 2**20, 2**20 + 1, 10**12, 10**30, -1, 0, 1e12))
    column = rng.choice(("A", "XFD", "XFE", "ZZZ", "AAAA", "É", ""))
    many = rng.choice((1, 10**4, 10**6))
    bodies = (
        f'<row r="{far}"><c r="{column}{far}"><v>1</v></c></row>',
        f'<row r="1"><c r="{column}1"><v>1</v></c></row>' + '<row><c r="XFD2"/></row>' * (many // 10),
        "<row><c/><c/></row>" * many,
        f"<row>{'<c/>' * many}</row>",
        "<x>" * many,
        "<row><c><v>" + "<v>" * (many // 10),
        f"<row><c>{'<v>1</v>' * many}</c></row>",
        f'<row><c t="inlineStr"><is>{"<t>a</t>" * many}</is></c></row>',
        f"<row><c><v>{'9' * many}</v></c></row>",
        f'<row><c t="s"><v>{rng.choice((-1, 0, 10**9))}</v></c></row>',
        f'<row><c t="d"><v>{"1" * many}</v></c></row>',
        f"<row {' '.join(f'a{n}=' + chr(34) * 2 for n in range(many // 10))}></row>",
    )
    head = '<row><c t="inlineStr"><is><t>a</t></is></c></row>' if rng.random() < 0.3 else ""
    return _case(f"sheet far {far} {column} many {many}", workbook(_worksheet(head + rng.choice(bodies))))


def _strings(rng: random.Random) -> Case:
    """One long shared text in many cells; many styles; formats that look like patterns."""
    long = "é" * rng.choice((10**3, 10**5, 10**6))
    body = '<row><c t="s"><v>0</v></c></row>' * rng.choice((10, 10**4, 10**5))
    code = rng.choice(("[" * 10**4, '"' * 9_999, "yyyy", "[h]:mm", "_d", ""))
    formats = f'<numFmts><numFmt numFmtId="200" formatCode="{code.replace(chr(34), "&quot;")}"/></numFmts>'
    styles = "<cellXfs>" + '<xf numFmtId="200"/>' * rng.choice((1, 10**5)) + "</cellXfs>"
    sheet = f'<styleSheet xmlns="{_MAIN}">{formats}{styles}</styleSheet>'
    return _case("strings", workbook(_worksheet('<row><c s="0"><v>1</v></c></row>' + body), [long], sheet))


def _references(rng: random.Random) -> Case:
    """One long text of a dictionary a hundred thousand times."""
    long, rows = "x" * rng.choice((10**3, 10**5, 2**20)), rng.choice((10**3, 131_072))
    column: Any = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([long]))
    if rng.random() < 0.3:
        column = pa.array([rng.randbytes(9)] * rows, pa.binary(9))
    return _case("references", _parquet(rng, column))


def _nested(rng: random.Random) -> Case:
    """Lists of nothing, long or deep."""
    if rng.random() < 0.5:
        count = rng.choice((10**3, 10**6, 2 * 10**7))
        column: Any = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.nulls(count, pa.int8()))
    else:
        kind: Any = pa.int8()
        for _ in range(rng.choice((1, 10, 60))):
            kind = pa.list_(kind) if rng.random() < 0.7 else pa.struct([("a", kind)])
        column = pa.array([None] * rng.choice((1, 1_000)), kind)
    return _case("nested", _parquet(rng, column))


def _parquet(rng: random.Random, column: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"a": column}), file, compression="zstd", store_schema=rng.random() < 0.5)
    return file.getvalue()


def _packed(rng: random.Random) -> Case:
    """Packed, and packed again."""
    line = rng.choice((b"1,2\n", b"\n", b"\0", b'"', b"1 2 3\n", b",", b"1\t\n"))
    data = gzip.compress(line * rng.choice((10**4, 10**7, 10**8 // len(line))))
    return _case("packed", gzip.compress(data) if rng.random() < 0.2 else data)


def _lines(rng: random.Random) -> Case:
    """Many lines of little, with one that differs."""
    few = (b"1\n", b"a,b\n", b'"a\n', b"1 2\n", b"1 -1 -2\n", b"\r", b"1,2020/1/1,A1,5,1\n", b"@ITEM=1=a\n")
    many = rng.choice(few) * rng.choice((10, 10**4, 10**6))
    return _case("lines", many + rng.choice((b"", b"x,y,z\n", b'"', b"\0", b"-3\n")))

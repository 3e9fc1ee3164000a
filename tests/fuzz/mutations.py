"""Files damaged at random: bytes changed, cut out, doubled and put in, also inside archives and JSON."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from typing import Any

from kanon_core.table.readers import FORMATS, read_frame
from tests.fuzz.case import Case
from tests.fuzz.tables import true_case

_TOKENS = [b"\0", b"\xff", b'"', b'""', b",", b"\n", b"\r", b";", b"\t", b"[", b"{", b"<c>", b"</row>", b"-1"]
_TOKENS += [
    b"99999999999999999999",
    b"1e999",
    b"nan",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"&amp;",
    b"<!DOCTYPE x>",
]
_TOKENS += [b"\x1f\x8b", b"PK\x03\x04", b'<row r="', b" " * 4_000, b"1 " * 4_000, b"(" * 4_000, b"A1", b"-2"]
_TOKENS += ["“東".encode(), b"PAR1"]
_ENCODINGS = ("utf-8", "utf-8\0", "cp932", "utf-16", "utf-7", "idna", "punycode", "rot13", "hex", "zlib", "")
_ENCODINGS += (
    "utf-32",
    "iso2022_jp",
    "ascii",
    "unicode_escape",
    "undefined",
    "utf_8_sig",
    "cp037",
    "hz",
    "x",
)
_JSON: list[Any] = [None, True, -1, 0, 1.5, float("nan"), 10**30, "", "x", "age", [], {}, [[]], {"a": 1}, "}"]
_JSON += ["quasi_identifier", "numeric", [["a", "b"]], {"class": "MDAV"}, "1" * 5_000, [None], -(2**63), "\0"]


def damaged_case(rng: random.Random) -> Case:
    """A true file with some damage, read as found out or as anybody might say."""
    true = true_case(rng)
    how = settings(rng)
    data = damaged(rng, true.data)
    return Case(f"damaged {true.name} {how}", data, lambda d: read_frame(d, **how), how=how)


def settings(rng: random.Random) -> dict[str, Any]:
    """Ways of reading, most of them unfit."""
    choices: dict[str, Any] = {
        "format": rng.choice([*(one.name for one in FORMATS), "nope"]),
        "encoding": rng.choice(_ENCODINGS),
        "delimiter": rng.choice([",", ";", "\t", ", ", "\0", "", "ab", "é", '"', "\n", "\x1f", " ", "|"]),
        "header": rng.random() < 0.5,
        "sheet": rng.choice(["S", "", "nope"]),
        "missing": rng.choice([("?",), ("",), ("a", "1"), ("\0",)]),
        "typed": rng.random() < 0.5,
        "long": rng.choice([("age", "city"), ("age", "age"), ("column_1", "column_2")]),
        "names": rng.choice([("a",), ("a", "a"), ("a", "b", "c"), ("\n",)]),
        "without": rng.choice([("returns",), ("nope",)]),
    }
    return {name: choices[name] for name in choices if rng.random() < 0.12}


def damaged(rng: random.Random, data: bytes) -> bytes:
    """The bytes with some changes; in archives within an entry, most of the time."""
    if data.startswith(b"PK") and rng.random() < 0.8:
        return _within(rng, data)
    if data.startswith(b"\x1f\x8b") and rng.random() < 0.5:
        return gzip.compress(damaged(rng, gzip.decompress(data)))
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        data = _changed(rng, data)
    return data


def _within(rng: random.Random, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, damaged(rng, content) if name == chosen else content)
    return file.getvalue()


def _changed(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 1, 4, 40, 400)))
    piece, way = data[start:end], rng.randrange(6)
    if way == 0:
        return data[:start] + bytes([rng.randrange(256)]) + data[start + 1 :]
    if way == 1:
        return data[:start] + data[end:]
    if way == 2:
        return data[:start] + piece * rng.choice((2, 3, 50)) + data[end:]
    if way == 3:
        return data[:start]
    if way == 4:
        other = rng.randrange(len(data) + 1)
        return data[:other] + piece + data[other:]
    return data[:start] + rng.choice(_TOKENS) + data[start if rng.random() < 0.5 else end :]


def damaged_json(rng: random.Random, text: str) -> bytes:
    """JSON with some parts replaced, left out or doubled; at times damaged as any bytes."""
    if rng.random() < 0.2:
        return damaged(rng, text.encode())
    value = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 4))):
        value = _replaced(rng, value)
    return json.dumps(value).encode()


def _replaced(rng: random.Random, value: Any) -> Any:
    if rng.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return rng.choice(_JSON)
    if isinstance(value, dict):
        key = rng.choice(list(value))
        way = rng.random()
        if way < 0.1:
            return {name: one for name, one in value.items() if name != key}
        if way < 0.15:
            return {**value, rng.choice(("x", "", "class", "round_to")): rng.choice(_JSON)}
        return {**value, key: _replaced(rng, value[key])}
    place = rng.randrange(len(value))
    if rng.random() < 0.1:
        return value[:place] + value[place:] * 2
    return [*value[:place], _replaced(rng, value[place]), *value[place + 1 :]]

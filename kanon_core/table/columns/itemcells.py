"""Cells that hold a set of items: how such cells are written, how that is found out, and how they are split.

A notation is one of

    a text     what stands between the items, such as ";" or "||"; blanks around items do not count, and an
    item in
               quotes ("a; b", a quote inside doubled) may hold it
    " "        any run of blanks between the items
    "json"     a JSON list of texts, numbers and truth values
    "{}"       as published cells are written: {a, b}, an item that holds a sign quoted as in JSON
    "none"     the whole cell is one item

An empty or missing cell is the empty set, and an item that a cell repeats counts once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.infile import encodable

JSON, BRACES, WHOLE = "json", "{}", "none"
DELIMITERS = (";", "|", "\t", "、", ",")
"""Delimiters of items, the rarest in ordinary text first: the earlier one wins."""

DELIMITER_WORDS = {"": "found", "\t": "tab", " ": "blank"}
"""Words for delimiters that are hard to write."""

_LOOKED_AT = 2_000
_FEWEST = 5
_SELDOM = 0.02
_MIXED = 0.3
_LONGEST = 40
_PLAIN_ITEM = r'\s*(?:"[^"\\,\[\]\x00-\x1f]*"|0|-?[1-9]\d*)\s*'
_PLAIN = {
    JSON: (rf"^\s*\[(?:{_PLAIN_ITEM}(?:,{_PLAIN_ITEM})*|\s*)\]\s*$", r'[\[\]"]'),
    BRACES: (r'^\s*\{[^"{}]*\}\s*$', r"[{}]"),
}
_SET = re.compile(r"\s*\{(.*)\}\s*", re.S)
_MEMBER = re.compile(r'\s*+("(?:[^"\\]|\\.)*+"|[^",{}]*+)\s*+(?:,|\Z)', re.S)
_NUMBERS = re.compile(r"\s*\d+(\s+\d+)*\s*")


@dataclass(frozen=True)
class Parts:
    """The items of n cells, cell after cell: ``counts`` int64 (n), ``items`` texts, blanks and repetitions
    still there. ``bad`` (n booleans): cells that are not in the notation; they have no items. ``delimiter``:
    the notation."""

    counts: np.ndarray
    items: pa.Array
    bad: np.ndarray
    delimiter: str


def plain_text(value: object) -> str:
    """A cell as text that can be written; whole floating-point numbers without a point."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return encodable(str(value))


def as_texts(values: pd.Series) -> pa.Array:
    """The cells as large_string (n), null where missing."""
    if not isinstance(values.dtype, pd.StringDtype):
        values = values.astype(object).map(plain_text, na_action="ignore").astype(object)
    texts = pa.array(values, pa.large_string(), from_pandas=True)
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts


def with_text_sets(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with columns of Python lists, tuples, sets or arrays as JSON texts, if there are any."""
    held = {name: values for name, values in frame.items() if holds_sets(values)}
    if not held:
        return frame
    frame = frame.copy(deep=False)
    for name, values in held.items():
        frame[name] = text_sets(values)
    return frame


def holds_sets(values: pd.Series) -> bool:
    """Return whether the cells are Python lists, tuples, sets or arrays; judged by the first that is not
    missing."""
    if values.dtype != object:
        return False
    return isinstance(next((cell for cell in values if not _is_missing(cell)), None), _SETS)


_SETS = (list, tuple, set, frozenset, np.ndarray)


def text_sets(values: pd.Series) -> pd.Series:
    """Lists, tuples, sets and arrays as JSON texts (sets in text order); other cells as they are."""
    return values.map(_set_text).astype("str")


def _is_missing(cell: Any) -> bool:
    return not isinstance(cell, _SETS) and bool(pd.isna(cell))


def _set_text(cell: Any) -> Any:
    if not isinstance(cell, _SETS):
        return cell
    if isinstance(cell, set | frozenset):
        cell = sorted(cell, key=str)
    items = [plain_text(item) for item in cell if not _is_missing(item)]
    return json.dumps(items, ensure_ascii=False)


def parts_of(texts: pa.Array, delimiter: str = "") -> Parts:
    """The items of these cells (large_string, n) in this notation, "" = found out. Cost O(characters)."""
    delimiter = delimiter or found_delimiter(texts)
    if delimiter == JSON:
        return _parsed(texts, JSON, _json_items)
    if delimiter == BRACES:
        return _parsed(texts, BRACES, _braced_items)
    bad = np.zeros(len(texts), bool)
    if delimiter == WHOLE:
        present = texts.is_valid()
        counts = present.to_numpy(zero_copy_only=False).astype(np.int64)
        return Parts(counts, texts.filter(present), bad, WHOLE)
    lists = _split(texts, delimiter)
    counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    return Parts(counts.astype(np.int64), pc.list_flatten(lists), bad, delimiter)


def _split(texts: pa.Array, delimiter: str) -> pa.Array:
    """Lists of items; only cells with a quote are looked at one by one."""
    if not delimiter.strip(" "):
        return pc.utf8_split_whitespace(texts)
    delimiter = delimiter.strip(" ")
    lists = pc.split_pattern(texts, delimiter)
    quoted = pc.fill_null(pc.match_substring(texts, '"'), False)
    if not pc.any(quoted).as_py():
        return lists
    places = np.arange(len(texts))
    marked = np.asarray(quoted)
    places[marked] = len(texts) + np.arange(marked.sum())
    cells = [_unquoted(cell, delimiter) for cell in texts.filter(quoted).to_pylist()]
    return pa.concat_arrays([lists, pa.array(cells, lists.type)]).take(pa.array(places))


def _unquoted(cell: str, delimiter: str) -> list[str]:
    """The items of one cell, some of them in quotes."""
    between = re.escape(delimiter)
    item = re.compile(rf'(?:(?!{between})\s)*+"((?:[^"]|"")*+)"(?:(?!{between})\s)*+({between}|\Z)')
    items, position = [], 0
    while position <= len(cell):
        found = item.match(cell, position)
        if found:
            items.append(found[1].replace('""', '"'))
            position = found.end() if found[2] else len(cell) + 1
        else:
            end = cell.find(delimiter, position)
            end = len(cell) if end < 0 else end
            items.append(cell[position:end])
            position = end + len(delimiter)
    return items


def _parsed(texts: pa.Array, notation: str, items_of: Callable[[str], list[str] | None]) -> Parts:
    """The items of cells in brackets; only those that are not plain are looked at one by one."""
    plain, signs = _PLAIN[notation]
    easy = pc.fill_null(pc.match_substring_regex(texts, plain), False)
    lists = pc.split_pattern(pc.replace_substring_regex(texts.filter(easy), signs, ""), ",")
    hard = np.flatnonzero(~np.asarray(easy) & np.asarray(texts.is_valid()))
    found = [items_of(cell) if cell.strip() else [] for cell in texts.take(pa.array(hard)).to_pylist()]
    places = np.full(len(texts), -1)
    places[np.asarray(easy)] = np.arange(len(lists))
    places[hard] = len(lists) + np.arange(len(hard))
    lists = pa.concat_arrays([lists, pa.array(found, lists.type)])
    lists = lists.take(pa.array(places, mask=places < 0))
    counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    bad = np.zeros(len(texts), bool)
    bad[hard] = [items is None for items in found]
    return Parts(counts.astype(np.int64), pc.list_flatten(lists), bad, notation)


def _json_items(cell: str) -> list[str] | None:
    """The items of a JSON list; None for anything else."""
    try:
        items = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    if not isinstance(items, list) or any(isinstance(item, list | dict) for item in items):
        return None
    return [_json_text(item) for item in items if item is not None]


def _json_text(item: object) -> str:
    return str(item).lower() if isinstance(item, bool) else plain_text(item)


def _braced_items(cell: str) -> list[str] | None:
    """The items of {a, b}; None for anything else."""
    found = _SET.fullmatch(cell)
    if found is None:
        return None
    inside, items, position = found[1], [], 0
    while position < len(inside):
        member = _MEMBER.match(inside, position)
        if member is None or member.end() == position:
            return None
        text = member[1]
        try:
            items.append(encodable(json.loads(text)) if text.startswith('"') else text)
        except ValueError:
            return None
        position = member.end()
    return items


def found_delimiter(texts: pa.Array) -> str:
    """The notation of cells known to hold item sets, from the first 2,000 that are not missing."""
    cells = _sample(texts)
    strict = items_notation(cells)
    if strict:
        return strict
    for notation, items_of in ((JSON, _json_items), (BRACES, _braced_items)):
        if cells and sum(items_of(cell) is not None for cell in cells) > len(cells) / 2:
            return notation
    if cells and all(_NUMBERS.fullmatch(cell) for cell in cells):
        return " "
    held = {delimiter: sum(delimiter in cell for cell in cells) for delimiter in DELIMITERS}
    often = [delimiter for delimiter, count in held.items() if count >= 0.05 * len(cells) and count]
    return often[0] if often else max(held, key=held.__getitem__) if any(held.values()) else WHOLE


def sets_notation(values: pd.Series) -> str:
    """The notation in which a text column writes item sets beyond doubt; "" when it may be something else."""
    return items_notation(_sample(as_texts(values.dropna().head(_LOOKED_AT))))


def _sample(texts: pa.Array) -> list[str]:
    return [cell for cell in texts.drop_null().slice(0, _LOOKED_AT).to_pylist() if cell.strip()]


def items_notation(cells: list[str]) -> str:
    """ "json" or a delimiter when these cells are item sets beyond doubt, else "".

    JSON lists are item sets, unless all are pairs of numbers (intervals); {a, b} is in doubt, as it may be a
    published set of values. Whole numbers between blanks, and cells with a delimiter, are item sets when
    their numbers of parts differ, and parts recur in other cells and at other places of their cells, but not
    within a cell: in "Smith, John" each part has its own place.
    """
    if len(cells) >= 2 and all(cell.lstrip().startswith("[") for cell in cells):
        lists = [_json_items(cell) for cell in cells]
        pairs = all(items is None or (len(items) == 2 and _NUMBER.fullmatch(items[0])) for items in lists)
        return "" if None in lists or pairs else JSON
    if len(cells) < _FEWEST or any(map(_SET.fullmatch, cells)):
        return ""
    numbers = (" ",) if all(map(_NUMBERS.fullmatch, cells)) else ()
    return next((delimiter for delimiter in (*numbers, *DELIMITERS) if _are_sets(cells, delimiter)), "")


_NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?", re.I)


def _are_sets(cells: list[str], delimiter: str) -> bool:
    several = sum(delimiter in cell for cell in cells)
    if several < len(cells) * (0.3 if delimiter == "," else 0.1):
        return False
    sets = [[part.strip() for part in _unquoted(cell, delimiter)] for cell in cells]
    places: dict[str, list[int]] = {}
    for parts in sets:
        for place, part in enumerate(parts):
            places.setdefault(part, []).append(place)
    total, gaps = sum(map(len, sets)), len(places.pop("", ()))
    again = [found for found in places.values() if len(found) > 1]
    mixed = sum(len(set(found)) > 1 for found in again)
    repeated = sum(len(set(parts)) < len(parts) for parts in sets)
    return (
        len({len(parts) for parts in sets}) > 1
        and max(gaps / total, repeated / len(sets)) <= _SELDOM
        and len(places) <= total / 2
        and mixed >= _MIXED * len(again)
        and sum(map(len, places)) <= _LONGEST * len(places)
    )

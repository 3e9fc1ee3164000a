"""From cells as text to a typed column: numbers where every cell says so, text otherwise.

A column is numeric when each of its cells is a number or stands for "no number" (`MISSING_NUMBERS`), and no
number is a code in disguise: leading zeros ("007") or more digits than 64 bits hold keep the column text.
Only the distinct texts are looked at, so the cost is one hash per cell.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.words import tr
from kanon_core.table.readers.base import MISSING_NUMBERS, Limits, too_long
from kanon_core.table.readers.notes import Notes

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
PLAIN = rf"^\s*{NUMBER}\s*$"
INTEGER = r"^\s*[+-]?\d+\s*$"
CODE = r"^\s*[+-]?0\d"
INFINITE = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "∞", "-∞"})
GROUPED = r"^\s*[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*$"
COMMA = r"^\s*[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+(?:[eE][+-]?\d+)?\s*$"
BLANKS, DOTTED = r"^[\s+]|\s$", r"\..*,"
_USUAL = r"^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$"
EXACT = 2**53
_FEW = 100
_TEXT = pd.StringDtype("pyarrow", na_value=np.nan)


def text_array(cells: pa.ChunkedArray) -> pd.api.extensions.ExtensionArray:
    """The cells as a pandas str column; null becomes NaN."""
    dtype: Any = _TEXT  # its stubs do not know how it reads arrow's arrays
    texts: pd.api.extensions.ExtensionArray = dtype.__from_arrow__(cells.cast(pa.large_string()))
    return texts


def check_lengths(column: object, name: str, limits: Limits) -> None:
    """Raises InputError naming the column when one of its texts is longer than the limits allow. Cost
    O(cells), and nothing where all texts of a block are shorter together."""
    cells = getattr(column, "_pa_array", None)
    large = [] if cells is None else [chunk for chunk in cells.chunks if chunk.nbytes > limits.characters]
    if any((pc.max(pc.binary_length(chunk)).as_py() or 0) > limits.characters for chunk in large):
        raise too_long(tr("the column “{name}”").format(name=name), limits)


def typed_array(cells: pa.ChunkedArray, name: str, semicolons: bool, notes: Notes) -> object:
    """The column these texts (n, null = missing) mean: int64, float64 or str; findings go to the notes.
    ``semicolons``: the file separates its fields by ";", so a comma inside a number is a decimal comma."""
    if are_usual(cells):
        values = _integers(cells)
        return cells.cast(pa.float64()).to_numpy() if values is None else values
    counted = cells.value_counts()
    texts, counts = counted.field(0), counted.field(1).to_numpy()
    present = texts.is_valid().to_numpy(zero_copy_only=False)
    texts, counts = texts.filter(pa.array(present)), counts[present]
    _note_question_marks(texts, counts, name, notes)
    plain, written, way = matches(texts, PLAIN), cells, ""
    if not plain.any() or not _all_words(texts, ~plain):
        cells, texts, plain, way = _without_commas(cells, texts, plain, semicolons)
    if not plain.any():
        return text_array(written)
    if not _all_words(texts, ~plain):
        notes.add("mixed", name, int(counts[~plain].sum()))
        return text_array(written)
    if matches(texts, CODE).any():
        notes.add("zeros", name)
        return text_array(written)
    words = _counted_words(texts, counts, plain)
    numbers = _numbers(cells, texts.filter(pa.array(plain)), name, notes, words)
    if numbers is not None and way:
        notes.add(way, name)
    return text_array(written) if numbers is None else numbers


def are_usual(cells: pa.ChunkedArray) -> bool:
    """Whether all texts are numbers in the usual form, if that is soon seen: many of them differ."""
    first = [cell for cell in cells.slice(0, _FEW).to_pylist() if cell is not None]
    if len(set(first)) < len(first) / 2 or not all(re.match(_USUAL, cell) for cell in first):
        return False
    return bool(pc.all(pc.match_substring_regex(cells, _USUAL)).as_py())


def _numbers(
    cells: pa.ChunkedArray, distinct: pa.Array, name: str, notes: Notes, words: tuple[int, int]
) -> np.ndarray | None:
    """The numeric column; None when the numbers cannot be kept exactly."""
    numbers = cells
    if any(words):
        numbers = pc.if_else(pc.match_substring_regex(cells, PLAIN), cells, None)
    if matches(distinct, BLANKS).any():
        numbers = unsigned(numbers)
    whole = bool(matches(distinct, INTEGER).all())
    values = _integers(numbers) if whole else numbers.cast(pa.float64()).to_numpy()
    if values is None:
        notes.add("long", name)
        return None
    if words[0]:
        notes.add("missing", name, words[0])
    overflowing = np.isinf(values)
    if words[1] or overflowing.any():
        values = np.where(overflowing, np.nan, values)
        notes.add("infinite", name, words[1] + int(overflowing.sum()))
    return values


def unsigned(numbers: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """The numbers without blanks around them, and without a plus."""
    return pc.replace_substring_regex(numbers, r"^\s*\+?|\s+$", "")


def _integers(numbers: pa.ChunkedArray) -> np.ndarray | None:
    """int64, or float64 when some are missing; None when they do not fit."""
    try:
        whole = numbers.cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    if not whole.null_count:
        return np.asarray(whole.to_numpy())
    extremes = pc.min_max(whole).as_py()
    if max(extremes["max"] or 0, -(extremes["min"] or 0)) > EXACT:
        return None
    return np.asarray(whole.cast(pa.float64()).to_numpy())


def _without_commas(
    cells: pa.ChunkedArray, texts: pa.Array, plain: np.ndarray, semicolons: bool
) -> tuple[pa.ChunkedArray, pa.Array, np.ndarray, str]:
    """The column with decimal commas or grouped thousands undone, if that makes all of it numbers; and which
    of the two."""
    readings = [("thousands", GROUPED), ("decimal-comma", COMMA)]
    for kind, pattern in readings[::-1] if semicolons else readings:
        comma = matches(texts, pattern)
        if comma.any() and _all_words(texts, ~(plain | comma)):
            texts = _undo(texts, kind)
            return _undo(cells, kind), texts, matches(texts, PLAIN), kind
    return cells, texts, plain, ""


def _undo(texts: pa.Array | pa.ChunkedArray, kind: str) -> pa.Array | pa.ChunkedArray:
    if kind == "thousands":
        return pc.replace_substring(texts, ",", "")
    both = matches(texts, DOTTED).any()
    dotless = pc.replace_substring(texts, ".", "") if both else texts
    return pc.replace_substring(dotless, ",", ".")


def matches(texts: pa.Array | pa.ChunkedArray, pattern: str) -> np.ndarray:
    """Which texts have the form; a missing one has none."""
    found = pc.fill_null(pc.match_substring_regex(texts, pattern), False)
    return np.asarray(found)


def _all_words(texts: pa.Array, others: np.ndarray) -> bool:
    """Whether all the other texts stand for "no number" or infinity."""
    words = MISSING_NUMBERS | INFINITE
    chosen = texts.filter(pa.array(others))
    return len(chosen) <= 4 * len(words) and all(text.strip().lower() in words for text in chosen.to_pylist())


def _counted_words(texts: pa.Array, counts: np.ndarray, plain: np.ndarray) -> tuple[int, int]:
    """How many cells are words for "no number", and how many are words for infinity."""
    infinite = 0
    for text, count in zip(texts.filter(pa.array(~plain)).to_pylist(), counts[~plain], strict=True):
        infinite += int(count) if text.strip().lower() in INFINITE else 0
    return int(counts[~plain].sum()) - infinite, infinite


def _note_question_marks(texts: pa.Array, counts: np.ndarray, name: str, notes: Notes) -> None:
    asked = int(counts[matches(texts, r"^\s*\?\s*$")].sum())
    if asked:
        notes.add("question", name, asked)

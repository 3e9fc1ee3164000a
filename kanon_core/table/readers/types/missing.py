"""Texts that mean a missing value: words such as NA, which may also be values in some columns; and texts that
the user declares missing, or keeps as values, in all columns or in one (``column=text``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.words import listed, tr
from kanon_core.table.readers.base import MISSING_NUMBERS
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.types.spellings import DIGIT, PLAIN, Texts, matches

INFINITE = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "∞", "-∞"})
_NAMED = "none"
"""Names an answer in a column of words: no disease, no degree."""
_LINES = frozenset({"-", "--"})
_KNOWN = pa.array(sorted(MISSING_NUMBERS | INFINITE), pa.large_string())
_LONGEST = 64
"""Bytes of a word with blanks around it."""
_LETTERS = r"^\s*[A-Z]{2}\s*$"
_ANSWERS = r"^\s*(?:NO|SI|JA|OK|NA)\s*$"
_SIGNS = r"^\s*[+±−-]+(?:/[+−-])?\s*$"
_PLUS = r"[+±]"
_MANY = 10
_NINES = re.compile(r"-?9+[6-9]?\Z")
_EXACT = 2.0**53
_LOOKED_AT = 200


def are_words(texts: Texts) -> np.ndarray:
    """Return which texts are words for a missing value or for infinity, booleans (n)."""
    short = np.asarray(pc.less_equal(pc.binary_length(texts), _LONGEST))
    if not short.all():
        found = np.zeros(len(short), bool)
        found[short] = are_words(texts.filter(pa.array(short)))
        return found
    bare = pc.ascii_lower(pc.ascii_trim_whitespace(texts)).cast(_KNOWN.type)
    return np.asarray(pc.is_in(bare, value_set=_KNOWN))


class Others(NamedTuple):
    """Counts of the cells of a column that are no words for a missing value: all of them, those that are two
    capital letters, and those that contain a digit; and whether one of them is a plus."""

    cells: int = 0
    capitals: int = 0
    digits: int = 0
    plus: bool = False

    @classmethod
    def of(cls, texts: pa.Array, counts: np.ndarray) -> Others:
        """Return the counts for different texts, each of which occurs in ``counts`` cells."""
        capitals = matches(texts, _LETTERS) & ~matches(texts, _ANSWERS)
        digits, signs = matches(texts, DIGIT), matches(texts, _SIGNS)
        held = int(counts[capitals].sum()), int(counts[digits].sum())
        plus = bool((signs & matches(texts, _PLUS)).any())
        return cls(int(counts.sum()), *held, plus)

    def merged(self, other: Others) -> Others:
        """Return the counts of both together."""
        sums = self.cells + other.cells, self.capitals + other.capitals, self.digits + other.digits
        return Others(*sums, self.plus or other.plus)


NONE = Others()
"""The counts of no cells."""


def gone(words: Iterable[str], others: Others, kept: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return those of a column's ``words`` that mean a missing value, as they are written; the column holds
    texts or dates. ``kept``: words, in lower case, that are values.

    ``NA`` is Namibia where most others are two capital letters; ``none`` is an answer unless most others have
    digits, as dates do; ``-`` is a value where other cells are plus signs.

    >>> gone({"NA", "-", "none"}, Others(10, 8, 0))
    ('-',)
    >>> gone({"NA", "-", "none"}, Others(10, 0, 9), frozenset({"na"}))
    ('-', 'none')
    """

    def means_missing(word: str) -> bool:
        plain = word.strip().lower()
        if plain in kept or plain in INFINITE:
            return False
        if plain in _LINES:
            return not others.plus
        if word.strip() == "NA":
            return 2 * others.capitals <= others.cells
        return plain != _NAMED or 2 * others.digits > others.cells

    return tuple(word for word in sorted(words) if means_missing(word))


def without(cells: Texts, words: tuple[str, ...]) -> Texts:
    """Return the cells, null where a cell is one of the words."""
    if not words:
        return cells
    return pc.if_else(pc.is_in(cells, value_set=pa.array(words, cells.type)), None, cells)


def is_of_a_column(entry: str) -> bool:
    """Return whether an entry is for one column.

    >>> [is_of_a_column(entry) for entry in ("income=999998", "?", "=", "=x")]
    [True, False, False, False]
    """
    name, sign, text = entry.partition("=")
    return bool(name and sign and text)


def everywhere(entries: Iterable[str]) -> tuple[str, ...]:
    """The entries for all columns."""
    return tuple(entry for entry in entries if not is_of_a_column(entry))


def words_everywhere(entries: Iterable[str]) -> tuple[str, ...]:
    """Return the entries for all columns that are no numbers."""
    return tuple(entry for entry in everywhere(entries) if not re.match(PLAIN, entry))


def entries_of(entries: Iterable[str], column: str) -> tuple[str, ...]:
    """The texts that are named for this column alone.

    >>> entries_of(["?", "income=999998", "in=come=1"], "in=come")
    ('1',)
    """
    own = (entry for entry in entries if is_of_a_column(entry) and entry.startswith(f"{column}="))
    return tuple(entry[len(column) + 1 :] for entry in own)


def codes_of(entries: Iterable[str], column: str) -> tuple[str, ...]:
    """The texts that mean a missing cell of this column: its own, and numbers for all columns."""
    numbers = (entry for entry in everywhere(entries) if re.match(PLAIN, entry))
    return (*entries_of(entries, column), *numbers)


def check_columns(entries: Sequence[str], columns: Iterable[str], option: str) -> None:
    """Raise InputError for an entry of a column that the table lacks; ``option``: the option of the
    entries."""
    columns = [str(column) for column in columns]
    for entry in filter(is_of_a_column, entries):
        if not any(entry.startswith(f"{column}=") for column in columns):
            said = tr(
                "“{option}” names the column “{name}”, which the table lacks; choose one of its columns:"
                " {columns}."
            )
            there = listed([f"“{column}”" for column in columns])
            raise InputError(said.format(option=option, name=entry.partition("=")[0], columns=there))


def cleared(cells: pa.ChunkedArray, codes: Sequence[str]) -> tuple[pa.ChunkedArray, int]:
    """Return the cells, null where a cell is one of the codes, with or without blanks around it; and their
    number."""
    if not codes:
        return cells, 0
    marks = pa.array([code.strip() for code in codes], pa.large_string())
    bare = pc.utf8_trim_whitespace(cells.cast(pa.large_string()))
    missing = pc.fill_null(pc.is_in(bare, value_set=marks), False)
    return pc.if_else(missing, None, cells), int(pc.sum(missing).as_py() or 0)


def cleared_values(column: object, codes: Sequence[str], hits: int, name: str, notes: Notes) -> object:
    """Return a column of numbers, NaN where a value is one of the codes; so many ``hits`` were cleared
    before. A code among many other values is noted. Other columns are returned unchanged."""
    numbers = [float(code) for code in codes if re.match(PLAIN, code)]
    if not numbers or not isinstance(column, np.ndarray) or column.dtype.kind not in "if":
        return column
    coded = np.isin(column, numbers)
    hits += int(coded.sum())
    present = column[~coded & ~np.isnan(column)] if column.dtype.kind == "f" else column[~coded]
    if hits and len(present):
        inside = any(present.min() <= number <= present.max() for number in numbers)
        if inside and len(np.unique(present)) >= _MANY:
            notes.add("plausible", name, hits)
    if not coded.any() or (column.dtype.kind == "i" and np.abs(column.astype(np.float64)).max() > _EXACT):
        return column
    return np.where(coded, np.nan, column)


def note_nines(column: object, name: str, notes: Notes) -> None:
    """Note the largest values of a column of whole numbers, or the least below zero, if they are nines (99,
    998) far from all others: they may be codes for missing values. Cost O(n)."""
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "if" or not len(column):
        return
    with np.errstate(invalid="ignore"):
        whole = column.dtype.kind == "i"  # whose plain ends are found several times as fast
        high, low = (
            (column.max(), column.min()) if whole else (np.fmax.reduce(column), np.fmin.reduce(column))
        )
    for end, sign in ((high, 1), (low, -1)):
        if np.isfinite(end) and end * sign > 0 and end == int(end) and _NINES.match(str(int(end))):
            count = 0 if _joined(column[:_LOOKED_AT] * sign, end * sign) else _far_nines(column * sign)
            if count:
                notes.add("nines", name, count)
                return


def _joined(first: np.ndarray, end: float) -> bool:
    """Return whether the first values already show that the nines at the end are not far from the rest,
    because a value that is no nines lies too near. Spares the sorting of most columns."""
    rest = [value for value in set(first[np.isfinite(first)].tolist()) if not _are_nines(value)]
    return len(rest) > 1 and end - max(rest) <= (max(rest) - min(rest)) / 10


def _are_nines(value: float) -> bool:
    return value == int(value) > 0 and _NINES.match(str(int(value))) is not None


def _far_nines(values: np.ndarray) -> int:
    """Return how many of the values are nines beyond all others, 0 where they are not far from these."""
    different, counts = np.unique(values[~np.isnan(values.astype(np.float64))], return_counts=True)
    first = len(different)
    while first and _are_nines(different[first - 1]):
        first -= 1
        if first and different[first] - different[first - 1] > 2:
            break
    rest = different[:first]
    if len(rest) < 2 or first == len(different):
        return 0
    gap, upper = different[first] - rest[-1], rest[len(rest) // 2 :]
    largest = np.diff(upper).max() if len(upper) > 1 else 0
    far = gap > (rest[-1] - rest[0]) / 10 and gap > max(largest, 1)
    return int(counts[first:].sum()) if far else 0

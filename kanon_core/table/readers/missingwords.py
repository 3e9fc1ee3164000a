"""Which words in a file mean that a value is missing, and where the same word is a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.table.readers.base import MISSING_NUMBERS
from kanon_core.table.readers.spellings import DIGIT, Texts, matches

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
    """Of the cells of a column that are no such words: how many there are, in how many are two capital
    letters, in how many is a digit; and whether some is a plus."""

    cells: int = 0
    capitals: int = 0
    digits: int = 0
    plus: bool = False

    @classmethod
    def of(cls, texts: pa.Array, counts: np.ndarray) -> Others:
        """Of different texts, each with its number of cells."""
        capitals = matches(texts, _LETTERS) & ~matches(texts, _ANSWERS)
        digits, signs = matches(texts, DIGIT), matches(texts, _SIGNS)
        held = int(counts[capitals].sum()), int(counts[digits].sum())
        plus = bool((signs & matches(texts, _PLUS)).any())
        return cls(int(counts.sum()), *held, plus)

    def merged(self, other: Others) -> Others:
        """Those of both."""
        sums = self.cells + other.cells, self.capitals + other.capitals, self.digits + other.digits
        return Others(*sums, self.plus or other.plus)


NONE = Others()
"""Of no cells."""


def gone(words: Iterable[str], others: Others, kept: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Those of the words in a column of texts or dates that mean a missing value, as they are written;
    ``kept``: words, in lower case, that are values.

    ``NA`` is Namibia where most others are two capital letters; ``none`` names an answer unless most others
    have digits, as dates do; ``-`` is a sign among signs.

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
    """The cells, null where one of the words stands."""
    if not words:
        return cells
    return pc.if_else(pc.is_in(cells, value_set=pa.array(words, cells.type)), None, cells)

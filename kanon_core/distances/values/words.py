"""Distances between words: the number of letters that differ, or must be edited, counted by rapidfuzz."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.distances.base import Source, ValueDistance


@dataclass(frozen=True)
class WordDistance(ValueDistance):
    """Base of the distances between texts: a scorer of rapidfuzz, and what it costs."""

    kinds: ClassVar[tuple[str, ...]] = ("text", "categorical")
    unit: ClassVar[str] = "letters"
    scorer: ClassVar[str]

    def bound(self, column: Source) -> float:
        """The number of letters of the longest text."""
        return float(_lengths(self.values(column)[1]).max(initial=0.0))

    def along(self, column: Any) -> np.ndarray | None:
        """Return None: words are sorted by their letters, as in a dictionary."""
        return None

    def between(self, values: Any, others: Any) -> np.ndarray:
        """All pairs, on every core."""
        from rapidfuzz import distance
        from rapidfuzz.process import cdist

        if not len(values) or not len(others):
            return np.zeros((len(values), len(others)))
        scorer = getattr(distance, self.scorer).distance
        return np.asarray(cdist(values, others, scorer=scorer, dtype=np.float64, workers=-1))


@dataclass(frozen=True)
class Hamming(WordDistance):
    """The number of places in which two texts differ, d(x, y) = Σ_i [x_i ≠ y_i].

    Takes texts and categories; a metric; bound: the longest text. Cost O(length) for each pair of different
    texts. When to use: for codes of equal length: postal codes, account numbers, bit patterns. The paper asks
    for texts of equal length; of unequal ones, every letter beyond the end of the shorter one differs.

    Reference: ILD paper, §3.2.2; R. W. Hamming, Bell System Technical Journal 29, 1950.
    """

    title: ClassVar[str] = "Hamming"
    sentence: ClassVar[str] = "The number of places in which two texts differ."
    formula: ClassVar[str] = r"d(x,y)=\sum_i[x_i\neq y_i]"
    scorer: ClassVar[str] = "Hamming"

    def effort(self, values: Any) -> np.ndarray:
        """A nanosecond for a letter."""
        letters = np.minimum(_lengths(values), _mean_length(values))
        return np.asarray(15.0 * len(values) + letters * len(values))


@dataclass(frozen=True)
class Levenshtein(WordDistance):
    """The least number of letters to insert, delete or replace that turns one text into the other.

    Takes texts and categories; a metric; bound: the longest text. Cost O(|x| |y| / 64) for each pair of
    different texts: 15 ns for words of 10 letters, 3 ms for texts of 10,000. When to use: for names and
    words, where typing errors should count little.

    >>> Levenshtein().between(["kitten"], ["sitting", "kitten"]).tolist()
    [[3.0, 0.0]]

    Reference: ILD paper, §3.2.2; V. I. Levenshtein, Soviet Physics Doklady 10, 1966; H. Hyyrö, Nordic Journal
    of Computing 10, 2003.
    """

    title: ClassVar[str] = "Levenshtein"
    sentence: ClassVar[str] = (
        "The least number of letters to insert, delete or replace to make two texts equal."
    )
    formula: ClassVar[str] = r"d(x,y)=\min\#\{\text{insertions, deletions, replacements}\}"
    scorer: ClassVar[str] = "Levenshtein"

    def effort(self, values: Any) -> np.ndarray:
        """Return the effort of each word; up to 64 letters of a word are compared with one letter at once."""
        words = np.ceil(_lengths(values) / 64)
        return 10.0 * len(values) + 2.5 * words * _mean_length(values) * len(values)


@dataclass(frozen=True)
class NormalizedLevenshtein(Levenshtein):
    """The Levenshtein distance divided by the length of the longer text, d(x, y) = L(x, y) / max(|x|, |y|),
    from 0 to 1.

    Takes texts and categories; a semimetric: ab, aba and ba are 1/3, 1/3 and 1 apart. Bound 1. Cost as
    `Levenshtein`. When to use: where lengths differ much, and every column is to add at most 1.

    Reference: ILD paper, §3.2.2 (“divided by the length of the text”).
    """

    title: ClassVar[str] = "Normalized Levenshtein"
    sentence: ClassVar[str] = "The Levenshtein distance divided by the length of the longer text."
    formula: ClassVar[str] = r"d(x,y)=\frac{L(x,y)}{\max(|x|,|y|)}"
    unit: ClassVar[str] = ""
    axioms: ClassVar[str] = "semimetric"

    def bound(self, column: Source) -> float:
        """1."""
        return 1.0

    def between(self, values: Any, others: Any) -> np.ndarray:
        """Edits divided by the longer length; 0 between two empty texts."""
        longer = np.maximum(_lengths(values)[:, None], _lengths(others))
        return np.asarray(super().between(values, others) / np.maximum(longer, 1.0))


@dataclass(frozen=True)
class DamerauLevenshtein(WordDistance):
    """The Levenshtein distance, except that exchanging two neighboring letters also counts as one edit.

    The unrestricted distance: a part may be edited more than once, so that the triangle inequality holds (for
    the restricted “optimal string alignment” it does not). Takes texts and categories; a metric; bound: the
    longest text. Cost O(|x| |y|) for each pair of different texts: 0.3 µs for words of 10 letters, 0.3 s for
    texts of 10,000. When to use: for typed words, where letters change places.

    Reference: ILD paper, §3.2.2; F. J. Damerau, Communications of the ACM 7, 1964; R. Lowrance, R. A. Wagner,
    Journal of the ACM 22, 1975.
    """

    title: ClassVar[str] = "Damerau–Levenshtein"
    sentence: ClassVar[str] = "Like Levenshtein, but an exchange of two neighboring letters is one edit."
    formula: ClassVar[str] = r"d(x,y)=\min\#\{\text{insertions, deletions, replacements, transpositions}\}"
    scorer: ClassVar[str] = "DamerauLevenshtein"

    def effort(self, values: Any) -> np.ndarray:
        """Letter by letter."""
        return 50.0 * len(values) + 3.0 * _lengths(values) * _mean_length(values) * len(values)


def _lengths(values: Any) -> np.ndarray:
    return np.fromiter(map(len, values), np.float64, len(values))


def _mean_length(values: Any) -> float:
    return float(_lengths(values).mean()) if len(values) else 0.0

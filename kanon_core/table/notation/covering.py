"""One cell that covers several released cells: the value is in one of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from kanon_core.table.columns.base import MISSING
from kanon_core.table.columns.texts import quoted
from kanon_core.table.notation.cell_parts import GAPS, NOTHING, Parts, parts_of, says_nothing
from kanon_core.table.notation.numbers import decimals_of, number_of


class Covering:
    """The different cells of a column, and texts that cover several of them.

    Where all of them are numbers or intervals, that is the interval from the least to the greatest end;
    masked texts of one length keep what they begin with in common; else it is the set of their values.

    >>> cells = Covering(["[10, 20]", "20-29", "35", "*"])
    >>> cells.text([0, 1]), cells.text([1, 2]), cells.text([0, 3])
    ('[10, 29]', '20-35', '*')
    >>> Covering(["130**", "1312*", "201**"]).text([0, 1]), Covering(["{F, M}", "X"]).text([0, 1])
    ('13***', '{F, M, X}')
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        self.unsaid = np.array([says_nothing(text.strip()) for text in texts], bool)
        self.missing = np.array([text.strip() in NOTHING for text in texts], bool)

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray] | None:
        """float64 (cells) each, the ends of the intervals, NaN for cells that say nothing; None where some
        cell is no interval, or all are masked."""
        said = ~(self.unsaid | self.missing)
        low, high = np.full(len(self.texts), np.nan), np.full(len(self.texts), np.nan)
        decimals = decimals_of(end for part in self._parts for end in part.ends)
        for i in np.flatnonzero(said):
            ends = [number_of(end, decimals.comma) for end in self._parts[i].ends]
            low[i], high[i] = min(ends), max(ends)
        if np.isnan(low[said]).any() or not said.any() or self._masks:
            return None
        return low, high

    @property
    def _masks(self) -> bool:
        return any(part.style == "a*" for part in self._parts)

    @cached_property
    def _parts(self) -> list[Parts]:
        return [parts_of(text) for text in self.texts]

    @cached_property
    def members(self) -> list[frozenset[str]]:
        """The values of each cell's set; a cell that is no set is its own only value."""
        return [frozenset(_members(text)) for text in self.texts]

    def text(self, chosen: Sequence[int]) -> str:
        """The cell that covers these; a single one as it is written."""
        if len(chosen) == 1:
            return self.texts[chosen[0]]
        if self.unsaid[list(chosen)].any():
            return "*"
        present = [i for i in chosen if not self.missing[i]]
        if not present:
            return MISSING
        gaps = GAPS if len(present) < len(chosen) else ""
        return (self._interval(present) or self._mask(present) or self._set(present)) + gaps

    def _interval(self, chosen: Sequence[int]) -> str:
        if self.ends is None:
            return ""
        low, high = self.ends
        first = min(chosen, key=lambda i: (low[i], self._parts[i].open_low))
        last = max(chosen, key=lambda i: (high[i], not self._parts[i].open_high))
        below, above = (self._end(i, side) for i, side in ((first, min), (last, max)))
        one, two = self._parts[first], self._parts[last]
        if math.isinf(low[first]) and math.isinf(high[last]):
            return "*"
        if math.isinf(high[last]):
            return f"{'>' if one.open_low else '>='} {below}"
        if math.isinf(low[first]):
            return f"{'<' if two.open_high else '<='} {above}"
        return below if below == above else self._between(one, two, below, above)

    def _between(self, first: Parts, last: Parts, below: str, above: str) -> str:
        """An interval written as those that it covers are."""
        style = next((p.style for p in (first, last) if p.style.count("b") == 1 and not p.members), "[a, b]")
        sign = style.strip("[]()ab")
        sign = "; " if self._comma and sign == ", " else sign
        if style[0] == "a" and not (first.open_low or last.open_high):
            return f"{below}{sign}{above}"
        opens = first.style[0] if first.style[0] in "[](" else "(" if first.open_low else "["
        closes = last.style[-1] if last.style[-1] in "[])" else ")" if last.open_high else "]"
        return f"{opens}{below}{sign}{above}{closes}"

    def _end(self, i: int, side: object) -> str:
        part = self._parts[i]
        if part.members:
            numbers = [number_of(end, self._comma) for end in part.members]
            return part.members[numbers.index(min(numbers) if side is min else max(numbers))]
        return part.low if side is min else part.high

    @cached_property
    def _comma(self) -> bool:
        return decimals_of(end for part in self._parts for end in part.ends).comma

    def _mask(self, chosen: Sequence[int]) -> str:
        texts = [self.texts[i].strip() for i in chosen]
        if not self._masks or len({len(text) for text in texts}) > 1:
            return ""
        alike = (len(set(signs)) == 1 and signs[0] != "*" for signs in zip(*texts, strict=True))
        shared = sum(1 for _ in itertools.takewhile(bool, alike))
        return texts[0][:shared] + "*" * (len(texts[0]) - shared)

    def _set(self, chosen: Sequence[int]) -> str:
        values = sorted(frozenset().union(*(self.members[i] for i in chosen)))
        return "{" + ", ".join(map(quoted, values)) + "}"


def _members(text: str) -> list[str]:
    """The values of a set in braces, without quotes of its own; else the text."""
    inside = text.strip()[1:-1]
    if text.strip()[:1] + text.strip()[-1:] != "{}" or '"' in inside or "{" in inside:
        return [text]
    return [value.strip() for value in inside.replace(";", ",").split(",")]

"""Published numbers, dates and levels, from text back to intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, each, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import Arcs, Intervals
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.columns.dates import parse_dates, seconds
from kanon_core.table.columns.levels import seconds_of_clock
from kanon_core.table.columns.texts import alone, quoted
from kanon_core.table.notation.cell_parts import GAPS, NOTHING, UNSAID, Parts, parts_of, says_nothing
from kanon_core.table.notation.numbers import decimals_of, number_of
from kanon_core.table.readers.base import MISSING_NUMBERS

_INFINITE = {"inf": np.inf, "-inf": -np.inf}
_BETWEEN = (", ", "; ", ";", "..", " … ", " to ", " – ", "–", " - ", ",", "-")
"""Separators of two levels, tried in this order."""
_AROUND = 32
"""The most signs and blanks around a level."""


def read_intervals(
    texts: Sequence[str], column: Numbers, tick: Tick = silent
) -> tuple[Intervals | Arcs, np.ndarray]:
    """One cell for each text, and booleans (m): the text could not be read; such a cell is empty and fits no
    record.

    Cells are read as in `kanon_core.table.notation.cell_parts`; in addition, years or months in place of
    their days, and numbers with decimal commas if the column has them. `MISSING` or an empty cell is a
    missing value; in a quasi-identifier without missing values it is, like stars and words such as NA, any
    value. For cyclic values, [22, 2] is the arc from the first end to the second. Cost O(texts · their
    length).
    """
    dates = column.attribute.kind == "datetime"
    levels = Levels.of(column.levels)
    parts = [_parts(text, column, dates, levels) for text in each(texts, tick, tr("reading the cells"))]
    clock = column.circle is not None and column.circle.clock
    low, high = _dated(parts) if dates else _timed(parts) if clock else _numbered(parts)
    if column.circle is not None:
        low, high = _on_line(low, high, column.circle)
    low = np.where([part is not None and part.open_low for part in parts], np.nextafter(low, np.inf), low)
    high = np.where(
        [part is not None and part.open_high for part in parts], np.nextafter(high, -np.inf), high
    )
    gaps = np.array([part is not None and part.gaps for part in parts], bool)
    missing = np.array([part is None for part in parts], bool)
    over = np.zeros(len(low), bool) if column.circle is None else low > high
    bad = ~missing & ~(over | (low <= high))
    low[bad], high[bad] = np.inf, -np.inf
    low[missing] = high[missing] = np.nan
    gaps &= ~bad & ~missing
    if column.circle is None or not over.any():
        return Intervals(low, high, gaps), bad
    return Arcs(low, high, gaps, column.circle), bad


def _on_line(low: np.ndarray, high: np.ndarray, circle: Circle) -> tuple[np.ndarray, np.ndarray]:
    """Written ends on the line of the circle. A cell that is open at both ends, or reaches from the first to
    the last place that can be written, is the whole circle; an open end is the first or last place that can
    be written; other ends outside these places are NaN."""
    last = circle.first + circle.period
    ends = [np.where(np.isinf(low), circle.first, low), np.where(np.isinf(high), last, high)]
    known = [np.where((end < circle.first) | (end > last), np.nan, end) for end in ends]
    low_end, high_end = map(circle.unrolled, known)
    whole = (ends[0] == circle.first) & (ends[1] == last)
    return np.where(whole, circle.cut, low_end), np.where(whole, circle.cut + circle.period, high_end)


def _parts(text: str, column: Numbers, dates: bool, levels: Levels) -> Parts | None:
    """Return the parts of a cell; None for a missing value."""
    if text in NOTHING:
        suppressed = column.attribute.role == "quasi_identifier" and not column.has_missing
        return parts_of("*") if suppressed else None
    if column.levels:
        return level_parts(text, levels)
    if column.has_missing and text not in UNSAID and text.strip().lower() in MISSING_NUMBERS:
        return None  # as it is read in the original
    part = parts_of(text, dates)
    return _of_days(part) if part and dates else part


def _numbered(parts: Sequence[Parts | None]) -> tuple[np.ndarray, np.ndarray]:
    """float64 (m) each: the least and the greatest number of each cell, NaN where one cannot be read."""
    decimals = decimals_of(end for part in parts if part for end in part.ends)

    def read(end: str) -> float:
        found = number_of(end, decimals.comma)
        return number_of(end, not decimals.comma) if decimals.mixed and np.isnan(found) else found

    ends = [[read(end) for end in part.ends] if part else [np.nan] for part in parts]
    between = [
        (np.min(of), np.max(of)) if p and p.members else (of[0], of[-1])
        for p, of in zip(parts, ends, strict=True)
    ]
    low, high = np.array(between, np.float64).reshape(-1, 2).T + 0.0
    return low, high


def _timed(parts: Sequence[Parts | None]) -> tuple[np.ndarray, np.ndarray]:
    """The same of times of day, as seconds since midnight."""
    ends = [part.ends if part else ("", "") for part in parts]
    times = [[_INFINITE.get(end, seconds_of_clock(end)) for end in (of[0], of[-1])] for of in ends]
    low, high = np.array(times, np.float64).reshape(-1, 2).T
    return low.copy(), high.copy()


def _dated(parts: Sequence[Parts | None]) -> tuple[np.ndarray, np.ndarray]:
    """The same of dates, as seconds."""
    low = _seconds([part.low if part else "" for part in parts])
    return low, _seconds([part.high if part else "" for part in parts])


def _of_days(part: Parts) -> Parts:
    """Return the parts with days as ends in place of years and months, which include all their days."""
    low, high = _days(part.low), _days(part.high)
    if low:
        part = part._replace(low=low[part.open_low], open_low=False)
    if high:
        part = part._replace(high=high[not part.open_high], open_high=True)
    return part


def _days(text: str) -> tuple[str, str] | None:
    """The first day of a year or month, and the day after its last; None for any other text."""
    year, dash, month = text.partition("-")
    if len(year) != 4 or not year.isdecimal() or (dash and (len(month) != 2 or not month.isdecimal())):
        return None
    first, count = int(month or 1), 1 if dash else 12
    if not 1 <= first <= 12:
        return None
    end = int(year) * 12 + first - 1 + count
    return f"{year}-{first:02d}-01", f"{end // 12:04d}-{end % 12 + 1:02d}-01"


def _seconds(ends: list[str]) -> np.ndarray:
    """float64 (m): the dates as seconds; NaN for anything else."""
    known = pd.Series([None if end in _INFINITE else end for end in ends], dtype="str")
    values = seconds(parse_dates(known)).tolist()
    return np.array([_INFINITE.get(end, value) for end, value in zip(ends, values, strict=True)], np.float64)


class Levels(NamedTuple):
    """The places of levels, as texts of numbers, by the level's text, plain and as published; and the
    characters of the longest text."""

    places: dict[str, str]
    longest: int

    @classmethod
    def of(cls, levels: tuple[str, ...]) -> Levels:
        """Return the object for these levels, which go from the least to the greatest."""
        plain = {level.strip(): str(place) for place, level in enumerate(levels)}
        known = {write(level): str(place) for place, level in enumerate(levels) for write in (quoted, alone)}
        places = {**plain, **known}
        return cls(places, max(map(len, places), default=0))


def level_parts(text: str, levels: Levels) -> Parts:
    """Return the parts of a cell, with places as its ends: a level, ``[low, high]``, ``low–high``, ``low to
    high``, a set ``{low, medium}``, read from its lowest to its highest level, stars for all; an end that is
    not a level reads “?”. Cost O(length), and O(length²) up to the length of two levels.

    >>> level_parts("[low, high]", Levels.of(("low", "medium", "high")))[1:3]
    ('0', '2')
    """
    text = text.strip()
    if text not in levels.places and text.endswith(GAPS):
        return _said(text.removesuffix(GAPS).strip(), levels)._replace(gaps=True)
    return _said(text, levels)


def _said(text: str, levels: Levels) -> Parts:
    places = levels.places
    if text in places:
        return Parts("a", places[text], places[text])
    if says_nothing(text):
        return Parts("*", "-inf", "inf", gaps=True)
    if text[:1] == "{" and text[-1:] == "}":
        members = text[1:-1].split(";" if ";" in text else ",")
        return Parts("{a, b}", "", "", members=tuple(places.get(one.strip(), "?") for one in members))
    inside = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    if len(inside) > 2 * (levels.longest + _AROUND):
        return Parts("a", "?", "?")
    for sign in _BETWEEN:
        for at in _places_of(sign, inside):
            low, high = inside[:at].strip(), inside[at + len(sign) :].strip()
            if low in places and high in places:
                return Parts(f"[a{sign}b]", places[low], places[high])
    return Parts("a", "?", "?")


def _places_of(sign: str, text: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(sign, at)]

"""Distances on a number line, and around the calendar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later
from kanon_core.distances.base import Distance, extent
from kanon_core.distances.coordinates import Coordinates, balanced
from kanon_core.distances.encodings import VALUES_AT_MOST, Computed, Encoding, Line, Matrix, Scale
from kanon_core.table.attribute import LINE_KINDS
from kanon_core.table.columns.columns import Numbers

_DAY = 86_400.0
_SCALES = {
    "range": later("the column's range"),
    "sd": later("the column's standard deviation"),
    "none": later("1: in the column's own units"),
}
_PARTS = {
    "days": later("days between the two dates"),
    "day of year": later("days around the year, regardless of the year"),
    "weekday": later("days around the week"),
    "hour": later("hours around the clock, down to the second"),
}
_PERIODS = {"day of year": 366, "weekday": 7, "hour": 24}


@dataclass(frozen=True)
class Absolute(Distance):
    """d(a, b) = |a − b| / s: the Euclidean distance in one dimension, s the column's range, its standard
    deviation, or 1.

    Dates are measured in seconds when s = 1. The standard deviation is the sample's (n − 1); a column without
    spread has s = 1. Ordinal values are as far apart as their places in the order. Takes numbers, dates,
    degrees and ordinal values; a metric; bound range / s. Cost O(n). When to use: for numbers. By range every
    column adds at most 1; by deviation outliers do not shrink the rest.

    >>> import kanon_core as kc, pandas as pd
    >>> column = kc.Table.from_frame(pd.DataFrame({"age": [20, 30, 60]}))["age"]
    >>> Absolute().encoded(column).pairs([0, 0], [1, 2]).tolist(), Absolute("none").bound(column)
    ([0.25, 1.0], 40.0)

    Reference: ILD paper, §3.1.3; k-concealment paper, definition 2.2 (range).
    """

    title: ClassVar[str] = "Absolute difference"
    sentence: ClassVar[str] = "The difference of two numbers as a share of the column's spread."
    formula: ClassVar[str] = r"d(a,b)=|a-b|/s"
    kinds: ClassVar[tuple[str, ...]] = LINE_KINDS
    form: ClassVar[str] = "line"

    scale: Annotated[str, Choice(_SCALES, help="divisor of the distance")] = "range"

    def bound(self, column: Any) -> float:
        """The range in the chosen unit; ``column``: numbers."""
        return extent(column) / self._unit(column)

    def scale_of(self, column: Any) -> Scale:
        """Return the scale, which begins at the lowest value."""
        return Scale(column.range[0], self._unit(column), self.bound(column) or 1.0)

    def _unit(self, column: Numbers) -> float:
        if self.scale == "none":
            return 1.0
        if self.scale == "range" or not extent(column):
            return extent(column) or 1.0
        return column.deviation or 1.0

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        return Line((column.values - scale.origin) / scale.unit, scale.gap)


@dataclass(frozen=True)
class Calendar(Distance):
    """Days between two dates, or the way around the year, the week or the clock: d(a, b) = min(|a − b|, P −
    |a − b|).

    Around the year P = 366 days, 29 February among them, so that equal days of any two years are 0 apart, and
    28 February and 1 March are always 2; around the week P = 7 days; around the clock P = 24 hours, in UTC.
    Takes dates; a metric for days, and otherwise a pseudometric, because dates of different years can be 0
    apart. Bound P / 2, or the range in days. Cost O(n); the clock O(V²) for V different times of day, up to
    5,000. When to use: where the season, the weekday or the time of day matters rather than the date.

    Reference: ILD paper, §3.1.1 (any distance); K. V. Mardia, P. E. Jupp, Directional Statistics, 2000, §2.3.
    """

    title: ClassVar[str] = "Calendar"
    sentence: ClassVar[str] = "Days between two dates, or around the year, the week or the clock."
    formula: ClassVar[str] = r"d(a,b)=|a-b|\ \text{days, or}\ \min(|a-b|,\,P-|a-b|)"
    kinds: ClassVar[tuple[str, ...]] = ("datetime",)

    part: Annotated[str, Choice(_PARTS, help="part of the date that is compared")] = "days"

    @property
    def axioms(self) -> str:
        """The axioms of the distance, which is a pseudometric around a circle."""
        return "metric" if self.part == "days" else "pseudometric"

    def bound(self, column: Any) -> float:
        """The range in days, or half way around."""
        return extent(column) / _DAY if self.part == "days" else _PERIODS[self.part] / 2

    def scale_of(self, column: Any) -> Scale:
        """Return the scale, in days, which begins at the earliest date."""
        return Scale(column.range[0], _DAY, self.bound(column) or 1.0)

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return coordinates on a circle; on a line for days."""
        return None if self.part == "days" else around(self.points(column), column)

    @property
    def form(self) -> str:
        """The form "points", on a circle; "line" for days."""
        return "line" if self.part == "days" else "points"

    def points(self, column: Any) -> np.ndarray:
        """Return the points on the unit circle; see `Distance.points`."""
        return on_circle(self._turns(column))

    def along(self, column: Any) -> np.ndarray | None:
        """Return the order around the circle, from the end of its widest gap on."""
        return None if self.part == "days" else unrolled(self._turns(column))

    def _turns(self, column: Numbers) -> np.ndarray:
        """float64 (n): shares of the way around, from 0 to below 1; NaN = missing."""
        return np.asarray(self._place(column.values) / _PERIODS[self.part])

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        if self.part == "days":
            return Line((column.values - scale.origin) / scale.unit, scale.gap)
        places, codes = np.unique(self._place(column.values), return_inverse=True)
        codes, here = codes.astype(np.int32), np.arange(len(places))
        if len(places) > VALUES_AT_MOST:
            return Computed(codes, len(places), lambda wanted: self._around(places, wanted, scale.gap))
        return Matrix(codes, self._around(places, here, scale.gap))

    def _around(self, places: np.ndarray, wanted: np.ndarray, gap: float) -> np.ndarray:
        """float64 (r, V): the way around from some places to all; ``gap`` to or from a missing one."""
        apart = np.abs(places[wanted][:, None] - places)
        apart = np.minimum(apart, _PERIODS[self.part] - apart)
        apart[np.isnan(apart)] = gap
        apart[np.arange(len(wanted)), wanted] = 0.0
        return np.asarray(apart)

    def _place(self, seconds: np.ndarray) -> np.ndarray:
        """float64 (n): the place of each date on the circle; NaN = missing."""
        missing = np.isnan(seconds)
        dates = np.where(missing, 0, seconds)
        days = np.floor(dates / _DAY).astype(np.int64)
        if self.part == "weekday":
            place = np.mod(days + 3.0, 7)  # 1970-01-01 was a Thursday
        elif self.part == "hour":
            place = np.floor(dates - days * _DAY) / 3600
        else:
            place = _day_of_leap_year(days)
        return np.where(missing, np.nan, place)


def around(points: np.ndarray, column: Numbers) -> Coordinates:
    """The coordinates of points on the unit circle, float64 (n, 2), of the records of a column."""
    whole = None if column.whole is None else (np.zeros(2), 1.0)
    return balanced(points, column.has_missing, whole)


def on_circle(turns: np.ndarray) -> np.ndarray:
    """float64 (n, 2): the point of the unit circle for each share of the way around; NaN = missing."""
    angles = 2 * np.pi * turns
    return np.column_stack([np.cos(angles), np.sin(angles)])


def unrolled(turns: np.ndarray) -> np.ndarray:
    """float64 (n): shares of the way around counted from the end of the widest gap on, of equally wide ones
    the first; NaN = missing.

    >>> unrolled(np.array([0.9, 0.0, 0.1, 0.2])).round(9).tolist()  # nothing lies between 0.2 and 0.9
    [0.0, 0.1, 0.2, 0.3]
    """
    present = np.unique(turns[~np.isnan(turns)])
    if not len(present):
        return turns
    gaps = np.diff(present, prepend=present[-1] - 1.0)
    return np.asarray(np.mod(turns - present[int(np.argmax(gaps))], 1.0))


def _day_of_leap_year(days: np.ndarray) -> np.ndarray:
    """0 … 365: the place of the date's day and month in a leap year; ``days`` int64 since 1970-01-01."""
    stamps = days.astype("datetime64[D]")
    months = stamps.astype("datetime64[M]")
    lengths = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    month = np.mod(months.astype(np.int64), 12)
    within = (stamps - months.astype("datetime64[D]")).astype(np.int64)
    return np.asarray((np.cumsum(lengths) - lengths)[month] + within.astype(np.float64))

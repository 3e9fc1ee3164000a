"""Columns on a number line: numbers, degrees and dates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.base import Encoded, Misfits, misfits_of
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.dates import DateForm, read_dates, seconds
from kanon_core.table.domain import DAYS, FRACTIONS, WHOLE, LabelDomain, NumberDomain, step_of
from kanon_core.table.notation.cell_parts import parts_of
from kanon_core.table.notation.numbers import number_of

_EXACT = 2.0**53
_EXACT_SECONDS = 2.0**33
_UNITS = {DAYS: "D", WHOLE: "s", FRACTIONS: "us"}
_LONGEST = 40


@dataclass(frozen=True)
class Numbers(Encoded):
    """A column on a number line: ``values`` float64 (n), NaN = missing; dates as seconds since 1970-01-01,
    UTC. ``whole``: the domain of the whole table, of which these are a part; None = they are all.
    ``parallel``: of longitudes, a latitude in whole degrees; no place of the table is farther from the
    equator (`kanon_core.table.columns.agreed`). ``levels``: of ordinal values, and of words that go round,
    their texts in order; a value is then its place there, from 0. ``circle``: of cyclic values and
    longitudes, the circle of which ``values`` are places, unrolled. ``form``: of dates that were texts, how
    they are written."""

    attribute: Attribute
    values: np.ndarray
    integral: bool
    misfits: Misfits | None = None
    whole: NumberDomain | None = field(default=None, kw_only=True)
    parallel: int = field(default=0, kw_only=True)
    levels: tuple[str, ...] = field(default=(), kw_only=True)
    circle: Circle | None = field(default=None, kw_only=True)
    form: DateForm | None = field(default=None, kw_only=True)

    @property
    def missing(self) -> np.ndarray:
        """n booleans."""
        return np.asarray(np.isnan(self.values))

    def taken(self, rows: np.ndarray) -> Numbers:
        """The values of these records."""
        return replace(self, values=self.values[rows])

    @cached_property
    def has_missing(self) -> bool:
        """True if any value is missing."""
        return bool(self.missing.any() if self.whole is None else self.whole.missing)

    @property
    def distinct(self) -> int:
        """The number of different values, missing not counted."""
        return int(pd.Series(self.values).nunique())

    @property
    def keys(self) -> np.ndarray:
        """The values."""
        return self.values

    @property
    def present(self) -> np.ndarray:
        """float64: the values that are not missing."""
        present: np.ndarray = self.values[~self.missing]
        return present

    @cached_property
    def range(self) -> tuple[float, float]:
        """Smallest and largest present value; (0, 0) when all are missing. Of ordinal values the first and
        the last of their order, of cyclic ones the whole circle, from where it is cut."""
        if self.circle is not None and self.attribute.kind == "cyclic":
            return self.circle.cut, self.circle.cut + self.circle.period
        if self.whole is not None:
            return self.whole.range
        present = self.present
        return (float(present.min()), float(present.max())) if len(present) else (0.0, 0.0)

    @property
    def comparable(self) -> bool:
        """True if squared differences stay within the range of floating-point numbers (about
        1e±300)."""
        low, high = self.range
        return max(-low, high) <= 1e150 and (high == low or high - low >= 1e-140)

    @cached_property
    def mean(self) -> float:
        """The mean of the present values; 0 without any, and when they are not `comparable`."""
        if not self.comparable:
            return 0.0
        if self.whole is not None:
            return self.whole.mean
        present = self.present
        return float(present.mean()) if len(present) else 0.0

    @cached_property
    def deviation(self) -> float:
        """The sample standard deviation; 0 of fewer than two values, and when they are not `comparable`."""
        if self.range[0] == self.range[1] or not self.comparable:
            return 0.0
        return float(self.present.std(ddof=1)) if self.whole is None else self.whole.deviation

    @cached_property
    def unit(self) -> str:
        """The precision in which dates are written: D (whole days), s (whole seconds) or us."""
        return _UNITS[step_of(self.present) if self.whole is None else self.whole.step]

    @property
    def kept_exactly(self) -> bool:
        """True if dates are kept to the microsecond in which they are written: a float64 of seconds is
        from 1698 to 2242."""
        written = self.attribute.kind != "datetime" or self.unit != "us"
        return written or max(-self.range[0], self.range[1]) < _EXACT_SECONDS

    def as_written(self, values: np.ndarray) -> np.ndarray | None:
        """Return the numbers as a file holds them, float64, or int64 where the column has whole numbers and
        these are whole and neither means nor medians; None for dates, levels and times of day, which a file
        holds as texts."""
        if (
            self.levels
            or self.attribute.kind == "datetime"
            or (self.circle is not None and self.circle.clock)
        ):
            return None
        written = values if self.circle is None else self.circle.written(values)
        single = self.integral and self.attribute.recoding not in ("mean", "median")
        if single and np.all((np.abs(written) < _EXACT) & (written == np.floor(written))):
            return written.astype(np.int64)
        return np.asarray(written + 0.0)  # −0.0 is 0.0, as in `as_published`

    def domain(self) -> NumberDomain | LabelDomain:
        """Count, range and exact sums of the numbers as they are written; of levels those that occur."""
        written = self.values if self.circle is None else self.circle.written(self.values)
        if not self.levels:
            return NumberDomain.of(written)
        used = np.unique(written[~self.missing]).astype(int)
        return LabelDomain(tuple(sorted(self.levels[i] for i in used)), int(self.missing.sum()))


def encode_numbers(values: pd.Series, attribute: Attribute, whole: NumberDomain | None) -> Numbers:
    """The cells as numbers (`read_numbers`), longitudes on their circle."""
    column = read_numbers(values, attribute, whole)
    if attribute.kind != "longitude":
        return column
    return on_circle(column, Circle.around(column.present, 360.0, -180.0, part=whole is not None))


def read_numbers(values: pd.Series, attribute: Attribute, whole: NumberDomain | None) -> Numbers:
    """The cells as numbers as they are written, ends such as “90+” as the number at the end where the kind is
    numeric; those that are none, or beyond the limits of the kind, do not fit."""
    ends = 0
    if pd.api.types.is_datetime64_any_dtype(values):
        numbers = seconds(values)
    elif pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(np.float64, na_value=np.nan)
    else:
        texts = values.astype("object").map(_plain_number)
        numbers = pd.to_numeric(texts, errors="coerce").to_numpy(np.float64)
        if attribute.kind == "numeric":
            numbers, ends = with_ends(numbers, texts)
    fits = np.isfinite(numbers)
    if pd.api.types.is_integer_dtype(values):  # one of more than 53 bits would be published rounded
        fits &= np.abs(numbers) < _EXACT
    limit = {"latitude": 90.0, "longitude": 180.0}.get(attribute.kind, np.inf)
    fits &= np.abs(np.where(fits, numbers, 0)) <= limit
    # + 0.0 turns −0 into 0, so that equal cells have equal texts
    return numbers_column(values, attribute, np.where(fits, numbers, np.nan) + 0.0, whole, ends)


def on_circle(column: Numbers, circle: Circle) -> Numbers:
    """The column with its written values unrolled on the circle."""
    return replace(column, values=circle.unrolled(column.values), circle=circle)


def goes_round(column: Numbers) -> bool:
    """Return whether the short way between two values may go over the place where the column's circle is
    cut."""
    low, high = column.range
    return column.circle is not None and high - low > column.circle.period / 2


def encode_dates(values: pd.Series, attribute: Attribute, whole: NumberDomain | None) -> Numbers:
    """The cells as seconds; numbers fit if they are written as year, month and day, as in 20240305."""
    form = None
    if pd.api.types.is_datetime64_any_dtype(values):
        dates = values
    elif pd.api.types.is_numeric_dtype(values):
        dates = _days_of_numbers(values)
    else:
        dates, form = read_dates(values, attribute.date_order)
    return replace(numbers_column(values, attribute, seconds(dates), whole), form=form)


def _days_of_numbers(values: pd.Series) -> pd.Series:
    """datetime64: whole numbers of eight digits as year, month and day, 20240305; NaT for any other."""
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    whole = (numbers >= 1e7) & (numbers < 1e8) & (numbers == np.floor(numbers))
    texts = pd.Series(np.where(whole, numbers, 0).astype(np.int64).astype("str"))
    return pd.to_datetime(texts.where(whole), format="%Y%m%d", errors="coerce")


def numbers_column(
    cells: pd.Series, attribute: Attribute, values: np.ndarray, whole: NumberDomain | None, ends: int = 0
) -> Numbers:
    """The column of these numbers, float64 (n); NaN where a cell is not missing does not fit. So many cells
    are ``ends``."""
    misfits = misfits_of(cells, np.isnan(values) & cells.notna().to_numpy(), attribute, ends)
    if whole is not None:
        whole.check(attribute, NumberDomain.of(values))
        return replace(of_whole(attribute, values, whole), misfits=misfits)
    present = values[~np.isnan(values)]
    integral = bool(np.all(present == np.floor(present)))
    return _settled(Numbers(attribute, values, integral, misfits), len(present) > 0)


def of_whole(attribute: Attribute, values: np.ndarray, whole: NumberDomain) -> Numbers:
    """The column of these numbers, float64 (n), which are among those of the whole."""
    return _settled(Numbers(attribute, values, whole.step != FRACTIONS, whole=whole), whole.count > 0)


def _settled(column: Numbers, some: bool) -> Numbers:
    """The column, whole numbers only where ``some`` are present and all are exact."""
    if column.attribute.kind == "datetime" or not column.integral:
        return column
    low, high = column.range
    return column if some and max(-low, high) < _EXACT else replace(column, integral=False)


def _plain_number(cell: object) -> object:
    return cell.strip() if isinstance(cell, str) else cell


def with_ends(numbers: np.ndarray, texts: pd.Series) -> tuple[np.ndarray, int]:
    """Return the numbers, float64 (n), where a text such as “90+” counts as the number at its end; and how
    many such texts there are. Cost: that of the different texts that are no numbers.

    >>> values, ends = with_ends(np.array([42.0, np.nan, np.nan]), pd.Series(["42", "90+", "x"]))
    >>> values.tolist(), ends
    ([42.0, 90.0, nan], 1)
    """
    rows = np.flatnonzero(np.isnan(numbers) & texts.notna().to_numpy())
    if not len(rows):
        return numbers, 0
    codes, different = pd.factorize(texts.iloc[rows])
    found = np.array([end_of(text) if isinstance(text, str) else np.nan for text in different.tolist()])[
        codes
    ]
    values = numbers.copy()
    values[rows] = found
    return values, int((~np.isnan(found)).sum())


def end_of(text: str) -> float:
    """Return the number at the end of an open interval, all that is greater or all that is less; NaN for any
    other text.

    >>> [end_of(text) for text in ("> 89", "90+", "<20", "≥90", "90 and over", "unknown", "20-30", "*")]
    [89.0, 90.0, 20.0, 90.0, 90.0, nan, nan, nan]
    """
    if len(text) > _LONGEST:
        return np.nan
    parts = parts_of(text)
    if parts.style[:1] not in (">", "<"):
        return np.nan
    end = number_of(parts.low if parts.style[0] == ">" else parts.high)
    return end if np.isfinite(end) else np.nan

"""Choose the grid to which a column's interval ends are rounded: the given one, or one with little loss."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr
from kanon_core.covers.cells import Intervals
from kanon_core.covers.rounding.grids import Grid, Multiples, Starts
from kanon_core.table.columns.numbers import Numbers
from kanon_core.table.steps import AUTO, CALENDAR, METERS_PER_DEGREE, decimal_of

SHARE = 0.25
"""The largest step as a share of the median width of intervals."""
VALUES = 5
"""The smallest step in differences of neighboring values."""
PARTS = 4
"""The divisor of the column's range that bounds a step, so that an interval does not hold all values."""
FEWEST = 2
"""The fewest differences of neighboring values in a step; with fewer, or only few more, there is no step."""
LONGEST = {"day": 86_400.0, "month": 31 * 86_400.0, "year": 366 * 86_400.0}
"""The longest of each step of dates, in seconds."""
_ALL_AROUND = 180.0


def grid_of(column: Numbers, between: Intervals) -> Grid | None:
    """The grid for these intervals of the column, as its ``round_to`` says; None where "auto" finds none.

    Meters, of latitude and longitude, become the smallest round number of degrees (1, 2 or 5 · 10^e) that are
    at least as many meters: to the north everywhere; to the east at the table's `parallel`, beyond which no
    place lies from the equator, and so at every place. Longitudes without latitudes are taken to lie at the
    equator, where a degree is longest.
    With "auto" the step is `automatic`. Raises SchemaError for a step that is too small for the column's
    numbers.
    """
    attribute, text = column.attribute, column.attribute.round_to
    if text == AUTO:
        return automatic(column, between)
    if text in CALENDAR:
        return Starts(text)
    meters = decimal_of(text.removesuffix("m").rstrip()) if text.endswith("m") else None
    if meters is not None:
        east = METERS_PER_DEGREE * math.cos(math.radians(column.parallel))
        degrees = Multiples.of(_round_number(min(float(meters) / east, _ALL_AROUND), up=True))
        return Multiples(degrees.digits, degrees.exponent, _in_words(degrees, column))
    number = decimal_of(text)
    assert number is not None  # the schema took it
    grid = Multiples.of(number)
    if not grid.reaches(column.present):
        raise SchemaError(
            tr(
                "Column “{name}” has numbers that are too large to be rounded to multiples of {step};"
                " choose a larger step, or auto."
            ).format(name=attribute.name, step=grid.step)
        )
    return grid


def automatic(column: Numbers, between: Intervals) -> Grid | None:
    """The largest step that is at most a quarter of the median width of the intervals that have one.

    For numbers it is 1, 2 or 5 · 10^e, and at least five times the smallest difference of two values of the
    column: ages in whole years rounded to whole years would leave every end as it is. Where no interval has a
    width, it is the first of these from five times the median difference of neighboring values on. For dates
    it is a day, a month (at least that where the column has whole days) or a year.

    A step is at most a quarter of the column's range. Where that is less than two differences of values, as
    of 0 and 1, 1 to 5 or a single value, or than the shortest step of dates, there is none, and ends stay as
    they are: an interval would hold all values. Cost O(n log n).

    >>> import kanon_core as kc, pandas as pd
    >>> ages, yes = (kc.Table.from_frame(pd.DataFrame({"x": range(n)}))["x"] for n in (100, 2))
    >>> automatic(ages, Intervals(np.array([20.0, 42.0]), np.array([31.0, 53.0]), np.zeros(2, bool))).step
    '5'
    >>> automatic(yes, Intervals(np.zeros(1), np.ones(1), np.zeros(1, bool))) is None
    True
    """
    widths = (between.high - between.low)[between.high > between.low]
    width = float(np.median(widths)) if len(widths) else 0.0
    if column.attribute.kind == "datetime":
        return chosen(column, width)
    values = np.unique(column.present)
    apart, largest = np.diff(values), float(np.abs(values).max(initial=0.0))
    if not len(apart):
        return None
    return chosen(column, width, float(apart.min() if SHARE * width else np.median(apart)), largest)


def chosen(column: Numbers, width: float, apart: float = 0.0, largest: float = 0.0) -> Grid | None:
    """Return the choice of `automatic`. ``width``: the median width of those intervals that have one, 0 =
    none has. ``apart``: the smallest difference of two neighboring values of the column, or the median one
    where a quarter of ``width`` is 0; 0 = there are no two. ``largest``: the largest absolute value. Only
    the kind, unit and range of ``column`` are used."""
    wanted, most = SHARE * width, (column.range[1] - column.range[0]) / PARTS
    if column.attribute.kind == "datetime":
        offered = [step for step in CALENDAR if step != "day" or column.unit != "D"]
        if LONGEST[offered[0]] > most:
            return None
        return Starts([step for step in offered if LONGEST[step] <= wanted or step == offered[0]][-1])
    if not apart:
        return None
    least = max(VALUES * apart, largest * 2.0**-48)
    fine = _round_number(least, up=True)  # differences are used only so far, as parts of a table tally them
    step = max(fine, _round_number(max(wanted, least), up=False))
    if float(step) > most:
        step = _round_number(most, up=False)
        if FEWEST * fine > VALUES * step or float(step) < largest * 2.0**-48:
            return None
    return Multiples.of(step)


def has_steps(column: Numbers) -> bool:
    """Return whether "auto" can find a step, by the range of the column alone: not of one value, of whole
    numbers of few values, such as 0 and 1 or 1 to 5, nor of dates within a few months."""
    most = (column.range[1] - column.range[0]) / PARTS
    if column.attribute.kind == "datetime":
        return most >= LONGEST["month" if column.unit == "D" else "day"]
    return most >= FEWEST or (most > 0 and not column.integral)


def _round_number(size: float, up: bool) -> Decimal:
    """The nearest 1, 2 or 5 · 10^e that is at least (up) or at most the size, which is positive."""
    power = math.floor(math.log10(size))
    ladder = [Decimal(f"{digit}e{e}") for e in (power - 1, power, power + 1) for digit in (1, 2, 5)]
    if up:
        return next(number for number in ladder if float(number) >= size)
    return next(number for number in reversed(ladder) if float(number) <= size)


def _in_words(degrees: Multiples, column: Numbers) -> str:
    """Degrees, and how many meters they are."""
    meters = degrees.size * METERS_PER_DEGREE * math.cos(math.radians(column.parallel))
    said = tr("{step}° ({meters:,.0f} m)")
    if column.attribute.kind == "longitude":
        said = tr("{step}° ({meters:,.0f} m at the equator, fewer elsewhere)")
    if column.parallel:
        said = tr("{step}° ({meters:,.0f} m at latitude {parallel}°, more toward the equator)")
    return said.format(step=degrees.step, meters=meters, parallel=column.parallel)

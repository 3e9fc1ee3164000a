"""Ordinal columns as places in their order, and cyclic columns as places on their circle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from kanon_core.table.attribute import ORDERED_KINDS, Attribute
from kanon_core.table.columns.base import Encoded, misfits_of
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.dates import ENOUGH, seconds
from kanon_core.table.columns.itemcells import plain_text
from kanon_core.table.columns.numbers import Numbers, encode_numbers, numbers_column, on_circle
from kanon_core.table.domain import ColumnDomain, LabelDomain, NumberDomain, of_another_schema
from kanon_core.table.kinds import CLOCK, fits_circle, guessed_cycle, guessed_order, guessed_period

DAY = 86_400.0
"""The seconds of a day."""


def encode_ordinal(values: pd.Series, attribute: Attribute, whole: LabelDomain | None) -> Numbers:
    """The cells as places 0, 1, … in the order that is given, or guessed from all values
    (`kanon_core.table.kinds.guessed_order`); cells that the given order does not name do not fit."""
    codes, texts = _coded(values)
    order = attribute.order or guessed_order(texts if whole is None else whole.labels)
    return _placed(values, attribute, order, codes, texts, whole)


def encode_cyclic(
    values: pd.Series, attribute: Attribute, whole: ColumnDomain | None, held: np.ndarray | None = None
) -> Numbers:
    """The cells as places on a circle: words in the given order, or those of a usual one (weekdays, months,
    winds); times of day; and else numbers of the given period, or of a guessed one
    (`kanon_core.table.kinds.guessed_period`). ``held``: where the cells are different texts, how often each
    occurs."""
    words, order = isinstance(whole, LabelDomain), attribute.order
    if whole is None and not pd.api.types.is_numeric_dtype(values) and not order:
        order = guessed_cycle(_coded(values)[1])
    if words or order:
        if isinstance(whole, NumberDomain):
            raise of_another_schema(attribute.name)
        codes, texts = _coded(values)
        order = order or guessed_cycle(whole.labels if isinstance(whole, LabelDomain) else texts)
        column = _placed(values, attribute, order, codes, texts, whole)
        circle = Circle.around(column.present, float(max(len(order), 1)), part=whole is not None)
        return on_circle(column, circle)
    assert not isinstance(whole, LabelDomain)
    clock = _seconds_of_day(values, held)
    if clock is None:
        return _cyclic_numbers(values, attribute, whole)
    column = numbers_column(values, attribute, clock, whole)
    circle = Circle.around(column.present, DAY, part=whole is not None)
    finer = bool(np.mod(column.present, 60).any())
    return on_circle(column, replace(circle, clock=True, seconds=finer))


def settled(column: Encoded) -> Attribute:
    """The attribute with the order, the period or the order of dates that was found from all records, for a
    part of them."""
    attribute = column.attribute
    if isinstance(column, Numbers) and column.form is not None and column.form.order:
        return replace(attribute, date_order=column.form.order)
    if not isinstance(column, Numbers) or attribute.kind not in ORDERED_KINDS:
        return attribute
    if len(column.levels) > 1:
        return replace(attribute, order=column.levels, period=0.0)
    if column.levels or column.circle is None or column.circle.clock:
        return attribute
    return replace(attribute, period=column.circle.period)


def _cyclic_numbers(values: pd.Series, attribute: Attribute, whole: NumberDomain | None) -> Numbers:
    """Numbers of a period; those beyond it, or beyond its half below 0, do not fit."""
    read = encode_numbers(values, Attribute(attribute.name, attribute.role, "numeric"), None)
    period, first = around(attribute, *(read.range if whole is None else whole.range))
    beyond = (read.values < first) | (read.values > first + period)
    column = numbers_column(values, attribute, np.where(beyond, np.nan, read.values), whole)
    return on_circle(column, Circle.around(column.present, period, first, part=whole is not None))


def around(attribute: Attribute, low: float, high: float) -> tuple[float, float]:
    """Return how long the circle of a column of numbers from low to high is, and its first value."""
    period = attribute.period or guessed_period(attribute.name, low, high)
    return period, -period / 2 if low < 0 and fits_circle(low, high, period) else 0.0


def _coded(values: pd.Series) -> tuple[np.ndarray, list[str]]:
    """Each cell's number, −1 = missing, and the different texts."""
    codes, uniques = pd.factorize(values, use_na_sentinel=True)
    return codes, [plain_text(value) for value in uniques]


def _placed(
    values: pd.Series,
    attribute: Attribute,
    order: tuple[str, ...],
    codes: np.ndarray,
    texts: list[str],
    whole: ColumnDomain | None,
) -> Numbers:
    """The cells as their places in the order. Range, mean and deviation are those of the order itself, each
    value once, so that they are the same for every part of a table."""
    place = {label: float(i) for i, label in reversed(list(enumerate(order)))}
    places = np.array([*(place.get(text, np.nan) for text in texts), np.nan])[codes]
    misfits = misfits_of(values, np.isnan(places) & (codes >= 0), attribute)
    missing = int(np.isnan(places).sum())
    if isinstance(whole, LabelDomain):
        fitting = (text for text in texts if text in place or not attribute.order)
        whole.check(attribute, LabelDomain(tuple(fitting), int((codes < 0).sum())))
        missing = whole.missing
    levels = replace(NumberDomain.of(np.arange(float(len(order)))), missing=missing)
    return Numbers(attribute, places, False, misfits, whole=levels, levels=tuple(order))


def _seconds_of_day(values: pd.Series, counts: np.ndarray | None = None) -> np.ndarray | None:
    """float64 (n): seconds since midnight, NaN where a cell is no time of day; None where the column has
    none. ``counts``: where the cells are different texts, how often each occurs."""
    if pd.api.types.is_datetime64_any_dtype(values):
        return np.asarray(np.mod(seconds(values), DAY))
    if pd.api.types.is_numeric_dtype(values):
        return None
    codes, texts = _coded(values)
    found = [CLOCK.fullmatch(text) for text in texts]
    counts = np.ones(len(codes)) if counts is None else counts
    held = np.bincount(codes[codes >= 0], counts[codes >= 0], len(texts))
    if not held.sum() or held[[match is not None for match in found]].sum() < ENOUGH * held.sum():
        return None
    times = [seconds_of_clock(text) for text in texts]
    return np.asarray(np.array([*times, np.nan])[codes])


def seconds_of_clock(text: str) -> float:
    """Seconds since midnight of a time of day; NaN for any other text.

    >>> seconds_of_clock("23:50"), seconds_of_clock("24:30")
    (85800.0, nan)
    """
    match = CLOCK.fullmatch(text)
    if match is None:
        return np.nan
    hours, minutes, more = (int(part or 0) for part in match.groups())
    whole = hours * 3600.0 + minutes * 60 + more
    return whole if whole <= DAY else np.nan

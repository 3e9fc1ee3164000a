"""The part of a table's encoding that depends on all its records: found part by part, merged, and given to
each part.

A column of numbers is scaled by its range or deviation; categories and items are numbered among all labels. A
`Domain` holds exactly these facts. Each part of a table (a file, a day, a machine) finds its own domain,
`merged` combines them into the domain of the whole, and `Table.from_frame(part, schema, domain=whole)`
encodes a part as the whole would be.

Merging is associative and commutative to the last bit, as sums are kept exactly: mean and deviation are those
of all values, rounded once. (A table without a given domain adds up its numbers as numpy does, so that its
mean and deviation can differ from these in the last digit.)

The parts need one schema, which names the delimiter of item sets. Dates as texts are read part by part: write
them in one unmistakable form (2024-05-31).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol

import numpy as np

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr
from kanon_core.table.attribute import Attribute

DAYS, WHOLE, FRACTIONS = range(3)
"""The steps of numbers: all are multiples of 86,400 (whole days, of dates), all are whole, or neither."""

_SQUARED_AT_MOST = 1e150  # the squares of greater numbers are beyond the range of floating-point numbers


@dataclass(frozen=True)
class NumberDomain:
    """The facts about all numbers of a column.

    ``count`` present values and ``missing`` ones; ``low`` and ``high``, 0 without any; ``step`` as above;
    ``total`` and ``squares``: the sums of values and squares (`exact_sum`), empty where these are too large.

    >>> one, other = NumberDomain.of(np.array([1.0, 4.0])), NumberDomain.of(np.array([np.nan, 2.5]))
    >>> one.merged(other) == NumberDomain.of(np.array([4.0, 2.5, np.nan, 1.0])), one.merged(other).mean
    (True, 2.5)
    """

    count: int = 0
    missing: int = 0
    low: float = 0.0
    high: float = 0.0
    step: int = DAYS
    total: tuple[float, ...] = ()
    squares: tuple[float, ...] = ()

    @classmethod
    def of(cls, values: np.ndarray) -> NumberDomain:
        """Return the domain of these values (float64, NaN = missing). Cost O(n), about 0.1 µs a value."""
        present = values[~np.isnan(values)]
        if not len(present):
            return cls(missing=len(values))
        low, high = float(present.min()), float(present.max())
        sums = _sums(present) if max(-low, high) <= _SQUARED_AT_MOST else ((), ())
        return cls(len(present), len(values) - len(present), low, high, step_of(present), *sums)

    @classmethod
    def counted(cls, values: np.ndarray, counts: np.ndarray) -> NumberDomain:
        """Return the domain of values (float64, NaN = missing), each of which occurs ``counts`` times (int64,
        at least once). Cost O(values).

        >>> one = NumberDomain.counted(np.array([0.1, np.nan, 3.0]), np.array([3, 2, 1]))
        >>> one == NumberDomain.of(np.array([0.1, 0.1, 0.1, np.nan, np.nan, 3.0]))
        True
        """
        own, there = cls.of(values), ~np.isnan(values)
        pairs = [(Fraction(v), int(c)) for v, c in zip(values[there].tolist(), counts[there], strict=True)]
        count = sum(c for _, c in pairs)
        found = replace(own, count=count, missing=int(counts.sum()) - count)
        if max(-own.low, own.high) > _SQUARED_AT_MOST:
            return found
        total, squares = (sum((v**power * c for v, c in pairs), Fraction(0)) for power in (1, 2))
        return replace(found, total=_in_floats(total), squares=_in_floats(squares))

    def merged(self, other: ColumnDomain) -> NumberDomain:
        """Return the domain of the values of both."""
        if not isinstance(other, NumberDomain):
            raise _different()
        if not self.count or not other.count:
            return replace(self if self.count else other, missing=self.missing + other.missing)
        low, high = min(self.low, other.low), max(self.high, other.high)
        moderate = max(-low, high) <= _SQUARED_AT_MOST
        total, squares = (*self.total, *other.total), (*self.squares, *other.squares)
        sums = (exact_sum(total), exact_sum(squares)) if moderate else ((), ())
        count, missing = self.count + other.count, self.missing + other.missing
        return NumberDomain(count, missing, low, high, max(self.step, other.step), *sums)

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value; (0, 0) without any."""
        return self.low, self.high

    @property
    def mean(self) -> float:
        """The mean, rounded once; 0 without values."""
        return float(_exactly(self.total) / self.count) if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The sample standard deviation; 0 of fewer than two values."""
        if self.count < 2:
            return 0.0
        squares = _exactly(self.squares) - _exactly(self.total) ** 2 / self.count
        return math.sqrt(squares / (self.count - 1))

    def check(self, attribute: Attribute, own: NumberDomain) -> None:
        """Raise SchemaError unless the ``own`` values of a part can be among these."""
        outside = own.count and not (self.low <= own.low and own.high <= self.high and own.step <= self.step)
        if outside or own.missing > self.missing:
            raise _foreign(attribute)


@dataclass(frozen=True)
class LabelDomain:
    """The facts about all values of a column, or about the items of its sets: all ``labels`` in text order,
    the number of ``missing`` cells, and the ``delimiter`` of sets.

    >>> LabelDomain(("a", "c")).merged(LabelDomain(("b", "c"), missing=1)).labels
    ('a', 'b', 'c')
    """

    labels: tuple[str, ...] = ()
    missing: int = 0
    delimiter: str = ""

    def merged(self, other: ColumnDomain) -> LabelDomain:
        """Return the domain of the values of both; raises SchemaError where the two write sets with different
        delimiters."""
        if not isinstance(other, LabelDomain):
            raise _different()
        if len({self.delimiter, other.delimiter} - {""}) > 1:
            raise SchemaError(
                tr(
                    "The parts have different delimiters between the items of a set; set the delimiter"
                    " in the schema."
                )
            )
        labels = tuple(sorted({*self.labels, *other.labels}))
        return LabelDomain(labels, self.missing + other.missing, self.delimiter or other.delimiter)

    def check(self, attribute: Attribute, own: LabelDomain) -> None:
        """Raise SchemaError unless the ``own`` values of a part can be among these."""
        if not set(self.labels).issuperset(own.labels) or own.missing > self.missing:
            raise _foreign(attribute)


ColumnDomain = NumberDomain | LabelDomain


class _Column(Protocol):
    @property
    def attribute(self) -> Attribute: ...

    def domain(self) -> ColumnDomain: ...


@dataclass(frozen=True)
class Domain:
    """The domains of a table's columns, by name in column order.

    >>> import kanon_core as kc, pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 40, 70], "city": ["Rome", "Paris", "Rome"]})
    >>> parts = [kc.Table.from_frame(part) for part in (frame[:1], frame[1:])]
    >>> whole = Domain.of(parts[0].columns).merged(Domain.of(parts[1].columns))
    >>> table = kc.Table.from_frame(frame[:1], parts[0].schema, domain=whole)
    >>> table["age"].range, table["city"].labels, table["city"].codes.tolist()
    ((30.0, 70.0), ('Paris', 'Rome'), [1])
    """

    columns: Mapping[str, ColumnDomain]

    @classmethod
    def of(cls, columns: Iterable[_Column]) -> Domain:
        """Return the domain of the columns of a table or of a part. Cost O(n · columns)."""
        return cls({column.attribute.name: column.domain() for column in columns})

    def merged(self, *others: Domain) -> Domain:
        """Return the domain of all these parts; raises SchemaError when they have different columns."""
        return reduce(_merged, others, self)

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Plain values by column name."""
        return {name: asdict(column) for name, column in self.columns.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Mapping[str, Any]]) -> Domain:
        """The domain that `to_json` wrote; raises SchemaError for anything else."""
        try:
            return cls({str(name): _column(dict(fields)) for name, fields in data.items()})
        except (AttributeError, TypeError, ValueError):
            raise SchemaError(
                tr("A domain must hold numbers or labels for each column of a table.")
            ) from None


def _merged(first: Domain, second: Domain) -> Domain:
    if tuple(first.columns) != tuple(second.columns):
        raise _different()
    return Domain({name: column.merged(second.columns[name]) for name, column in first.columns.items()})


def _column(fields: dict[str, Any]) -> ColumnDomain:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    return LabelDomain(**fields) if "labels" in fields else NumberDomain(**fields)


def exact_sum(values: Iterable[float]) -> tuple[float, ...]:
    """The sum of finite numbers without any rounding, as floats that add up to it: each float is the
    remaining sum, rounded. Equal sums are written equally, in whatever order they were added.

    >>> exact_sum([0.1, 1e20, 0.2, -1e20])
    (0.30000000000000004, -2.7755575615628914e-17)
    """
    rest, found = list(values), []
    while part := math.fsum(rest):
        found.append(part)
        rest.append(-part)
    return tuple(found)


def step_of(present: np.ndarray) -> int:
    """The step of these numbers, float64 without NaN."""
    if np.all(np.mod(present, 86_400) == 0):
        return DAYS
    return WHOLE if np.all(np.mod(present, 1) == 0) else FRACTIONS


def _sums(present: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The exact sums of the values and of their squares, each of which is a rounded product and its error."""
    squares, scaled = present * present, 134_217_729.0 * present  # 2^27 + 1 splits a number into halves
    high = scaled - (scaled - present)
    low = present - high
    errors = ((high * high - squares) + 2 * high * low) + low * low
    return exact_sum(present.tolist()), exact_sum([*squares.tolist(), *errors.tolist()])


def _exactly(parts: tuple[float, ...]) -> Fraction:
    return sum(map(Fraction, parts), Fraction(0))


def _in_floats(rest: Fraction) -> tuple[float, ...]:
    """The same number as `exact_sum` writes it."""
    found = []
    while part := float(rest):
        found.append(part)
        rest -= Fraction(part)
    return tuple(found)


def _different() -> SchemaError:
    return SchemaError(tr("The parts have different columns; read all of them with the same schema."))


def of_another_schema(column: str) -> SchemaError:
    """Return the error that the given domain of a column was found with another schema."""
    said = tr("The given domain and the schema differ in column “{name}”; find the domain with this schema.")
    return SchemaError(said.format(name=column))


def _foreign(attribute: Attribute) -> SchemaError:
    said = tr("Column “{name}” has values outside the given domain; merge the domains of all parts first.")
    return SchemaError(said.format(name=attribute.name))

"""Options that hold data: the edges of a tree or a graph, a matrix of distances.

They are tuples of tuples, so that a declaration can be compared, hashed and written as JSON. As text, one
line is one entry, its parts separated by comma, semicolon or tab, in double quotes where they contain one.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kanon_core.base.kinds import Kind


@dataclass(frozen=True)
class Listed(Kind):
    """Base of these kinds: a tuple of rows. ``example`` is a text that `parse` reads; ``allowed`` describes
    the value in messages."""

    example: ClassVar[str]
    allowed: ClassVar[str]

    def check(self, value: Any) -> tuple[Any, ...]:
        """The rows as tuples."""
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise ValueError(self.allowed)
        try:
            return tuple(map(self.row, value))
        except (TypeError, ValueError, KeyError, OverflowError):
            raise ValueError(self.allowed) from None

    def row(self, entry: Any) -> Any:
        """One entry in its canonical type; raises ValueError."""
        raise NotImplementedError  # pragma: no cover - every such kind overrides it

    def parse(self, text: str) -> tuple[Any, ...]:
        """One entry a line."""
        return self.check(_rows(text))

    def text(self, value: tuple[Any, ...]) -> str:
        """The text that `parse` reads."""
        rows = (row if isinstance(row, tuple) else (row,) for row in value)
        return "\n".join(",".join(_quoted(part) for part in row) for row in rows)

    def illegal(self) -> tuple[Any, ...]:
        """Values that are not rows."""
        return ("a,b", 7, None, ((),))

    def to_json(self, value: Any) -> list[Any]:
        """Lists of lists; NaN as null."""
        return [[None if c != c else c for c in row] if isinstance(row, tuple) else row for row in value]


@dataclass(frozen=True)
class Parents(Listed):
    """Pairs (child, parent); a mapping from child to parent is taken as well."""

    example: ClassVar[str] = "Tokyo, Kanto\nNara, Kansai\nKanto, Japan\nKansai, Japan"
    allowed: ClassVar[str] = "a mapping from each node to its parent, or pairs (child, parent)"

    def check(self, value: Any) -> tuple[Any, ...]:
        """The pairs, in the order given."""
        return super().check(value.items() if isinstance(value, Mapping) else value)

    def row(self, entry: Any) -> tuple[str, str]:
        """Two texts."""
        child, parent = _list(entry)
        return _name(child), _name(parent)


@dataclass(frozen=True)
class Edges(Listed):
    """Triples (node, node, length)."""

    example: ClassVar[str] = "Tokyo, Nagoya, 2\nNagoya, Osaka, 1\nOsaka, Nara, 1"
    allowed: ClassVar[str] = "triples (node, node, length), each length a number above 0"

    def row(self, entry: Any) -> tuple[str, str, float]:
        """Two texts and a positive number; a length left out is 1."""
        one, other, *length = _list(entry)
        (length,) = length or [1.0]
        return _name(one), _name(other), _positive(length)


@dataclass(frozen=True)
class Cells(Listed):
    """Rows of a square matrix: a name and its distances to all names in order; a missing cell is NaN."""

    example: ClassVar[str] = "red, 0, 1, 3\npink, 1, 0, 2\nblue, 3, 2, 0"
    allowed: ClassVar[str] = "rows of a name and its distances to all names in the same order"

    def row(self, entry: Any) -> tuple[str | float, ...]:
        """A text and numbers."""
        name, *cells = _list(entry)
        return _name(name), *map(_number, cells)


@dataclass(frozen=True)
class Lengths(Listed):
    """Positive numbers."""

    example: ClassVar[str] = "2, 1"
    allowed: ClassVar[str] = "numbers above 0"

    def row(self, entry: Any) -> float:
        """One positive number."""
        return _positive(entry)

    def parse(self, text: str) -> tuple[Any, ...]:
        """``1,2,0.5``, or one a line."""
        return self.check([part for row in _rows(text) for part in row])

    def illegal(self) -> tuple[Any, ...]:
        """Values that are not positive numbers."""
        return ("1,2", 7, None, (0.0,), (math.nan,), (True,))


def _rows(text: str) -> list[list[str]]:
    bare = re.sub(r'"[^"]*"', "", text)
    separator = next((sign for sign in "\t;," if sign in bare), ",")
    rows = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
    return [[part.strip() for part in row] for row in rows if any(part.strip() for part in row)]


def _quoted(part: Any) -> str:
    if not isinstance(part, str):
        return "" if part != part else repr(part)
    return '"' + part.replace('"', '""') + '"' if set(part) & set(',;\t"') else part


def _list(entry: Any) -> list[Any]:
    if isinstance(entry, str) or not isinstance(entry, Iterable):
        raise ValueError
    return list(entry)


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    return math.nan if value is None or value == "" else float(value)


def _positive(value: Any) -> float:
    number = _number(value)
    if not 0 < number < math.inf:
        raise ValueError
    return number

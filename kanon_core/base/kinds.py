"""The kinds of values that an option may have: numbers, flags, words, names of columns."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from kanon_core.base.words import quoted, tr


@dataclass(frozen=True)
class Kind:
    """The kind of value that an option has. ``help``: a sentence for people; ``unit``: follows the number, or
    ""."""

    help: str = dataclasses.field(default="", kw_only=True)
    unit: str = dataclasses.field(default="", kw_only=True)

    def check(self, value: Any) -> Any:
        """Return the value in its canonical type; raise ValueError with the allowed values."""
        raise NotImplementedError  # pragma: no cover - every declared kind overrides it

    def parse(self, text: str) -> Any:
        """Return the value of a command-line word."""
        return self.check(text)

    def illegal(self) -> tuple[Any, ...]:
        """Values that must be refused, for tests."""
        return ()

    def to_json(self, value: Any) -> Any:
        """Return the value as plain JSON."""
        return value

    def from_json(self, value: Any) -> Any:
        """Return the value that `to_json` wrote."""
        return self.check(value)


@dataclass(frozen=True)
class Real(Kind):
    """A finite number in [low, high]."""

    low: float
    high: float
    step: float | None = None

    def check(self, value: Any) -> float:
        """Return the number as float."""
        try:
            number = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not self.low <= number <= self.high:
            raise ValueError(
                tr("a number from {low:g} to {high:g}{unit}").format(
                    low=self.low, high=self.high, unit=self._unit()
                )
            )
        return number

    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""

    def illegal(self) -> tuple[Any, ...]:
        """Return values just outside both ends, and values that are no finite number."""
        outside = [edge for edge in (self.low - 1, self.high + 1) if math.isfinite(edge)]
        return (*outside, math.nan, 10**400, "many", None, True)


@dataclass(frozen=True)
class Integer(Real):
    """A whole number in [low, high]."""

    def check(self, value: Any) -> int:
        """Return the number as int."""
        try:
            number = super().check(value)
        except ValueError:
            number = math.nan
        if not number.is_integer():
            raise ValueError(
                tr("a whole number from {low:g} to {high:g}{unit}").format(
                    low=self.low, high=self.high, unit=self._unit()
                )
            )
        return int(number)

    def illegal(self) -> tuple[Any, ...]:
        """Return the values as for Real, and a fraction."""
        return (*super().illegal(), self.low + 0.5)


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no."""

    def check(self, value: Any) -> bool:
        """Return the value itself; only true booleans are taken."""
        if not isinstance(value, bool):
            raise ValueError(tr("true or false"))
        return value

    def parse(self, text: str) -> bool:
        """``true``/``yes``/``1`` or ``false``/``no``/``0``."""
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return self.check(words.get(text.strip().lower()))

    def illegal(self) -> tuple[Any, ...]:
        """Things that only look like booleans."""
        return (2, "maybe", None)


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words; ``words`` maps each to what it means, for people."""

    words: dict[str, str]

    def check(self, value: Any) -> str:
        """Return the word itself."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(tr("one of {words}").format(words=quoted(self.words)))
        return value

    def illegal(self) -> tuple[Any, ...]:
        """Return a word that is not in the list."""
        return ("no-such-word", None, 7)


@dataclass(frozen=True)
class Columns(Kind):
    """Names of columns of these roles, in order; empty means the declared default."""

    roles: tuple[str, ...] = ("quasi_identifier",)

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the names as a tuple; one string is refused, because its letters would be taken for
        names."""
        if isinstance(value, str) or not hasattr(value, "__iter__"):
            raise ValueError(tr("a list of column names"))
        names = tuple(value)
        if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
            raise ValueError(tr("a list of different column names"))
        return names

    def parse(self, text: str) -> tuple[str, ...]:
        """``a,b,c``."""
        return self.check([name.strip() for name in text.split(",") if name.strip()])

    def illegal(self) -> tuple[Any, ...]:
        """Return a bare string, numbers, a repeated name."""
        return ("age", (1, 2), ("age", "age"))

    def to_json(self, value: Any) -> list[str]:
        """Return a JSON list."""
        return list(value)

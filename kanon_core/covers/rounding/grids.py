"""The points to which ends are rounded: multiples of a number, or starts of days, months and years."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from kanon_core.table.steps import CALENDAR

_MOST_POINTS = 2.0**49
"""The most multiples of a step that floating-point numbers distinguish."""


class Grid(ABC):
    """Points on a number line, numbered by ascending whole numbers; ``step`` as a person writes it."""

    step: str

    @abstractmethod
    def at(self, points: np.ndarray) -> np.ndarray:
        """float64 (m): the values of these points, int64 (m)."""

    @abstractmethod
    def _about(self, values: np.ndarray) -> np.ndarray:
        """int64 (m): `below` or a neighbor of it."""

    def reaches(self, values: np.ndarray) -> bool:
        """Return whether its points near these values (finite, some) can be told apart."""
        return True

    def below(self, values: np.ndarray) -> np.ndarray:
        """int64 (m): the last point that is not above each value."""
        points = self._about(values)
        points = points - (self.at(points) > values)
        return np.asarray(points + (self.at(points + 1) <= values))

    def above(self, values: np.ndarray) -> np.ndarray:
        """int64 (m): the first point that is not below each value."""
        points = self.below(values)
        return np.asarray(points + (self.at(points) < values))


@dataclass(frozen=True)
class Multiples(Grid):
    """Whole multiples of ``digits`` · 10^``exponent``, each the floating-point number nearest to the exact
    decimal: three steps of 0.1 are 0.3.

    >>> Multiples.of(Decimal("0.1")).at(np.array([3])).tolist()
    [0.3]
    """

    digits: int
    exponent: int
    step: str = ""

    @classmethod
    def of(cls, number: Decimal, step: str = "") -> Multiples:
        """Multiples of a positive number."""
        _, digits, exponent = number.normalize().as_tuple()
        assert isinstance(exponent, int)
        return cls(int("".join(map(str, digits))), exponent, step or plain(number))

    @property
    def size(self) -> float:
        """The step as a number."""
        return float(f"{self.digits}e{self.exponent}")

    def at(self, points: np.ndarray) -> np.ndarray:
        """Return the values of these points, see `Grid.at`; many cells share an end, so only different points
        are computed."""
        different, back = np.unique(points, return_inverse=True)
        texts = (f"{point * self.digits}e{self.exponent}" for point in different.tolist())
        return np.fromiter(map(float, texts), np.float64, len(different))[back]

    def _about(self, values: np.ndarray) -> np.ndarray:
        return np.floor(values / self.size).astype(np.int64)

    def reaches(self, values: np.ndarray) -> bool:
        """Return whether the points can be told apart, see `Grid.reaches`: no value is 2^49 steps or more
        away from 0."""
        with np.errstate(over="ignore"):
            return bool((np.abs(values) / self.size < _MOST_POINTS).all())


@dataclass(frozen=True)
class Starts(Grid):
    """The starts of days, months or years, in seconds since 1970, UTC.

    >>> Starts("month").at(np.array([0, 1])).tolist()
    [0.0, 2678400.0]
    """

    step: str

    def at(self, points: np.ndarray) -> np.ndarray:
        """Return the values of these points; see `Grid.at`."""
        starts = points.astype(f"datetime64[{CALENDAR[self.step]}]").astype("datetime64[s]")
        found: np.ndarray = starts.astype(np.int64).astype(np.float64)
        return found

    def _about(self, values: np.ndarray) -> np.ndarray:
        stamps = np.floor(values).astype(np.int64).astype("datetime64[s]")
        points: np.ndarray = stamps.astype(f"datetime64[{CALENDAR[self.step]}]").astype(np.int64)
        return points


def plain(number: Decimal) -> str:
    """The number as a person writes it: 20, 0.005, and powers of ten where it would be long.

    >>> plain(Decimal("2E+1")), plain(Decimal("5E-3")), plain(Decimal("1E+30"))
    ('20', '0.005', '1E+30')
    """
    written = f"{number.normalize():f}"
    return written if len(written) <= 15 else str(number.normalize())

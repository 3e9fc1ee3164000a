"""What every encoded column answers, whatever its kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.domain import ColumnDomain

MISSING = "(missing)"
"""How a missing value is written for people."""


@dataclass(frozen=True)
class Misfits:
    """Cells that do not fit the column's kind and count as missing: how many, and up to five examples.
    ``rows`` are record numbers from 1. ``examples`` are empty for identifier and sensitive columns."""

    count: int
    rows: tuple[int, ...]
    examples: tuple[str, ...]


class Encoded(ABC):
    """One encoded column: the numbers or codes every algorithm and metric works on."""

    attribute: Attribute
    misfits: Misfits | None

    @property
    @abstractmethod
    def missing(self) -> np.ndarray:
        """n booleans."""

    @property
    @abstractmethod
    def distinct(self) -> int:
        """How many different values there are, missing not counted."""

    @property
    @abstractmethod
    def keys(self) -> np.ndarray:
        """n numbers, equal where values are equal (NaN = missing)."""

    @abstractmethod
    def taken(self, rows: np.ndarray) -> Self:
        """The values of these records, by the same labels."""

    @abstractmethod
    def domain(self) -> ColumnDomain:
        """What depends on all records, of this column alone (`kanon_core.table.domain`)."""


def misfits_of(values: pd.Series, bad: np.ndarray, attribute: Attribute) -> Misfits | None:
    """The cells that are marked (n booleans); None when there are none."""
    rows = np.flatnonzero(bad)
    if not len(rows):
        return None
    first = rows[:5]
    examples = () if attribute.is_private else tuple(str(values.iloc[int(row)])[:40] for row in first)
    return Misfits(len(rows), tuple(int(row) + 1 for row in first), examples)

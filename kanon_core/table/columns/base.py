"""The interface of every encoded column, whatever its kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.domain import ColumnDomain

MISSING = "(missing)"
"""The text of a missing value, for people."""


_LONGEST, _SHOWN = 40, 8


@dataclass(frozen=True)
class Misfits:
    """Cells that do not fit the column's kind and count as missing: how many, and up to five examples.
    ``rows`` are record numbers from 1. ``texts``: the most frequent of them, each with its number of cells.
    ``ends``: how many further cells, such as “90+” in a column of numbers, count as the number at their end.
    ``examples`` and ``texts`` are empty for identifier and sensitive columns."""

    count: int
    rows: tuple[int, ...]
    examples: tuple[str, ...]
    texts: tuple[tuple[str, int], ...] = ()
    ends: int = 0


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
        """The number of different values, missing not counted."""

    @property
    @abstractmethod
    def keys(self) -> np.ndarray:
        """n numbers, equal where values are equal (NaN = missing)."""

    @abstractmethod
    def taken(self, rows: np.ndarray) -> Self:
        """The values of these records, by the same labels."""

    @abstractmethod
    def domain(self) -> ColumnDomain:
        """Return what depends on all records, of this column alone (`kanon_core.table.domain`)."""


def misfits_of(values: pd.Series, bad: np.ndarray, attribute: Attribute, ends: int = 0) -> Misfits | None:
    """The cells that are marked (n booleans), and how many are ``ends``; None when there are neither."""
    rows = np.flatnonzero(bad)
    if not len(rows):
        return Misfits(0, (), (), ends=ends) if ends else None
    first = rows[:5]
    numbers = tuple(int(row) + 1 for row in first)
    if attribute.is_private:
        return Misfits(len(rows), numbers, (), ends=ends)
    examples = tuple(str(values.iloc[int(row)])[:_LONGEST] for row in first)
    counted = values.iloc[rows].astype("str").value_counts()
    most = sorted(counted.items(), key=lambda item: (-item[1], str(item[0])))[:_SHOWN]
    texts = tuple((str(text)[:_LONGEST], int(count)) for text, count in most)
    return Misfits(len(rows), numbers, examples, texts, ends)

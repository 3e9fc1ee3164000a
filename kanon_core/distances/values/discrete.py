"""The discrete distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.distances.base import Distance
from kanon_core.distances.coordinates import Coordinates, mismatch
from kanon_core.distances.encodings import Encoding, Mismatch, Scale
from kanon_core.table.attribute import HIERARCHIC_KINDS, NUMERIC_KINDS


@dataclass(frozen=True)
class Discrete(Distance):
    """d(a, b) = 0 if a = b, else 1.

    Takes every kind; a metric; bound 1. Cost O(n log n) at most.

    When to use: where values are merely equal or not. Information loss by it is the share of pairs of records
    that can no longer be told apart.

    Reference: ILD paper, §3.1.3, §3.3.3; k-concealment paper, definition 2.2.
    """

    title: ClassVar[str] = "Discrete"
    sentence: ClassVar[str] = "0 between equal values, 1 between different ones."
    formula: ClassVar[str] = r"d(a,b)=[a\neq b]"
    kinds: ClassVar[tuple[str, ...]] = (*HIERARCHIC_KINDS, *NUMERIC_KINDS)
    form: ClassVar[str] = "equal"

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return coordinates by which only equality counts, for numbers too."""
        return mismatch(_ranked(column)) if column.attribute.kind in NUMERIC_KINDS else None

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        return Mismatch(_ranked(column))


def _ranked(column: Any) -> np.ndarray:
    """int32 (n): the same number where the values are the same."""
    keys = column.keys
    return keys if keys.dtype == np.int32 else np.unique(keys, return_inverse=True)[1].astype(np.int32)

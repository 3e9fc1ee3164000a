"""The discrete distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.distances.base import Distance, Source
from kanon_core.distances.encodings import Encoding, Mismatch, Scale
from kanon_core.distances.values.sets import sets_of
from kanon_core.table.columns.columns import Items, Numbers


@dataclass(frozen=True)
class Discrete(Distance):
    """d(a, b) = 0 if a = b, else 1.

    Takes every kind; a metric; bound 1. Cost O(n log n) at most.

    When to use: where values are merely equal or not. Information loss by it is the share of pairs of records
    that can no longer be told apart.

    Reference: [003] §3.1.3, §3.3.3; [000] definition 2.2.
    """

    title: ClassVar[str] = "Discrete"
    sentence: ClassVar[str] = "0 between equal values, 1 between different ones."
    formula: ClassVar[str] = r"d(a,b)=[a\neq b]"
    kinds: ClassVar[tuple[str, ...]] = (
        "categorical",
        "text",
        "items",
        "numeric",
        "datetime",
        "latitude",
        "longitude",
    )

    def bound(self, column: Source) -> float:
        """1."""
        return 1.0

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        if isinstance(column, Numbers):
            return Mismatch(np.unique(column.values, return_inverse=True)[1].astype(np.int32))
        return Mismatch(sets_of(column)[0] if isinstance(column, Items) else column.codes)

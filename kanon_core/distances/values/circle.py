"""The distance around a circle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later
from kanon_core.distances.base import Distance
from kanon_core.distances.coordinates import Coordinates
from kanon_core.distances.encodings import Encoding, Matrix, Scale
from kanon_core.distances.values.numbers import around, on_circle
from kanon_core.table.columns.columns import Numbers

_PLACES = 4_096
_SCALES = {
    "half": later("half the circle, the largest possible distance"),
    "none": later("1: in the column's own units"),
}


@dataclass(frozen=True)
class Around(Distance):
    """The short way round: d(a, b) = min(|a − b|, P − |a − b|) / s, with s = P / 2 or 1.

    P is the column's period, such as 24 hours; times of day are in seconds, words count 1 from one to the
    next. Takes cyclic columns; a metric; bound 1, or P / 2. Cost O(V²) for V different values; more than
    4,096 are rounded to 4,096ths of the circle, and the distance is a pseudometric.

    When to use: for cyclic values, where 23:50 is next to 0:10.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"hour": [23, 1, 12]}))
    >>> column = table.with_schema(table.schema.with_kinds({"hour": "cyclic"}))["hour"]
    >>> Around("none").encoded(column).pairs([0, 0], [1, 2]).tolist(), Around().bound(column)
    ([2.0, 11.0], 1.0)

    Reference: K. V. Mardia, P. E. Jupp, Directional Statistics, 2000, §2.3.
    """

    title: ClassVar[str] = "Around the circle"
    sentence: ClassVar[str] = "The shorter way around the circle from one value to the other."
    formula: ClassVar[str] = r"d(a,b)=\min(|a-b|,\,P-|a-b|)/s"
    kinds: ClassVar[tuple[str, ...]] = ("cyclic",)
    form: ClassVar[str] = "points"

    scale: Annotated[str, Choice(_SCALES, help="divisor of the distance")] = "half"

    def bound(self, column: Any) -> float:
        """Half the way round in the chosen unit; ``column``: cyclic."""
        return _half(column) if self.scale == "none" else 1.0

    def scale_of(self, column: Any) -> Scale:
        """Return the scale, which begins where the circle is cut."""
        return Scale(column.range[0], 1.0 if self.scale == "none" else _half(column), self.bound(column))

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates:
        """Return coordinates on a circle."""
        return around(self.points(column), column)

    def points(self, column: Any) -> np.ndarray:
        """Return the points on the unit circle; see `Distance.points`."""
        return on_circle(column.values / column.circle.period)

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        places, codes = np.unique(column.values, return_inverse=True)
        if len(places) > _PLACES + 1:
            step = column.circle.period / _PLACES
            near = np.mod(np.rint((column.values - scale.origin) / step), _PLACES) * step
            places, codes = np.unique(near, return_inverse=True)
        apart = column.circle.way(places[:, None] - places) / scale.unit
        apart[np.isnan(apart)] = scale.gap
        np.fill_diagonal(apart, 0.0)
        return Matrix(codes.astype(np.int32), apart)


def _half(column: Numbers) -> float:
    assert column.circle is not None
    return column.circle.period / 2

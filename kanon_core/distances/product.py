"""The distance between records: the p-norm of the distances of their attributes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.kinds import Real
from kanon_core.base.options import Declared
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.distances.chosen import Part, parts
from kanon_core.distances.values.data_options import Lengths
from kanon_core.table.columns.columns import Column


@dataclass(frozen=True)
class Exponent(Real):
    """A number in [low, high], or "infinity"."""

    def check(self, value: Any) -> float:
        """The number as float."""
        try:
            return math.inf if value in ("inf", "infinity", "∞", math.inf) else super().check(value)
        except ValueError:
            allowed = tr("a number of at least {low:g}, or infinity; below 1 the triangle inequality fails")
            raise ValueError(allowed.format(low=self.low)) from None

    def to_json(self, value: Any) -> Any:
        """JSON has no infinite number."""
        return "infinity" if value == math.inf else value


@dataclass(frozen=True)
class Product(Declared):
    """d(x, y) = (Σ_a w_a d_a(x_a, y_a)^p)^(1/p) over the attributes' own distances d_a; for p = ∞, its limit
    max_a d_a(x_a, y_a) over the attributes of weight above 0.

    p = 1 is the Manhattan, p = 2 the Euclidean, p = ∞ the Chebyshev distance where every d_a is an absolute
    difference. The weights are the attributes' own, or those given, one for each attribute measured (a place
    counts once). A metric if every d_a is one and no weight is 0; otherwise as its worst attribute.
    Cost: that of the attributes' distances.

    Raises OptionError for p < 1, or when the number of weights is not that of the attributes.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [20, 60], "sex": ["f", "m"]}))
    >>> [Product(p).of(table.quasi).pairs(0, 1).round(3).item() for p in (1, 2, "infinity")]
    [2.0, 1.414, 1.0]

    Reference: ILD paper, §3.1.3 (product distance, p = 2), §3.2.3 (p-norm); scipy.spatial.distance.minkowski,
    with the same weights.
    """

    p: Annotated[
        float,
        Exponent(
            *(1.0, math.inf),
            help="1 adds the attributes' distances, 2 their squares, ∞ takes the largest, unweighted",
        ),
    ] = 2.0
    weights: Annotated[
        tuple[float, ...], Lengths(help="one for each attribute; default: those of the schema")
    ] = ()

    def of(self, columns: tuple[Column, ...], tick: Tick = silent) -> Records:
        """The records of these columns, ready to be measured."""
        found = parts(columns, tick)
        if not found:
            raise UnsuitableError(tr("There is no column to measure; give one the role quasi-identifier."))
        if self.weights and len(self.weights) != len(found):
            raise OptionError(
                tr(
                    "The product distance has {weights} weights for {attributes} attributes; give one weight"
                    " for each attribute."
                ).format(weights=len(self.weights), attributes=len(found))
            )
        return Records(found, self.weights or tuple(part.weight for part in found), self.p)


@dataclass(frozen=True, eq=False)
class Records:
    """Records under a product distance."""

    parts: tuple[Part, ...]
    weights: tuple[float, ...]
    p: float

    @property
    def axioms(self) -> str:
        """A word of `kanon_core.distances.AXIOMS`."""
        words = {part.distance.axioms for part in self.parts}
        if "semimetric" in words:
            return "semimetric"
        return "metric" if words == {"metric"} and all(self.weights) else "pseudometric"

    @property
    def bound(self) -> float:
        """The largest distance that two records can have."""
        bounds = [
            part.scale.gap if part.source.has_missing else part.distance.bound(part.source)
            for part in self.parts
        ]
        return float(self._joined([np.array(bound) for bound in bounds]))

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """float64: the distance of each pair of record numbers, which broadcast together."""
        return self._joined([part.encoding.pairs(first, second) for part in self.parts])

    def _joined(self, distances: list[np.ndarray]) -> np.ndarray:
        weighted = [(d, w) for d, w in zip(distances, self.weights, strict=True) if w > 0]
        none = np.zeros_like(distances[0])
        if self.p == math.inf:
            return np.asarray(np.max([none, *(d for d, _ in weighted)], axis=0))
        total = np.asarray(np.sum([none, *(w * d**self.p for d, w in weighted)], axis=0))
        return total if self.p == 1 else np.sqrt(total) if self.p == 2 else total ** (1 / self.p)

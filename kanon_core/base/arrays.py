"""Many arrays at once: the state of a compiled loop is a named tuple of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike


def filled(dtype: DTypeLike, value: float | None, **shapes: int | tuple[int, ...]) -> dict[str, np.ndarray]:
    """Return, by name, an array of each of these shapes, filled with the value; with None it is left
    uninitialized."""
    if value is None:
        return {name: np.empty(shape, dtype) for name, shape in shapes.items()}
    if value == 0:
        return {name: np.zeros(shape, dtype) for name, shape in shapes.items()}
    return {name: np.full(shape, value, dtype) for name, shape in shapes.items()}

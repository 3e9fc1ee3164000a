"""Arrays as text for scripts in a page."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt


def packed(values: npt.NDArray[Any], dtype: str) -> str:
    """An array as base64 of its values in a given type, row after row.

    >>> packed(np.array([1, 2]), "u1")
    'AQI='
    """
    return base64.b64encode(np.ascontiguousarray(values, dtype=dtype).tobytes()).decode("ascii")

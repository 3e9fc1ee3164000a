"""Substitutes for the parts that `ablation` takes out of compiled loops: they do nothing."""

from typing import Any

import numpy as np

from kanon_core.base.compiled import kernel


@kernel
def dissolves(state: Any, g: int, stamp: int, gain: int) -> bool:
    """No group is dissolved (`RefineSets`)."""
    return False


@kernel
def refill(state: Any, g: int, stamp: int, most: int, drop: int) -> int:
    """Nobody comes in place of those that leave (`RefineSets`)."""
    return 0


@kernel
def dissolve(region: Any, a: int, k: int, limit: float, moved: np.ndarray, home: np.ndarray) -> bool:
    """No group is dissolved (`Refine`)."""
    return False


@kernel
def found(region: Any, x: int, k: int, limit: float, moved: np.ndarray, home: np.ndarray) -> bool:
    """No group is founded (`Refine`)."""
    return False

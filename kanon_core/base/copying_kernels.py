"""Copying inside kernels: numba takes 2 s to compile an assignment of one slice to another, mostly for the
error message on wrong shapes."""

import numpy as np

from kanon_core.base.compiled import kernel


@kernel
def copy(source: np.ndarray, start: int, count: int, target: np.ndarray, to: int) -> None:
    """Copy ``count`` values of a source, from ``start`` on, into a target, from ``to`` on."""
    for i in range(count):
        target[to + i] = source[start + i]

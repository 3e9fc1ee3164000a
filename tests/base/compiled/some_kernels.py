"""Loops to try the compiler on."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel


@by_reference
class Inside(NamedTuple):
    """A named tuple within another."""

    counts: np.ndarray
    step: int


@by_reference
class Bundle(NamedTuple):
    """Arrays, a number, and a named tuple."""

    values: np.ndarray
    inside: Inside
    scale: float


@kernel
def add(bundle: Bundle, i: int) -> float:
    """A part of `total`."""
    bundle.inside.counts[i] += bundle.inside.step
    return bundle.values[i] * bundle.scale


@kernel
def total(bundle: Bundle) -> float:
    """The sum of all values; counts each."""
    found = 0.0
    for i in range(len(bundle.values)):
        found += add(bundle, i)
    return found


@kernel
def hashed(values: np.ndarray, seed: np.ndarray) -> int:
    """Products and sums that overflow 64 bits."""
    for value in values:
        seed[0] = (seed[0] ^ value) * 6364136223846793005 + 1442695040888963407
    return seed[0]


@kernel
def refused(values: np.ndarray) -> np.ndarray:
    """Makes an array in a part, which may fail."""
    return made(len(values))


@kernel
def made(n: int) -> np.ndarray:
    """A part of `refused`."""
    return np.full(n, 7)


@kernel
def factorial(n: int) -> int:
    """Calls itself."""
    if n < 2:
        return 1
    return n * factorial(n - 1)


@kernel
def scaled(bundle: Bundle) -> np.ndarray:
    """Returns an array, which might be one of those it was given."""
    return bundle.values * bundle.scale

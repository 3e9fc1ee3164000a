"""Random whole numbers that are the same on every machine, for compiled loops: a xorshift generator
(Marsaglia 2003)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanon_core.base.compiled import inlined, kernel

GOLDEN = 0x9E3779B97F4A7C15


def generator(seed: int, skip: int = 8) -> NDArray[np.uint64]:
    """Return the state (1,) of a generator for any whole number as seed, never 0; the first ``skip`` numbers
    of neighboring seeds, which are alike, are passed over."""
    state = np.array([(seed + 1) * GOLDEN % 2**64 or GOLDEN], np.uint64)
    for _ in range(skip):
        pick(state, 1)
    return state


@inlined
def draw(state: np.ndarray) -> np.uint64:
    """Return the next 64 random bits; ``state`` uint64 (1,) moves on; period 2⁶⁴ − 1."""
    x: np.uint64 = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return x


@inlined
def below(bits: np.uint64, bound: int) -> int:
    """Return a whole number in 0 … bound − 1 from the upper half of 64 random bits; bound < 2³¹."""
    return int(np.int64(((bits >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)))


@kernel
def pick(state: np.ndarray, bound: int) -> int:
    """Return a random whole number in 0 … bound − 1."""
    return below(draw(state), bound)


@kernel
def shuffle(items: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Return the items in random order (Fisher and Yates), int64 (n,)."""
    items = items.copy()
    for i in range(items.shape[0] - 1, 0, -1):
        j = pick(state, i + 1)
        items[i], items[j] = items[j], items[i]
    return items

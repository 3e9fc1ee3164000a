"""Random whole numbers that are the same on every machine, for compiled loops: a xorshift generator
(Marsaglia 2003)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanon_core.base.compiled import kernel

GOLDEN = 0x9E3779B97F4A7C15


def generator(seed: int) -> NDArray[np.uint64]:
    """The state (1,) of a generator for any whole number as seed: never 0, and far apart for neighboring
    seeds."""
    state = np.array([(seed + 1) * GOLDEN % 2**64 or GOLDEN], np.uint64)
    for _ in range(8):
        draw(state)
    return state


@kernel(inline="always")
def draw(state):
    """The next 64 random bits; ``state`` uint64 (1,) moves on; period 2⁶⁴ − 1."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return x


@kernel(inline="always")
def below(bits, bound):
    """A whole number in 0 … bound − 1 from the upper half of 64 random bits; bound < 2³¹."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def pick(state, bound):
    """A random whole number in 0 … bound − 1."""
    return below(draw(state), bound)


@kernel
def shuffle(items, state):
    """The items in random order (Fisher and Yates), int64 (n,)."""
    items = items.copy()
    for i in range(items.shape[0] - 1, 0, -1):
        j = pick(state, i + 1)
        items[i], items[j] = items[j], items[i]
    return items

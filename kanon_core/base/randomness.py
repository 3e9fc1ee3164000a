"""One source of randomness: a seeded generator passed down, never global state."""

from __future__ import annotations

import numpy as np


def generator(seed: int, *stream: int) -> np.random.Generator:
    """A PCG64 generator for ``seed``; each further integer names an independent stream of the same seed."""
    return np.random.Generator(np.random.PCG64([seed, *stream]))

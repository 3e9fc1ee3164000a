"""One setting of a session."""

from __future__ import annotations

from dataclasses import dataclass, field

from kanon_core.algorithms.base import Algorithm


@dataclass(frozen=True)
class Step:
    """A setting that was asked for: algorithm, k, and the seed where it is known."""

    algorithm: Algorithm
    k: int
    seed: int | None = field(default=None, repr=False)

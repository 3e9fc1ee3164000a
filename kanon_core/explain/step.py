"""One step of a story."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.charts.steps.scene import Scene


@dataclass(frozen=True, eq=False)
class Step:
    """What one decision did.

    ``sentence``: what happens, with its numbers; records are named by their number in the table, from 1.
    ``line``: which of the narration's ``lines`` it belongs to, from 0. ``cover``: what is made so far, in the
    order in which the algorithm saw the records: int64 (n) groups, −1 = none yet or left out; or int64 (i, n)
    matchings. ``scene``: the picture. ``lines``: the algorithm in lines, of the start or the inner algorithm
    while that one is told.
    """

    sentence: str
    line: int
    cover: np.ndarray
    scene: Scene
    lines: tuple[str, ...] = ()

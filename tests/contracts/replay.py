"""A log read back into a partition, without any code of the package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def replay(events: Iterable[tuple[str, dict[str, Any]]], n: int) -> np.ndarray:
    """Labels (n) of the groups that the log's events "group" make; −1 for records in none.

    Groups are numbered by their lowest record, as a `Partition` does. A later group takes its members out of an
    earlier one: an algorithm that starts from another logs the groups of both.
    """
    labels = np.full(n, -1)
    number = 0
    for event, what in events:
        if event == "group":
            labels[what["members"]] = number
            number += 1
    known = {label: place for place, label in enumerate(dict.fromkeys(labels[labels >= 0].tolist()))}
    return np.array([known.get(label, -1) for label in labels.tolist()])

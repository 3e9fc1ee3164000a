"""Numbers below intervals of growing widths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr


def interval_paths(
    values: Iterable[float | str], widths: Sequence[float], start: float = 0.0
) -> list[tuple[str, ...]]:
    """From each number up: the intervals [start + i·w, start + (i + 1)·w) around it, the narrowest first.

    ``values``: numbers, or texts of numbers, which stay as they are; what is not finite is left out. Raises
    SchemaError unless each width is a multiple of the one before.

    >>> interval_paths([7], [5, 10])
    [('7', '[5, 10)', '[0, 10)')]
    """
    if not np.isfinite([*map(float, widths), float(start)]).all():
        raise SchemaError(tr("The widths of intervals, and where the first begins, must be finite numbers."))
    steps = [_exact(width) for width in widths]
    if not steps or steps[0] <= 0 or any(b <= a or (b / a) % 1 for a, b in pairwise(steps)):
        raise SchemaError(tr("The widths of intervals must be above 0, each a multiple of the one before."))
    leaves = {
        value if isinstance(value, str) else _number(float(value)): _exact(value)
        for value in values
        if np.isfinite(float(value))
    }
    first = _exact(start)
    return [
        (leaf, *(_interval(first + (number - first) // w * w, w) for w in steps))
        for leaf, number in sorted(leaves.items(), key=lambda pair: pair[1])
    ]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _interval(low: Fraction, width: Fraction) -> str:
    ends = [float(end) if abs(end) < 1e300 else np.inf for end in (low, low + width)]
    if not -np.inf < ends[0] < ends[1] < np.inf:
        raise SchemaError(tr("The intervals are too short or too long to be written; choose other widths."))
    return f"[{_number(ends[0])}, {_number(ends[1])})"


def _exact(number: float | str) -> Fraction:
    """The decimal that is written: in binary 0.6 / 0.1 is less than 6."""
    return Fraction(repr(float(number)))

"""Results from the original table beside the same results from a release: what a card or a report shows of a
measure of utility."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kanon_core.base.words import number_text, tr, tr_n
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.columns.texts import number_texts

PAIRS_AT_MOST = 4
"""The most pairs of one comparison."""
_DIGITS_AT_MOST = 9


class Pair(NamedTuple):
    """One number before and after anonymization, on a scale from ``low`` to ``high``.

    ``after`` is NaN if nothing is published. ``was`` and ``now``: both numbers as people read them.
    """

    name: str
    before: float
    after: float
    low: float
    high: float
    was: str
    now: str


class Comparison(NamedTuple):
    """``sentence``: the largest change, with numbers; ``pairs``: the numbers, largest change first; ``size``:
    the whole change, 0 = none, 1 = a standard deviation or all that can be lost."""

    sentence: str
    pairs: tuple[Pair, ...] = ()
    size: float = 0.0


def ranked(changes: Mapping[str, float], most: int = PAIRS_AT_MOST) -> list[str]:
    """Return the names with the largest changes, the largest first.

    >>> ranked({"age": 0.1, "zip": 0.7, "sex": 0.7}, most=2)
    ['zip', 'sex']
    """
    return sorted(changes, key=lambda name: -changes[name])[:most]


def unseen(name: str, pairs: Sequence[Pair]) -> str:
    """Return a sentence on the largest change where it is too small to be seen in the written numbers; "" for
    others."""
    if any(pair.was != pair.now for pair in pairs):
        return ""
    return tr("“{name}” changes most, by less than the last digit shown.").format(name=name)


def share_pair(name: str, before: float, after: float, high: float = 1.0) -> Pair:
    """Return a pair of shares, which are written in percent."""
    return Pair(name, before, after, 0.0, max(high, before, after), share_text(before), share_text(after))


def share_text(share: float) -> str:
    """Return a share in percent, with one digit.

    >>> share_text(0.12345), share_text(1)
    ('12.3 %', '100.0 %')
    """
    return f"{100 * share:.1f} %"


def value_text(value: float, column: Numbers) -> str:
    """Return a mean or a quantile as people read it: exact to about a hundredth of the column's standard
    deviation."""
    if value != value:
        return tr("nothing published")
    circle = column.circle
    if column.attribute.kind == "datetime" or column.levels or (circle and circle.clock):
        return number_texts(np.array([value]), column)[0]
    value = value if circle is None else float(circle.written(np.array([value]))[0])
    spread = column.deviation
    if not spread or abs(value) >= 1e15:
        return number_text(value)
    digits = min(max(2 - math.floor(math.log10(spread)), 0), _DIGITS_AT_MOST)
    return f"{value:,.{digits}f}"


def spread_text(value: float, column: Numbers) -> str:
    """Return a standard deviation as people read it, with its unit."""
    if value != value:
        return tr("nothing published")
    if column.attribute.kind == "datetime":
        value /= 86_400
        says = tr_n("{number} day", "{number} days", value)
    elif column.circle is not None and column.circle.clock:
        value /= 3_600
        says = tr_n("{number} hour", "{number} hours", value)
    else:
        says = tr_n("{number} level", "{number} levels", value) if column.levels else "{number}"
    return says.format(number=number_text(value))

"""Shares as people read them."""

from __future__ import annotations

from kanon_core.base.words import tr


def percent(count: float, whole: float) -> str:
    """A share in percent that is not rounded to nothing or to everything.

    >>> percent(1, 3), percent(1, 10_000), percent(9_999, 10_000), percent(0, 5), percent(5, 5)
    ('33.3 %', 'less than 0.1 %', 'more than 99.9 %', '0 %', '100 %')
    """
    share = 100 * count / whole if whole else 0.0
    if 0 < share < 0.1:
        return tr("less than 0.1 %")
    if 99.9 < share < 100:
        return tr("more than 99.9 %")
    return f"{share:.1f}".removesuffix(".0") + " %"

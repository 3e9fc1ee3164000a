"""Time that methods take on a table, estimated from its number of records."""

from __future__ import annotations

import math

import kanon_core as kc
from kanon_core.base.words import tr

_QUICK = (0.003, 1.1)
_SLOW = {
    "Pairing": (0.005, 2.0),
    "GreedyConcealment": (0.05, 1.5),
    "OptimalConcealment": (0.08, 1.7),
    "Lottery": (2.4, 1.5),
    "Tours": (2.8, 3.0),
    "Clustered": (3.6, 1.1),
}
"""Seconds at 1,000 records, measured on one processor, and the power of the number of records that they grow
with; those not named are as `_QUICK`, and a search that has seconds takes these too."""
FEW_SECONDS = 3.0
"""The most seconds of work that is started unasked."""


def guessed(algorithm: kc.Algorithm, records: int) -> float:
    """About how many seconds an algorithm takes on so many records.

    >>> guessed(kc.MDAV(), 50_000) < FEW_SECONDS < guessed(kc.OptimalConcealment(), 50_000)
    True
    """
    base, power = _SLOW.get(type(algorithm).__name__, _QUICK)
    return base * math.pow(max(records, 1) / 1000, power) + float(getattr(algorithm, "seconds", 0.0))


def about(seconds: float) -> str:
    """A time in words, for a menu.

    >>> about(2), about(34), about(200)
    ('', 'about 30 s', 'about 3 min')
    """
    if seconds <= FEW_SECONDS:
        return ""
    if seconds < 90:
        return tr("about {count:.0f} s").format(count=float(f"{seconds:.1g}"))
    return tr("about {count:,.0f} min").format(count=seconds / 60)

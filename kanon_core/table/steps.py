"""Steps of round ends as a person writes them: the round numbers, dates or degrees to which intervals are
widened."""

from __future__ import annotations

import re
from decimal import Decimal

from kanon_core.base.words import tr

AUTO = "auto"
"""The step is found from the intervals themselves (`kanon_core.covers.rounding.choice`)."""

CALENDAR = {"day": "D", "month": "M", "year": "Y"}
"""The steps of dates, finest first, and NumPy's units for them."""

METERS_PER_DEGREE = 111_195.08
"""π · 6,371,008.8 m / 180: a degree north on a sphere of the mean radius; a degree east is that times the
cosine of the latitude."""

_NUMBER = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_LEAST, _MOST, _DIGITS = Decimal("1e-150"), Decimal("1e150"), 15
_DEGREES = ("latitude", "longitude")
_STEPLESS = ("ordinal", "cyclic")


def allowed_steps(kind: str) -> str:
    """Return the allowed steps of a column of this kind, in words.

    >>> allowed_steps("datetime")
    'auto, day, month or year'
    """
    if kind == "datetime":
        return tr("auto, day, month or year")
    if kind in _STEPLESS:
        return tr("empty, because ordinal and cyclic columns have no round ends")
    if kind == "longitude":
        return tr(
            "auto, a positive number of degrees, or meters such as 500 m, measured at the latitude of the"
            " table farthest from the equator, or at the equator if it has no latitude"
        )
    if kind == "latitude":
        return tr("auto, a positive number of degrees, or meters such as 500 m")
    return tr("auto, or a positive number from 1e-150 to 1e150 with at most 15 digits")


def is_step(text: str, kind: str) -> bool:
    """Return whether the text is a step for columns of this kind.

    >>> is_step("0.5", "numeric"), is_step("month", "numeric"), is_step("500 m", "latitude")
    (True, False, True)
    """
    if kind in _STEPLESS:
        return False
    if text == AUTO:
        return True
    if kind == "datetime":
        return text in CALENDAR
    return decimal_of(text.removesuffix("m").rstrip() if kind in _DEGREES else text) is not None


def decimal_of(text: str) -> Decimal | None:
    """The positive number that is written, exactly; None for anything else, and beyond 1e±150."""
    if len(text) > 40 or not text.isascii() or not _NUMBER.fullmatch(text):
        return None
    number = Decimal(text).normalize()
    return number if _LEAST <= number <= _MOST and len(number.as_tuple().digits) <= _DIGITS else None

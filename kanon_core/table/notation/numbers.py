"""Numbers as they are written: with a decimal point or comma, and signs between thousands."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

_DIGITS = frozenset("0123456789")
_BETWEEN = "\u00a0\u2009\u202f '’"
_LONGEST = 400
_INFINITE = {"inf": math.inf, "∞": math.inf, "infinity": math.inf}


def number_of(text: str, comma: bool = False) -> float:
    """The number that a text is from beginning to end; NaN for anything else. ``comma``: the decimal sign is
    a comma, and points stand between thousands. Cost O(length).

    >>> [number_of(text) for text in ("12.5", "1,234", "1 234.5", "−3", "1e3", "12,5", "1_0")]
    [12.5, 1234.0, 1234.5, -3.0, 1000.0, nan, nan]
    >>> number_of("1.234,5", comma=True)
    1234.5
    """
    text = text.strip().replace("\u2212", "-")
    sign = -1.0 if text[:1] == "-" else 1.0
    body = text[1:] if text[:1] in ("-", "+") else text
    if body.lower() in _INFINITE:
        return sign * _INFINITE[body.lower()]
    if len(body) > _LONGEST:
        return math.nan
    mantissa, _, exponent = body.replace("E", "e").partition("e")
    power = exponent[1:] if exponent[:1] in ("-", "+") else exponent
    decimal, group = (",", ".") if comma else (".", ",")
    whole, _, rest = mantissa.partition(decimal)
    whole = _ungrouped(whole, group)
    if (
        not _DIGITS.issuperset(whole + rest + power)
        or not whole + rest
        or ("e" in body.lower()) != bool(power)
    ):
        return math.nan
    return sign * float(f"{whole or 0}.{rest or 0}e{exponent or 0}")


def _ungrouped(whole: str, group: str) -> str:
    """The digits without the signs between thousands, where these are in their places."""
    for sign in (group, *_BETWEEN):
        if sign in whole:
            first, *more = whole.split(sign)
            if 1 <= len(first) <= 3 and all(len(part) == 3 for part in more):
                return first + "".join(more)
            return whole
    return whole


class Decimals(NamedTuple):
    """The notation of a column's numbers: ``comma``, whether their decimal sign is a comma; the place of the
    first text that only makes sense with a decimal point, and of the first that only makes sense with a
    decimal comma; −1 = none."""

    comma: bool
    with_point: int
    with_comma: int

    @property
    def mixed(self) -> bool:
        """True if some can only be read with a point and others only with a comma."""
        return self.with_point >= 0 and self.with_comma >= 0


def decimals_of(texts: Iterable[str]) -> Decimals:
    """Return the decimal mark of these numbers; a point where both are possible.

    >>> decimals_of(["10,5", "1,234"]).comma, decimals_of(["1,234"]).comma
    (True, False)
    """
    first = {True: -1, False: -1}
    for place, text in enumerate(texts):
        if "," in text or "." in text:
            read = [math.isnan(number_of(text, comma)) for comma in (False, True)]
            if read[0] != read[1] and first[read[0]] < 0:
                first[read[0]] = place
    return Decimals(first[True] >= 0 and first[False] < 0, first[False], first[True])

"""The parts of a released cell of numbers or dates: its ends, still as texts, and how it is written.

Everything is found by looking at each character a few times; no pattern goes back over what it has read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

GAPS = " or (missing)"
"""The end of an interval that holds missing values too."""
NOTHING = frozenset({"", "(missing)"})
"""The signs of a missing value."""
UNSAID = frozenset({"NA", "<NA>", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "(any)"})
"""Texts of cells that are suppressed or missing."""

_DASHES = "-–—−‐‑‒~〜～"
_DIGITS = "0123456789."
_DATE = re.compile("[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,4}(?:[T ][0-9:.Z+]*)?$")
_LONGEST = 1_000
_WORDS = ("..", " to ", " bis ")
_BEFORE = {
    **dict.fromkeys((">=", "=>", "≥", "⩾", "at least "), (">", False)),
    **dict.fromkeys(("<=", "=<", "≤", "⩽", "at most ", "up to "), ("<", False)),
    **dict.fromkeys((">", "over ", "above ", "more than "), (">", True)),
    **dict.fromkeys(("<", "under ", "below ", "less than "), ("<", True)),
}
_AFTER = {
    **dict.fromkeys(("+", " and over", " and above", " and more", " or more", "以上"), (">", False)),
    **dict.fromkeys((" or over", " or above", " and older", " or older"), (">", False)),
    **dict.fromkeys((" or less", " or under", " and under", " or younger", "以下"), ("<", False)),
    **dict.fromkeys(("未満",), ("<", True)),
}


class Parts(NamedTuple):
    """An interval from ``low`` to ``high``, texts that are equal for a single value; either end may be open.
    ``style``: the notation, with letters for the ends. ``gaps``: the cell includes missing values.
    ``members``: the values of a set, whose least and greatest are the ends."""

    style: str
    low: str
    high: str
    open_low: bool = False
    open_high: bool = False
    gaps: bool = False
    members: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[str, ...]:
        """The texts that must be numbers or dates."""
        return self.members or (self.low, self.high)


def parts_of(text: str, dates: bool = False) -> Parts:
    """Return the parts of a cell; the ends need not be numbers. A text in no known notation is a single
    value. ``dates``: signs within dates do not make a range. Cost O(length).

    Read are values, ``[a, b]`` (also with ``;`` or ``..``), half-open ``[a, b)``, ``(a, b]``, ``[a, b[``,
    ``a-b`` with any dash, ``a..b``, ``a to b``, ``{a, b}``, ``<a``, ``≤ a``, ``a+``, ``a and over``, masked
    digits ``13**``, and nothing but stars.

    >>> parts_of("[10, 20[")
    Parts(style='[a, b[', low='10', high='20', open_low=False, open_high=True, gaps=False, members=())
    >>> parts_of("2020-03-02").style  # a date is no range of numbers
    'a'
    >>> [parts_of(text)[1:3] for text in ("10-20", "-10 – -5", "≥ 90", "2*", "[1,5; 2,5]")]
    [('10', '20'), ('-10', '-5'), ('90', 'inf'), ('20', '30'), ('1,5', '2,5')]
    """
    if not text.isascii() and len(text) <= _LONGEST:
        text = unicodedata.normalize("NFKC", text)  # whose time is the square of the length
    text = text.strip()
    if text.endswith(GAPS):
        return _said(text.removesuffix(GAPS).strip(), dates)._replace(gaps=True)
    return _said(text, dates)


def _said(text: str, dates: bool) -> Parts:
    if says_nothing(text):
        return Parts("*", "-inf", "inf", gaps=True)
    return (
        _bracketed(text, dates)
        or _bound(text)
        or _range(text, dates)
        or _masked(text, dates)
        or Parts("a", text, text)
    )


def says_nothing(text: str) -> bool:
    """Return whether a cell is suppressed: nothing but stars, or a word for no value.

    >>> [says_nothing(text) for text in ("*", "****", "NA", "1*", "")]
    [True, True, True, False, False]
    """
    return (bool(text) and not text.strip("*")) or text in UNSAID


def _bracketed(text: str, dates: bool) -> Parts | None:
    first, last, inside = text[:1], text[-1:], text[1:-1]
    if len(text) < 3 or ((first not in "[](" or last not in "[])") and first + last != "{}"):
        return None
    if any(sign in inside for sign in "[](){}"):
        return None
    if first == "{":
        return _set(inside)
    sign, low, high = _halves(inside, dates)
    if not sign:
        return None
    style = f"{first}a{sign}b{last}"
    return Parts(style, low.strip(), high.strip(), first in "](", last in "[)")


def _set(inside: str) -> Parts | None:
    sign = ";" if ";" in inside else ", " if ", " in inside else ","
    return Parts("{a, b}", "", "", members=tuple(part.strip() for part in inside.split(sign)))


def _halves(inside: str, dates: bool) -> tuple[str, str, str]:
    """The sign between two ends, and the ends; "" where there are not two. A comma with a blank, or else the
    middle one, separates; the others are decimal signs."""
    for sign in (";", ", "):
        if inside.count(sign) == 1:
            low, _, high = inside.partition(sign)
            return ("; " if sign == ";" else ", "), low, high
    pieces = inside.split(",")
    if len(pieces) % 2 == 0:
        middle = len(pieces) // 2
        return ", ", ",".join(pieces[:middle]), ",".join(pieces[middle:])
    found = _range(inside, dates)
    return (found.style.strip("ab"), found.low, found.high) if found else ("", "", "")


def _bound(text: str) -> Parts | None:
    lower = text.lower()
    for sign, (way, without) in _BEFORE.items():
        if lower.startswith(sign):
            return _to_infinity(text[len(sign) :], way, without)
    for sign, (way, without) in _AFTER.items():
        if lower.endswith(sign):
            return _to_infinity(text[: -len(sign)], way, without)
    return None


def _to_infinity(end: str, way: str, without: bool) -> Parts:
    end, style = end.strip(), f"{way}{'' if without else '='} a"
    return Parts(style, end, "inf", without) if way == ">" else Parts(style, "-inf", end, False, without)


def _range(text: str, dates: bool) -> Parts | None:
    for word in _WORDS:
        if text.count(word) == 1:
            low, _, high = text.partition(word)
            return Parts(f"a{word}b", low.strip(), high.strip())
    if not dates and _DATE.match(text):
        return None
    place = _between_dates(text) if dates else _between_numbers(text)
    if place < 0:
        return None
    return Parts(f"a{text[place]}b", text[:place].strip(), text[place + 1 :].strip())


def _between_numbers(text: str) -> int:
    """The place of the first dash that follows a digit; a dash before the first digit is a sign."""
    before = ""
    for place, sign in enumerate(text):
        if sign in _DASHES and before and before in _DIGITS:
            return place
        before = before if sign.isspace() else sign
    return -1


def _between_dates(text: str) -> int:
    """The place of the only dash that has blanks around it, or is no dash of dates."""
    places = [
        place
        for place, sign in enumerate(text)
        if sign in _DASHES
        and (sign != "-" or (text[place - 1 : place] + text[place + 1 : place + 2]).isspace())
    ]
    return places[0] if len(places) == 1 else -1


def _masked(text: str, dates: bool) -> Parts | None:
    digits = text.rstrip("*")
    stars = len(text) - len(digits)
    if dates or not stars or not digits.isdecimal() or len(text) > 300:
        return None
    return Parts("a*", digits + "0" * stars, f"{int(digits) + 1}{'0' * stars}", False, True)


def ways(cells: Iterable[Parts | None]) -> dict[str, int]:
    """Return how intervals between two ends are written in a column, each way with the place of its first
    cell. One is usual; brackets of any kind are one way, since the first and last interval of a column often
    differ.

    >>> ways([parts_of(text) for text in ("(0, 10]", "[0, 10]", "*", "10-20")])
    {'(a, b]': 0, 'a-b': 3}
    """
    found: dict[tuple[bool, str], tuple[str, int]] = {}
    for place, cell in enumerate(cells):
        if cell is not None and "a" in cell.style and "b" in cell.style and not cell.members:
            between = cell.style.strip("[]()ab")
            found.setdefault((cell.style[0] == "a", between), (cell.style, place))
    return dict(found.values())

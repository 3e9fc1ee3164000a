"""The spellings of numbers: points or commas before decimals and between thousands, blanks or apostrophes, a
unit, typographic minus signs, full-width digits.

Some spellings mean one number wherever they stand (``0.5``, ``1.234.567``, ``1,5``); others mean one of two
(``1.234``, ``1,234``), which only the column or the file decides
(`kanon_core.table.readers.types.wholetypes`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

DIGIT = "[0-9０-９]"
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
PLAIN = rf"^\s*{NUMBER}\s*$"
INTEGER = r"^\s*[+-]?\d+\s*$"
CODE = r"^\s*[+-]?0\d"
BLANKS = r"^[\s+]|\s$"
GROUPED = r"^\s*[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*$"
INDIAN = r"^\s*[+-]?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?\s*$"
COMMA = r"^\s*[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+),\d+(?:[eE][+-]?\d+)?\s*$"
DOTS = r"^\s*[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}\s*$"
EITHER_DOT = r"^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$"
EITHER_COMMA = r"^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$"
RELEASED = (
    r"^\s*(?:[\[\](]\s*[+-]?\d[\d.,:]*\s*[,;]\s*[+-]?\d[\d.,:]*\s*[\])\[]|\{[^{}]+\})(?: or \(missing\))?\s*$"
)
"""Intervals of numbers in brackets and sets, as released files have them."""
RANGE = r"^\s*(?P<low>\d+(?:\.\d+)?) ?[-–] ?(?P<high>\d+(?:\.\d+)?)\s*$"
ADDRESS = r"^\s*\d{1,3}(?:\.(?:1\d\d|2[0-4]\d|25[0-5])){3}\s*$"
FORMS = ("plain", "point", "dot?", "comma?", "comma", "dots,", "dots", "grouped", "grouped.")
"""The forms of numbers: without a mark; with a decimal point; with a dot, or a comma, that can be either;
with a decimal comma, and dots between thousands before it; with two or more groups after dots; with commas
between thousands, and a decimal point after them."""

_BLANK = " \u00a0\u2009\u202f\u3000"
_SIGNS = ("$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₫", "฿", "₴", "₪", "₦", "US$", "C$", "A$", "R$")
_LETTERS = (
    *(
        "Rs",
        "Fr",
        "CHF",
        "EUR",
        "USD",
        "GBP",
        "JPY",
        "INR",
        "SEK",
        "NOK",
        "DKK",
        "PLN",
        "CZK",
        "HUF",
        "RON",
        "BRL",
        "CAD",
    ),
    *("AUD", "NZD", "CNY", "ZAR", "MXN", "KRW", "TRY", "kr", "zł", "Kč", "Ft", "lei", "руб", "円", "元"),
)
"""Currencies by letters: before a number with a blank between, or they were codes such as SEK12."""
_WORDS = ("year", "yr", "month", "week", "day", "hour")
_SUFFIXES = (
    *("%", "‰", "°", "°C", "°F", "kg", "g", "mg", "µg", "lb", "lbs", "oz", "km", "m", "cm", "mm", "mi", "ft"),
    *("ha", "m²", "km²", "l", "ml", "h", "min", "ms", "kW", "kWh", "mmHg", "bpm", "kcal", "mg/dl", "mg/dL"),
    *("mmol/l", "mmol/L", "歳", "才", "人", "個", *_WORDS, *(f"{word}s" for word in _WORDS)),
)


def _any_of(units: tuple[str, ...]) -> str:
    ordered = sorted(units, key=len, reverse=True)
    return "|".join(unit.replace("$", r"\$") for unit in ordered)


_BODY = rf"(?:(?:\d[\d.,'’{_BLANK}]*)?\d\.?|\.\d+)(?:[eE][+-]?\d+)?"
FIXED = rf"^\s*\d{{2,3}}(?:[.'’{_BLANK}]\d{{3}}){{2,}}\s*$"
_GAP = rf"[\s{_BLANK}]*"
_DRESSED = (
    rf"^{_GAP}([+-]?){_GAP}((?:{_any_of(_SIGNS)}|(?:{_any_of(_LETTERS)})(?:\.|[\s{_BLANK}]))?){_GAP}"
    rf"([+-]?)({_BODY}){_GAP}((?:(?:{_any_of(_SIGNS + _LETTERS + _SUFFIXES)})\.?)?){_GAP}$"
)
_SPACED = rf"^-?[1-9]\d{{0,2}}(?:(?:[{_BLANK}]\d{{3}})+|(?:['’]\d{{3}})+)(?:[.,]\d+)?$"
_WIDE = {chr(0xFF10 + digit): str(digit) for digit in range(10)}
_WIDE |= {"－": "-", "−": "-", "＋": "+", "．": ".", "，": ",", "％": "%", "￥": "¥", "＄": "$", "￡": "£"}
_WIDE |= {"℃": "°C"}
_FOREIGN = f"[{''.join(_WIDE)}]"

Texts = Any
"""A pyarrow array of texts, or a chunked one."""


def matches(texts: Texts, pattern: str) -> np.ndarray:
    """Return which texts have the form, booleans (n); a missing one has none."""
    found = pc.fill_null(pc.match_substring_regex(texts, pattern), False)
    return np.asarray(found)


def are_released(texts: pa.Array) -> np.ndarray:
    """Return which texts are intervals of numbers or sets, as released files have them, booleans (n).

    >>> are_released(pa.array(["[20, 29]", "[1,5; 2[", "{1, 2}", "20-29", "29-20", "90+", "20"])).tolist()
    [True, True, True, True, False, False, False]
    """
    ends = pc.extract_regex(texts, RANGE)
    low, high = (pc.cast(pc.struct_field(ends, end), pa.float64()) for end in ("low", "high"))
    return np.asarray(matches(texts, RELEASED) | np.asarray(pc.fill_null(pc.less(low, high), False)))


def undressed(texts: Texts) -> Texts:
    """The numbers without their unit, blanks and apostrophes between thousands, and signs of full width; any
    other text as it is.

    >>> undressed(pa.array(["€ 1 234,50", "12 %", "1'234.50", "−5", "１２", "A12"])).to_pylist()
    ['1234,50', '12', '1234.50', '-5', '12', 'A12']
    """
    bare = pc.replace_substring_regex(narrow(texts), _DRESSED, r"\1\3\4")
    spaced = pc.fill_null(pc.match_substring_regex(bare, _SPACED), False)
    return pc.if_else(spaced, pc.replace_substring_regex(bare, rf"[{_BLANK}'’]", ""), bare)


def narrow(texts: Texts) -> Texts:
    """The texts with digits and signs of usual width, and the minus of the keyboard."""
    if matches(texts, _FOREIGN).any():
        for wide, usual in _WIDE.items():
            texts = pc.replace_substring(texts, wide, usual)
    return texts


def are_dressed(texts: Texts) -> np.ndarray:
    """Return which texts are numbers that may have a unit, blanks or apostrophes, booleans (n)."""
    return matches(narrow(texts), _DRESSED)


def units_of(texts: Texts) -> set[str]:
    """The units of dressed numbers, "" of those without; zeros need none.

    >>> sorted(units_of(pa.array(["12 years", "1 year", "0"]))), sorted(units_of(pa.array(["5 kg", "5"])))
    (['year'], ['', 'kg'])
    """
    counted = texts.filter(pa.array(~matches(texts, r"^[\s+-]*0*[.,]?0*\s*$")))
    units = pc.replace_substring_regex(narrow(counted), _DRESSED, r"\2 \5")
    return {_unit(unit) for unit in units.unique().to_pylist()}


def _unit(written: str) -> str:
    unit = written.strip().rstrip(".")
    return unit.removesuffix("s") if unit.removesuffix("s") in _WORDS else unit


def forms_of(texts: Texts) -> dict[str, np.ndarray]:
    """Return, for each form of `FORMS`, which of these undressed texts have it, booleans (n); "other": those
    that are no numbers.

    >>> found = forms_of(pa.array(["1.234", "0.5", "1,5", "1.234,5", "1,234", "1,00,000", "x"]))
    >>> [form for place in range(7) for form, own in found.items() if own[place]]
    ['dot?', 'point', 'comma', 'dots,', 'comma?', 'grouped', 'other']
    """
    plain, point = matches(texts, PLAIN), np.asarray(pc.fill_null(pc.match_substring(texts, "."), False))
    none = np.zeros(len(plain), bool)
    dot = matches(texts, EITHER_DOT) if point.any() else none
    if plain.all():
        own = dict.fromkeys(FORMS, none) | {"plain": ~point, "point": point & ~dot, "dot?": dot}
        return {**own, "other": none}
    comma, either = matches(texts, COMMA), matches(texts, EITHER_COMMA)
    grouped = (matches(texts, GROUPED) & ~matches(texts, r"^\s*[+-]?0")) | matches(texts, INDIAN)
    grouped &= ~either
    own = {"plain": plain & ~point, "point": plain & point & ~dot, "dot?": dot, "comma?": either}
    own |= {"comma": comma & ~either & ~point & ~grouped, "dots,": comma & point & ~grouped}
    own |= {"dots": matches(texts, DOTS), "grouped": grouped & ~point, "grouped.": grouped & point}
    return {**own, "other": ~np.logical_or.reduce(list(own.values()))}


def are_codes(texts: Texts) -> np.ndarray:
    """Return which texts are written as telephone numbers (612 345 678) or addresses of machines
    (10.100.200.100) are, booleans (n); they may still be numbers."""
    return np.asarray(matches(texts, FIXED) | matches(texts, ADDRESS))

"""Published levels – ordinal values and words that go round –, from text back to their places in order."""

from __future__ import annotations

from typing import NamedTuple

from kanon_core.table.columns.texts import alone, quoted
from kanon_core.table.notation.parts import GAPS, Parts, says_nothing

_BETWEEN = (", ", "; ", ";", "..", " … ", " to ", " – ", "–", " - ", ",", "-")
"""What stands between two levels, looked for in this order."""
_AROUND = 32
"""Characters that may stand around a level: signs and blanks."""


class Levels(NamedTuple):
    """By the text of a level, as it is and as it is published, its place as a number; and the characters of
    the longest."""

    places: dict[str, str]
    longest: int

    @classmethod
    def of(cls, levels: tuple[str, ...]) -> Levels:
        """Of these levels, from the least to the greatest."""
        plain = {level.strip(): str(place) for place, level in enumerate(levels)}
        known = {write(level): str(place) for place, level in enumerate(levels) for write in (quoted, alone)}
        places = {**plain, **known}
        return cls(places, max(map(len, places), default=0))


def level_parts(text: str, levels: Levels) -> Parts:
    """What a cell says, with places as its ends: a level, ``[low, high]``, ``low–high``, ``low to high``,
    a set ``{low, medium}``, which is read from its least to its greatest level, stars for all; an end that is
    no level reads “?”. Cost O(length), and O(length²) up to the length of two levels.

    >>> level_parts("[low, high]", Levels.of(("low", "medium", "high")))[1:3]
    ('0', '2')
    """
    text = text.strip()
    if text not in levels.places and text.endswith(GAPS):
        return _said(text.removesuffix(GAPS).strip(), levels)._replace(gaps=True)
    return _said(text, levels)


def _said(text: str, levels: Levels) -> Parts:
    places = levels.places
    if text in places:
        return Parts("a", places[text], places[text])
    if says_nothing(text):
        return Parts("*", "-inf", "inf", gaps=True)
    if text[:1] == "{" and text[-1:] == "}":
        members = text[1:-1].split(";" if ";" in text else ",")
        return Parts("{a, b}", "", "", members=tuple(places.get(one.strip(), "?") for one in members))
    inside = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    if len(inside) > 2 * (levels.longest + _AROUND):
        return Parts("a", "?", "?")
    for sign in _BETWEEN:
        for at in _places_of(sign, inside):
            low, high = inside[:at].strip(), inside[at + len(sign) :].strip()
            if low in places and high in places:
                return Parts(f"[a{sign}b]", places[low], places[high])
    return Parts("a", "?", "?")


def _places_of(sign: str, text: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(sign, at)]

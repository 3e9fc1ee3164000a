"""Published levels – ordinal values and words that go round –, from text back to their places in order."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_core.table.columns.texts import quoted
from kanon_core.table.notation.parts import GAPS, Parts, says_nothing

_BETWEEN = (", ", "; ", ";", "..", " … ", " to ", " – ", "–", " - ", ",", "-")
"""What stands between two levels, looked for in this order."""


def level_places(levels: tuple[str, ...]) -> dict[str, str]:
    """By the text of a level, as it is and as it is published, its place as a number."""
    plain = {level.strip(): str(place) for place, level in enumerate(levels)}
    return {**plain, **{quoted(level): str(place) for place, level in enumerate(levels)}}


def level_parts(text: str, places: Mapping[str, str]) -> Parts:
    """What a cell says, with places as its ends: a level, ``[low, high]``, ``low–high``, ``low to high``,
    a set ``{low, medium}``, which is read from its least to its greatest level, stars for all; an end that is
    no level reads “?”.

    >>> level_parts("[low, high]", level_places(("low", "medium", "high")))[1:3]
    ('0', '2')
    """
    text = text.strip()
    if text in places:
        return Parts("a", places[text], places[text])
    if text.endswith(GAPS):
        return level_parts(text.removesuffix(GAPS), places)._replace(gaps=True)
    if says_nothing(text):
        return Parts("*", "-inf", "inf", gaps=True)
    if text[:1] == "{" and text[-1:] == "}":
        members = text[1:-1].split(";" if ";" in text else ",")
        return Parts("{a, b}", "", "", members=tuple(places.get(one.strip(), "?") for one in members))
    inside = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    for sign in _BETWEEN:
        for at in _places_of(sign, inside):
            low, high = inside[:at].strip(), inside[at + len(sign) :].strip()
            if low in places and high in places:
                return Parts(f"[a{sign}b]", places[low], places[high])
    return Parts("a", "?", "?")


def _places_of(sign: str, text: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(sign, at)]

"""Color, dash and marker of each algorithm: the same in every chart, whatever other curves it shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.options import options_of
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.curves.sentences import Curve
from kanon_core.runs.sweeps import FLOORS

_APART = (("dot", "line-ew-open"), ("dashdot", "x-thin-open"))
_FLOOR_LOOKS = {floor.algorithm: _APART[i % len(_APART)] for i, floor in enumerate(FLOORS.values())}
"""Dash and marker of the algorithms that are the floor of some metric."""

_Place = tuple[int, int]
"""A color of the palette, and which of the algorithms of this color: it decides on dash and marker."""
_COLORS, _OF_ONE_COLOR = 8, 4
_PLACES: dict[str, _Place] = {
    "MDAV": (0, 0),
    "VMDAV": (1, 0),
    "Mondrian": (2, 0),
    "TopDown": (3, 0),
    "Refine": (4, 0),
    "FullDomain": (5, 0),
    "Tours": (6, 0),
    "Clustered": (7, 0),
    "LocalPartition": (0, 1),
    "Greedy": (1, 1),
    "RefineSets": (2, 1),
    "Lottery": (3, 1),
    "PurchaseHistories": (4, 1),
    "Pairing": (5, 1),
    "OptimalUnivariate": (6, 1),
    "Sorting": (7, 1),
    "Fragments": (0, 2),
    "Apriori": (1, 2),
    "OptimalConcealment": (2, 2),
    "MIL": (5, 2),
    "RareItems": (6, 2),
}
"""The place of each algorithm. Those of one color are for different tables or seldom compared."""


def is_floor(curve: Curve) -> bool:
    """Return whether the algorithm is the floor of some metric, drawn in gray."""
    return curve.algorithm in _FLOOR_LOOKS


def line_style(lines: Sequence[Curve], number: int, theme: str) -> tuple[str, str, str]:
    """Return color, dash and marker of a line. An algorithm has those of its name; a floor is gray; of an
    algorithm with several options in one chart, all but one line take a free color."""
    colors = look.theme_of(theme)
    if (apart := _FLOOR_LOOKS.get(lines[number].algorithm)) is not None:
        return colors.muted, *apart
    color, among = _places(lines)[number]
    dash = look.DASHES[(color + 3 * among) % len(look.DASHES)]
    return colors.lines[color], dash, look.MARKERS[(color + 5 * among) % len(look.MARKERS)]


def _places(lines: Sequence[Curve]) -> dict[int, _Place]:
    """Return the place of each line that is no floor, by its number: no two are equal, up to the number of
    places."""
    names = {number: type(line.algorithm).__name__ for number, line in enumerate(lines) if not is_floor(line)}
    plain_first = sorted(names, key=lambda number: not _is_plain(lines[number].algorithm))
    found = dict[int, _Place]()
    for number in plain_first:
        place = _PLACES.get(names[number])
        if place is not None and place not in found.values():
            found[number] = place
    for number in names:
        found.setdefault(number, _free(list(found.values())))
    return found


def _is_plain(algorithm: Algorithm) -> bool:
    """Return whether all its options have their defaults."""
    return all(getattr(algorithm, one.name) == one.default for one in options_of(type(algorithm)))


def _free(taken: Sequence[_Place]) -> _Place:
    """Return the first place that is not taken, of a color that is not either while there is one."""
    every = [(color, among) for among, color in product(range(_OF_ONE_COLOR), range(_COLORS))]
    free = [place for place in every if place not in taken]
    colors = {color for color, _ in taken}
    fresh = [place for place in free if place[0] not in colors]
    return (fresh or free or every)[0]

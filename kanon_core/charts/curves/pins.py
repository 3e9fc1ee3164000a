"""Pinned settings in charts: colors and markers, and by which measures each is best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, note, scatter
from kanon_core.charts.curves.linestyles import line_style
from kanon_core.charts.curves.sentences import Curve
from kanon_core.runs.sweeps import SweepPoint, quantity

_GLYPHS = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "cross": "✚",
    "star": "★",
    "hexagon": "⬢",
    "x-thin-open": "✕",
    "line-ew-open": "▬",
}
_SIDES: dict[str, Settings] = {
    "A": {"anchor": "center bottom", "yshift": 10},
    "B": {"anchor": "left middle", "xshift": 12},
    "C": {"anchor": "center top", "yshift": -10},
    "D": {"anchor": "right middle", "xshift": -12},
}
"""The place of each pin's letter beside its mark; the letters of near marks can be told apart."""
_EQUAL = 1e-9
_NAMED = 4

Pins = Mapping[str, SweepPoint]
"""The points of pinned settings, by the letter of each."""


@dataclass(frozen=True)
class PinLook:
    """The color of the algorithm, and a marker that no other pin of this algorithm has."""

    color: str
    symbol: str

    @property
    def glyph(self) -> str:
        """Return the marker as a letter of a text."""
        return _GLYPHS[self.symbol]


def pin_looks(lines: Sequence[Curve], pins: Pins, theme: str) -> dict[str, PinLook]:
    """Return the look of each pin, whose algorithm is that of one of the curves."""
    found, used = dict[str, PinLook](), list[int]()
    for letter, point in pins.items():
        number = next(i for i, line in enumerate(lines) if line.algorithm == point.algorithm)
        color, _, symbol = line_style(lines, number, theme)
        if again := used.count(number):
            others = [one for one in look.MARKERS if one != symbol]
            symbol = others[(again - 1) % len(others)]
        used.append(number)
        found[letter] = PinLook(color, symbol)
    return found


def pin_marks(
    lines: Sequence[Curve], pins: Pins, axes: tuple[str, str], theme: str
) -> tuple[list[Settings], list[Settings]]:
    """Return a large mark for each pin that has both quantities of the axes, and the letters beside the
    marks; pins at one place share a note."""
    looks, traces = pin_looks(lines, pins, theme), list[Settings]()
    letters: dict[tuple[float, float], list[str]] = {}
    for letter, point in pins.items():
        x, y = (point.value(name) for name in axes)
        if np.isnan([x, y]).any():
            continue
        letters.setdefault((x, y), []).append(letter)
        border = {"width": 2, "color": look.theme_of(theme).accent}
        mark = {"symbol": looks[letter].symbol, "size": 15, "color": looks[letter].color, "line": border}
        traces.append(scatter("markers", [x], [y], marker=mark, showlegend=False))
    notes = [
        note(f"<b>{', '.join(found)}</b>", x, y, look.theme_of(theme).text, 15, **_SIDES[found[0]])
        for (x, y), found in letters.items()
    ]
    return traces, notes


@dataclass(frozen=True)
class Ranking:
    """One measure of several pins: ``best`` are the letters that no other beats by more than both sampling
    errors; empty where all are equally good or fewer than two have a number (``known``)."""

    name: str
    best: tuple[str, ...]
    known: int

    @classmethod
    def of(cls, name: str, pins: Pins) -> Ranking:
        """Return the pins ranked by this quantity."""
        known = {letter: point for letter, point in pins.items() if not np.isnan(point.value(name))}
        sign = 1.0 if quantity(name).direction == "lower" else -1.0
        best = tuple(
            letter
            for letter, mine in known.items()
            if not any(_beats(sign, other, mine, name) for other in known.values())
        )
        return cls(name, best if len(best) < len(known) else (), len(known))


def _beats(sign: float, one: SweepPoint, other: SweepPoint, name: str) -> bool:
    a, b = one.value(name), other.value(name)
    error = one.errors.get(name, 0.0) + other.errors.get(name, 0.0)
    return sign * (b - a) > max(error, _EQUAL * max(abs(a), abs(b)))


def ranking_sentence(rankings: Iterable[Ranking], letters: Iterable[str]) -> str:
    """Return a sentence on the measures by which each pin alone is best; the verdict is left to the
    reader."""
    rankings = list(rankings)
    found = []
    for letter in letters:
        names = [quantity(one.name).title for one in rankings if one.best == (letter,)]
        if names:
            found.append(
                tr("{letter} alone is best by {metrics}").format(letter=letter, metrics=_listed(names))
            )
    if not found:
        return tr("No pinned setting alone is best by any measure.")
    shared = sum(len(one.best) != 1 and one.known > 1 for one in rankings)
    if shared:
        says = tr("by {measures}, the best ones are equally good or within their sampling errors")
        found.append(says.format(measures=counted(shared, "measure")))
    return "; ".join(found) + "."


def _listed(names: list[str]) -> str:
    if len(names) > _NAMED:
        return tr("{names} and {more} more measures").format(
            names=", ".join(names[: _NAMED - 1]), more=len(names) - _NAMED + 1
        )
    return look.listed(names)

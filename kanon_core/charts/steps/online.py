"""Records on a number line, the groups made so far as runs below it, and the marks of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, area, legend, note, rule
from kanon_core.charts.canvas.plane import Axis, axis, stacked
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.steps.onplane import GROUP_COLORS, SYMBOLS, Mark, dots, sign
from kanon_core.table.table import Table

_COLUMNS = 90
"""The number of places along the line at which dots are stacked."""
_LEAST_HEIGHT = 2.5
_BAND = (-1.55, -0.55)
_LANE = 1.3
_CLOSE = 0.03
"""Share of the line below which the names of two groups would touch."""


_CENTER, _SIDES = "center middle", ("left bottom", "right bottom")


class Run(NamedTuple):
    """A run of records that could be a group: its name, its records, and whether it is the best."""

    name: str
    records: np.ndarray
    best: bool


@dataclass(frozen=True, eq=False)
class OnLine:
    """The records of ``table`` on the axis of ``column``, a number or a date.

    ``groups`` int64 (n): the group of each record so far, −1 = none yet, gray; below the line a group is a
    bar from its least to its greatest value, with its number from 1. ``marks``: the records of the step.
    ``means``: the means of these records. ``boundary``: the two records between which a line is drawn.
    ``runs``: possible groups, one below the other. ``focus``: the records that the step is about; the others
    are faint.
    """

    table: Table
    column: str
    groups: np.ndarray
    marks: Sequence[Mark] = ()
    means: Sequence[Mark] = ()
    boundary: tuple[int, int] | None = None
    runs: Sequence[Run] = ()
    focus: np.ndarray | None = None

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The picture as HTML; raises OptionError for an unknown theme. Cost O(n log n): about 5 ms for 200
        records."""
        at, heights = self._axis.values, self._heights
        traces = [*self._bands(theme), *self._runs(theme), dots(at, heights, self.groups, self.focus, theme)]
        for symbol, mark in zip(("x", "cross"), self.means, strict=False):
            traces.append(sign(mark.name, [float(at[mark.records].mean())], [0.0], symbol, theme))
        for symbol, mark in zip(SYMBOLS, self.marks, strict=False):
            traces.append(sign(mark.name, at[mark.records], heights[mark.records], symbol, theme))
        floor = _BAND[0] - 0.2 - _LANE * len(self.runs)
        layout: Settings = {
            "xaxis": self._axis.layout(theme),
            "yaxis": {"range": [floor, self._top], "visible": False},
            "annotations": [*self._numbers(theme), *self._names(theme)],
            "showlegend": bool(self.marks or self.means),
        }
        if self.boundary is not None:
            middle = float(at[list(self.boundary)].mean())
            ends = {"yref": "y", "y0": 0.0, "y1": self._top} if self.runs else {}
            layout["shapes"] = [rule("x", middle, look.theme_of(theme).accent, 1.5, "dash", **ends)]
        return drawing(look.figure(traces, theme, says, height=height, legend=legend(), **layout), height)

    @cached_property
    def _axis(self) -> Axis:
        return axis(self.table, self.column)

    @cached_property
    def _heights(self) -> np.ndarray:
        """float64 (n): dots that would touch stand on one another."""
        return stacked(self._axis.values, self._axis.span, _COLUMNS) + 0.5

    @property
    def _top(self) -> float:
        return max(float(self._heights.max(initial=0)) + 1, _LEAST_HEIGHT)

    def _ends(self, records: np.ndarray) -> tuple[float, float]:
        """Return where a bar over these records begins and ends; never so narrow that it is not seen."""
        values = self._axis.values[records]
        room = 0.004 * (self._axis.span[1] - self._axis.span[0])
        return float(values.min()) - room, float(values.max()) + room

    def _bars(self) -> Iterator[tuple[int, float, float]]:
        """Number, beginning and end of each group, from left to right."""
        present = np.unique(self.groups[self.groups >= 0]).tolist()
        ends = [(number, *self._ends(np.flatnonzero(self.groups == number))) for number in present]
        yield from sorted(ends, key=lambda end: end[1:])

    def _bands(self, theme: str) -> Iterator[Settings]:
        palette = look.theme_of(theme).groups
        for number, low, high in self._bars():
            color = palette[number % GROUP_COLORS]
            corners = _box(low, high, *_BAND)
            yield area(*corners, look.faded(color, 0.9), 1.5, look.faded(color, 0.3), showlegend=False)

    def _numbers(self, theme: str) -> Iterator[Settings]:
        """The numbers of the groups in their bars, as far as they do not touch."""
        color, (left, right), last = look.theme_of(theme).text, self._axis.span, -np.inf
        for number, low, high in self._bars():
            middle = (low + high) / 2
            if middle - last > _CLOSE * (right - left):
                last = middle
                yield note(str(number + 1), middle, sum(_BAND) / 2, color, 13, anchor=_CENTER)

    def _runs(self, theme: str) -> Iterator[Settings]:
        colors = look.theme_of(theme)
        for place, run in enumerate(self.runs):
            bottom = _BAND[0] - 0.2 - _LANE * (place + 1) + 0.15
            color = colors.accent if run.best else colors.muted
            corners = _box(*self._ends(run.records), bottom, bottom + 0.35)
            yield area(*corners, color, 1, look.faded(color, 0.9 if run.best else 0.35), showlegend=False)

    def _names(self, theme: str) -> Iterator[Settings]:
        """Yield the names of the runs, above each, towards the side that has more room."""
        colors, (left, right) = look.theme_of(theme), self._axis.span
        for place, run in enumerate(self.runs):
            low, high = self._ends(run.records)
            begins = low + high < left + right
            color = colors.text if run.best else colors.muted
            text = f"<b>{look.plain(run.name, 80)}</b>" if run.best else look.plain(run.name, 80)
            bottom = _BAND[0] - 0.2 - _LANE * (place + 1) + 0.6
            side = _SIDES[0 if begins else 1]
            yield note(text, low if begins else high, bottom, color, 13, anchor=side)


def _box(low: float, high: float, bottom: float, top: float) -> tuple[list[float], list[float]]:
    return [low, high, high, low, low], [bottom, bottom, top, top, bottom]

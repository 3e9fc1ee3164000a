"""Records in the plane, the groups made so far, and what a step looks at: places, records, lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, area, between, legend, rule, scatter
from kanon_core.charts.canvas.outlines import hulls, rectangles
from kanon_core.charts.canvas.plane import Plane, plane
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.table.table import Table

SYMBOLS = ("circle-open", "square-open", "diamond-open", "triangle-up-open", "star-open")
"""The sign of each mark, in their order."""
GROUP_COLORS = 6
"""How many colors groups take turns with: the last one of the light theme is as gray as records in none."""
_NO_RECORDS = np.zeros(0, np.int64)


def record_colors(theme: str, groups: np.ndarray, focus: np.ndarray | None) -> list[str]:
    """The color of each record: that of its group, gray in none; faint where there is a focus elsewhere."""
    colors, number = look.theme_of(theme), np.minimum(groups, groups % GROUP_COLORS)
    palette = np.array([*colors.groups[:GROUP_COLORS], colors.muted])  # −1 is the last one
    shown: list[str] = palette[number].tolist()
    for record in [] if focus is None else np.setdiff1d(np.arange(len(groups)), focus).tolist():
        shown[record] = look.faded(shown[record], 0.3)
    return shown


class Mark(NamedTuple):
    """Records a step speaks of, under one name in the legend; every name has a sign of its own."""

    name: str
    records: np.ndarray


class Place(NamedTuple):
    """A named place that is no record, such as a centroid; ``x``, ``y`` in the units of the plane."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class OnPlane:
    """The records of ``table`` in its plane (`kanon_core.charts.canvas.plane.plane`).

    ``groups`` int64 (n): the group of each record so far, −1 = none yet, gray. A group keeps the color of its
    number. ``outline``: "hulls" or "rectangles". ``marks``: what the step looks at, at most five names.
    ``links`` int64 (m, 2): lines from record to record. ``split``: an axis, "x" or "y", and where on it a
    line is drawn. ``focus``: the records that the step is about; the others are faint, and the line stays
    within the box around them.
    """

    table: Table
    groups: np.ndarray
    outline: str = "hulls"
    marks: Sequence[Mark] = ()
    places: Sequence[Place] = ()
    links: np.ndarray | None = None
    split: tuple[str, float] | None = None
    focus: np.ndarray | None = None

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The picture as HTML; raises OptionError for an unknown theme. Cost O(n log n): about 5 ms for 200
        records."""
        traces = [*self._outlines(theme), *self._links(theme), self._records(theme)]
        traces += [*self._marks(theme), *self._places(theme)]
        layout = {**self.plane.layout(theme, "step"), "showlegend": bool(self.marks or self.places)}
        if self.split is not None:
            layout["shapes"] = [*layout.get("shapes", ()), self._split(theme)]
        figure = look.figure(traces, theme, says, height=height, legend=legend(), **layout)
        return drawing(figure, height)

    @property
    def plane(self) -> Plane:
        """Where the records are."""
        return plane(self.table)

    def _outlines(self, theme: str) -> Iterator[Settings]:
        kept = np.flatnonzero((self.groups >= 0) & ~self.plane.outside)
        x, y, groups = self.plane.x.values[kept], self.plane.y.values[kept], self.groups[kept]
        count = int(groups.max(initial=-1)) + 1
        outlined = hulls if self.outline == "hulls" else rectangles
        shapes = outlined(x, y, groups, count)
        held = np.flatnonzero(np.bincount(groups, minlength=count)) if count else _NO_RECORDS
        palette = look.theme_of(theme).groups[:GROUP_COLORS]
        for number, color in enumerate(palette):
            wanted = held[held % len(palette) == number]
            yield area(*shapes.closed(wanted), look.faded(color, 0.75), 1.5, look.faded(color, 0.14))

    def _records(self, theme: str) -> Settings:
        marker: Settings = {"size": 9, "color": record_colors(theme, self.groups, self.focus)}
        marker |= {"symbol": "circle", "line": {"width": 0.5, "color": look.theme_of(theme).surface}}
        return scatter("markers", *self._at(), marker=marker, showlegend=False, **UNDIMMED)

    def _marks(self, theme: str) -> Iterator[Settings]:
        accent = look.theme_of(theme).accent
        for symbol, mark in zip(SYMBOLS, self.marks, strict=False):
            marker = {"symbol": symbol, "size": 17, "color": accent, "line": {"color": accent, "width": 2}}
            name = look.plain(mark.name, 60)
            yield scatter("markers", *self._at(mark.records), name=name, marker=marker, showlegend=True)

    def _places(self, theme: str) -> Iterator[Settings]:
        accent = look.theme_of(theme).accent
        for place in self.places:
            marker = {"symbol": "x", "size": 11, "color": accent, "line": {"width": 0}}
            name = look.plain(place.name, 60)
            yield scatter("markers", [place.x], [place.y], name=name, marker=marker, showlegend=True)

    def _links(self, theme: str) -> Iterator[Settings]:
        if self.links is not None and len(self.links):
            line = {"color": look.theme_of(theme).accent, "width": 1.5}
            ends = between(self._at(self.links[:, 0]), self._at(self.links[:, 1]))
            yield scatter("lines", *ends, line=line, showlegend=False)

    def _split(self, theme: str) -> Settings:
        letter, at = self.split or ("x", 0.0)
        across = self.plane.y if letter == "x" else self.plane.x
        within: Settings = {}
        if self.focus is not None:
            other, values = ("y" if letter == "x" else "x"), across.values[self.focus]
            room = 0.02 * (across.span[1] - across.span[0])
            within = {f"{other}0": float(values.min()) - room, f"{other}1": float(values.max()) + room}
            within[f"{other}ref"] = other
        return rule(letter, at, look.theme_of(theme).accent, 2, "dash", **within)

    def _at(self, records: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        x, y = self.plane.x.values, self.plane.y.values
        return (x, y) if records is None else (x[records], y[records])

"""Pictures of a step in the plane: records with groups, marks and lines, a tour, and records to choose
from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Numbers, Settings, area, between, legend, note, rule, scatter
from kanon_core.charts.canvas.outlines import OUTLINES
from kanon_core.charts.canvas.plane import Plane, plane
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.table.table import Table

SYMBOLS = ("circle-open", "square-open", "diamond-open", "triangle-up-open", "star-open")
"""The sign of each mark, in their order."""
GROUP_COLORS = 6
"""The number of colors of groups; the last color of the light theme is not used, since it is as gray as
records without a group."""
NUMBERED_AT_MOST = 60
"""The most records of a tour that have their numbers beside them."""


def dots(x: Numbers, y: Numbers, groups: np.ndarray, focus: np.ndarray | None, theme: str) -> Settings:
    """Return the records in the colors of their groups, gray where they have none; faint where the focus is
    elsewhere."""
    colors, number = look.theme_of(theme), np.minimum(groups, groups % GROUP_COLORS)
    palette = np.array([*colors.groups[:GROUP_COLORS], colors.muted])  # −1 is the last color
    shown: list[str] = palette[number].tolist()
    for record in [] if focus is None else np.setdiff1d(np.arange(len(groups)), focus).tolist():
        shown[record] = look.faded(shown[record], 0.3)
    marker = {"size": 9, "color": shown, "line": {"width": 0.5, "color": colors.surface}}
    return scatter("markers", x, y, marker=marker, showlegend=False)


def sign(name: str, x: Numbers, y: Numbers, symbol: str, theme: str) -> Settings:
    """A sign at places, with its name in the legend: hollow signs are large, and go around records."""
    accent, hollow = look.theme_of(theme).accent, symbol.endswith("-open")
    line = {"color": accent, "width": 2} if hollow else {"width": 0}
    marker = {"symbol": symbol, "size": 17 if hollow else 11, "color": accent, "line": line}
    return scatter("markers", x, y, name=look.plain(name, 60), marker=marker, showlegend=True)


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
class _InPlane:
    """The records of ``table`` in its plane (`kanon_core.charts.canvas.plane.plane`)."""

    table: Table

    @property
    def plane(self) -> Plane:
        """Return where the records are."""
        return plane(self.table)

    def _at(self, records: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        x, y = self.plane.x.values, self.plane.y.values
        return (x, y) if records is None else (x[records], y[records])

    def _figure(
        self, traces: Sequence[Settings], theme: str, says: str, height: int, **more: Any
    ) -> look.Figure:
        """The figure in the plane; ``shapes`` and ``annotations`` stand beside those of the plane."""
        layout = self.plane.layout(theme, "step")
        more |= {name: [*layout[name], *more.get(name, ())] for name in ("shapes", "annotations")}
        return look.figure(traces, theme, says, height=height, legend=legend(), **{**layout, **more})


@dataclass(frozen=True, eq=False)
class OnPlane(_InPlane):
    """The records of ``table`` in its plane (`kanon_core.charts.canvas.plane.plane`).

    ``groups`` int64 (n): the group of each record so far, −1 = none yet, gray. A group keeps the color of its
    number. ``outline``: "hulls" or "rectangles". ``marks``: the records of the step, at most five names.
    ``links`` int64 (m, 2): lines from record to record. ``split``: an axis, "x" or "y", and where on it a
    line is drawn. ``focus``: the records that the step is about; the others are faint, and the line stays
    within the box around them.
    """

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
        shapes = [] if self.split is None else [self._split(*self.split, theme)]
        return drawing(self._shown(theme, says, height, shapes=shapes), height)

    def _shown(
        self, theme: str, says: str, height: int, above: Sequence[Settings] = (), **more: Any
    ) -> look.Figure:
        """The figure with these traces ``above`` all others."""
        traces = [*self._outlines(theme), *self._links(theme)]
        traces.append(dots(*self._at(), self.groups, self.focus, theme))
        for symbol, mark in zip(SYMBOLS, self.marks, strict=False):
            traces.append(sign(mark.name, *self._at(mark.records), symbol, theme))
        traces += [sign(place.name, [place.x], [place.y], "x", theme) for place in self.places]
        named = bool(self.marks or self.places)
        return self._figure([*traces, *above], theme, says, height, showlegend=named, **more)

    def _outlines(self, theme: str) -> Iterator[Settings]:
        kept = np.flatnonzero((self.groups >= 0) & ~self.plane.outside)
        x, y, groups = self.plane.x.values[kept], self.plane.y.values[kept], self.groups[kept]
        count = int(groups.max(initial=-1)) + 1
        shapes = OUTLINES[self.outline](x, y, groups, count)
        held = np.unique(groups)
        palette = look.theme_of(theme).groups[:GROUP_COLORS]
        for number, color in enumerate(palette):
            wanted = held[held % len(palette) == number]
            yield area(*shapes.closed(wanted), look.faded(color, 0.75), 1.5, look.faded(color, 0.14))

    def _links(self, theme: str) -> Iterator[Settings]:
        if self.links is not None and len(self.links):
            line = {"color": look.theme_of(theme).accent, "width": 1.5}
            ends = between(self._at(self.links[:, 0]), self._at(self.links[:, 1]))
            yield scatter("lines", *ends, line=line, showlegend=False)

    def _split(self, letter: str, at: float, theme: str) -> Settings:
        across = self.plane.y if letter == "x" else self.plane.x
        within: Settings = {}
        if self.focus is not None:
            other, values = ("y" if letter == "x" else "x"), across.values[self.focus]
            room = 0.02 * (across.span[1] - across.span[0])
            within = {f"{other}0": float(values.min()) - room, f"{other}1": float(values.max()) + room}
            within[f"{other}ref"] = other
        return rule(letter, at, look.theme_of(theme).accent, 2, "dash", **within)


@dataclass(frozen=True, eq=False)
class Choosing(OnPlane):
    """The picture of a step in which the records without a group can be chosen.

    ``numbers`` int64 (n): what each record is called. A record that can be chosen carries its number
    (``data-facts``); the element that holds the drawing listens for it.
    """

    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """Return the picture as HTML; see `OnPlane.drawn`."""
        above = [self._targets()]
        figure = self._shown(theme, says, height, above, annotations=self._names(theme))
        return drawing(figure, height, picked=True)

    def _targets(self) -> Settings:
        """Unseen disks as large as a finger needs, over the records without a group."""
        free = np.flatnonzero(self.groups < 0)
        x, y = self._at(free)
        numbers = self.numbers[free]
        marker = {"size": 24, "color": "rgba(0,0,0,0)", "line": {"width": 0}}
        hover = tr("record {number}").format(number="%{text}")
        about = {"text": [str(number) for number in numbers.tolist()], "customdata": numbers[:, None]}
        return scatter("markers", x, y, hover, marker=marker, showlegend=False, **about)

    def _names(self, theme: str) -> list[Settings]:
        colors, (x, y) = look.theme_of(theme), self._at()
        away = 19 * _apart(x, y)  # beyond a ring around the place
        return [
            note(
                str(number),
                x[i],
                y[i],
                colors.text if self.groups[i] < 0 else colors.muted,
                11,
                xshift=float(away[i, 0]),
                yshift=float(away[i, 1]),
            )
            for i, number in enumerate(self.numbers.tolist())
        ]


def _apart(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """float64 (n, 2): for each place the direction, of length 1, that leads away from the nearest other one;
    to the right where all are the same."""
    places = np.column_stack([x, y])
    span = np.ptp(places, axis=0) if len(places) else np.ones(2)
    places = places / np.where(span > 0, span, 1.0)
    gaps = places[:, None] - places[None]
    far = (gaps**2).sum(axis=2)
    far[far == 0] = np.inf
    nearest = far.argmin(axis=1) if len(places) else np.zeros(0, np.int64)
    found = gaps[np.arange(len(places)), nearest]
    length = np.sqrt((found**2).sum(axis=1, keepdims=True))
    return np.where(length > 0, found / np.where(length > 0, length, 1.0), np.array([1.0, 0.0]))


@dataclass(frozen=True, eq=False)
class Tour(_InPlane):
    """The records of ``table`` in its plane, and lines from records to the next on a tour.

    ``records`` int64 (n): the number of each in the table it came from, from 0. ``links`` int64 (m, 2): from
    record to record; ``used`` booleans (m): the link is an edge in use, which no tour may have.
    """

    records: np.ndarray
    links: np.ndarray
    used: np.ndarray

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The picture as HTML; raises OptionError for an unknown theme. Cost O(n)."""
        colors = look.theme_of(theme)
        traces = [
            self._lines(~self.used, tr("the tour"), colors.accent, "solid"),
            self._lines(self.used, tr("edges in use"), colors.groups[3], "dash"),
            self._places(theme),
        ]
        notes = self._numbers(theme)
        figure = self._figure(traces, theme, says, height, showlegend=True, annotations=notes)
        return drawing(figure, height)

    def _lines(self, chosen: np.ndarray, name: str, color: str, dash: str) -> Settings:
        ends = between(self._at(self.links[chosen, 0]), self._at(self.links[chosen, 1]))
        line = {"color": color, "width": 1.6, "dash": dash}
        return scatter("lines", *ends, name=look.plain(name), line=line, showlegend=bool(chosen.any()))

    def _places(self, theme: str) -> Settings:
        colors = look.theme_of(theme)
        marker = {"size": 8, "color": colors.muted, "line": {"width": 1, "color": colors.surface}}
        return scatter("markers", *self._at(), marker=marker, showlegend=False)

    def _numbers(self, theme: str) -> list[Settings]:
        """The number of each record on the tour beside its place."""
        members = np.unique(self.links)
        if len(members) > NUMBERED_AT_MOST:
            return []
        colors, (x, y) = look.theme_of(theme), self._at(members)
        seam: Settings = {"bgcolor": look.faded(colors.surface, 0.8), "xshift": 6, "yshift": 7}
        names = (self.records[members] + 1).astype(str).tolist()
        placed = zip(names, x.tolist(), y.tolist(), strict=True)
        return [note(name, a, b, colors.text, 11, anchor="left middle", **seam) for name, a, b in placed]

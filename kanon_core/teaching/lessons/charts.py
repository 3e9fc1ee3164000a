"""Charts for lessons: bars, numbers on a line, and figures of `kanon_core.charts`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, end_notes, margin, note, rows, rule, scatter, ticks
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.drawing.markup import tag

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Bars:
    """A bar for each name, from the top: ``values`` ≥ 0 and how they are written, ``texts``.

    ``title``, above them, names the values and their unit; ``marked``: the number of a bar in the strong
    color; ``limit``: a value at which a line is drawn.
    """

    names: Sequence[str]
    values: Sequence[float]
    texts: Sequence[str]
    title: str
    marked: int = -1
    limit: float | None = None

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """Return the bars as HTML; raises OptionError for an unknown theme."""
        colors = look.theme_of(theme)
        shades = [colors.lines[1 if i == self.marked else 0] for i in range(len(self.names))]
        top = max([*self.values, self.limit or 0.0]) * 1.05 or 1.0
        bars: Settings = {
            "type": "bar",
            "orientation": "h",
            "x": list(self.values),
            "y": list(range(len(self.names))),
        }
        bars |= {"marker": {"color": shades, "line": {"width": 0}}, "hoverinfo": "skip"}
        shapes = [] if self.limit is None else [rule("x", self.limit, colors.accent, dash="dash")]
        room = margin(8, 30 + 8 * max(map(len, self.texts)), 8, 8)
        high = min(height, 70 + 34 * len(self.names))
        figure = look.figure(
            [bars],
            theme,
            says,
            height=high,
            margin=room,
            shapes=shapes,
            xaxis=look.axis(theme, range=[0, top], tickvals=[], ticks=""),
            yaxis=rows([look.plain(name, 40) for name in self.names], theme),
            annotations=end_notes([look.plain(text) for text in self.texts], theme),
        )
        style = f"color:{colors.text};font-family:{look.FONT};font-size:13px"
        return tag("div", look.plain(self.title, 200), style=style) + drawing(figure, high)


@dataclass(frozen=True, eq=False)
class Line:
    """One line for each grouping of the ``values``, float64 (n): ``cuts`` holds its name and the group of
    each value.

    A bar spans each group, a cross marks its mean; ``marked``: the number of a highlighted value,
    −1 = none. ``title``: the name of the values.
    """

    values: np.ndarray
    cuts: Sequence[tuple[str, np.ndarray]]
    title: str
    marked: int = -1

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """Return the lines as HTML; raises OptionError for an unknown theme. Cost O(values · cuts)."""
        traces, notes = list[Settings](), list[Settings]()
        for row, (name, groups) in enumerate(self.cuts):
            traces += self._bands(row, groups, theme)
            notes.append(note(look.plain(name, 60), 0, row - 0.42, look.theme_of(theme).text, 13, **_TEXT))
        if self.marked >= 0:
            traces.append(self._pointer(theme))
        high = min(height, 70 + 78 * len(self.cuts))
        names: Settings = ticks([], [], range=[len(self.cuts) - 0.4, -0.75], showgrid=False, showline=False)
        spare = 0.04 * float(np.ptp(self.values))
        ends = [float(self.values.min()) - spare, float(self.values.max()) + spare]
        figure = look.figure(
            traces,
            theme,
            says,
            height=high,
            margin=margin(8, 12, 8, 8),
            xaxis=look.axis(theme, look.plain(self.title, 90), range=ends),
            yaxis={**look.axis(theme), **names},
            annotations=notes,
        )
        return drawing(figure, high)

    def _bands(self, row: int, groups: np.ndarray, theme: str) -> list[Settings]:
        colors = look.theme_of(theme)
        found = list[Settings]()
        for group in np.unique(groups):
            values = self.values[groups == group]
            color = colors.groups[int(group) % len(colors.groups)]
            ends, height = [values.min(), values.max()], [row, row]
            found.append(scatter("lines", ends, height, line={"color": look.faded(color, 0.35), "width": 16}))
            dots: Settings = {"size": 10, "color": color, "line": {"width": 1, "color": colors.surface}}
            found.append(scatter("markers", values, np.full(len(values), row), marker=dots))
            cross: Settings = {"symbol": "x", "size": 9, "color": colors.accent, "line": {"width": 0}}
            found.append(scatter("markers", [values.mean()], [row + 0.22], marker=cross))
        return found

    def _pointer(self, theme: str) -> Settings:
        accent = look.theme_of(theme).accent
        ring: Settings = {"symbol": "circle-open", "size": 18, "color": accent}
        ring["line"] = {"color": accent, "width": 2.5}
        rows = np.arange(len(self.cuts))
        return scatter("markers", np.full(len(rows), self.values[self.marked]), rows, marker=ring)


_TEXT: Settings = {"paper": "x", "anchor": "left middle"}


@dataclass(frozen=True)
class Figure:
    """A figure, made by ``make(theme)`` with its own text for screen readers; at most ``most`` pixels
    high."""

    make: Callable[[str], go.Figure]
    most: int = 420

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """Return the figure as HTML, with ``says`` before its own text; raises OptionError for an unknown
        theme."""
        figure = self.make(theme)
        figure.layout.meta = {"alt": f"{says} {figure.layout.meta['alt']}"}
        return drawing(figure, min(height, self.most))

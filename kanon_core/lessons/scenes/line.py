"""Numbers on a line and the groups they are cut into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, margin, note, scatter, ticks
from kanon_core.charts.drawing.drawing import drawing


@dataclass(frozen=True, eq=False)
class Line:
    """One line for each way to cut: ``cuts`` are names with the group of each of the ``values`` float64 (n).

    A bar spans each group, a cross stands at its mean; ``marked``: the number of a value that is pointed at,
    −1 = none. ``title``: what the values are."""

    values: np.ndarray
    cuts: Sequence[tuple[str, np.ndarray]]
    title: str
    marked: int = -1

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The lines as HTML; raises OptionError for an unknown theme. Cost O(values · cuts)."""
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

"""A round tour through the records of a plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, between, legend, note, scatter
from kanon_core.charts.canvas.plane import plane
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.table.table import Table

NUMBERED_AT_MOST = 60
"""Of more records, no numbers stand beside the places."""
_ANCHOR = "left middle"


@dataclass(frozen=True, eq=False)
class Tour:
    """The records of ``table`` in its plane, and lines from records to the next on a tour.

    ``records`` int64 (n): the number of each in the table it came from, from 0. ``links`` int64 (m, 2): from
    record to record; ``used`` booleans (m): the link is an edge in use, which no tour may have.
    """

    table: Table
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
        layout = {**plane(self.table).layout(theme, "step")}
        layout["annotations"] = [*layout.get("annotations", ()), *self._numbers(theme)]
        figure = look.figure(traces, theme, says, height=height, showlegend=True, legend=legend(), **layout)
        return drawing(figure, height)

    def _at(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        picture = plane(self.table)
        return picture.x.values[records], picture.y.values[records]

    def _lines(self, chosen: np.ndarray, name: str, color: str, dash: str) -> Settings:
        ends = between(self._at(self.links[chosen, 0]), self._at(self.links[chosen, 1]))
        line = {"color": color, "width": 1.6, "dash": dash}
        return scatter("lines", *ends, name=look.plain(name), line=line, showlegend=bool(chosen.any()))

    def _places(self, theme: str) -> Settings:
        colors = look.theme_of(theme)
        marker = {"size": 8, "color": colors.muted, "line": {"width": 1, "color": colors.surface}}
        everybody = np.arange(len(self.records))
        return scatter("markers", *self._at(everybody), marker=marker, showlegend=False, **UNDIMMED)

    def _numbers(self, theme: str) -> list[Settings]:
        """The number of each record on the tour beside its place."""
        members = np.unique(self.links)
        if len(members) > NUMBERED_AT_MOST:
            return []
        colors, (x, y) = look.theme_of(theme), self._at(members)
        seam: Settings = {"bgcolor": look.faded(colors.surface, 0.8), "xshift": 6, "yshift": 7}
        names = (self.records[members] + 1).astype(str).tolist()
        placed = zip(names, x.tolist(), y.tolist(), strict=True)
        return [note(name, a, b, colors.text, 11, anchor=_ANCHOR, **seam) for name, a, b in placed]

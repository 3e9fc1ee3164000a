"""Records in the plane that can be chosen: each has its number beside it and answers click and keys."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import UNDIMMED, Settings, legend, note, scatter
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.steps.onplane import OnPlane


@dataclass(frozen=True, eq=False)
class Choosing(OnPlane):
    """The picture of a step in which the records without a group can be chosen.

    ``numbers`` int64 (n): what each record is called. A record that can be chosen carries its number
    (``data-facts``); what holds the drawing listens.
    """

    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The picture as HTML; as of `OnPlane`."""
        traces = [*self._outlines(theme), self._records(theme), *self._marks(theme), *self._places(theme)]
        layout = {**self.plane.layout(theme, "step"), "showlegend": bool(self.marks or self.places)}
        layout["annotations"] = [*layout.get("annotations", ()), *self._names(theme)]
        figure = look.figure(
            [*traces, self._targets()], theme, says, height=height, legend=legend(), **layout
        )
        return drawing(figure, height, picked=True)

    def _targets(self) -> Settings:
        """Unseen disks as large as a finger needs, over the records without a group."""
        free = np.flatnonzero(self.groups < 0)
        x, y = self._at(free)
        numbers = self.numbers[free]
        marker = {"size": 24, "color": "rgba(0,0,0,0)", "line": {"width": 0}}
        hover = tr("record {number}").format(number="%{text}")
        about = {"text": [str(number) for number in numbers.tolist()], "customdata": numbers[:, None]}
        return scatter("markers", x, y, hover, marker=marker, showlegend=False, **about, **UNDIMMED)

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

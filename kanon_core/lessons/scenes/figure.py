"""A figure of the charts as a picture of a lesson."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kanon_core.charts.drawing.drawing import drawing

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Figure:
    """``make(theme)`` makes the figure, which says itself what it shows to those who do not see it; at most
    ``most`` pixels high."""

    make: Callable[[str], go.Figure]
    most: int = 420

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The figure as HTML, with ``says`` before its own words; raises OptionError for an unknown theme."""
        figure = self.make(theme)
        figure.layout.meta = {"alt": f"{says} {figure.layout.meta['alt']}"}
        return drawing(figure, min(height, self.most))

"""Figures as drawings for a report, where the library that describes them is installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kanon_core.base.words import tr
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.report.signing.blocks import Picture, Says

if TYPE_CHECKING:
    import plotly.graph_objects as go


def picture(make: Callable[[], go.Figure], height: int) -> Picture | Says:
    """The figure so many pixels high; a sentence in its place without plotly (the extra “app”), as the tables
    hold its numbers."""
    if find_spec("plotly") is None:
        return Says(tr("The drawing is left out, as plotly is not installed (extra “app”)."), quiet=True)
    figure = make()
    return Picture(drawing(figure, height), str(figure.layout.meta["alt"]))

"""A few numbers as bars, each with its name and its number written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, end_notes, margin, rows, rule
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.drawing.markup import tag


@dataclass(frozen=True)
class Bars:
    """A bar for each name, from the top: ``values`` ≥ 0 and how they are written, ``texts``.

    ``title``, above them, says what they are, with their unit; ``marked``: the number of a bar in the strong
    color; ``limit``: a value at which a line is drawn.
    """

    names: Sequence[str]
    values: Sequence[float]
    texts: Sequence[str]
    title: str
    marked: int = -1
    limit: float | None = None

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The bars as HTML; raises OptionError for an unknown theme."""
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

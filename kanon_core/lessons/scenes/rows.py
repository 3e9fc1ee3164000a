"""A small table as a picture: cells that are pointed at, cells that are gone, rows of one group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.drawing.markup import tag

_NUMBER = 13
"""Pixels of the letters of a table of few rows."""
_MANY = 12
_PADDING = "padding:2px clamp(4px, 1.4vw, 8px)"
_CELL = f"{_PADDING};white-space:nowrap"
_LINE = "border-bottom:1px solid {color}"
_GROUP = "{cell};border-left:5px solid {color};{line}"
_HEAD = f"text-align:left;{_PADDING};font-weight:600;border-bottom:2px solid {{color}}"


class Cell(NamedTuple):
    """A text, and how it stands there: "marked", "gone" (struck out), "bold" or ""."""

    text: str
    look: str = ""


def marked(text: object) -> Cell:
    """A cell that is pointed at."""
    return Cell(str(text), "marked")


def gone(text: object) -> Cell:
    """A cell that is not published."""
    return Cell(str(text), "gone")


@dataclass(frozen=True)
class Rows:
    """A table with headings; ``title`` stands above it. ``groups``: the group of each row, from 0, which gets
    a color and a number of its own in front; −1 = none."""

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    groups: Sequence[int] = ()
    title: str = ""

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The table as HTML; raises OptionError for an unknown theme. Cost O(cells)."""
        colors = look.theme_of(theme)
        numbered = [tr("group")] if len(self.groups) else []
        heads = "".join(self._head(name, colors) for name in [*numbered, *self.heads])
        body = "".join(tag("tr", "".join(self._row(i, colors))) for i in range(len(self.rows)))
        size = _MANY if len(self.rows) > 10 else _NUMBER
        style = f"border-collapse:collapse;width:100%;font-size:{size}px;font-variant-numeric:tabular-nums"
        table = tag("table", tag("thead", tag("tr", heads)) + tag("tbody", body), style=style)
        title = tag("div", look.plain(self.title, 90), style="font-weight:600;padding:0 0 4px 2px")
        held = f"overflow-x:auto;color:{colors.text};font-family:{look.FONT}"
        inside = (title if self.title else "") + table
        return tag("div", inside, class_="scene", role="group", aria_label=says, tabindex="0", style=held)

    def _row(self, number: int, colors: look.Theme) -> Iterator[str]:
        line = _LINE.format(color=colors.grid)
        if len(self.groups):
            group = self.groups[number]
            color = colors.muted if group < 0 else colors.groups[group % len(colors.groups)]
            name = "–" if group < 0 else str(group + 1)
            yield tag("td", name, style=_GROUP.format(cell=_CELL, color=color, line=line))
        for given in self.rows[number]:
            cell = given if isinstance(given, Cell) else Cell(str(given))
            yield tag("td", self._text(cell), style=f"{_CELL};{line};{self._look(cell, colors)}")

    @staticmethod
    def _text(cell: Cell) -> str:
        text = look.plain(cell.text, 60)
        return tag("s", text) if cell.look == "gone" else text

    @staticmethod
    def _look(cell: Cell, colors: look.Theme) -> str:
        if cell.look == "marked":
            return f"font-weight:600;background:{look.faded(colors.groups[1], 0.28)}"
        return {"gone": f"color:{colors.muted}", "bold": "font-weight:600"}.get(cell.look, "")

    @staticmethod
    def _head(name: str, colors: look.Theme) -> str:
        style = _HEAD.format(color=colors.muted)
        return tag("th", look.plain(name, 40), scope="col", style=style)

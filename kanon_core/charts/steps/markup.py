"""Tables of steps as HTML: cells, their looks, and the frame in which a long table scrolls."""

from __future__ import annotations

import html
from collections.abc import Sequence

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.drawing.markup import tag

_TABLE = "border-collapse:collapse;font-size:13px;line-height:1.45"
_CELL = "padding:.1rem .45rem;text-align:left;vertical-align:top"
BAR = "white-space:nowrap;border-left:5px solid {color};background:{shade}"
"""The look of the first cell of a row: a bar in the color of its group."""
RULE = "border-top:{width}px solid {color}"
"""The look of a row with a line above it."""


def escaped(text: object, most: int = 40) -> str:
    """A text from the data as HTML, on one line and at most so long.

    >>> escaped("<b>" + "x" * 50, 6)
    '&lt;b&gt;xx…'
    """
    line = " ".join(str(text).split())
    return html.escape(line if len(line) <= most else line[: most - 1] + "…")


def color_of(group: int, theme: str) -> str:
    """The color of a group of this number; gray for −1. The last color of the palette, gray too, is not
    used."""
    colors = look.theme_of(theme)
    return colors.groups[group % (len(colors.groups) - 1)] if group >= 0 else colors.muted


def cell(inside: str, style: str = "", head: bool = False, **more: object) -> str:
    """A cell of a table; ``inside`` is HTML."""
    scope = {"scope": "col"} if head else {}
    return tag("th" if head else "td", inside, style=f"{_CELL};{style}" if style else _CELL, **scope, **more)


def row(cells: Sequence[str], style: str = "") -> str:
    """A row of cells."""
    return tag("tr", "".join(cells), style=style or None)


def scrolled(heads: Sequence[str], rows: Sequence[str], theme: str, says: str, height: int) -> str:
    """The table in a frame of this height in pixels, which scrolls by wheel and keys where it is too small;
    ``says``: its name for screen readers."""
    colors = look.theme_of(theme)
    top = row([cell(head, f"color:{colors.muted};font-weight:600", head=True) for head in heads])
    inside = tag("thead", top) + tag("tbody", "".join(rows))
    table = tag("table", inside, style=f"{_TABLE};color:{colors.text}")
    frame = f"height:{height}px;overflow:auto;font-family:{look.FONT}"
    about = {"role": "region", "aria_label": says, "tabindex": 0}
    return tag("div", table, class_="drawing", style=frame, **about)

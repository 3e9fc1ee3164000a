"""Pictures for lessons: small tables, and pictures side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.drawing.markup import tag
from kanon_core.charts.steps import Scene
from kanon_core.release.release import Release
from kanon_core.table.table import Table

_NUMBER = 13
"""The font size, in pixels, of a table with few rows."""
_MANY = 12
_PADDING = "padding:2px clamp(4px, 1.4vw, 8px)"
_CELL = f"{_PADDING};white-space:nowrap"
_LINE = "border-bottom:1px solid {color}"
_GROUP = "{cell};border-left:5px solid {color};{line}"
_HEAD = f"text-align:left;{_PADDING};font-weight:600;border-bottom:2px solid {{color}}"


class Cell(NamedTuple):
    """A text and its look: "marked", "gone" (crossed out), "bold" or ""."""

    text: str
    look: str = ""


def marked(text: object) -> Cell:
    """Return a highlighted cell."""
    return Cell(str(text), "marked")


def gone(text: object) -> Cell:
    """Return a cell that is not published."""
    return Cell(str(text), "gone")


@dataclass(frozen=True)
class Rows:
    """A table with headings and an optional ``title``. ``groups``: the group of each row, from 0, shown by a
    color and a number in front; −1 = none."""

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    groups: Sequence[int] = ()
    title: str = ""

    def numbered(self) -> Rows:
        """Return the table with the number of each row, from 1, in front.

        >>> Rows(["age"], [[34], [41]]).numbered().rows
        [['1', 34], ['2', 41]]
        """
        rows = [[str(number), *row] for number, row in enumerate(self.rows, 1)]
        return replace(self, heads=[tr("row"), *self.heads], rows=rows)

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """Return the table as HTML; raises OptionError for an unknown theme. Cost O(cells)."""
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


def original(
    table: Table, columns: Sequence[str] = (), points_at: np.ndarray | None = None, title: str = ""
) -> Rows:
    """Return the original records, of all columns or these; rows ``points_at``, int64, are marked."""
    names = list(columns or table.schema.names)
    chosen = set(() if points_at is None else points_at.tolist())
    rows = [
        [marked(text) if number in chosen else Cell(text) for text in texts]
        for number, texts in enumerate(texts_of(table, names))
    ]
    return Rows(names, rows, title=title)


def published(table: Table, release: Release, beside: Sequence[str] = ()) -> Rows:
    """Return the rows of a release, class by class, each with the letter of its person, which is not
    published; ``beside``: further published columns."""
    shown = classes_of(release, beside)
    letters = table.frame["person"].astype(str).to_numpy()[in_classes(release)]
    rows = [[letter, *row] for letter, row in zip(letters, shown.rows, strict=True)]
    return Rows([tr("(person)"), *shown.heads], rows, shown.groups)


def classes_of(release: Release, beside: Sequence[str] = (), points_at: np.ndarray | None = None) -> Rows:
    """Return the rows of a release, class by class; the last cell of the rows ``points_at``, bool, is
    marked."""
    order = in_classes(release)
    names = [*(column.attribute.name for column in release.published), *beside]
    pointed = None if points_at is None else points_at[order]
    shown = frame_rows(release.to_frame()[names].iloc[order], pointed)
    return Rows(names, shown.rows, release.classes[order].tolist())


def in_classes(release: Release) -> np.ndarray:
    """Return the rows of a release in the order of their classes: int64 (n)."""
    return np.argsort(release.classes, kind="stable")


def frame_rows(frame: pd.DataFrame, points_at: np.ndarray | None = None, title: str = "") -> Rows:
    """Return the rows of a frame; the last cell of the rows ``points_at``, bool, is marked."""
    rows = [[*map(str, row)] for row in frame.itertuples(index=False)]
    pointed = np.zeros(len(rows), bool) if points_at is None else points_at
    shown = [[*row[:-1], marked(row[-1])] if at else row for row, at in zip(rows, pointed, strict=True)]
    return Rows(list(frame.columns), shown, title=title)


def texts_of(table: Table, names: Sequence[str]) -> list[list[str]]:
    """Return the cells of these columns as texts, record by record."""
    return [
        [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row]
        for row in table.frame[list(names)].itertuples(index=False)
    ]


@dataclass(frozen=True)
class Beside:
    """Scenes of equal width; ``titles`` are shown above them."""

    scenes: Sequence[Scene]
    titles: Sequence[str] = ()

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """Return all scenes as HTML; each keeps its own height."""
        parts = []
        titles = [*self.titles, *[""] * (len(self.scenes) - len(self.titles))]
        for title, scene in zip(titles, self.scenes, strict=True):
            color = f"font-weight:600;color:{look.theme_of(theme).text};font-family:{look.FONT}"
            above = tag("div", look.plain(title, 90), style=color) if title else ""
            inside = above + scene.drawn(theme, f"{title}: {says}" if title else says, height)
            parts.append(tag("div", inside, style="flex:1 1 250px;min-width:0"))
        style = "display:flex;flex-wrap:wrap;gap:12px 28px"
        return tag("div", "".join(parts), class_="beside", style=style)

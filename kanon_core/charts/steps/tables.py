"""Steps as tables: records × columns in the groups so far, people × their records; a long table scrolls."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.drawing.markup import tag
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import recode
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.columns.texts import original_texts, quoted
from kanon_core.table.table import Table

OPEN, OUT = -1, -2
"""Instead of the block of a record: not decided yet; left out."""

_RECORDS = 60
RECORDS_AT_MOST = 40
"""The most records with a row each; with more, a group outside the step's focus is one row."""
_ITEMS, _COLUMNS = 24, 8
_TABLE = "border-collapse:collapse;font-size:13px;line-height:1.45"
_CELL = "padding:.1rem .45rem;text-align:left;vertical-align:top"
_BAR = "white-space:nowrap;border-left:5px solid {color};background:{shade}"
"""The look of the first cell of a row: a bar in the color of its group."""
_RULE = "border-top:{width}px solid {color}"
_CHIP = "border:1px solid {color};border-radius:4px;padding:0 .3rem"
_NOW = ";outline:2px solid {color}"


@dataclass(frozen=True, eq=False)
class ItemTable:
    """The records of ``table``, group by group (set-valued paper, figure 6): published items stand out, the
    others are struck out; of a single value, what is published stands after it.

    ``records`` int64 (n): the number of each in the table it came from, from 0. ``groups`` int64 (n): −1 =
    left out. ``focus``: the groups that the step is about, which come first. ``shown``: by name, columns
    whose cells are not those of the groups.
    """

    table: Table
    records: np.ndarray
    groups: np.ndarray
    focus: tuple[int, ...] = ()
    shown: Mapping[str, PublishedColumn] = field(default_factory=dict)

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The table as HTML; raises OptionError for an unknown theme. Cost O(n · columns + items)."""
        heads = [tr("Record"), *(_escaped(column.attribute.name, 24) for column in self._columns)]
        if more := len(self.table.quasi) - len(self._columns):
            heads[-1] += " " + tr("(and {count} more columns)").format(count=more)
        rows = [line for group in self._order for line in self._group(group, theme)]
        return _scrolled(heads, rows, theme, says, height)

    @property
    def _columns(self) -> tuple[Column, ...]:
        return self.table.quasi[:_COLUMNS]

    @cached_property
    def _order(self) -> list[int]:
        """The groups: those of the step first, then by their lowest record, suppressed records last."""
        first = {int(g): int(self.records[self.groups == g].min()) for g in np.unique(self.groups)}
        return sorted(first, key=lambda g: (g not in self.focus, g < 0, first[g]))

    @cached_property
    def _published(self) -> dict[str, PublishedColumn]:
        cover = Partition(self.groups)
        return {
            column.attribute.name: self.shown.get(column.attribute.name) or recode(column, cover)
            for column in self._columns
        }

    def _group(self, group: int, theme: str) -> Iterator[str]:
        """The rows of a group, with a bar in its color."""
        colors = look.theme_of(theme)
        color = _color_of(group, theme)
        members = np.flatnonzero(self.groups == group)
        members = members[np.argsort(self.records[members])]
        strong = group in self.focus
        shade = look.faded(color, 0.16 if strong else 0.05)
        bar, gap = _BAR.format(color=color, shade=shade), _RULE.format(width=2, color=colors.grid)
        if len(self.groups) > RECORDS_AT_MOST and not strong:
            cells = [_escaped(counted(len(members), "record"))]
            cells += [self._whole(column, members, theme) for column in self._columns]
            yield _row([_cell(cells[0], bar), *map(_cell, cells[1:])], gap)
            return
        for place, record in enumerate(members.tolist()):
            cells = [
                _cell(
                    self._one(column, record, theme),
                    "" if isinstance(column, Items) else "white-space:nowrap",
                )
                for column in self._columns
            ]
            head = _cell(f"<b>{self.records[record] + 1}</b>", bar)
            yield _row([head, *cells], gap if place == 0 else "")

    def _whole(self, column: Column, members: np.ndarray, theme: str) -> str:
        """Return the published cell of a group in a column; where its records differ, how many items they
        publish."""
        published = self._published[column.attribute.name]
        if self.groups[members[0]] < 0:
            return _quiet(tr("suppressed"), theme)
        texts = dict.fromkeys(published.texts(column, members))
        text = (
            next(iter(texts)) if len(texts) == 1 else tr("{count} different cells").format(count=len(texts))
        )
        return f"<b>{_escaped(text, 90)}</b>"

    def _one(self, column: Column, record: int, theme: str) -> str:
        """Return one record's own value or items, with the published ones marked."""
        published = self._published[column.attribute.name]
        if isinstance(column, Items):
            return self._items(column, published, record, theme)
        own = original_texts(column, np.array([record]))[0]
        if self.groups[record] < 0:
            return _struck(own, theme)
        text = published.texts(column, np.array([record]))[0]
        if text == own:
            return f"<b>{_escaped(text)}</b>"
        return f"{_quiet(own, theme)} <b>{_escaped(text)}</b>"

    def _items(self, column: Items, published: PublishedColumn, record: int, theme: str) -> str:
        own = column.items[column.starts[record] : column.starts[record + 1]].tolist()
        if int(published.cell[record]) < 0:
            texts = [_struck(column.labels[item], theme) for item in own[:_ITEMS]]
        else:
            cells = published.cells.as_items().lowest(column)
            at = int(published.cell[record])
            labels = column.closure.sets.labels
            there = [labels[item] for item in cells.items[cells.starts[at] : cells.starts[at + 1]].tolist()]
            mine = {column.labels[item] for item in own}
            texts = [_chip(label, theme) for label in there if label not in mine]
            left = [column.labels[item] for item in own[:_ITEMS]]
            texts += [_chip(item, theme) if item in there else _struck(item, theme) for item in left]
        more = [tr("and {count} more").format(count=len(own) - _ITEMS)] if len(own) > _ITEMS else []
        return " ".join([*texts, *more]) or _quiet("{}", theme)


def _chip(label: str, theme: str) -> str:
    style = _CHIP.format(color=look.theme_of(theme).lines[0])
    return f'<b style="{style}">{_escaped(quoted(label), 24)}</b>'


def _struck(label: str, theme: str) -> str:
    return f'<s style="color:{look.theme_of(theme).muted}">{_escaped(quoted(label), 24)}</s>'


def _quiet(text: str, theme: str) -> str:
    return f'<span style="color:{look.theme_of(theme).muted}">{_escaped(text)}</span>'


class Kept(NamedTuple):
    """A record of a person: its number, the block in which it is published (or `OPEN`, `OUT`), and whether
    the step is about it."""

    number: int
    block: int
    now: bool = False


class Person(NamedTuple):
    """A person as a row: what they are called, and their records, the paired ones in the order of their
    ranks."""

    name: str
    records: Sequence[Kept]


@dataclass(frozen=True, eq=False)
class HistoryTable:
    """People as rows from the top, records as cells in the color of their block. Records left out are struck
    out; those the step pairs stand in a frame."""

    people: Sequence[Person]

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """The table as HTML; raises OptionError for an unknown theme. Cost O(records)."""
        most = max((len(person.records) for person in self.people), default=0)
        heads = [tr("Person"), tr("Records"), *(str(rank + 1) for rank in range(min(most, _RECORDS)))]
        if most > _RECORDS:
            heads.append(tr("and more"))
        rows = [self._person(person, theme) for person in self.people]
        return _scrolled(heads, rows, theme, says, height)

    def _person(self, person: Person, theme: str) -> str:
        colors = look.theme_of(theme)
        blocks = [one.block for one in person.records if one.block >= 0]
        color = _color_of(blocks[-1] if blocks else OPEN, theme)
        head = _cell(f"<b>{_escaped(person.name)}</b>", _BAR.format(color=color, shade="none"))
        cells = [_cell(_record(one, theme)) for one in person.records[:_RECORDS]]
        if len(person.records) > _RECORDS:
            cells.append(_cell(f"+{len(person.records) - _RECORDS}"))
        return _row([head, _cell(str(len(person.records))), *cells], _RULE.format(width=1, color=colors.grid))


def _record(kept: Kept, theme: str) -> str:
    colors = look.theme_of(theme)
    if kept.block == OUT:
        return f'<s style="color:{colors.muted}">{kept.number}</s>'
    if kept.block == OPEN:
        return f"{kept.number}"
    style = f"background:{look.faded(_color_of(kept.block, theme), 0.3)};border-radius:4px;padding:0 .3rem"
    if kept.now:
        style += _NOW.format(color=colors.accent)
    return f'<b style="{style}">{kept.number}</b>'


def _escaped(text: object, most: int = 40) -> str:
    """A text from the data as HTML, on one line and at most so long.

    >>> _escaped("<b>" + "x" * 50, 6)
    '&lt;b&gt;xx…'
    """
    line = " ".join(str(text).split())
    return html.escape(line if len(line) <= most else line[: most - 1] + "…")


def _color_of(group: int, theme: str) -> str:
    """The color of a group of this number; gray for −1. The last color of the palette, gray too, is not
    used."""
    colors = look.theme_of(theme)
    return colors.groups[group % (len(colors.groups) - 1)] if group >= 0 else colors.muted


def _cell(inside: str, style: str = "") -> str:
    return tag("td", inside, style=f"{_CELL};{style}" if style else _CELL)


def _row(cells: Sequence[str], style: str = "") -> str:
    return tag("tr", "".join(cells), style=style or None)


def _scrolled(heads: Sequence[str], rows: Sequence[str], theme: str, says: str, height: int) -> str:
    """The table in a frame of this height in pixels, which scrolls by wheel and keys where it is too small;
    ``says``: its name for screen readers."""
    colors = look.theme_of(theme)
    strong = f"{_CELL};color:{colors.muted};font-weight:600"
    top = _row([tag("th", head, style=strong, scope="col") for head in heads])
    inside = tag("thead", top) + tag("tbody", "".join(rows))
    table = tag("table", inside, style=f"{_TABLE};color:{colors.text}")
    frame = f"height:{height}px;overflow:auto;font-family:{look.FONT}"
    about = {"role": "region", "aria_label": says, "tabindex": 0}
    return tag("div", table, class_="drawing", style=frame, **about)

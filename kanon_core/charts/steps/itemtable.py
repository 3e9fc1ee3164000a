"""Records × columns in the groups so far: which of its items, and which values, each record publishes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.steps.markup import BAR, RULE, cell, color_of, escaped, row, scrolled
from kanon_core.release.cells import PublishedColumn
from kanon_core.release.cover import Partition
from kanon_core.release.recoding import recode
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.columns.texts import original_texts, quoted
from kanon_core.table.table import Table

RECORDS_AT_MOST = 40
"""Of more records, each of the groups that a step is not about is one row."""
_ITEMS, _COLUMNS = 24, 8
_CHIP = "border:1px solid {color};border-radius:4px;padding:0 .3rem"


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
        heads = [tr("Record"), *(escaped(column.attribute.name, 24) for column in self._columns)]
        if more := len(self.table.quasi) - len(self._columns):
            heads[-1] += " " + tr("(and {count} more columns)").format(count=more)
        rows = [line for group in self._order for line in self._group(group, theme)]
        return scrolled(heads, rows, theme, says, height)

    @property
    def _columns(self) -> tuple[Column, ...]:
        return self.table.quasi[:_COLUMNS]

    @cached_property
    def _order(self) -> list[int]:
        """The groups: those of the step first, then by their lowest record, at last what is left out."""
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
        color = color_of(group, theme)
        members = np.flatnonzero(self.groups == group)
        members = members[np.argsort(self.records[members])]
        strong = group in self.focus
        shade = look.faded(color, 0.16 if strong else 0.05)
        bar = BAR.format(color=color, shade=shade)
        if len(self.groups) > RECORDS_AT_MOST and not strong:
            cells = [escaped(counted(len(members), "record"))]
            cells += [self._whole(column, members, theme) for column in self._columns]
            yield row([cell(cells[0], bar), *map(cell, cells[1:])], _gap(colors))
            return
        for place, record in enumerate(members.tolist()):
            cells = [
                cell(
                    self._one(column, record, theme),
                    "" if isinstance(column, Items) else "white-space:nowrap",
                )
                for column in self._columns
            ]
            head = cell(f"<b>{self.records[record] + 1}</b>", bar)
            yield row([head, *cells], _gap(colors) if place == 0 else "")

    def _whole(self, column: Column, members: np.ndarray, theme: str) -> str:
        """What a group publishes of a column; where its records differ, how many items they publish."""
        published = self._published[column.attribute.name]
        if self.groups[members[0]] < 0:
            return _quiet(tr("left out"), theme)
        texts = dict.fromkeys(published.texts(column, members))
        text = (
            next(iter(texts)) if len(texts) == 1 else tr("{count} different cells").format(count=len(texts))
        )
        return f"<b>{escaped(text, 90)}</b>"

    def _one(self, column: Column, record: int, theme: str) -> str:
        """One record's own value or items, and what of them is published."""
        published = self._published[column.attribute.name]
        if isinstance(column, Items):
            return self._items(column, published, record, theme)
        own = original_texts(column, np.array([record]))[0]
        if self.groups[record] < 0:
            return _struck(own, theme)
        text = published.texts(column, np.array([record]))[0]
        if text == own:
            return f"<b>{escaped(text)}</b>"
        return f"{_quiet(own, theme)} <b>{escaped(text)}</b>"

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


def _gap(colors: look.Theme) -> str:
    return RULE.format(width=2, color=colors.grid)


def _chip(label: str, theme: str) -> str:
    style = _CHIP.format(color=look.theme_of(theme).lines[0])
    return f'<b style="{style}">{escaped(quoted(label), 24)}</b>'


def _struck(label: str, theme: str) -> str:
    return f'<s style="color:{look.theme_of(theme).muted}">{escaped(quoted(label), 24)}</s>'


def _quiet(text: str, theme: str) -> str:
    return f'<span style="color:{look.theme_of(theme).muted}">{escaped(text)}</span>'

"""People × their records: which block each person is in, which records are paired, what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.steps.markup import BAR, RULE, cell, color_of, escaped, row, scrolled

OPEN, OUT = -1, -2
"""Instead of the block of a record: not decided yet; left out."""

_RECORDS = 60
_NOW = ";outline:2px solid {color}"


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
        return scrolled(heads, rows, theme, says, height)

    def _person(self, person: Person, theme: str) -> str:
        colors = look.theme_of(theme)
        blocks = [one.block for one in person.records if one.block >= 0]
        color = color_of(blocks[-1] if blocks else OPEN, theme)
        head = cell(f"<b>{escaped(person.name)}</b>", BAR.format(color=color, shade="none"))
        cells = [cell(_record(one, theme)) for one in person.records[:_RECORDS]]
        if len(person.records) > _RECORDS:
            cells.append(cell(f"+{len(person.records) - _RECORDS}"))
        return row([head, cell(str(len(person.records))), *cells], RULE.format(width=1, color=colors.grid))


def _record(one: Kept, theme: str) -> str:
    colors = look.theme_of(theme)
    if one.block == OUT:
        return f'<s style="color:{colors.muted}">{one.number}</s>'
    if one.block == OPEN:
        return f"{one.number}"
    style = f"background:{look.faded(color_of(one.block, theme), 0.3)};border-radius:4px;padding:0 .3rem"
    if one.now:
        style += _NOW.format(color=colors.accent)
    return f'<b style="{style}">{one.number}</b>'

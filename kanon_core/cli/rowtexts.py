"""Rows that were made again as text: what a part is, its rows, what the paper says about them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from kanon_core.base.words import tr
from kanon_core.cli.output import printable
from kanon_core.papers import Check, Part, Row, Task
from kanon_core.papers.frame import above_text, compared_text, papers_text

WIDTH = 100
"""Columns of a terminal that everything fits into."""
_LINE = "{:>11}  {:>12}  {:>7}  {:>23}  {:>13}"
_HEADER = _LINE.format("mean", "paper", "ratio", "range", "above optimum")
_VERDICT = "{:<13}"


def part_text(part: Part, tasks: Sequence[Task]) -> str:
    """What the rows that follow are, and the heads of their columns."""
    mine = next(task for task in tasks if task.part == part)
    heads = f"{_place(list(mine.place), part, tasks)}  {_HEADER}"
    return "\n".join((part.title, _wrapped(f"{part.data}. {compared_text(part)}"), heads))


def row_text(row: Row, tasks: Sequence[Task]) -> str:
    """The line of a row: where it stands, mean, the paper's number, ratio, range, distance to the optimum."""

    def text(value: float) -> str:
        return f"{value:,.{row.part.digits}f}"

    spread = f"{text(min(row.values))}–{text(max(row.values))}" if len(row.values) > 1 else ""
    ratio = f"{row.ratio:.3g}" if row.ratio is not None else ""
    numbers = _LINE.format(text(row.mean), papers_text(row), ratio, spread, above_text(row))
    return f"{_place(list(row.place.values()), row.part, tasks)}  {numbers}".rstrip()


def said_text(checks: Sequence[Check], notes: Sequence[str]) -> str:
    """What the paper says, each sentence behind its verdict, then what was not made; "" for nothing."""
    lines = [_wrapped(check.sentence, _VERDICT.format(tr(check.verdict))) for check in checks]
    parts = [(tr("What the paper says"), lines), (tr("What is not made"), [_wrapped(one) for one in notes])]
    return "\n\n".join("\n".join((title, *inside)) for title, inside in parts if inside)


def _place(cells: Sequence[object], part: Part, tasks: Sequence[Task]) -> str:
    """The cells that say where a row stands, as wide as in every row of the part."""
    mine = [task.place for task in tasks if task.part == part]
    widths = [max(len(name), *(len(str(place[name])) for place in mine)) for name in mine[0]]
    return "  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True))


def _wrapped(text: str, lead: str = "") -> str:
    lines = textwrap.wrap(printable(text), WIDTH - len(lead), break_long_words=False)
    return "\n".join((" " * len(lead) if place else lead) + line for place, line in enumerate(lines))

"""A report as Markdown: tables as tables, drawings as what they show in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kanon_core.base.words import tr
from kanon_core.report.signing.blocks import (
    Block,
    Command,
    Facts,
    Grid,
    Lines,
    Picture,
    Report,
    Says,
    Section,
)
from kanon_core.report.signing.texts import code, empty, legible

_ACTIVE = re.compile(r"([!$&*<>@\[\\\]_`{|}~]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_AT_FIRST = re.compile(r"^(\d+(?=[.)])|)([#+\-=.)])")
"""What Markdown acts on anywhere, and only where a line begins."""


def to_markdown(report: Report) -> str:
    """The report as Markdown of the GitHub kind; whatever Markdown or HTML would act on is escaped."""
    parts = [f"# {escaped(report.title)}", escaped(report.about)]
    for number, section in enumerate(report.sections, 1):
        parts += _section(number, section)
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: object) -> str:
    r"""A text that reads as it is, on one line.

    >>> escaped("<b>a_b</b> | c")
    '\\<b\\>a\\_b\\</b\\> \\| c'
    >>> escaped("2026-01-02"), escaped("- 1"), escaped("1. one")
    ('2026-01-02', '\\- 1', '1\\. one')
    """
    return _AT_FIRST.sub(r"\1\\\2", _ACTIVE.sub(r"\\\1", legible(text)))


def _section(number: int, section: Section) -> list[str]:
    return [f"## {number}. {escaped(section.title)}", *(_block(block) for block in section.blocks)]


def _block(block: Block) -> str:
    match block:
        case Says():
            return escaped(block.text)
        case Facts():
            rows = tuple((name, value if value.strip() else empty()) for name, value in block.rows)
            return _table((tr("fact"), tr("what it is")), rows, ())
        case Grid():
            return _table(block.head, block.rows, block.right)
        case Picture():
            return tr("Drawing: {alt}").format(alt=escaped(block.alt))
        case Command():
            return "\n".join(f"    {code(line)}" for line in block.text.split("\n"))
        case Lines():
            return "\n\n".join(f"{escaped(name)}: ______________________" for name in block.names)


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...], right: tuple[int, ...]) -> str:
    rule = ("--:" if place in right else "---" for place in range(len(head)))
    lines = [_line(map(escaped, head)), _line(rule)]
    return "\n".join([*lines, *(_line(map(escaped, row)) for row in rows)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

"""A report as one HTML file – no script, nothing fetched, printed to A4 pages – and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

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
    code,
    empty,
    legible,
)

_STYLE = Path(__file__).with_name("report.css")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_SHORT = 900
"""The most letters of a table that is not split between two pages."""


def to_html(report: Report) -> str:
    """Return the report as HTML; every text in it is escaped. To make a PDF of it, print it from a
    browser."""
    sections = "\n".join(_section_html(number, one) for number, one in enumerate(report.sections, 1))
    printing = tr("To sign on paper or as a PDF, print this page; it is laid out for A4.")
    about = f'<p class="about">{_text(report.about)}</p>\n<p class="screen">{_text(printing)}</p>'
    return html_page(_text(report.title), _STYLE, about, sections)


def html_page(title: str, style: Path, about: str, body: str) -> str:
    """Return an HTML file with this heading, the paragraphs ``about`` it and a body, all escaped already; a
    browser does nothing with it but show it."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style.read_text('utf-8')}</style>\n</head>\n<body>\n<main>\n"
        f"<header>\n<h1>{title}</h1>\n{about}\n</header>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section_html(number: int, section: Section) -> str:
    inside = "\n".join(_block_html(block) for block in section.blocks)
    signed = any(isinstance(block, Lines) for block in section.blocks)
    look = ' class="new-page"' if section.new_page else ' class="together"' if signed else ""
    name = f"part-{number}"
    heading = f'<h2 id="{name}">{number}. {_text(section.title)}</h2>'
    return f'<section{look} aria-labelledby="{name}">\n{heading}\n{inside}\n</section>'


def _block_html(block: Block) -> str:
    match block:
        case Says():
            look = ' class="quiet"' if block.quiet else ""
            return f"<p{look}>{_text(block.text)}</p>"
        case Facts():
            return _facts(block)
        case Grid():
            return _grid(block)
        case Picture():
            return f'<figure class="drawn">{block.html}</figure>'
        case Command():
            lines = "\n".join(escape(code(line)) for line in block.text.split("\n"))
            return f"<pre>{lines}</pre>"
        case Lines():
            return _lines(block)


def _facts(block: Facts) -> str:
    rows = "".join(
        f'<tr><th scope="row">{_text(name)}</th><td>{_filled(value)}</td></tr>\n'
        for name, value in block.rows
    )
    return f'<table class="facts">\n{rows}</table>'


def _filled(value: str) -> str:
    return _text(value) if value.strip() else f'<span class="empty">{_text(empty())}</span>'


def _grid(block: Grid) -> str:
    right = [' class="right"' if i in block.right else "" for i in range(len(block.head))]
    columns = "".join(f'<col style="width:{width}%">' for width in block.widths)
    head = "".join(
        f'<th scope="col"{look}>{_text(name)}</th>' for name, look in zip(block.head, right, strict=True)
    )
    rows = "".join(
        "<tr>" + "".join(f"<td{look}>{_text(c)}</td>" for c, look in zip(row, right, strict=True)) + "</tr>\n"
        for row in block.rows
    )
    names = [*(["set"] if block.widths else []), *(["short"] if _is_short(block) else [])]
    look = f' class="{" ".join(names)}"' if names else ""
    return f"<table{look}>\n{columns}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"


def _is_short(block: Grid) -> bool:
    """Return whether the block is to be kept on one page."""
    return sum(len(text) for row in block.rows for text in row) < _SHORT


def _lines(block: Lines) -> str:
    return '<div class="lines">' + "".join(f"<p>{_text(name)}</p>" for name in block.names) + "</div>"


def _text(text: object) -> str:
    return escape(legible(text))


_ACTIVE = re.compile(r"([!$&*<>@\[\\\]_`{|}~]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_AT_FIRST = re.compile(r"^(\d+(?=[.)])|)([#+\-=.)])")
"""The signs that Markdown acts on: anywhere, and only at the beginning of a line."""


def to_markdown(report: Report) -> str:
    """Return the report as Markdown of the GitHub kind; whatever Markdown or HTML would act on is escaped."""
    parts = [f"# {escaped(report.title)}", escaped(report.about)]
    for number, section in enumerate(report.sections, 1):
        parts += _section_markdown(number, section)
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: object) -> str:
    r"""Return a text that reads as it is, on one line.

    >>> escaped("<b>a_b</b> | c")
    '\\<b\\>a\\_b\\</b\\> \\| c'
    >>> escaped("2026-01-02"), escaped("- 1"), escaped("1. one")
    ('2026-01-02', '\\- 1', '1\\. one')
    """
    return _AT_FIRST.sub(r"\1\\\2", _ACTIVE.sub(r"\\\1", legible(text)))


def _section_markdown(number: int, section: Section) -> list[str]:
    return [f"## {number}. {escaped(section.title)}", *(_block_markdown(block) for block in section.blocks)]


def _block_markdown(block: Block) -> str:
    match block:
        case Says():
            return escaped(block.text)
        case Facts():
            rows = tuple((name, value if value.strip() else empty()) for name, value in block.rows)
            return _table((tr("fact"), tr("value")), rows, ())
        case Grid():
            return _table(block.head, block.rows, block.right)
        case Picture():
            return tr("Chart: {alt}").format(alt=escaped(block.alt))
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

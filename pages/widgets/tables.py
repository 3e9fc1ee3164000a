"""Tables in plain HTML, which the browser updates many times faster than a data grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple

import streamlit as st


class Cell(NamedTuple):
    """HTML whose texts are escaped, the classes of its cell, and what is shown on hovering (escaped too)."""

    html: str
    kind: str = ""
    title: str = ""


def cell(text: object, kind: str = "", title: str = "") -> Cell:
    """A cell that shows a text."""
    return Cell(escape(str(text)), kind, escape(title))


def number(text: str, kind: str = "") -> Cell:
    """A cell whose text stands on the right."""
    return cell(text, f"number {kind}".strip())


def named(names: Iterable[str], first: str = "") -> list[Cell]:
    """Headings that show their whole text on hovering; ``first``: the classes of the first one."""
    return [cell(name, first if i == 0 else "", name) for i, name in enumerate(names)]


def html_table(
    heads: Iterable[Cell], rows: Iterable[Iterable[Cell]], above: str = "", kind: str = "", lead: bool = True
) -> None:
    """A table that scrolls by itself; ``lead``: the first cell of a row is its heading.

    ``above``: the HTML of one more row of headings; ``kind``: classes of the table's frame.
    """
    st.html("".join(_pieces(heads, rows, above, kind=f"beforeafter {kind}".strip(), lead=lead)))


def _pieces(
    heads: Iterable[Cell], rows: Iterable[Iterable[Cell]], above: str, kind: str, lead: bool
) -> Iterator[str]:
    yield f'<div class="{kind}" tabindex="0"><table><thead>{above}<tr>'
    yield "".join(_tag("th", one, ' scope="col"' if one.html else "") for one in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield "<tr>"
        for i, one in enumerate(row):
            yield _tag("th", one, ' scope="row"') if lead and i == 0 else _tag("td", one)
        yield "</tr>"
    yield "</tbody></table></div>"


def _tag(tag: str, cell: Cell, more: str = "") -> str:
    """Most cells have no class, and each would cost time in the browser."""
    kind = f' class="{cell.kind}"' if cell.kind else ""
    title = f' title="{cell.title}"' if cell.title else ""
    return f"<{tag}{more}{kind}{title}>{cell.html}</{tag}>"

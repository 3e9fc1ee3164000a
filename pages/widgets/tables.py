"""Tables and cards in plain HTML, which the browser updates many times faster than a data grid or an element
each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.teaching.glossary import Entry
from pages.widgets.glossary import mark


class Cell(NamedTuple):
    """HTML whose texts are escaped, the classes of its cell, and what is shown on hovering (escaped too)."""

    html: str
    kind: str = ""
    title: str = ""


def cell(text: object, kind: str = "", title: str = "") -> Cell:
    """Return a cell that shows a text."""
    return Cell(escape(str(text)), kind, escape(title))


def number(text: str, kind: str = "") -> Cell:
    """Return a cell whose text stands on the right."""
    return cell(text, f"number {kind}".strip())


def record_cell(record: int) -> Cell:
    """Return a cell with the number of a record, which is counted from 0; a click on its row opens the
    person lens (`pages.widgets.lens`)."""
    number = f"{record + 1}"
    says = escape(tr("Person lens of record {number}").format(number=number))
    return Cell(
        f'<button type="button" class="who" data-record="{number}" aria-label="{says}">{number}</button>'
    )


def named(names: Iterable[str], first: str = "") -> list[Cell]:
    """Return headings that show their whole text on hovering; ``first``: the classes of the first one."""
    return [cell(name, first if i == 0 else "", name) for i, name in enumerate(names)]


def html_table(
    heads: Iterable[Cell], rows: Iterable[Iterable[Cell]], kind: str = "", lead: bool = True
) -> None:
    """Show a table that scrolls by itself; ``lead``: the first cell of a row is its heading.

    ``kind``: classes of the table's frame. In a table of ``originals``, cells that are not published (not of
    class ``changed``) cannot be selected and copied.
    """
    st.html("".join(_pieces(heads, rows, kind=f"beforeafter {kind}".strip(), lead=lead)))


def _pieces(heads: Iterable[Cell], rows: Iterable[Iterable[Cell]], kind: str, lead: bool) -> Iterator[str]:
    yield f'<div class="{kind}" tabindex="0"><table><thead><tr>'
    yield "".join(_tag("th", head, ' scope="col"' if head.html else "") for head in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield "<tr>"
        for i, shown in enumerate(row):
            yield _tag("th", shown, ' scope="row"') if lead and i == 0 else _tag("td", shown)
        yield "</tr>"
    yield "</tbody></table></div>"


def _tag(tag: str, shown: Cell, attributes: str = "") -> str:
    """Return a cell as HTML; most cells have no class, which saves time in the browser."""
    kind = f' class="{shown.kind}"' if shown.kind else ""
    title = f' title="{shown.title}"' if shown.title else ""
    return f"<{tag}{attributes}{kind}{title}>{shown.html}</{tag}>"


@dataclass(frozen=True)
class Card:
    """A number with its name, a short explanation, its change, whether that is good (None: neither), and the
    entry of its name."""

    name: str
    value: str
    about: str = ""
    change: str = ""
    good: bool | None = None
    entry: Entry | None = None


def cards(shown: Iterable[Card]) -> None:
    """Show numbers people look for first: the cards side by side, as many as fit in a row."""
    st.html(f'<div class="cards">{"".join(map(_card, shown))}</div>')


def _card(card: Card) -> str:
    mood = {True: " good", False: " bad", None: ""}[card.good]
    change = f'<span class="change{mood}">{escape(card.change)}</span>' if card.change else ""
    about = f'<span class="about">{escape(card.about)}</span>' if card.about else ""
    opens = mark(card.entry, card.name) if card.entry else ""
    return (
        f'<div><span class="name">{escape(card.name)}{opens}</span>'
        f'<span class="value">{escape(card.value)}</span>{about}{change}</div>'
    )

"""A report as data: sections of sentences, facts, tables, drawings and lines to write on.

Nothing here knows how it is written: `html` and `markdown` do, and escape whatever stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Says:
    """A paragraph; ``quiet``: a remark in smaller letters."""

    text: str
    quiet: bool = False


@dataclass(frozen=True)
class Facts:
    """Names of facts and what they are; an empty text is shown as left empty."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table; the columns at the places ``right`` hold numbers. ``widths``: shares of the page in percent,
    by column; () = as wide as what stands in them."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    widths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Picture:
    """A drawing as HTML (`kanon_core.charts.drawing`), in which everything is escaped, and what it shows in
    words."""

    html: str
    alt: str


@dataclass(frozen=True)
class Command:
    """Lines for a shell."""

    text: str


@dataclass(frozen=True)
class Lines:
    """Lines to write on, each with what is to be written there."""

    names: tuple[str, ...]


Block = Says | Facts | Grid | Picture | Command | Lines


@dataclass(frozen=True)
class Section:
    """A part of the report; ``new_page``: it begins on a page of its own."""

    title: str
    blocks: tuple[Block, ...]
    new_page: bool = False

    @classmethod
    def of(cls, title: str, *blocks: Block | None, new_page: bool = False) -> Section:
        """The section of those blocks that are there."""
        return cls(title, tuple(block for block in blocks if block is not None), new_page)


@dataclass(frozen=True)
class Report:
    """What is signed."""

    title: str
    about: str
    sections: tuple[Section, ...]


def notes(sentences: Sequence[str]) -> Says | None:
    """These sentences as one remark; None without any."""
    said = " ".join(dict.fromkeys(sentence for sentence in sentences if sentence))
    return Says(said, quiet=True) if said else None

"""A report as data: sections of sentences, facts, tables, drawings and lines to write on; and its texts.

These blocks do not depend on how the report is written: `writers` does that, and escapes all texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_core.base.options import Nested, options_of
from kanon_core.base.words import printable, tr


@dataclass(frozen=True)
class Says:
    """A paragraph; ``quiet``: a remark in smaller letters."""

    text: str
    quiet: bool = False


@dataclass(frozen=True)
class Facts:
    """Names and values of facts; an empty text is shown as left empty."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table; the columns at the places ``right`` hold numbers. ``widths``: shares of the page in percent,
    by column; () = as wide as their content."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    widths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Picture:
    """A drawing as HTML (`kanon_core.charts.drawing`), with everything escaped, and its description in
    words."""

    html: str
    alt: str


@dataclass(frozen=True)
class Command:
    """Lines for a shell."""

    text: str


@dataclass(frozen=True)
class Lines:
    """Lines to write on, each with its label."""

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
        """Return the section of those blocks that are there."""
        return cls(title, tuple(block for block in blocks if block is not None), new_page)


@dataclass(frozen=True)
class Report:
    """The report that is signed."""

    title: str
    about: str
    sections: tuple[Section, ...]


def notes(sentences: Sequence[str]) -> Says | None:
    """These sentences as one remark; None without any."""
    said = " ".join(dict.fromkeys(sentence for sentence in sentences if sentence))
    return Says(said, quiet=True) if said else None


def legible(text: object) -> str:
    """Return the text on one line, blanks reduced to one; see `printable`.

    >>> legible("a\\n b\\u202e")
    'a b\\\\u202e'
    """
    return printable(" ".join(str(text).split()))


def code(line: str) -> str:
    """Return a line of code in the same way, with its indentation.

    >>> code("    --out=report.html")
    '    --out=report.html'
    """
    return " " * (len(line) - len(line.lstrip(" "))) + legible(line)


def empty() -> str:
    """Return the text for a field that was not filled in."""
    return tr("(left empty)")


def described(thing: object) -> str:
    """Title of a declared object and its options that differ from their defaults.

    >>> import kanon_core as kc
    >>> described(kc.VMDAV(gamma=0.5))
    'V-MDAV (gamma 0.5)'
    """
    parts = [
        f"{option.label} {_value(option.kind, getattr(thing, option.name))}"
        for option in options_of(type(thing))
        if getattr(thing, option.name) != option.default
    ]
    title = str(getattr(thing, "title", type(thing).__name__))
    return f"{title} ({', '.join(parts)})" if parts else title


def option_values(thing: object) -> tuple[tuple[str, str], ...]:
    """Label and value of every option of a declared object."""
    return tuple(
        (option.label, _value(option.kind, getattr(thing, option.name))) for option in options_of(type(thing))
    )


def _value(kind: object, value: object) -> str:
    if isinstance(kind, Nested):
        return described(value)
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) or tr("none") if isinstance(value, tuple) else str(value)

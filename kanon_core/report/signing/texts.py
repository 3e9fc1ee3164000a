"""Texts of people and files on paper: on one line, with nothing that acts."""

from __future__ import annotations

from kanon_core.base.options import Nested, options_of
from kanon_core.base.percent import percent
from kanon_core.base.words import tr


def legible(text: object) -> str:
    """The text on one line; control and direction characters are written out instead of at work.

    >>> legible("a\\n b\\u202e")
    'a b\\\\u202e'
    """
    line = " ".join(str(text).split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def code(line: str) -> str:
    """The same of a line of code, whose indentation stays.

    >>> code("    --out=report.html")
    '    --out=report.html'
    """
    return " " * (len(line) - len(line.lstrip(" "))) + legible(line)


def empty() -> str:
    """What stands where nothing was filled in."""
    return tr("(left empty)")


def share(value: float) -> str:
    """A share in percent.

    >>> share(0.2)
    '20 %'
    """
    return percent(value, 1)


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

"""A language that nobody speaks: every message accented, 40 % longer, between brackets ⟦…⟧.

What stands outside of brackets on a screen did not pass through the catalog; what is cut off or runs over was
laid out for English alone. Placeholders, and the stars around what is bold, stay as they are.
"""

from __future__ import annotations

import gettext
import math
import re
import string
from functools import cache

from tests.catalog import POT, messages, read

ACCENTS = str.maketrans("aceilnorsuyzACEILNORSUYZ", "áçéîłñôŕšûýžÁÇÉÎŁÑÔŔŠÛÝŽ")
_KEPT = re.compile(r"(\{\{|\}\}|\{[^{}]*\}|\*|\n)")
_MORE = "ôñé ťŵô ťĥŕéé ƒôûŕ ƒîṽé šîẋ šéṽéñ éîĝĥť ñîñé ťéñ "


def pseudo(message: str) -> str:
    """The message in that language.

    >>> pseudo("{count:,} records")
    '⟦{count:,} ŕéçôŕdš ôñé⟧'
    """
    parts = [part if _KEPT.fullmatch(part) else part.translate(ACCENTS) for part in _KEPT.split(message)]
    more = math.ceil(0.4 * sum(len(part) for part in _KEPT.split(message) if not _KEPT.fullmatch(part)))
    padding = (_MORE * (more // len(_MORE) + 1))[:more].rstrip()
    return f"⟦{''.join(parts)} {padding}⟧"


def fields(message: str) -> set[str]:
    """The names of what is filled in; none for a message with braces of its own, which is not filled in."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}
    except ValueError:
        return set()


@cache
def known() -> dict[str, str]:
    """By message of the catalog, what it is in that language."""
    return {message: pseudo(message) for message in messages(read(POT))}


class Pseudo(gettext.NullTranslations):
    """The pseudo language; ``unknown`` holds what was asked for and is in no catalog."""

    def __init__(self) -> None:
        super().__init__()
        self.unknown: set[str] = set()

    def gettext(self, message: str) -> str:
        """The message in that language; one that no catalog has stays as it is."""
        if message not in known():
            self.unknown.add(message)
        return known().get(message, message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """One or many in that language, as English tells them apart."""
        return self.gettext(one if count == 1 else many)


def outside(text: str) -> str:
    """Return the part of a text outside of brackets, which may be nested.

    >>> outside("a ⟦b ⟦c⟧ d⟧ e")
    'a  e'
    """
    depth, kept = 0, []
    for sign in text:
        depth += sign == "⟦"
        if not depth:
            kept.append(sign)
        depth -= sign == "⟧" and depth > 0
    return "".join(kept)

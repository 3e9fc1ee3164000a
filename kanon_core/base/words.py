"""Words for people, in the reader's language.

Sentences pass through `tr`; `tests/test_house.py` counts by room those that do not. The texts of declared
objects (title, summary, help …) are translated where they are read. Without a catalog, the English texts are
shown.
"""

from __future__ import annotations

import gettext
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from typing import TypeVar

from kanon_core.base.assets import ASSETS

T = TypeVar("T")
DOMAIN = "kanon"
_REGULAR = (
    "algorithm, cell, column, different item, different row, different set, different value, file, finding,"
    " finished setting, group, item, level, measure, more node, other record, pair, point, product, record,"
    " release, row, suppressed record, value"
)
NOUNS = {noun: f"{noun}s" for noun in _REGULAR.split(", ")}
NOUNS |= {"class": "classes", "history": "histories", "person": "people"}
"""The nouns that are counted, singular and plural."""
_NAMED = re.compile("[a-z]{2,3}(?![a-z])")
_language: ContextVar[str] = ContextVar("language")
_source: list[Callable[[], str]] = []


def set_language(language: str) -> None:
    """Set the language of words in this thread from now on ("ja", "en-US" …), if there is a catalog
    ``assets/locale/<language>/LC_MESSAGES/kanon.mo``, named by the first two or three letters."""
    _language.set(language)


def set_language_source(asked: Callable[[], str]) -> None:
    """Take the language from this function wherever `set_language` was not called: a server has many readers
    and short-lived threads."""
    _source[:] = [asked]


def tr(message: str) -> str:
    """Return the message in the reader's language; ``{names}`` in it are filled in with `str.format`.

    >>> tr("{count:,} records are left out.").format(count=1200)
    '1,200 records are left out.'
    """
    return _catalog(_two_letters(spoken())).gettext(message)


def tr_n(singular: str, plural: str, count: float) -> str:
    """Return the message for this number in the reader's language, which has plural forms of its own: in
    English ``singular`` for one and ``plural`` for others. ``{names}`` are filled in as in `tr`; both
    messages have the same names.

    >>> [tr_n("{n:,} row is left out.", "{n:,} rows are left out.", n).format(n=n) for n in (1, 1200)]
    ['1 row is left out.', '1,200 rows are left out.']
    """
    whole = int(count) if count == int(count) else 2  # a fraction is never one
    return _catalog(_two_letters(spoken())).ngettext(singular, plural, whole)


def counted(count: int, noun: str) -> str:
    """Return the number with one of the `NOUNS`, in the reader's language. If a verb must agree with the
    number, use `tr_n`.

    >>> counted(1, "record"), counted(0, "class"), counted(1200, "row")
    ('1 record', '0 classes', '1,200 rows')
    """
    return tr_n(noun_of(noun), noun_of(NOUNS[noun]), count).format(count=count)


def listed(items: Sequence[str], shown: int = 6) -> str:
    """Return the first items with commas between, and how many more there are.

    >>> listed(["age", "sex", "zip"], 1)
    'age and 2 more'
    """
    if len(items) <= shown:
        return ", ".join(items)
    return tr("{names} and {more:,} more").format(names=", ".join(items[:shown]), more=len(items) - shown)


def number_text(value: float) -> str:
    """Return the number with four significant digits; whole numbers and those of five digits or more in full,
    never with an exponent.

    >>> [number_text(value) for value in (2.0, 0.16666, 46_300.4, -32_561, 0.00001)]
    ['2', '0.1667', '46,300', '-32,561', '0.00001']
    """
    if not math.isfinite(value):
        return tr("not defined")
    if 0 < abs(value) < 1e-4:
        return f"{value:.5f}" if abs(value) >= 5e-6 else tr("almost 0")
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 10_000 else f"{value:,.4g}"


def noun_of(noun: str) -> str:
    """Return the message of `counted`."""
    return "{count:,} " + noun


def spoken() -> str:
    """Return the reader's language, as `set_language` takes it in another thread or process."""
    return _language.get(None) or (_source[0]() if _source else "en")


def later(message: str) -> str:
    """Return the message unchanged. It marks the text of a constant for the catalog; `tr` translates it where
    it is read.

    >>> TITLE = later("One group")
    >>> tr(TITLE)
    'One group'
    """
    return message


def tr_each(messages: Mapping[T, str]) -> dict[T, str]:
    """Return the same keys, each with its message in the reader's language: for menus.

    >>> tr_each({"all": "all people"})
    {'all': 'all people'}
    """
    return {key: tr(message) for key, message in messages.items()}


@cache
def _two_letters(language: str) -> str:
    named = _NAMED.match(language)
    return named[0] if named else "en"


@cache
def _catalog(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, ASSETS / "locale", [language], fallback=True)


class Said:
    """A text that is translated whenever it is read: an attribute of a declared class."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __get__(self, thing: object, owner: type | None = None) -> str:
        return tr(self.message)


def quoted(names: Iterable[str]) -> str:
    """Return names of columns as a sentence quotes them.

    >>> quoted(["age", "zip"])
    '“age”, “zip”'
    """
    return ", ".join(f"“{name}”" for name in names)


def percent(count: float, whole: float = 1) -> str:
    """Return a share in percent; only an exact share is written as 0 % or 100 %.

    >>> percent(1, 3), percent(1, 10_000), percent(9_999, 10_000), percent(0, 5), percent(0.2)
    ('33.3 %', 'less than 0.1 %', 'more than 99.9 %', '0 %', '20 %')
    """
    share = 100 * count / whole if whole else 0.0
    if 0 < share < 0.1:
        return tr("less than 0.1 %")
    if 99.9 < share < 100:
        return tr("more than 99.9 %")
    return f"{share:.1f}".removesuffix(".0") + " %"


def printable(text: object) -> str:
    """Return the text on one line, its control and direction characters written out, so that they have no
    effect.

    >>> printable("one\\ntwo")
    'one\\\\ntwo'
    """
    shown = (c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in str(text))
    return "".join(shown)


def stressed(message: str, **values: object) -> tuple[str, ...]:
    """Return the translated message, cut at its asterisks and filled in: every second part, between two
    asterisks, is stressed. The values may contain any character.

    >>> stressed("Hidden among *{count:,} records*.", count=1200)
    ('Hidden among ', '1,200 records', '.')
    """
    return tuple(part.format(**values) for part in message.split("*"))

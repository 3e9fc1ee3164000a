"""Lists in one word of a command line: items with commas between, quoted as in a csv file where a name needs
it.

age,zip                 two names
"zip, old",age          the first name has a comma
"so ""called"" zip",age the first name has quotes
age=mean,a=b=mode       pairs; the last equals sign separates
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr


def split_list(text: str) -> list[str]:
    """Return the items of a word; an empty word has none. Raises OptionError when a quote is never closed.

    >>> split_list('age,"zip, old"')
    ['age', 'zip, old']
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error:
        raise OptionError(
            tr(
                "In the list {text}, a quotation mark does not enclose a whole name; double every quotation"
                " mark inside a name."
            ).format(text=text)
        ) from None
    if len(rows) > 1:
        raise OptionError(
            tr("A list must be on one line; put quotation marks around a name that contains a line break.")
        )
    return rows[0] if rows else []


def join_list(items: Iterable[str]) -> str:
    """Return the word that `split_list` takes apart into these items.

    >>> join_list(["age", "zip, old"])
    '"age","zip, old"'
    """
    row = list(items)
    if all(item and item == item.strip() and not set(item) & set('",\r\n') for item in row):
        return ",".join(row)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="", quoting=csv.QUOTE_ALL).writerow(row)
    return text.getvalue()


def split_pairs(text: str, what: str) -> dict[str, str]:
    """Return the pairs ``name=value`` of a word; raises OptionError when an item has no equals sign or a name
    comes twice.

    >>> split_pairs("age=mean,zip=mode", "recoding")
    {'age': 'mean', 'zip': 'mode'}
    """
    pairs: dict[str, str] = {}
    for item in split_list(text):
        name, sign, value = item.rpartition("=")
        if not sign:
            raise OptionError(
                tr("“{item}” must be a column, an equals sign and its {what}, as in name={what}.").format(
                    item=item, what=what
                )
            )
        if name in pairs:
            raise OptionError(
                tr("Column “{name}” has more than one {what}; give one.").format(name=name, what=what)
            )
        pairs[name] = value
    return pairs


def join_pairs(pairs: Mapping[str, str]) -> str:
    """Return the word that `split_pairs` takes apart into these pairs.

    >>> join_pairs({"age": "mean", "zip": "mode"})
    'age=mean,zip=mode'
    """
    return join_list(f"{name}={value}" for name, value in pairs.items())

"""Cells as plain numbers and as text that is safe in a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.base.infile import encodable

_FORMULA = re.compile(
    r"[\s\x00-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n]"
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HARMLESS = re.compile(
    r" *[+\-＋－﹢﹣]+ *"
    r"| *[+-] ?(?:[0-9]+|[0-9]{1,3}(?:[ .,'\u00a0\u202f][0-9]{3})+)(?:[.,][0-9]+)? ?%? *"
)
_QUOTED = re.compile(r'[",;|\t\r\n]|\A\s|\s\Z')


def neutralized(text: str) -> str:
    """Return the text, with a leading apostrophe if a spreadsheet could run it as a formula. That is a text
    whose first character, blanks and invisible characters aside, is = + - @ or a wide form of these, or that
    begins with a tab or line end. Numbers and signs alone stay as they are: they neither call nor refer to
    anything.

    >>> neutralized("=1+1"), neutralized("-3.5"), neutralized("-1,5 %"), neutralized("-")
    ("'=1+1", '-3.5', '-1,5 %', '-')
    """
    return f"'{text}" if could_run(text) and not _HARMLESS.fullmatch(text) else text


def could_run(text: str) -> bool:
    """Return whether a text begins as a formula of a spreadsheet does, and is no plain number.

    >>> could_run("=1+1"), could_run("-"), could_run("-3")
    (True, True, False)
    """
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def without_apostrophe(text: str) -> str:
    """Return the text without the apostrophe that keeps a spreadsheet from running it, as files written now
    or before have it.

    >>> without_apostrophe("'=1+1"), without_apostrophe("'-"), without_apostrophe("'s")
    ('=1+1', '-', "'s")
    """
    return text[1:] if text[:1] == "'" and could_run(text[1:]) else text


def safe_text(text: str) -> str:
    """The text as csv can hold it and no spreadsheet runs it."""
    return neutralized(encodable(text))


def fitted_names(names: Iterable[object], fit: Callable[[str], str]) -> list[str]:
    """The names as ``fit`` makes them, with apostrophes where different ones would become equal."""
    given = [str(name) for name in names]
    fitted = {name: name for name in given if fit(name) == name}
    for name in given:
        if name not in fitted:
            wanted = fit(name)
            while wanted in fitted.values():
                wanted = f"'{wanted}"
            fitted[name] = wanted
    return [fitted[name] for name in given]


def quoted(text: str) -> str:
    """The text as a csv field, quoted for delimiters, quotes, line ends and outer blanks."""
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def is_number(column: pd.Series) -> bool:
    """Return whether the column holds numbers; truth values, decimals and complex numbers are text."""
    return column.dtype.kind in "iuf"


def is_moment(column: pd.Series) -> bool:
    """Return whether the column holds dates or points in time, with or without a time zone."""
    return isinstance(column.dtype, np.dtype | pd.DatetimeTZDtype) and column.dtype.kind == "M"


def numbers(column: pd.Series) -> list[Any]:
    """A numeric column as Python numbers (n), None for missing."""
    missing = column.isna().tolist()
    values = column.astype(object).tolist()
    return [None if gone else value for value, gone in zip(values, missing, strict=True)]


def number_text(value: object) -> str:
    """Return a number as text, such that it reads back as it is. Whole numbers of 16 digits, as means of long
    ones are, have no decimals that say nothing.

    >>> number_text(30), number_text(30.0), number_text(2000000000000003.0), number_text(1e16)
    ('30', '30.0', '2000000000000003', '1e+16')
    """
    if isinstance(value, float) and value.is_integer() and 1e15 <= abs(value) < 1e16:
        return str(int(value))
    return repr(value)


def moments(column: pd.Series) -> np.ndarray:
    """A column of dates as datetime64[us] (n), in UTC when it had a time zone."""
    plain = column if column.dt.tz is None else column.dt.tz_convert("UTC").dt.tz_localize(None)
    return plain.to_numpy().astype("datetime64[us]")


def texts(column: pd.Series) -> list[str | None]:
    """The cells as text (n), None for missing; dates in ISO form, without time when all are midnight."""
    missing = column.isna().to_numpy()
    if is_moment(column):
        values = moments(column)
        whole = (values[~missing] == values[~missing].astype("datetime64[D]")).all()
        cells = [
            cell.replace("T", " ")
            for cell in np.datetime_as_string(values, unit="D" if whole else "auto").tolist()
        ]
    else:
        cells = column.astype(object).tolist()
    pairs = zip(cells, missing.tolist(), strict=True)
    return [None if gone else encodable(str(cell)) for cell, gone in pairs]

"""Purchases as PWSCUP 2018 writes them: customer, date, product, unit price, quantity; no header."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.words import counted, later, tr
from kanon_core.table.readers.base import Format, Reading, ReadOptions
from kanon_core.table.readers.text.delimited import read_delimited
from kanon_core.table.readers.text.detect import first_lines

COLUMNS = ("customer", "date", "goods", "price", "quantity")
"""The names given to the columns, in order."""

ROLES = ("person", "quasi_identifier", "quasi_identifier", "quasi_identifier", "quasi_identifier")
"""Their roles."""

KINDS = ("categorical", "datetime", "categorical", "numeric", "numeric")
"""Their kinds."""

_DAY, _GOODS = rb"20\d\d/\d\d?/\d\d?", rb"[A-Za-z0-9]{1,12}"
_PRICE, _PIECES = rb"\d+(?:\.\d+)?", rb"-?\d{1,9}"
_SPANS = [rb"(?:%b|\[%b;%b\]|\*)" % (value, value, value) for value in (_DAY, _PRICE, _PIECES)]
_SET = rb"(?:%b|\{%b(?:;%b)+\}|\*)" % (_GOODS, _GOODS, _GOODS)
_LINE = re.compile(rb"(?:[1-9]\d{0,8},%b,%b,%b,%b|\*,\*,\*,\*,\*)" % (_SPANS[0], _SET, _SPANS[1], _SPANS[2]))


def read_pwscup(data: bytes, options: ReadOptions) -> Reading:
    """Read five columns without a header, of purchases or of an answer, whose cells may be ``[a;b]``,
    ``{a;b;c}`` or ``*``; raises InputError for another number of them. Products and customers stay as they
    are written: "0012" is not 12."""
    reading = read_delimited(data, replace(options, delimiter=",", header=False))
    if reading.frame.shape[1] != len(COLUMNS):
        said = tr(
            "The file has {count}, but purchases of PWSCUP 2018 have five: {columns}. Choose another format."
        )
        raise InputError(
            said.format(count=counted(reading.frame.shape[1], "column"), columns=", ".join(COLUMNS))
        )
    frame = reading.frame.set_axis(list(COLUMNS), axis=1)
    written = read_delimited(data, replace(options, delimiter=",", header=False, typed=False)).frame
    for name in ("customer", "goods"):
        frame[name] = written.iloc[:, COLUMNS.index(name)]
    return replace(reading, frame=frame, format="pwscup", delimiter=None, header=False)


def kinds_of(frame: pd.DataFrame) -> tuple[str, ...]:
    """The kinds of the columns: `KINDS`, but of an answer's texts categories."""
    answered = [
        frame[name].dtype == "str" and bool(frame[name].astype("str").str.contains(r"[\[*]").any())
        for name in frame
    ]
    return tuple("categorical" if text else kind for kind, text in zip(KINDS, answered, strict=True))


def _is_pwscup(data: bytes) -> bool:
    """Return whether the first lines are all purchases."""
    lines = first_lines(data)
    return bool(lines) and all(map(_LINE.fullmatch, lines))


PWSCUP = Format("pwscup", later("Purchases (PWSCUP 2018)"), (".pwscup",), _is_pwscup, read_pwscup)

"""Small files of lines whose cells are split at a mark: value hierarchies, categories."""

from __future__ import annotations

import csv
import io
from os import PathLike
from typing import IO

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.readers.detect import DELIMITERS, refuse_foreign, to_utf8

_CELLS = 2_000_000


def split_lines(
    source: str | PathLike[str] | bytes | IO[bytes], delimiter: str | None, problem: str
) -> dict[str, list[list[str]]]:
    """The cells of every line that is not blank, by the delimiter that parts them: each of `DELIMITERS`, or
    the one given. Raises InputError for what is no text or has more than 2,000,000 lines and cells, for a
    delimiter that is not one character, and with the sentence ``problem`` where quotes do not fit."""
    from kanon_core.table.readers import file_bytes

    data = file_bytes(source)
    refuse_foreign(data)
    text = to_utf8(data, None)[0].decode("utf-8")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise InputError(
            tr("The delimiter must be one character that is no quote and no line end, such as ;.")
        )
    marks = (delimiter,) if delimiter else DELIMITERS
    if text.count("\n") + text.count("\r") + sum(map(text.count, marks)) > _CELLS:
        raise InputError(
            tr(
                "The file has more than {limit:,} lines and cells, the most that is read; leave some out."
            ).format(limit=_CELLS)
        )
    try:
        return {mark: _rows(text, mark) for mark in marks}
    except csv.Error:
        raise InputError(problem) from None


def _rows(text: str, delimiter: str) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(map(str.strip, row))]

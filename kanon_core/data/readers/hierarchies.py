"""Files of value hierarchies: one line for each value, from the value up to the root."""

from __future__ import annotations

import csv
import io
from os import PathLike
from typing import IO

from kanon_core.data.hierarchy import ROOT, Hierarchy
from kanon_core.data.readers.detect import DELIMITERS, refuse_foreign, to_utf8
from kanon_core.errors import InputError


def read_hierarchy(
    source: str | PathLike[str] | bytes | IO[bytes], delimiter: str | None = None
) -> Hierarchy:
    """The hierarchy in a text file of lines ``value;group;…;*``, as ARX writes them; also with commas, tabs or bars.

    The delimiter is the one that leaves most lines ending with ``*``; quotes (") enclose labels that hold it. Lines may
    differ in length. Raises InputError for what is no such file and SchemaError for a tree that does not hold together,
    naming the label.
    """
    from kanon_core.data.readers import file_bytes

    data = file_bytes(source)
    refuse_foreign(data)
    text = to_utf8(data, None)[0].decode("utf-8")
    rows = {mark: _rows(text, mark) for mark in (DELIMITERS if delimiter is None else (delimiter,))}
    best = max(rows, key=lambda mark: sum(row[-1].strip() == ROOT for row in rows[mark] if len(row) > 1))
    if not any(len(row) > 1 for row in rows[best]):
        raise InputError(
            "The file is no hierarchy: every line needs a value and the groups above it, separated by semicolons, such as "
            "“Paris;France;Europe;*”."
        )
    return Hierarchy.of_paths(rows[best])


def _rows(text: str, delimiter: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(map(str.strip, row))]
    except csv.Error:
        raise InputError("The file is no hierarchy: its lines cannot be split into labels.") from None

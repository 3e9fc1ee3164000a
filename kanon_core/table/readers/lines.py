"""Small files of delimited lines: value hierarchies, with one line for each value, up to the root; product
categories, with one line for each product."""

from __future__ import annotations

import csv
import io
from os import PathLike
from typing import IO

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.hierarchy.category_map import CategoryMap
from kanon_core.table.hierarchy.hierarchy import ROOT, Hierarchy
from kanon_core.table.readers.text.detect import DELIMITERS, refuse_foreign, to_utf8

_CELLS = 2_000_000
_HEADERS = {"product", "goods", "goodsid", "stockcode", "item", "商品", "商品id"}


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
            tr("The delimiter must be one character, such as “;”, but not a quote or a line end.")
        )
    marks = (delimiter,) if delimiter else DELIMITERS
    if text.count("\n") + text.count("\r") + sum(map(text.count, marks)) > _CELLS:
        said = tr("The file has more than {limit:,} lines and cells, the limit; leave some out.")
        raise InputError(said.format(limit=_CELLS))
    try:
        return {mark: _rows(text, mark) for mark in marks}
    except csv.Error:
        raise InputError(problem) from None


def _rows(text: str, delimiter: str) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(map(str.strip, row))]


def read_categories(
    source: str | PathLike[str] | bytes | IO[bytes], delimiter: str | None = None
) -> CategoryMap:
    """The map in a text file of lines ``product;category``; also with commas, tabs or bars, and with a first
    line that names the two. Raises InputError for what is no such file, naming the row among those that are
    not blank, and SchemaError naming a product that occurs twice."""
    problem = tr(
        "The lines of the file cannot be split into cells; each must be a product and its category, such"
        " as “84879;ornaments”."
    )
    rows = split_lines(source, delimiter, problem)
    best = max(rows, key=lambda mark: (sum(len(row) == 2 for row in rows[mark]), mark == ";"))
    found = rows[best]
    if found and found[0] and found[0][0].strip().lower() in _HEADERS:
        found = found[1:]
    for row in found:
        if len(row) != 2 or not all(cell.strip() for cell in row):
            number = rows[best].index(row) + 1
            said = tr(
                "Row {number} of the categories must be a product and its category, such as"
                " “84879;ornaments”, separated by a semicolon, a comma, a tab or a bar."
            )
            raise InputError(said.format(number=number))
    return CategoryMap(tuple((row[0], row[1]) for row in found))


def read_hierarchy(
    source: str | PathLike[str] | bytes | IO[bytes], delimiter: str | None = None
) -> Hierarchy:
    """The hierarchy in a text file of lines ``value;group;…;*``, as ARX writes them; also with commas, tabs
    or bars.

    The delimiter is the one that leaves most lines ending with ``*``, and where no line does, that splits
    most lines; quotes (") enclose labels that hold it. Lines may differ in length. Raises InputError for what
    is no such file and SchemaError for a tree that does not hold together, naming the label.
    """
    rows = split_lines(
        source,
        delimiter,
        tr(
            "The file is not a hierarchy: each line must list a value and the groups above it, separated"
            " by semicolons, such as “Paris;France;Europe;*”."
        ),
    )
    split = {mark: [row for row in rows[mark] if len(row) > 1] for mark in rows}
    best = max(rows, key=lambda mark: (sum(row[-1].strip() == ROOT for row in split[mark]), len(split[mark])))
    if not split[best]:
        raise InputError(
            tr(
                "The file is not a hierarchy: each line must list a value and the groups above it, separated"
                " by semicolons, such as “Paris;France;Europe;*”."
            )
        )
    return Hierarchy.of_paths(rows[best])

"""Files of product categories: one line for each product."""

from __future__ import annotations

from os import PathLike
from typing import IO

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.hierarchy.categories import CategoryMap
from kanon_core.table.readers.lines import split_lines

_HEADERS = {"product", "goods", "goodsid", "stockcode", "item", "商品", "商品id"}


def read_categories(
    source: str | PathLike[str] | bytes | IO[bytes], delimiter: str | None = None
) -> CategoryMap:
    """The map in a text file of lines ``product;category``; also with commas, tabs or bars, and with a first
    line that names the two. Raises InputError for what is no such file, naming the row among those that are
    not blank, and SchemaError naming a product that occurs twice."""
    problem = tr("The file holds no categories: its lines cannot be split into cells.")
    rows = split_lines(source, delimiter, problem)
    best = max(rows, key=lambda mark: (sum(len(row) == 2 for row in rows[mark]), mark == ";"))
    found = rows[best]
    if found and found[0] and found[0][0].strip().lower() in _HEADERS:
        found = found[1:]
    for row in found:
        if len(row) != 2 or not all(cell.strip() for cell in row):
            number = rows[best].index(row) + 1
            raise InputError(
                tr(
                    "Row {number:,} of the categories is not a product and its category, separated by one of"
                    " ; , tab or |, such as “84879;ornaments”."
                ).format(number=number)
            )
    return CategoryMap(tuple((row[0], row[1]) for row in found))

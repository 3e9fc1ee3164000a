"""Files of value hierarchies: one line for each value, from the value up to the root."""

from __future__ import annotations

from os import PathLike
from typing import IO

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.hierarchy.hierarchy import ROOT, Hierarchy
from kanon_core.table.readers.lines import split_lines


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
        source, delimiter, tr("The file is no hierarchy: its lines cannot be split into labels.")
    )
    split = {mark: [row for row in rows[mark] if len(row) > 1] for mark in rows}
    best = max(rows, key=lambda mark: (sum(row[-1].strip() == ROOT for row in split[mark]), len(split[mark])))
    if not split[best]:
        raise InputError(
            tr(
                "The file is no hierarchy: every line needs a value and the groups above it, separated by"
                " semicolons, such as “Paris;France;Europe;*”."
            )
        )
    return Hierarchy.of_paths(rows[best])

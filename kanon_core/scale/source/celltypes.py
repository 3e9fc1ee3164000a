"""Type of the cells of a column in several files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

PANDAS: dict[str, Any] = {
    "whole": "int64",
    "number": "float64",
    "moment": "datetime64[us]",
    "text": "str",
    "none": "str",
}
"""The pandas type that holds each type."""


def common_type(name: str, types: Mapping[str, str]) -> str:
    """Return the type of all cells of the column of this name; ``types``: for each type, the name of a file
    that has it. Whole numbers count as numbers where others are not whole, or are missing. Raise InputError,
    naming two files, where the types do not agree.

    >>> common_type("age", {"whole": "a.parquet", "none": "b.parquet"})
    'number'
    """
    kinds = set(types) - {"none"}
    if kinds <= {"whole", "number"}:
        if len(types) > 1:
            return "number"
        return next(iter(types))
    if len(kinds) == 1:
        return kinds.pop()
    words = {"whole": tr("numbers"), "number": tr("numbers"), "moment": tr("dates"), "text": tr("texts")}
    one, other = sorted(kinds - {"whole"} if "number" in kinds else kinds)[:2]
    raise InputError(
        tr(
            "Column “{name}” holds {one} in the file “{here}” and {other} in the file “{there}”; write all"
            " files with the same types."
        ).format(name=name, one=words[one], here=types[one], other=words[other], there=types[other])
    )


def beyond_exact(cells: pd.Series) -> bool:
    """Return whether some whole number is larger than a number with decimals can hold exactly.

    >>> [beyond_exact(pd.Series([one])) for one in (2**53, 2**53 + 1, 1e300)]
    [False, True, False]
    """
    return cells.dtype.kind in "iu" and bool(len(cells)) and max(int(cells.max()), -int(cells.min())) > 2**53


def check_exact(name: str, kind: str, beyond: bool) -> None:
    """Raise InputError where whole numbers would become numbers with decimals, as they are in other files,
    but are too large for it (``beyond``) and would be rounded."""
    if kind == "number" and beyond:
        raise InputError(
            tr(
                "Column “{name}” has whole numbers of 16 digits or more in some files, and numbers"
                " with decimals, or no numbers, in others, so they would be rounded. Write all"
                " files with the same types, or these numbers as texts."
            ).format(name=name)
        )


def types_in(names: Sequence[str], parts: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the types of these columns over all parts (``type:``, ``beyond:`` of each).
    Raises InputError."""
    found: dict[str, str] = {}
    for name in names:
        found[name] = common_type(name, {part[f"type:{name}"]: part["files"][0] for part in parts})
        check_exact(name, found[name], any(part[f"beyond:{name}"] for part in parts))
    return found

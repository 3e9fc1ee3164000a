"""Of what type the cells of a column are, where it lies in several files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

PANDAS: dict[str, Any] = {
    "whole": "int64",
    "number": "float64",
    "moment": "datetime64[us]",
    "text": "str",
    "none": "str",
}
"""How each type is held."""


def common_type(name: str, found: Mapping[str, str]) -> str:
    """That of all cells of the column of this name; ``found``: of each type the name of a file that has it.
    Whole numbers are numbers where others are not whole, or are missing. Raises InputError naming two files
    of different types.

    >>> common_type("age", {"whole": "a.parquet", "none": "b.parquet"})
    'number'
    """
    kinds = set(found) - {"none"}
    if kinds <= {"whole", "number"}:
        if len(found) > 1:
            return "number"
        return next(iter(found))
    if len(kinds) == 1:
        return kinds.pop()
    words = {"whole": tr("numbers"), "number": tr("numbers"), "moment": tr("dates"), "text": tr("texts")}
    one, other = sorted(kinds - {"whole"} if "number" in kinds else kinds)[:2]
    raise InputError(
        tr(
            "Column “{name}” holds {one} in the file “{here}” and {other} in the file “{there}”; write all"
            " files with the same types."
        ).format(name=name, one=words[one], here=found[one], other=words[other], there=found[other])
    )

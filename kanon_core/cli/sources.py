"""From the words of the command line to a table with its schema."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pandas as pd

from kanon_core.data.readers import read_frame
from kanon_core.data.schema import Schema
from kanon_core.data.table import Table, read_table
from kanon_core.errors import InputError, SchemaError
from kanon_core.recipe import Recipe
from kanon_core.report.differences import Differences, applied
from kanon_core.report.lists import split_list, split_pairs


def table_of(arguments: argparse.Namespace) -> Table:
    """The table of FILE, its columns as the flags say, the rest as guessed."""
    table = read_table(arguments.file, **_asked(arguments))
    return table.with_schema(_schema(table.schema, arguments))


def frame_as_written(table: Table, arguments: argparse.Namespace) -> pd.DataFrame:
    """The cells of FILE as texts as they are written, read the way the table was; a sample's cells as they are."""
    if "sample" in table.reading:
        return table.frame
    return read_frame(arguments.file, **{**table.reading, "typed": False}).frame


def table_for(recipe: Recipe, arguments: argparse.Namespace) -> Table:
    """The table of FILE, read as the recipe says unless the flags say otherwise, with the recipe's schema."""
    how = {name: value for name, value in recipe.reading.items() if name != "sample"}
    return read_table(arguments.file, schema=recipe.schema, **{**how, **_asked(arguments)})


def read_text(file: str) -> bytes:
    """The bytes of a small file; raises InputError when it cannot be read."""
    try:
        return Path(file).read_bytes()
    except OSError as problem:
        reason = problem.strerror or "it is not a readable file"
        raise InputError(
            f"The file “{Path(file).name}” cannot be opened ({reason}); check its name and place."
        ) from None


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """The reading flags that were given, as `read_table` takes them."""
    asked: dict[str, Any] = {}
    for name in ("format", "encoding", "delimiter", "sheet"):
        if (value := getattr(arguments, name)) is not None:
            asked[name] = value
    if asked.get("delimiter") in ("tab", "\\t"):
        asked["delimiter"] = "\t"
    for name in ("header", "typed"):
        if (value := getattr(arguments, name)) is not None:
            asked[name] = value == "yes"
    if arguments.missing is not None:
        asked["missing"] = tuple(split_list(arguments.missing))
    return asked


def _schema(start: Schema, arguments: argparse.Namespace) -> Schema:
    """The starting schema with what the flags say; raises SchemaError for unknown columns and contradictions."""
    said: dict[str, str] = {}
    for flag, role in (
        ("quasi", "quasi_identifier"),
        ("sensitive", "sensitive"),
        ("identifier", "identifier"),
    ):
        for name in _columns(start, getattr(arguments, flag) or ""):
            if said.setdefault(name, role) != role:
                raise SchemaError(
                    f"The column “{name}” is given two roles: {said[name]} and {role}; give one."
                )
    former = start.quasi_identifiers if arguments.quasi is not None else ()
    roles = {
        **{attribute.name: "other" for attribute in former},
        **said,
        **_pairs(start, arguments.roles, "role"),
    }
    weights = {name: _number(name, text) for name, text in _pairs(start, arguments.weights, "weight").items()}
    kinds, recodings = _pairs(start, arguments.kinds, "kind"), _pairs(start, arguments.recode, "recoding")
    return applied(start, Differences(roles, kinds, recodings, weights))


def _columns(schema: Schema, text: str) -> list[str]:
    return [_known(schema, name) for name in split_list(text)]


def _pairs(schema: Schema, text: str | None, what: str) -> dict[str, str]:
    return {_known(schema, name): value.strip() for name, value in split_pairs(text or "", what).items()}


def _known(schema: Schema, name: str) -> str:
    """The column meant: the name itself, or without the blanks around it."""
    return name if name in schema.names else name.strip()


def _number(name: str, text: str) -> float:
    if not re.fullmatch(r"\d+(\.\d*)?([eE][+-]?\d+)?|\.\d+", text):
        raise SchemaError(f"The weight of column “{name}” must be a number from 0 to 1000.")
    return float(text)

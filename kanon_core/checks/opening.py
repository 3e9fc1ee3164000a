"""File to be checked: the roles and kinds of its columns, and its cells as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.covers.uploaded.uploaded import named_as
from kanon_core.table.attribute import ORDERED_KINDS
from kanon_core.table.columns.levels import settled
from kanon_core.table.reading import SAMPLE, read_table
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.table.schema import Schema


@dataclass(frozen=True, eq=False)
class OpenedFile:
    """A file: ``table``, with roles and kinds as guessed or given; ``frame``, the same rows with every cell
    as it is written; and ``reading``, the settings for reading it."""

    table: Table
    frame: pd.DataFrame
    reading: Mapping[str, Any]

    @property
    def schema(self) -> Schema:
        """Roles and kinds."""
        return self.table.schema

    def with_schema(self, schema: Schema) -> OpenedFile:
        """Return the same file with other roles or kinds."""
        return replace(self, table=self.table.with_schema(schema))

    def with_roles(self, roles: Mapping[str, str]) -> OpenedFile:
        """Return the same file with these roles by name of column."""
        return self.with_schema(self.schema.with_roles(roles))

    def beside(self, original: Table) -> OpenedFile:
        """Return the same file with the names, roles and kinds that its columns have in its original; columns
        that the original does not have are no quasi-identifiers."""
        meant, known = tuple(named_as(original, self.frame).columns), original.schema
        names = tuple(a if a == a.strip() else b for a, b in zip(meant, self.schema.names, strict=True))
        file = self._named(names) if names != self.schema.names else self
        own = {b: known[a] for a, b in zip(meant, names, strict=True) if a in known.names}
        roles = dict.fromkeys(names, "other") | {name: a.role for name, a in own.items()}
        told = {
            n: a for n, a in own.items() if "items" in (a.kind, file.schema[n].kind) or a.role == "sensitive"
        }
        schema = file.schema.with_kinds({name: a.kind for name, a in told.items()}).with_roles(roles)
        ordered = {name: a.order for name, a in told.items() if a.kind in ORDERED_KINDS}
        schema = schema.with_orders(ordered).with_periods({name: told[name].period for name in ordered})
        dated = {name: settled(original[name]).date_order for name, a in told.items() if a.kind == "datetime"}
        schema = schema.with_date_orders(dated)
        sensitive = {name: a.hierarchy for name, a in told.items() if a.role == "sensitive"}
        return file.with_schema(schema.with_hierarchies(sensitive))

    def _named(self, names: tuple[str, ...]) -> OpenedFile:
        frame, reading = self.frame.set_axis(list(names), axis=1), {**self.reading, "names": names}
        return OpenedFile(self.table.with_names(names), frame, reading)

    def as_texts(self) -> Table:
        """Return the table of the cells as they are written, which a recipe can read again. Only sensitive
        columns whose cells are all numbers or dates stay so, for their order."""
        kinds = {
            attribute.name: "categorical"
            for attribute in self.schema
            if attribute.kind != "items" and not (attribute.role == "sensitive" and attribute.is_numeric)
        }
        schema = self.schema.with_kinds(kinds)
        schema = type(schema)(tuple(replace(a, recoding="generalize", round_to="") for a in schema))
        table = Table.from_frame(self.frame, schema, self.reading, self.table.notes)
        unfit = dict.fromkeys(table.misfits, "categorical")
        return table.with_schema(schema.with_kinds(unfit)) if unfit else table


def open_file(
    source: str | PathLike[str] | bytes | IO[bytes], table: Table | None = None, **how: Any
) -> OpenedFile:
    """Return a file for a check. ``table``: the result of `read_table` for it; by default the file is read
    with ``how``, and roles and kinds are guessed. Raises InputError, also if lines around the table would be
    left out of the audit without a setting in ``how``. Cost: that of reading it twice.

    >>> file = open_file(b"age,pay\\n[20-30],1.50\\n[20-30],2\\n")
    >>> file.schema["pay"].kind, file.frame["pay"].tolist()
    ('numeric', ['1.50', '2'])
    """
    from kanon_core.table.readers import file_bytes, read_frame
    from kanon_core.table.readers.base import SKIPPED
    from kanon_core.table.readers.text.trimming import refuse_around

    sample = isinstance(source, str) and source.startswith(SAMPLE)
    data = source if sample else file_bytes(source)
    if table is None:
        assert isinstance(data, str | bytes)
        table = read_table(data, **how)
        if not any(name in how for name in SKIPPED):
            refuse_around(*(table.reading.get(name) for name in SKIPPED))
    if "sample" in table.reading:
        return OpenedFile(table, table.frame.astype("str"), table.reading)
    again: dict[str, Any] = {name: how[name] for name in ("limits", "tick") if name in how}
    reading = read_frame(data, **{**table.reading, **again, "typed": False})
    if len(reading.frame) != len(table) or tuple(reading.frame.columns) != table.schema.names:
        raise InputError(
            tr(
                "The table was not read from this file: the numbers of rows or the columns differ;"
                " read the file again."
            )
        )
    return OpenedFile(table, reading.frame, reading.how())

"""The records, encoded once: the one input of every algorithm, metric and audit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import IO, TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, SchemaError
from kanon_core.base.progress import Tick, silent
from kanon_core.table.columns.columns import Column, Items, Misfits, Numbers, encode
from kanon_core.table.columns.itemcells import with_text_sets
from kanon_core.table.digests import digest_of
from kanon_core.table.domain import Domain
from kanon_core.table.hierarchy.placed import placed
from kanon_core.table.inference import infer_role
from kanon_core.table.order import order_of_records
from kanon_core.table.schema import Attribute, Schema, with_text_names

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")
SAMPLE = "sample:"
"""What a source starts with that names one of our own samples instead of a file."""


@dataclass(frozen=True, eq=False)
class Table:
    """n records of named columns with a schema. Make it with `Table.from_frame` or `read_table`.

    ``reading`` holds how a file was read (format, encoding …) so that a recipe can read it again; it is empty
    for a table made from a frame. ``domain``: that of the whole table, when this is a part
    (`kanon_core.table.domain`). ``given_order``: algorithms see the records in this order
    (`in_given_order`); else the order of the file shapes nothing. Tables never change; `with_schema` gives
    another one.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [30, None, 70], "city": ["Rome", "Paris", "Rome"]}))
    >>> table, table["age"].range, table["city"].labels
    (Table(3 records × 2 columns; quasi-identifiers: age, city), (30.0, 70.0), ('Paris', 'Rome'))
    """

    frame: pd.DataFrame
    schema: Schema
    columns: tuple[Column, ...]
    reading: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    domain: Domain | None = None
    given_order: bool = False

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        schema: Schema | None = None,
        reading: Mapping[str, Any] | None = None,
        notes: tuple[str, ...] = (),
        domain: Domain | None = None,
    ) -> Table:
        """The table of a frame; the schema is inferred when left out. The frame is not modified, its index
        ignored. A part of a table is given the ``domain`` of the whole.

        Raises InputError for a frame without columns or records and SchemaError when the schema or the domain
        has other columns, when a hierarchy misses a value of its column, or the domain one of the frame's.
        """
        frame = with_text_sets(with_text_names(frame).reset_index(drop=True))
        if not frame.shape[1] or not len(frame):
            raise InputError("The table has no records; it needs a header and at least one record.")
        schema = Schema.infer(frame) if schema is None else schema
        if schema.names != tuple(frame.columns):
            raise SchemaError(_names_differ(schema.names, tuple(frame.columns)))
        wholes = dict.fromkeys(schema.names) if domain is None else domain.columns
        if tuple(wholes) != schema.names:
            raise SchemaError("The given domain has other columns; find it with the schema of the table.")
        cells = (frame.iloc[:, i] for i in range(len(schema)))
        columns = tuple(_placed(encode(c, a, wholes[a.name])) for c, a in zip(cells, schema, strict=True))
        return cls(frame, schema, columns, dict(reading or {}), notes, domain)

    def with_schema(self, schema: Schema) -> Table:
        """The same records under another schema; only columns whose kind changed are encoded again. Raises
        SchemaError for another kind of a column where a domain was given, which knows the former one."""
        if schema.names != self.schema.names:
            raise SchemaError(_names_differ(schema.names, self.schema.names))
        columns = tuple(self._encoded(i, schema) for i in range(len(schema)))
        other = replace(self, schema=schema, columns=columns)
        if "data_digest" in self.__dict__:
            other.__dict__["data_digest"] = self.data_digest
        return other

    def in_given_order(self) -> Table:
        """The same table, whose records algorithms see in the order of the file: for worked examples, where
        ties go to the first record. A file sorted by diagnosis then shapes the groups."""
        return replace(self, given_order=True)

    def ordered(self, seed: int) -> tuple[Table, np.ndarray]:
        """The table as algorithms see it, and the record number of each of its records, int64 (n): in an
        order of content and seed (`order_of_records`), found once for a seed, or in the given order."""
        if self.given_order:
            return self, np.arange(len(self))
        kept: tuple[int, Table, np.ndarray] | None = self.__dict__.get("_ordered")
        if kept is None or kept[0] != seed:
            order = order_of_records(self.frame, self.columns, seed)
            columns = tuple(column.taken(order) for column in self.columns)
            table = replace(self, frame=self.frame.iloc[order], columns=columns)
            kept = self.__dict__["_ordered"] = seed, table, order
        return kept[1:]

    def some(self, rows: np.ndarray, names: Sequence[str] | None = None) -> Table:
        """These records alone (numbers or booleans), of all columns or the named ones, as a table of their
        own: ranges and labels are theirs, the delimiter of item sets is that of the whole."""
        names = self.schema.names if names is None else names
        between = {name: c.delimiter for name in names if isinstance(c := self[name], Items)}
        schema = Schema(tuple(self.schema[name] for name in names)).with_delimiters(between)
        places = [self.schema.names.index(name) for name in names]
        return Table.from_frame(self.frame.iloc[rows, places], schema)

    def _encoded(self, i: int, schema: Schema) -> Column:
        old, new = self.schema.attributes[i], schema.attributes[i]
        same = old.kind == new.kind and old.categories == new.categories
        same = same and (new.kind != "items" or old.delimiter == new.delimiter)
        if same and old.is_private == new.is_private:
            return _placed(replace(self.columns[i], attribute=new))
        if self.domain is not None and not same:
            raise SchemaError(f"The given domain has another column “{new.name}”; find it with this schema.")
        whole = None if self.domain is None else self.domain.columns[new.name]
        return _placed(encode(self.frame.iloc[:, i], new, whole))

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, name: str) -> Column:
        self.schema[name]
        return self.columns[self.schema.names.index(name)]

    def __repr__(self) -> str:
        quasi = ", ".join(a.name for a in self.schema.quasi_identifiers)
        size = f"{len(self)} records × {len(self.schema)} columns"
        return f"Table({size}; quasi-identifiers: {quasi or 'none'})"

    @property
    def quasi(self) -> tuple[Column, ...]:
        """The encoded quasi-identifiers, in column order."""
        return tuple(c for c in self.columns if c.attribute.role == "quasi_identifier")

    @property
    def misfits(self) -> dict[str, Misfits]:
        """By column name: cells that did not fit the column's kind and count as missing."""
        return {c.attribute.name: c.misfits for c in self.columns if c.misfits is not None}

    @cached_property
    def data_digest(self) -> str:
        """SHA-256 (64 hex digits) of names, types and every cell of the frame. It stays with the data: of a
        small table, an attacker who has it can confirm a guess about the cells."""
        return digest_of(self.frame, silent)

    def find_digest(self, tick: Tick) -> str:
        """`data_digest`, ticking while it is found the first time: a large table takes a second."""
        if "data_digest" not in self.__dict__:
            self.__dict__["data_digest"] = digest_of(self.frame, tick)
        return self.data_digest

    @cached_property
    def digest(self) -> str:
        """Digest of the data, the schema and the given domain: the key of every cache."""
        known = json.dumps(self.schema.to_json(), sort_keys=True)
        if self.domain is not None:
            known += json.dumps(self.domain.to_json(), sort_keys=True)
        return hashlib.sha256((self.data_digest + known).encode()).hexdigest()

    def once(self, what: str, make: Callable[[], T]) -> T:
        """What ``make`` returns, made once and kept with the table under a name of its own."""
        made: dict[str, T] = self.__dict__.setdefault("_made", {})
        if what not in made:
            made[what] = make()
        return made[what]

    def numbers(self, name: str) -> Numbers:
        """The column as numbers; SchemaError when it is not on a number line."""
        column = self[name]
        if not isinstance(column, Numbers):
            kind = column.attribute.kind
            raise SchemaError(f"Column “{name}” is {kind}, not a number; choose a numeric column.")
        return column


def read_table(
    source: str | Path | bytes | IO[bytes],
    schema: Schema | None = None,
    format: str | None = None,
    **how: Any,
) -> Table:
    """The table in a file, path or buffer; format, encoding and delimiter are found by content, or as said.

    ``how`` goes to `kanon_core.table.readers.read_frame` (encoding, delimiter, header, sheet, missing, long).
    A source ``"sample:NAME"`` is one of our own samples with its own schema (`kanon_core.table.samples`).
    Raises InputError.
    """
    if isinstance(source, str) and source.startswith(SAMPLE):
        return _read_sample(source.removeprefix(SAMPLE), schema)
    from kanon_core.table.readers import read_frame

    reading = read_frame(source, format=format, **how)
    how = reading.how()
    return Table.from_frame(reading.frame, schema or starting_schema(reading.frame, how), how, reading.notes)


def _read_sample(name: str, schema: Schema | None) -> Table:
    from kanon_core.table.samples import load_sample

    frame, how = load_sample(name), {"sample": name}
    return Table.from_frame(frame, schema or starting_schema(frame, how), how)


def starting_schema(frame: pd.DataFrame, reading: Mapping[str, Any]) -> Schema:
    """The schema before anybody says anything: a sample's own, what the way of reading tells, else inferred.
    ``reading`` as in `Table`: transaction files hold item sets, those of PWSCUP 2018 and UCI's Online Retail
    purchases; in long form one column names the records and one is the items'."""
    if "sample" in reading:
        from kanon_core.table.samples import sample

        known = sample(reading["sample"])
        return Schema(tuple(map(Attribute, known.columns, known.roles.values(), known.kinds.values())))
    if reading.get("format") in ("fimi", "spmf"):
        named = reading["format"] == "spmf" and frame.iloc[:, 0].str.startswith("[").any()
        items = partial(Attribute, kind="items", delimiter="json" if named else " ")
        return Schema(tuple(map(items, map(str, frame.columns))))
    if reading.get("format") == "pwscup":
        from kanon_core.table.readers.pwscup import ROLES, kinds_of

        return Schema(tuple(map(Attribute, map(str, frame.columns), ROLES, kinds_of(frame))))
    from kanon_core.table.readers import retail

    if retail.is_retail(frame.columns) and "long" not in reading:
        return Schema(tuple(Attribute(name, role, retail.KINDS[name]) for name, role in retail.ROLES.items()))
    inferred = Schema.infer(frame)
    if "long" not in reading:
        return inferred
    record, item = reading["long"]
    role = infer_role(item, frame[item], "items")
    return inferred.with_roles({record: "identifier", item: role}).with_kinds({item: "items"})


def _placed(column: Column) -> Column:
    """The column itself; SchemaError when its hierarchy misses a value of it."""
    if not isinstance(column, Numbers) and column.attribute.hierarchy is not None:
        placed(column)
    return column


def _names_differ(given: tuple[str, ...], present: tuple[str, ...]) -> str:
    absent = [name for name in given if name not in present]
    extra = [name for name in present if name not in given]
    if absent:
        return f"The schema names a column “{absent[0]}” that the table does not have."
    if extra:
        return f"The table has a column “{extra[0]}” that the schema does not name."
    return "The schema lists the columns in another order than the table."

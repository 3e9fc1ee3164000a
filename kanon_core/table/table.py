"""The records, encoded once: the one input of every algorithm, metric and audit."""

from __future__ import annotations

import hashlib
import json
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, SchemaError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.table.columns.agreed import with_agreed_dates, with_parallel
from kanon_core.table.columns.columns import Column, Items, Misfits, Numbers, encode
from kanon_core.table.columns.itemcells import with_text_sets
from kanon_core.table.columns.levels import settled
from kanon_core.table.digests import digest_of
from kanon_core.table.domain import Domain, NumberDomain, of_another_schema
from kanon_core.table.hierarchy.placed import placed
from kanon_core.table.order import order_of_records
from kanon_core.table.schema import Schema, with_text_names
from kanon_core.table.wholecells import SETTLED, WholeCells

T = TypeVar("T")
OF_CELLS = ("data_digest", "_row_sums")
"""Attributes that depend on the cells alone and stay with a table, whatever its schema."""


@dataclass(frozen=True, eq=False)
class Table:
    """n records of named columns with a schema. Make it with `Table.from_frame` or `read_table`.

    ``reading`` holds how a file was read (format, encoding …) so that a recipe can read it again; it is empty
    for a table made from a frame. ``domain``: that of the whole table, when this is a part
    (`kanon_core.table.domain`). ``given_order``: algorithms see the records in this order
    (`in_given_order`); else the order of the file shapes nothing. ``whole_cells``: of a sample of a big
    table, in whose cells algorithms work. Tables never change; `with_schema` gives another one.

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
    whole_cells: WholeCells | None = None

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
            raise InputError(tr("The table has no records; it needs column names and at least one record."))
        schema = Schema.infer(frame) if schema is None else schema
        if schema.names != tuple(frame.columns):
            raise SchemaError(_names_differ(schema.names, tuple(frame.columns)))
        wholes = dict.fromkeys(schema.names) if domain is None else domain.columns
        if tuple(wholes) != schema.names:
            raise SchemaError(
                tr("The given domain has other columns than the schema; find it with this schema.")
            )
        cells = (frame.iloc[:, i] for i in range(len(schema)))
        columns = tuple(_placed(encode(c, a, wholes[a.name])) for c, a in zip(cells, schema, strict=True))
        columns = with_agreed_dates(frame, columns)
        return cls(frame, schema, with_parallel(columns), dict(reading or {}), notes, domain)

    def with_schema(self, schema: Schema) -> Table:
        """The same records under another schema; only columns whose kind changed are encoded again. Raises
        SchemaError for another kind of a column where a domain was given, which knows the former one."""
        if schema.names != self.schema.names:
            raise SchemaError(_names_differ(schema.names, self.schema.names))
        if self.whole_cells is not None and schema != self.schema:
            raise SchemaError(tr(SETTLED))
        columns = tuple(self._encoded(i, schema) for i in range(len(schema)))
        columns = with_parallel(with_agreed_dates(self.frame, columns))
        other = replace(self, schema=schema, columns=columns)
        other.__dict__.update({name: self.__dict__[name] for name in OF_CELLS if name in self.__dict__})
        return other

    def with_names(self, names: Sequence[str]) -> Table:
        """The same records, their columns renamed in order: the table that ``read_table(…, names=names)``
        makes of the same file. Raises InputError as `kanon_core.table.readers.notes.given_names` says, and
        SchemaError where a domain was given, which knows the former names.

        >>> import kanon_core as kc
        >>> kc.read_table(b"30,F\\n41,M\\n").with_names(["age", "sex"]).schema.names
        ('age', 'sex')
        """
        from kanon_core.table.readers.notes import given_names, notes_with

        if self.domain is not None:
            raise SchemaError(
                tr(
                    "The given domain has the former column names; rename the columns before you find the"
                    " domain."
                )
            )
        found = given_names(names, self.schema.names)
        pairs = list(zip(self.columns, found, strict=True))
        columns = tuple(replace(c, attribute=replace(c.attribute, name=name)) for c, name in pairs)
        frame, schema = self.frame.set_axis(list(found), axis=1), Schema(tuple(c.attribute for c in columns))
        how, notes = {**self.reading, "names": found}, notes_with(self.notes, self.schema.names, found)
        return Table(frame, schema, columns, how, notes, None, self.given_order)

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
            kept = self.__dict__["_ordered"] = seed, _Reordered.of(self, order, {}), order
        return kept[1:]

    def some(self, rows: np.ndarray, names: Sequence[str] | None = None) -> Table:
        """These records alone (numbers or booleans), of all columns or the named ones, as a table of their
        own: ranges and labels are theirs; the delimiter of item sets, the order of ordinal values and the
        period of cyclic ones are those of the whole."""
        names = self.schema.names if names is None else names
        between = {name: c.delimiter for name in names if isinstance(c := self[name], Items)}
        schema = Schema(tuple(settled(self[name]) for name in names)).with_delimiters(between)
        places = [self.schema.names.index(name) for name in names]
        return Table.from_frame(self.frame.iloc[rows, places], schema)

    def part(self, rows: np.ndarray, wholes: Mapping[str, NumberDomain] | None = None) -> Table:
        """These records, int64 (m), as a part of this table: encoded as they are here, by the same labels,
        orders and circles. ``wholes``: by name, of columns of numbers, the domain of all records, whose
        range, mean and deviation the part then has; without it they are the part's own. No frame is made."""
        return _Reordered.of(self, rows, wholes or {})

    def _encoded(self, i: int, schema: Schema) -> Column:
        old, new = self.schema.attributes[i], schema.attributes[i]
        same = old.kind == new.kind and old.categories == new.categories
        same = same and (new.kind != "items" or old.delimiter == new.delimiter)
        same = same and (old.order, old.period) == (new.order, new.period)
        same = same and old.date_order == new.date_order
        if same and old.is_private == new.is_private:
            return _placed(replace(self.columns[i], attribute=new))
        if self.domain is not None and not same:
            raise of_another_schema(new.name)
        whole = None if self.domain is None else self.domain.columns[new.name]
        return _placed(encode(self.frame.iloc[:, i], new, whole))

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, name: str) -> Column:
        self.schema[name]
        return self._column(self.schema.names.index(name))

    def _column(self, place: int) -> Column:
        return self.columns[place]

    def __repr__(self) -> str:
        quasi = ", ".join(a.name for a in self.schema.quasi_identifiers)
        size = f"{len(self)} records × {len(self.schema)} columns"
        return f"Table({size}; quasi-identifiers: {quasi or 'none'})"

    @property
    def quasi(self) -> tuple[Column, ...]:
        """The encoded quasi-identifiers, in column order."""
        roles = [attribute.role for attribute in self.schema]
        return tuple(self._column(i) for i, role in enumerate(roles) if role == "quasi_identifier")

    @property
    def misfits(self) -> dict[str, Misfits]:
        """The cells that did not fit their column's kind and count as missing, by column name."""
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
        """Digest of the data, the schema, the given domain and whether the order is the given one: the key
        of every cache."""
        known = json.dumps(self.schema.to_json(), sort_keys=True)
        if self.domain is not None:
            known += json.dumps(self.domain.to_json(), sort_keys=True)
        known += "given" if self.given_order else ""
        known += self.whole_cells.digest if self.whole_cells is not None else ""
        return hashlib.sha256((self.data_digest + known).encode()).hexdigest()

    def once(self, what: str, make: Callable[[], T]) -> T:
        """Return the result of ``make``, which is called once and kept with the table under this name."""
        made: dict[str, T] = self.__dict__.setdefault("_made", {})
        if what not in made:
            made[what] = make()
        return made[what]

    def numbers(self, name: str) -> Numbers:
        """The column as numbers; SchemaError when it is not on a number line."""
        column = self[name]
        if not isinstance(column, Numbers):
            kind = column.attribute.kind
            said = tr("Column “{name}” has the kind {kind}; choose a column of numbers.")
            raise SchemaError(said.format(name=name, kind=kind))
        return column


class _Reordered(Table):
    """Records of a table in another order. Its frame, which no algorithm reads, is put in order only on
    request. Its columns are, too, and are kept only while something refers to them, so that a large table is
    not held twice. Columns of item sets are kept, because more is computed from them."""

    @classmethod
    def of(cls, table: Table, order: np.ndarray, wholes: Mapping[str, NumberDomain]) -> _Reordered:
        """These records of a table, int64 (m), in this order; as `Table.part`."""
        frame, before = vars(table).get("_given") or (table.frame, None)
        sources = table.columns if before is None else vars(table)["_sources"]
        made = cls(frame, table.schema, (), table.reading, table.notes, table.domain, table.given_order)
        made.__dict__["_given"] = made.__dict__.pop("frame"), order if before is None else before[order]
        made.__dict__["_sources"] = tuple(_with_whole(column, wholes) for column in sources)
        made.__dict__["_held"] = {}
        del made.__dict__["columns"]
        return made

    def _column(self, place: int) -> Column:
        if "columns" in self.__dict__:
            return super()._column(place)
        held: dict[int, Callable[[], Column | None]] = self.__dict__["_held"]
        column = held.get(place, lambda: None)()
        if column is None:
            column = taken = self.__dict__["_sources"][place].taken(self.__dict__["_given"][1])
            held[place] = (lambda: taken) if isinstance(taken, Items) else weakref.ref(taken)
        return column

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_held": {}}

    def __getattr__(self, name: str) -> Any:
        if name == "columns" and "_sources" in self.__dict__:
            return tuple(map(self._column, range(len(self.schema))))
        if name != "frame" or "_given" not in self.__dict__:
            raise AttributeError(name)
        frame, order = self.__dict__["_given"]
        self.__dict__["frame"] = frame.iloc[order]
        return self.__dict__["frame"]

    def __len__(self) -> int:
        return len(self.__dict__["_given"][1]) if "_given" in self.__dict__ else super().__len__()


def item_sets(table: Table) -> list[Items]:
    """The quasi-identifiers that hold item sets."""
    return [column for column in table.quasi if isinstance(column, Items)]


def _with_whole(column: Column, wholes: Mapping[str, NumberDomain]) -> Column:
    if not isinstance(column, Numbers) or column.attribute.name not in wholes:
        return column
    return replace(column, whole=wholes[column.attribute.name])


def _placed(column: Column) -> Column:
    """The column itself; SchemaError when its hierarchy misses a value of it."""
    if not isinstance(column, Numbers) and column.attribute.hierarchy is not None:
        placed(column)
    return column


def _names_differ(given: tuple[str, ...], present: tuple[str, ...]) -> str:
    absent = [name for name in given if name not in present]
    extra = [name for name in present if name not in given]
    if absent:
        return tr("The schema names a column “{name}” that the table does not have.").format(name=absent[0])
    if extra:
        return tr("The table has a column “{name}” that the schema does not name.").format(name=extra[0])
    return tr("The schema lists the columns in another order than the table; use the order of the table.")

"""Facts about all parts together, once all are read: columns of some rows are encoded as in the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache, partial, reduce
from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import counted, tr
from kanon_core.distances.mixed import UnitColumns, unit_columns
from kanon_core.guarantees.attributes.counts import Values, values_of
from kanon_core.scale.encoding.item_codes import Keys, Sets
from kanon_core.scale.source.celltypes import types_in
from kanon_core.scale.work.keeping import Result, keep, kept
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.agreed import with_parallel
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.columns import Categories, Column, Items, encode
from kanon_core.table.columns.levels import encode_cyclic
from kanon_core.table.columns.numbers import Numbers, of_whole, on_circle
from kanon_core.table.domain import Domain, LabelDomain, NumberDomain, exact_sum
from kanon_core.table.hierarchy.placed import placed
from kanon_core.table.people import Persons
from kanon_core.table.rowdigest import digest_of_sums, digested
from kanon_core.table.schema import Schema
from kanon_core.table.steps import AUTO
from kanon_core.table.table import Table

_LEAST, _MOST = 1e-100, 1e149
"""The largest number of a column must lie between these for a step to be chosen."""


@dataclass(frozen=True)
class Whole:
    """The facts of the whole table: the ``domain`` of the coded columns; ``counts`` of the values of the
    protected columns (with their ``values``, for numbers); ``types`` of all published columns; ``records``;
    ``sums`` of the digest; ``misfits`` by column. ``held``: how often each label of a column on a circle
    occurs; ``circles``: the circles of numbers, with the domain of their unrolled values."""

    schema: Schema
    domain: Domain
    records: int
    types: Mapping[str, str]
    sums: np.ndarray
    counts: Mapping[str, np.ndarray]
    values: Mapping[str, np.ndarray]
    misfits: Mapping[str, int]
    held: Mapping[str, np.ndarray] = field(default_factory=dict)
    circles: Mapping[str, tuple[Circle, NumberDomain]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, schema: Schema, coded: Sequence[str], protected: Sequence[str], parts: Sequence[Result]
    ) -> Whole:
        """Return the whole that all parts make. Raise InputError where a column has different types in
        different files."""
        _check_dates([name for name in coded if not all(p.get(f"iso:{name}", True) for p in parts)])
        found = [_counts(name, parts) for name in protected]
        domain = {name: _domain(name, parts) for name in coded}
        names = [name.removeprefix("type:") for name in parts[0] if name.startswith("type:")]
        misfits = {name: _misfits(schema[name], parts) for name in coded}
        return cls(
            schema,
            Domain(domain),
            sum(int(part["rows"]) for part in parts),
            types_in(names, parts),
            reduce(np.add, (part["sums"] for part in parts)),
            dict(zip(protected, (counts for counts, _ in found), strict=True)),
            dict(zip(protected, (values for _, values in found), strict=True)),
            {name: count for name, count in misfits.items() if count},
            {
                name: _counts(name, parts)[0][: len(own.labels)].astype(np.float64)
                for name, own in domain.items()
                if schema[name].kind == "cyclic" and isinstance(own, LabelDomain)
            },
        )

    def digest(self, named: bool) -> str:
        """Return the digest of all rows, in whatever order and parts they were read (`digest_of_sums`)."""
        types = {name: self.types[name] for name in digested(self.schema, named)}
        return digest_of_sums(named, types, self.records, self.sums)

    def numbering(self, name: str, labels: Sequence[str]) -> np.ndarray:
        """Return the code in the whole of each of these labels of a part, then that of missing, int32 (labels
        + 1)."""
        own = self.domain.columns[name]
        assert isinstance(own, LabelDomain)
        number = {label: code for code, label in enumerate(own.labels)}
        return np.array([*(number[label] for label in labels), len(number)], np.int32)

    @cached_property
    def _words(self) -> dict[str, Column]:
        """Return, by name, a column of words in which record i has label i, and the last record has none."""
        found: dict[str, Column] = {}
        for name, own in self.domain.columns.items():
            if isinstance(own, LabelDomain) and name in self.held:
                found[name] = _around_words(own.labels, own.missing, self.held[name], self.schema[name])
            elif isinstance(own, LabelDomain) and self.schema[name].kind != "items":
                plain = replace(self.schema[name], categories=None)
                cells = pd.Series([*own.labels, *([None] if own.missing else [])], dtype="str")
                column = encode(cells, plain, own)
                found[name] = replace(column, attribute=self.schema[name])
        return found

    def column(self, name: str, keys: Keys) -> Column:
        """Return the column of some rows, from their numbers or their codes in the whole."""
        attribute, own = self.schema[name], self.domain.columns[name]
        if isinstance(keys, Sets):
            assert isinstance(own, LabelDomain)
            return Items(attribute, keys.starts, keys.items, own.labels, None, attribute.delimiter)
        if isinstance(own, LabelDomain):
            return self._words[name].taken(keys)
        column = of_whole(attribute, keys, own)
        if name in self.circles:
            circle, unrolled = self.circles[name]
            return replace(on_circle(column, circle), whole=unrolled)
        if attribute.kind != "longitude":
            return column
        ended = own.high == 180.0 and own.low != -180.0
        return on_circle(column, Circle(360.0, -180.0, -180.0, ended))

    def columns(self, keys: Mapping[str, Keys]) -> tuple[Column, ...]:
        """Return all quasi-identifiers of some rows, by their numbers or codes; item sets may be left out,
        and are then those of no rows."""
        quasi = [a.name for a in self.schema.quasi_identifiers]
        return with_parallel(tuple(self.column(name, keys.get(name, Sets.none())) for name in quasi))

    def unit(self, keys: Mapping[str, Keys]) -> UnitColumns:
        """Return the quasi-identifiers of some rows as NCP sees them."""
        columns = self.columns(keys)
        return unit_columns(columns, len(next(iter(keys.values()))))

    def protected(self, keys: Mapping[str, Keys]) -> tuple[Values, ...]:
        """Return the values of the protected columns of some rows; they know how often each value occurs in
        the whole."""
        return tuple(self._protected(name, keys[name]) for name in self.counts)

    def _protected(self, name: str, keys: Keys) -> Values:
        counts, values = self.counts[name], self.values[name]
        if isinstance(keys, Sets):
            return values_of(self.column(name, keys))
        if isinstance(self.domain.columns[name], LabelDomain):
            known = values_of(self._words[name])
            held = np.bincount(known.codes, counts, known.distinct).astype(np.int64)
            return known._replace(codes=known.codes[keys], occurring=held)
        codes = np.minimum(np.searchsorted(values, keys), len(values) - 1).astype(np.int32)
        return Values(name, codes, len(values), True, bool(np.isnan(values[-1])), counts)

    def check(self, algorithm: Algorithm) -> None:
        """Raises UnsuitableError, in a sentence, where a column's encoding needs all rows at once, or
        SchemaError where a hierarchy misses a value. Where the order of the records shapes the release, it
        depends on every cell."""
        fragment_rows = algorithm.fragment_rows
        if fragment_rows is not None and self.records <= fragment_rows:
            raise UnsuitableError(
                tr(
                    "The table has {records} and fits in one fragment of {rows:,}. Choose smaller"
                    " fragments, or run it on one machine."
                ).format(records=counted(self.records, "record"), rows=fragment_rows)
            )
        mapped = [a.name for a in self.schema if a.categories is not None]
        if algorithm.by_order and (changed := [*self.misfits, *mapped]):
            raise UnsuitableError(
                tr(
                    "Column “{name}” has cells that do not fit its kind, or a map of categories."
                    " Over many files, the order in which this algorithm processes the records is"
                    " then unknown. Correct the cells, or replace the categories, in the files."
                ).format(name=changed[0])
            )
        if reasons := [
            reason
            for name, own in self.domain.columns.items()
            if (reason := _no_step(self.schema[name], own))
        ]:
            raise UnsuitableError(" ".join(reasons))
        nothing = self.nothing()
        for name in self.domain.columns:
            words = self.column(name, nothing[name])
            if isinstance(words, Categories | Items) and self.schema[name].hierarchy is not None:
                placed(words)

    def table(self, keys: Mapping[str, Keys], records: int) -> Table:
        """Return these rows as a table of the coded columns, whose protected values know the counts of the
        whole."""
        schema = Schema(tuple(attribute for attribute in self.schema if attribute.name in keys))
        columns = with_parallel(tuple(self.column(name, keys[name]) for name in schema.names))
        table = Table(pd.DataFrame(index=range(records)), schema, columns)
        for values in self.protected(keys):
            table.once(f"values:{values.name}", partial(lambda own: own, values))
        return table

    def empty(self) -> Table:
        """Return a table of no rows with the coded columns, which have the ranges and labels of the whole."""
        return self.table(self.nothing(), 0)

    def nothing(self) -> dict[str, Keys]:
        """Return the keys of no rows."""
        found: dict[str, Keys] = {}
        for name, own in self.domain.columns.items():
            found[name] = np.zeros(0, np.int32 if isinstance(own, LabelDomain) else np.float64)
            if self.schema[name].kind == "items":
                found[name] = Sets.none()
        return found

    def unsuitable(self, algorithm: Algorithm, k: int, people: int) -> list[str]:
        """Return why the algorithm cannot work on the whole, in sentences; ``people``: how many there are,
        where a column names them."""
        records = min(self.records, max(k, algorithm.fragment_rows or self.records))
        table = self.table(self.nothing(), records)
        for attribute in self.schema.of_role("person"):
            persons = Persons(attribute.name, np.arange(people))
            table.once("persons", partial(lambda own: own, persons))
        return algorithm.unsuitable(table, k) or algorithm.parted(table)

    def keep(self, path: Path) -> None:
        """Write the whole, for the workers."""
        arrays = {f"counts:{name}": counts for name, counts in self.counts.items()}
        arrays |= {f"values:{name}": values for name, values in self.values.items()}
        plain = {
            "schema": self.schema.to_json(),
            "domain": self.domain.to_json(),
            "records": self.records,
            "types": dict(self.types),
            "misfits": dict(self.misfits),
            "circles": {name: asdict(circle) for name, (circle, _) in self.circles.items()},
            "lines": Domain({name: line for name, (_, line) in self.circles.items()}).to_json(),
        }
        arrays |= {f"held:{name}": held for name, held in self.held.items()}
        keep(path, plain | arrays | {"sums": self.sums})


@lru_cache(maxsize=2)
def whole_in(path: str, changed: int) -> Whole:
    """Return the whole that `Whole.keep` wrote there at this moment; each process reads it once."""
    found = kept(Path(path))
    assert found is not None
    arrays = {name: value for name, value in found.items() if isinstance(value, np.ndarray)}
    counts, values, held = (
        {name.removeprefix(what): value for name, value in arrays.items() if name.startswith(what)}
        for what in ("counts:", "values:", "held:")
    )
    lines = Domain.from_json(found["lines"]).columns
    circles = {
        name: (Circle(**one), cast(NumberDomain, lines[name])) for name, one in found["circles"].items()
    }
    domain = Domain.from_json(found["domain"])
    schema = Schema.from_json(found["schema"])
    facts = (found["records"], found["types"], found["sums"], counts, values, found["misfits"])
    return Whole(schema, domain, *facts, held, circles)


def _around_words(labels: tuple[str, ...], missing: int, held: np.ndarray, attribute: Attribute) -> Numbers:
    """Return the column of a circle in which record i has label i, and the last record has none. It has the
    circle of the whole table, in which ``held`` tells how often each label occurs, and ``missing`` how many
    cells are missing."""
    cells = pd.Series([*labels, None], dtype="str")
    column = encode_cyclic(cells, replace(attribute, categories=None), None, np.append(held, 0.0))
    gone = missing + int(held[np.isnan(column.values[:-1])].sum())
    known = column.whole or NumberDomain.counted(column.values[:-1], held.astype(np.int64))
    return replace(column, attribute=attribute, whole=replace(known, missing=gone))


def _no_step(attribute: Attribute, own: NumberDomain | LabelDomain) -> str:
    """Return a sentence on why the cells of a column of this domain cannot be published in parts; "" where
    they can."""
    automatic = attribute.role == "quasi_identifier" and attribute.round_to == AUTO
    if not automatic or not isinstance(own, NumberDomain) or _has_steps(own):
        return ""
    return tr(
        "The numbers of column “{name}” are too large or too small for an automatic step over many files."
        " Name a step instead of auto."
    ).format(name=attribute.name)


def _has_steps(own: NumberDomain) -> bool:
    """Return whether every step that may be chosen can be written as a step (`kanon_core.table.steps`)."""
    largest = max(-own.low, own.high)
    return largest == 0 or _LEAST <= largest <= _MOST


def _misfits(attribute: Attribute, parts: Sequence[Result]) -> int:
    """Return how many cells of all parts do not fit the kind of a column."""
    own = sum(int(part.get(f"misfits:{attribute.name}", 0)) for part in parts)
    return own + _outside_order(attribute, parts)


def _outside_order(attribute: Attribute, parts: Sequence[Result]) -> int:
    """Return how many cells of an ordinal column are none of the values whose order is given."""
    name = attribute.name
    if attribute.kind != "ordinal" or not attribute.order:
        return 0
    each = (zip(one.get(f"labels:{name}", ()), one.get(f"counts:{name}", ()), strict=True) for one in parts)
    return sum(int(count) for own in each for label, count in own if label not in attribute.order)


def _check_dates(names: Sequence[str]) -> None:
    """Raises UnsuitableError where these columns hold dates as texts whose form is guessed from all of
    them."""
    if names:
        raise UnsuitableError(
            tr(
                "Column “{name}” holds dates as texts, whose format cannot be guessed over many"
                " files. Give the order of day, month and year, such as --date-order {pair}, or"
                " write them as 2024-05-31 or as parquet dates."
            ).format(name=names[0], pair=f"{names[0]}=dmy")
        )


def _domain(name: str, parts: Sequence[Result]) -> NumberDomain | LabelDomain:
    missing = sum(int(part[f"missing:{name}"]) for part in parts)
    if _labeled(name, parts):
        labels = set().union(*(part.get(f"labels:{name}", ()) for part in parts))
        return LabelDomain(tuple(sorted(labels)), missing)
    ends = [part[f"ends:{name}"] for part in parts if part[f"ends:{name}"]]
    low, high = (min(e[0] for e in ends), max(e[1] for e in ends)) if ends else (0.0, 0.0)
    step = max(int(part[f"step:{name}"]) for part in parts)
    count = sum(int(part["rows"]) for part in parts) - missing
    sums = (
        exact_sum(value for part in parts for value in part.get(f"{what}:{name}", ()))
        for what in ("total", "squares")
    )
    return NumberDomain(count, missing, low, high, step, *sums)


def _labeled(name: str, parts: Sequence[Result]) -> bool:
    """Return whether some part has words; a part whose cells are all missing may have none."""
    return any(f"labels:{name}" in part for part in parts)


def _counts(name: str, parts: Sequence[Result]) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each value occurs, and the values where they are numbers."""
    if _labeled(name, parts):
        own = _domain(name, parts)
        assert isinstance(own, LabelDomain)
        number = {label: code for code, label in enumerate(own.labels)}
        counts = np.zeros(len(number) + (own.missing > 0), np.int64)
        for part in parts:
            held = part.get(f"counts:{name}")
            codes = [number[label] for label in part.get(f"labels:{name}", ())]
            counts[codes] += held if held is not None else 0
        if own.missing:
            counts[-1] = own.missing
        return counts, np.zeros(0)
    values = np.concatenate([part[f"values:{name}"] for part in parts])
    counts = np.concatenate([part[f"counts:{name}"] for part in parts])
    different, back = np.unique(values, return_inverse=True)
    return np.bincount(back, counts).astype(np.int64), different

"""The drawn cells of a big table, brought together as a sample that fits one memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.algorithms.wholecell_support import not_in_cells
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.infile import write_files
from kanon_core.base.words import tr
from kanon_core.scale.encoding.encode import LEFT_OUT
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.engines import Engine
from kanon_core.scale.fragments.first_stages import Begun, JobSpec
from kanon_core.scale.fragments.routing import Leaves
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.source.celltypes import PANDAS
from kanon_core.table.cellsfile import cells_bytes
from kanon_core.table.columns.columns import Categories
from kanon_core.table.domain import Domain
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from kanon_core.table.wholecells import ENGINE_FLAGS, WholeCells


def sample_of_cells(
    by: Begun,
    asked_for: JobSpec,
    tree: Tree,
    rows: Leaves,
    places: np.ndarray | None,
    engine: Engine,
) -> Table:
    """Return the rows of the drawn cells as a table that knows its cells; ``places`` as of
    `kanon_core.table.wholecells.places_of`. Columns that are neither anonymized nor published are not in
    it."""
    chosen = sorted({leaf for held in rows.leaves for leaf in held})
    number = {leaf: row for row, leaf in enumerate(chosen)}
    drawn = [] if places is None else [number[leaf] for leaf in tree.leaves_at(places).tolist()]
    batches = [rows.batch(leaf) for leaf in chosen]
    cell = np.repeat(np.arange(len(batches)), [batch.num_rows for batch in batches])
    facts = (by.whole.records, asked_for.rows, asked_for.k, asked_for.source, by.schema, engine_words(engine))
    cells = WholeCells(cell, np.array(drawn, np.int64), *facts)
    schema = Schema(tuple(a for a in by.schema if a.role not in LEFT_OUT))
    frame = _frame(by.whole, schema, pa.Table.from_batches(batches))
    own = Table.from_frame(frame, schema)
    domain = {**Domain.of(own.columns).columns, **by.whole.domain.columns}
    whole = Domain({name: domain[name] for name in schema.names})
    table = Table.from_frame(frame, schema, {"format": "cells"}, (), whole)
    return replace(table, whole_cells=cells)


def engine_words(engine: Engine) -> dict[str, str]:
    """Return, by flag, which engine this is and where its workers are; the number of workers is not kept.

    >>> from kanon_core.scale.engines import Dask, Local
    >>> engine_words(Local(2)), engine_words(Dask("tcp://head:8786"))
    ({'engine': 'local'}, {'engine': 'dask', 'address': 'tcp://head:8786'})
    """
    said = {flag: getattr(engine, flag.removeprefix("tls-"), "") for flag in ENGINE_FLAGS[1:]}
    return {ENGINE_FLAGS[0]: engine.name, **{flag: value for flag, value in said.items() if value}}


def check_sample(asked_for: JobSpec) -> None:
    """Raises UnsuitableError where a sample of cells could not be worked on."""
    if unfit := not_in_cells(asked_for.algorithm, asked_for.k):
        raise UnsuitableError(unfit)
    mapped = [a.name for a in asked_for.schema or () if a.categories is not None]
    if mapped:
        raise UnsuitableError(
            tr(
                "Column “{name}” has a map of categories, which a sample of cells does not keep; replace its"
                " values in the files."
            ).format(name=mapped[0])
        )


def _frame(whole: Whole, schema: Schema, rows: pa.Table) -> pd.DataFrame:
    """Return the cells as they are in the files; those of coded columns from their numbers and codes."""
    found: dict[str, pd.Series] = {}
    for attribute in schema:
        name = attribute.name
        if f"key:{name}" in rows.column_names:
            keys = rows.column(f"key:{name}").to_numpy()
            found[name] = _decoded(whole, name, keys)
        else:
            cells = rows.column(f"cell:{name}").to_pandas()
            found[name] = cells.astype(PANDAS[whole.types[name]])
    return pd.DataFrame(found)


def _decoded(whole: Whole, name: str, keys: np.ndarray) -> pd.Series:
    column = whole.column(name, keys)
    if isinstance(column, Categories) or whole.schema[name].kind == "ordinal":
        own = whole.domain.columns[name]
        labels = np.array([*getattr(own, "labels", ()), None], object)
        return pd.Series(labels[keys], dtype="str")
    if whole.schema[name].kind == "datetime":
        stamps = np.where(np.isnan(keys), 0, np.round(np.nan_to_num(keys) * 1e6)).astype("datetime64[us]")
        return pd.Series(stamps).mask(np.isnan(keys))
    whole_numbers = whole.types.get(name) == "whole" and not np.isnan(keys).any()
    return pd.Series(keys.astype(np.int64) if whole_numbers else keys)


def write_sample(asked_for: JobSpec, table: Table) -> None:
    """Write the sample for its owner's eyes alone, all at once. Raises InputError."""
    write_files({Path(asked_for.sample): cells_bytes(table)}, asked_for.sample)

"""Compare the columns of a released file with those of its original, and read their texts as cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import Cells
from kanon_core.covers.uploaded.intervals import read_intervals
from kanon_core.covers.uploaded.set_texts import plain_form, read_items, read_sets
from kanon_core.table.columns.columns import Categories, Column, Items
from kanon_core.table.inference import infer_kind, infer_role
from kanon_core.table.readers.types.typed import typed_alone
from kanon_core.table.table import Table

_SHARE = 0.5
_NEARLY = 0.95


def column_notes(table: Table, frame: pd.DataFrame) -> list[str]:
    """Sentences on identifiers that are in the file, columns of the original that are not, and added columns,
    with a warning if these hold an identifier's values, seem to name people, or differ in nearly every row.
    Cost O(cells)."""
    return [*_original(table, frame), *(_added(table, name, frame[name]) for name in _more(table, frame))]


def _more(table: Table, frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if name not in table.schema.names]


def _original(table: Table, frame: pd.DataFrame) -> Iterator[str]:
    for attribute in table.schema:
        name, role, there = attribute.name, attribute.role, attribute.name in frame.columns
        if role == "identifier" and there:
            yield tr("The file has the column “{name}”, an identifier of the original.").format(name=name)
        if role == "quasi_identifier" and not there:
            said = tr("The column “{name}” is not in the file and counts as not published.")
            yield said.format(name=name)
        if role in ("sensitive", "other") and not there:
            yield tr("The column “{name}” of the original is not in the file.").format(name=name)


def _added(table: Table, name: str, cells: pd.Series) -> str:
    said = tr("The column “{name}” is in the file but not in the original, so it cannot be compared.")
    for attribute in table.schema.of_role("identifier"):
        own = set(table.frame[attribute.name].dropna().astype(str).str.strip())
        if cells.dropna().astype(str).str.strip().isin(own).mean() >= _SHARE:
            said += " " + tr("It has values of the identifier “{identifier}”, which name people.")
            return said.format(name=name, identifier=attribute.name)
    values = typed_alone(cells) if cells.dtype == "str" else cells
    if infer_role(name, values, infer_kind(name, values)) == "identifier":
        said += " " + tr("It seems to name people.")
    elif cells.nunique() >= max(2, _NEARLY * len(cells)):
        said += " " + tr("Nearly every row has a unique value in it, as in a column of names.")
    return said.format(name=name)


def read_cells(column: Column, texts: list[str], tick: Tick = silent) -> tuple[Cells, np.ndarray]:
    """The cells of these texts, and booleans: the text could not be read (`read_intervals`, `read_sets`,
    `read_items`)."""
    if isinstance(column, Categories):
        return read_sets(texts, column, tick)
    texts = [plain_form(text) for text in texts]
    if isinstance(column, Items):
        return read_items(texts, column), np.zeros(len(texts), bool)
    return read_intervals(texts, column, tick)

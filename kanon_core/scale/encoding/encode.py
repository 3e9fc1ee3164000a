"""The first stage: each part is read once and written as numbers and codes for the later stages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.scale.encoding.batches import write_batches
from kanon_core.scale.encoding.item_codes import Sets, cells_of, coded_sets
from kanon_core.scale.source.celltypes import beyond_exact
from kanon_core.scale.source.parts import read
from kanon_core.scale.source.pieces import Part
from kanon_core.scale.work.keeping import Result
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.categories import encode_categories
from kanon_core.table.columns.columns import encode
from kanon_core.table.columns.dates import are_iso, seconds
from kanon_core.table.columns.itemcells import plain_text
from kanon_core.table.columns.levels import DAY
from kanon_core.table.columns.numbers import Numbers, numbers_column, read_numbers
from kanon_core.table.domain import DAYS, NumberDomain, step_of
from kanon_core.table.rowdigest import UNREAD, sums_of_cells, type_of
from kanon_core.table.schema import Schema

LEFT_OUT = UNREAD
"""Roles of columns that are neither read nor published."""


@dataclass(frozen=True)
class Encode:
    """Stage that encodes the parts.

    ``coded``: the columns by which cuts are made, and the ``protected`` ones, whose values a rule counts.
    ``digested``: the columns that the digest covers. ``folder``: the folder to write to.
    ``sums``: also add up the numbers and their squares exactly, from which means and deviations are made.
    """

    schema: Schema
    coded: tuple[str, ...]
    protected: tuple[str, ...]
    digested: tuple[str, ...]
    folder: str
    sums: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Return the columns that are read, in order."""
        told = {*self.coded, *self.digested}
        return tuple(a.name for a in self.schema if a.role not in LEFT_OUT or a.name in told)

    @property
    def unchanged(self) -> tuple[str, ...]:
        """Return the columns that are published unchanged."""
        return tuple(a.name for a in self.schema.of_role("sensitive", "other"))

    def __call__(self, numbered: tuple[int, Part]) -> Result:
        """Write the part's rows. Return the facts on each column: number of rows, ends and steps of numbers,
        labels of words, types, misfits, and the sums of the digest."""
        number, part = numbered
        frame = read(part, self.names, self.schema.names)[list(self.names)]
        found: Result = {"rows": len(frame), "files": [Path(p.file).name for p in part.pieces]}
        arrays: dict[str, Any] = {}
        sets: dict[str, Sets] = {}
        for name in self.coded:
            if self.schema[name].kind == "items":
                sets[f"key:{name}"], known = coded_sets(frame[name], self.schema[name])
            else:
                arrays[f"key:{name}"], known = self._coded(frame[name], name)
            found |= {f"{what}:{name}": value for what, value in known.items()}
        for name in self.names:
            found[f"type:{name}"] = type_of(frame[name])
            found[f"beyond:{name}"] = beyond_exact(frame[name])
        for name in self.unchanged:
            arrays[f"cell:{name}"] = frame[name]
        found["sums"] = sums_of_cells(frame[list(self.digested)])
        rows = pa.Table.from_pandas(pd.DataFrame(arrays, copy=False), preserve_index=False)
        for name, own in sets.items():
            cells = cells_of(own)
            rows = rows.append_column(name, cells) if rows.num_columns else pa.table({name: cells})
        (batch,) = rows.combine_chunks().to_batches()
        write_batches(Path(self.folder) / f"{number:06d}.arrow", [batch])
        return found

    def _coded(self, cells: pd.Series, name: str) -> tuple[np.ndarray, Result]:
        keys, known = coded(cells, self.schema[name], name in self.protected)
        if self.sums and "ends" in known:
            own = NumberDomain.of(keys)
            known |= {"total": list(own.total), "squares": list(own.squares)}
        return keys, known


def coded(cells: pd.Series, attribute: Attribute, tallied: bool) -> tuple[np.ndarray, Result]:
    """Return the cells as float64 numbers as they are written, or as int32 codes of the part's own labels, −1
    = missing; and the facts about them. ``tallied``: also count how often each number occurs."""
    if attribute.kind == "ordinal" or _in_words(cells, attribute):
        found, texts = pd.factorize(cells, use_na_sentinel=True)
        return _words(found, [plain_text(text) for text in texts])
    if attribute.is_numeric:
        column = _as_numbers(cells, attribute)
        values = column.values
        present = values[~np.isnan(values)]
        ends = [float(present.min()), float(present.max())] if len(present) else []
        known: Result = {
            "ends": ends,
            "missing": len(values) - len(present),
            "step": step_of(present) if len(present) else DAYS,
            "misfits": 0 if column.misfits is None else column.misfits.count + column.misfits.ends,
        }
        if attribute.kind == "datetime" and not attribute.date_order and type_of(cells) == "text":
            known["iso"] = are_iso(cells)
        if tallied:
            known["values"], known["counts"] = np.unique(values, return_counts=True)
        return values, known
    words = encode_categories(cells, attribute, None)
    return _words(np.where(words.missing, -1, words.codes), list(words.labels[: words.distinct]))


def _in_words(cells: pd.Series, attribute: Attribute) -> bool:
    """Return whether the cells are kept as words, as those of a circle are that are neither numbers nor
    moments. Cells that are all missing fit any type."""
    if attribute.kind != "cyclic" or cells.isna().all():
        return False
    plain = pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_datetime64_any_dtype(cells)
    return bool(attribute.order) or not plain


def _as_numbers(cells: pd.Series, attribute: Attribute) -> Numbers:
    """Return the cells as they are written; moments of a cyclic column as seconds since midnight."""
    if attribute.kind == "cyclic":
        plain = Attribute(attribute.name, attribute.role, "numeric")
        if pd.api.types.is_datetime64_any_dtype(cells):
            return numbers_column(cells, plain, np.mod(seconds(cells), DAY), None)
        return read_numbers(cells, plain, None)
    if attribute.kind == "longitude":
        return read_numbers(cells, attribute, None)
    column = encode(cells, attribute)
    assert isinstance(column, Numbers)
    return column


def _words(codes: np.ndarray, labels: list[str]) -> tuple[np.ndarray, Result]:
    held = np.bincount(codes[codes >= 0], minlength=len(labels))
    return codes.astype(np.int32), {"labels": labels, "missing": int((codes < 0).sum()), "counts": held}

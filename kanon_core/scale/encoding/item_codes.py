"""Item sets of a table in many files: each part writes those of its rows as codes of its own labels, which
become codes of the whole when rows are brought together. Item sets are not cut: they follow their rows into
fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import counted, tr
from kanon_core.scale.work.keeping import Result
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.itemcells import as_texts, found_delimiter
from kanon_core.table.columns.items import encode_items
from kanon_core.table.schema import Schema

ITEMS_UNCUT = 5_000_000
"""The most items of one fragment that fit into a worker: Refine for sets takes 150 bytes for each item, and
400 for each record."""


@dataclass(frozen=True, eq=False)
class Sets:
    """The item sets of some rows: row i has ``items[starts[i]:starts[i + 1]]``, ascending codes, int32;
    ``starts`` int64 (n + 1)."""

    starts: np.ndarray
    items: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def none(cls) -> Sets:
        """Return the sets of no rows."""
        return cls(np.zeros(1, np.int64), np.zeros(0, np.int32))

    def numbered(self, number: np.ndarray) -> Sets:
        """Return the same sets by the codes that ``number`` gives to these codes; both kinds are in text
        order of the labels.

        >>> Sets(np.array([0, 2, 3]), np.array([0, 1, 1])).numbered(np.array([4, 7])).items.tolist()
        [4, 7, 7]
        """
        return Sets(self.starts, number[self.items].astype(np.int32))


Keys = np.ndarray | Sets
"""The keys of some rows: numbers as they are written, codes of words, or item sets."""


def cells_of(keys: Keys) -> pa.Array:
    """Return the keys as Arrow writes them; item sets as lists."""
    if isinstance(keys, Sets):
        return pa.LargeListArray.from_arrays(
            pa.array(keys.starts, pa.int64()), pa.array(keys.items, pa.int32())
        )
    return pa.array(keys)


def keys_of(cells: pa.Array) -> Keys:
    """Return what `cells_of` wrote.

    >>> sets = cells_of(Sets(np.array([0, 2, 2, 3]), np.array([0, 1, 1])))
    >>> keys_of(sets[1:]).starts.tolist(), keys_of(sets[1:]).items.tolist()
    ([0, 0, 1], [1])
    """
    if not pa.types.is_large_list(cells.type):
        found: np.ndarray = cells.to_numpy(zero_copy_only=False)
        return found
    starts = cells.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
    return Sets(starts - starts[0], cells.flatten().to_numpy(zero_copy_only=False))


def taken(keys: Keys, chosen: np.ndarray) -> Keys:
    """Return the keys of these rows, int64.

    >>> taken(Sets(np.array([0, 2, 2, 3]), np.array([0, 1, 1])), np.array([2, 0])).items.tolist()
    [1, 0, 1]
    """
    return keys_of(cells_of(keys).take(pa.array(chosen)))


def coded_sets(cells: pd.Series, attribute: Attribute) -> tuple[Sets, Result]:
    """Return the cells of a part as sets of codes of its own labels, and the facts about them."""
    column = encode_items(cells, attribute, None)
    known: Result = {
        "labels": list(column.labels),
        "missing": 0,
        "misfits": 0 if column.misfits is None else column.misfits.count,
        "items": len(column.items),
    }
    return Sets(column.starts, column.items), known


def undelimited(schema: Schema) -> list[str]:
    """Return the columns of item sets for which no form of writing is given."""
    return [a.name for a in schema if a.kind == "items" and not a.delimiter]


def with_found_delimiters(schema: Schema, sample: pd.DataFrame) -> Schema:
    """Return the schema with the form of writing of item sets that some rows show, so that every part is read
    alike.

    >>> schema = Schema((Attribute("basket", kind="items"),))
    >>> sample = pd.DataFrame({"basket": ["tea;milk", "tea", "milk;tea;bread"]})
    >>> with_found_delimiters(schema, sample)["basket"].delimiter
    ';'
    """
    return schema.with_delimiters(
        {name: found_delimiter(as_texts(sample[name])) for name in undelimited(schema) if name in sample}
    )


def check_uncut(schema: Schema, parts: Sequence[Result]) -> None:
    """Raises UnsuitableError where all quasi-identifiers are item sets, so that no fragments can be made, and
    these are too many for one worker."""
    quasi = schema.quasi_identifiers
    items = sum(int(part[f"items:{a.name}"]) for a in quasi if a.kind == "items" for part in parts)
    if items > ITEMS_UNCUT and all(a.kind == "items" for a in quasi):
        raise UnsuitableError(
            tr(
                "All quasi-identifiers are item sets, which are not cut into fragments. The {items}"
                " of the table would form one fragment, but a worker accepts at most {most:,}. Add"
                " a quasi-identifier of numbers or words, or run the table on one machine."
            ).format(items=counted(items, "item"), most=ITEMS_UNCUT)
        )

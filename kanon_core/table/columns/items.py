"""Columns of item sets, and the groups of a hierarchy above their items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.base import Encoded, Misfits, misfits_of
from kanon_core.table.columns.itemcells import as_texts, parts_of
from kanon_core.table.columns.keys import distinct
from kanon_core.table.columns.set_arrays import set_keys
from kanon_core.table.domain import LabelDomain
from kanon_core.table.hierarchy.closures import GroupsAbove, groups_above


@dataclass(frozen=True)
class Items(Encoded):
    """A column of item sets: record i holds ``items[starts[i]:starts[i + 1]]``, codes into ``labels``
    (ascending text).

    ``starts`` int64 (n + 1); ``items`` int32, within a record ascending and distinct. A missing cell, and one
    that does not fit, is the empty set. ``delimiter``: how the cells were split (see
    `kanon_core.table.columns.itemcells`). The labels of a part of a table may be those of the whole.
    """

    attribute: Attribute
    starts: np.ndarray
    items: np.ndarray
    labels: tuple[str, ...]
    misfits: Misfits | None = None
    delimiter: str = ""

    @property
    def missing(self) -> np.ndarray:
        """n booleans, all false: a record without items has the empty set, a value like any other."""
        return np.zeros(len(self.starts) - 1, bool)

    def taken(self, rows: np.ndarray) -> Items:
        """The sets of these records, by the same labels."""
        sizes = self.sizes[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], sizes)
        return replace(self, starts=starts, items=self.items[places])

    @property
    def has_missing(self) -> bool:
        """Never."""
        return False

    @property
    def distinct(self) -> int:
        """The number of different items."""
        return len(self.labels)

    @property
    def sizes(self) -> np.ndarray:
        """int64 (n): how many items each record has."""
        return np.diff(self.starts)

    @cached_property
    def keys(self) -> np.ndarray:
        """int32 (n): the number of each record's set, in the order in which they are first met."""
        return set_keys(self.starts, self.items).astype(np.int32)

    @cached_property
    def closure(self) -> Closure:
        """The sets with all groups of the column's hierarchy above their items; cost O(items · depth · log).
        Raises SchemaError for an item that is no value of the hierarchy, naming it unless the column is
        private."""
        labels, above = groups_above(self)
        sets = self
        if self.attribute.hierarchy is not None:
            starts, codes = above.closed(self.starts, above.own[self.items])
            bare = replace(self.attribute, hierarchy=None)
            sets = replace(self, attribute=bare, labels=labels, starts=starts, items=codes)
        return Closure(above.own, above.parent, above.spread, above.values, sets)

    def domain(self) -> LabelDomain:
        """The items that occur, and how sets are written."""
        labels = tuple(self.labels[code] for code in np.unique(self.items).tolist())
        return LabelDomain(labels, 0, self.delimiter if len(labels) else "")


@dataclass(frozen=True, eq=False)
class Closure(GroupsAbove):
    """A column of item sets together with all groups of its hierarchy above its items, the top left out. What
    is published of sets are items and groups that all records of a cell have in their closures. Without a
    hierarchy an item has no group above it, and ``sets`` is the column itself."""

    sets: Items  # ``labels``: the items that records have and the groups above them, in text order


def encode_items(values: pd.Series, attribute: Attribute, whole: LabelDomain | None) -> Items:
    """The cells as sets of codes; those that are not in the column's notation do not fit."""
    found = parts_of(as_texts(values), attribute.delimiter or ("" if whole is None else whole.delimiter))
    coded = found.items.dictionary_encode()
    texts = [text.strip() for text in coded.dictionary.to_pylist()]
    if attribute.categories is not None:
        kinds = attribute.categories.categories_of(texts)
        texts = [kind if text else "" for text, kind in zip(texts, kinds, strict=True)]
    own = LabelDomain(tuple(sorted({*texts} - {""})))
    if whole is not None:
        whole.check(attribute, own)
        own = whole
    number = {label: code for code, label in enumerate(own.labels)}
    codes = np.array([number.get(text, -1) for text in texts], np.int64)[coded.indices.to_numpy()]
    rows = np.repeat(np.arange(len(values)), found.counts)
    width = max(len(number), 1)
    keys = distinct((rows * width + codes)[codes >= 0])
    rows, items = np.divmod(keys, width)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(values)))]).astype(np.int64)
    misfits = misfits_of(values, found.bad, attribute)
    return Items(attribute, starts, items.astype(np.int32), own.labels, misfits, found.delimiter)

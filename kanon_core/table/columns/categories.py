"""Columns of values without order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.base import MISSING, Encoded, Misfits
from kanon_core.table.columns.itemcells import plain_text
from kanon_core.table.columns.labels import MANY, Labels
from kanon_core.table.domain import LabelDomain


@dataclass(frozen=True)
class Categories(Encoded):
    """A column of values without order: ``codes`` int32 (n) into ``labels`` (ascending text). Missing is a
    value of its own: when there is any, it has the last code, and its label is `MISSING`. The labels of a
    part of a table may be those of the whole. They are a tuple, or `Labels` where there are very many."""

    attribute: Attribute
    codes: np.ndarray
    labels: Sequence[str]
    has_missing: bool
    misfits: Misfits | None = None

    @property
    def missing(self) -> np.ndarray:
        """n booleans."""
        return self.codes == len(self.labels) - 1 if self.has_missing else np.zeros(len(self.codes), bool)

    def taken(self, rows: np.ndarray) -> Categories:
        """The values of these records, by the same labels."""
        return replace(self, codes=self.codes[rows])

    @property
    def distinct(self) -> int:
        """How many different values there are, missing not counted."""
        return len(self.labels) - self.has_missing

    @property
    def keys(self) -> np.ndarray:
        """The codes."""
        return self.codes

    def domain(self) -> LabelDomain:
        """The labels that occur, and how many values are missing."""
        held = np.bincount(self.codes, minlength=len(self.labels))[: self.distinct]
        labels = tuple(self.labels[code] for code in np.flatnonzero(held).tolist())
        return LabelDomain(labels, len(self.codes) - int(held.sum()))


def encode_categories(values: pd.Series, attribute: Attribute, whole: LabelDomain | None) -> Categories:
    """The cells as codes of their texts."""
    if values.dtype == object:
        values = values.map(plain_text, na_action="ignore")
    codes, uniques = pd.factorize(values, use_na_sentinel=True)
    if len(uniques) > MANY and attribute.categories is None and whole is None and _is_arrow(values):
        return _many(values, attribute, codes, uniques)
    texts = [plain_text(value) for value in uniques]
    if attribute.categories is not None:
        texts = attribute.categories.categories_of(texts)
    own = LabelDomain(tuple(sorted(set(texts))), int((codes < 0).sum()))
    if whole is not None:
        whole.check(attribute, own)
        own = whole
    number = {label: code for code, label in enumerate(own.labels)}
    renumber = np.array([*(number[text] for text in texts), len(number)], np.int32)
    labels = (*own.labels, MISSING) if own.missing else own.labels
    return Categories(attribute, renumber[codes], labels, own.missing > 0)


def _is_arrow(values: pd.Series) -> bool:
    return isinstance(values.dtype, pd.StringDtype) and values.dtype.storage == "pyarrow"


def _many(values: pd.Series, attribute: Attribute, codes: np.ndarray, uniques: Any) -> Categories:
    """The same where there are very many different texts: they stay where the frame holds them."""
    order = pc.array_sort_indices(pa.array(uniques, pa.large_string())).to_numpy()  # bytes sort as characters
    number = np.full(len(uniques) + 1, len(uniques), np.int32)
    number[order] = np.arange(len(uniques), dtype=np.int32)
    first = np.empty(len(uniques) + 1, np.int32)
    first[codes[::-1]] = np.arange(len(codes), dtype=np.int32)[::-1]
    missing = bool((codes < 0).any())
    cells = pa.chunked_array(values.array.__arrow_array__())
    return Categories(
        attribute, number[codes], Labels(cells, first[order], (MISSING,) if missing else ()), missing
    )

"""Columns of values without order."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.base import MISSING, Encoded, Misfits
from kanon_core.table.columns.itemcells import plain_text
from kanon_core.table.domain import LabelDomain


@dataclass(frozen=True)
class Categories(Encoded):
    """A column of values without order: ``codes`` int32 (n) into ``labels`` (ascending text). Missing is a
    value of its own: when there is any, it has the last code, and its label is `MISSING`. The labels of a
    part of a table may be those of the whole."""

    attribute: Attribute
    codes: np.ndarray
    labels: tuple[str, ...]
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

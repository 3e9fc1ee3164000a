"""Rows to be released, as written, together with the records that they were made from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import pandas as pd

from kanon_core.covers.uploaded.uploaded import UploadedRelease, read_release
from kanon_core.table.columns.keys import paired
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table

_PSEUDONYM = re.compile("[1-9][0-9]{0,17}")


@dataclass(frozen=True, eq=False)
class RowsBeside:
    """The rows of a fragment together with its records, ``table``.

    ``frame``: the published columns; ``records`` int64 (rows): the record that each row was made for, all
    different; records without a row are suppressed. Raises ValueError for other numbers.
    """

    table: Table
    frame: pd.DataFrame
    records: np.ndarray

    def __post_init__(self) -> None:
        ordered = np.sort(self.records)
        if len(ordered) != len(self.frame) or (ordered[1:] == ordered[:-1]).any():
            raise ValueError
        if len(ordered) and not 0 <= ordered[0] <= ordered[-1] < len(self.table):
            raise ValueError

    @property
    def source(self) -> str:
        """The source of the classes that a guarantee checks (`kanon_core.guarantees.Judged`)."""
        return "fragment"

    @cached_property
    def texts(self) -> pd.DataFrame:
        """The quasi-identifiers as texts."""
        return self.frame[[column.attribute.name for column in self.table.quasi]].astype("str")

    @cached_property
    def read(self) -> UploadedRelease:
        """The cells as a reader of the release sees them, with rows in the order of their records. The check
        of matches starts from this order, which saves the search for a matching."""
        return read_release(self.texts.iloc[np.argsort(self.records)], self.table)

    @cached_property
    def classes(self) -> np.ndarray:
        """int64 (rows): rows whose quasi-identifiers are written alike share a number."""
        codes = (pd.factorize(self.texts[name], use_na_sentinel=False)[0] for name in self.texts)
        return reduce(paired, codes, np.zeros(len(self.frame), np.int64))

    @cached_property
    def pseudonyms(self) -> np.ndarray:
        """int64 (rows): the number in the person column; 0 if it is not a whole number above 0."""
        cells = self.frame[persons_of(self.table).column]
        codes, texts = pd.factorize(cells.astype("str"))  # a missing cell has the code −1
        read = [int(text) if _PSEUDONYM.fullmatch(text) else 0 for text in texts]
        return np.array([*read, 0], np.int64)[codes]

    @property
    def owners(self) -> np.ndarray:
        """int64 (rows): the true person of each row (`Persons.numbers`), −1 = none."""
        return np.asarray(persons_of(self.table).numbers[self.records])

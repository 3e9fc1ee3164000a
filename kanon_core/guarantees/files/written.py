"""The rows of a file as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.table.columns.texts import SUPPRESSED

if TYPE_CHECKING:
    from kanon_core.table.table import Table


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A file with the columns that ``table`` says, and the texts of its cells (``frame``)."""

    table: Table
    frame: pd.DataFrame

    @property
    def quasi(self) -> list[str]:
        """The names of the quasi-identifiers."""
        return [attribute.name for attribute in self.table.schema.quasi_identifiers]

    @cached_property
    def classes(self) -> np.ndarray:
        """int64 (rows): the same number for rows whose quasi-identifiers are written equally; −1 = stars."""
        shown = np.flatnonzero(~self.suppressed)
        classes = np.full(len(self.frame), -1, np.int64)
        classes[shown] = self.classes_of(self.quasi, shown)
        return classes

    @cached_property
    def class_sizes(self) -> np.ndarray:
        """int64: how many rows each class has."""
        return np.bincount(self.classes[self.classes >= 0])

    @cached_property
    def suppressed(self) -> np.ndarray:
        """Booleans (rows): the person and all quasi-identifiers are stars."""
        names = [*(a.name for a in self.table.schema.of_role("person")), *self.quasi]
        return (self.frame[names].astype("object") == SUPPRESSED).all(axis=1).to_numpy(bool)

    def classes_of(self, names: Sequence[str], rows: np.ndarray | None = None) -> np.ndarray:
        """int64: the same number for rows whose cells of these columns are written equally; of all rows, or
        of those with these numbers."""
        frame = self.frame if rows is None else self.frame.iloc[rows]
        classes = np.zeros(len(frame), np.int64)
        for name in names:
            codes = pd.factorize(frame[name])[0].astype(np.int64) + 1
            classes = np.unique(classes * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1]
        return classes

"""The rows of a file as they are written, and its sensitive values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.covers.uploaded.set_texts import plain_form
from kanon_core.guarantees.attributes.counts import Counts, Values, values_of
from kanon_core.guarantees.files.cells import ANY, OUT, Coded, Counting, coded
from kanon_core.guarantees.files.neighbors import Neighbors, combined
from kanon_core.table.attribute import ORDERED_KINDS, Attribute
from kanon_core.table.columns.columns import encode
from kanon_core.table.notation.cell_parts import NOTHING, UNSAID
from kanon_core.table.notation.numbers import decimals_of, number_of

if TYPE_CHECKING:
    from kanon_core.table.table import Table


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A file with the columns of ``table``, and the texts of its cells (``frame``).

    If a column has the role person, its different persons are counted, not rows. ``original``: the table that
    the file was made from; its sensitive values are compared with those of the classes.
    """

    table: Table
    frame: pd.DataFrame
    counting: Counting = field(default_factory=Counting)
    original: Table | None = None

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def source(self) -> str:
        """The form of what is judged here (`Judged`)."""
        return "persons" if self.person else "rows"

    @property
    def quasi(self) -> list[str]:
        """The names of the quasi-identifiers."""
        return [attribute.name for attribute in self.table.schema.quasi_identifiers]

    @property
    def person(self) -> str:
        """The name of the column of the person; "" where rows are counted."""
        return next((attribute.name for attribute in self.table.schema.of_role("person")), "")

    def cells(self, name: str) -> Coded:
        """The cells of a column, found once."""
        kept: dict[str, Coded] = self.__dict__.setdefault("_cells", {})
        if name not in kept:
            kept[name] = coded(name, self.frame[name], self.counting)
        return kept[name]

    @cached_property
    def starred(self) -> np.ndarray:
        """Booleans (rows): the person and all quasi-identifiers are stars."""
        names = [*filter(None, [self.person]), *self.quasi]
        stars = [cells.star[cells.codes] for cells in map(self.cells, names)]
        return np.asarray(np.logical_and.reduce(stars))

    @cached_property
    def gaps(self) -> np.ndarray:
        """Booleans (rows): some quasi-identifier is missing or suppressed."""
        gaps = [cells.gap[cells.codes] for cells in map(self.cells, self.quasi)]
        return np.asarray(np.logical_or.reduce(gaps))

    @cached_property
    def suppressed(self) -> np.ndarray:
        """Booleans (rows): the row is not judged."""
        gone = self.starred & (not self.counting.stars)
        return gone | self.gaps if self.counting.missing == OUT else gone

    @cached_property
    def classes(self) -> np.ndarray:
        """int64 (rows): the same number for rows whose quasi-identifiers are equal; −1 = not judged."""
        shown = np.flatnonzero(~self.suppressed)
        classes = np.full(len(self), -1, np.int64)
        classes[shown] = self.classes_of(self.quasi, shown)
        return classes

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (classes): the first row of each class."""
        return np.asarray(np.unique(self.classes[~self.suppressed], return_index=True)[1])

    @cached_property
    def class_sizes(self) -> np.ndarray:
        """int64: how many rows, or persons, look like those of each class, themselves included."""
        if not self._overlap and not self.person:
            return np.bincount(self.classes[self.classes >= 0])
        whose = self.cells(self.person).codes if self.person else np.zeros(len(self), np.int64)
        owner, _, count = self._spread(whose)
        of_persons = np.ones(len(count), np.int64) if self.person else count
        return np.bincount(owner, of_persons).astype(np.int64)

    def classes_of(self, names: Sequence[str], rows: np.ndarray | None = None) -> np.ndarray:
        """int64: the same number for rows whose cells of these columns are equal; of all rows, or of those
        with these numbers. From 0 on, in the order in which they first appear."""
        columns = [self.cells(name) for name in names]
        codes = [cells.codes if rows is None else cells.codes[rows] for cells in columns]
        count = len(self) if rows is None else len(rows)
        return combined(codes, [len(cells.texts) for cells in columns], count)

    def find_classes(self, tick: Tick = silent) -> np.ndarray:
        """`classes`."""
        return self.classes

    def values(self, name: str) -> Values:
        """A sensitive column as codes, found once."""
        kept: dict[str, Values] = self.__dict__.setdefault("_values", {})
        if name not in kept:
            kept[name] = file_values(self.table[name].attribute, self.frame[name], self.original)
        return kept[name]

    def own_values(self, names: Sequence[str]) -> bool:
        """Return whether the shares of some of these columns are those of the file, for want of an
        original."""
        return any(self.values(name).occurring is None for name in names)

    def counts(self, name: str) -> Counts:
        """Return how often each class has each value of a column, found once; the values that a person has in
        a class count once each."""
        kept: dict[str, Counts] = self.__dict__.setdefault("_counts", {})
        if name not in kept:
            values = self.values(name)
            codes = values.codes.astype(np.int64)
            if self.person:
                codes = self.cells(self.person).codes * values.distinct + codes
            owner, code, count = self._spread(codes)
            if self.person:
                pairs, count = np.unique(owner * values.distinct + code % values.distinct, return_counts=True)
                owner, code = pairs // values.distinct, pairs % values.distinct
            kept[name] = Counts(values, owner, code, count)
        return kept[name]

    def summed(self, values: np.ndarray) -> np.ndarray:
        """float64 (classes): the sum of a number of each row, float64 (rows), over the rows that look like
        those of each class."""
        codes, distinct = pd.factorize(values)
        owner, code, count = self._spread(codes.astype(np.int64))
        return np.bincount(owner, count * np.asarray(distinct)[code], len(self.first))

    @property
    def _overlap(self) -> bool:
        """True if a row may look like rows of several classes."""
        return self.counting.missing == ANY and bool(self.gaps[~self.suppressed].any())

    def _spread(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return how many of the rows that look like each class have each code: class, code, count."""
        shown = np.flatnonzero(~self.suppressed)
        if not self._overlap:
            codes, width = codes[shown], int(codes.max(initial=0)) + 1
            keys, count = np.unique(self.classes[shown] * width + codes, return_counts=True)
            return keys // width, keys % width, count
        number, distinct = pd.factorize(codes[shown], sort=True)
        owner, code, count = self._neighbors.spread(self.classes[shown], number, len(distinct))
        return owner, np.asarray(distinct)[code], count

    @cached_property
    def _neighbors(self) -> Neighbors:
        rows = np.flatnonzero(~self.suppressed)[self.first]
        columns = [self.cells(name) for name in self.quasi]
        gaps = np.column_stack([cells.gap[cells.codes[rows]] for cells in columns])
        return Neighbors(np.column_stack([cells.codes[rows] for cells in columns]), gaps)


def file_values(attribute: Attribute, cells: pd.Series, original: Table | None) -> Values:
    """The values of a sensitive column of texts, as its kind says: numbers may have decimal commas, and words
    such as NA are missing among them. A column of numbers with other texts is compared as it is written.

    If an original has all these values, `Values.occurring` counts its records; else it is None. Item sets
    have no values. Cost O(rows).
    """
    if attribute.kind == "items":
        return Values(attribute.name, np.zeros(len(cells), np.int32), 0, False)
    if original is not None and attribute.name in original.schema.names:
        whole = original.frame[attribute.name]
        both = _values(attribute, pd.concat([_texts(cells), _texts(whole)], ignore_index=True))
        occurring = np.bincount(both.codes[len(cells) :], minlength=both.distinct)
        codes = both.codes[: len(cells)]
        if (occurring[codes] > 0).all():
            return both._replace(codes=codes, occurring=occurring)
    return _values(attribute, cells)


def _texts(cells: pd.Series) -> pd.Series:
    """Return the cells as texts, without the apostrophe that keeps a spreadsheet from running one."""
    texts = cells.astype("str")
    marked = texts.str.startswith("'", na=False)
    return texts.mask(marked, texts[marked].map(plain_form).reindex(texts.index)) if marked.any() else texts


def _values(attribute: Attribute, cells: pd.Series) -> Values:
    if attribute.is_numeric and not pd.api.types.is_numeric_dtype(cells):
        cells, attribute = _numbers(attribute, cells)
    return values_of(encode(cells, attribute))


def _numbers(attribute: Attribute, cells: pd.Series) -> tuple[pd.Series, Attribute]:
    """Return the cells as numbers; where some are no numbers, return them as they are, as a column of
    categories."""
    codes, distinct = pd.factorize(cells, use_na_sentinel=True)
    texts = [str(text).strip() for text in distinct.tolist()]
    gone = [text in NOTHING or text in UNSAID for text in texts]
    categorical = Attribute(attribute.name, attribute.role, "categorical", attribute.weight)
    if attribute.kind in ("datetime", *ORDERED_KINDS):
        said = cells.mask(cells.isin([t for t, g in zip(distinct.tolist(), gone, strict=True) if g]))
        fits = encode(said, attribute).misfits is None
        return (said, attribute) if fits else (cells, categorical)
    comma = decimals_of(texts).comma
    numbers = np.array([np.nan if g else number_of(t, comma) for t, g in zip(texts, gone, strict=True)])
    if (np.isnan(numbers) & ~np.array(gone, bool)).any():
        return cells, categorical
    return pd.Series(np.append(numbers, np.nan)[codes]), attribute

"""Crowds: the records that are indistinguishable for an attacker who knows the quasi-identifiers of one
person, in a table or in a release of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.covers.pseudonyms import equal_histories
from kanon_core.guarantees.files.cells import ANY, OWN, Counting
from kanon_core.guarantees.files.written import WrittenFile
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.columns.texts import original_texts
from kanon_core.table.people import many_records_each, no_persons, persons_of
from kanon_core.table.table import Table

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Crowd:
    """The crowd of each record.

    ``alike`` int64 (n): the number of records that are indistinguishable from each record, itself included;
    people are counted instead if a column has the role person; 0 = not published. ``classes`` int64 (n): the
    class of each record, −1 = none; ``held`` int64: the size of each class. ``owner`` int64 (n): the person
    of each record, None where each record belongs to another person. ``release``: None for the original.
    ``written``: the cells as texts, where missing ones fit every value.
    """

    table: Table
    release: Release | None
    alike: np.ndarray
    classes: np.ndarray
    held: np.ndarray
    owner: np.ndarray | None = None
    written: WrittenFile | None = None

    def once(self, what: object, make: Callable[[], T]) -> T:
        """Return the result of ``make``, which is called once for each ``what`` and shared by all
        attackers."""
        kept: dict[object, T] = self.__dict__.setdefault("_kept", {})
        if what not in kept:
            kept[what] = make()
        return kept[what]

    @property
    def overlapping(self) -> bool:
        """Return whether a record can fit rows of several classes."""
        return self.release is not None and not self.release.guarantee.disjoint

    def of_each(self, values: np.ndarray) -> np.ndarray:
        """float64: the number of each published person, which is the greatest of their records'; where each
        record belongs to another person, the number of each published record."""
        shown = self.alike > 0
        if self.owner is None:
            return values[shown].astype(np.float64)
        most = np.full(int(self.owner.max(initial=-1)) + 1, -np.inf)
        np.maximum.at(most, self.owner[shown], values[shown])
        return np.asarray(most[np.isfinite(most)])

    def hiding(self) -> np.ndarray:
        """int64: the size of the anonymity set of each published record, or person, itself included."""
        least = -self.of_each(-self.matches().astype(np.float64))
        return np.asarray(np.rint(least), np.int64)

    def matches(self) -> np.ndarray:
        """int64 (n): the number of rows among which each record hides from an attacker who knows everybody's
        quasi-identifiers, as the guarantee counts (`Hiding.among`). Where sets of records overlap, these are
        its possible rows while every other record has a row. Rows of a class are equal, so knowing
        everybody's quasi-identifiers does not distinguish them."""
        if self.release is None or self.written is not None:
            return self.alike
        return self.release.hidden_among

    def summed(self, values: np.ndarray) -> np.ndarray:
        """float64 (n): the sum of a number of each record over those that look like it."""
        if self.written is not None:
            sums = self.written.summed(values)
        else:
            shown = self.classes >= 0
            sums = np.bincount(self.classes[shown], values[shown], len(self.held))
        return np.asarray(np.append(sums, 0.0)[self.classes])


def crowd_of(table: Table, release: Release | None, missing: str = OWN, tick: Tick = silent) -> Crowd:
    """Return the crowd of each record in a release, or in the original if ``release`` is None.

    ``missing``: cells that are missing or suppressed are a value of their own, or fit every value
    (`kanon_core.guarantees.files.cells`); histories of people count them as a value of their own. Cost O(n
    log n · columns); where the sets of a release overlap, that of `consistency`; where missing cells fit
    every value, that of `Neighbors`.
    """
    if many_records_each(table) and not no_persons(table):
        return _of_histories(table, release)
    if missing == ANY and (found := crowd_of_gaps(table, release)) is not None:
        return found
    classes = classes_of(table) if release is None else release.find_classes(tick)
    held = np.bincount(classes + 1)[1:]
    if release is not None and not release.guarantee.disjoint:
        fits = release.consistency(tick).rows
        return Crowd(table, release, np.where(release.suppressed, 0, fits), classes, held)
    return Crowd(table, release, np.append(held, 0)[classes], classes, held)


def classes_of(table: Table) -> np.ndarray:
    """int64 (n): the same number for records with equal quasi-identifiers; missing is a value of its own."""
    keys = [pd.factorize(column.keys)[0] for column in table.quasi]
    return row_keys(np.column_stack(keys)).astype(np.int64)


def _of_histories(table: Table, release: Release | None) -> Crowd:
    """Return the crowd of people: those with equal histories, as multisets of rows, are indistinguishable."""
    persons = persons_of(table)
    if release is not None:
        histories = equal_histories(release.bearers.numbers, release.classes)
        classes = np.append(histories, -1)[release.bearers.numbers]
        among = release.guarantee.among(release)
        return Crowd(table, release, among, classes, np.bincount(histories), persons.numbers)
    histories = equal_histories(persons.numbers, classes_of(table))
    held = np.bincount(histories)
    classes = np.append(histories, -1)[persons.numbers]
    return Crowd(table, None, np.append(held, 0)[classes], classes, held, persons.numbers)


def crowd_of_gaps(table: Table, release: Release | None, most: int | None = None) -> Crowd | None:
    """Return the crowds if missing cells fit every value; None if no cell is missing, if sets of records
    overlap, if people have several records, or if cells are missing in more than ``most`` different sets of
    columns, as the cost grows with the square of that number."""
    overlaps = release is not None and not release.guarantee.disjoint
    if overlaps or (many_records_each(table) and not no_persons(table)):
        return None
    file = _written(table, release)
    if not file.gaps[~file.suppressed].any():
        return None
    gaps = [cells.gap[cells.codes[file.first]] for cells in map(file.cells, file.quasi)]
    if most is not None and len(np.unique(np.column_stack(gaps), axis=0)) > most:
        return None
    held = np.bincount(file.classes + 1)[1:]
    alike = np.append(file.class_sizes, 0)[file.classes]
    return Crowd(table, release, alike, file.classes, held, None, file)


def _written(table: Table, release: Release | None) -> WrittenFile:
    """Return the cells of the original, or of a release, as texts."""
    roles = {attribute.name: "identifier" for attribute in table.schema.of_role("person")}
    read = table.with_schema(table.schema.with_roles(roles)) if roles else table
    if release is None:
        everything = np.arange(len(table))
        frame = pd.DataFrame({c.attribute.name: original_texts(c, everything) for c in table.quasi})
    else:
        frame = release.to_frame()
    return WrittenFile(read, frame, Counting(missing=ANY))

"""Classification metric: records whose class differs from the majority of their group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.words import tr
from kanon_core.covers.recoding import most_frequent
from kanon_core.metrics.base import Measured, Metric, OneColumn, no_column
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Items, Numbers
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Classification(Metric):
    """CM = Σ over records of penalty / n, in 0..1 (ILD paper, §2.4.3; Iyengar 2002).

    The penalty of a record is 1 when it is suppressed or when its class label is not the most frequent one
    among the records that share its published cells (under k-concealment, among those its row stands for); of
    several most frequent labels the first in text order is taken. ``target`` names the column of class
    labels; left out, it is the first sensitive column of categories. Missing is a label of its own. Numbers
    are labels as they are: with as many labels as records, the measure has little meaning. Not defined for a
    table without such a column. pycanon's classification_metric charges none whose class is as frequent as
    the first: of a, a, b, b none, where this charges two. Cost O(n log n).
    """

    title: ClassVar[str] = "Classification metric"
    short: ClassVar[str] = "Misclassified"
    symbol: ClassVar[str] = "CM"
    sentence: ClassVar[str] = (
        "Share of the records that are suppressed, or whose class label (such as a diagnosis) is not the most"
        " frequent one in their group."
    )
    scale: ClassVar[str] = "0 % = one class label in each group"
    formula: ClassVar[str] = r"\frac1n\sum_i [\,\mathrm{class}(i)\neq\mathrm{majority}(G(i))\,]"
    example: ClassVar[str] = (
        "20 records in four groups, three of which have one record of the rarer class: 3/20 = 15 %."
    )
    percent: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "record")

    target: Annotated[
        str, OneColumn(help="the column of class labels; none = the first sensitive column of categories")
    ] = ""

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason if the table has no column of class labels."""
        if self.target:
            if absent := no_column(table, self.target):
                return absent
            column = table[self.target]
            if isinstance(column, Items):
                return [
                    tr(
                        "Column “{name}” holds item sets, which cannot be class labels; choose"
                        " another column."
                    ).format(name=self.target)
                ]
            return []
        if self._target(table):
            return []
        return [
            tr(
                "{title} needs a column of class labels; give a column of categories the role sensitive, or"
                " name one."
            ).format(title=self.title)
        ]

    def measure(self, table: Table, release: Release) -> Measured:
        """Total, and per record its penalty."""
        reasons = self.unsuitable(table)
        if reasons:
            return Measured(math.nan, records=np.full(len(table), np.nan), notes=tuple(reasons))
        labels, cover = _labels(table, self._target(table)), release.cover
        if cover.overlap:
            own, groups, members = release.set_of, cover.sets, cover.order
        else:
            own, members = release.classes, np.flatnonzero(~release.suppressed)
            groups = own[members]
        count, width = int(groups.max(initial=-1)) + 1, int(labels.max(initial=0)) + 1
        majority = np.append(most_frequent(groups, labels[members], count, width), -1)
        penalty = majority[own] != labels
        total = self.of_most(len(penalty) - int(penalty.sum()), len(penalty))
        return Measured(total, records=penalty.astype(np.float64))

    def of_most(self, most: int, records: int) -> float:
        """The total of so many records of which ``most`` are published and of their group's most frequent
        class."""
        return (records - most) / records

    def _target(self, table: Table) -> str:
        if self.target:
            return self.target
        fitting = (c for c in table.columns if c.attribute.role == "sensitive" and isinstance(c, Categories))
        return next((column.attribute.name for column in fitting), "")


def _labels(table: Table, name: str) -> np.ndarray:
    """int64 (n): the number of each record's class."""
    column = table[name]
    if isinstance(column, Numbers):
        return np.unique(column.values, return_inverse=True)[1]
    assert isinstance(column, Categories)
    return column.codes.astype(np.int64)

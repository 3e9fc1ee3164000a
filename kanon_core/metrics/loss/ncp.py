"""Normalized certainty penalty: how wide the published cells are."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Flag
from kanon_core.base.sums import Sums
from kanon_core.base.words import listed, tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.metrics.base import Measured
from kanon_core.metrics.summed import Anonymized, Summed
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.table import Table


@dataclass(frozen=True)
class NCP(Summed):
    r"""NCP = mean over records and attributes of the cell's penalty, in 0..1 (ILD paper, §2.4.3; Xu et al.
    2006).

    | cell | penalty |
    |---|---|
    | interval | width / range of the column; 1 where it mixes missing and present numbers |
    | value set | (distinct − 1) / (domain − 1), where the paper's size(u) / \|A\| is not 0 for one value |
    | group of a hierarchy | its values / all values, 0 for a single one (set-valued paper, eq. 7) |
    | item set | NCP_sv = 1 − published / own items of the record, 0 for an empty set (eq. 8–10) |
    | mean, median, mode | that of the interval or set it hides |
    | suppressed | 1 |

    Values of the hierarchy that no record has count, and missing is a value of its own. A column that cannot
    vary – constant, or missing in every record – has nothing to lose and does not count in the mean, as the
    notes state; with ``constant`` it counts as the papers have it, as 0 (1 where suppressed), which dilutes
    what the others lose. Item sets with a hierarchy cost the mean over the record's items of the penalty of
    the group as which each is published, 1 for none. The fast NCP*_sv (eq. 15) is `SuppressedItems`.
    Attributes are averaged with their weights. The paper sums over records; the mean makes tables of
    different sizes comparable. Of a sample of whole cells (`kanon_core.table.wholecells`) the total is the
    estimate for the whole table, with its error. Cost O(n · attributes).
    """

    title: ClassVar[str] = "Certainty penalty"
    short: ClassVar[str] = "Certainty penalty"
    symbol: ClassVar[str] = "NCP"
    sentence: ClassVar[str] = (
        "Average width of the published cells: 0 % means exact values, 100 % means that every cell allows"
        " any value."
    )
    scale: ClassVar[str] = "0 % = exact values"
    formula: ClassVar[str] = (
        r"\frac1n\sum_i\sum_a w_a\,\mathrm{pen}_a(i),\ \mathrm{pen}=\frac{\text{width}}{\text{range}}\text{,"
        r" }\frac{\text{distinct}-1}{\text{domain}-1}\text{ or }\frac{\text{values below}}{\text{all values}}"
    )
    example: ClassVar[str] = (
        "Age [20, 35] in a column of range 17–90 costs 15/73 = 0.21; {F, M} of two sexes costs 1; a group"
        " with 3 of the 12 values of its hierarchy costs 3/12."
    )
    percent: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    constant: Annotated[bool, Flag(help="columns that cannot vary count as 0 in the mean")] = False

    def part(self, table: Table, made: Anonymized) -> Sums:
        """Return, for each column, the sum of the records' penalties, and how many records there are."""
        found = {
            f"of:{one.attribute.name}": np.array(_penalty(one, table[one.attribute.name]))
            for one in made.published
        }
        return Sums({**found, _RECORDS: np.array(len(table))})

    def total(self, table: Table, sums: Sums) -> Measured:
        """Total, and per attribute (unweighted mean penalty)."""
        records, shares = int(sums.numbers[_RECORDS]), self._shares(table)
        attributes = {name: float(sums.numbers[f"of:{name}"]) / records for name in shares}
        whole = math.fsum(share * attributes[name] for name, share in shares.items())
        return Measured(whole, attributes, notes=self._notes(table))

    def measure(self, table: Table, release: Release) -> Measured:
        """Return also, per record, the weighted mean penalty."""
        records, shares = np.zeros(len(table)), self._shares(table)
        for published in release.published:
            name = published.attribute.name
            records += shares[name] * published.penalties(table[name])
        found, cells = replace(super().measure(table, release), records=records), table.whole_cells
        if cells is None:
            return found
        mean, error = cells.estimate(records)
        return replace(found, total=mean, error=error)

    def _shares(self, table: Table) -> dict[str, float]:
        """Return, by quasi-identifier, its share of all weights that count."""
        weights = {column.attribute.name: column.attribute.weight for column in table.quasi}
        if not self.constant:
            weights |= dict.fromkeys(_constant(table), 0.0)
        total = sum(weights.values())
        return {name: weight / total if total else 0.0 for name, weight in weights.items()}

    def _notes(self, table: Table) -> tuple[str, ...]:
        """Return over how many columns the mean is taken, where some cannot vary."""
        if self.constant or not (names := _constant(table)):
            return ()
        said = tr(
            "The mean covers {count:,} of {all:,} quasi-identifiers; {names} cannot vary, because every"
            " record has the same value or none."
        )
        columns, shown = len(table.quasi), listed([f"“{name}”" for name in names], _NAMED)
        return (said.format(count=columns - len(names), all=columns, names=shown),)


_RECORDS, _NAMED = "records", 8


def _constant(table: Table) -> list[str]:
    """The quasi-identifiers in which all records of the whole table have one value, or none."""
    return [column.attribute.name for column in table.quasi if not _varies(column)]


def _varies(column: Column) -> bool:
    """Return whether a published cell can be less precise than the records; values of a hierarchy count even
    where no record has them."""
    if isinstance(column, Items):
        return column.distinct > 0
    if not isinstance(column, Numbers):
        return len(column.labels) > 1 or column.attribute.hierarchy is not None
    if column.whole is not None:
        low, high, there = *column.whole.range, column.whole.count > 0
    else:
        present = column.present
        low, high, there = (present.min(), present.max(), True) if len(present) else (0.0, 0.0, False)
    return bool(low < high) or (there and column.has_missing)


def _penalty(published: PublishedColumn, column: Column) -> float:
    """Return the sum of the penalties of all records: each cell's penalty times its records, and 1 for each
    suppressed record."""
    if isinstance(column, Items):  # each record has lost a share of its own
        return math.fsum(published.penalties(column).tolist())
    cells = published.cells
    held = np.bincount(published.cell + 1, minlength=len(cells) + 1)
    each = cells.penalties(column, np.arange(-1, len(cells)))
    return math.fsum((each * held).tolist())

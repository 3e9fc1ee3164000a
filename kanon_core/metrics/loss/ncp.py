"""Normalized certainty penalty: how wide the published cells are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.metrics.base import Measured, Metric
from kanon_core.release.release import Release
from kanon_core.table.table import Table


@dataclass(frozen=True)
class NCP(Metric):
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

    Values of the hierarchy that no record has count, and missing is a value of its own. A constant column
    costs 0. Item sets with a hierarchy cost the mean over the record's items of the penalty of the group as
    which each is published, 1 for none. The fast NCP*_sv (eq. 15) is `SuppressedItems`. Attributes are
    averaged with their weights. The paper sums over records; the mean makes tables of different sizes
    comparable. Of a sample of whole cells (`kanon_core.table.wholecells`) the total is the estimate for the
    whole table, with its error. Cost O(n · attributes).
    """

    title: ClassVar[str] = "Certainty penalty"
    short: ClassVar[str] = "Certainty penalty"
    symbol: ClassVar[str] = "NCP"
    sentence: ClassVar[str] = (
        "Average width of the published cells: 0 % means exact values, 100 % that every cell says “anything”."
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

    def measure(self, table: Table, release: Release) -> Measured:
        """Total, per attribute (unweighted mean penalty), and per record (weighted mean penalty)."""
        weights = {p.attribute.name: p.attribute.weight for p in release.published}
        total = sum(weights.values())
        records, attributes = np.zeros(len(table)), {}
        for published in release.published:
            name = published.attribute.name
            penalty = published.penalties(table[name])
            attributes[name] = float(penalty.mean())
            records += penalty * (weights[name] / total if total else 0.0)
        cells = table.whole_cells
        mean, error = (float(records.mean()), 0.0) if cells is None else cells.estimate(records)
        return Measured(mean, attributes, records, error)

"""Sensitive values that a release gives away, counted for each point of a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kanon_core.base.progress import silent
from kanon_core.base.words import tr
from kanon_core.findings.attributes import SensitiveValues
from kanon_core.metrics import Metric
from kanon_core.metrics.base import Measured
from kanon_core.release.release import Release
from kanon_core.table.table import Table


@dataclass(frozen=True)
class DisclosedValues(Metric):
    """Sensitive values that an attacker learns with certainty, over all sensitive columns: the records of the
    findings of `SensitiveValues` that need a decision. Only the points of curves have it; it is no measure of
    the scorecard. Cost O(n log n) per sensitive column.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,diagnosis\\n20,hiv\\n21,hiv\\n22,hiv\\n60,ok\\n61,flu\\n62,ok\\n")
    >>> DisclosedValues().measure(table, kc.anonymize(table, kc.MDAV(), k=3)).total
    3.0
    """

    title: ClassVar[str] = "Disclosed sensitive values"
    short: ClassVar[str] = "Disclosed"
    symbol: ClassVar[str] = "d"
    sentence: ClassVar[str] = "Number of sensitive values that an attacker learns with certainty."
    formula: ClassVar[str] = r"\sum_E |E|\,[\,\text{all values of } E \text{ are equal}\,]"
    example: ClassVar[str] = "Six records in classes of 3 and 3, of which one has a single value: 3."
    high: ClassVar[float] = float("inf")
    unit: ClassVar[str] = "values"

    def unsuitable(self, table: Table) -> list[str]:
        """Return the reason if no column is sensitive, or if the table is a sample of whole cells, which has
        only some of the values."""
        counts = table.schema.of_role("sensitive") and table.whole_cells is None
        return [] if counts else [tr("The table has no sensitive column, or it is a sample of whole cells.")]

    def measure(self, table: Table, release: Release) -> Measured:
        """Return the number of values."""
        found = SensitiveValues().find(table, release, silent)
        return Measured(float(sum(one.count for one in found if one.severity == "decide")))

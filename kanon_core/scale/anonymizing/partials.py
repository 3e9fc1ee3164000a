"""Sums of metrics and searches: found in each fragment where it is anonymized, and merged over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kanon_core.base.sums import Sums
from kanon_core.findings import FINDINGS
from kanon_core.findings.base import SummedSearch
from kanon_core.metrics import METRICS
from kanon_core.metrics.summed import Anonymized, Summed
from kanon_core.scale.work.keeping import Result
from kanon_core.table.table import Table

PART = "part:"


class AddedUp(NamedTuple):
    """The ``sums`` of all fragments, and a table of no rows, with the columns of the whole."""

    table: Table
    sums: Sums

    def of(self, measure: Summed | SummedSearch) -> Sums:
        """Return the sums of a metric or a search."""
        return self.sums.of(type(measure).__name__)


def summed_metrics(table: Table) -> Iterator[Summed]:
    """Yield the metrics that are added up and apply to this table, in menu order."""
    for cls in METRICS:
        metric = cls()
        if isinstance(metric, Summed) and not metric.unsuitable(table):
            yield metric


def summed_searches() -> Iterator[SummedSearch]:
    """Yield the searches that are added up, in menu order."""
    for cls in FINDINGS:
        search = cls()
        if isinstance(search, SummedSearch):
            yield search


def sums_of(table: Table, made: Anonymized) -> dict[str, object]:
    """Return what all metrics and searches add up of a fragment, as arrays that are kept with its result."""
    own: list[Summed | SummedSearch] = [one for one in summed_metrics(table) if not one.unsummed(table)]
    found = [one.part(table, made).within(type(one).__name__) for one in (*own, *summed_searches())]
    return dict(Sums.combine(found).arrays(PART))


def without_sums(result: Result) -> Result:
    """Return the other results of a fragment, which are small."""
    return {name: value for name, value in result.items() if not name.startswith(PART)}


def added_up(results: Sequence[Result]) -> Sums:
    """Return the sums of all fragments, reading one fragment at a time; by names of metrics and searches
    (`kanon_core.base.sums.Sums.of`)."""
    return Sums.combine(Sums.of_arrays(one, PART) for one in results)

"""The least that can be lost, for curves: found once per table and measure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kanon_core.bounds import Bound, least_loss
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.table import Table
from pages.state.keys import Key

RECORDS_AT_MOST = {"ILSSDM": 100_000, "NCP": 25_000}
PLACES_AT_MOST = 1_000_000
"""Of more records, or more records times numbers and labels, the search takes longer than a look at a curve
may wait. By NCP it takes about six times as long."""
_RAISED: Key[tuple[Bound, ...]] = Key("raised floors", ())
"""Of a table, by its digest: better bounds that were asked for."""


def bounded(table: Table, metric: str) -> bool:
    """Return whether there are bounds of this metric: none of others, nor for a table of item sets or one
    that is too large to answer at once."""
    if not table.quasi or len(table) > RECORDS_AT_MOST.get(metric, 0):
        return False
    if any(isinstance(column, Items) for column in table.quasi):
        return False
    wide = sum(len(column.labels) if isinstance(column, Categories) else 1 for column in table.quasi)
    return len(table) * wide <= PLACES_AT_MOST


def least_of(table: Table, metric: str, ks: Iterable[int]) -> tuple[Bound, ...]:
    """The bounds by nearest neighbors at these k, or better ones that were found on demand; none where the
    table is not `bounded`."""
    wanted = sorted({k for k in ks if 2 <= k <= len(table)})
    if not wanted or not bounded(table, metric):
        return ()
    plain = table.once(f"least-{metric}-{wanted}", lambda: least_loss(table, wanted, metric))
    better = [bound for bound in _RAISED.of(table.digest).get() if bound.metric == metric]
    # Groups of 6 or more are groups of 5 or more, so that a bound for 5 is one for 6.
    return tuple(
        replace(bound, value=max([bound.value, *(one.value for one in better if one.k <= bound.k)]))
        for bound in plain
    )


def raise_least(table: Table, bound: Bound) -> None:
    """Keep a better bound of this table for the tab."""
    kept = _RAISED.of(table.digest)
    kept.set((*kept.get(), bound))

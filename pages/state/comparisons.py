"""Comparison of methods: those that suit a table, their quantities, the clicked point, and lower bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import kanon_core as kc
from kanon_core.base.options import Nested, declared, options_of
from kanon_core.base.randomness import folded
from kanon_core.charts.curves.sentences import Curve
from kanon_core.charts.curves.tradeoff import picked_setting
from kanon_core.metrics import ILSSDM, METRICS, NCP, UTILITIES, Metric
from kanon_core.metrics.bounds import Bound, least_loss
from kanon_core.runs.sweeps import QUANTITIES, SweepPoint, quantity
from kanon_core.table.columns.columns import Categories, Items
from pages.state.keys import Key, Lasting
from pages.state.session import Session
from pages.state.setting import describe

COMPARED_METHODS: Key[list[str]] = Lasting("beside", [])
"""By table: the names of the compared `methods`."""
_WITHOUT_CATEGORIES: Key[tuple[str, kc.Table | None]] = Key("without categories", ("", None))
RECORDS_AT_MOST = {"ILSSDM": 100_000, "NCP": 25_000}
PLACES_AT_MOST = 1_000_000
"""The most records, and the most records times numbers and labels, for a bound that is quick enough for a
curve. NCP takes about six times as long."""
_BETTER_BOUNDS: Key[tuple[Bound, ...]] = Key("raised floors", ())
"""The better bounds computed on request, by the digest of the table."""
_METRICS = {cls.__name__ for cls in (*METRICS, *UTILITIES)}

HISTORY_VARIANTS = {
    "similar": kc.PurchaseHistories("similar", "assignment"),
    "whole": kc.PurchaseHistories("whole", "assignment"),
    "fewest": kc.PurchaseHistories("fewest"),
}
"""Our variants of the paper's method for purchase histories, by their grouping; the first loses least."""


def quantities(session: Session) -> dict[str, str]:
    """Return the titles of what can be drawn of this table."""
    offered = {cls.__name__ for cls in session.metrics}
    return {name: quantity(name).title for name in QUANTITIES if name in offered or name not in _METRICS}


def picked_point(curves: Sequence[Curve]) -> Callable[[Mapping[str, Any] | None], SweepPoint | None]:
    """Return a function that reads from a chart's selection which point of these curves was clicked."""

    def point(event: Mapping[str, Any] | None) -> SweepPoint | None:
        picked = picked_setting(event)
        if picked is None:
            return None
        number, *which = picked
        points = curves[number].points
        return next((one for one in points if [one.k, folded(one.seed, 53)] == which), None)

    return point


def take_point(session: Session, point: SweepPoint) -> None:
    """Make a point the setting, with the number of steps that its search made."""
    session.ask(algorithm=point.settled or point.algorithm, k=point.k, seed=point.seed)


def leading(session: Session) -> type[Metric]:
    """Return the main loss: for a sample of whole cells, the one that estimates the whole table."""
    return ILSSDM if session.table.whole_cells is None else NCP


def methods(session: Session, first: kc.Algorithm | None = None) -> dict[str, kc.Algorithm]:
    """Return by name: ``first``, else the current algorithm, then every other one that suits the table."""
    first = first or session.setting.algorithm
    fitting = session.table.once("methods", lambda: _fitting(session.table))
    others = {name: algorithm for name, algorithm in fitting.items() if name != describe(first)}
    return {describe(first): first} | others


def _fitting(table: kc.Table) -> dict[str, kc.Algorithm]:
    """Return by name: the algorithms that suit a table, with their variants."""
    found: dict[str, kc.Algorithm] = {}
    for algorithm in (algorithm for cls in kc.ALGORITHMS for algorithm in variants(cls)):
        if not algorithm.unsuitable(table, 2):
            found.setdefault(describe(algorithm), algorithm)
    return found


def variants(cls: type[kc.Algorithm]) -> Iterator[kc.Algorithm]:
    """Yield an algorithm with its defaults, once for each algorithm that it can start from; for histories,
    also our variants."""
    yield cls()
    if cls is kc.PurchaseHistories:
        yield from HISTORY_VARIANTS.values()
    for option in options_of(cls):
        if isinstance(option.kind, Nested):
            for name in option.kind.among:
                yield cls(**{option.name: declared(name)()})


def without_categories(session: Session) -> kc.Table | None:
    """Return the table with its products in place of their categories; None where it has no categories."""
    schema = session.table.schema
    named = [attribute.name for attribute in schema if attribute.categories is not None]
    if not named:
        return None
    digest, plain = _WITHOUT_CATEGORIES.get()
    if digest != session.table.digest:
        plain = session.table.with_schema(schema.with_categories(dict.fromkeys(named)))
        _WITHOUT_CATEGORIES.set((session.table.digest, plain))
    return plain


def has_bounds(table: kc.Table, metric: str) -> bool:
    """Return whether this metric has bounds for the table: not for other metrics, item sets, or large
    tables."""
    if not table.quasi or len(table) > RECORDS_AT_MOST.get(metric, 0):
        return False
    if any(isinstance(column, Items) for column in table.quasi):
        return False
    wide = sum(len(column.labels) if isinstance(column, Categories) else 1 for column in table.quasi)
    return len(table) * wide <= PLACES_AT_MOST


def loss_bounds(table: kc.Table, metric: str, ks: Iterable[int]) -> tuple[Bound, ...]:
    """Return the bounds by nearest neighbors at these k, or better ones computed on request; none without
    `has_bounds`."""
    wanted = sorted({k for k in ks if 2 <= k <= len(table)})
    if not wanted or not has_bounds(table, metric):
        return ()
    nearest = table.once(f"least-{metric}-{wanted}", lambda: least_loss(table, wanted, metric))
    better = [bound for bound in _BETTER_BOUNDS.of(table.digest).get() if bound.metric == metric]
    # Groups of at least 6 are groups of at least 5, so a bound for 5 also holds for 6.
    return tuple(
        replace(bound, value=max([bound.value, *(other.value for other in better if other.k <= bound.k)]))
        for bound in nearest
    )


def keep_bound(table: kc.Table, bound: Bound) -> None:
    """Keep a better bound of this table for the tab."""
    kept = _BETTER_BOUNDS.of(table.digest)
    kept.set((*kept.get(), bound))

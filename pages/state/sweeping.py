"""What is compared: methods that suit a table, what can be measured of them, the point that was clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import kanon_core as kc
from kanon_core.base.options import Nested, declared, options_of
from kanon_core.base.randomness import folded
from kanon_core.charts.curves.sentences import Curve
from kanon_core.charts.curves.tradeoff import picked_setting
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.sweeps import QUANTITIES, SweepPoint, quantity
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import describe

BESIDE: Key[list[str]] = Key("beside", [])
"""By table: the names of the `methods` whose curves stand beside that of the setting."""
_METRICS = {cls.__name__ for cls in (*METRICS, *UTILITIES)}

OURS = {
    "similar": kc.PurchaseHistories("similar", "assignment"),
    "whole": kc.PurchaseHistories("whole", "assignment"),
    "fewest": kc.PurchaseHistories("fewest"),
}
"""Our variants of the paper's method for purchase histories, by their grouping; the first loses least."""


def quantities(session: Session) -> dict[str, str]:
    """The titles of what can be drawn of this table."""
    offered = {cls.__name__ for cls in session.metrics}
    return {name: quantity(name).title for name in QUANTITIES if name in offered or name not in _METRICS}


def picked_point(curves: Sequence[Curve]) -> Callable[[Mapping[str, Any] | None], SweepPoint | None]:
    """Reads from a chart's selection which point of these curves was clicked."""

    def picked(event: Mapping[str, Any] | None) -> SweepPoint | None:
        found = picked_setting(event)
        if found is None:
            return None
        number, *which = found
        points = curves[number].points
        return next((point for point in points if [point.k, folded(point.seed, 53)] == which), None)

    return picked


def take(session: Session, point: SweepPoint) -> None:
    """Make a point the setting, with the steps that its time was worth."""
    session.ask(algorithm=point.settled or point.algorithm, k=point.k, seed=point.seed)


def methods(session: Session, mine: kc.Algorithm | None = None) -> dict[str, kc.Algorithm]:
    """By name: the current algorithm (or ``mine``), then every other one that suits the table."""
    mine = mine or session.setting.algorithm
    fitting = session.table.once("methods", lambda: _fitting(session.table))
    return {describe(mine): mine} | {name: one for name, one in fitting.items() if name != describe(mine)}


def _fitting(table: kc.Table) -> dict[str, kc.Algorithm]:
    """By name: the algorithms that suit a table, with their variants."""
    found: dict[str, kc.Algorithm] = {}
    for algorithm in (algorithm for cls in kc.ALGORITHMS for algorithm in variants(cls)):
        if not algorithm.unsuitable(table, 2):
            found.setdefault(describe(algorithm), algorithm)
    return found


def variants(cls: type[kc.Algorithm]) -> Iterator[kc.Algorithm]:
    """An algorithm with its defaults, started from each it can start from; of histories our variants too."""
    yield cls()
    if cls is kc.PurchaseHistories:
        yield from OURS.values()
    for option in options_of(cls):
        if isinstance(option.kind, Nested):
            for name in option.kind.among:
                yield cls(**{option.name: declared(name)()})

"""The points of a trade-off, wherever they are drawn: what can be measured, and which was clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kanon_core.base.randomness import folded
from kanon_core.charts.curves.quantities import picked_setting
from kanon_core.charts.curves.sentences import Curve
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.sweeps import QUANTITIES, SweepPoint
from pages.state.session import Session

TITLES = {name: found.title for name, found in QUANTITIES.items()}
_METRICS = {cls.__name__ for cls in (*METRICS, *UTILITIES)}


def quantities(session: Session) -> dict[str, str]:
    """The titles of what can be drawn of this table."""
    offered = {cls.__name__ for cls in session.metrics}
    return {name: TITLES[name] for name in TITLES if name in offered or name not in _METRICS}


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

"""The points and the loss of the curve beside the slider."""

from __future__ import annotations

from dataclasses import replace

import kanon_core as kc
from kanon_core.metrics import ILSSDM, NCP, Metric
from kanon_core.runs.sweeps import refining
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.controls import SLIDER_TOP


def along(session: Session, algorithm: kc.Algorithm) -> list[Setting]:
    """Return the settings of an algorithm at every k of the slider."""
    top = max(2, min(SLIDER_TOP, session.largest_k))
    asked = _as_asked(session, algorithm)
    return [replace(session.setting, algorithm=asked, k=k) for k in range(2, top + 1)]


def coarse_to_fine(settings: list[Setting]) -> list[Setting]:
    """Return the settings in the order in which they are computed: the ends first, then those between."""
    by_k = {setting.k: setting for setting in settings}
    return [by_k[k] for k in refining(list(by_k))]


def _as_asked(session: Session, algorithm: kc.Algorithm) -> kc.Algorithm:
    """Return the algorithm as requested, before its seconds were settled into steps."""
    return next(
        (point.algorithm for point in list(session.points.values()) if point.settled == algorithm), algorithm
    )


def leading(session: Session) -> type[Metric]:
    """Return the main loss: for a sample of whole cells, the one that estimates the whole table."""
    return ILSSDM if session.table.whole_cells is None else NCP

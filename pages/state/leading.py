"""The loss that is looked at first."""

from __future__ import annotations

from kanon_core.metrics import ILSSDM, NCP, Metric
from pages.state.session import Session


def leading(session: Session) -> type[Metric]:
    """Of a sample of whole cells the one that it tells of the whole table."""
    return ILSSDM if session.table.whole_cells is None else NCP

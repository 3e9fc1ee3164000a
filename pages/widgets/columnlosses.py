"""Loss of each column as bars, by one measure."""

from __future__ import annotations

from collections.abc import Mapping

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.loss.column_scores import attribute_figure, attribute_sentence
from kanon_core.metrics import NCP
from kanon_core.metrics.base import scale_of
from pages.shell.frame import theme
from pages.state.session import Session
from pages.widgets.layout import drawn
from pages.widgets.text import heading, note


def column_losses(session: Session, release: kc.Release) -> None:
    """Show the certainty penalty of each column, the largest first."""
    heading(tr("Loss by column"))
    lost = session.measured(session.setting, release, NCP).attributes
    column_bars(session, lost, NCP())
    note(f"{attribute_sentence(lost, NCP())} {scale_of(NCP)}.")


def column_bars(session: Session, lost: Mapping[str, float], metric: kc.Metric) -> None:
    """Show a bar for each column, the largest first."""
    key = f"columns-{type(metric).__name__}"
    drawn(session.picture((key, theme()), lambda: drawing(attribute_figure(lost, metric, theme()))), key)

"""Loss of each column as bars, by one measure."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.loss.column_scores import attribute_figure, attribute_sentence
from kanon_core.metrics import NCP
from kanon_core.metrics.base import scale_of
from pages.shell.frame import theme
from pages.state.session import Session
from pages.widgets.layout import chart
from pages.widgets.text import heading, note


def column_losses(session: Session, release: kc.Release) -> None:
    """Show the certainty penalty of each column, the largest first."""
    heading(tr("Loss by column"))
    lost = session.measured(session.setting, release, NCP).attributes
    chart(attribute_figure(lost, NCP(), theme()), "column-losses")
    note(f"{attribute_sentence(lost, NCP())} {scale_of(NCP)}.")

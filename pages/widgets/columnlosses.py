"""Loss of each column as bars of the page, by one measure: without a chart library they follow a slider at
once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import theme_of
from kanon_core.charts.loss.column_scores import attribute_sentence, longest_bar, ranked
from kanon_core.metrics import NCP
from kanon_core.metrics.base import scale_of
from pages.shell.frame import theme
from pages.state.session import Session
from pages.widgets.text import heading, note


def column_losses(session: Session, release: kc.Release) -> None:
    """Show the certainty penalty of each column, the largest first."""
    heading(tr("Loss by column"))
    lost = session.measured(session.setting, release, NCP).attributes
    column_bars(lost, NCP())
    note(f"{attribute_sentence(lost, NCP())} {scale_of(NCP)}.")


def column_bars(lost: Mapping[str, float], metric: kc.Metric) -> None:
    """Show a bar for each column, the largest first; `attribute_sentence` is their text."""
    alt = escape(attribute_sentence(lost, metric))
    st.html(f'<div class="lost" role="img" aria-label="{alt}">{"".join(_bars(lost, metric))}</div>')


def _bars(lost: Mapping[str, float], metric: kc.Metric) -> Iterator[str]:
    longest, color = longest_bar(lost, metric), theme_of(theme()).loss
    for name, value in ranked(lost):
        share, column = 100 * max(value, 0.0) / longest, escape(name)
        bar = f'<i style="width:{min(share, 100):.2f}%;background:{color}"></i>'
        yield f'<span title="{column}">{column}</span><div>{bar}</div><b>{escape(metric.text(value))}</b>'

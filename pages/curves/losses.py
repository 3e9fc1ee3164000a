"""Measures of the release by column and by record."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.base.words import tr
from kanon_core.charts.loss.column_scores import ColumnScores, Score, column_figure, column_sentence
from kanon_core.charts.loss.recordloss import (
    RecordBins,
    picked_bar,
    record_figure,
    record_sentence,
    record_values,
)
from pages.curves.usage import usages
from pages.shell.frame import theme
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.beforeafter import FEW, both_sides
from pages.widgets.layout import chart
from pages.widgets.pickers import menu
from pages.widgets.text import heading, note

_BAR: Key[int | None] = Key("bar of records", None)
"""By table, setting and measure: the clicked bar."""


def scores_of(session: Session, release: kc.Release) -> list[Score]:
    """Return every measure of the scorecard and the computed utility measures."""
    found: list[Score] = [
        (session.way(cls), session.measured(session.setting, release, cls)) for cls in session.metrics
    ]
    for metric in usages(session):
        known = session.known(session.setting, metric)
        if known is not None:
            found.append((metric, known))
    return found


def columns_view(session: Session, release: kc.Release) -> None:
    """Show the heat map of columns by measures."""
    scores = ColumnScores.of(scores_of(session, release))
    said = column_sentence(scores)
    if scores.metrics:
        chart(column_figure(scores, theme()), "columns")
        said += " " + tr(
            "Measures can disagree on the column that loses most. The shades range from 0 to the worst column"
            " of each measure. Empty cells are not measured."
        )
    note(said)


def records_view(session: Session, release: kc.Release) -> None:
    """Show the distribution of a loss or risk over the records, and the most affected ones."""
    for cls in session.metrics:
        session.by_record(cls)
    scores = ((metric, record_values(metric, measured)) for metric, measured in scores_of(session, release))
    offered = {type(metric).__name__: (metric, values) for metric, values in scores if values is not None}
    titles = {name: metric.title for name, (metric, _) in offered.items()}
    metric, values = offered[menu(tr("Measure"), titles, "measure of records", width=420)]
    bins = session.picture(("records", expression(metric)), lambda: RecordBins.of(metric, values))
    chosen = _BAR.of(session.table.digest, session.setting.key, expression(metric))
    bar = chosen.get()

    def take(row: tuple[int | None]) -> None:
        chosen.set(None if row[0] == bar else row[0])

    chart(record_figure(bins, bar, theme()), "records", lambda event: (picked_bar(event, bins),), take)
    note(f"{record_sentence(bins)} {metric.sentence}")
    worst_hit(session, release, bins, bar)


def worst_hit(session: Session, release: kc.Release, bins: RecordBins, bar: int | None) -> None:
    """Show the most affected records of the clicked bar, or of all, before and after."""
    rows = bins.worst(bar)
    if not len(rows):
        return
    heading(tr("Most affected records, before and after"))
    if bar is None:
        note(tr("Chosen from all records. Click a bar to see the records in it."))
    else:
        note(
            tr(
                "Chosen from the records with {label} ({count:,}). Click the bar again to choose from"
                " all records."
            ).format(count=len(rows), label=bins.label(bar))
        )
    both_sides(session.table, release, rows[:FEW])

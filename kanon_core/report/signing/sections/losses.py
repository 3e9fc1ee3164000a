"""What the release costs: each measure as a whole, and per column."""

from __future__ import annotations

from functools import partial

from kanon_core.base.words import tr
from kanon_core.charts.loss.attributes import BARS_AT_MOST, attribute_figure, attribute_sentence
from kanon_core.metrics import Measured, Metric
from kanon_core.report.signing.blocks import Block, Grid, Says, Section
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.pictures import picture


def section(evidence: Evidence) -> Section:
    """The totals with what they mean, the losses of every column, and a drawing of the first measure."""
    totals = tuple(
        (one.title, one.text(found.total, found.error), one.sentence) for one, found in evidence.measured
    )
    blocks: list[Block] = [
        Grid((tr("measure"), tr("loss"), tr("what it says")), totals, right=(1,), widths=(24, 14, 62))
    ]
    parts = [(one, found) for one, found in evidence.measured if found.attributes]
    if parts:
        blocks += [*_drawn(*parts[0]), _by_column(parts)]
    return Section(tr("What it costs"), tuple(blocks))


def _drawn(metric: Metric, found: Measured) -> list[Block]:
    rows = min(len(found.attributes), BARS_AT_MOST)
    if rows < 2:
        return []
    drawn = picture(partial(attribute_figure, found.attributes, metric), 26 * rows + 12)
    return [Says(attribute_sentence(found.attributes, metric)), drawn]


def _by_column(parts: list[tuple[Metric, Measured]]) -> Grid:
    names = list(dict.fromkeys(name for _, found in parts for name in found.attributes))
    rows = tuple(
        (
            name,
            *(one.text(found.attributes[name]) if name in found.attributes else "–" for one, found in parts),
        )
        for name in names
    )
    head = (tr("column"), *(one.title for one, _ in parts))
    return Grid(head, rows, right=tuple(range(1, len(head))))

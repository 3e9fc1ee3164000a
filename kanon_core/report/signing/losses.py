"""Losses of the release, beside those of other settings."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kanon_core.algorithms import Algorithm
from kanon_core.base.words import tr
from kanon_core.charts.curves.sentences import Curve, cheapest_sentence, curves, knee_sentence
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.loss.column_scores import COLUMNS_AT_MOST, attribute_figure, attribute_sentence
from kanon_core.metrics import Measured, Metric, WorstRisk
from kanon_core.report.signing.blocks import Block, Grid, Picture, Says, Section, described, empty
from kanon_core.report.signing.evidence import Candidate, Evidence
from kanon_core.runs.sweeps import SweepPoint, quantity

if TYPE_CHECKING:
    import plotly.graph_objects as go


def picture(make: Callable[[], go.Figure], height: int) -> Picture | Says:
    """Return the figure so many pixels high; a sentence in its place without plotly (the extra “app”), as the
    tables hold its numbers."""
    if find_spec("plotly") is None:
        return Says(tr("The chart is left out because plotly is not installed (extra “app”)."), quiet=True)
    figure = make()
    return Picture(drawing(figure, height), str(figure.layout.meta["alt"]))


def losses(evidence: Evidence) -> Section:
    """Return the totals with what they mean, the losses of every column, and a drawing of the first
    measure."""
    totals = tuple(
        (one.title, one.text(found.total, found.error), one.sentence) for one, found in evidence.measured
    )
    blocks: list[Block] = [
        Grid((tr("measure"), tr("loss"), tr("meaning")), totals, right=(1,), widths=(24, 14, 62))
    ]
    parts = [(one, found) for one, found in evidence.measured if found.attributes]
    if parts:
        blocks += [*_drawn(*parts[0]), _by_column(parts)]
    return Section(tr("Information loss and suppression"), tuple(blocks))


def _drawn(metric: Metric, measured: Measured) -> list[Block]:
    rows = min(len(measured.attributes), COLUMNS_AT_MOST)
    if rows < 2:
        return []
    drawn = picture(partial(attribute_figure, measured.attributes, metric), 26 * rows + 12)
    return [Says(attribute_sentence(measured.attributes, metric)), drawn]


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


LOSSES = ("ILSSDM", "NCP", "SuppressedItems")
"""The losses that a curve may show, the best known first."""
_HEIGHT, _KS_AT_MOST = 240, 9


def comparison(evidence: Evidence) -> Section:
    """Losses over k, as far as they were computed, and the candidates with their comments."""
    blocks = [*_curve(evidence), *_candidates(evidence.given.candidates)]
    return Section(tr("Compared settings"), tuple(blocks))


def _curve(evidence: Evidence) -> list[Block]:
    recipe, points = evidence.release.recipe, evidence.given.points
    found, metric = curves(points), _metric(points)
    if not any(curve.by_k(metric) for curve in found):
        return [Says(tr("No other k was computed for this report."), quiet=True)]
    mine = next((curve for curve in found if _is_of(curve, recipe.algorithm)), None)
    current = (mine.label, recipe.k, recipe.seed) if mine else None
    told = cheapest_sentence(points, metric, recipe.k)
    knee = knee_sentence(mine, metric) if mine else ""
    figure = partial(tradeoff_figure, points, y=metric, current=current)
    return [Says(f"{told} {knee}".strip()), picture(figure, _HEIGHT), _numbers(found, metric, recipe.k)]


def _metric(points: tuple[SweepPoint, ...]) -> str:
    known = (name for name in LOSSES if any(not math.isnan(point.value(name)) for point in points))
    return next(known, LOSSES[0])


def _is_of(curve: Curve, algorithm: Algorithm) -> bool:
    """Return whether the algorithm of a recipe, with the steps that its time was worth, is that of the
    curve."""
    return algorithm in (curve.algorithm, *(point.settled for point in curve.points))


def _numbers(curves: tuple[Curve, ...], metric: str, k: int) -> Grid:
    """Return a line for each algorithm, a column for some k, the chosen one among them."""
    ks = sorted({point.k for curve in curves for point in curve.points})
    step = math.ceil(len(ks) / (_KS_AT_MOST - 1))
    shown = sorted({*ks[::step], *({k} & set(ks))})
    text = quantity(metric).text
    rows = []
    for curve in curves:
        values = {point.k: point.value(metric) for point in curve.middle(metric)}
        rows.append((curve.label, *(text(values[one]) if one in values else "–" for one in shown)))
    head = (quantity(metric).title, *(f"k = {one}" for one in shown))
    return Grid(head, tuple(rows), right=tuple(range(1, len(head))))


def _candidates(candidates: tuple[Candidate, ...]) -> list[Block]:
    if not candidates:
        return [Says(tr("No other setting was noted as a candidate."), quiet=True)]
    metric = _metric(tuple(one.point for one in candidates))
    rows = tuple(_row(one, metric) for one in candidates)
    head = (tr("candidate"), "k", quantity(metric).title, WorstRisk.short, tr("comment"))
    return [Grid(head, rows, right=(1, 2, 3), widths=(28, 7, 15, 13, 37))]


def _row(candidate: Candidate, metric: str) -> tuple[str, ...]:
    point = candidate.point
    numbers = [_number(point, name) for name in (metric, "WorstRisk")]
    return described(point.algorithm), f"{point.k:,}", *numbers, candidate.comment or empty()


def _number(point: SweepPoint, name: str) -> str:
    value = point.value(name)
    return "–" if math.isnan(value) else quantity(name).text(value)

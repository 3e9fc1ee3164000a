"""The floor under a curve of loss: what no grouping can go below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kanon_core.base.words import tr
from kanon_core.bounds import Bound
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import scatter
from kanon_core.charts.curves.optima import gap_text
from kanon_core.charts.curves.sentences import curves
from kanon_core.sweeps import SweepPoint, floor_points, quantity

if TYPE_CHECKING:
    import plotly.graph_objects as go


def with_least(
    figure: go.Figure, points: Sequence[SweepPoint], metric: str, bounds: Sequence[Bound], theme: str
) -> bool:
    """Draw the lower bounds of a metric into its figure against k, as a dotted gray line, and say whether
    this was done: only below finished points that they hold for, and where no optimum is drawn."""
    shown = bool(bounds) and any(map(_is_bounded, points)) and not floor_points(points, metric)
    if shown:
        color = look.theme_of(theme).lines[-1]
        ks, values = [bound.k for bound in bounds], [bound.value for bound in bounds]
        line = {"color": color, "width": 2, "dash": "dot"}
        name = tr("no grouping can lose less")
        figure.add_traces([scatter("lines", ks, values, name=name, line=line, showlegend=True)])
    return shown


def least_sentence(points: Sequence[SweepPoint], metric: str, bound: Bound | None) -> str:
    """What no grouping can go below at this k, and how far above it the algorithms lie; empty without a
    bound above 0 or a point to compare, and where the optimum is known."""
    if bound is None or not bound.value or floor_points(points, metric).get(bound.k):
        return ""
    ranked = sorted(
        (bound.gap(p.value(metric)), curve.label)
        for curve in curves(points)
        for p in curve.middle(metric)
        if p.k == bound.k and _is_bounded(p) and math.isfinite(p.value(metric))
    )
    if not ranked:
        return ""
    told = look.listed([f"{label} {gap_text(share)}" for share, label in ranked])
    return tr(
        "At k = {k} no way to put all records into groups can lose less than {least}: {algorithms} above that"
        " bound, which may lie below the best there is."
    ).format(k=bound.k, least=quantity(metric).text(bound.value), algorithms=told)


def _is_bounded(point: SweepPoint) -> bool:
    """Whether it is finished, and publishes all records in closed groups that publish one row."""
    promised, gone = point.guarantee, point.problem or point.scores.get("SuppressedRecords")
    return promised.disjoint and not (promised.own_rows or promised.pseudonyms or gone or not point.scores)

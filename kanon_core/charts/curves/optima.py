"""Optima and lower bounds for a sweep: the gap to a metric's optimum, and theorem 2.1 of k-concealment."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kanon_core.algorithms import Pairing
from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import scatter
from kanon_core.charts.curves.sentences import curves
from kanon_core.guarantees import KAnonymity
from kanon_core.metrics.bounds import Bound
from kanon_core.runs.sweeps import SweepPoint, floor_points, gap, quantity

BEST_PAIRS = Pairing(exact=True)
"""Complete 2-anonymity of least cost; complete k-anonymity is NP-hard to find from k = 3 on."""
_COST = "MatchingCost"


def gap_text(share: float) -> str:
    """Return how far above the floor a value is: ``15.2 %``, ``0.03 %``."""
    digits = 0 if share >= 1 else 1 if share >= 0.01 else 2
    return f"{100 * share:,.{digits}f} %"


def gap_sentence(points: Sequence[SweepPoint], metric: str, k: int) -> str:
    """Return the lowest possible value at this k, and the gap of each algorithm; empty while it is not
    known."""
    floor = floor_points(points, metric).get(k)
    if floor is None:
        return ""
    found = [
        (gap(p, floor, metric), c.label)
        for c in curves(points)
        for p in c.middle(metric)
        if p.k == k and p.algorithm != floor.algorithm
    ]
    ranked = sorted((share, label) for share, label in found if share >= 0)
    what = quantity(metric)
    least = tr("At k = {k}, the lowest possible {name} is {value} ({algorithm})").format(
        k=k, name=what.title.lower(), value=what.text(floor.value(metric)), algorithm=floor.algorithm.title
    )
    if not ranked:
        return f"{least}."
    share, label = ranked[0]
    others = "".join(f", {label} {gap_text(share)}" for share, label in ranked[1:])
    return tr("{least}. {label} is {gap} above it{others}.").format(
        least=least, label=label, gap=gap_text(share), others=others
    )


def theorem_sentence(points: Sequence[SweepPoint], k: int) -> str:
    """Theorem 2.1 (k-concealment paper, §2.3) in the numbers of this sweep: the least cost of concealment is
    at most that of k-anonymity.

    At k = 2 both are certified when `BEST_PAIRS` has finished. Else the best k-anonymous release found stands
    in: within its groups cyclic shifts are a concealment, so that the optimum bounds it too. Empty while one
    of the two costs is missing.
    """
    floor = floor_points(points, _COST).get(k)
    closed = [
        (gap(p, floor, _COST), p.algorithm == BEST_PAIRS and p.certified, i)
        for i, p in enumerate(points)
        if p.k == k and isinstance(p.guarantee, KAnonymity)
    ]
    known = sorted((not pairs, share, i) for share, pairs, i in closed if share >= 0)
    if floor is None or not known:
        return ""
    certified, share, best = not known[0][0], known[0][1], points[known[0][2]]
    low, high = (quantity(_COST).text(p.value(_COST)) for p in (floor, best))
    if certified:
        return tr(
            "At k = 2, both optima are certified. Concealment costs {low}; groups of exactly two records cost"
            " {high}, {gap} more."
        ).format(low=low, high=high, gap=gap_text(share))
    label = next(curve.label for curve in curves(points) if curve.algorithm == best.algorithm)
    text = tr(
        "At k = {k}, the best k-anonymous release found ({label}) costs {high}, {gap} more than the certified"
        " optimum of concealment, {low}."
    ).format(k=k, label=label, high=high, gap=gap_text(share), low=low)
    return text + " " + tr("For k ≥ 3, the best k-anonymous release is NP-hard to find.") if k > 2 else text


def with_least(
    figure: look.Figure, points: Sequence[SweepPoint], metric: str, bounds: Sequence[Bound], theme: str
) -> bool:
    """Draw the lower bounds of a metric into its figure against k, as a dotted gray line, and return whether
    this was done: only where the bounds hold for a finished point, and no optimum is drawn."""
    shown = bool(bounds) and any(map(_is_bounded, points)) and not floor_points(points, metric)
    if shown:
        color = look.theme_of(theme).lines[-1]
        ks, values = [bound.k for bound in bounds], [bound.value for bound in bounds]
        line = {"color": color, "width": 2, "dash": "dot"}
        name = tr("lower bound for any grouping")
        figure.add_traces([scatter("lines", ks, values, name=name, line=line, showlegend=True)])
    return shown


def least_sentence(points: Sequence[SweepPoint], metric: str, bound: Bound | None) -> str:
    """Return a sentence on the lower bound for any grouping at this k, and the gap of each algorithm; empty
    without a bound above 0 or a point to compare, and where the optimum is known."""
    if bound is None or not bound.value or floor_points(points, metric).get(bound.k):
        return ""
    ranked = sorted(
        (bound.gap(p.value(metric)), p.value(metric), curve.label)
        for curve in curves(points)
        for p in curve.middle(metric)
        if p.k == bound.k and _is_bounded(p) and math.isfinite(p.value(metric))
    )
    if not ranked:
        return ""
    what = quantity(metric)
    says = tr("{label} loses {gap} more ({loss})")
    losses = [
        says.format(label=label, loss=what.text(loss), gap=gap_text(share)) for share, loss, label in ranked
    ]
    return tr(
        "At k = {k}, no grouping of all records can lose less than {least}. Compared with this lower bound,"
        " {losses}. The optimum may be higher than the bound."
    ).format(k=bound.k, least=what.text(bound.value), losses=look.listed(losses))


def _is_bounded(point: SweepPoint) -> bool:
    """Return whether the point is finished, and its release publishes all records in closed groups of one row
    each."""
    promised, gone = point.guarantee, point.problem or point.scores.get("SuppressedRecords")
    return promised.disjoint and not (promised.own_rows or promised.pseudonyms or gone or not point.scores)

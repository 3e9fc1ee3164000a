"""What a sweep says, in sentences made from its numbers: cheapest algorithm, knee, answers, warnings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.charts.theme import percent_text
from kanon_core.metrics import METRICS, Metric
from kanon_core.options import Nested, options_of
from kanon_core.sweeps import SweepPoint, best_from, best_within

_WARNINGS = 3


@dataclass(frozen=True)
class Curve:
    """The finished points of one algorithm, by ascending k; ``label`` is not escaped."""

    label: str
    algorithm: Algorithm
    points: tuple[SweepPoint, ...]

    def values(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The k (int64) and values of a metric where it is known; the name "k" gives k itself."""
        found = [
            (p.k, float(p.k) if name == "k" else p.scores[name])
            for p in self.points
            if name == "k" or name in p.scores
        ]
        return np.array([k for k, _ in found], np.int64), np.array([value for _, value in found], np.float64)


def curves(points: Iterable[SweepPoint]) -> tuple[Curve, ...]:
    """One curve per algorithm, in order of first appearance.

    Points without scores are left out; of two points for the same k the later one counts.
    """
    found: dict[Algorithm, dict[int, SweepPoint]] = {}
    for point in points:
        kept = found.setdefault(point.algorithm, {})
        if point.scores:
            kept[point.k] = point
    labels = algorithm_labels(tuple(found))
    return tuple(
        Curve(label, algorithm, tuple(kept[k] for k in sorted(kept)))
        for label, (algorithm, kept) in zip(labels, found.items(), strict=True)
    )


def algorithm_labels(algorithms: Sequence[Algorithm]) -> tuple[str, ...]:
    """A name for each: its title, with the options that differ from their defaults or among algorithms of its class."""
    return tuple(
        _label(one, [other for other in algorithms if type(other) is type(one)]) for one in algorithms
    )


def _label(one: Algorithm, others: Sequence[Algorithm]) -> str:
    parts = []
    for option in options_of(type(one)):
        value = getattr(one, option.name)
        if value != option.default or any(getattr(other, option.name) != value for other in others):
            text = _label(value, [value]) if isinstance(option.kind, Nested) else _value_text(value)
            parts.append(f"{option.label} {text}")
    return f"{one.title} ({', '.join(parts)})" if parts else one.title


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        return " + ".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def metric_of(name: str) -> type[Metric]:
    """The metric class of that name; KeyError for another."""
    return {metric.__name__: metric for metric in METRICS}[name]


def metric_text(name: str, value: float) -> str:
    """The number as people read it, with its unit."""
    return metric_of(name)().text(value)


def cheapest_sentence(points: Iterable[SweepPoint], metric: str, k: int) -> str:
    """Which algorithm is best at this k, and how far the next is behind."""
    cls = metric_of(metric)
    sign = 1 if cls.direction == "lower" else -1
    ranked = sorted(
        (sign * p.scores[metric], c.label)
        for c in curves(points)
        for p in c.points
        if p.k == k and metric in p.scores
    )
    if not ranked:
        return f"Nothing has finished at k = {k} yet."
    best, label = ranked[0]
    what = f"{cls.title.lower()} {metric_text(metric, sign * best)}"
    if len(ranked) == 1:
        return f"At k = {k}, {label} has {what}."
    second, other = ranked[1]
    if second == best:
        return f"At k = {k}, {label} and {other} are equally good: {what}."
    return f"At k = {k}, {label} is best: {what}; next is {other} with {metric_text(metric, sign * second)}."


def knee(ks: np.ndarray, values: np.ndarray) -> int | None:
    """The position of the knee: the point farthest from the chord between the ends, both axes scaled to 0..1.

    After Satopää et al., Finding a "kneedle" in a haystack, 2011. None with fewer than five points, with equal ends, or when no point is a tenth away from the chord.
    """
    if len(ks) < 5 or values[0] == values[-1]:
        return None
    x = (ks - ks[0]) / (ks[-1] - ks[0])
    y = (values - values[0]) / (values[-1] - values[0])
    best = int(np.argmax(np.abs(y - x)))
    return best if abs(y[best] - x[best]) >= 0.1 and 0 < best < len(ks) - 1 else None


def knee_sentence(curve: Curve, metric: str) -> str:
    """Where another step of k begins to cost less or more; empty when the curve has no clear knee."""
    ks, values = curve.values(metric)
    at = knee(ks, values)
    if at is None:
        return ""
    before = (values[at] - values[0]) / (ks[at] - ks[0])
    after = (values[-1] - values[at]) / (ks[-1] - ks[at])
    name = metric_of(metric).title.lower()
    turn = "less" if after < before else "more"
    return (
        f"With {curve.label}, from k = {ks[0]} to {ks[at]} the {name} {_changes(metric, before)} each step; "
        f"from k = {ks[at]} to {ks[-1]} each step costs {turn}: it {_changes(metric, after)}."
    )


def _changes(metric: str, step: float) -> str:
    verb = "grows by" if step >= 0 else "falls by"
    if not metric_of(metric).percent:
        return f"{verb} {metric_text(metric, float(f'{abs(step):.3g}'))}"
    points = percent_text(abs(step))
    return f"{verb} {points} percentage {'point' if points == '1' else 'points'}"


def within_sentence(points: Sequence[SweepPoint], metric: str, at_most: float) -> str:
    """The answer to "largest k with loss ≤ x" among the finished points."""
    name, bound = metric_of(metric).title.lower(), metric_text(metric, at_most)
    found = best_within(points, metric, at_most)
    if found is None:
        return f"No finished setting has {name} of at most {bound}; allow more, or try smaller k."
    label = _label_in(points, found)
    return f"The largest k with {name} of at most {bound} is k = {found.k}, by {label} ({metric_text(metric, found.scores[metric])})."


def from_sentence(points: Sequence[SweepPoint], metric: str, k_at_least: int) -> str:
    """The answer to "smallest loss at k ≥ y" among the finished points."""
    name = metric_of(metric).title.lower()
    found = best_from(points, metric, k_at_least)
    if found is None:
        return f"Nothing has finished at k = {k_at_least} or more."
    label = _label_in(points, found)
    return f"The smallest {name} at k ≥ {k_at_least} is {metric_text(metric, found.scores[metric])}, by {label} at k = {found.k}."


def _label_in(points: Sequence[SweepPoint], found: SweepPoint) -> str:
    return next(curve.label for curve in curves(points) if curve.algorithm == found.algorithm)


def warnings(points: Iterable[SweepPoint], metric: str) -> list[str]:
    """Where a curve goes the wrong way: a larger k that loses less. At most three sentences, then how many more.

    Only metrics of which less is better and which do not fall with k by their nature (the risks) are judged.
    """
    cls = metric_of(metric)
    if cls.direction != "lower" or metric in ("WorstRisk", "AverageRisk"):
        return []
    found = []
    for curve in curves(points):
        ks, values = curve.values(metric)
        for i in np.flatnonzero(np.diff(values) < -1e-12 * np.abs(values[:-1])).tolist():
            low, high = metric_text(metric, values[i + 1]), metric_text(metric, values[i])
            found.append(
                f"At k = {ks[i + 1]} {curve.label} has less {cls.title.lower()} than at k = {ks[i]} ({low} against {high}): "
                "a larger group size can fit the data better."
            )
    more = len(found) - _WARNINGS
    return found[:_WARNINGS] + (
        [f"There are {more} more such steps." if more > 1 else "There is one more such step."]
        if more > 0
        else []
    )

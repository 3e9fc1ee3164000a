"""Sentences on the results of a sweep: best algorithm, knee, answers, warnings.

A statement that points still to be computed (`pending`) may change is marked "so far".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.options import Nested, options_of
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import listed, percent_text, range_text
from kanon_core.runs.sweeps import SweepPoint, best_from, best_within, quantity

_WARNINGS = 3
_PENDING = "not computed yet"


def pending(algorithm: Algorithm, k: int, seed: int = 0) -> SweepPoint:
    """Return the placeholder of a point that is still to be computed."""
    return SweepPoint(algorithm, k, {}, 0.0, _PENDING, seed=seed)


def is_pending(point: SweepPoint) -> bool:
    """Return whether the point is still to be computed."""
    return point.problem == _PENDING


def _so_far(points: Iterable[SweepPoint]) -> str:
    return tr(" so far") if any(map(is_pending, points)) else ""


@dataclass(frozen=True)
class Curve:
    """The finished points of one algorithm, by ascending k, then seed; ``label`` is not escaped.
    ``unfinished``: more are to come."""

    label: str
    algorithm: Algorithm
    points: tuple[SweepPoint, ...]
    unfinished: bool = False

    def middle(self, name: str) -> list[SweepPoint]:
        """For each k where the quantity is known, the point with its (lower) median over the seeds."""
        return [seeds[(len(seeds) - 1) // 2] for seeds in self.by_k(name)]

    def values(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The k (int64) and medians (float64) of a quantity where it is known."""
        middle = self.middle(name)
        values = np.array([p.value(name) for p in middle], np.float64)
        return np.array([p.k for p in middle], np.int64), values

    def by_k(self, name: str) -> list[list[SweepPoint]]:
        """For each k where that quantity is known, the points that know it, the least of it first."""
        known = [point for point in self.points if not math.isnan(point.value(name))]
        return [sorted(seeds, key=lambda p: p.value(name)) for _, seeds in groupby(known, key=lambda p: p.k)]


def curves(points: Iterable[SweepPoint]) -> tuple[Curve, ...]:
    """One curve per algorithm, in order of first appearance.

    Points with a problem are left out; of two points for the same k and seed the later one counts.
    """
    found: dict[Algorithm, dict[tuple[int, int], SweepPoint]] = {}
    unfinished = set()
    for point in points:
        if is_pending(point):
            unfinished.add(point.algorithm)
        kept = found.setdefault(point.algorithm, {})
        if not point.problem:
            kept[point.k, point.seed] = point
    labels = algorithm_labels(tuple(found))
    return tuple(
        Curve(label, algorithm, tuple(kept[place] for place in sorted(kept)), algorithm in unfinished)
        for label, (algorithm, kept) in zip(labels, found.items(), strict=True)
    )


def algorithm_labels(algorithms: Sequence[Algorithm]) -> tuple[str, ...]:
    """A name for each: its title and the options that are not default or differ within its class."""
    return tuple(
        _label(one, [other for other in algorithms if type(other) is type(one)]) for one in algorithms
    )


def _label(algorithm: Algorithm, others: Sequence[Algorithm]) -> str:
    parts = []
    for option in options_of(type(algorithm)):
        value = getattr(algorithm, option.name)
        if value != option.default or any(getattr(other, option.name) != value for other in others):
            text = _label(value, [value]) if isinstance(option.kind, Nested) else _value_text(value)
            parts.append(f"{option.label} {text}")
    return f"{algorithm.title} ({', '.join(parts)})" if parts else algorithm.title


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        return " + ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def medians(points: Iterable[SweepPoint], name: str) -> list[SweepPoint]:
    """Return the point of each curve and k that has the median, so that no answer rests on a lucky seed."""
    return [point for curve in curves(points) for point in curve.middle(name)]


def cheapest_sentence(points: Iterable[SweepPoint], name: str, k: int) -> str:
    """Return which algorithm is best at this k, and the value of the next."""
    points, what = list(points), quantity(name)
    sign = 1 if what.direction == "lower" else -1
    at_k = [(c.label, p) for c in curves(points) for p in c.middle(name) if p.k == k]
    ranked = sorted(at_k, key=lambda entry: (sign * entry[1].value(name), entry[0]))
    if not ranked:
        return tr("No setting has finished at k = {k} yet.").format(k=k)
    label, best = ranked[0]
    told, at = f"{what.title.lower()} {best.text(name)}", tr("At k = {k}").format(k=k)
    at += _so_far(point for point in points if point.k == k)
    if len(ranked) == 1:
        return tr("{at}, {label} has {told}.").format(at=at, label=label, told=told)
    other, second = ranked[1]
    if second.value(name) == best.value(name):
        return tr("{at}, {label} and {other} are equally good: {told}.").format(
            at=at, label=label, other=other, told=told
        )
    said = tr("{at}, {label} is best: {told}; next is {other} with {value}.")
    if abs(second.value(name) - best.value(name)) <= max(p.errors.get(name, 0.0) for p in (best, second)):
        said = tr(
            "{at}, the difference between {label} ({told}) and {other} ({value}) is within the sampling"
            " error."
        )
    return said.format(at=at, label=label, told=told, other=other, value=second.text(name))


def seeds_sentence(points: Iterable[SweepPoint], name: str, k: int) -> str:
    """Return a sentence on lines and bands where there are several seeds, and the range of each band at this
    k; else empty."""
    text, most, reach, found = quantity(name).text, 1, [], curves(points)
    for curve in found:
        for seeds in curve.by_k(name):
            most = max(most, len(seeds))
            if len(seeds) > 1 and seeds[0].k == k:
                low, high = text(seeds[0].value(name)), text(seeds[-1].value(name))
                reach.append(f"{curve.label} {range_text(low, high)}")
    if most == 1:
        return ""
    so_far = tr(" so far") if any(curve.unfinished for curve in found) else ""
    lines = tr("Lines are medians of {most} seeds{so_far}; bands range from the lowest to the highest value.")
    lines = lines.format(most=most, so_far=so_far)
    return lines + " " + tr("At k = {k}").format(k=k) + f": {', '.join(reach)}." if reach else lines


def knee(ks: np.ndarray, values: np.ndarray) -> int | None:
    """The position of the knee: the point farthest from the chord between the ends, both axes scaled to 0..1.

    After Satopää et al., Finding a "kneedle" in a haystack, 2011. None with fewer than five points, with
    equal ends, or when no point is a tenth away from the chord.
    """
    if len(ks) < 5 or values[0] == values[-1]:
        return None
    x = (ks - ks[0]) / (ks[-1] - ks[0])
    y = (values - values[0]) / (values[-1] - values[0])
    best = int(np.argmax(np.abs(y - x)))
    return best if abs(y[best] - x[best]) >= 0.1 and 0 < best < len(ks) - 1 else None


def knee_sentence(curve: Curve, metric: str) -> str:
    """Return a sentence on the k from which a further step costs less or more; empty when the curve has no
    clear knee."""
    ks, values = curve.values(metric)
    at = knee(ks, values)
    if at is None:
        return ""
    before = (values[at] - values[0]) / (ks[at] - ks[0])
    after = (values[-1] - values[at]) / (ks[-1] - ks[at])
    name = quantity(metric).title.lower()
    so_far = tr(" so far") if curve.unfinished else ""
    told = tr(
        "With {label}{so_far}, the {name} {before} per step from k = {first} to {at}. From k = {at} to"
        " {last}, each step costs more: the {name} {after}."
    )
    if after < before:
        told = tr(
            "With {label}{so_far}, the {name} {before} per step from k = {first} to {at}. From k = {at} to"
            " {last}, each step costs less: the {name} {after}."
        )
    steps = {"before": _changes(metric, before), "after": _changes(metric, after)}
    return told.format(
        label=curve.label, so_far=so_far, first=ks[0], at=ks[at], last=ks[-1], name=name, **steps
    )


def _changes(metric: str, step: float) -> str:
    said = tr("grows by {amount}") if step >= 0 else tr("falls by {amount}")
    if not quantity(metric).percent:
        return said.format(amount=quantity(metric).text(float(f"{abs(step):.3g}")))
    points = percent_text(abs(step))
    amount = tr_n("{points} percentage point", "{points} percentage points", 1 if points == "1" else 2)
    return said.format(amount=amount.format(points=points))


def within_sentence(points: Sequence[SweepPoint], metric: str, at_most: float) -> str:
    """The answer to "largest k with loss ≤ x" among the finished points; of several seeds, the median."""
    name, text = quantity(metric).title.lower(), quantity(metric).text
    bound = text(at_most) + _so_far(points)
    found = best_within(medians(points, metric), metric, at_most)
    if found is None:
        return tr(
            "No finished setting has {name} of at most {bound}; raise the limit or try a smaller k."
        ).format(name=name, bound=bound)
    told = tr("k = {k}, by {algorithm} ({value})").format(
        k=found.k, algorithm=_label_in(points, found), value=found.text(metric)
    )
    return tr("The largest k with {name} of at most {bound} is {told}.").format(
        name=name, bound=bound, told=told
    )


def from_sentence(points: Sequence[SweepPoint], metric: str, k_at_least: int) -> str:
    """The answer to "smallest loss at k ≥ y" among the finished points; of several seeds, the median."""
    name = quantity(metric).title.lower()
    found = best_from(medians(points, metric), metric, k_at_least)
    if found is None:
        return tr("No setting has finished at k = {k} or more{so_far}.").format(
            k=k_at_least, so_far=_so_far(points)
        )
    told = tr("{value}, by {algorithm} at k = {k}").format(
        value=found.text(metric), algorithm=_label_in(points, found), k=found.k
    )
    return tr("The smallest {name} at k ≥ {k}{so_far} is {told}.").format(
        name=name, k=k_at_least, so_far=_so_far(points), told=told
    )


def _label_in(points: Sequence[SweepPoint], point: SweepPoint) -> str:
    return next(curve.label for curve in curves(points) if curve.algorithm == point.algorithm)


def negative_sentence(points: Iterable[SweepPoint], metric: str, k: int) -> str:
    """Return why the metric has a number below 0, as the point nearest to this k says it; "" where none
    has."""
    below = [point for point in points if point.value(metric) < 0 and point.notes.get(metric)]
    nearest = min(below, key=lambda point: abs(point.k - k), default=None)
    return nearest.notes[metric][0] if nearest else ""


def warnings(points: Iterable[SweepPoint], metric: str) -> list[str]:
    """Return sentences on the steps at which a larger k loses less: at most three, then how many more there
    are.

    Only for metrics of which lower is better, and which do not fall with k by their nature (as risks and time
    do).
    """
    what = quantity(metric)
    if what.direction != "lower" or metric in ("WorstRisk", "AverageRisk", "seconds"):
        return []
    found = []
    for curve in curves(points):
        ks, values = curve.values(metric)
        for i in np.flatnonzero(np.diff(values) < -1e-12 * np.abs(values[:-1])).tolist():
            low, high = what.text(values[i + 1]), what.text(values[i])
            found.append(
                tr(
                    "{algorithm} has a lower {name} at k = {k} ({low}) than at k = {before} ({high}). A"
                    " larger k can fit the data better."
                ).format(
                    k=ks[i + 1],
                    algorithm=curve.label,
                    name=what.title.lower(),
                    before=ks[i],
                    low=low,
                    high=high,
                )
            )
    more = len(found) - _WARNINGS
    rest = tr_n("There is {more} more such step.", "There are {more} more such steps.", more)
    return found[:_WARNINGS] + ([rest.format(more=more)] if more > 0 else [])


def problem_sentences(points: Iterable[SweepPoint]) -> list[str]:
    """Return sentences on the points that could not be computed, and why; those of one algorithm with the
    same reason share a sentence."""
    points, missing = list(points), dict[tuple[str, str], set[int]]()
    labels = {curve.algorithm: curve.label for curve in curves(points)}
    for point in points:
        if point.problem and not is_pending(point):
            missing.setdefault((labels[point.algorithm], point.problem), set()).add(point.k)
    says = tr("{algorithm} has no result at k = {ks}: {reason}")
    return [
        says.format(algorithm=label, ks=_several(sorted(ks)), reason=reason)
        for (label, reason), ks in missing.items()
    ]


def _several(ks: Sequence[int]) -> str:
    if 2 < len(ks) == ks[-1] - ks[0] + 1:
        return range_text(str(ks[0]), str(ks[-1]))
    return listed([str(k) for k in ks])

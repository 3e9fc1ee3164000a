"""Sweeps: many settings of one table, scored one after another; the numbers of each, and queries on them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kanon_core.algorithms import Algorithm, OptimalConcealment, OptimalUnivariate
from kanon_core.algorithms.concealment.optimum.optimal import is_certified
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.randomness import secret_seed
from kanon_core.base.words import later, tr
from kanon_core.guarantees import Hiding, KAnonymity, KConcealment
from kanon_core.metrics import METRICS, UTILITIES, Measured, Metric
from kanon_core.metrics.base import scale_of
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize, measured_by
from kanon_core.table.people import undecided
from kanon_core.table.table import Table

_ANONYMIZING = 0.8  # the share of a point's progress; the rest is measuring

_PAIRS_PROVEN = 1e-4
"""The share of the cost by which the bound of exact pairs may be lower, as the noise against ties is taken
off the bound."""


@dataclass(frozen=True)
class Quantity:
    """A quantity of a point of a sweep, as people read it: k, the total of a metric, or the time it took.

    ``direction``: "lower" or "higher" is better; ``percent``: a share, shown as a percentage; ``text`` writes
    a number, of metrics with its error after it. ``called`` and ``read`` are its title and its scale as they
    are written.
    """

    called: str
    direction: str
    read: str
    percent: bool
    text: Callable[..., str]

    @property
    def title(self) -> str:
        """Its name."""
        return tr(self.called)

    @property
    def scale(self) -> str:
        """Return how to read a number of it."""
        return tr(self.read)


@dataclass(frozen=True)
class Total(Quantity):
    """The total of a metric, which has the name of the metric.

    >>> import kanon_core as kc
    >>> Total.of(kc.NCP).title
    'Certainty penalty'
    """

    metric: type[Metric]

    @classmethod
    def of(cls, metric: type[Metric]) -> Total:
        """Return the total of this metric with its default options."""
        return cls("", metric.direction, "", metric.percent, metric().text, metric)

    @property
    def title(self) -> str:
        """Return the metric's name."""
        return self.metric.title

    @property
    def scale(self) -> str:
        """Return how to read a total."""
        return scale_of(self.metric)


@dataclass(frozen=True)
class SweepPoint:
    """One finished setting of a sweep: the release's scores by metric name, or the reason why there is no
    release.

    ``seconds``: the time of the anonymization on this machine. ``settled`` is the algorithm with the options
    that the run fixed (such as the number of steps within a time budget); it repeats the same release.
    ``certified``: the algorithm proves its cost to be the least, by the lower bounds that it reports.
    ``errors``: by how much a score that comes from a sample may be off, 95 times in 100. ``notes``: remarks
    on a score: why it is not defined (NaN), sampled or negative. Both have only the scores that need them.
    """

    algorithm: Algorithm
    k: int
    scores: dict[str, float]
    seconds: float
    problem: str = ""
    settled: Algorithm | None = None
    seed: int = field(default=0, repr=False)
    certified: bool = True
    errors: dict[str, float] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def guarantee(self) -> Hiding:
        """Return the guarantee that counts anonymity sets."""
        return self.algorithm.guarantee(self.k)

    def value(self, name: str) -> float:
        """Return its number of that `quantity`; NaN when it has none."""
        if self.problem:
            return math.nan
        return {"k": float(self.k), "seconds": self.seconds, **self.scores}.get(name, math.nan)

    def text(self, name: str) -> str:
        """Return the number as people read it, with its error where it comes from a sample."""
        error = self.errors.get(name)
        return quantity(name).text(self.value(name), *([error] if error else []))


def _seconds_text(value: float) -> str:
    return f"{value:,.0f} s" if value >= 100 else f"{value:.2g} s" if value < 1 else f"{value:.3g} s"


QUANTITIES: dict[str, Quantity] = {
    "k": Quantity(
        "k",
        "higher",
        later("smallest number of indistinguishable records"),
        False,
        lambda value: f"k = {value:.0f}",
    ),
    **{cls.__name__: Total.of(cls) for cls in (*METRICS, *UTILITIES)},
    "seconds": Quantity(
        later("Time on this machine"), "lower", later("seconds, lower is better"), False, _seconds_text
    ),
}
"""The quantities by name, in menu order; a metric has the name of its class. `UTILITIES` are included for
sweeps that are asked for them."""


def quantity(name: str) -> Quantity:
    """Return the quantity of this name; raise OptionError for another name."""
    if name not in QUANTITIES:
        raise OptionError(
            tr("A sweep does not compute “{name}”; choose from {names}.").format(
                name=name, names=", ".join(QUANTITIES)
            )
        )
    return QUANTITIES[name]


@dataclass(frozen=True)
class Floor:
    """An algorithm whose releases have the least of a metric that is possible at their k.

    It applies to releases that publish all records and whose guarantee is one of ``guarantees``.
    """

    algorithm: Algorithm
    guarantees: tuple[type[Hiding], ...]


FLOORS: dict[str, Floor] = {
    "ILSSDM": Floor(OptimalUnivariate(), (KAnonymity,)),
    # Cyclic shifts within closed groups are a complete concealment (theorem 2.1): the optimum bounds both.
    "MatchingCost": Floor(OptimalConcealment(), (KAnonymity, KConcealment)),
}
"""The floors by metric. The options count: an optimum in another distance is no floor."""


def floor_points(points: Iterable[SweepPoint], metric: str) -> dict[int, SweepPoint]:
    """Return, by k, the points of the algorithm that is the floor of this metric; none for a metric without a
    floor, and none where the least is not certified.
    """
    floor = FLOORS.get(metric)
    if floor is None:
        return {}
    return {p.k: p for p in points if p.algorithm == floor.algorithm and p.certified and p.value(metric) >= 0}


def gap(point: SweepPoint, floor: SweepPoint | None, metric: str) -> float:
    """Return the distance of a point above the floor of a metric, as a share of the floor's value: 0.15 is 15
    % more.

    ``floor``: the point of the floor's algorithm at the same k. NaN when there is no floor or it does not
    apply to the point, and when no share can be taken, because the floor is 0 and the point is not.
    """
    if floor is None or type(point.guarantee) not in FLOORS[metric].guarantees:
        return math.nan
    if point.scores.get("SuppressedRecords"):
        return math.nan
    value, least = point.value(metric), floor.value(metric)
    if value <= least:  # it is below the floor only by rounding
        return 0.0
    return value / least - 1 if least > 0 else math.nan


def sweep(
    table: Table,
    algorithms: Sequence[Algorithm],
    ks: Iterable[int],
    metrics: Sequence[Metric] | None = None,
    seed: int | None = None,
    progress: Tick | None = None,
) -> Iterator[SweepPoint]:
    """Anonymize with every algorithm at every k and score it; yields each point as it finishes, small and
    large k mixed.

    The order refines: the ends and the middle of the k range come first, so that the shape of the curves is
    seen early. All points have one seed, drawn in secret when none is given. A setting that does not suit the
    table yields a point with its ``problem`` instead of scores. Raises UnsuitableError while the persons of
    the records are undecided (`kanon_core.table.people.undecided`).

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> [point.k for point in kc.sweep(table, [kc.Sorting()], range(2, 7), [kc.NCP()])]
    [2, 6, 4, 3, 5]
    """
    if reasons := undecided(table):
        raise UnsuitableError(" ".join(reasons))
    chosen = tuple(metrics) if metrics is not None else tuple(cls() for cls in METRICS)
    settings = [(algorithm, k) for k in refining(tuple(ks)) for algorithm in algorithms]
    tick, seed = progress or silent, secret_seed() if seed is None else seed
    for part, (algorithm, k) in stages(tick, settings):
        yield sweep_point(table, algorithm, k, chosen, seed, part)


def sweep_point(
    table: Table,
    algorithm: Algorithm,
    k: int,
    metrics: Sequence[Metric],
    seed: int = 0,
    progress: Tick | None = None,
) -> SweepPoint:
    """One point of a sweep. A metric that does not fit the table has the score NaN, and a note says why."""
    start, tick = time.perf_counter(), progress or silent
    try:
        release = anonymize(table, algorithm, k, seed, stage(tick, 0, _ANONYMIZING))
    except (OptionError, UnsuitableError) as problem:
        return SweepPoint(algorithm, k, {}, time.perf_counter() - start, str(problem), seed=seed)
    seconds = time.perf_counter() - start
    measured = measured_by(table, release, metrics, stage(tick, _ANONYMIZING, 1))
    names = [type(metric).__name__ for metric in metrics]
    return scored(release, algorithm, k, seed, dict(zip(names, measured, strict=True)), seconds)


def scored(
    release: Release,
    algorithm: Algorithm,
    k: int,
    seed: int,
    measured: Mapping[str, Measured],
    seconds: float,
) -> SweepPoint:
    """Return the point of a release that was made and measured, from its measures by metric name and the
    seconds of the anonymization."""
    return SweepPoint(
        algorithm,
        k,
        {name: found.total for name, found in measured.items()},
        seconds,
        settled=release.recipe.algorithm,
        seed=seed,
        certified=_is_proven(release.report),
        errors={name: found.error for name, found in measured.items() if found.error},
        notes={name: found.notes for name, found in measured.items() if found.notes},
    )


def _is_proven(report: Mapping[str, float]) -> bool:
    """Return whether the lower bound of a run, if it reports one, is as high as its cost; of exact pairs to
    `_PAIRS_PROVEN`."""
    if "dual bound" in report:
        return is_certified(report["cost"], report["dual bound"])
    return report.get("cost", 0.0) * (1 - _PAIRS_PROVEN) <= report.get("lower bound", math.inf)


def refining(ks: Sequence[int]) -> list[int]:
    """Return the same numbers, ends first, then middles of the remaining gaps (breadth first).

    >>> refining([2, 3, 4, 5, 6])
    [2, 6, 4, 3, 5]
    """
    ordered = sorted(set(ks))
    found = ordered[:1] + ordered[1:][-1:]
    gaps = [(0, len(ordered) - 1)]
    while gaps:
        low, high = gaps.pop(0)
        if high - low < 2:
            continue
        middle = (low + high) // 2
        found.append(ordered[middle])
        gaps += [(low, middle), (middle, high)]
    return found


def best_within(points: Iterable[SweepPoint], name: str, at_most: float) -> SweepPoint | None:
    """Return the point with the largest k whose metric (or other `quantity`) is at most the bound; None when
    there is none.

    Ties: the smaller metric.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> points = list(kc.sweep(table, [kc.Sorting()], [2, 5, 10], [kc.AverageRisk()]))
    >>> best_within(points, "AverageRisk", 0.25).k
    10
    """
    fitting = (point for point in points if point.value(name) <= at_most)
    return max(fitting, key=lambda p: (p.k, -p.value(name)), default=None)


def best_from(points: Iterable[SweepPoint], name: str, k_at_least: int) -> SweepPoint | None:
    """Return the point with the smallest metric (or other `quantity`) among those with k at least the bound;
    None when there is none.

    Ties: the larger k.

    >>> import kanon_core as kc
    >>> points = list(kc.sweep(kc.read_table("sample:people-100"), [kc.Sorting()], [2, 5, 10], [kc.NCP()]))
    >>> best_from(points, "NCP", 3).k
    5
    """
    fitting = (point for point in points if point.k >= k_at_least and not math.isnan(point.value(name)))
    return min(fitting, key=lambda p: (p.value(name), -p.k), default=None)


def front(points: Iterable[SweepPoint], x: str, y: str) -> list[SweepPoint]:
    """Return the Pareto front of two `quantity` names: the points of which no other is better by one and as
    good or better by the other.

    Better is what the direction of each says. Points that lack a number are left out; of points equal by both
    the first stands for all. Ordered from the best x to the worst. Cost O(m log m).
    """
    sign_x, sign_y = (1 if quantity(name).direction == "lower" else -1 for name in (x, y))
    placed = [(sign_x * p.value(x), sign_y * p.value(y), i, p) for i, p in enumerate(points)]
    found: list[SweepPoint] = []
    best = math.inf
    for _, up, _, point in sorted(place for place in placed if place[0] == place[0] and place[1] == place[1]):
        if up < best:
            found.append(point)
            best = up
    return found

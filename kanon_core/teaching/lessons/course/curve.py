"""Lesson on the trade-off curve: the cost of each k, and the limits of the curve."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.metrics.loss.ilssdm import ILSSDM
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.metrics.privacy.classes import WorstRisk
from kanon_core.runs.sweeps import SweepPoint, best_within, sweep_point
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.charts import Figure
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.small_tables import SEED, table_of

KS = tuple(range(2, 11))
_BOUND = 0.1


@cache
def heaps() -> Table:
    """Return thirty people by age and commute, in six clusters of five."""
    ages = [age + step for age in (22, 30, 41, 49, 58, 67) for step in (0, 1, 2, 3, 4)]
    away = [way + 2 * step for way in (10, 55, 20, 70, 35, 5) for step in (3, 0, 4, 1, 2)]
    return table_of({"age": ages, "minutes": away}, {}, {"age": "numeric", "minutes": "numeric"})


@cache
def points(algorithm: Algorithm) -> tuple[SweepPoint, ...]:
    """Return the sweep over k of the thirty people."""
    return tuple(sweep_point(heaps(), algorithm, k, (ILSSDM(), NCP(), WorstRisk()), SEED) for k in KS)


def losses(algorithm: Algorithm, metric: str = "ILSSDM") -> np.ndarray:
    """Return the loss at each k of `KS`: float64."""
    return np.array([point.value(metric) for point in points(algorithm)])


def _curve(*algorithms: Algorithm, y: str = "ILSSDM", at: int = 0, bound: float | None = None) -> Figure:
    found = [point for one in algorithms for point in points(one)]
    current = (algorithms[0].title, at, SEED) if at else None
    return Figure(lambda theme: tradeoff_figure(found, y=y, current=current, bound=bound, theme=theme), 340)


def _one_point(k: int) -> ScreenResult:
    loss = losses(MDAV())[KS.index(k)]
    return ScreenResult({"k": k, "loss": loss, "records": len(heaps())}, _curve(MDAV(), at=k))


def _dip(k: int) -> ScreenResult:
    found = losses(MDAV())
    rest = np.arange(1, len(KS))
    lowest = int(rest[found[rest].argmin()])
    facts: dict[str, float] = {"low": KS[0], "high": KS[-1], "first": found[0], "last": found[-1], "heap": 5}
    facts |= {"heaps": 6, "best": KS[lowest], "loss": found[lowest], "before": KS[lowest - 1]}
    facts |= {"higher": found[lowest - 1]}
    return ScreenResult(facts, _curve(MDAV()))


def _two(k: int) -> ScreenResult:
    ours, other = losses(MDAV()), losses(Mondrian())
    lower = int((ours < other - 1e-12).sum())
    facts: dict[str, float] = {"k": k, "mdav": ours[KS.index(k)], "mondrian": other[KS.index(k)]}
    facts |= {"ks": len(KS), "lower": lower, "higher": (other < ours - 1e-12).sum()}
    return ScreenResult(facts, _curve(MDAV(), Mondrian(), at=k))


def _bound(k: int) -> ScreenResult:
    best = best_within(points(MDAV()), "ILSSDM", _BOUND)
    found = 0 if best is None else best.k
    facts: dict[str, float] = {"bound": _BOUND, "best": found, "loss": losses(MDAV())[KS.index(found)]}
    facts |= {"below": sum(one.k < found and one.value("ILSSDM") > _BOUND for one in points(MDAV()))}
    return ScreenResult(facts, _curve(MDAV(), bound=_BOUND))


def _measure(k: int) -> ScreenResult:
    ways = (MDAV(), Mondrian())
    squares = [losses(one)[KS.index(k)] for one in ways]
    widths = [losses(one, "NCP")[KS.index(k)] for one in ways]
    facts: dict[str, float] = {"k": k, "mdav": squares[0], "mondrian": squares[1], "mdav_wide": widths[0]}
    facts |= {"mondrian_wide": widths[1]}
    return ScreenResult(facts, _curve(*ways, y="NCP", at=k))


def _risk(k: int) -> ScreenResult:
    worst = losses(MDAV(), "WorstRisk")
    facts: dict[str, float] = {"k": k, "worst": worst[KS.index(k)], "low": KS[0], "next": KS[1]}
    facts |= {"late": KS[-2], "high": KS[-1], "early_gain": worst[0] - worst[1]}
    facts |= {"late_gain": worst[-2] - worst[-1]}
    return ScreenResult(facts, _curve(MDAV(), y="WorstRisk", at=k))


CURVE = Lesson(
    "curve",
    "Reading a trade-off curve",
    7,
    "Which steps of k cost little and which cost much, and what a curve does not show.",
    (
        Screen(
            "Each release is a point",
            "{records} people with their age and the minutes of their way to work. MDAV makes at least k ="
            " {k} rows look alike, and loses {loss:%} of the information: one point of the curve. Move k,"
            " and the point moves along the curve.",
            "The curve of MDAV over k; k = {k} is marked.",
            _one_point,
            ("Information loss",),
            slider=Slider(2, 10, 3),
        ),
        Screen(
            "A larger k can lose less",
            "From k = {low} to k = {high} the loss rises from {first:%} to {last:%}, but not evenly. Some"
            " steps are steep, and at one step the loss even falls.",
            "The curve of MDAV over k.",
            _dip,
            question=Amount(
                "Which k has the smallest loss?",
                "k = {best} loses {loss:%}, where k = {before} loses {higher:%}: more privacy for less"
                " loss. These people form {heaps} clusters of {heap}; groups of exactly {before} cut"
                " through the clusters. Look at the whole curve before you choose k.",
                "best",
            ),
        ),
        Screen(
            "Compare two algorithms",
            "Mondrian is another algorithm: it divides the records into two parts again and again. At k ="
            " {k} MDAV loses {mdav:%} and Mondrian {mondrian:%}, with the same guarantee. The lower curve"
            " is better at this k, by this measure, on this table.",
            "The curves of MDAV and of Mondrian over k.",
            _two,
            ("Mondrian", "MDAV"),
            slider=Slider(2, 10, 5),
            question=Amount(
                "For how many of the {ks} values of k is the curve of MDAV lower? (Equal values do not"
                " count.)",
                "For {lower}; the curve of Mondrian is lower for {higher}. Compare algorithms at the k that"
                " you plan to use.",
                "lower",
            ),
        ),
        Screen(
            "Choose k from a limit of loss",
            "Suppose the table is useful as long as the loss is at most {bound:%}, the line. Every k whose"
            " point is not above the line is allowed.",
            "The curve of MDAV, and a line at a loss of {bound:%}.",
            _bound,
            question=Amount(
                "What is the largest k within the limit?",
                "k = {best}, with a loss of {loss:%}. The number of smaller k that exceed the limit is"
                " {below}, so do not stop at the first one. A limit of loss gives the largest k;"
                " conversely, a required k gives the smallest loss.",
                "best",
            ),
        ),
        Screen(
            "Another measure gives another curve",
            "Here the certainty penalty, the mean width of the cells, measures the same releases. At k ="
            " {k} it is {mdav_wide:%} for MDAV and {mondrian_wide:%} for Mondrian; the loss of squared"
            " differences was {mdav:%} and {mondrian:%}.",
            "The curves of both algorithms by the certainty penalty.",
            _measure,
            ("Certainty penalty",),
            slider=Slider(2, 10, 7),
            question=Choice(
                "At k = {k}, the value with which this screen began: do both measures prefer the same"
                " algorithm?",
                "Here they do: the squared differences are {mdav:%} for MDAV and {mondrian:%} for Mondrian,"
                " the widths {mdav_wide:%} and {mondrian_wide:%}. On other tables they may differ. Choose"
                " the measure by the use of the table (means, or ranges that people read) before you choose"
                " the algorithm.",
                ("Yes", "No"),
                lambda f: int((f["mdav"] < f["mondrian"]) != (f["mdav_wide"] < f["mondrian_wide"])),
            ),
        ),
        Screen(
            "The risk side of the trade-off",
            "The other side of the trade-off is the risk. At k = {k}, the chance that an attacker picks a"
            " person's row is at most {worst:%}. It falls fast at first and slowly later.",
            "The worst-case re-identification risk over k.",
            _risk,
            ("risk",),
            slider=Slider(3, 10, 3),
            question=Choice(
                "Which step lowers the risk more: from k = {low} to {next}, or from {late} to {high}?",
                "The first: in the worst case, {early_gain:%} fewer of all guesses are right; after the"
                " second step, {late_gain:%} fewer. Note what the curve does not show: other tables, and"
                " attackers who know more than the quasi-identifiers of one person.",
                ("From {low} to {next}", "From {late} to {high}"),
                lambda f: int(f["late_gain"] >= f["early_gain"]),
            ),
        ),
    ),
    Try("Draw the curves of several algorithms on your own table.", "curves/curves"),
)

"""Reading a trade-off curve: what each k costs, and what the curve does not say."""

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
    """Thirty people by age and commute, in six heaps of five."""
    ages = [age + step for age in (22, 30, 41, 49, 58, 67) for step in (0, 1, 2, 3, 4)]
    away = [way + 2 * step for way in (10, 55, 20, 70, 35, 5) for step in (3, 0, 4, 1, 2)]
    return table_of({"age": ages, "minutes": away}, {}, {"age": "numeric", "minutes": "numeric"})


@cache
def points(algorithm: Algorithm) -> tuple[SweepPoint, ...]:
    """The sweep over k of the thirty people."""
    return tuple(sweep_point(heaps(), algorithm, k, (ILSSDM(), NCP(), WorstRisk()), SEED) for k in KS)


def losses(algorithm: Algorithm, metric: str = "ILSSDM") -> np.ndarray:
    """float64: the loss at each k of `KS`."""
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
    "Where the next step of k costs little, where it costs much, and what no curve says.",
    (
        Screen(
            "One release is one point",
            "{records} people by age and way to work. MDAV makes them look alike in groups of at least k ="
            " {k}, and loses {loss:%} of the information: a point. Move k, and it runs along the curve.",
            "The curve of MDAV over k; k = {k} is marked.",
            _one_point,
            ("Information loss",),
            slider=Slider(2, 10, 3),
        ),
        Screen(
            "Not every step costs",
            "From k = {low} to k = {high} the loss grows from {first:%} to {last:%}, but not evenly: there"
            " are steep steps, and one is a gift.",
            "The curve of MDAV over k.",
            _dip,
            question=Amount(
                "Which k loses least of all?",
                "k = {best}, with {loss:%}, where k = {before} loses {higher:%}: more privacy for less loss."
                " These people stand in {heaps} heaps of {heap}, and MDAV's groups of exactly {before} cut"
                " through them. So look at the whole curve before you settle on a k.",
                "best",
            ),
        ),
        Screen(
            "Two algorithms",
            "At k = {k} MDAV loses {mdav:%} and Mondrian {mondrian:%}, with the same promise. The lower"
            " curve is the better one at this k, by this measure, on this table.",
            "The curves of MDAV and of Mondrian over k.",
            _two,
            ("Mondrian", "MDAV"),
            slider=Slider(2, 10, 5),
            question=Amount(
                "At how many of the {ks} ks is the curve of MDAV the lower one? (Look closely: equal does"
                " not count.)",
                "At {lower}; Mondrian's is lower at {higher}. Look where you mean to stand, not at the whole"
                " curve.",
                "lower",
            ),
        ),
        Screen(
            "From a limit to a k",
            "Suppose the table is of use as long as at most {bound:%} are lost: the line. What lies below it"
            " is allowed.",
            "The curve of MDAV, and a line at a loss of {bound:%}.",
            _bound,
            question=Amount(
                "What is the largest k that stays within the limit?",
                "k = {best}, with a loss of {loss:%}, though {below} smaller k exceed the limit. So a limit"
                " of loss gives the most privacy that it allows. The other way round, a k that is demanded"
                " gives the least loss.",
                "best",
            ),
        ),
        Screen(
            "Another measure, another curve",
            "Here the same releases are measured by how wide their cells are. At k = {k} it is {mdav_wide:%}"
            " for MDAV and {mondrian_wide:%} for Mondrian; by squared differences it was {mdav:%} and"
            " {mondrian:%}.",
            "The curves of both algorithms by the certainty penalty.",
            _measure,
            ("Certainty penalty",),
            slider=Slider(2, 10, 7),
            question=Choice(
                "At k = {k}, as the screen began: do both measures prefer the same algorithm?",
                "Here they do: by squared differences {mdav:%} stands against {mondrian:%}, by widths"
                " {mdav_wide:%} against {mondrian_wide:%}. It need not be so. Choose the measure by what the"
                " table is for before you choose the algorithm: means, or ranges that are read.",
                ("Yes", "No"),
                lambda f: int((f["mdav"] < f["mondrian"]) != (f["mdav_wide"] < f["mondrian_wide"])),
            ),
        ),
        Screen(
            "And the risk?",
            "The other side of the trade is what is gained. The chance to pick a person's row is at most"
            " {worst:%} at k = {k}. It falls fast at first and slowly later.",
            "The worst chance of re-identification over k.",
            _risk,
            ("risk",),
            slider=Slider(3, 10, 3),
            question=Choice(
                "Which step lowers the chance more: from k = {low} to {next}, or from {late} to {high}?",
                "The first, by {early_gain:%} against {late_gain:%} of all guesses. And mind what both axes"
                " leave out: the curve is of this table alone, and the chance is that of somebody who knows"
                " one person's quasi-identifiers, not of one who knows more.",
                ("From {low} to {next}", "From {late} to {high}"),
                lambda f: int(f["late_gain"] >= f["early_gain"]),
            ),
        ),
    ),
    Try("Draw the curves of several algorithms on your own table.", "tradeoff"),
)

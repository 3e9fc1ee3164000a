"""Lesson on MDAV and V-MDAV: groups of exactly k, or groups that grow where points are close (nine
points)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.univariate import OptimalUnivariate
from kanon_core.algorithms.clustering.vmdav import VMDAV
from kanon_core.base.words import tr
from kanon_core.charts.canvas.plane import plane
from kanon_core.charts.canvas.theme import percent_text
from kanon_core.charts.steps.onplane import Mark, OnPlane
from kanon_core.metrics.loss.ilssdm import ILSSDM
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table
from kanon_core.teaching.explain.distances import centroid, coordinates, distance
from kanon_core.teaching.lessons.charts import Line
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Beside
from kanon_core.teaching.lessons.small_tables import SEED, released, table_of

_GAMMA = 0.2
_K = 3


@cache
def nine() -> Table:
    """Return the nine points of the figure on V-MDAV (ILD paper, `docs/reference/references.md`)."""
    x = [2.4, 1.68, 3.18, 5.32, 18.68, 20.14, 19.85, 21.28, 23]
    y = [3, 4.9, 5.54, 3.6, 11.49, 9.56, 10.33, 10.9, 11.5]
    return table_of({"x": x, "y": y}, {}, {"x": "numeric", "y": "numeric"})


@cache
def twelve() -> Table:
    """Return twelve ages in three clusters."""
    ages = [20, 21, 23, 24, 26, 41, 42, 44, 70, 71, 72, 75]
    return table_of({"age": ages}, {}, {"age": "numeric"})


def loss(table: Table, algorithm: Algorithm, k: int) -> float:
    """Return the information loss of these groups."""
    return ILSSDM().measure(table, released(table, algorithm, k)).total


def events(algorithm: Algorithm, k: int) -> list[tuple[str, dict[str, object]]]:
    """Return the log of a run on the nine points."""
    log = Log()
    anonymize(nine(), algorithm, k, SEED, None, log)
    return log.events


def _points(k: int) -> ScreenResult:
    """Return the result for the nine points before any grouping, with the losses of MDAV and V-MDAV."""
    sizes = np.sort(released(nine(), VMDAV(_GAMMA), _K).cover.sizes)
    facts: dict[str, float] = {"points": len(nine()), "k": _K, "few": int(sizes[0]), "many": int(sizes[-1])}
    facts |= {"three": loss(nine(), MDAV(), _K), "two": loss(nine(), VMDAV(_GAMMA), _K)}
    return ScreenResult(facts, OnPlane(nine(), np.full(len(nine()), -1)))


def _farthest(k: int) -> ScreenResult:
    pivot = int(events(MDAV(), _K)[0][1]["pivot"])  # type: ignore[call-overload]
    places = coordinates(nine())
    far = np.sqrt(((places - places.mean(axis=0)) ** 2).sum(axis=1))
    near = np.argsort([distance(places, pivot, i) for i in range(len(places))], kind="stable")[:_K]
    scene = OnPlane(
        nine(),
        np.where(np.isin(np.arange(len(places)), near), 0, -1),
        marks=[Mark(tr("farthest"), np.array([pivot]))],
        places=centroid(plane(nine()), np.arange(len(places)), tr("centroid")),
        links=np.column_stack([np.full(_K - 1, pivot), near[1:]]),
    )
    facts: dict[str, float] = {"pivot": pivot + 1, "far": far[pivot], "others": _K - 1}
    facts |= {"reach": max(distance(places, pivot, int(i)) for i in near)}
    return ScreenResult(facts, scene)


def _torn(k: int) -> ScreenResult:
    groups = released(nine(), MDAV(), _K).groups
    places = coordinates(nine())
    width = [max(distance(places, i, j) for i in m for j in m) for m in _members(groups)]
    widest = int(np.argmax(width))
    facts: dict[str, float] = {"k": _K, "groups": len(width), "loss": loss(nine(), MDAV(), _K)}
    facts |= {"torn": sum(one > 2 * min(width) for one in width), "wide": width[widest]}
    facts |= {"next": sorted(width)[-2], "ratio": width[widest] / sorted(width)[-2]}
    return ScreenResult(
        facts, OnPlane(nine(), groups, marks=[Mark(tr("in two clusters"), _members(groups)[widest])])
    )


def _members(groups: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(groups == group) for group in np.unique(groups)]


def _test(k: int) -> ScreenResult:
    first, asked = events(VMDAV(_GAMMA), _K)[:2]
    record, members = int(asked[1]["record"]), np.asarray(first[1]["members"])  # type: ignore[call-overload]
    d_in, d_out = float(asked[1]["d_in"]), float(asked[1]["d_out"])  # type: ignore[arg-type]
    places = coordinates(nine())
    inner = int(members[np.argmin([distance(places, record, int(i)) for i in members])])
    rest = [i for i in range(len(places)) if i != record and i not in members]
    outer = min(rest, key=lambda i: distance(places, record, i))
    scene = OnPlane(
        nine(),
        np.where(np.isin(np.arange(len(places)), members), 0, -1),
        marks=[Mark(tr("candidate"), np.array([record]))],
        links=np.array([[record, inner], [record, outer]]),
    )
    facts: dict[str, float] = {"record": record + 1, "d_in": d_in, "d_out": d_out, "gamma": _GAMMA}
    facts |= {"limit": _GAMMA * d_out, "most": 2 * _K - 1}
    return ScreenResult(facts, scene)


def _grown(k: int) -> ScreenResult:
    before, after = loss(nine(), MDAV(), _K), loss(nine(), VMDAV(_GAMMA), _K)
    release = released(nine(), VMDAV(_GAMMA), _K)
    facts: dict[str, float] = {"few": release.cover.sizes.min(), "many": release.cover.sizes.max(), "k": _K}
    facts |= {"before": before, "after": after, "times": before / after, "groups": len(release.cover.sizes)}
    return ScreenResult(facts, OnPlane(nine(), release.groups))


def _compared(k: int) -> ScreenResult:
    ways: tuple[Algorithm, Algorithm] = (MDAV(), VMDAV(_GAMMA))
    found = [loss(nine(), one, k) for one in ways]
    titles = [f"{one.title}: {percent_text(value)} %" for one, value in zip(ways, found, strict=True)]
    scenes = [OnPlane(nine(), released(nine(), one, k).groups) for one in ways]
    return ScreenResult({"k": k, "mdav": found[0], "vmdav": found[1]}, Beside(scenes, titles))


def compared(
    ways: Sequence[Algorithm], names: Sequence[str], k: int
) -> tuple[list[float], list[tuple[str, np.ndarray]]]:
    """Return the loss of each way to group the twelve ages, and its groups under its name and loss."""
    found = [loss(twelve(), one, k) for one in ways]
    cuts = [
        (f"{name}: {percent_text(value)} %", released(twelve(), one, k).groups)
        for name, value, one in zip(names, found, ways, strict=True)
    ]
    return found, cuts


def _line(k: int) -> ScreenResult:
    ways: tuple[Algorithm, ...] = (MDAV(), VMDAV(0.2), VMDAV(1.0), OptimalUnivariate())
    names = [MDAV.title, tr("V-MDAV, small γ"), tr("V-MDAV, large γ"), tr("the optimum")]
    found, cuts = compared(ways, names, k)
    facts: dict[str, float] = {"k": k, "points": len(twelve()), "mdav": found[0], "small": found[1]}
    facts |= {"large": found[2], "best": found[3], "low": 0.2, "high": 1.0}
    return ScreenResult(facts, Line(twelve().numbers("age").values, cuts, tr("age, in years")))


NINE_POINTS = Lesson(
    "nine-points",
    "MDAV or V-MDAV",
    8,
    "How two algorithms form groups step by step, and when variable group sizes reduce the loss.",
    (
        Screen(
            "Group nine points by eye",
            "Here are {points} records with two numbers each. Every record must be in a group of at least"
            " {k}. A group should be as compact as possible, because all its members will publish the same"
            " values.",
            "{points} points in the plane: a few are close together at the lower left, the others at the"
            " upper right.",
            _points,
            question=Choice(
                "How would you group them?",
                "Groups of {few} and {many} lose {two:%} of the information, three groups of {k} lose"
                " {three:%}. Your eyes see two clusters; with groups of exactly {k}, one group must take"
                " points from both.",
                ("Three groups of {k}", "Two groups, of {few} and {many}"),
                lambda facts: int(facts["two"] < facts["three"]),
            ),
        ),
        Screen(
            "The first group of MDAV",
            "MDAV computes the centroid, the mean of all points, and finds the point farthest from it:"
            " number {pivot}, {far} away. This point and its {others} nearest neighbors, at most {reach}"
            " away, become the first group. MDAV begins with outliers, the points far from the others,"
            " while their nearest neighbors are still free.",
            "The centroid, the point farthest from it, and lines to its nearest points.",
            _farthest,
            ("MDAV", "distance"),
        ),
        Screen(
            "Groups of exactly k",
            "MDAV continues until every point is in a group. Every group has exactly {k} members. The"
            " marked group consists of the points that remained: it is {wide} wide, {ratio} times as wide"
            " as the next widest.",
            "Three groups; the marked one reaches from one cluster to the other.",
            _torn,
            question=Amount(
                "MDAV lost {loss:%} of the information. How many of its {groups} groups reach from one"
                " cluster into the other?",
                "One, the last. No point is near its mean. All groups have exactly {k} members, and MDAV"
                " guarantees nothing else.",
                "torn",
            ),
        ),
        Screen(
            "The test of V-MDAV",
            "V-MDAV lets a group grow up to {most} members. Point {record} is {d_in} from the group, and"
            " {d_out} from the nearest other point without a group. It joins the group if the first"
            " distance is smaller than γ times the second; here γ = {gamma}.",
            "A group, the nearest point outside it, and lines from this point to the group and to the"
            " nearest other point without a group.",
            _test,
            ("V-MDAV",),
            question=Choice(
                "Does point {record} join?",
                "Compare {d_in} with {gamma} · {d_out} = {limit}: point {record} is much nearer to the"
                " group than to any other point without a group, so it joins.",
                ("It joins", "It stays outside"),
                lambda facts: int(facts["d_in"] >= facts["limit"]),
            ),
        ),
        Screen(
            "Two clusters, two groups",
            "V-MDAV ends with {groups} groups, of {few} and {many} members. Each member still hides among"
            " at least {k}; some hide among more, at no extra loss.",
            "Two groups, one for each cluster.",
            _grown,
            question=Amount(
                "MDAV lost {before:%}, V-MDAV {after:%}. How many times as large is the first loss? (A"
                " whole number is close enough.)",
                "{times} times as large, for the same k.",
                "times",
                within=0.6,
            ),
        ),
        Screen(
            "Move k",
            "At k = {k} MDAV loses {mdav:%} and V-MDAV {vmdav:%}. Where k divides the sizes of the"
            " clusters, both find the same groups; elsewhere variable sizes can reduce the loss.",
            "The groups of MDAV and of V-MDAV at k = {k}.",
            _compared,
            slider=Slider(2, 4, 3),
        ),
        Screen(
            "Neither algorithm is always better",
            "{points} ages on a line: at k = {k} MDAV loses {mdav:%}, V-MDAV {small:%} with γ = {low} and"
            " {large:%} with γ = {high}. The optimum, the smallest loss of all possible groups, is"
            " {best:%}. Move k, and watch their order change. Which algorithm is better can only be"
            " measured on the data.",
            "{points} ages on a line, and the groups of each algorithm.",
            _line,
            ("optimum",),
            slider=Slider(3, 5, 3),
            question=Choice(
                "At k = {k}, the value with which this screen began: which of the three comes nearest to"
                " the optimum?",
                "V-MDAV with γ = {high}. At the next k it is the worst of the three, because a group that"
                " has grown never gives a member back.",
                ("MDAV", "V-MDAV with γ = {low}", "V-MDAV with γ = {high}"),
                lambda f: min(range(3), key=lambda i: (f["mdav"], f["small"], f["large"])[i]),
            ),
        ),
    ),
    Try(
        "Compare both on your table: V-MDAV is selected; MDAV is another choice in the same menu.",
        "tune",
        "VMDAV",
    ),
)

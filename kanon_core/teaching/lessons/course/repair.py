"""Lesson on MIL: one record on the wrong side of a border."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.mil import MIL, mil
from kanon_core.algorithms.clustering.univariate import OptimalUnivariate
from kanon_core.base.words import number_text, tr
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.charts import Line
from kanon_core.teaching.lessons.course.ninepoints import compared, loss, twelve
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.small_tables import released, table_of

_K = 3


@cache
def eight() -> Table:
    """Return eight ages in two clusters of four."""
    return table_of({"age": [21, 22, 24, 25, 60, 61, 63, 64]}, {}, {"age": "numeric"})


def _ages() -> np.ndarray:
    return eight().numbers("age").values


def sse(groups: np.ndarray, values: np.ndarray) -> list[float]:
    """Return, for each group, the sum of squared differences from its mean."""
    parts = [values[groups == group] for group in np.unique(groups)]
    return [float(((part - part.mean()) ** 2).sum()) for part in parts]


def _before() -> np.ndarray:
    return released(eight(), MDAV(), _K).groups


def _after() -> np.ndarray:
    return released(eight(), MIL(), _K).groups


def _shown(*cuts: tuple[str, np.ndarray], marked: int = -1) -> Line:
    return Line(_ages(), cuts, tr("age, in years; crosses mark the means"), marked)


def _lost() -> int:
    """Return the number of the record that changes its group."""
    return int(np.flatnonzero(_before() != _after())[0])


def _cut(k: int) -> ScreenResult:
    values, groups = _ages(), _before()
    first, second = (values[groups == group] for group in (0, 1))
    facts: dict[str, float] = {"records": len(values), "k": _K, "first": len(first), "second": len(second)}
    facts |= {"last": first[-1], "next": second[0], "end": second[-1], "mean": second.mean()}
    facts |= {"moved": values[_lost()]}
    return ScreenResult(facts, _shown((tr("groups of MDAV"), groups)))


def _sums(k: int) -> ScreenResult:
    one, two = sse(_before(), _ages())
    facts: dict[str, float] = {"one": one, "two": two, "sum": one + two, "moved": _ages()[_lost()]}
    facts["own"] = float((_ages()[_lost()] - _ages()[_before() == 1].mean()) ** 2)
    facts |= {"share": facts["own"] / two, "mean": _ages()[_before() == 1].mean()}
    return ScreenResult(facts, _shown((tr("groups of MDAV"), _before()), marked=_lost()))


def _pays(k: int) -> ScreenResult:
    values, groups = _ages(), _before()
    x = values[_lost()]
    left, joined = (values[groups == group] for group in (groups[_lost()], 1 - groups[_lost()]))
    gain = len(left) / (len(left) - 1) * (x - left.mean()) ** 2
    cost = len(joined) / (len(joined) + 1) * (x - joined.mean()) ** 2
    facts: dict[str, float] = {"moved": x, "gain": gain, "cost": cost, "change": cost - gain}
    return ScreenResult(facts, _shown((tr("before"), groups), (tr("after"), _after()), marked=_lost()))


def judged() -> list[dict[str, float]]:
    """Return every judgement of MIL on the eight ages, in years²."""
    log = Log()
    mil(np.sort(_ages()), np.bincount(_before()), _K, log=log)
    return [dict(what) for event, what in log.events if event == "judgement"]


def _repaired(k: int) -> ScreenResult:
    before, after = sum(sse(_before(), _ages())), sum(sse(_after(), _ages()))
    report = released(eight(), MIL(), _K).report
    cuts = (
        (tr("before: {sse}").format(sse=number_text(before)), _before()),
        (tr("after: {sse}").format(sse=number_text(after)), _after()),
    )
    facts: dict[str, float] = {"before": before, "after": after, "k": _K, "judgements": report["judgements"]}
    facts |= {"moves": report["moves"], "least": np.bincount(_after()).min()}
    return ScreenResult(facts, _shown(*cuts, marked=_lost()))


def _stuck(k: int) -> ScreenResult:
    release = released(eight(), MIL(), k)
    sizes = np.bincount(released(eight(), MDAV(), k).groups)
    cuts = ((MDAV.title, released(eight(), MDAV(), k).groups), (MIL.title, release.groups))
    facts: dict[str, float] = {"k": k, "judgements": release.report["judgements"]}
    facts |= {"moves": release.report["moves"], "mdav": loss(eight(), MDAV(), k)}
    facts |= {"mil": loss(eight(), MIL(), k), "least": sizes.min(), "most": sizes.max()}
    return ScreenResult(facts, _shown(*cuts))


def _best(k: int) -> ScreenResult:
    ways: tuple[Algorithm, ...] = (MDAV(), MIL(), OptimalUnivariate())
    found, cuts = compared(ways, (MDAV.title, MIL.title, tr("the optimum")), k)
    scene = Line(twelve().numbers("age").values, cuts, tr("age, in years; crosses mark the means"))
    return ScreenResult(
        {"k": k, "points": len(twelve()), "mdav": found[0], "mil": found[1], "best": found[2]}, scene
    )


REPAIR = Lesson(
    "mil",
    "Improving groups with MIL",
    6,
    "How MIL finds a record on the wrong side of a border and moves it, and what MIL cannot improve.",
    (
        Screen(
            "Eight ages, one in the wrong group",
            "MDAV put {records} ages into groups of at least {k}: first the {first} that are farthest out,"
            " then the {second} that remained.",
            "Ages on a line, cut into a group of {first} and a group of {second}.",
            _cut,
            ("MDAV",),
            question=Choice(
                "Which person is in the wrong group?",
                "The person aged {moved}. All other members of this group are far away, and its mean,"
                " {mean}, is far from every member. MDAV never revises a group.",
                ("The person aged {last}", "The person aged {next}", "The person aged {end}"),
                lambda f: [f["last"], f["next"], f["end"]].index(f["moved"]),
            ),
        ),
        Screen(
            "The loss of these groups",
            "Take the difference of each age from the mean of its group, square it, and add up: {one} in"
            " the first group, {two} in the second. The person aged {moved} alone, far from the mean"
            " {mean}, contributes {share:%} of the second sum. The total, {sum}, is the loss of this"
            " grouping.",
            "The same groups; the age {moved} is marked.",
            _sums,
            ("Information loss",),
        ),
        Screen(
            "Gain and cost of a move",
            "MIL calculates the effect of a move without making it. If the person aged {moved} leaves the"
            " group, the sum of this group falls by {gain}. If the person joins the other group, the sum of"
            " that group rises by {cost}.",
            "The groups before and after the move of the person aged {moved}.",
            _pays,
            ("MIL",),
            question=Amount(
                "By how much does the total change? (Enter a whole number; a fall is negative.)",
                "{cost} − {gain} = {change}. The total falls, so MIL moves the person. The papers call this"
                " number X.",
                "change",
                within=1.0,
            ),
        ),
        Screen(
            "One move across the border",
            "After {moves} move the total is {after} instead of {before}. MIL made {judgements} such"
            " calculations: it checks all borders again until a whole round moves nobody.",
            "Before and after: the marked age has changed its group.",
            _repaired,
            question=Choice(
                "Does everybody still hide among at least {k}?",
                "Yes. A group gives up a member only while it has more than k members; the smallest group"
                " now has {least}. MIL lowers the loss and keeps the guarantee.",
                ("Yes", "No"),
                lambda facts: int(facts["least"] < facts["k"]),
            ),
        ),
        Screen(
            "When no record may move",
            "Move k. At k = {k} the groups of MDAV have at least {least} and at most {most} members. MIL"
            " makes {judgements} calculations and {moves} moves; the loss is {mdav:%} before and {mil:%}"
            " after.",
            "The groups of MDAV and of MIL at k = {k}.",
            _stuck,
            slider=Slider(2, 4, 2),
            question=Choice(
                "At k = {k}, the value with which this screen began, MIL moved nobody. Why?",
                "All groups have exactly k members, so no group may give one up. Whenever k divides the"
                " number of records, MIL leaves the groups of MDAV unchanged.",
                ("No group may give up a member", "Every move would raise the loss"),
                lambda facts: int(facts["most"] > facts["k"]),
            ),
        ),
        Screen(
            "MIL does not find the optimum",
            "At k = {k} MDAV loses {mdav:%} on these {points} ages, MIL {mil:%}, and the optimum is"
            " {best:%}. MIL moves single records across existing borders; it draws no new ones. For a"
            " single number the optimum can be computed, so Kanon shows it for comparison.",
            "{points} ages on a line: the groups of MDAV, of MIL, and the optimum.",
            _best,
            ("Optimal, one number",),
            slider=Slider(3, 5, 3),
            question=Choice(
                "At k = {k}, the value with which this screen began: did MIL improve the groups?",
                "No: MIL ends with {mil:%}, the loss of MDAV; the optimum is a fraction of it. Every group"
                " has exactly k members, so no record may move.",
                ("Yes, it reached the optimum", "Yes, but it did not reach the optimum", "No"),
                lambda f: 2 if f["mil"] >= f["mdav"] - 1e-9 else int(f["mil"] > f["best"] + 1e-9),
            ),
        ),
    ),
    Try(
        "MIL needs a table whose only quasi-identifier is a number. If your table is one, see how much MIL"
        " improves its groups.",
        "clusters/groups",
        "MIL",
    ),
)

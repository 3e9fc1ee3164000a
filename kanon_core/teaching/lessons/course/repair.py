"""Repair by MIL: one record on the wrong side of a border."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.mil import MIL, mil
from kanon_core.algorithms.clustering.univariate import OptimalUnivariate
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.charts import Line
from kanon_core.teaching.lessons.course.ninepoints import compared, loss, twelve
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.small_tables import released, table_of

_K = 3


@cache
def eight() -> Table:
    """Eight ages in two heaps of four."""
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
    return Line(_ages(), cuts, tr("age, in years; crosses are means"), marked)


def _lost() -> int:
    """The number of the record that changes its group."""
    return int(np.flatnonzero(_before() != _after())[0])


def _cut(k: int) -> ScreenResult:
    values, groups = _ages(), _before()
    first, second = (values[groups == group] for group in (0, 1))
    facts: dict[str, float] = {"records": len(values), "k": _K, "first": len(first), "second": len(second)}
    facts |= {"last": first[-1], "next": second[0], "end": second[-1], "mean": second.mean()}
    facts |= {"moved": values[_lost()]}
    return ScreenResult(facts, _shown((tr("as MDAV left them"), groups)))


def _sums(k: int) -> ScreenResult:
    one, two = sse(_before(), _ages())
    facts: dict[str, float] = {"one": one, "two": two, "sum": one + two, "moved": _ages()[_lost()]}
    facts["own"] = float((_ages()[_lost()] - _ages()[_before() == 1].mean()) ** 2)
    facts |= {"share": facts["own"] / two, "mean": _ages()[_before() == 1].mean()}
    return ScreenResult(facts, _shown((tr("as MDAV left them"), _before()), marked=_lost()))


def _pays(k: int) -> ScreenResult:
    values, groups = _ages(), _before()
    x = values[_lost()]
    left, joined = (values[groups == group] for group in (groups[_lost()], 1 - groups[_lost()]))
    gain = len(left) / (len(left) - 1) * (x - left.mean()) ** 2
    cost = len(joined) / (len(joined) + 1) * (x - joined.mean()) ** 2
    facts: dict[str, float] = {"moved": x, "gain": gain, "cost": cost, "change": cost - gain}
    return ScreenResult(facts, _shown((tr("before"), groups), (tr("after"), _after()), marked=_lost()))


def judged() -> list[dict[str, float]]:
    """Every judgement of MIL on the eight ages, in years²."""
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
    found, cuts = compared(ways, (MDAV.title, MIL.title, tr("the least possible")), k)
    scene = Line(twelve().numbers("age").values, cuts, tr("age, in years; crosses are means"))
    return ScreenResult(
        {"k": k, "points": len(twelve()), "mdav": found[0], "mil": found[1], "best": found[2]}, scene
    )


REPAIR = Lesson(
    "mil",
    "What MIL repairs",
    6,
    "How a record on the wrong side of a border is found and moved, and what cannot be repaired so.",
    (
        Screen(
            "Eight ages, one odd one out",
            "MDAV put {records} ages into groups of at least {k}: first the {first} that are farthest out,"
            " then the {second} that were left.",
            "Ages on a line, cut into a group of {first} and one of {second}.",
            _cut,
            ("MDAV",),
            question=Choice(
                "Who stands in the wrong group?",
                "The person of {moved}: everybody else of that group is far away, and its mean, {mean}, lies"
                " where there is nobody. MDAV had stopped looking.",
                ("The one of {last}", "The one of {next}", "The one of {end}"),
                lambda f: [f["last"], f["next"], f["end"]].index(f["moved"]),
            ),
        ),
        Screen(
            "How bad is it?",
            "Take each age's distance from the mean of its group, square it, and add up: {one} in the first"
            " group, {two} in the second. The person of {moved} alone, far from {mean}, makes {share:%} of"
            " the second sum. The sum of both, {sum}, is what the grouping loses.",
            "The same groups; the age {moved} is marked.",
            _sums,
            ("Information loss",),
        ),
        Screen(
            "Would it pay to move?",
            "MIL does not try it out; it calculates. If {moved} leaves its group, the sum there falls by"
            " {gain}. If it joins the other, the sum there rises by {cost}.",
            "The groups before and after the move of {moved}.",
            _pays,
            ("MIL",),
            question=Amount(
                "By how much does the sum of both change? (Rises are positive, falls negative; whole numbers"
                " will do.)",
                "{cost} − {gain} = {change}. It falls, so the person moves. The papers call this number X.",
                "change",
                within=1.0,
            ),
        ),
        Screen(
            "One step over the border",
            "After {moves} move the sum is {after} instead of {before}. MIL asked its question {judgements}"
            " times: it goes on along all borders until a whole round moves nobody.",
            "Before and after: the marked age has changed its group.",
            _repaired,
            question=Choice(
                "Does everybody still hide among at least {k}?",
                "Yes: a group gives somebody away only while it has more than k members. The smallest now has"
                " {least}. MIL repairs loss and leaves the promise alone.",
                ("Yes", "No"),
                lambda facts: int(facts["least"] < facts["k"]),
            ),
        ),
        Screen(
            "When nobody may move",
            "Move k. At k = {k} MDAV's groups have {least} to {most} members; MIL asks {judgements} times,"
            " moves {moves}, and brings the loss from {mdav:%} to {mil:%}.",
            "The groups of MDAV and of MIL at k = {k}.",
            _stuck,
            slider=Slider(2, 4, 2),
            question=Choice(
                "At k = {k}, as the screen began, MIL moved nobody. Why?",
                "All groups have exactly k members, so none may give one away. Whenever k divides the number"
                " of records, MIL leaves MDAV's groups as they are.",
                ("No group may give anybody away", "Every move would lose more"),
                lambda facts: int(facts["most"] > facts["k"]),
            ),
        ),
        Screen(
            "A repair, not the best cut",
            "{points} ages. At k = {k} MDAV loses {mdav:%}, MIL {mil:%}, and the least possible is {best:%}."
            " MIL moves single records over borders that are there; it draws no new ones. For one number the"
            " best cut can be calculated, so Kanon shows it beside.",
            "{points} ages on a line: the cuts of MDAV, of MIL, and the best.",
            _best,
            ("Optimal, one number",),
            slider=Slider(3, 5, 3),
            question=Choice(
                "At k = {k}, as the screen began: did MIL help here?",
                "MIL ends with {mil:%}, as MDAV began; the best loses a fraction of it. Exactly k in every"
                " group: nobody may move.",
                ("Yes, it reached the best", "Yes, but not the best", "No"),
                lambda f: 2 if f["mil"] >= f["mdav"] - 1e-9 else int(f["mil"] > f["best"] + 1e-9),
            ),
        ),
    ),
    Try("MIL needs a table with one number; where yours has it, see what it repairs.", "clusters", "MIL"),
)

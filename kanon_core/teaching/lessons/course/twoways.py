"""Generalization against microaggregation: a range that is true, or a mean that keeps the total."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.base.words import tr
from kanon_core.findings.ends import ExactEnds
from kanon_core.findings.judge import judge
from kanon_core.metrics.loss.ilssdm import ILSSDM
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.release.release import Release
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.charts import Bars
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Cell, Rows, marked, texts_of
from kanon_core.teaching.lessons.small_tables import released, table_of

_K = 3


@cache
def salaries(recoding: str = "generalize", round_to: str = "") -> Table:
    """Nine people and what they earn in a year, in thousands; one earns far more than the others."""
    table = table_of(
        {"person": list("ABCDEFGHI"), "salary": [21, 23, 25, 30, 31, 35, 48, 52, 95]},
        {"person": "identifier"},
        {"salary": "numeric"},
    )
    schema = table.schema.with_recodings({"salary": recoding}).with_round_ends({"salary": round_to})
    return table.with_schema(schema)


@cache
def jobs() -> Table:
    """Six people and their jobs, published as the most frequent job of each group."""
    table = table_of(
        {
            "person": list("ABCDEF"),
            "age": [24, 25, 27, 51, 53, 58],
            "job": ["baker", "baker", "cook", "nurse", "cook", "pilot"],
        },
        {"person": "identifier"},
        {"age": "numeric", "job": "categorical"},
    )
    return table.with_schema(table.schema.with_recodings({"job": "mode"}))


def _way(recoding: str, k: int = _K) -> Release:
    return released(salaries(recoding), MDAV(), k)


def means(k: int = _K) -> np.ndarray:
    """float64 (n): the published mean of each person's group."""
    return _way("mean", k).to_frame()["salary"].to_numpy(np.float64)


def ends(k: int = _K, round_to: str = "") -> np.ndarray:
    """float64 (n, 2): the published interval of each person's group."""
    release = released(salaries("generalize", round_to), MDAV(), k)
    texts = release.to_frame()["salary"].str.strip("[]").str.split(", ")
    return np.array([[float(text) for text in (pair[0], pair[-1])] for pair in texts])


def _beside(*columns: Iterable[object]) -> list[list[object]]:
    """Each person and salary with the cells of these columns beside them."""
    own = texts_of(salaries(), ("person", "salary"))
    return [[*row, *more] for row, *more in zip(own, *columns, strict=True)]


def _mean_texts(k: int) -> list[str]:
    return [f"{mean:.4g}" for mean in means(k)]


def _both(k: int) -> ScreenResult:
    table = salaries()
    groups = _way("mean", k).groups
    rows = _beside(_way("generalize", k).to_frame()["salary"], _mean_texts(k))
    heads = [tr("person"), tr("salary"), tr("published as a range"), tr("published as a mean")]
    own = table.numbers("salary").values
    low, high = ends(k).T
    facts: dict[str, float] = {"records": len(table), "groups": len(np.unique(groups)), "k": k}
    facts |= {"inside": ((low <= own) & (own <= high)).sum(), "equal": (means(k) == own).sum()}
    return ScreenResult(facts, Rows(heads, rows, groups.tolist()))


def _totals(k: int) -> ScreenResult:
    own = salaries().numbers("salary").values
    totals = [own.sum(), means().sum(), ends().mean(axis=1).sum()]
    names = [tr("the salaries themselves"), tr("the published means"), tr("the middles of the ranges")]
    facts = dict(zip(("own", "mean", "middle"), totals, strict=True))
    texts = [f"{total:g}" for total in totals]
    return ScreenResult(facts, Bars(names, totals, texts, tr("Sum of all salaries, in thousands"), marked=2))


def _spread(k: int) -> ScreenResult:
    found = ILSSDM().measure(salaries("mean"), _way("mean", k))
    own = salaries().numbers("salary").values
    rows, heads = _beside(_mean_texts(k)), [tr("person"), tr("salary"), tr("published mean")]
    facts: dict[str, float] = {"k": k, "lost": found.total, "kept": 1 - found.total, "lowest": means(k).min()}
    facts |= {"highest": means(k).max(), "from": own.min(), "to": own.max()}
    return ScreenResult(facts, Rows(heads, rows, _way("mean", k).groups.tolist()))


def _far_away(k: int) -> ScreenResult:
    own = salaries().numbers("salary").values
    low, high = ends().T
    top = int(own.argmax())
    others = np.flatnonzero((low == low[top]) & (np.arange(len(own)) != top))
    rows = [
        [p, marked(s) if i == top else s, f"[{low[i]:g}, {high[i]:g}]", f"{means()[i]:.4g}"]
        for i, (p, s) in enumerate(texts_of(salaries(), ("person", "salary")))
        if low[i] == low[top]
    ]
    heads = [tr("person"), tr("salary"), tr("published as a range"), tr("published as a mean")]
    facts: dict[str, float] = {"top": own[top], "low": low[top], "high": high[top], "mean": means()[top]}
    facts |= {"without": own[others].mean(), "read": float(high[top] == own[top])}
    facts |= {"exact": sum(one.count for one in judge(salaries(), _way("generalize"), [ExactEnds()]))}
    return ScreenResult(facts, Rows(heads, rows))


def _rounded(k: int) -> ScreenResult:
    low, high = ends(_K, "10").T
    own = salaries().numbers("salary").values
    rounded = salaries("generalize", "10")
    wider = [f"[{a:g}, {b:g}]" for a, b in zip(low, high, strict=True)]
    rows = _beside(_way("generalize").to_frame()["salary"], wider)
    heads = [tr("person"), tr("salary"), tr("range"), tr("range with round ends")]
    facts: dict[str, float] = {"high": high.max(), "top": own.max()}
    facts |= {"loss": NCP().measure(rounded, released(rounded, MDAV(), _K)).total}
    facts |= {"before": NCP().measure(salaries(), _way("generalize")).total}
    return ScreenResult(facts, Rows(heads, rows, _way("generalize").groups.tolist()))


def _words(k: int) -> ScreenResult:
    table = jobs()
    release = released(table, MDAV(), _K)
    shown = release.to_frame()["job"].tolist()
    own = table.frame["job"].tolist()
    wrong = [a != b for a, b in zip(own, shown, strict=True)]
    rows = [
        [row[0], row[1], marked(text) if differs else Cell(text)]
        for row, text, differs in zip(texts_of(table, ("person", "job")), shown, wrong, strict=True)
    ]
    heads = [tr("person"), tr("job"), tr("published: the most frequent")]
    return ScreenResult(
        {"records": len(own), "wrong": sum(wrong)}, Rows(heads, rows, release.groups.tolist())
    )


TWO_WAYS = Lesson(
    "two-ways",
    "Generalization against microaggregation",
    7,
    "A range is true of everybody; a mean keeps the total. Which of the two you need.",
    (
        Screen(
            "One group, two ways to write it",
            "{records} people stand in {groups} groups of {k} with similar salaries. One office publishes for"
            " each the range of the group, another the mean of the group. Both make {k} rows look alike.",
            "{records} salaries in {groups} groups, each beside the range and the mean of its group.",
            lambda _: _both(_K),
            ("generalize", "mean"),
            question=Amount(
                "Of how many of the {records} people is the published mean exactly their own salary?",
                "Of {equal}. The range holds for all {inside}: what it says is true, only less sharp. A mean"
                " is a number that perhaps nobody earns.",
                "equal",
            ),
        ),
        Screen(
            "What is it wanted for?",
            "Somebody adds up the published column, to know what all salaries cost together. From ranges one"
            " would take the middle of each.",
            "The sum of all salaries, of the published means, and of the middles of the ranges.",
            _totals,
            question=Choice(
                "Which of the two publications gives the right sum?",
                "The means: {mean}, as the salaries themselves, {own}. A mean stands for its group without"
                " changing the sum. The middles of the ranges give {middle}: one high salary pulls its whole"
                " group up.",
                ("The means", "The ranges", "Both"),
                lambda f: 2 if f["mean"] == f["own"] == f["middle"] else int(f["mean"] != f["own"]),
            ),
        ),
        Screen(
            "What a mean takes away",
            "Within a group all differences are gone. At k = {k} the published means run from {lowest} to"
            " {highest}, the salaries from {from} to {to}, and {lost:%} of the sum of squared differences"
            " from the mean is lost. That share is the information loss of microaggregation.",
            "The salaries and the mean of each one's group at k = {k}.",
            _spread,
            ("Information loss",),
            slider=Slider(2, 4, 3),
            question=Choice(
                "Averages come out right from the means. What comes out of them about how unequal salaries"
                " are?",
                "They look more equal than they are: only {kept:%} of the squared differences are left. No"
                " microaggregation makes them larger.",
                ("The truth", "Less inequality than there is", "More inequality than there is"),
                lambda facts: 0 if facts["lost"] == 0 else 1 if facts["lost"] > 0 else 2,
            ),
        ),
        Screen(
            "The one far away",
            "One person earns {top}. Look at that group: the range goes from {low} to {high}, the mean is"
            " {mean}; without this person it would be {without}.",
            "The group of the highest salary, as a range and as a mean.",
            _far_away,
            ("exact ends",),
            question=Choice(
                "Everybody in town knows who earns most. In which publication do they read how much it is?",
                "In the range: its upper end is that very salary, {high}. Groups of k hide who is who, not"
                " what stands at their ends. Of {exact} records some end of a range is the exact value. The"
                " mean does not show it, yet it is far from what the other two earn.",
                ("In the mean", "In the range", "In neither"),
                lambda facts: 1 if facts["read"] else 0 if facts["mean"] == facts["top"] else 2,
            ),
        ),
        Screen(
            "Ends that are nobody's",
            "Ranges can be widened to round numbers. The highest now ends at {high}, not at {top}. It costs a"
            " little: the cells are {loss:%} of the whole range wide on average, where they were {before:%}.",
            "Each salary with the range of its group, and the range with round ends.",
            _rounded,
            ("round ends", "Certainty penalty"),
        ),
        Screen(
            "Words have no mean",
            "There is no mean of a baker and a cook. A group can publish the set of its jobs, which is true,"
            " or its most frequent job, which is tidy.",
            "{records} people in groups, each with the most frequent job of the group.",
            _words,
            ("mode",),
            question=Amount(
                "Of how many of the {records} people is the published job not their own?",
                "Of {wrong}. Whoever counts jobs in this table counts wrong. A set, such as baker or cook,"
                " would be true of everybody.",
                "wrong",
            ),
        ),
    ),
    Try("Choose for each column of your table whether it is published as a range, a mean or a set.", "data"),
)

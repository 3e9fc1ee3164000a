"""Lesson on generalization and microaggregation: a range is true, a mean keeps the total."""

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
    """Return nine people and their salaries of a year, in thousands; one is far higher than the others."""
    table = table_of(
        {"person": list("ABCDEFGHI"), "salary": [21, 23, 25, 30, 31, 35, 48, 52, 95]},
        {"person": "identifier"},
        {"salary": "numeric"},
    )
    schema = table.schema.with_recodings({"salary": recoding}).with_round_ends({"salary": round_to})
    return table.with_schema(schema)


@cache
def jobs() -> Table:
    """Return six people and their jobs, published as the most frequent job of each group."""
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
    """Return the published mean of each person's group: float64 (n)."""
    return _way("mean", k).to_frame()["salary"].to_numpy(np.float64)


def ends(k: int = _K, round_to: str = "") -> np.ndarray:
    """Return the published interval of each person's group: float64 (n, 2)."""
    release = released(salaries("generalize", round_to), MDAV(), k)
    texts = release.to_frame()["salary"].str.strip("[]").str.split(", ")
    return np.array([[float(text) for text in (pair[0], pair[-1])] for pair in texts])


def _beside(*columns: Iterable[object]) -> list[list[object]]:
    """Return each person and salary, followed by the cells of these columns."""
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
    heads = [tr("person"), tr("job"), tr("published: most frequent job")]
    return ScreenResult(
        {"records": len(own), "wrong": sum(wrong)}, Rows(heads, rows, release.groups.tolist())
    )


TWO_WAYS = Lesson(
    "two-ways",
    "Generalization or microaggregation",
    7,
    "A range is true for everybody; a mean keeps the total. When to use which.",
    (
        Screen(
            "Two ways to publish a group",
            "{records} people are in {groups} groups of {k} with similar salaries. Generalization publishes"
            " the range of the group for each member; microaggregation publishes the mean of the group."
            " Both make {k} rows look alike.",
            "{records} salaries in {groups} groups, each beside the range and the mean of its group.",
            lambda _: _both(_K),
            ("generalize", "mean"),
            question=Amount(
                "For how many of the {records} people is the published mean exactly their own salary?",
                "For {equal}. The range contains the salary of all {inside}: it is true, but less precise."
                " A mean is a number that perhaps nobody earns.",
                "equal",
            ),
        ),
        Screen(
            "The purpose decides",
            "An analyst adds up the published column to estimate the total of all salaries. From ranges,"
            " the analyst takes the middle of each.",
            "The sum of all salaries, of the published means, and of the middles of the ranges.",
            _totals,
            question=Choice(
                "Which of the two tables gives the right total?",
                "The means: their total is {mean}, that of the salaries {own}. Replacing the members of a"
                " group by their mean does not change the total. The middles of the ranges give {middle},"
                " because one high salary raises the middle of its whole group.",
                ("The means", "The ranges", "Both"),
                lambda f: 2 if f["mean"] == f["own"] == f["middle"] else int(f["mean"] != f["own"]),
            ),
        ),
        Screen(
            "Information loss of means",
            "The mean removes all differences within a group. At k = {k} the published means run from"
            " {lowest} to {highest}, the salaries from {from} to {to}. The information loss of"
            " microaggregation is the share of the squared differences from the overall mean that"
            " disappears: here {lost:%}.",
            "The salaries and the mean of each group at k = {k}.",
            _spread,
            ("Information loss",),
            slider=Slider(2, 4, 3),
            question=Choice(
                "Averages computed from the means are right. What do the means suggest about the inequality"
                " of salaries?",
                "Salaries look more equal than they are: only {kept:%} of the squared differences remain."
                " Microaggregation never increases them.",
                ("The true inequality", "Less inequality than there is", "More inequality than there is"),
                lambda facts: 0 if facts["lost"] == 0 else 1 if facts["lost"] > 0 else 2,
            ),
        ),
        Screen(
            "An extreme value",
            "One person earns {top}. The range of this person's group goes from {low} to {high}, and its"
            " mean is {mean}; without this person the mean would be {without}.",
            "The group of the highest salary, as a range and as a mean.",
            _far_away,
            ("exact ends",),
            question=Choice(
                "Everybody in town knows who earns most. Which of the two tables shows how much this is?",
                "The ranges: the upper end of this range is exactly that salary, {high}. A group of k hides"
                " which row belongs to whom; it does not hide the values at the ends of its range. For"
                " {exact} records an end of the range is the exact value. The mean does not show it, but it"
                " is far from the salaries of the other two.",
                ("The means", "The ranges", "Neither of them"),
                lambda facts: 1 if facts["read"] else 0 if facts["mean"] == facts["top"] else 2,
            ),
        ),
        Screen(
            "Round ends hide exact values",
            "Ranges can be widened to round numbers. The highest range now ends at {high}, not at {top}."
            " The cost is small: the mean width of the cells is {loss:%} of the whole column, where it was"
            " {before:%}.",
            "Each salary with the range of its group, and the same range with round ends.",
            _rounded,
            ("round ends", "Certainty penalty"),
        ),
        Screen(
            "Categories have no mean",
            "Numbers have a mean; “baker” and “cook” do not. A group can publish the set of its jobs, which"
            " is true for everybody, or its most frequent job, which is shorter.",
            "{records} people in groups, each with the most frequent job of the group.",
            _words,
            ("mode",),
            question=Amount(
                "For how many of the {records} people is the published job not their own?",
                "For {wrong}. Counts of jobs in this table are therefore wrong. A set, such as baker or"
                " cook, would be true for everybody.",
                "wrong",
            ),
        ),
    ),
    Try("Choose for each column of your table whether to publish a range, a mean or a set.", "data"),
)

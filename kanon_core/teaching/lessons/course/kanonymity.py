"""Lesson on k-anonymity: its definition, its attacker, and its cost."""

from __future__ import annotations

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import percent_text
from kanon_core.metrics.loss.ncp import NCP
from kanon_core.metrics.privacy.classes import AchievedK
from kanon_core.teaching.lessons.charts import Bars
from kanon_core.teaching.lessons.course.names import alone
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import original, published
from kanon_core.teaching.lessons.small_tables import chances, clinic, released

_KS = (2, 3, 4, 6, 12)


def _alike(k: int) -> ScreenResult:
    table = clinic()
    found = chances(table)
    same = np.flatnonzero(found.records < 1)
    facts: dict[str, float] = {"first": int(same[0]) + 1, "second": int(same[1]) + 1, "records": len(table)}
    facts |= {"among": len(same), "chance": float(found.records[same[0]]), "any": 1 / len(table), "sure": 1}
    return ScreenResult(facts, original(table, table.schema.names[1:], same).numbered())


def _everybody(k: int) -> ScreenResult:
    table = clinic()
    release = released(table, MDAV(), 3)
    sizes = release.class_sizes
    facts: dict[str, float] = {"classes": len(sizes), "least": sizes.min(), "alone": (sizes == 1).sum()}
    facts |= {"before": alone(("age", "sex", "district"))[0]}
    return ScreenResult(facts, published(table, release))


def _sizes(k: int) -> ScreenResult:
    table = clinic()
    release = released(table, Mondrian(), 3)
    sizes = np.sort(release.class_sizes)
    reached = AchievedK().measure(table, release).total
    facts: dict[str, float] = {"classes": len(sizes), "least": int(sizes[0]), "most": int(sizes[-1])}
    facts |= {"mean": sizes.mean(), "reached": reached}
    return ScreenResult(facts, published(table, release))


def _at_k(k: int) -> ScreenResult:
    table = clinic()
    release = released(table, MDAV(), k)
    found = chances(table, release)
    facts: dict[str, float] = {"k": k, "classes": len(release.class_sizes)}
    facts |= {"least": release.class_sizes.min(), "worst": found.worst}
    return ScreenResult(facts, published(table, release))


def _price(k: int) -> ScreenResult:
    table = clinic()
    losses = [NCP().measure(table, released(table, MDAV(), one)).total for one in _KS]
    names = [tr("k = {k}").format(k=one) for one in _KS]
    texts = [f"{percent_text(loss)} %" for loss in losses]
    title = tr("Certainty penalty: mean width of the cells, in percent of the whole column")
    facts: dict[str, float] = {"low": _KS[0], "high": _KS[-1], "loss_low": losses[0], "loss_high": losses[-1]}
    facts |= {"half": losses[2]}
    return ScreenResult(facts, Bars(names, [100 * one for one in losses], texts, title))


def _one_more(k: int) -> ScreenResult:
    table = clinic()
    release = released(table, MDAV(), 3)
    counts = release.counts("illness")
    single = int((counts.counts == 1).sum())
    facts: dict[str, float] = {"records": len(table), "least": release.class_sizes.min(), "alone": single}
    return ScreenResult(facts, published(table, release, ["illness"]))


K_ANONYMITY = Lesson(
    "k-anonymity",
    "k-anonymity: nobody is unique",
    7,
    "What k-anonymity guarantees, against which attacker, and what it costs.",
    (
        Screen(
            "Two rows that cannot be distinguished",
            "Rows {first} and {second} have the same age, sex and district. An attacker who knows these"
            " three values of one of the two women, and knows that she is in the table, still cannot tell"
            " which of the two rows is hers.",
            "The clinic's table without names; rows {first} and {second} are marked.",
            _alike,
            question=Choice(
                "What is the chance that a guess picks her row?",
                "{chance:%}: one of {among} rows is hers, and no known value distinguishes them.",
                ("{any:%}, one of all {records} rows", "{chance:%}", "{sure:%}"),
                lambda facts: [facts["any"], 1 / facts["among"], facts["sure"]].index(facts["chance"]),
            ),
        ),
        Screen(
            "Protect everybody in the same way",
            "In this table ranges replace ages, and sets replace sexes and districts. It has {classes}"
            " different rows, and at least {least} people share each; {alone} people are unique, where"
            " {before} were before.",
            "The published table; rows that look alike have the same number and color.",
            _everybody,
            ("equivalence class", "generalize"),
        ),
        Screen(
            "The definition",
            "Rows with the same published quasi-identifiers form an equivalence class, or class for short."
            " A table is k-anonymous when every class has k rows or more. This table has {classes} classes"
            " of {least} to {most} rows.",
            "A published table whose classes have {least} to {most} rows.",
            _sizes,
            ("k-anonymity", "k"),
            question=Choice(
                "What is the largest k for which this table is k-anonymous?",
                "The guarantee holds for everybody, so the smallest class decides: k = {reached}.",
                (
                    "{least}, the size of its smallest class",
                    "{mean}, the mean size of its classes",
                    "{most}, the size of its largest class",
                ),
                lambda facts: [facts["least"], facts["mean"], facts["most"]].index(facts["reached"]),
            ),
        ),
        Screen(
            "Move k",
            "At k = {k} there are {classes} classes, and the smallest has {least} rows. An attacker knows"
            " all quasi-identifiers of a person, and that the person is in the table. The chance that this"
            " attacker picks the right row is at most {worst:%}.",
            "The published table at k = {k}, class by class.",
            _at_k,
            ("Prosecutor",),
            slider=Slider(2, 6, 3),
            question=Amount(
                "What is the highest chance, in percent, at k = {k}, the value with which this screen began?",
                "{worst:%}: one of the {least} rows of the smallest class. More knowledge of the same"
                " columns does not help, because the rows are equal.",
                "worst",
                within=0.006,
                percent=True,
            ),
        ),
        Screen(
            "The cost of k-anonymity",
            "The more rows must look alike, the wider the published values become. The certainty penalty"
            " measures this: an exact value adds nothing, a cell that allows every value adds the maximum,"
            " and the penalty is the average over all cells.",
            "The certainty penalty at several k, as bars.",
            _price,
            ("Certainty penalty",),
            question=Choice(
                "At k = {high} all people are in one class. How much information remains in these columns?",
                "The penalty is {loss_high:%}: all rows are equal, so these columns could just as well be"
                " left out. At k = {low} the penalty is {loss_low:%}. Privacy alone is easy; the difficulty"
                " is to keep the table useful.",
                ("Nothing", "About half", "Nearly all"),
                lambda facts: 0 if facts["loss_high"] >= 0.99 else 1 if facts["loss_high"] > 0.25 else 2,
            ),
        ),
        Screen(
            "The limits of the guarantee",
            "k-anonymity covers only the columns that you declared as quasi-identifiers. The illness is"
            " published unchanged. An attacker who happens to know it knows one column more than the"
            " guarantee assumes.",
            "The published table at k = {least}, with the illness of each row.",
            _one_more,
            ("sensitive",),
            question=Amount(
                "How many of the {records} people are unique for an attacker who knows their"
                " quasi-identifiers and their illness?",
                "{alone} of {records}: nobody else in their class has the same illness. The table is"
                " k-anonymous all the same. The first decision is therefore which columns others can know.",
                "alone",
            ),
        ),
    ),
    Try("Move k on your table, and watch the information loss.", "tune"),
)

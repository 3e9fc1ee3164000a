"""k-anonymity: nobody is alone, for whom, and what it costs."""

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
    return ScreenResult(facts, original(table, table.schema.names[1:], same))


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
    title = tr("Certainty penalty: how wide the cells are, in percent of the whole column")
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
    "k-anonymity: nobody is alone",
    7,
    "What k promises, to whom, and what it costs.",
    (
        Screen(
            "Two whom nobody can tell apart",
            "Rows {first} and {second} read the same: same age, same sex, same district. Somebody who knows"
            " all of this about one of the two women, and that she is in the table, still does not know which"
            " row is hers.",
            "The clinic's table without names; rows {first} and {second} are marked.",
            _alike,
            question=Choice(
                "With which chance does a guess hit her row?",
                "One of {among} rows is hers, and nothing she is known by says which: {chance:%}.",
                ("{any:%}, one of all {records} rows", "{chance:%}", "{sure:%}"),
                lambda facts: [facts["any"], 1 / facts["among"], facts["sure"]].index(facts["chance"]),
            ),
        ),
        Screen(
            "Make it so for everybody",
            "Here ages became ranges, and sexes and districts sets. Now there are {classes} kinds of rows,"
            " and at least {least} people share each; {alone} people are alone, where {before} were before.",
            "The published table; rows that read the same have one number and one color.",
            _everybody,
            ("equivalence class", "generalize"),
        ),
        Screen(
            "The word for it",
            "Rows that publish the same quasi-identifiers are an equivalence class. A table is k-anonymous"
            " when no class has fewer than k rows. This one has {classes} classes, of {least} to {most}"
            " rows.",
            "A published table whose classes have {least} to {most} rows.",
            _sizes,
            ("k-anonymity", "k"),
            question=Choice(
                "For which k is it k-anonymous, at best?",
                "The promise is made to everybody, so the smallest class decides: k = {reached}.",
                (
                    "{least}, its smallest class",
                    "{mean}, the mean of its classes",
                    "{most}, its largest class",
                ),
                lambda facts: [facts["least"], facts["mean"], facts["most"]].index(facts["reached"]),
            ),
        ),
        Screen(
            "Move k",
            "At k = {k} there are {classes} classes, and the smallest has {least} rows. Who knows all"
            " quasi-identifiers of a person, and that the person is in the table, picks the right row with at"
            " most {worst:%}.",
            "The published table at k = {k}, class by class.",
            _at_k,
            ("Prosecutor",),
            slider=Slider(2, 6, 3),
            question=Amount(
                "What is the highest chance, in percent, at the k with which this screen began, k = {k}?",
                "One of the {least} rows of the smallest class: {worst:%}. More knowledge of the same columns"
                " does not help, for the rows are equal.",
                "worst",
                within=0.006,
                percent=True,
            ),
        ),
        Screen(
            "What it costs",
            "The more must look alike, the wider the cells. One measure of it is the certainty penalty: a"
            " cell that says nothing any more counts full, an exact one nothing.",
            "The certainty penalty at several k, as bars.",
            _price,
            ("Certainty penalty",),
            question=Choice(
                "Everybody in one class, k = {high}: what is left of these columns?",
                "The penalty is {loss_high:%}: every row says the same, so the columns could as well be left"
                " out. Privacy is not the hard part; to keep the table useful is. At k = {low} it is"
                " {loss_low:%}.",
                ("Nothing", "About half", "Nearly all"),
                lambda facts: 0 if facts["loss_high"] >= 0.99 else 1 if facts["loss_high"] > 0.25 else 2,
            ),
        ),
        Screen(
            "For whom the promise holds",
            "k counts the columns that you called quasi-identifiers, and no others. The illness is published"
            " as it is. An attacker who happens to know it as well has one column more than you reckoned"
            " with.",
            "The published table at k = {least}, with the illness of each row.",
            _one_more,
            ("sensitive",),
            question=Amount(
                "How many of the {records} people are alone to somebody who knows their quasi-identifiers and"
                " their illness?",
                "{alone} of {records}: nobody else of their class has the same illness. The table is"
                " k-anonymous all the same. So the first decision is which columns others can know.",
                "alone",
            ),
        ),
    ),
    Try("Move k on your table, and watch what is lost.", "tune"),
)

"""Lesson on risk figures: the attacker of each, the person concerned, and the limits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.words import tr
from kanon_core.charts.groups.sizes import fewer_figure
from kanon_core.release.release import Release
from kanon_core.risk.attackers import Journalist, Marketer, Prosecutor
from kanon_core.risk.measured import Risk
from kanon_core.risk.measuring import risks
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.charts import Figure
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Beside, Rows, classes_of, in_classes, published
from kanon_core.teaching.lessons.small_tables import chances, clinic, released, table_of

_K = 2
_LIMIT = 0.33


def _release(k: int = _K) -> Release:
    return released(clinic(), Mondrian(), k)


def prosecutor(k: int = _K) -> Risk:
    """Return the chance to pick each record's row, for an attacker who knows that the person is in the
    table."""
    return chances(clinic(), _release(k))


def _title() -> str:
    """Return the title of the release that all screens but one show."""
    return tr("Release A: {algorithm}, k = {k}").format(algorithm=Mondrian.title, k=_K)


def _by_class(k: int) -> Rows:
    release = _release(k)
    table = published(clinic(), release)
    told = [f"1 / {round(1 / chance)}" for chance in prosecutor(k).records[in_classes(release)].tolist()]
    rows = [[*row, chance] for row, chance in zip(table.rows, told, strict=True)]
    return Rows([*table.heads, tr("chance")], rows, table.groups, _title())


def _one_person(k: int) -> ScreenResult:
    found = prosecutor()
    sizes = _release().class_sizes
    facts: dict[str, float] = {"worst": found.worst, "least": found.each.min(), "most": sizes.max()}
    facts |= {"small": sizes.min(), "records": len(clinic()), "classes": len(sizes), "k": _K}
    return ScreenResult(facts, _by_class(_K))


def _average(k: int) -> ScreenResult:
    found = prosecutor()
    facts: dict[str, float] = {"average": found.average, "worst": found.worst, "records": len(found.each)}
    facts |= {"classes": len(_release().class_sizes)}
    return ScreenResult(facts, _by_class(_K))


@cache
def town() -> Table:
    """Return the register of a small town: the patients of the clinic, and fourteen others."""
    own = clinic().frame
    more: dict[str, list[object]] = {
        "age": [23, 27, 27, 27, 34, 34, 41, 41, 52, 52, 57, 57, 23, 41],
        "sex": list[object]("FFFMMMFMFMFFMM"),
        "district": [{"N": "North", "S": "South"}[letter] for letter in "NSNSNSSSNSSSSS"],
    }
    columns = {name: [*own[name].tolist(), *values] for name, values in more.items()}
    letters = [*own["person"].tolist(), *[f"N{i}" for i in range(1, len(more["age"]) + 1)]]
    return table_of(
        {"person": letters, **columns},
        {"person": "identifier"},
        {"age": "numeric", "sex": "categorical", "district": "categorical"},
    )


def _register(k: int) -> ScreenResult:
    bare = clinic().with_schema(clinic().schema)
    first, second = (chances(bare, _release(), one, town()) for one in (Prosecutor(), Journalist()))
    person = int(np.argmax(first.records))
    facts: dict[str, float] = {"town": len(town()), "known": first.records[person]}
    facts |= {"unknown": second.records[person], "in_table": round(1 / first.records[person])}
    facts |= {"in_town": round(1 / second.records[person])}
    names = {"person": str(clinic().frame["person"].iloc[person])}
    rows = [[tr("rows of the release"), facts["in_table"]], [tr("people of the town"), facts["in_town"]]]
    scene = Rows([tr("what fits {person}'s row").format(**names), tr("how many")], rows)
    return ScreenResult(facts, Beside([_by_class(_K), scene]), names)


def _nobody(k: int) -> ScreenResult:
    found = chances(clinic(), _release(), Marketer())
    facts: dict[str, float] = {"records": len(clinic()), "average": found.average}
    facts |= {"expected": found.each.sum(), "classes": len(_release().class_sizes)}
    return ScreenResult(facts, _by_class(_K))


def _threshold(k: int) -> ScreenResult:
    release = released(clinic(), MDAV(), k)
    found, after = risks(clinic(), release, [Prosecutor()]), chances(clinic(), release)
    facts: dict[str, float] = {"k": k, "limit": _LIMIT, "above": after.above(_LIMIT)}
    facts |= {"records": len(after.each), "worst": after.worst, "average": after.average, "number": 3}
    title = tr("Release B: {algorithm}, k = {k}").format(algorithm=MDAV.title, k=k)
    return ScreenResult(facts, Beside([Figure(lambda theme: fewer_figure(found, 3, theme), 300)], [title]))


def _not_said(k: int) -> ScreenResult:
    release = _release()
    counts = release.counts("illness")
    different = np.bincount(counts.owner)
    certain = different[release.classes] == 1
    facts: dict[str, float] = {"average": prosecutor().average, "certain": certain.sum()}
    facts |= {"records": len(certain), "highest": prosecutor().records[certain].max()}
    return ScreenResult(facts, replace(classes_of(release, ["illness"], certain), title=_title()))


RISK = Lesson(
    "risk",
    "The meaning of a risk figure",
    7,
    "Which attacker and which person a risk figure is about, and what it does not show.",
    (
        Screen(
            "The chance of one guess",
            "“The risk is {worst:%}.” What does this mean? Release A, made by Mondrian at k = {k}, has"
            " {records} people in {classes} classes of {small} to {most}. The chance that an attacker picks"
            " the right row is {least:%} for a person in a class of {most}, and {worst:%} in a class of"
            " {small}.",
            "The published table; beside each row, the chance to pick the right row of its class.",
            _one_person,
            ("risk", "Prosecutor"),
            question=Choice(
                "What does {worst:%} mean here?",
                "It is the chance of one guess, about a person of the smallest class, by an attacker who"
                " knows all quasi-identifiers of that person and that the person is in the table. This"
                " attacker is called the prosecutor. The chance is lower for people in larger classes.",
                (
                    "An attacker finds {worst:%} of all people",
                    "The person at the highest risk is found with a chance of {worst:%}",
                    "An attack happens with a chance of {worst:%}",
                ),
                lambda f: 1 if f["least"] < f["worst"] else 0,
            ),
        ),
        Screen(
            "Worst-case and average risk",
            "The average risk is another figure: the mean of the chances of all {records} people. To"
            " compute it, add up the chances. A class of m people contributes m times one m-th, which is"
            " one.",
            "The published table with the chance of each row.",
            _average,
            ("Average re-identification risk",),
            question=Amount(
                "What is the average risk, in percent?",
                "{classes} classes, {records} people: {classes} / {records} = {average:%}, where the"
                " worst-case risk is {worst:%}. Whenever you read a risk, ask which of the two it is.",
                "average",
                within=0.006,
                percent=True,
            ),
        ),
        Screen(
            "Known or not known to be in the table",
            "The prosecutor knows that {person} is in the table: {in_table} rows fit, so the risk is"
            " {known:%}. The journalist, another attacker, has only the register of the town with its"
            " {town} people, does not know who is in the table, and wants to find anybody.",
            "The release, and the numbers of rows and of people of the town that fit {person}'s row.",
            _register,
            ("Journalist",),
            question=Amount(
                "{in_town} people of the town fit {person}'s row. With which chance, in percent, does the"
                " journalist name the right person?",
                "{unknown:%}. The risk is lower as long as nobody knows who is in the table. Membership in"
                " a list of patients is itself a secret.",
                "unknown",
                within=0.006,
                percent=True,
            ),
        ),
        Screen(
            "An attacker without a target",
            "A company links every row of the release to one of the people who fit it, to send them"
            " advertising. This attacker, the marketer, is not interested in a certain person, only in the"
            " number of right links.",
            "The published table with the chance of each row.",
            _nobody,
            ("Marketer",),
            question=Amount(
                "How many of the {records} links are right, on average?",
                "{expected}: one in each of the {classes} classes, so {average:%} of all. For the marketer"
                " the average is the risk; for the prosecutor it is the chance in one class.",
                "expected",
                within=0.01,
            ),
        ),
        Screen(
            "A limit for the risk",
            "Health authorities require, for example, that nobody's risk is above {limit}, which is one in"
            " {number}. Release B is made of the same people by MDAV, which forms other classes. At k = {k},"
            " the risk of {above} of {records} people is above the limit; the worst-case risk is {worst:%},"
            " the average risk {average:%}.",
            "The number of people who hide among fewer than x, before and after.",
            _threshold,
            ("anonymity set",),
            slider=Slider(2, 6, 2),
        ),
        Screen(
            "Limits of a risk figure",
            "All these figures are chances to pick the right row. They do not give the chance that anybody"
            " attacks, nor what an attacker learns without picking a row.",
            "The published table; illnesses that all members of a class share are marked.",
            _not_said,
            ("attribute disclosure",),
            question=Amount(
                "The average risk of release A is {average:%}. For how many of the {records} people does the"
                " release reveal the illness all the same, because their whole class has it?",
                "For {certain}, although the chance to pick the row of each is at most {highest:%}. The"
                " risk of re-identification is one figure among several; read it together with the"
                " findings.",
                "certain",
            ),
        ),
    ),
    Try("Read the risks of your table for each attacker.", "risk/attackers"),
)

"""Meaning of a risk figure: whose chance, to do what, knowing what."""

from __future__ import annotations

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


def _by_class(k: int) -> Rows:
    release = _release(k)
    table = published(clinic(), release)
    told = [f"1 / {round(1 / chance)}" for chance in prosecutor(k).records[in_classes(release)].tolist()]
    rows = [[*row, chance] for row, chance in zip(table.rows, told, strict=True)]
    return Rows([*table.heads, tr("chance")], rows, table.groups)


def _one_person(k: int) -> ScreenResult:
    found = prosecutor()
    sizes = _release().class_sizes
    facts: dict[str, float] = {"worst": found.worst, "least": found.each.min(), "most": sizes.max()}
    facts |= {"small": sizes.min(), "records": len(clinic()), "classes": len(sizes)}
    return ScreenResult(facts, _by_class(_K))


def _average(k: int) -> ScreenResult:
    found = prosecutor()
    facts: dict[str, float] = {"average": found.average, "worst": found.worst, "records": len(found.each)}
    facts |= {"classes": len(_release().class_sizes)}
    return ScreenResult(facts, _by_class(_K))


@cache
def town() -> Table:
    """The register of a small town: everybody of the clinic's table, and fourteen others."""
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
    scene = Rows([tr("who fits {person}'s row").format(**names), tr("how many")], rows)
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
    return ScreenResult(facts, Figure(lambda theme: fewer_figure(found, 3, theme), 300))


def _not_said(k: int) -> ScreenResult:
    release = _release()
    counts = release.counts("illness")
    different = np.bincount(counts.owner)
    certain = different[release.classes] == 1
    facts: dict[str, float] = {"average": prosecutor().average, "certain": certain.sum()}
    facts |= {"records": len(certain), "highest": prosecutor().records[certain].max()}
    return ScreenResult(facts, classes_of(release, ["illness"], certain))


RISK = Lesson(
    "risk",
    "What a risk figure means",
    7,
    "Whose chance it is, to do what, and knowing what; and what no risk figure says.",
    (
        Screen(
            "A chance of what?",
            "“The risk is {worst:%}.” Of what? Here are {records} people in {classes} classes of {small} to"
            " {most}. Who is known to be in a class of {most} is picked with {least:%}, who is in one of"
            " {small} with {worst:%}.",
            "The published table; beside each row the chance to pick the right one of its class.",
            _one_person,
            ("risk", "Prosecutor"),
            question=Choice(
                "What does {worst:%} say, then?",
                "It is the chance of one guess, about a person of the smallest class, by somebody who knows"
                " all quasi-identifiers of that person and that the person is in the table. For most others"
                " it is less.",
                (
                    "Of all people, {worst:%} are found",
                    "Whoever is easiest to find is picked with {worst:%}",
                    "The chance that somebody tries",
                ),
                lambda f: 1 if f["least"] < f["worst"] else 0,
            ),
        ),
        Screen(
            "The worst and the average",
            "A number of its own is the average over all {records} people. Add up the chances: each class of"
            " m people adds m times one m-th, which is one.",
            "The published table with the chance of each row.",
            _average,
            ("Average re-identification risk",),
            question=Amount(
                "What is the average, in percent?",
                "{classes} classes, {records} people: {classes} / {records} = {average:%}, where the worst is"
                " {worst:%}. Ask which of the two is meant, whenever you read a risk.",
                "average",
                within=0.006,
                percent=True,
            ),
        ),
        Screen(
            "Known to be in the table, or not",
            "The prosecutor knows that {person} is in the table: {in_table} rows fit, {known:%}. The"
            " journalist has only the register of the town, with {town} people, and looks for anybody.",
            "The release, and how many rows and how many people of the town fit {person}'s row.",
            _register,
            ("Journalist",),
            question=Amount(
                "{in_town} people of the town fit {person}'s row. With which chance, in percent, does the"
                " journalist name the right one?",
                "{unknown:%}. That a person may be elsewhere protects as well, as long as nobody knows who"
                " was asked. Membership in a list of patients is a secret of its own.",
                "unknown",
                within=0.006,
                percent=True,
            ),
        ),
        Screen(
            "Who looks for nobody in particular",
            "A company links every row of the release to one of those who fit it, to send them letters. One"
            " right letter is no use to it; it counts how many are right.",
            "The published table with the chance of each row.",
            _nobody,
            ("Marketer",),
            question=Amount(
                "How many of {records} links are right, on average?",
                "{expected}: one in each of the {classes} classes, so {average:%} of all. For this attacker"
                " the average is the risk; for a neighbor it was that of one class.",
                "expected",
                within=0.01,
            ),
        ),
        Screen(
            "A limit",
            "Health authorities ask, for example, that nobody's risk is above {limit}, which is one in"
            " {number}. At k = {k}, {above} of {records} people are above it, the worst is {worst:%} and the"
            " average {average:%}.",
            "How many people hide among fewer than x, before and after.",
            _threshold,
            ("anonymity set",),
            slider=Slider(2, 6, 2),
        ),
        Screen(
            "What no such figure says",
            "All these are chances to pick the right row. They do not say that somebody tries, nor what an"
            " attacker learns who does not pick any row.",
            "The published table; illnesses that all of a class have are marked.",
            _not_said,
            ("attribute disclosure",),
            question=Amount(
                "The average risk here is {average:%}. Of how many of {records} people can the illness be"
                " read all the same, as their whole class has it?",
                "Of {certain}, though each of them is picked with at most {highest:%}. A risk of"
                " re-identification is one figure among several; read it beside the findings.",
                "certain",
            ),
        ),
    ),
    Try("Read the risks of your table, attacker by attacker.", "risk"),
)

"""Lesson on the limits of k-anonymity: homogeneity, background knowledge, repeated releases, and unchanged
columns."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.vmdav import VMDAV
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.words import tr
from kanon_core.risk.candidates import candidates
from kanon_core.risk.several.intersection import intersect
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Beside, classes_of, frame_rows, published
from kanon_core.teaching.lessons.small_tables import clinic, released

_K = 3


def _of_class(record: int, k: int = _K) -> np.ndarray:
    """Return the records with the same published quasi-identifiers as this one."""
    classes = released(clinic(), Mondrian(), k).classes
    return np.flatnonzero(classes == classes[record])


def _illnesses(record: int) -> list[str]:
    """Return the illnesses of the records with the same published quasi-identifiers as this one."""
    return [_called(one)["illness"] for one in _of_class(record).tolist()]


def _called(record: int) -> dict[str, str]:
    """Return the letter of a person, and the illness."""
    row = clinic().frame.iloc[record]
    return {"person": str(row["person"]), "illness": str(row["illness"])}


def _same(k: int) -> ScreenResult:
    table, release = clinic(), released(clinic(), Mondrian(), _K)
    certain = [i for i in range(len(table)) if candidates(table, release, i).certain]
    person = certain[0]
    found = candidates(table, release, person)
    facts: dict[str, float] = {"k": _K, "fits": found.count_after, "chance": 1 / found.count_after}
    facts |= {"certain": len(certain), "records": len(table)}
    facts |= {"values": len(set(_illnesses(person)))}
    return ScreenResult(facts, published(table, release, ["illness"]), _called(person))


def _known(k: int) -> ScreenResult:
    """Return the result for a class with two illnesses, of which an attacker can rule out one."""
    table, release = clinic(), released(clinic(), Mondrian(), _K)
    person = next(i for i in range(len(table)) if len(set(_illnesses(i))) == 2)
    members, ill, own = _of_class(person), _illnesses(person), _called(person)["illness"]
    other = next(one for one in ill if one != own)
    scene = frame_rows(release.to_frame(members), np.ones(len(members), bool), tr("One class of the release"))
    names = {"person": _called(person)["person"], "own": own, "other": other}
    facts: dict[str, float] = {"rows": len(members), "values": len(set(ill)), "left": len(set(ill) - {other})}
    return ScreenResult(facts, scene, names)


def _twice_released(k: int) -> ScreenResult:
    table = clinic()
    first, second = released(table, MDAV(), _K), released(table, VMDAV(), _K)
    found = intersect(table, [first, second], _K)
    learned = found.learned("illness")
    person = int(np.flatnonzero(learned)[0])
    fit = [frame_rows(one.to_frame(candidates(table, one, person).after)) for one in (first, second)]
    facts: dict[str, float] = {"k": _K, "records": len(table), "single": found.single.sum()}
    facts |= {"learned": learned.sum(), "fewer": found.fewer.sum(), "one": int(found.each[0][person])}
    facts |= {"two": int(found.each[1][person])}
    return ScreenResult(
        facts, Beside(fit, [tr("Monday's release"), tr("Tuesday's release")]), _called(person)
    )


@cache
def rooms() -> Table:
    """Return the clinic's table with the room of each patient, a column without the role of
    quasi-identifier."""
    table = clinic()
    frame = table.frame.assign(room=[11, 12, 11, 14, 15, 15, 16, 17, 14, 18, 19, 19])
    attributes = {one.name: one.role for one in table.schema}
    schema = Schema.infer(frame).with_kinds({"room": "categorical", "age": "numeric"})
    schema = schema.with_roles({**attributes, "room": "other"})
    return Table.from_frame(frame, schema).in_given_order()


def _unchanged(k: int) -> ScreenResult:
    table = rooms()
    release = released(table, Mondrian(), _K)
    counts = release.counts("room")
    _, which, often = np.unique(table.frame["room"], return_inverse=True, return_counts=True)
    facts: dict[str, float] = {"k": _K, "records": len(table), "alone": (counts.counts == 1).sum()}
    facts |= {"rooms": (often == 1).sum()}
    return ScreenResult(facts, classes_of(release, ["illness", "room"], often[which] == 1))


def _diverse(k: int) -> ScreenResult:
    table = clinic()
    release = released(table, Mondrian(), k)
    counts = release.counts("illness")
    different = np.bincount(counts.owner)
    certain = int(release.class_sizes[different == 1].sum())
    facts: dict[str, float] = {"k": k, "least": different.min(), "certain": certain}
    facts |= {"poor": (different == 1).sum(), "records": len(table), "classes": len(different)}
    return ScreenResult(facts, published(table, release, ["illness"]))


LIMITS = Lesson(
    "limits",
    "Limits of k-anonymity",
    9,
    "Four attacks that k-anonymity does not prevent, and the findings of Kanon about them.",
    (
        Screen(
            "All members of a class share a value",
            "At k = {k}, a neighbor who knows the age, sex and district of {person} finds {fits} rows that"
            " fit. The chance of picking the right row is {chance:%}, as k-anonymity guarantees.",
            "The published table with the illness of each row, class by class.",
            _same,
            ("attribute disclosure",),
            question=Amount(
                "How many different illnesses does the class of {person} have?",
                "{values}: all have {illness}, so the neighbor learns the illness without knowing the row."
                " This is called homogeneity, a form of attribute disclosure; here it affects {certain} of"
                " {records} people. k-anonymity limits the chance to find a person's row, not what the rows"
                " reveal.",
                "values",
            ),
        ),
        Screen(
            "Background knowledge",
            "The class of {person} has {rows} rows and {values} different illnesses. A colleague happens to"
            " know that {person} does not have {other}.",
            "One class of the release, with the illness of each row.",
            _known,
            ("Attribute inference",),
            question=Amount(
                "How many illnesses remain possible for {person}?",
                "{left}: {own}. Background knowledge rules out values, and k-anonymity makes no assumption"
                " about it. The more different values a class has, the more an attacker must be able to"
                " rule out.",
                "left",
            ),
        ),
        Screen(
            "The same table, released twice",
            "On Monday the table is released by one algorithm, on Tuesday by another, each with k = {k}."
            " {person} fits {one} rows of the first release and {two} of the second; in each release, one"
            " of these rows belongs to {person}.",
            "The rows that fit {person}, on Monday and on Tuesday.",
            _twice_released,
            ("previous release",),
            question=Choice(
                "What do both releases together show about the illness of {person}?",
                "{illness}: no other illness occurs among the rows that fit in each of the two releases."
                " Together they reveal the illness of {learned} people whose illness was not certain on"
                " Monday, and {fewer} of {records} people now hide among fewer than {k} rows. A release"
                " must be judged together with all earlier ones.",
                ("No more than each release alone", "Exactly which it is"),
                lambda facts: int(facts["learned"] > 0),
            ),
        ),
        Screen(
            "An overlooked column",
            "Another copy of the table also holds the room of each patient. Its owner did not declare the"
            " room as a quasi-identifier, so it is published unchanged. All classes still have at least {k}"
            " rows.",
            "The published table; rooms with only one patient are marked.",
            _unchanged,
            ("unchanged columns", "other"),
            question=Amount(
                "A visitor knows the room of a patient and nothing else. How many people had a room of"
                " their own, and can be found in this way?",
                "{rooms}. In combination with the other columns, {alone} of {records} people are unique. A"
                " column that others can know must be anonymized too, or left out.",
                "rooms",
            ),
        ),
        Screen(
            "Stronger guarantees, and their limits",
            "ℓ-diversity is a guarantee that every class has at least ℓ different sensitive values, here"
            " illnesses. At k = {k} the smallest number is {least}, and the illness of {certain} of"
            " {records} people is certain. A larger k often helps, but guarantees nothing about illnesses.",
            "The published table at k = {k} with illnesses.",
            _diverse,
            ("ℓ-diversity", "t-closeness"),
            slider=Slider(2, 6, 3),
            question=Amount(
                "At k = {k}, the value with which this screen began: in how many of the {classes} classes"
                " is the illness certain?",
                "In {poor}. ℓ-diversity would forbid such classes. It prevents only the first of the four"
                " attacks: an attacker who rules out one of two values still learns the other, several"
                " releases can still be combined, and a room still identifies its patient. Kanon therefore"
                " reports such facts as findings, next to the guarantee that it checked.",
                "poor",
            ),
        ),
    ),
    Try("Read the findings about your release, next to its guarantee.", "tune"),
)

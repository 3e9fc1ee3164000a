"""Limits of k: homogeneity, background knowledge, running again, and unchanged columns."""

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
    """The records that are published as this one is."""
    classes = released(clinic(), Mondrian(), k).classes
    return np.flatnonzero(classes == classes[record])


def _illnesses(record: int) -> list[str]:
    """Return the illnesses of the records that are published as this one is."""
    return [_called(one)["illness"] for one in _of_class(record).tolist()]


def _called(record: int) -> dict[str, str]:
    """The letter of a person, and the illness."""
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
    """A class with several illnesses, of which an attacker can rule out all but one."""
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
    """Return the clinic's table with the room in which each patient lay, a column that nobody thought of."""
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
    "What k does not protect",
    9,
    "Four ways around k-anonymity, and what Kanon says about each.",
    (
        Screen(
            "All have the same",
            "At k = {k}, a neighbor who knows {person}'s age, sex and district finds {fits} rows that fit,"
            " and picks the right one with {chance:%}. That is what k promised.",
            "The published table with the illness of each row, class by class.",
            _same,
            ("attribute disclosure",),
            question=Amount(
                "How many different illnesses stand in {person}'s class?",
                "{values}: all have {illness}, so the neighbor knows it without knowing the row. This is"
                " called homogeneity; it is so for {certain} of {records} people here. k is about whose a"
                " row is, not about what rows say.",
                "values",
            ),
        ),
        Screen(
            "Somebody knows a little more",
            "{person}'s class has {rows} rows and {values} different illnesses. A colleague happens to know"
            " that {person} does not have {other}.",
            "One class of the release, with the illness of each row.",
            _known,
            ("Attribute inference",),
            question=Amount(
                "How many illnesses are left for {person}?",
                "{left}, so it is {own}. Background knowledge rules values out, and k cannot know what"
                " others know. The more different values a class has, the more of them must be ruled out.",
                "left",
            ),
        ),
        Screen(
            "The same table, released twice",
            "On Monday the table is released by one algorithm, on Tuesday by another, each with k = {k}."
            " {person} has {one} rows that fit on Monday and {two} on Tuesday; the person is behind one row"
            " of each.",
            "The rows that fit {person}, on Monday and on Tuesday.",
            _twice_released,
            ("previous release",),
            question=Choice(
                "What can be read from both together about {person}'s illness?",
                "{illness}: no other illness can be that of one row of each. So it is learned of {learned}"
                " people who were safe on Monday; {fewer} of {records} are left among fewer than {k} rows."
                " Every release counts together with those before it.",
                ("No more than from each alone", "Exactly which it is"),
                lambda facts: int(facts["learned"] > 0),
            ),
        ),
        Screen(
            "The column nobody thought of",
            "Another copy of the table tells in which room each patient lay. Nobody called it a"
            " quasi-identifier, so it is published as it is. All classes still have at least {k} rows.",
            "The published table; rooms in which only one patient lay are marked.",
            _unchanged,
            ("unchanged columns", "other"),
            question=Amount(
                "A visitor knows somebody's room and nothing else. How many people lay alone in their room,"
                " and are found by it?",
                "{rooms}. With the other columns, {alone} of {records} people are alone. A column that"
                " others can see must be anonymized as well, or left out.",
                "rooms",
            ),
        ),
        Screen(
            "What helps, and what it does not",
            "ℓ-diversity asks for at least ℓ different values in each class. At k = {k} the fewest are"
            " {least}, and of {certain} of {records} people the illness is certain. A larger k often helps,"
            " and never promises it.",
            "The published table at k = {k} with illnesses.",
            _diverse,
            ("ℓ-diversity", "t-closeness"),
            slider=Slider(2, 6, 3),
            question=Amount(
                "At k = {k}, as the screen began: in how many of the {classes} classes is the illness"
                " certain?",
                "In {poor}. ℓ-diversity would forbid such classes, and close the first of the four ways"
                " only: who rules out one of two values knows the other, several releases still add up, and"
                " a room still finds its patient. That is why Kanon puts findings beside every verdict.",
                "poor",
            ),
        ),
    ),
    Try("Read what Kanon finds in your release, beside the promise that holds.", "tune"),
)

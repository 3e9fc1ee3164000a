"""What k does not protect: homogeneity, background knowledge, running again, unchanged columns."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.vmdav import VMDAV
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.words import tr
from kanon_core.guarantees.attributes.ldiversity import LDiversity
from kanon_core.lessons.lesson import Lesson, Screen, Seen, Slider, Try
from kanon_core.lessons.question import Amount, Choice
from kanon_core.lessons.scenes.beside import Beside
from kanon_core.lessons.scenes.published import published
from kanon_core.lessons.scenes.rows import Cell, Rows, marked
from kanon_core.lessons.tables import clinic, released
from kanon_core.release.release import Release
from kanon_core.risk.candidates import candidates
from kanon_core.risk.several.intersection import intersect
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

_K = 3


def _of_class(record: int, k: int = _K) -> np.ndarray:
    """The records that are published as this one is."""
    classes = released(clinic(), Mondrian(), k).classes
    return np.flatnonzero(classes == classes[record])


def _same(k: int) -> Seen:
    table, release = clinic(), released(clinic(), Mondrian(), _K)
    certain = [i for i in range(len(table)) if candidates(table, release, i).certain]
    person = certain[0]
    found = candidates(table, release, person)
    facts: dict[str, float] = {
        "k": _K,
        "fits": found.count_after,
        "chance": 1 / found.count_after,
        "certain": len(certain),
    }
    facts |= {"records": len(table), "values": len(set(table.frame["illness"].iloc[_of_class(person)]))}
    names = {"person": str(table.frame["person"].iloc[person])}
    names["illness"] = str(table.frame["illness"].iloc[person])
    return Seen(facts, published(table, release, ["illness"]), names)


def _known(k: int) -> Seen:
    """A class with several illnesses, of which an attacker can rule out all but one."""
    table, release = clinic(), released(clinic(), Mondrian(), _K)
    sizes = [(len(set(table.frame["illness"].iloc[_of_class(i)])), i) for i in range(len(table))]
    person = next(i for different, i in sizes if different == 2)
    members = _of_class(person)
    ill = table.frame["illness"].iloc[members].tolist()
    own = str(table.frame["illness"].iloc[person])
    other = next(one for one in ill if one != own)
    facts: dict[str, float] = {
        "k": _K,
        "rows": len(members),
        "values": len(set(ill)),
        "left": len(set(ill) - {other}),
    }
    frame = release.to_frame(members)
    rows = [[*map(str, row[:-1]), marked(row[-1])] for row in frame.itertuples(index=False)]
    names = {"person": str(table.frame["person"].iloc[person]), "own": own, "other": str(other)}
    return Seen(facts, Rows(list(frame.columns), rows, title=tr("One class of the release")), names)


def _again(k: int) -> Seen:
    table = clinic()
    first, second = released(table, MDAV(), _K), released(table, VMDAV(), _K)
    found = intersect(table, [first, second], _K)
    learned = found.learned("illness")
    facts: dict[str, float] = {
        "k": _K,
        "records": len(table),
        "single": int(found.single.sum()),
        "learned": int(learned.sum()),
    }
    facts |= {"fewer": int(found.fewer.sum()), "least": int(found.left[found.left > 0].min())}
    person = int(np.flatnonzero(learned)[0])
    facts |= {"one": int(found.each[0][person]), "two": int(found.each[1][person])}
    left, right = (_rows_of(release, person) for release in (first, second))
    names = {"person": str(table.frame["person"].iloc[person])}
    names["illness"] = str(table.frame["illness"].iloc[person])
    return Seen(facts, Beside([left, right], [tr("Monday's release"), tr("Tuesday's release")]), names)


def _rows_of(release: Release, record: int) -> Rows:
    frame = release.to_frame(candidates(clinic(), release, record).after)
    return Rows(list(frame.columns), [[str(cell) for cell in row] for row in frame.itertuples(index=False)])


@cache
def rooms() -> Table:
    """The clinic's table with the room in which each patient lay, a column nobody thought of."""
    table = clinic()
    frame = table.frame.assign(room=[11, 12, 11, 14, 15, 15, 16, 17, 14, 18, 19, 19])
    attributes = {one.name: one.role for one in table.schema}
    schema = Schema.infer(frame).with_kinds({"room": "categorical", "age": "numeric"})
    schema = schema.with_roles({**attributes, "room": "other"})
    return Table.from_frame(frame, schema).in_given_order()


def _unchanged(k: int) -> Seen:
    table = rooms()
    release = released(table, Mondrian(), _K)
    counts = release.counts("room")
    values = table.frame["room"].to_numpy()
    alone = int((np.unique(values, return_counts=True)[1] == 1).sum())
    facts: dict[str, float] = {
        "k": _K,
        "records": len(table),
        "alone": int((counts.counts == 1).sum()),
        "rooms": alone,
    }
    frame = release.to_frame()
    order = np.argsort(release.classes, kind="stable")
    once = {value for value, n in zip(*np.unique(values, return_counts=True), strict=True) if n == 1}
    rows = [
        [
            *(str(frame[name].iloc[i]) for name in ("age", "sex", "district", "illness")),
            marked(values[i]) if values[i] in once else Cell(str(values[i])),
        ]
        for i in order.tolist()
    ]
    heads = ["age", "sex", "district", "illness", "room"]
    return Seen(facts, Rows(heads, rows, release.classes[order].tolist()))


def _diverse(k: int) -> Seen:
    table = clinic()
    release = released(table, Mondrian(), k)
    counts = release.counts("illness")
    different = np.bincount(counts.owner)
    verdict = LDiversity(l=2).check(table, release)
    certain = int(release.class_sizes[different == 1].sum())
    facts: dict[str, float] = {
        "k": k,
        "least": int(different.min()),
        "certain": certain,
        "holds": float(verdict.holds),
    }
    facts["poor"] = int((different == 1).sum())
    facts |= {"records": len(table), "classes": len(different)}
    return Seen(facts, published(table, release, ["illness"]))


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
            _again,
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

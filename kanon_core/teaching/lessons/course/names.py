"""Lesson on the removal of names: several columns together can identify a person."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.words import tr
from kanon_core.risk.attackers import Prosecutor
from kanon_core.risk.candidates import candidates
from kanon_core.risk.measuring import risks
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Beside, Rows, gone, marked, original, published, texts_of
from kanon_core.teaching.lessons.small_tables import clinic, released, table_of

_KNOWN = ("age", "sex", "district")
_SOUGHT = 4
"""The record that the neighbor looks for, from 0."""


def _handed_out(k: int) -> ScreenResult:
    table = clinic()
    rows = [[gone(row[0]), *row[1:]] for row in texts_of(table, table.schema.names)]
    return ScreenResult({"records": len(table)}, Rows(table.schema.names, rows))


def _neighbor(k: int) -> ScreenResult:
    table = clinic()
    found = candidates(table, released(table, Mondrian(), 3), _SOUGHT, dict.fromkeys(_KNOWN, 0))
    person = table.frame.iloc[_SOUGHT]
    who = tr("man") if person["sex"] == "M" else tr("woman")
    names = {"who": who, "district": str(person["district"]), "illness": str(person["illness"])}
    facts: dict[str, float] = {"age": float(person["age"]), "fits": found.count_before, "row": _SOUGHT + 1}
    facts |= {"same_age": (table.frame["age"] == person["age"]).sum()}
    return ScreenResult(facts, _without_names(), names)


def _without_names(title: str = "") -> Rows:
    table = clinic()
    return original(table, table.schema.names[1:], title=title).numbered()


@cache
def alone(names: tuple[str, ...]) -> tuple[int, int]:
    """Return how many people have a combination of values of these columns that nobody else has, and the
    smallest number of people who share one."""
    table = clinic()
    hides = risks(table.with_schema(table.schema.with_quasi(names)), attackers=[Prosecutor()]).before
    return int((hides == 1).sum()), int(hides.min())


def _one_by_one(k: int) -> ScreenResult:
    table = clinic()
    single = {f"least_{name}": alone((name,))[1] for name in _KNOWN}
    facts: dict[str, float] = {"records": len(table), "alone": alone(_KNOWN)[0], **single}
    rows = [[name, str(alone((name,))[0]), str(alone((name,))[1])] for name in _KNOWN]
    heads = [tr("known"), tr("people with a unique value"), tr("fewest people who share a value")]
    return ScreenResult(facts, Beside([_without_names(), Rows(heads, rows)]))


def _together(k: int) -> ScreenResult:
    sets = [names for size in (1, 2, 3) for names in combinations(_KNOWN, size)]
    rows = [[", ".join(names), marked(alone(names)[0]) if alone(names)[0] else "0"] for names in sets]
    pairs = max(alone(names)[0] for names in sets if len(names) == 2)
    facts: dict[str, float] = {"records": len(clinic()), "alone": alone(_KNOWN)[0], "pair": pairs}
    facts["hidden"] = len(clinic()) - facts["alone"]
    return ScreenResult(facts, Rows([tr("known"), tr("people with a unique value")], rows))


@cache
def club() -> Table:
    """Return a club's list of members: four of the clinic's patients, and one person who is not a patient."""
    return table_of(
        {
            "member": list("BEJKZ"),
            "age": [23, 34, 52, 57, 30],
            "sex": list("MMMFM"),
            "district": ["North", "South", "South", "South", "North"],
        },
        {"member": "identifier"},
        {"age": "numeric", "sex": "categorical", "district": "categorical"},
    )


def fitting() -> np.ndarray:
    """Return whether each row of the clinic fits each member of the club: bool (members, patients)."""
    table, others = clinic(), club()
    known = [table.frame[name].to_numpy() for name in _KNOWN]
    wanted = [others.frame[name].to_numpy() for name in _KNOWN]
    agree = [a[None, :] == b[:, None] for a, b in zip(known, wanted, strict=True)]
    return np.asarray(np.logical_and.reduce(agree))


def _joined(k: int) -> ScreenResult:
    found = fitting()
    left = original(club(), title=tr("The club's public list of members"))
    right = _without_names(tr("The clinic's table without names"))
    facts: dict[str, float] = {"members": len(found), "found": (found.sum(axis=1) == 1).sum()}
    facts |= {"several": (found.sum(axis=1) > 1).sum(), "none": (found.sum(axis=1) == 0).sum()}
    return ScreenResult(facts, Beside([left, right]))


def _coarser(k: int) -> ScreenResult:
    table = clinic()
    release = released(table, Mondrian(), k)
    hides = risks(table, release, [Prosecutor()]).after
    assert hides is not None
    facts: dict[str, float] = {"k": k, "alone": (hides == 1).sum(), "least": hides.min()}
    facts |= {"before": alone(_KNOWN)[0]}
    return ScreenResult(facts, published(table, release, ["illness"]))


NAMES = Lesson(
    "names",
    "Why removing names is not enough",
    6,
    "Columns that hold no names can identify a person together.",
    (
        Screen(
            "The names are gone",
            "A clinic wants to share data on the illnesses of its {records} patients. It removes one"
            " column, the names, and calls the table anonymous. Is it?",
            "A table of {records} patients; the column “person” is crossed out.",
            _handed_out,
            ("identifier",),
        ),
        Screen(
            "A neighbor knows something",
            "A neighbor has heard that the {who} next door was a patient of this clinic. The neighbor knows"
            " three facts that are no secret: this person is {age} years old, a {who}, and lives in the"
            " {district}.",
            "The table without names: age, sex, district and illness of each row.",
            _neighbor,
            ("attacker",),
            question=Amount(
                "How many rows agree with everything that the neighbor knows?",
                "{same_age} rows have this age, but only row {row} agrees with the rest too. The neighbor"
                " now reads the illness: {illness}. No name was needed.",
                "fits",
            ),
        ),
        Screen(
            "Which column is to blame?",
            "Look at each column alone. At least {least_age} people share each age, at least {least_sex}"
            " each sex and at least {least_district} each district. No single column identifies anybody.",
            "The table; beside it, for each column, the number of people whose value nobody else has.",
            _one_by_one,
            question=Choice(
                "How many of the {records} people are unique when all three columns are combined? (A person"
                " is unique when nobody else has the same three values.)",
                "{alone} of {records}. Each column leaves several people who share a value, but hardly any"
                " two people share all three values.",
                (
                    "None, because no single column identifies anybody",
                    "Some, but fewer than half",
                    "More than half of them",
                ),
                lambda facts: 0 if facts["alone"] == 0 else 1 + int(2 * facts["alone"] > facts["records"]),
            ),
        ),
        Screen(
            "Combined columns work like a name",
            "Two columns together single out up to {pair} people: nobody else has the same two values. All"
            " three single out {alone}; only {hidden} people share all three values with somebody. Columns"
            " that others may know and that can identify a person in combination are called"
            " quasi-identifiers.",
            "For each combination of columns, the number of people with unique values.",
            _together,
            ("quasi-identifier",),
        ),
        Screen(
            "Another list holds the names",
            "An attacker does not have to know anybody. The list of a club holds {members} names with the"
            " same three columns. Whoever compares both tables can join the rows that agree; this is called"
            " linkage.",
            "The list of a club with {members} members, and the clinic's table.",
            _joined,
            ("linkage",),
            question=Amount(
                "For how many of the {members} members does exactly one row agree?",
                "Exactly one row agrees: {found} of {members} members. More than one row: {several}; no row:"
                " {none}. One agreeing row is proof only for an attacker who knows that the member was a"
                " patient. For others it is a good guess: the row may belong to a person who is not in the"
                " club.",
                "found",
            ),
        ),
        Screen(
            "A remedy: publish less detail",
            "Ranges replace ages, and sets of values replace single values; this is called generalization."
            " With k you choose how many rows must at least look alike. At k = {k}, each row is one of at"
            " least {least} equal rows; {alone} people are unique, where {before} were before. Move k: what"
            " does this protection cost?",
            "The table with ranges of ages and sets of values; rows that look alike have the same number.",
            _coarser,
            ("generalize",),
            slider=Slider(2, 6, 2),
        ),
    ),
    Try("See which columns of your table single people out, alone and in combination.", "data"),
)

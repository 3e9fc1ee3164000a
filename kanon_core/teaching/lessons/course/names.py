"""Removing names is not enough: columns that name nobody name somebody together."""

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
"""The record that the neighbor looks for."""


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
    return ScreenResult(facts, _numbered(table), names)


def _numbered(table: Table) -> Rows:
    shown = original(table, table.schema.names[1:])
    rows = [[i, *row] for i, row in enumerate(shown.rows, 1)]
    return Rows([tr("row"), *shown.heads], rows)


@cache
def alone(names: tuple[str, ...]) -> tuple[int, int]:
    """Return how many people are alone by these columns of the clinic's table, and the fewest people among
    whom somebody hides."""
    table = clinic()
    hides = risks(table.with_schema(table.schema.with_quasi(names)), attackers=[Prosecutor()]).before
    return int((hides == 1).sum()), int(hides.min())


def _one_by_one(k: int) -> ScreenResult:
    table = clinic()
    single = {f"least_{name}": alone((name,))[1] for name in _KNOWN}
    facts: dict[str, float] = {"records": len(table), "alone": alone(_KNOWN)[0], **single}
    rows = [[name, str(alone((name,))[0]), str(alone((name,))[1])] for name in _KNOWN]
    heads = [tr("known"), tr("people alone with it"), tr("fewest who share a value")]
    return ScreenResult(facts, Beside([_numbered(table), Rows(heads, rows)]))


def _together(k: int) -> ScreenResult:
    sets = [names for size in (1, 2, 3) for names in combinations(_KNOWN, size)]
    rows = [[", ".join(names), marked(alone(names)[0]) if alone(names)[0] else "0"] for names in sets]
    pairs = max(alone(names)[0] for names in sets if len(names) == 2)
    facts: dict[str, float] = {"records": len(clinic()), "alone": alone(_KNOWN)[0], "pair": pairs}
    facts["hidden"] = len(clinic()) - facts["alone"]
    return ScreenResult(facts, Rows([tr("known"), tr("people alone with it")], rows))


@cache
def club() -> Table:
    """Return a club's list of members: letters of the clinic's patients, and one person who is no patient."""
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
    """bool (members, patients): which rows of the clinic fit which member of the club."""
    table, others = clinic(), club()
    known = [table.frame[name].to_numpy() for name in _KNOWN]
    wanted = [others.frame[name].to_numpy() for name in _KNOWN]
    agree = [a[None, :] == b[:, None] for a, b in zip(known, wanted, strict=True)]
    return np.asarray(np.logical_and.reduce(agree))


def _joined(k: int) -> ScreenResult:
    found = fitting()
    left = original(club(), title=tr("A club's list, which anybody can read"))
    rows = _numbered(clinic())
    right = Rows(rows.heads, rows.rows, title=tr("The clinic's table without names"))
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
    "Columns that name nobody name somebody together.",
    (
        Screen(
            "The names are gone",
            "A clinic wants to share what its {records} patients were treated for. It strikes out one column,"
            " the names, and calls the table anonymous. Is it?",
            "A table of {records} patients; the column of the person is struck out.",
            _handed_out,
            ("identifier",),
        ),
        Screen(
            "A neighbor reads on",
            "A neighbor has heard that the {who} next door was in this clinic. The neighbor knows three"
            " things that are no secret: {age} years old, a {who}, living in the {district}.",
            "The table without names: age, sex, district and illness of each row.",
            _neighbor,
            ("attacker",),
            question=Amount(
                "How many rows fit all that the neighbor knows?",
                "Of the {same_age} rows with this age only row {row} fits the rest too. The neighbor now"
                " reads the illness: {illness}. No name was needed.",
                "fits",
            ),
        ),
        Screen(
            "Which column was it?",
            "Look at each column alone. At least {least_age} people share each age, at least {least_sex} each"
            " sex and at least {least_district} each district: no column singles anybody out.",
            "The table, and beside it each column with the number of people who are alone with their value.",
            _one_by_one,
            question=Choice(
                "And how many of the {records} people are alone when all three columns are known?",
                "{alone} of {records}. Every column lets through a few, and hardly anybody passes all three"
                " together with somebody else.",
                (
                    "None, as no column singles anybody out",
                    "Some, but fewer than half",
                    "More than half of them",
                ),
                lambda facts: 0 if facts["alone"] == 0 else 1 + int(2 * facts["alone"] > facts["records"]),
            ),
        ),
        Screen(
            "Together they are as good as a name",
            "Two columns already single out up to {pair} people, all three {alone}; only {hidden} people are"
            " left who share everything. Columns that others may know and that lead to a person together are"
            " called quasi-identifiers.",
            "For each set of columns, how many people are alone with their combination of values.",
            _together,
            ("quasi-identifier",),
        ),
        Screen(
            "Somebody else's list has the names",
            "It need not be a neighbor. The list of a club has {members} names with the same columns, and"
            " whoever lays both tables side by side joins the rows that agree.",
            "The list of a club with {members} members, and the clinic's table.",
            _joined,
            ("linkage",),
            question=Amount(
                "For how many of the {members} members does exactly one row fit?",
                "For {found}. For {several} more than one row fits, for {none} none. Mind what is not shown:"
                " one fitting row is proof only to somebody who knows that the member was a patient; to"
                " others it is a good guess, for the row may be that of somebody who is in no club.",
                "found",
            ),
        ),
        Screen(
            "What helps: to say less",
            "Where ages become ranges, people begin to share rows. At k = {k} everybody shares theirs with so"
            " many that at least {least} rows look alike, and {alone} people are alone; before it were"
            " {before}. Move k: what is paid for it?",
            "The table with ranges of ages and sets of values; rows that look alike have one number.",
            _coarser,
            ("generalize",),
            slider=Slider(2, 6, 2),
        ),
    ),
    Try("See which columns of your table single people out, alone and together.", "data"),
)

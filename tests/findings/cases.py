"""Seven releases of which every guarantee holds, and their findings, for docs/reference/findings.md."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import kanon_core as kc

_AS_IF_SECRET = 2**127
"""As long as one that is drawn, so that it is not taken for one that was given."""
CUSTOMERS = b"""customer_id,age,city,diagnosis
7,30,A,hiv
7,30,A,hiv
7,30,A,hiv
8,50,B,ok
9,51,B,flu
10,52,B,ok
"""
BADGES = CUSTOMERS.replace(b"customer_id", b"badge_id")
"""Badges are no name of a person that is asked about, and left out."""
AGES = b"age,diagnosis\n20,hiv\n21,hiv\n22,hiv\n60,ok\n61,ok\n62,ok\n"
UNCUT = b"age,diagnosis\n20,hiv\n20,hiv\n60,flu\n60,ok\n60,gout\n"
INCOMES = b"""income,area
10,a
10,a
1000,a
50,b
50,b
51,c
"""
BIRTHS = b"""born,city
1931-03-04,A
1940-11-30,A
1940-11-30,A
1980-01-02,B
1980-01-02,B
1991-06-07,B
"""


class Case(NamedTuple):
    """A release with a title and what a reader must know to follow it."""

    title: str
    about: str
    release: kc.Release


def customers() -> kc.Release:
    """The holder of badge 7 has three of six records."""
    return kc.anonymize(kc.read_table(BADGES), kc.MDAV(), k=3, seed=_AS_IF_SECRET)


def ages() -> kc.Release:
    """The young have one diagnosis, the old another."""
    return kc.anonymize(kc.read_table(AGES), kc.MDAV(), k=3, seed=_AS_IF_SECRET)


def uncut() -> kc.Release:
    """One class of five, which would have been cut by age if the two of 20 had different diagnoses."""
    table = kc.read_table(UNCUT)
    table = table.with_schema(table.schema.with_roles({"diagnosis": "sensitive"}))
    return kc.anonymize(table, kc.Mondrian(diversity=2.0), k=2, seed=_AS_IF_SECRET)


def incomes() -> kc.Release:
    """The mean of 10, 10 and 1000, and the mode of b, b and c."""
    table = kc.read_table(INCOMES)
    schema = table.schema.with_quasi(["income", "area"]).with_recodings({"income": "mean", "area": "mode"})
    return kc.anonymize(table.with_schema(schema), kc.MDAV(), k=3, seed=_AS_IF_SECRET)


def births() -> kc.Release:
    """Dates as intervals, of which some ends are one person's."""
    return kc.anonymize(kc.read_table(BIRTHS), kc.MDAV(), k=3, seed=_AS_IF_SECRET)


def households() -> kc.Release:
    """Years of education beside education, and a weight that hardly repeats."""
    table = kc.read_table("sample:households-5000")
    kept = {"age": "quasi_identifier", "sex": "quasi_identifier", "education": "quasi_identifier"}
    kept |= {"education_years": "other", "weight": "other"}
    roles = dict.fromkeys(table.schema.names, "identifier") | kept
    return kc.anonymize(
        table.with_schema(table.schema.with_roles(roles)), kc.Mondrian(), k=10, seed=_AS_IF_SECRET
    )


def rerun() -> kc.Release:
    """k-concealment with a seed that anybody tries first."""
    return kc.anonymize(kc.read_table("sample:people-100"), kc.OptimalConcealment(), k=5, seed=1)


_CASES: tuple[tuple[str, str, Callable[[], kc.Release]], ...] = (
    (
        "A release that can be run again",
        "100 people (`sample:people-100`), the optimum of k-concealment, k = 5, seed 1.",
        rerun,
    ),
    (
        "One person’s records count as several people",
        "Badges 7, 7, 7, 8, 9, 10 with age, city and diagnosis, MDAV, k = 3. `badge_id` was guessed to be an"
        " identifier, and nobody said whose the records are.",
        customers,
    ),
    (
        "Everybody in a class has the same diagnosis",
        "Ages 20, 21, 22 with one diagnosis, 60, 61, 62 with another, MDAV, k = 3.",
        ages,
    ),
    (
        "A cut that was not made",
        "Ages 20, 20, 60, 60, 60; the first two have the same diagnosis, the others three others. Mondrian,"
        " k = 2, with at least ℓ = 2 diagnoses in every class.",
        uncut,
    ),
    (
        "Columns that are published unchanged",
        "5,000 people (`sample:households-5000`): age, sex and education are quasi-identifiers,"
        " `education_years` and `weight` have the role other; Mondrian, k = 10.",
        households,
    ),
    (
        "A mean that gives the extreme away",
        "Incomes 10, 10, 1000 in area a, 50, 50 in b and 51 in c, published as means and modes; MDAV, k = 3.",
        incomes,
    ),
    ("Dates that end intervals", "Dates of birth of six people in two cities, MDAV, k = 3.", births),
)


@functools.cache
def cases() -> tuple[Case, ...]:
    """All of them, made once."""
    return tuple(Case(title, about, make()) for title, about, make in _CASES)

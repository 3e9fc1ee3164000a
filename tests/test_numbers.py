"""Numbers with nouns: one record, two records, in every sentence."""

from __future__ import annotations

import ast
import re
from itertools import chain

from kanon_core.base import words
from kanon_core.base.words import NOUNS, counted, tr_n
from tests.test_house import CODE, called, named, tree_of

NEVER_ONE = {
    "k": "k is 2 or more",
    "members": "a group has k records or more",
    "title": "it is the name of a metric",
    "limit": "what is possible at most is never a single record, row, pair …",
}
"""Placeholders that are never filled with 1 in a sentence, each with the reason."""
SEVERAL = {
    "steps are told of a table, a group or a part of k records or more": (
        "A part of {size} records",
        "All clusters together: {k} matchings of all {n} records",
        "All fragments together: {k} matchings of all {n} records",
        "All {count} records are one",
        "At the beginning all {n} records are one group",
        "Cluster {number} of {count} has {size} records",
        "F({end}), the first {end} records",
        "Fragment 1 of {count} has {size} records",
        "Matching 1, the identity, leads each of the {n} records",
        "None of the {count} records has a group yet",
        "Of the {left} records left",
        "The best last group of the first {end} records",
        "Going back from place {end} of the order",
        "The {count} records are",
        "The {count} records left become",
        "The {end} records left",
        "The {left} records left become",
        "The {n} records belong to {count} people",
        "With 2k − 1 = {most} records",
        "k is {k}. Which {count} records",
        "{size} records in {groups}",
        "{widths}, divided by {count} records",
        "“{column}” is not cut: {below} of {size} records",
    ),
    "both sides of a cut have k records or more": (
        "{left} records",
        "“{column}” ({left} and {right} records)",
        "“{column}” is not cut: parts of {left} and {right} records",
        "{size} records are more than {rows}",
    ),
    "classes and clusters have k records or more": (
        "The equivalence classes, rows with equal cells, have {sizes} records",
        "Ward's method, {how}: {count} clusters of {sizes} records",
        "Ward's method, {how}: one cluster of {sizes} records",
    ),
    "a limit of 2 or more is exceeded": (
        "Column “{name}” has",
        "Compared: {compared:,} of the {distinct:,}",
        "Published values of “{name}” are nearly the originals",
        "Only the {limit} largest of {all:,} columns",
        "The steps cover at most {limit} records. These are {shown} of the {count:,}",
    ),
    "papers compare several releases": (
        "Noise moves records apart",
        "Swapping keeps the values",
        "{what}: with MDAV at most 1 in k, in {kept} of {count} releases",
    ),
    "there is another sentence for one": (
        "All {fragments} fragments together: {count} groups of {least} to {most} records",
        "Block {number}: {people} ({why}) have {counts} records",
        "Places {begin} to {end} of the order, {spread}, become",
        "The next {count} records take",
        "There are {count} columns “{name}”",
        "{count} pairs, at most",
        "{count} parts with {size} records",
        "{count} values",
        "{other} loses less than {first} at {better} of {all} values of k",
    ),
}
"""Beginnings of sentences in which a number stands before a plural and is never 1, by why."""
PLURAL = re.compile(
    r"\{(?!(?:" + "|".join(NEVER_ONE) + r")\b)[a-z_]+(:,)?\}\*? (" + "|".join(NOUNS.values()) + r")\b"
)


def plurals() -> dict[str, str]:
    """Sentences in which a number stands before a plural that 1 does not have: where they stand."""
    return {
        str(text.value): f"{named(path)}:{call.lineno}"
        for path in CODE
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and called(call) in ("tr", "later")
        for text in call.args[:1]
        if isinstance(text, ast.Constant) and PLURAL.search(str(text.value))
    }


def test_a_number_before_a_noun_goes_by_the_number():
    several = tuple(chain.from_iterable(SEVERAL.values()))
    found = plurals()
    wrong = [f"{place}: {text}" for text, place in found.items() if not text.startswith(several)]
    assert not wrong, "use kanon_core.base.words.counted or tr_n"
    stale = [begin for begin in several if not any(text.startswith(begin) for text in found)]
    assert not stale, "no sentence begins so any more"


def test_one_is_one_and_all_else_many():
    assert [counted(n, "class") for n in (0, 1, 2, 1_000)] == [
        "0 classes",
        "1 class",
        "2 classes",
        "1,000 classes",
    ]
    assert [tr_n("{n} is", "{n} are", n).format(n=n) for n in (1, 1.0, 1.5, 0)] == [
        "1 is",
        "1.0 is",
        "1.5 are",
        "0 are",
    ]


def test_a_language_with_other_plurals_chooses_among_them(monkeypatch):
    class Three(words.gettext.NullTranslations):
        def ngettext(self, one, many, count):
            return f"{many} ({'many' if count >= 5 else 'few' if count > 1 else 'one'})"

    monkeypatch.setattr(words, "_catalog", lambda language: Three())
    assert [counted(n, "row") for n in (1, 2, 7)] == ["1 rows (one)", "2 rows (few)", "7 rows (many)"]

"""Numbers with nouns: one record, two records, in every sentence."""

from __future__ import annotations

import ast
import re
from collections import Counter

from kanon_core.base import words
from kanon_core.base.words import NOUNS, counted, tr_n
from tests.test_house import CODE, called, named, tree_of

NEVER_ONE = {
    "k": "k is 2 or more",
    "members": "a group has k records or more",
    "limit": "what is possible at most is never a single record, row, pair …",
}
"""What is filled into sentences and never 1, and why."""
PLURAL = re.compile(
    r"\{(?!(?:" + "|".join(NEVER_ONE) + r")\b)[a-z_]+(:,)?\}\*? (" + "|".join(NOUNS.values()) + r")\b"
)
STILL_PLURAL: dict[str, int] = {
    "kanon_core/algorithms": 6,
    "kanon_core/charts": 54,
    "kanon_core/checks": 7,
    "kanon_core/cli": 4,
    "kanon_core/distances": 2,
    "kanon_core/explain": 89,
    "kanon_core/findings": 28,
    "kanon_core/guarantees": 42,
    "kanon_core/metrics": 6,
    "kanon_core/papers": 15,
    "kanon_core/prices.py": 1,
    "kanon_core/release": 4,
    "kanon_core/report": 12,
    "kanon_core/risk": 12,
    "kanon_core/scale": 10,
    "kanon_core/table": 15,
}
"""By room, in how many sentences a number stands before a plural that 1 does not have. They may only fall."""


def plurals() -> Counter[str]:
    """How many there are now."""
    return Counter(
        "/".join(named(path).split("/")[:2])
        for path in CODE
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and called(call) in ("tr", "later")
        for text in call.args[:1]
        if isinstance(text, ast.Constant) and PLURAL.search(str(text.value))
    )


def test_a_number_before_a_noun_goes_by_the_number():
    found = plurals()
    more = {room: count for room, count in found.items() if count > STILL_PLURAL.get(room, 0)}
    assert not more, "use kanon_core.base.words.counted or tr_n"
    fewer = {room: count for room, count in STILL_PLURAL.items() if count > found[room]}
    assert not fewer, "good: write the lower numbers down"


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

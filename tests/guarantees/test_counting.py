"""The counts of a file's cells, against plain counting over all pairs of rows."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.guarantees.files.cells import Counting
from kanon_core.guarantees.files.written import WrittenFile
from tests.helpers import looped, verdict_on

ROLES = {"a": "quasi_identifier", "b": "quasi_identifier", "c": "quasi_identifier", "ill": "sensitive"}
GAPS = ("*", "", "NA")


def written(rows: list[tuple[str, ...]], counting: Counting, **roles: str) -> WrittenFile:
    """A file of texts with these columns: a, b, c, ill, and whose it is where there are five."""
    frame = pd.DataFrame(rows, columns=["a", "b", "c", "ill", "who"][: len(rows[0])], dtype="str")
    schema = kc.Schema.infer(frame).with_kinds(dict.fromkeys(frame, "categorical"))
    return WrittenFile(kc.Table.from_frame(frame, schema.with_roles({**ROLES, **roles})), frame, counting)


cell = st.sampled_from(["x", "y", "*", "", "NA"])
row = st.tuples(cell, cell, cell, st.sampled_from(["flu", "gout", "ok"]), st.sampled_from("pqrs"))


def fits(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Equal wherever neither has a gap."""
    return all(x in GAPS or y in GAPS or x == y for x, y in zip(one[:3], other[:3], strict=True))


@pytest.mark.deep
@given(st.lists(row, min_size=1, max_size=12), st.booleans())
def test_cells_that_fit_every_value_are_compared_pair_by_pair(rows, persons):
    file = written(rows, Counting(missing="any", stars=True), who="person" if persons else "other")
    counts = file.counts("ill")
    for number, one in enumerate(rows):
        like = [other for other in rows if fits(one, other)]
        among = {other[4] for other in like} if persons else like
        klass = file.classes[number]
        assert file.class_sizes[klass] == len(among)
        values = Counter({(o[3], o[4]) for o in like}) if persons else Counter((o[3], "") for o in like)
        expected = Counter[str]()
        for (ill, _), count in values.items():
            expected[ill] += count
        own = counts.owner == klass
        assert sorted(counts.counts[own].tolist()) == sorted(expected.values())


@pytest.mark.deep
@given(st.lists(row, min_size=1, max_size=12), st.booleans(), st.sampled_from(["own", "out"]))
def test_classes_are_those_of_equal_rows(rows, persons, missing):
    file = written(rows, Counting(missing=missing), who="person" if persons else "other")
    for number, one in enumerate(rows):
        stars = all(text == "*" for text in (*one[:3], *one[4:][: int(persons)]))
        judged = not stars and (missing == "own" or not any(text in GAPS for text in one[:3]))
        assert (file.classes[number] >= 0) == judged
        if judged:
            like = [o for o, k in zip(rows, file.classes, strict=True) if k == file.classes[number]]
            assert all(o[:3] == one[:3] for o in like) and sum(o[:3] == one[:3] for o in rows) >= len(like)
            assert file.class_sizes[file.classes[number]] == (
                len({o[4] for o in like}) if persons else len(like)
            )


@pytest.mark.deep
@given(st.lists(row, min_size=2, max_size=10))
def test_what_holds_of_values_of_their_own_holds_where_they_fit_every_value(rows):
    """A set of rows that fit is made of whole classes, so nothing in it is less mixed than in the worst."""
    own, fit = (written(rows, Counting(missing=missing, stars=True)) for missing in ("own", "any"))
    for guarantee in (
        kc.KAnonymity(2),
        kc.LDiversity(l=2),
        kc.LDiversity(l=1.5, entropy=True),
        kc.RecursiveDiversity(c=2, l=2),
        kc.AlphaKAnonymity(alpha=0.6, k=2),
        kc.TCloseness(t=0.3),
        kc.BetaLikeness(beta=0.5),
        kc.DeltaDisclosure(delta=0.7),
    ):
        if verdict_on(guarantee, own).holds:
            assert verdict_on(guarantee, fit).holds, guarantee


def test_the_three_ways_give_three_answers():
    rows = [
        ("x", "x", "x", "flu"),
        ("x", "x", "x", "gout"),
        ("x", "x", "*", "flu"),
        ("y", "x", "x", "ok"),
    ] * 2
    told = {
        missing: verdict_on(kc.KAnonymity(4), written(rows, Counting(missing=missing)))
        for missing in ("own", "any", "out")
    }
    assert {name: verdict.found for name, verdict in told.items()} == {"own": 2, "any": 2, "out": 2}
    assert {name: len(verdict.failing) for name, verdict in told.items()} == {"own": 4, "any": 2, "out": 2}


def test_rows_of_stars_are_left_out_or_a_class():
    rows = [("x", "x", "x", "flu")] * 2 + [("*", "*", "*", "gout")]
    assert verdict_on(kc.KAnonymity(2), written(rows, Counting())).holds
    assert not verdict_on(kc.KAnonymity(2), written(rows, Counting(stars=True))).holds
    assert verdict_on(kc.KAnonymity(3), written(rows, Counting(stars=True, missing="any"))).holds


@pytest.mark.deep
@looped(
    "one, other, equal",
    [
        ("[10, 20]", "10-20", True),
        ("[10, 20]", "[10,20]", True),
        ("[10, 20]", "[10, 20[", False),
        ("{F, M}", "{M,F}", True),
        ("{F, M}", "F", False),
        ("1.50", "1.5", True),
        ("2*", "[20, 30[", True),
        ("*", "NA", True),
        ("old", "old ", True),
    ],
)
def test_cells_that_mean_the_same_are_equal_when_asked(one, other, equal):
    rows = [(one, "x", "x", "flu"), (other, "x", "x", "ok")]
    assert len(written(rows, Counting(equal="meant", stars=True)).class_sizes) == 2 - equal
    assert len(written(rows, Counting()).class_sizes) == 2


def test_a_missing_sensitive_value_is_a_value_or_not_counted():
    rows = [("x", "x", "x", "flu"), ("x", "x", "x", ""), ("y", "x", "x", "ok"), ("y", "x", "x", "flu")]
    frame = pd.DataFrame(rows, columns=list(ROLES)).replace("", np.nan)
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(ROLES))
    file = WrittenFile(table, frame)
    assert verdict_on(kc.LDiversity(l=2), file).holds
    told = verdict_on(kc.LDiversity(l=2, missing="out"), file)
    assert not told.holds and told.witnesses == (1, 2)
    # Shares are those of known values: flu has 2 of 3, and 1 of 1 in the first class.
    assert verdict_on(kc.BetaLikeness(missing="out"), file).found == pytest.approx(0.5)
    empty = WrittenFile(table, frame.assign(ill=np.nan))
    assert verdict_on(kc.LDiversity(l=2, missing="out"), empty).holds


def test_numbers_with_decimal_commas_are_ordered():
    frame = pd.DataFrame({"a": list("xxyy"), "pay": ["1,5", "2,5", "NA", "1000,5"]}, dtype="str")
    schema = kc.Schema.infer(frame).with_kinds({"pay": "numeric"})
    table = kc.Table.from_frame(frame, schema.with_roles({"a": "quasi_identifier", "pay": "sensitive"}))
    values = WrittenFile(table, frame).values("pay")
    assert values.ordered and values.has_missing and values.codes.tolist() == [0, 1, 3, 2]
    words = WrittenFile(table, frame.assign(pay=["1,5", "high", "2", "3"])).values("pay")
    assert not words.ordered and words.distinct == 4


def test_an_original_says_how_frequent_values_are():
    frame = pd.DataFrame({"a": list("xxyy"), "ill": ["flu", "flu", "ok", "flu"]}, dtype="str")
    roles = {"a": "quasi_identifier", "ill": "sensitive"}
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))
    more = pd.DataFrame({"a": list("xxyyzzzz"), "ill": ["flu"] * 3 + ["ok"] * 5}, dtype="str")
    original = kc.Table.from_frame(more, kc.Schema.infer(more).with_roles(roles))
    alone = verdict_on(kc.BetaLikeness(), WrittenFile(table, frame))
    beside = verdict_on(kc.BetaLikeness(), WrittenFile(table, frame, original=original))
    assert alone.found == pytest.approx(1 / 0.75 - 1) or alone.found == pytest.approx(0.5 / 0.25 - 1)
    assert beside.found == pytest.approx(1 / (3 / 8) - 1)
    assert "this file alone" in alone.sentence and "compared with the original" in beside.sentence
    # A value that the original does not have cannot be compared with it.
    strange = WrittenFile(table, frame.assign(ill=["EBOLA", "flu", "ok", "flu"]), original=original)
    assert "this file alone" in verdict_on(kc.TCloseness(), strange).sentence


def test_many_patterns_of_gaps_are_counted_as_few_are():
    rng = np.random.default_rng(7)
    cells = rng.choice(["x", "y", "z", "*"], (200, 3), p=[0.3, 0.3, 0.2, 0.2])
    rows = [
        (*map(str, three), str(ill)) for three, ill in zip(cells, rng.choice(["u", "v"], 200), strict=True)
    ]
    file = written(rows, Counting(missing="any", stars=True))
    among = [sum(fits(one, other) for other in rows) for one in rows]
    assert file.class_sizes[file.classes].tolist() == among
    assert len(set(itertools.chain(*cells[:, :1]))) > 1

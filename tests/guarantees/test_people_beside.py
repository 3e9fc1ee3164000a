"""The audit of people fragment by fragment: written rows and pseudonyms beside its records."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.uploaded.beside import RowsBeside
from kanon_core.guarantees import PersonKAnonymity, Verdict
from kanon_core.guarantees.base import Tally
from tests.guarantees.test_people import release_of, table_of

NAMES = (100_000_001, 200_000_002, 300_000_003, 400_000_004, 500_000_005)
FRAME = pd.DataFrame({"who": ["7", "7", "8", "8", "9", "9", None, "5"], "x": [1, 2, 1, 2, 1, 2, 1, 9]})
ROWS = pd.DataFrame({"who": [f"{NAMES[i]}" for i in (0, 0, 1, 1, 2, 2)], "x": ["[1, 2]", "9"] * 3})
RECORDS = np.arange(6)


def beside(rows: pd.DataFrame, records: np.ndarray = RECORDS, frame: pd.DataFrame = FRAME) -> RowsBeside:
    """Hand-made rows beside records; they are turned, as in the published order they stand anyhow."""
    return RowsBeside(table_of(frame), rows[::-1], np.asarray(records)[::-1])


def verdict_of(k: int, *fragments: RowsBeside) -> Verdict:
    rule = PersonKAnonymity(k)
    return rule.combined([Tally.of(rule.tally(one.table, one).plain) for one in fragments])


def test_three_people_with_equal_rows():
    verdict = verdict_of(3, beside(ROWS))
    assert verdict.holds and (verdict.found, verdict.required) == (3, 3)
    assert verdict.sentence == "Every published history is shared by at least 3 people, row by row."
    failed = verdict_of(4, beside(ROWS))
    assert not failed.holds and failed.found == 3
    assert failed.sentence.startswith("3 published histories are shared by fewer than 4 people of their own")
    tally = PersonKAnonymity(4).tally(beside(ROWS).table, beside(ROWS))
    assert (tally.worst, tally.classes, tally.records) == (3.0, 3, 6)


def test_a_row_that_reads_otherwise_breaks_it():
    verdict = verdict_of(3, beside(ROWS.assign(x=["[1, 2]", "9"] * 2 + ["[1, 2]", "8"])))
    assert not verdict.holds and verdict.found == 1
    missing = verdict_of(3, beside(ROWS.assign(x=["[1, 2]", "9"] * 2 + ["[1, 2]", None])))
    assert not missing.holds and missing.found == 1


def test_a_row_less_breaks_it():
    verdict = verdict_of(2, beside(ROWS[:5], RECORDS[:5]))
    assert not verdict.holds and verdict.found == 1 and verdict.sentence.startswith("1 published hist")


def test_a_row_of_nobody_breaks_it():
    more = pd.concat([ROWS, ROWS[:1].assign(who=f"{NAMES[3]}")])
    verdict = verdict_of(2, beside(more, np.arange(7)))
    assert not verdict.holds and verdict.sentence == "1 published record names no person."


@pytest.mark.parametrize(
    ("name", "badly"),
    [(f"{NAMES[1]}", 4), ("7", 2), (None, 2), ("*", 2), ("", 2), ("0", 2), ("-5", 2), ("1.5", 2), ("007", 2)],
)
def test_each_pseudonym_is_one_person_s_and_not_their_name(name, badly):
    """Wrong are the pseudonym of another, the own name, and a text that is no number of a pseudonym."""
    rows = ROWS.assign(who=[name, name, *ROWS["who"][2:]])
    verdict = verdict_of(2, beside(rows))
    assert not verdict.holds and verdict.found == 0
    assert verdict.sentence.startswith(f"{badly} records have a pseudonym that is missing, is shared by")


def test_pseudonyms_of_one_person_do_not_hide_one_another():
    frame = pd.DataFrame({"who": list("aabc"), "x": [1, 1, 1, 1]})
    rows = pd.DataFrame({"who": list(NAMES[:4]), "x": ["1"] * 4})
    verdict = verdict_of(2, beside(rows, np.arange(4), frame))
    assert verdict.holds and verdict.found == 2 and "1 further pseudonym covers" in verdict.sentence
    assert not verdict_of(3, beside(rows, np.arange(4), frame)).holds
    alone = pd.DataFrame({"who": list("aa"), "x": [1, 1]})
    assert verdict_of(2, beside(rows[:2], np.arange(2), alone)).found == 1


def test_fragments_add_up_and_the_worst_says_it():
    good, empty = beside(ROWS), beside(ROWS[:0], RECORDS[:0])
    bad = beside(ROWS[:4].assign(x=["1", "9", "1", "8"]), RECORDS[:4])
    assert verdict_of(3, good, empty).found == 3 and verdict_of(3, empty, good).holds
    verdict = verdict_of(2, good, bad, empty)
    assert not verdict.holds and verdict.found == 1 and verdict.sentence.startswith("2 published hist")
    nobody = verdict_of(3, empty, empty)
    assert nobody.holds and nobody.sentence.startswith("No record is published")


@pytest.mark.parametrize("records", [[0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 8], [-1, 1, 2, 3, 4, 5], [0, 1]])
def test_rows_are_made_of_different_records_of_the_fragment(records):
    with pytest.raises(ValueError):
        beside(ROWS, np.array(records))


@pytest.mark.deep
@given(
    who=st.lists(st.sampled_from(["a", "b", "c", "d", None]), min_size=1, max_size=10),
    k=st.integers(2, 4),
    data=st.data(),
)
def test_one_fragment_is_judged_as_one_machine_judges_it(who, k, data):
    """Random cells and pseudonyms, most of them badly made; what is found, and said."""
    drawn = st.lists(st.integers(-1, 2), min_size=len(who), max_size=len(who))
    groups = np.array(data.draw(drawn))
    groups[groups >= 0] = pd.factorize(groups[groups >= 0])[0]
    frame = pd.DataFrame({"who": pd.Series(who, dtype="str"), "x": 10 * groups + 20})
    release = release_of(groups.tolist(), k, frame)
    kept = np.flatnonzero(groups >= 0)
    if data.draw(st.booleans()):
        each = dict(zip(["a", "b", "c", "d"], NAMES, strict=False))
        names = [each.get(name, NAMES[4]) for name in who]
    else:
        names = data.draw(st.lists(st.sampled_from(NAMES), min_size=len(who), max_size=len(who)))
    names = np.where(groups >= 0, names, 0)
    release.__dict__["pseudonyms"] = names
    rows = release.to_frame(kept)
    order = np.random.default_rng(len(who)).permutation(len(kept))
    own = RowsBeside(release.table, rows.iloc[order], kept[order])
    found, expected = verdict_of(k, own), PersonKAnonymity(k).check(release.table, release)
    assert (found.holds, found.found, found.required) == (expected.holds, expected.found, expected.required)
    assert re.sub(" of (its|their) own fragment", "", found.sentence) == expected.sentence


def test_a_release_of_one_machine_holds_in_one_fragment():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"who": rng.choice([f"p{i}" for i in range(20)], 90), "x": rng.integers(0, 50, 90)})
    for grouping in ("count", "similar"):
        release = kc.anonymize(table_of(frame), kc.PurchaseHistories(grouping=grouping), 4, seed=1)
        kept = np.flatnonzero(~release.suppressed)
        assert 0 < len(kept) < 90
        verdict = verdict_of(4, RowsBeside(release.table, release.to_frame(kept), kept))
        assert (
            verdict.holds and verdict.sentence == PersonKAnonymity(4).check(release.table, release).sentence
        )

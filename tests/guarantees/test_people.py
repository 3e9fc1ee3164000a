"""The audit of people: whose a published history is, found from published rows and pseudonyms alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.covers.cover import Histories
from kanon_core.covers.pseudonyms import equal_histories, hiding
from kanon_core.guarantees import PersonKAnonymity
from kanon_core.table.people import persons_of

FRAME = pd.DataFrame(
    {
        "who": ["a", "a", "b", "b", "c", "c", None, "d"],
        "x": [1, 2, 1, 2, 1, 2, 1, 9],
    }
)


def table_of(frame: pd.DataFrame) -> kc.Table:
    kinds = (kc.Attribute("who", "person"), kc.Attribute("x", kind="numeric"))
    return kc.Table.from_frame(frame, kc.Schema(kinds))


def release_of(
    groups: list[int], k: int, frame: pd.DataFrame = FRAME, blocks: list[int] | None = None
) -> kc.Release:
    """The release of any groups, whoever made them, without an audit."""
    table, labels = table_of(frame), np.array(groups)
    recipe = kc.Recipe(table.schema, kc.PurchaseHistories(), k, 0, table.data_digest, len(table))
    cover = kc.Partition(labels) if blocks is None else Histories(labels, np.array(blocks))
    return kc.Release.of(table, cover, recipe)


def verdict_of(release: kc.Release) -> kc.Verdict:
    return PersonKAnonymity(release.recipe.k).check(release.table, release)


def test_three_people_with_equal_rows():
    verdict = verdict_of(release_of([0, 1, 0, 1, 0, 1, -1, -1], 3))
    assert verdict.holds and (verdict.found, verdict.required) == (3, 3)


def test_the_same_rows_hide_fewer_when_k_is_larger():
    verdict = verdict_of(release_of([0, 1, 0, 1, 0, 1, -1, -1], 4))
    assert not verdict.holds and verdict.found == 3 and verdict.witnesses == (1, 3, 5)


def test_groups_of_k_rows_are_not_enough_when_one_person_fills_them():
    """Every row is shared by three records, and yet each person's history is unlike all others."""
    frame = pd.DataFrame({"who": list("aaabbbccc"), "x": [1, 1, 1, 2, 2, 2, 3, 3, 3]})
    release = release_of([0, 0, 0, 1, 1, 1, 2, 2, 2], 3, frame)
    assert release.class_sizes.tolist() == [3, 3, 3]
    assert not verdict_of(release).holds and verdict_of(release).found == 1


def test_the_number_of_rows_tells_people_apart():
    frame = pd.DataFrame({"who": list("aabbc"), "x": [1, 1, 1, 1, 1]})
    verdict = verdict_of(release_of([0, 0, 0, 0, 0], 2, frame))
    assert not verdict.holds and verdict.found == 1 and verdict.witnesses == (5,)


def test_a_record_of_nobody_must_not_be_published():
    verdict = verdict_of(release_of([0, 1, 0, 1, 0, 1, 0, -1], 3))
    assert not verdict.holds and "names no person" in verdict.sentence and verdict.witnesses == (7,)


def test_nothing_published_tells_nothing():
    assert verdict_of(release_of([-1] * 8, 3)).holds


@pytest.mark.parametrize("what", ["shared", "own name", "none"])
def test_pseudonyms_are_checked_as_published(what):
    frame = FRAME.assign(who=["7", "7", "8", "8", "9", "9", None, "5"])
    release = release_of([0, 1, 0, 1, 0, 1, -1, -1], 3, frame)
    names = release.pseudonyms.copy()
    names[[2, 3]] = {"shared": names[0], "own name": 8, "none": 0}[what]
    release.__dict__["pseudonyms"] = names
    verdict = verdict_of(release)
    assert not verdict.holds and "pseudonym" in verdict.sentence and 3 in verdict.witnesses


@pytest.mark.parametrize("kind", ["categorical", "numeric"])
def test_no_pseudonym_is_the_number_of_another_customer(kind):
    """The names of somebody else are just the numbers that the seed would have drawn."""
    groups = [0, 1, 0, 1, 0, 1, -1, -1]
    drawn = np.unique(release_of(groups, 3).pseudonyms[:6])
    number = dict(zip("abcd", [*np.roll(drawn, 1).tolist(), 5], strict=True))
    frame = FRAME.assign(
        who=[number[one] if one else 7 for one in FRAME["who"].where(FRAME["who"].notna(), "")]
    )
    schema = kc.Schema((kc.Attribute("who", "person", kind=kind), kc.Attribute("x", kind="numeric")))
    table = kc.Table.from_frame(frame, schema)
    release = kc.anonymize(table, kc.PurchaseHistories(), 3)
    names = np.unique(release.pseudonyms[~release.suppressed])
    assert len(names) == 3 and not np.isin(names, drawn).any()
    again = kc.anonymize(table, kc.PurchaseHistories(), 3)
    assert np.array_equal(again.pseudonyms, release.pseudonyms)


def test_rows_split_over_pseudonyms_are_judged_by_pseudonym():
    """Under a second pseudonym the history is another one, which nobody shares."""
    release = release_of([0, 1, 0, 1, 0, 1, -1, -1], 3)
    names = release.pseudonyms.copy()
    names[1] = 123
    release.__dict__["pseudonyms"] = names
    assert verdict_of(release).found == 1


def test_pseudonyms_of_one_person_do_not_hide_one_another():
    """Two blocks of a and b and of a and c that read alike: of four pseudonyms two are a's, a chance of 1 in
    2."""
    frame = pd.DataFrame({"who": list("aabc"), "x": [1, 1, 1, 1]})
    release = release_of([0, 1, 0, 1], 2, frame, [0, 1, 0, 1])
    assert verdict_of(release).found == 2 and release.hidden_among.tolist() == [2] * 4
    assert not verdict_of(release_of([0, 1, 0, 1], 3, frame, [0, 1, 0, 1])).holds
    alone = release_of([0, 1], 2, pd.DataFrame({"who": list("aa"), "x": [1, 1]}), [0, 1])
    assert not verdict_of(alone).holds and verdict_of(alone).found == 1


def test_hiding_counts_each_person_once():
    histories, owner = np.array([0, 0, 0, 1, 1, 2]), np.array([4, 5, 4, 1, 2, 3])
    assert hiding(histories, owner).tolist() == [1, 1, 1, 2, 2, 1]


def test_equal_histories_are_multisets():
    numbers, rows = np.array([0, 0, 1, 1, 2, 2, 2, -1]), np.array([5, 6, 6, 5, 5, 6, 6, 5])
    histories = equal_histories(numbers, rows)
    assert histories[0] == histories[1] != histories[2]


def test_persons_are_numbered_as_they_appear_and_nobody_is_nobody():
    for kind, names in (("categorical", ["b", "a", None, "b"]), ("numeric", [7.0, 3.0, np.nan, 7.0])):
        schema = kc.Schema((kc.Attribute("who", "person", kind), kc.Attribute("x", kind="numeric")))
        persons = persons_of(kc.Table.from_frame(pd.DataFrame({"who": names, "x": range(4)}), schema))
        assert persons.numbers.tolist() == [0, 1, -1, 0] and persons.counts.tolist() == [2, 1]


def test_the_unit_is_said():
    assert release_of([0, 1, 0, 1, 0, 1, -1, -1], 3).unit == "people"
    plain = kc.Table.from_frame(pd.DataFrame({"x": [1, 2]}), kc.Schema((kc.Attribute("x", kind="numeric"),)))
    assert kc.anonymize(plain, kc.MDAV(), k=2).unit == "records"

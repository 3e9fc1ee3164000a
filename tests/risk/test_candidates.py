"""Records that could belong to one person: counted by hand, record by record."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from tests.algorithms.histories.test_purchases import customers_of, frame_of, table_of
from tests.helpers import looped, release_of

TOWNS = kc.Hierarchy.of_paths([("Oslo", "Norway"), ("Bergen", "Norway"), ("Quito", "Ecuador")])


def people() -> kc.Table:
    frame = pd.DataFrame(
        {
            "name": [f"ZQX{i}" for i in range(6)],
            "age": [20.0, 21, 25, 60, 61, np.nan],
            "town": ["Oslo", "Bergen", "Oslo", "Quito", "Quito", "Oslo"],
            "born": pd.to_datetime(
                ["2000-01-01", "2000-01-03", "2000-02-01", "1960-05-05", "1960-05-06", None]
            ),
            "ill": ["flu", "flu", "flu", "gout", "ok", "ok"],
        }
    )
    roles = {"name": "identifier", "ill": "sensitive"} | dict.fromkeys(
        ["age", "town", "born"], "quasi_identifier"
    )
    schema = kc.Schema.infer(frame).with_kinds({"town": "categorical"}).with_roles(roles)
    return kc.Table.from_frame(frame, schema.with_hierarchies({"town": TOWNS}))


@looped(
    "known, before, after",
    [
        (None, [0], [0, 1]),
        ({}, [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
        ({"age": 0}, [0], [0, 1]),
        ({"age": 1}, [0, 1], [0, 1]),
        ({"age": 5}, [0, 1, 2], [0, 1, 2, 3, 4]),  # [25, 61] holds 25
        ({"town": 0}, [0, 2, 5], [0, 1, 2, 3, 4]),
        ({"town": 1}, [0, 1, 2, 5], [0, 1, 2, 3, 4]),
        ({"born": 2}, [0, 1], [0, 1, 2, 3, 4]),
        ({"born": 31, "age": 1}, [0, 1], [0, 1]),
    ],
)
def test_who_is_as_known_and_which_rows_may_be_theirs(known, before, after):
    """Rows: [20, 21] of Norway, and [25, 61] of anywhere; the last record is suppressed."""
    release = release_of(people(), [0, 0, 1, 1, 1, -1])
    found = kc.candidates(people(), release, 0, known)
    assert found.before.tolist() == before and found.after.tolist() == after
    assert (found.count_before, found.count_after) == (len(before), len(after))
    assert found.certain == (("ill",) if after == [0, 1] else ()) and found.published


def test_what_the_rows_have_in_common_and_no_identifier():
    release = release_of(people(), [0, 0, 1, 1, 1, -1])
    found = kc.candidates(people(), release, 3)
    common = {one.column: one for one in found.in_common}
    assert list(common) == ["age", "town", "born", "ill"]
    assert common["age"].certain and common["age"].shares == (("[25, 61]", 1.0),)
    assert common["ill"].different == 3 and {share for _, share in common["ill"].shares} == {1 / 3}
    assert "ZQX" not in repr(found.in_common) + found.sentence
    assert "3 rows in the release that agree" in found.sentence and "33.3 %" in found.sentence


def test_a_suppressed_record_is_said_to_have_no_row():
    release = release_of(people(), [0, 0, 1, 1, 1, -1])
    found = kc.candidates(people(), release, 5, {"age": 3})
    assert found.before.tolist() == [5] and found.after.tolist() == [] and not found.published
    assert "suppressed: it has no row" in found.sentence and found.in_common == ()


@looped("seed", range(3))
def test_rows_that_could_be_theirs_when_everybody_has_one(seed):
    """The rows of k-concealment, against the count of the matches, and every k that the cover has."""
    rng = np.random.default_rng(seed)
    table = kc.Table.from_frame(
        pd.DataFrame({"age": rng.permutation(40)[:15], "height": rng.permutation(15)})
    )
    release = kc.anonymize(table, kc.OptimalConcealment(), 3, seed=seed)
    for record in range(15):
        found = kc.candidates(table, release, record)
        assert found.matches is not None and set(found.matches) <= set(found.after)
        assert len(found.matches) == release.consistency().matches[record] >= 3
        assert len(found.after) == release.consistency().rows[record]
        # the rows of the cover are those of the records that are drawn for its sets
        bearer = np.argsort(release.set_of)
        assert {int(bearer[s]) for s in release.cover.matchings[:, record]} <= set(found.matches.tolist())
    assert "everybody's quasi-identifiers" in found.sentence


def test_of_histories_people_are_looked_for_by_all_their_records():
    table = table_of(frame_of(customers_of([3] * 8)))
    release = kc.anonymize(table, kc.PurchaseHistories(), 4, seed=1)
    found = kc.candidates(table, release, 0)
    assert found.unit == "people" and found.count_after >= 4 and found.count_before >= 1
    assert 0 in found.before and 0 in found.after and found.published
    assert len(found.after) == 3 * found.count_after
    everything = kc.candidates(table, release, 0, known={})
    assert everything.count_before == everything.count_after == 8


@looped(
    "record, known, said",
    [
        (6, None, "There is no record 6"),
        (-1, None, "There is no record -1"),
        (0, {"ill": 0}, "“ill” is not a quasi-identifier"),
        (0, {"age": -1}, "a number of 0 or more"),
        (0, {"age": float("nan")}, "a number of 0 or more"),
        (0, {"town": 3}, "a level of its hierarchy from 0 .exact. to 2"),
        (0, {"town": 0.5}, "a level of its hierarchy"),
    ],
)
def test_bad_input_is_a_sentence(record, known, said):
    release = release_of(people(), [0, 0, 1, 1, 1, -1])
    with pytest.raises(kc.OptionError, match=said):
        kc.candidates(people(), release, record, known)

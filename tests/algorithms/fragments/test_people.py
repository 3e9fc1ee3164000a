"""Fragments of people: a person's records stay together, cuts are made over people, and each fragment is what
the algorithm makes of its people alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.fragments.cutting import cut_people
from kanon_core.algorithms.fragments.fragments import cover_of_fragment, seed_of, wholes_of
from kanon_core.base.randomness import subkey
from kanon_core.table.people import persons_of

WAYS = (("count", "rank"), ("fewest", "rank"), ("whole", "assignment"), ("similar", "assignment"))


def purchases(seed: int, people: int, records: int, unnamed: float = 0.1) -> kc.Table:
    """Records of customers, some of whom have many, and some that name nobody."""
    rng = np.random.default_rng(seed)
    who = (people * rng.random(records) ** 2).astype(int)
    frame = pd.DataFrame(
        {
            "customer": np.where(rng.random(records) < unnamed, None, [f"c{one}" for one in who]),
            "price": rng.integers(1, 30, records) * 0.5,
            "city": rng.choice(list("abcd"), records),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, records), "D"),
            "note": rng.choice(["x", "y"], records),
        }
    )
    roles = dict.fromkeys(("price", "city", "day"), "quasi_identifier")
    schema = kc.Schema.infer(frame).with_roles({"customer": "person", "note": "other", **roles})
    return kc.Table.from_frame(frame, schema)


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(5, 60))
@settings(max_examples=40, deadline=None)
def test_all_records_of_a_person_lie_in_one_fragment_and_each_has_k_people(seed, k, rows):
    table = purchases(seed, 25, 120)
    persons = persons_of(table)
    found = cut_people(table, k, rows, wholes_of(table))
    assert sorted(np.concatenate([one.members for one in found.fragments])) == list(range(len(table)))
    held = [set(persons.numbers[one.members].tolist()) - {-1} for one in found.fragments]
    assert sum(map(len, held)) == len(persons)
    assert all(len(own) >= k for own in held) or len(held) == 1
    nobody = {int(i) for i in np.flatnonzero(persons.numbers < 0)}
    assert nobody <= set(found.fragments[0].members.tolist())


def test_four_people_by_hand():
    """Each stands by the first record: 1, 2, 8, 9. The later records of the first, and the one that names
    nobody, go to the left whatever they are."""
    frame = pd.DataFrame(
        {"who": ["a", "b", "c", "d", "a", "a", None, "c"], "price": [1.0, 2, 8, 9, 9, 9, 9, 1]}
    )
    schema = kc.Schema.infer(frame).with_roles({"who": "person", "price": "quasi_identifier"})
    table = kc.Table.from_frame(frame, schema)
    found = cut_people(table, 2, 4, wholes_of(table))
    assert [(path, members.tolist()) for path, members in found.fragments] == [
        ("L", [0, 1, 4, 5, 6]),
        ("R", [2, 3, 7]),
    ]


@pytest.mark.parametrize(("grouping", "pairing"), WAYS)
def test_each_fragment_is_what_the_algorithm_makes_of_its_people(grouping, pairing):
    table = purchases(5, 60, 400)
    inner = kc.PurchaseHistories(grouping, pairing)
    release = kc.anonymize(table, kc.Fragments(inner, 100), 3, seed=11)
    seen, order = table.ordered(11)
    found = cut_people(seen, 3, 100, wholes_of(seen))
    assert len(found.fragments) > 2
    for path, members in found.fragments:
        part = seen.part(members, wholes_of(seen))
        run = Run(seed_of(subkey(11, "algorithm"), path))
        alone = cover_of_fragment(inner, part, 3, run)
        own = release.cover.groups[order[members]]
        assert np.array_equal(own < 0, alone.groups < 0)
        pairs = {(int(a), int(b)) for a, b in zip(own, alone.groups, strict=True)}
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


@pytest.mark.parametrize(("grouping", "pairing"), WAYS)
def test_people_hide_among_k_in_fragments_too(grouping, pairing):
    table = purchases(6, 60, 400)
    release = kc.anonymize(table, kc.Fragments(kc.PurchaseHistories(grouping, pairing), 80), 4, seed=2)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    assert release.report["records without a person"] == (persons_of(table).numbers < 0).sum()


def test_a_fragment_in_which_a_column_has_one_value_is_measured_by_the_whole():
    frame = pd.DataFrame({"who": list("abcdefgh") * 2, "price": [1.0] * 8 + [1.0] * 4 + [9.0] * 4})
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(list(range(8)) * 2, "D")
    roles = {"who": "person", "price": "quasi_identifier", "day": "quasi_identifier"}
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))
    with np.errstate(all="raise"):
        release = kc.anonymize(table, kc.Fragments(kc.PurchaseHistories("similar"), 8), 2, seed=1)
    assert release.report["fragments"] > 1


def test_too_few_people_are_refused_before_any_work():
    table = purchases(1, 3, 200, unnamed=0.0)
    algorithm = kc.Fragments(kc.PurchaseHistories(), 50)
    assert "only 3 people" in " ".join(algorithm.unsuitable(table, 4))
    with pytest.raises(kc.UnsuitableError, match="people"):
        kc.anonymize(table, algorithm, 4)


def test_people_that_cannot_be_cut_are_measured_by_exact_sums_as_over_many_files():
    """Six people, k = 4: one fragment of more records than it may have; sums of another order would decide
    between equal costs otherwise."""
    table = purchases(17, 6, 40, unnamed=0.0)
    algorithm = kc.Fragments(kc.PurchaseHistories("similar", "assignment"), 12)
    release = kc.anonymize(table, algorithm, 4, seed=3)
    seen, order = table.ordered(3)
    part = seen.part(np.arange(len(seen)), wholes_of(seen))
    alone = cover_of_fragment(algorithm.inner, part, 4, Run(seed_of(subkey(3, "algorithm"), "")))
    assert release.report["fragments"] == 1
    assert np.array_equal(alone.renumbered(order).groups, release.cover.groups)

"""Running the program again tells nothing: an attacker who knows everybody's quasi-identifiers, the program
and k, but not the seed, computes the cover and joins its cells with the published ones."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.randomness import generator, subkey
from kanon_core.release.cover import Concealment
from kanon_core.release.draw import drawn
from kanon_core.table.order import order_of_rows

RECORDS, DRAWS = 24, 200
CONCEALING = [cls for cls in kc.ALGORITHMS if cls().guarantee(5).name == "k-concealment"]
LITTLE = {"Lottery": {"draws": 40}, "Clustered": {"inner": kc.Greedy()}}


def people(shuffled: bool = False) -> kc.Table:
    """Everybody's diagnosis is their own number, so that a statement is right or wrong without chance."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            "age": rng.choice(np.arange(18, 90), RECORDS, replace=False),
            "height": rng.choice(np.arange(140, 200), RECORDS, replace=False),
            "diagnosis": [f"d{i}" for i in range(RECORDS)],
        }
    )
    if shuffled:
        frame = frame.sample(frac=1, random_state=3).reset_index(drop=True)
    schema = kc.Schema.infer(frame).with_quasi(["age", "height"]).with_roles({"diagnosis": "sensitive"})
    return kc.Table.from_frame(frame, schema)


def statements(release: kc.Release, computed: kc.Release) -> tuple[int, int]:
    """How many diagnoses the attacker states, and how many rightly: for each record the diagnosis of the only
    published row with the cells of the row that the program makes for it."""
    names = ["age", "height"]
    shown = release.publish()
    shown["cells"] = shown[names].agg("|".join, axis=1)
    once = shown.drop_duplicates("cells", keep=False).set_index("cells")["diagnosis"]
    made = pd.DataFrame(computed.texts(np.argsort(computed.set_of)))[names].agg("|".join, axis=1)
    truth = release.table.frame["diagnosis"]
    told = [(once[cells], truth[i]) for i, cells in enumerate(made) if cells in once.index]
    return len(told), sum(one == other for one, other in told)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("cls", CONCEALING, ids=lambda cls: cls.__name__)
def test_the_attacker_is_right_once_in_k_times(cls, k):
    """Even if they had the seed of the algorithm itself, and the order of the file."""
    stated, right = [], []
    algorithm = cls(**LITTLE.get(cls.__name__, {}))
    for shuffled in (False, True):
        table = people(shuffled)
        given = table.in_given_order() if shuffled else table
        made = kc.anonymize(given, algorithm, k, seed=5)
        for seed in range(DRAWS // 2):
            recipe = kc.Recipe(table.schema, algorithm, k, 2**90 + seed, table.data_digest, RECORDS)
            one, other = statements(kc.Release.of(table, made.cover, recipe), made)
            stated.append(one)
            right.append(other)
    # Of two records in each other's sets both rows are equal, so that nothing can be stated.
    assert sum(stated) > DRAWS * RECORDS / 4 or k == 2
    more = np.array(right) - np.array(stated) / k
    assert abs(more.mean()) <= 4 * more.std() / np.sqrt(DRAWS)


def test_with_the_seed_the_attacker_knows_everything():
    table = people()
    release = kc.anonymize(table, kc.OptimalConcealment(), 5, seed=5)
    again = kc.anonymize(table, kc.OptimalConcealment(), 5, seed=5)
    frame = again.to_frame()
    assert frame["diagnosis"].tolist() == release.to_frame()["diagnosis"].tolist()


def test_without_a_seed_each_release_draws_anew(secrets):
    table = people()
    rows = {tuple(kc.anonymize(table, kc.Pairing(), 3).set_of) for _ in range(4)}
    assert len(rows) == 4


def perfect(rows: np.ndarray) -> set[tuple[int, ...]]:
    """All perfect matchings of a small graph."""
    return {choice for choice in itertools.product(*rows.tolist()) if len(set(choice)) == len(choice)}


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 2), (5, 3), (6, 3), (6, 4), (7, 5)])
def test_every_perfect_matching_of_a_small_cover_can_be_drawn_and_every_edge_is_as_likely(n, k):
    rng = np.random.default_rng(n * k)
    order = rng.permutation(n)
    rows = np.array([order[(np.arange(n) + shift) % n] for shift in range(k)]).T
    draws = 4_000
    found = [tuple(drawn(rows, rng).tolist()) for _ in range(draws)]
    every = perfect(rows)
    assert set(found) <= every and len(set(found)) > 0.8 * len(every)
    shares = np.array([[np.mean([one[i] == row for one in found]) for row in rows[i]] for i in range(n)])
    assert abs(shares - 1 / k).max() < 5 * np.sqrt((1 - 1 / k) / k / draws)


def test_every_edge_is_drawn_with_probability_exactly_one_in_k():
    """All outcomes of chance, enumerated: which factor is drawn of each factorization in which every edge
    lies in one factor."""
    rows = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])

    class Coins:
        """A generator whose coins are given, and whose permutations leave everything in place."""

        def __init__(self, coins):
            self.coins = coins

        def permuted(self, values, axis):
            return values.copy()

        def permutation(self, n):
            return np.arange(n)

        def integers(self, high, size):
            return np.array(self.coins[:size])

    counts = np.zeros(rows.shape)
    for coins in itertools.product([0, 1], repeat=2):
        counts += rows == drawn(rows, Coins(coins))[:, None]
    assert (counts == 2).all()


def test_the_order_of_rows_does_not_tell_the_seed():
    """Of the same contents under many seeds, each row is as often above as below any other."""
    table = people()
    places = np.zeros((RECORDS, RECORDS))
    for seed in range(400):
        places[np.arange(RECORDS), order_of_rows(table.frame[["diagnosis"]], seed)] += 1
    expected = 400 / RECORDS
    chi = ((places - expected) ** 2 / expected).sum()
    free = (RECORDS - 1) ** 2
    assert abs(chi - free) < 5 * np.sqrt(2 * free)


def test_streams_of_a_seed_are_their_own():
    purposes = ("algorithm", "draw", "rows", "records", "pseudonyms")
    keys = {subkey(seed, purpose) for seed in (0, 1, 2**127) for purpose in purposes}
    assert len(keys) == 15 and all(0 <= key < 2**128 for key in keys)
    assert generator(subkey(1, "draw")).random() != generator(1).random()


@pytest.mark.parametrize("cls", kc.ALGORITHMS, ids=lambda cls: cls.__name__)
def test_the_order_of_the_file_shapes_nothing(cls):
    """The same records in another order, by the same seed: the same published file."""
    from kanon_core.prepare import tiny

    for table in (kc.read_table("sample:people-100"), *tiny._tables()):
        algorithm = tiny._little(cls)
        if algorithm.unsuitable(table, 3):
            continue
        mixed = np.random.default_rng(1).permutation(len(table))
        other = kc.Table.from_frame(table.frame.iloc[mixed], table.schema)
        one, two = (kc.anonymize(t, algorithm, 3, seed=4).publish() for t in (table, other))
        pd.testing.assert_frame_equal(one, two)


def test_the_cover_is_that_of_the_records_whatever_their_numbers():
    for cover in (Concealment(np.array([[0, 1, 2], [1, 2, 0]])), kc.Partition(np.array([0, -1, 0]))):
        records = np.array([2, 0, 1])
        moved = cover.renumbered(records)
        for record in range(3):
            own, there = cover.set_of[record], moved.set_of[records[record]]
            assert (own < 0) == (there < 0)
            if own >= 0:
                assert sorted(records[cover.members(own)]) == moved.members(there).tolist()
        assert moved.renumbered(np.argsort(records)) == cover

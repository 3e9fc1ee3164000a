"""Running the program again tells nothing: an attacker who knows everybody's quasi-identifiers, the program
and k, but not the seed, computes the cover and joins its cells with the published ones."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.randomness import generator, subkey
from kanon_core.covers.cover import Concealment
from kanon_core.covers.draw import drawn
from kanon_core.covers.pseudonyms import equal_histories, names_of
from kanon_core.table.order import order_of_rows
from tests.charts.purchasetables import purchases

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
    """Return how many diagnoses the attacker states, and how many of them are right. For each record the
    attacker states the diagnosis of the only published row with the cells that the program makes for it."""
    names = ["age", "height"]
    shown = release.publish()
    shown["cells"] = shown[names].agg("|".join, axis=1)
    once = shown.drop_duplicates("cells", keep=False).set_index("cells")["diagnosis"]
    made = pd.DataFrame(computed.texts(np.argsort(computed.set_of)))[names].agg("|".join, axis=1)
    truth = release.table.frame["diagnosis"]
    told = [(once[cells], truth[i]) for i, cells in enumerate(made) if cells in once.index]
    return len(told), sum(one == other for one, other in told)


@pytest.mark.deep
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


@pytest.mark.deep
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
    """Under many seeds with the same contents, each row is as often above as below any other."""
    table = people()
    places = np.zeros((RECORDS, RECORDS))
    for seed in range(400):
        places[np.arange(RECORDS), order_of_rows(table.frame[["diagnosis"]], seed)] += 1
    expected = 400 / RECORDS
    chi = ((places - expected) ** 2 / expected).sum()
    free = (RECORDS - 1) ** 2
    assert abs(chi - free) < 5 * np.sqrt(2 * free)


def spread(counts: np.ndarray, free: int) -> float:
    """Return by how many standard deviations χ² of this table of counts exceeds what chance gives when rows
    and columns do not depend on each other."""
    expected = counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True) / counts.sum()
    return float((((counts - expected) ** 2 / expected).sum() - free) / np.sqrt(2 * free))


def telling(names: np.ndarray) -> float:
    """Return how far the worst of three χ² is from chance. ``names`` int64 (seeds, histories): the pseudonyms
    of the same histories for the seeds 0, 1, 2 …. The three relate a history to the rank of its pseudonym,
    the last bits of the seed to the first digit of the pseudonym, and the first bits to the last digit."""
    seeds, histories = names.shape
    ranks = np.argsort(np.argsort(names, axis=1), axis=1)
    places = np.zeros((histories, histories))
    np.add.at(places, (np.broadcast_to(np.arange(histories), names.shape), ranks), 1)
    found = [spread(places, (histories - 1) ** 2)]
    number = np.arange(seeds)[:, None] + 0 * names
    for known, digit, kinds in (
        (number % 8, names // 100_000_000 - 1, 9),
        (number * 8 // seeds, names % 10, 10),
    ):
        counts = np.zeros((8, kinds))
        np.add.at(counts, (known, digit), 1)
        found.append(spread(counts, 7 * (kinds - 1)))
    return max(found)


def test_pseudonyms_do_not_tell_the_seed():
    """Under many seeds, the pseudonyms of the same histories tell nothing of the seed. Three kinds of
    pseudonyms that would tell of it are detected."""
    table = purchases(people=12, seed=2, most=4)
    made = kc.anonymize(table, kc.PurchaseHistories(), 3, seed=5)
    histories = equal_histories(made.bearers.numbers, made.classes)
    assert len(made.bearers) == 12 and len(set(histories.tolist())) == 4
    sums = np.arange(24, dtype=np.uint64).reshape(12, 2)  # of twelve different ones
    names = np.array([names_of(sums, seed, np.zeros(0, np.int64)) for seed in range(800)])
    assert telling(names) < 5
    recipes = [replace(made.recipe, seed=seed) for seed in range(200)]
    released = [kc.Release.of(table, made.cover, recipe).pseudonyms for recipe in recipes]
    first = np.unique(made.bearers.numbers, return_index=True)[1][-12:]
    assert telling(np.array(released)[:, first]) < 5

    rng, last = np.random.default_rng(1), np.arange(800)[:, None]
    sorted_by_rank = np.sort(names, axis=1)
    by_last_bits = rng.permuted(names, axis=1) // 8 + (last % 8) * 112_500_000 + 87_500_000
    drawn_by_first_bits = names // 10 * 10 + (names % 10) // 2 * 2 + last * 8 // 800 % 2
    for leaky in (sorted_by_rank, by_last_bits, drawn_by_first_bits):
        assert ((leaky >= 100_000_000) & (leaky < 1_000_000_000)).all()
        assert telling(leaky) > 20


def test_streams_of_a_seed_are_their_own():
    purposes = ("algorithm", "draw", "rows", "records", "pseudonyms")
    keys = {subkey(seed, purpose) for seed in (0, 1, 2**127) for purpose in purposes}
    assert len(keys) == 15 and all(0 <= key < 2**128 for key in keys)
    assert generator(subkey(1, "draw")).random() != generator(1).random()


@pytest.mark.parametrize("cls", kc.ALGORITHMS, ids=lambda cls: cls.__name__)
def test_the_order_of_the_file_shapes_nothing(cls):
    """The same records in another order, by the same seed: the same published file."""
    from kanon_core.background.compiling import tiny

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

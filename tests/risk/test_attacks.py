"""Attacks on published histories: against brute force, and against what chance alone would do."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
import kanon_core.risk.evidence as attacked
from kanon_core.risk import ATTACKS, BestGuess, contest_threshold, exact_threshold, interval, reidentify
from kanon_core.risk.attacks import Attack, UniqueRows
from kanon_core.risk.evidence import evidence
from tests.algorithms.histories.test_purchases import customers_of, frame_of, table_of
from tests.helpers import looped
from tests.oracles.histories import likeliest

each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda cls: cls.__name__)


def release_of(table: kc.Table, groups, k: int = 2) -> kc.Release:
    recipe = kc.Recipe(table.schema, kc.PurchaseHistories(), k, 0, table.data_digest, len(table))
    return kc.Release.of(table, kc.Partition(np.asarray(groups)), recipe)


def fits(release: kc.Release, record: int, row: int) -> bool:
    """Return whether the original record lies in every cell that is published of record ``row``."""
    for column in release.published:
        own, cell = release.table[column.attribute.name], release.row[row]
        if own.attribute.is_numeric:
            low, high = column.cells.low[cell], column.cells.high[cell]
            value = own.values[record]
            inside = np.isnan(value) and (np.isnan(low) or column.cells.partly_missing[cell])
            if not (inside or low <= value <= high):
                return False
        elif (
            own.codes[record]
            not in column.cells.codes[column.cells.starts[cell] : column.cells.starts[cell + 1]]
        ):
            return False
    return True


def counted(release: kc.Release) -> tuple[np.ndarray, list[list[int]]]:
    """By pseudonym and person: Π over rows of the share of the person's records that fit, as a logarithm; and
    the rows."""
    customers = pd.factorize(release.table.frame["customer"])[0]
    names = np.unique(release.pseudonyms[~release.suppressed])
    rows = [np.flatnonzero(release.pseudonyms == name).tolist() for name in names]
    likelihood = np.zeros((len(names), customers.max() + 1))
    for h, own in enumerate(rows):
        for person in range(customers.max() + 1):
            records = np.flatnonzero(customers == person)
            if len(records) < len(own):
                likelihood[h, person] = -1e9
            for row in own:
                hits = sum(fits(release, record, row) for record in records)
                likelihood[h, person] += np.log(hits / len(records)) if hits else np.log(1e-9)
    return likelihood, rows


SMALL = [
    (customers_of([4, 3, 3, 2, 2, 1], seed), seed, grouping)
    for seed in range(4)
    for grouping in ("count", "fewest", "whole")
]


@looped("customers, seed, grouping", SMALL)
def test_the_best_guess_is_the_likeliest_of_all(customers, seed, grouping):
    table = table_of(frame_of(customers, seed))
    release = kc.anonymize(table, kc.PurchaseHistories(grouping=grouping), k=2, seed=seed)
    likelihood, _ = counted(release)
    guesses = BestGuess().guess(evidence(table, release)[0])
    assert len(set(guesses.tolist())) == len(guesses)
    found = sum(likelihood[h, person] for h, person in enumerate(guesses))
    assert found == pytest.approx(likeliest(likelihood))


@looped("customers, seed, grouping", SMALL)
def test_which_records_fit_which_rows(customers, seed, grouping):
    frame = frame_of(customers, seed)
    frame.loc[[1, 4], "price"] = np.nan
    table = table_of(frame)
    release = kc.anonymize(table, kc.PurchaseHistories(grouping=grouping), k=2)
    seen, truth = evidence(table, release)
    owners = pd.factorize(frame["customer"])[0]
    rows_of = [np.flatnonzero(release.pseudonyms == name) for name in seen.names]
    assert truth.tolist() == [owners[rows[0]] for rows in rows_of]
    for cell in range(len(release.cover.sizes)):
        row = int(release.cover.members(cell)[0])
        hits = [owners[record] for record in range(len(table)) if fits(release, record, row)]
        assert seen.fitting[[cell]].toarray()[0].tolist() == np.bincount(hits, minlength=6).tolist()


def test_groups_of_a_hierarchy_are_their_values():
    """The same cells as sets of products and as groups of a hierarchy: every attack guesses the same."""
    tree = kc.Hierarchy.of_paths([(label, "all products") for label in "ABCDEFGH"])
    plain = table_of(frame_of(customers_of([4, 4, 4]), 5).assign(product=list("ABCDEFGH") + list("ABCD")))
    grouped = plain.with_schema(plain.schema.with_hierarchies({"product": tree}))
    for table in (plain, grouped):
        seen, _ = evidence(table, release_of(table, [0] * 12))
        assert seen.fitting.toarray().tolist() == [[4, 4, 4]]
    results = [
        [attack().guess(evidence(table, release_of(table, [0] * 12))[0]).tolist() for attack in ATTACKS]
        for table in (plain, grouped)
    ]
    assert results[0] == results[1]


@looped("seed", range(4))
def test_unique_rows_point_to_the_one_person_they_fit(seed):
    table = table_of(frame_of(customers_of([4, 3, 3, 2, 2, 1], seed), seed))
    release = kc.anonymize(table, kc.PurchaseHistories(), k=2)
    owners = pd.factorize(table.frame["customer"])[0]
    guesses = UniqueRows().guess(evidence(table, release)[0])
    for guess, name in zip(guesses, np.unique(release.pseudonyms[~release.suppressed]), strict=True):
        votes = np.zeros(6)
        for row in np.flatnonzero(release.pseudonyms == name):
            people = {owners[record] for record in range(len(table)) if fits(release, record, row)}
            if len(people) == 1:
                votes[people.pop()] += 1
        assert guess == (votes.argmax() if votes.any() else -1)


def test_raw_histories_under_pseudonyms_are_all_identified():
    """Every record published as it is: the attack must find nearly everybody, or it proves nothing of
    others."""
    frame = frame_of(customers_of([6, 5, 5, 4, 4, 3, 3, 3], 3), 3)
    frame["price"] += np.arange(len(frame)) / 100
    table = table_of(frame)
    result = reidentify(table, release_of(table, np.arange(len(frame))), BestGuess())
    assert (result.tried, result.identified) == (8, 8) and result.unsafe
    assert reidentify(table, release_of(table, np.arange(len(frame))), UniqueRows()).identified == 8


@pytest.mark.deep
@each_attack
@pytest.mark.parametrize("grouping", ["count", "similar"])
def test_no_attack_beats_one_in_k(attack: type[Attack], grouping: str):
    """60 people in blocks of 4 and ten seeds: 1 in 4 of the guesses, give or take four standard
    deviations."""
    table = table_of(frame_of(customers_of([80, *[3] * 30, *[5] * 29], 1), 1))
    right = tried = 0
    for seed in range(10):
        result = reidentify(
            table, kc.anonymize(table, kc.PurchaseHistories(grouping=grouping), 4, seed), attack()
        )
        right, tried = right + result.identified, tried + result.tried
    assert right <= tried / 4 + 4 * np.sqrt(tried * 3 / 16)


@each_attack
def test_attacks_see_no_truth(attack: type[Attack]):
    """People of one block that swap their records change nothing an attacker sees, so the guesses stay."""
    frame = frame_of(customers_of([3, 3, 3, 3], 4), 4)
    table = table_of(frame)
    first = kc.anonymize(table, kc.PurchaseHistories(), 2, seed=1)
    seen, truth = evidence(table, first)
    hidden = kc.anonymize(table, kc.PurchaseHistories(), 2, seed=1)
    names = np.unique(first.pseudonyms[first.pseudonyms > 0])
    pair = np.flatnonzero(seen.history == seen.history[0])[:2]
    assert len(pair) == 2
    exchanged = first.pseudonyms.copy()
    for here, there in ((0, 1), (1, 0)):
        exchanged[first.pseudonyms == names[pair[here]]] = names[pair[there]]
    hidden.__dict__["pseudonyms"] = exchanged
    other, answers = evidence(table, hidden)
    assert attack().guess(seen).tolist() == attack().guess(other).tolist()
    assert answers[pair].tolist() == truth[pair][::-1].tolist()


def test_means_alone_exclude_nobody():
    """With nothing but means published, every record fits every row; the attack still ends, and quickly."""
    table = table_of(frame_of(customers_of([4, 3, 3, 2], 2), 2))
    recodings = {"day": "mean", "price": "mean", "quantity": "median", "product": "mode"}
    table = table.with_schema(table.schema.with_recodings(recodings))
    release = kc.anonymize(table, kc.PurchaseHistories(), k=2)
    seen, _ = evidence(table, release)
    assert (seen.fitting.toarray() == seen.people.counts).all()


def test_a_release_without_histories_is_refused():
    table = table_of(frame_of(customers_of([1] * 6)))
    with pytest.raises(kc.UnsuitableError, match="publishes no histories"):
        reidentify(table, kc.anonymize(table, kc.MDAV(), k=2), BestGuess())


def test_too_many_people_are_refused(monkeypatch):
    monkeypatch.setattr(attacked, "PEOPLE_AT_MOST", 5)
    table = table_of(frame_of(customers_of([1] * 6)))
    release = kc.anonymize(table, kc.PurchaseHistories(), 2)
    with pytest.raises(kc.UnsuitableError, match="up to 5 people, but this table has 6"):
        reidentify(table, release, UniqueRows())


@pytest.mark.deep
def test_the_contest_s_threshold_for_all_attempts_up_to_1000():
    """Σ C(n, i) / 3^i in whole numbers of 3^-n, the sum anew for each n."""
    for n in range(1, 1001):
        r = contest_threshold(n)
        tail = sum(comb(n, i) * 3 ** (n - i) for i in range(r, n + 1))
        assert 2000 * tail < 3**n
        assert r == 0 or 2000 * (tail + comb(n, r - 1) * 3 ** (n - r + 1)) >= 3**n
    assert contest_threshold(0) == 1
    table_1 = {7: 7, 11: 10, 13: 11, 16: 13, 19: 15, 500: 308, 1000: 612}
    assert {n: contest_threshold(n) for n in table_1} == table_1


def test_no_verdict_is_possible_from_six_attempts():
    assert [contest_threshold(n) - n for n in range(8)] == [1] * 7 + [0]


def test_the_binomial_threshold():
    def chance(n: int, r: int) -> Fraction:
        return sum((Fraction(comb(n, i) * 2 ** (n - i), 3**n) for i in range(r, n + 1)), Fraction(0))

    for n in (1, 6, 7, 10, 19, 50):
        r = exact_threshold(n)
        assert chance(n, r) < Fraction(1, 2000) <= chance(n, r - 1)
    known = {7: 7, 10: 9, 11: 10, 13: 11, 16: 13, 19: 14, 50: 29, 100: 50, 500: 203, 1000: 384}
    assert {n: exact_threshold(n) for n in known} == known


def test_the_interval_holds_the_share():
    assert interval(0, 0) == (0.0, 1.0)
    low, high = interval(5, 20)
    assert low < 0.25 < high and (low, high) == pytest.approx((0.086571, 0.491046), abs=1e-6)
    assert interval(0, 10)[0] == 0 and interval(10, 10)[1] == 1


def test_the_sentence_says_what_the_numbers_prove():
    table = table_of(frame_of(customers_of([3] * 8)))
    few = reidentify(table, kc.anonymize(table, kc.PurchaseHistories(), k=2), BestGuess())
    assert few.by_chance == 1 and few.contest_limit == contest_threshold(8) and not few.unsafe
    assert "does not show that the release is unsafe (that takes 8 or more)" in few.sentence
    proven = reidentify(table, release_of(table, np.arange(24)), BestGuess())
    assert proven.unsafe and "is unsafe by the contest's criterion (8 or more)" in proven.sentence


def test_what_is_published_unchanged_is_named_as_not_looked_at():
    """An invoice that only one person has gives that person away; no attack reads it, and the result says
    so."""
    frame = frame_of(customers_of([3] * 8))
    table = table_of(frame)
    plain = reidentify(table, kc.anonymize(table, kc.PurchaseHistories(), k=2), BestGuess())
    assert plain.overlooked == () and "unchanged" not in plain.sentence
    schema = kc.Schema((*table.schema.attributes, kc.Attribute("invoice", "other", kind="categorical")))
    told = kc.Table.from_frame(frame.assign(invoice=[f"i{row}" for row in range(len(frame))]), schema)
    found = reidentify(told, kc.anonymize(told, kc.PurchaseHistories(), k=2), BestGuess())
    assert found.overlooked == ("invoice",)
    assert "does not use the columns that are published unchanged (“invoice”)" in found.sentence

"""Attackers who have several releases and know everybody, or who was added: by hand, by brute force, and
beside anonypyx's trajectory attacker."""

from __future__ import annotations

import sys
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.progress import silent
from kanon_core.report import release_bytes
from kanon_core.risk.several import by_attacker
from kanon_core.risk.several.matched import assigned, in_some_matching
from tests.helpers import looped, release_of
from tests.needs import needs
from tests.oracles.several import Row, cells, followed, taken


def patients(ages: list[int], ills: list[str]) -> kc.Table:
    frame = pd.DataFrame({"age": ages, "ill": ills})
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"ill": "sensitive"}))


def random_patients(seed: int, n: int = 6) -> kc.Table:
    rng = np.random.default_rng(seed)
    return patients(rng.integers(20, 30, n).tolist(), rng.choice(list("ab"), n).tolist())


def rows_of(table: kc.Table, release: kc.Release) -> list[Row]:
    cell, between = release["age"].cell, release["age"].cells
    values = np.unique(table["age"].values)
    return list(zip(cells(between.low[cell], between.high[cell], values), table.frame["ill"], strict=True))


def some_releases(table: kc.Table, seed: int) -> list[kc.Release]:
    rng = np.random.default_rng(seed)
    order = np.argsort(table["age"].values, kind="stable")
    found = []
    for sizes in ((3, 3), (2, 4)):
        groups = np.empty(len(table), np.int64)
        groups[order] = np.repeat([0, 1], sizes)
        swap = rng.integers(len(table), size=2)
        groups[swap] = groups[swap[::-1]]
        found.append(release_of(table, groups))
    return found


def test_everybody_is_followed_by_hand():
    """20 and 21 stand in the first class of one release, 20 to 22 in that of the other, in which 23 is ok.
    So 23 is ok in the first release too, and 22, who is left with the other row of that class, has hiv."""
    table = patients([20, 21, 22, 23], ["flu", "hiv", "hiv", "ok"])
    releases = [release_of(table, [0, 0, 1, 1]), release_of(table, [0, 0, 0, 1])]
    found = kc.trajectories(table, releases, k=2)
    assert found.left.tolist() == [2, 2, 1, 1] and found.learned("ill").tolist() == [
        False,
        False,
        True,
        True,
    ]
    assert "knows everybody's quasi-identifiers and has all 2 releases" in found.sentence
    alone = kc.intersect(table, releases, k=2)
    assert (found.left <= alone.left).all()


@pytest.mark.deep
@looped("seed", range(16))
def test_no_true_trajectory_is_left_out_and_few_are_left_beside(seed):
    """Beside every assignment of everybody: what is left holds all that brute force finds."""
    table = random_patients(seed)
    releases = some_releases(table, seed)
    found = kc.trajectories(table, releases, k=2)
    exact = followed(table["age"].values.tolist(), [rows_of(table, one) for one in releases])
    ills = table.frame["ill"].tolist()
    for person, ways in enumerate(exact):
        values = {ills[way[0]] for way in ways}
        rows = [{way[side] for way in ways} for side in range(2)]
        least = sum(min(sum(ills[row] == value for row in side) for side in rows) for value in values)
        assert ills[person] in values and found.left[person] >= least >= 1
        assert not found.certain["ill"][person] or values == {ills[person]}
        each = [len(side) for side in rows]
        assert (found.each[:, person] >= each).all()


@pytest.mark.deep
def test_what_brute_force_finds_certain_is_found_in_small_tables():
    """In 40 random tables of six people, the program finds as many certain values from two releases as trying
    all assignments does."""
    ours = theirs = 0
    for seed in range(40):
        table = random_patients(seed)
        releases = some_releases(table, seed)
        ways = followed(table["age"].values.tolist(), [rows_of(table, one) for one in releases])
        ills = table.frame["ill"].tolist()
        theirs += sum(len({ills[way[0]] for way in one}) == 1 for one in ways)
        ours += int(kc.trajectories(table, releases, k=2).certain["ill"].sum())
    assert 0 < ours <= theirs and ours == theirs


@looped("seed", range(30))
def test_rows_that_are_taken_are_those_of_brute_force(seed):
    """Four people, then two more: of each group of equal rows, how many the four take at least."""
    table = random_patients(seed)
    present = some_releases(table, seed)[0]
    earlier = release_of(older(table), [0, 1, 0, 1] if seed % 2 else [0, 0, 1, 1])
    least = taken(rows_of(table, present), rows_of(older(table), earlier))
    found = kc.backward(table, [present, release_bytes(earlier, "csv")], k=2)
    rows = rows_of(table, present)
    assert found.targets.tolist() == [4, 5]
    for place, record in enumerate(found.targets):
        age = int(table["age"].values[record])
        fitting = [row for row in rows if age in row[0]]
        left = sum(rows.count(row) - least[row] for row in dict.fromkeys(fitting))
        assert (found.alone[place], found.left[place]) == (len(fitting), left) and left >= 1


def older(table: kc.Table) -> kc.Table:
    """Its first four people."""
    return kc.Table.from_frame(table.frame.iloc[:4], table.schema)


def test_rows_of_older_people_are_left_out_by_hand():
    """Three of a class of five have flu, and two rows with flu stand in the only class of the earlier
    release: one is left to somebody who was added. The two with hiv may both be new (Fung et al. 2008,
    B-attack)."""
    table = patients([20, 21, 22, 23, 24], ["flu", "flu", "flu", "hiv", "hiv"])
    files = release_of(table, [0] * 5), b"age,ill\n20-24,flu\n20-24,flu\n"
    found = kc.backward(table, files, k=2)
    assert found.targets.tolist() == [2, 3, 4] and found.left.tolist() == [3, 3, 3]
    assert kc.backward(table, files, added=[4], k=4).fewer.tolist() == [True]
    assert "that this person was added after the earlier releases" in found.sentence
    assert "of 3 records drawn from 5" in found.sentence


def test_several_earlier_releases_each_leave_rows_out():
    table = patients([20, 21, 22, 23], ["flu", "hiv", "ok", "ok"])
    files = release_of(table, [0] * 4), b"age,ill\n20-23,flu\n20-23,ok\n", b"age,ill\n20-23,hiv\n20-23,ok\n"
    found = kc.backward(table, files, k=2)
    assert found.left.tolist() == [1, 1] and found.certain["ill"].all()


def test_the_finding_and_the_attackers_tell_all_of_it():
    table = patients([20, 21, 22, 21], ["flu", "hiv", "hiv", "ok"])
    release, old = release_of(table, [0] * 4), b"age,ill\n20-22,flu\n20-22,hiv\n20-22,hiv\n"
    told = by_attacker(table, [release, old], 100, (), silent)
    assert [one.knows for one in told.found] == ["one", "everybody", "added"] and not told.reasons
    search = kc.findings.PreviousReleases(previous=(old,))
    (found,) = kc.judge(table, release, [search])
    assert found.severity == "stops" and found.sentence == told.sentence and 4 in found.witnesses
    changed = b"age,ill\n20-22,flux\n20-22,ok\n20-22,hiv\n"
    (other,) = kc.judge(table, release, [kc.findings.PreviousReleases(previous=(changed,))])
    assert "The backward attack was not tried: an earlier row" in other.sentence
    assert "trajectory attack was not tried: a release has rows that fit no record" in other.sentence


def test_anybody_may_be_missing_in_a_release_with_fewer_rows():
    table = patients([20, 21, 22, 23], ["flu", "hiv", "hiv", "ok"])
    releases = release_of(table, [0, 0, 1, 1]), b"age,ill\n20-21,flu\n20-21,hiv\n22-23,hiv\n"
    found = kc.trajectories(table, releases, k=2)
    assert found.left.tolist() == [2, 2, 1, 1] and found.each[1].tolist() == [2, 2, 1, 1]


def test_bad_input_is_a_sentence(monkeypatch):
    table = patients([20, 21, 22, 23], ["flu", "hiv", "hiv", "ok"])
    release = release_of(table, [0, 0, 1, 1])
    for attack in (kc.trajectories, kc.backward):
        with pytest.raises(kc.OptionError, match="At least two releases"):
            attack(table, [release])
    with pytest.raises(kc.UnsuitableError, match="nobody was added"):
        kc.backward(table, [release, release])
    with pytest.raises(kc.OptionError, match="number from 1 to 4"):
        kc.backward(table, [release, release], added=[4])
    monkeypatch.setattr(sys.modules[kc.backward.__module__], "MOST_PAIRS", 1)
    with pytest.raises(kc.UnsuitableError, match="more than 1 pairs"):
        kc.backward(table, [release, release], added=[3])
    monkeypatch.setattr(sys.modules[kc.trajectories.__module__], "MOST_PAIRS", 1)
    with pytest.raises(kc.UnsuitableError, match="more than 1 pairs"):
        kc.trajectories(table, [release, release])


@looped("seed", range(30))
def test_pairs_of_perfect_matchings_are_those_that_are_found_by_trying(seed):
    rng = np.random.default_rng(seed)
    size = rng.multinomial(5, [1 / 3] * 3)
    record, group = np.nonzero(rng.random((5, 3)) < 0.6)
    places, pairs = np.repeat(np.arange(3), size), set(zip(record.tolist(), group.tolist(), strict=True))
    ways = [way for way in permutations(places.tolist()) if set(enumerate(way)) <= pairs]
    found = in_some_matching(record, group, 5, size)
    assert (found is None) == (not ways)
    if found is not None:
        every = {pair for way in ways for pair in enumerate(way)}
        assert set(zip(record[found].tolist(), group[found].tolist(), strict=True)) == every
    assert assigned(record, group, np.ones(5, int), size).sum() <= 5


def test_values_are_those_of_anonypyx_s_trajectory_attacker():
    """Its attacker keeps trajectories that are part of an exact cover of all rows."""
    attackers = pytest.importorskip("anonypyx.attackers", reason=needs("anonypyx"))
    for seed in range(12):
        table = random_patients(seed)
        releases = some_releases(table, seed)
        found = kc.trajectories(table, releases, k=2)
        prior = table.frame[["age"]].assign(ID=range(len(table)), ill="")
        theirs = attackers.TrajectoryAttacker(prior, ["age"], Ranges())
        for release in releases:
            theirs.observe(shown(table, release), ["age", "ill"], range(len(table)))
        theirs.finalise()
        certain = [len(theirs.predict(person, "ill")) == 1 for person in range(len(table))]
        assert certain == found.certain["ill"].tolist()


def shown(table: kc.Table, release: kc.Release) -> pd.DataFrame:
    """One row for each group of equal rows, with its count."""
    between, cell = release["age"].cells, release["age"].cell
    frame = pd.DataFrame({"low": between.low[cell], "high": between.high[cell], "ill": table.frame["ill"]})
    return frame.groupby(["low", "high", "ill"]).size().reset_index(name="count")


class Ranges:
    """The schema of the other attacker's data frames: what matches, and what both say."""

    def match(self, release, known, on):
        fits = (release["low"] <= known["age"]) & (known["age"] <= release["high"])
        return release[fits & ((release["ill"] == known["ill"]) if "ill" in on else True)]

    def intersect(self, known, row, on, take_left, take_right):
        both = known.copy()
        both["ill"] = row["ill"]
        return both

    def values_for(self, record, column):
        return {record[column]}

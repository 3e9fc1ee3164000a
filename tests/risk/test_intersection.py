"""Several releases of one table: by hand, by brute force, and beside anonypyx's intersection attacker."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.report import release_bytes
from tests.helpers import looped, release_of
from tests.needs import needs


def clinic() -> kc.Table:
    frame = pd.DataFrame({"age": [20, 21, 22, 23], "ill": ["flu", "hiv", "hiv", "ok"]})
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"ill": "sensitive"}))


def test_two_releases_tell_what_neither_does():
    """20 has flu or hiv, and flu or is ok: it is flu, and 23 is ok by the same (S. R. Ganta et al. 2008)."""
    table = clinic()
    first, second = release_of(table, [0, 0, 1, 1]), release_of(table, [0, 1, 1, 0])
    found = kc.intersect(table, [first, second])
    # 20: {flu, hiv} and {flu, ok} of [20, 23]; the wide row also fits the others
    assert found.alone.tolist() == [2, 2, 2, 2] and found.each.tolist() == [[2, 2, 2, 2], [2, 4, 4, 2]]
    assert found.left.tolist() == [1, 2, 2, 1]
    assert found.learned("ill").tolist() == [True, False, False, True]
    assert found.single.tolist() == [True, False, False, True] and found.compared == ("ill",)
    assert "“ill” becomes certain for 2 of the records (50 %)" in found.sentence
    assert "Records reduced to a single row: 2." in found.sentence


def test_counts_exclude_rows_as_in_the_forward_attack():
    """B. C. M. Fung et al. 2008, F-attack: of three rows with flu in the first class only one can be the
    person's, for the second class has one; the first hides among 4 alone, and among 2 then."""
    frame = pd.DataFrame(
        {"age": [20, 21, 22, 23, 24, 25, 26, 27], "ill": ["flu"] * 3 + ["ok", "flu"] + ["ok"] * 3}
    )
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"ill": "sensitive"}))
    first, second = release_of(table, [0] * 4 + [1] * 4), release_of(table, [0, 1, 1, 0, 1, 1, 1, 1])
    found = kc.intersect(table, [first, second])
    # class [20, 23] of the second: flu once, ok once; [21, 27] fits 21 to 23 too
    assert found.alone[0] == 4 and found.left[0] == min(3, 1) + min(1, 1)
    assert found.left[1] == min(3, 1 + 3) + min(1, 1 + 3)


@looped("seed", range(4))
def test_left_is_the_sum_of_the_least_counts(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(0, 30, 16),
            "ill": rng.choice(list("abc"), 16),
            "ward": rng.choice(list("xy"), 16),
        }
    )
    schema = kc.Schema.infer(frame).with_roles(
        {"ill": "sensitive", "ward": "other", "age": "quasi_identifier"}
    )
    table = kc.Table.from_frame(frame, schema)
    releases = [
        kc.anonymize(table, kc.MDAV(), 3, seed=1),
        kc.anonymize(table, kc.OptimalConcealment(), 2, seed=2),
    ]
    found = kc.intersect(table, releases)
    for record in range(16):
        counts = []
        for release in releases:
            rows = kc.candidates(table, release, record).after
            counts.append(Counter(zip(frame["ill"].iloc[rows], frame["ward"].iloc[rows], strict=True)))
        both = counts[0] & counts[1]
        assert found.left[record] == sum(both.values()) >= 1
        assert found.alone[record] == sum(counts[0].values())
        assert found.certain["ill"][record] == (len({ill for ill, _ in both}) == 1)


def test_files_say_the_same_as_the_releases_they_hold():
    table = kc.read_table("sample:people-100")
    releases = [kc.anonymize(table, kc.MDAV(), k, seed=1) for k in (3, 4)]
    ours = kc.intersect(table, releases)
    files = kc.intersect(table, [releases[0], release_bytes(releases[1], "csv")])
    assert ours.left.tolist() == files.left.tolist() and ours.compared == files.compared
    assert (ours.left <= ours.each.min(axis=0)).all() and (ours.left >= 1).all()


def test_the_same_release_twice_tells_nothing_more():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.MDAV(), 5, seed=1)
    found = kc.intersect(table, [release, release])
    assert found.left.tolist() == found.alone.tolist() and not found.fewer.any() and not found.single.any()
    assert not found.learned("condition").any()


def test_a_record_that_one_release_leaves_out_tells_nothing_for_certain():
    table = clinic()
    found = kc.intersect(table, [release_of(table, [0, 0, 1, 1]), release_of(table, [-1, -1, 0, 0])])
    assert found.left[:2].tolist() == [0, 0] and not found.certain["ill"][:2].any()


def test_without_a_shared_unchanged_column_rows_are_not_compared():
    frame = pd.DataFrame({"age": [20, 21, 22, 23]})
    table = kc.Table.from_frame(frame)
    found = kc.intersect(table, [release_of(table, [0, 0, 1, 1]), release_of(table, [0, 1, 1, 0])])
    assert found.left.tolist() == [2, 2, 2, 2] and "share no column" in found.sentence


def test_bad_input_is_a_sentence():
    table = clinic()
    release = release_of(table, [0, 0, 1, 1])
    with pytest.raises(kc.OptionError, match="At least two releases"):
        kc.intersect(table, [release])
    with pytest.raises(kc.InputError, match="none of the original's"):
        kc.intersect(table, [release, b"a,b\n1,2\n"])


def test_the_finding_stops_the_release_where_somebody_is_left_alone():
    table = clinic()
    search = kc.findings.PreviousReleases
    release, other = release_of(table, [0, 0, 1, 1]), release_of(table, [0, 1, 1, 0])
    assert kc.judge(table, release, [search()]) == ()
    (found,) = kc.judge(table, release, [search(previous=(other,))])
    assert (found.severity, found.witnesses, found.columns) == ("stops", (1, 2, 3, 4), ("ill",))
    (same,) = kc.judge(table, release, [search(previous=(release,))])
    assert same.severity == "know" and same.count == 0


def test_values_are_those_of_anonypyx_s_intersection_attacker():
    """Its attacker keeps the values that occur in every release's matching rows."""
    attackers = pytest.importorskip("anonypyx.attackers", reason=needs("anonypyx"))
    frame = pd.DataFrame({"age": [20, 21, 22, 23, 24, 25], "ill": ["flu", "hiv", "hiv", "ok", "ok", "flu"]})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"ill": "sensitive"}))
    releases = [release_of(table, [0, 0, 0, 1, 1, 1]), release_of(table, [0, 1, 1, 1, 0, 0])]
    found = kc.intersect(table, releases)

    class Ranges:
        """The schema of its data frames: what matches a known age."""

        def match(self, release, known, on):
            return release[(release["low"] <= known["age"]) & (known["age"] <= release["high"])]

    prior = frame[["age"]].assign(ID=range(6))
    theirs = attackers.IntersectionAttacker(prior, ["age"], "ill", Ranges())
    for release in releases:
        between = release["age"].cells
        cell = release["age"].cell
        shown = pd.DataFrame({"low": between.low[cell], "high": between.high[cell], "ill": frame["ill"]})
        theirs.observe(shown, ["age", "ill"], range(6))
    certain = [len(theirs.predict(target, "ill")) == 1 for target in range(6)]
    assert certain == found.certain["ill"].tolist()

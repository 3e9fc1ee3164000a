"""The attack that learns from cuts that were not made, against all layouts of the values, each one
anonymized."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.base.options import expression
from kanon_core.findings import CutsNotMade
from kanon_core.risk import minimality_attack
from tests.findings.cases import uncut

RULES = [{"diversity": 2.0}, {"diversity": 1.8, "entropy": True}, {"closeness": 0.34}]
MAKERS = [cls(**rule) for cls in (kc.Mondrian, kc.TopDown) for rule in RULES]


def table_with(frame: pd.DataFrame, diagnoses: tuple[str, ...]) -> kc.Table:
    frame = frame.assign(what=list(diagnoses))
    kinds = {"age": "numeric", "zone": "numeric", "what": "categorical"}
    roles = {"age": "quasi_identifier", "zone": "quasi_identifier", "what": "sensitive"}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds(kinds).with_roles(roles))


def small(n: int = 6, tables: int = 2) -> Iterator[tuple[pd.DataFrame, tuple[str, ...]]]:
    """People of whom some share age and zone, and their diagnoses."""
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"age": rng.integers(20, 24, n), "zone": rng.integers(1, 3, n)})
        yield frame, tuple(rng.permutation(list("aaabbcd")[:n]))


def seen(table: kc.Table, algorithm: kc.Algorithm) -> list[tuple[str, ...]] | None:
    """Return the published quasi-identifiers of each person, which everybody who runs the program finds too,
    and the published rows without their order. None where the algorithm is unsuitable."""
    try:
        release = kc.anonymize(table, algorithm, 2, seed=3)
    except kc.UnsuitableError:
        return None
    own = release.to_frame()[["age", "zone"]].astype(str).agg("|".join, axis=1)
    return [*own, *sorted(release.publish().astype(str).agg("|".join, axis=1))]


def believed(frame: pd.DataFrame, truth: tuple[str, ...], algorithm: kc.Algorithm) -> list[Counter[str]]:
    """By person, in how many layouts of all values over everybody they have each value and the very same is
    published."""
    same = seen(table_with(frame, truth), algorithm)
    ways = [
        way for way in set(itertools.permutations(truth)) if seen(table_with(frame, way), algorithm) == same
    ]
    return [Counter(way[person] for way in ways) for person in range(len(truth))]


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", MAKERS, ids=expression)
def test_beliefs_are_those_of_all_layouts_that_publish_the_same(algorithm):
    gains = []
    for frame, truth in small():
        table = table_with(frame, truth)
        if algorithm.unsuitable(table, 2):
            continue
        release = kc.anonymize(table, algorithm, 2)
        found, expected = minimality_attack(table, release), believed(frame, truth, algorithm)
        (belief,), labels = found.beliefs, table["what"].labels
        for person, counts in enumerate(expected):
            assert dict(zip(labels, belief.after[person].tolist(), strict=True)) == {
                label: counts[label] for label in labels
            }
            own = release.classes == release.classes[person]
            in_class = Counter(np.array(truth)[own].tolist())
            assert belief.before[person].tolist() == [in_class[label] for label in labels]
            assert sum(counts.values()) == found.leading <= found.ways
            gain = max(
                Fraction(counts[label], found.leading) - Fraction(in_class[label], int(own.sum()))
                for label in labels
            )
            assert found.gain[person] == pytest.approx(float(gain), abs=1e-12)
            gains.append(gain)
    assert len(gains) >= 6


@pytest.mark.deep
def test_somebody_gains_by_each_rule():
    """So that the comparison above is not one of nothing with nothing."""
    for algorithm in MAKERS:
        tables = [table_with(*each) for each in small(7, 12)]
        able = [table for table in tables if not algorithm.unsuitable(table, 2)]
        gains = [minimality_attack(t, kc.anonymize(t, algorithm, 2)).gain.max() for t in able]
        assert max(gains) > 0.1


def test_promises_are_counted_as_broken_by_hand():
    """Ages 20, 20, 60, 60, 60 and diagnoses a, a, b, c, d: the class of five keeps ℓ = 2, and the two of 20
    have one diagnosis for certain, so that each belief about them has ℓ = 1 and is 3/5 from the table."""
    release = uncut()
    found = minimality_attack(release.table, release)
    assert (found.ways, found.leading) == (60, 6)
    (belief,), young = found.beliefs, [True, True, False, False, False]
    assert found.certain.tolist() == belief.certain.tolist() == young
    assert belief.above(0.5).tolist() == young and not belief.above(1.0).any()
    assert found.broken(kc.LDiversity(l=2)).tolist() == young
    assert found.broken(kc.LDiversity(l=3)).tolist() == [True] * 2 + [False] * 3
    assert found.broken(kc.LDiversity(l=4)).tolist() == [True] * 5, "the others may have three"
    assert found.broken(kc.TCloseness(t=0.59)).tolist() == young
    assert not found.broken(kc.TCloseness(t=0.61)).any()
    entropy = kc.LDiversity(l=math.exp(math.log(5) - 0.4 * math.log(2)), entropy=True)
    assert found.broken(entropy).all(), "that of the class itself"


@pytest.mark.deep
def test_without_a_refused_cut_nothing_is_learned():
    """Wherever the algorithm makes the same classes without ℓ and t, all layouts lead to them."""
    alike = 0
    for algorithm in MAKERS:
        for frame, truth in small(7, 12):
            table = table_with(frame, truth)
            if algorithm.unsuitable(table, 2):
                continue
            release = kc.anonymize(table, algorithm, 2)
            free = kc.anonymize(table, type(algorithm)(), 2)
            same = release.to_frame().equals(free.to_frame())
            assert same == (not list(CutsNotMade(ways=0).find(table, release, lambda *_: None)))
            if same:
                found = minimality_attack(table, release)
                assert found.leading == found.ways and not found.gain.any()
                alike += 1
    assert alike >= 3


def test_the_finding_says_what_the_attack_found():
    release = uncut()
    (told,) = kc.judge(release.table, release, [CutsNotMade()])
    assert told.severity == "decide" and told.witnesses == (1, 2) and told.columns == ("diagnosis",)
    assert "1 of 1 class (5 records)" in told.sentence
    assert "6 of 60 layouts of the values lead to this release." in told.sentence
    assert "up to 60.0 percentage points, and by 32.0 on average" in told.sentence
    (unsure,) = kc.judge(release.table, release, [CutsNotMade(ways=59)])
    assert unsure.severity == "know" and unsure.count == 5
    assert "in more than 59 ways" in unsure.sentence


def test_groups_that_publish_the_same_are_no_cut_that_was_not_made():
    """Two halves by zone, which the hierarchy publishes as one: both groups look alike, and whether the cut
    is made does not show."""
    frame = pd.DataFrame({"zone": list("abcd") * 2, "what": list("xyxyxyxy")})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"what": "sensitive"}))
    cover = kc.Mondrian(diversity=2.0).cover(table, 4, Run())
    top = kc.Hierarchy.of_paths([value, "all"] for value in "abcd")
    table = table.with_schema(table.schema.with_hierarchies({"zone": top}))
    release = kc.anonymize(table, kc.Mondrian(diversity=2.0), 4, seed=1)
    assert len(release.cover.sizes) == len(cover.sizes) == 2 and len(release.class_sizes) == 1
    assert not list(CutsNotMade().find(table, release, lambda *_: None))
    assert not minimality_attack(table, release).gain.any()


@pytest.mark.parametrize(
    ("algorithm", "why"),
    [
        (kc.Mondrian(), "no guarantee about sensitive values"),
        (kc.Mondrian(strict=False, diversity=2.0), "secret seed"),
        (kc.Mondrian(diversity=2.0), "more than 10 ways"),
    ],
)
def test_what_cannot_be_attacked_is_refused(algorithm, why):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"age": [1] * 3 + [2] * 3 + [1, 2], "zone": rng.permutation([1, 1, 1, 1, 2, 2, 2, 2])}
    )
    table = table_with(frame, tuple("abcabcab"))
    with pytest.raises(kc.UnsuitableError, match=why):
        minimality_attack(table, kc.anonymize(table, algorithm, 2, seed=1), 10 if "10" in why else 20_000)


def test_values_of_several_columns_stay_together():
    """A layout moves whole rows of sensitive values: of two columns that go together, the belief about one is
    that about the other."""
    frame, truth = next(iter(small(6)))
    one = table_with(frame, truth)
    twice = one.frame.assign(again=[f"{value}!" for value in truth])
    schema = kc.Schema.infer(twice).with_kinds({"age": "numeric", "zone": "numeric", "again": "categorical"})
    roles = {name: one.schema[name].role for name in one.schema.names} | {"again": "sensitive"}
    two = kc.Table.from_frame(twice, schema.with_kinds({"what": "categorical"}).with_roles(roles))
    algorithm = kc.Mondrian(diversity=2.0)
    found = [minimality_attack(table, kc.anonymize(table, algorithm, 2)) for table in (one, two)]
    assert found[0].ways == found[1].ways and found[0].leading == found[1].leading
    for belief in found[1].beliefs:
        assert (belief.after == found[0].beliefs[0].after).all()

"""ℓ-diversity and t-closeness: worked distances, groups that keep them, releases that do not."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.partitioning import constraints_kernels as kernels
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.guarantees import Guarantee, LDiversity, TCloseness, Verdict
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from tests.oracles import topdown as plain

SETTINGS = [
    {"diversity": 2.0},
    {"diversity": 3.0, "entropy": True},
    {"closeness": 0.3},
    {"diversity": 2.0, "closeness": 0.25},
]


def patients(seed: int, n: int = 60) -> kc.Table:
    """Age, city and drugs are known; disease and salary are sensitive."""
    rng = np.random.default_rng(seed)
    drugs = [";".join(sorted(set(rng.choice(list("abcdef"), rng.integers(0, 4))))) for _ in range(n)]
    frame = pd.DataFrame(
        {
            "age": rng.integers(0, 65, n) / 64,
            "city": rng.choice(["Oslo", "Kyoto", "Quito"], n),
            "drugs": drugs,
            "disease": rng.choice(["flu", "cold", "gout", "burn"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "salary": rng.integers(3, 12, n),
        }
    )
    frame.loc[:1, "age"] = [0.0, 1.0]
    kinds = dict(zip(frame, ("numeric", "categorical", "items", "categorical", "numeric"), strict=True))
    roles = dict.fromkeys(frame, "quasi_identifier") | {"disease": "sensitive", "salary": "sensitive"}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds(kinds).with_roles(roles))


def flat(table: kc.Table) -> kc.Table:
    """Without the item sets, which Mondrian does not take."""
    return table.with_schema(table.schema.with_quasi(["age", "city"]))


def diversity(values: list, entropy: bool) -> float:
    shares = [count / len(values) for count in Counter(values).values()]
    return math.exp(-sum(p * math.log(p) for p in shares)) if entropy else len(shares)


def distance(values: list, everyone: list, ordered: bool) -> float:
    """Earth mover's distance in exact fractions."""
    domain = sorted(set(everyone))
    surplus = [
        Fraction(values.count(v), len(values)) - Fraction(everyone.count(v), len(everyone)) for v in domain
    ]
    if not ordered:
        return float(sum(map(abs, surplus)) / 2)
    return float(sum(abs(sum(surplus[: i + 1])) for i in range(len(domain))) / max(len(domain) - 1, 1))


def keeps(table: kc.Table, options: dict, members: list[int]) -> bool:
    for name in ("disease", "salary"):
        everyone = table.frame[name].tolist()
        values = [everyone[r] for r in members]
        if diversity(values, options.get("entropy", False)) < options.get("diversity", 1) - 1e-9:
            return False
        if distance(values, everyone, name == "salary") > options.get("closeness", 1) + 1e-9:
            return False
    return True


def test_worked_distances():
    """The salaries of [Li et al. 2007, §5.2]: 3k to 11k; {3k, 4k, 5k} is 0.375 away, {6k, 8k, 11k} 0.167."""
    everyone = np.ones(9, np.int64)
    low, wide = np.bincount([0, 1, 2], minlength=9), np.bincount([3, 5, 8], minlength=9)
    assert kernels.distance(low, 3, everyone, 9, True) == pytest.approx(0.375)
    assert kernels.distance(wide, 3, everyone, 9, True) == pytest.approx(1 / 6)
    assert kernels.distance(low, 3, everyone, 9, False) == pytest.approx(2 / 3)


def test_worked_diversities():
    counts = np.array([2, 2, 0, 4])
    assert kernels.diverse(counts, 8, False) == 3
    assert kernels.diverse(counts, 8, True) == pytest.approx(2**1.5)


@pytest.mark.deep
@pytest.mark.parametrize(
    "algorithm", [kc.TopDown(), kc.TopDown(0.2), Mondrian(), Mondrian(cut="gain"), Mondrian(False)], ids=str
)
def test_every_group_keeps_what_is_asked(algorithm):
    for seed, options in itertools.product(range(4), SETTINGS):
        table = patients(seed) if isinstance(algorithm, kc.TopDown) else flat(patients(seed))
        release = kc.anonymize(table, dataclasses.replace(algorithm, **options), 3)
        names = {verdict.guarantee for verdict in kc.audit(table, release)}
        assert ("ℓ-diversity" in names) == ("diversity" in options)
        assert ("t-closeness" in names) == ("closeness" in options)
        assert len(release.cover.sizes) > 1
        for group in range(len(release.cover.sizes)):
            assert keeps(table, options, release.cover.members(group).tolist()), (seed, options)


@pytest.mark.deep
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(8, 50), options=st.sampled_from(SETTINGS[:3]))
def test_groups_equal_the_plain_twin(seed, n, options):
    """Numbers and categories alone: a pivot refused is followed by the next, which the twin does not try."""
    table = flat(patients(seed, n))
    algorithm = kc.TopDown(**options)
    if algorithm.unsuitable(table, 2):
        return
    cover = algorithm.cover(table, 2, Run())
    low, high = table["age"].range
    attributes = [
        plain.Attribute("numbers", ((table["age"].values - low) / (high - low)).tolist()),
        plain.Attribute("codes", table["city"].codes.tolist(), len(table["city"].labels)),
    ]
    expected = plain.topdown(attributes, n, 2, keeps=lambda group: keeps(table, options, group))
    assert sorted(cover.members(g).tolist() for g in range(len(cover.sizes))) == expected[0]


def checked(kind: type[Guarantee], table: kc.Table, release: Release) -> Verdict:
    """Return the verdict of the release's own guarantee of this kind."""
    (guarantee,) = (guarantee for guarantee in release.guarantees if isinstance(guarantee, kind))
    return guarantee.check(table, release)


def made(table: kc.Table, algorithm: kc.TopDown, groups: list[int]) -> Release:
    recipe = Recipe(table.schema, algorithm, 2, 0, table.data_digest, len(table))
    return Release.of(table, kc.Partition(np.array(groups)), recipe)


@pytest.fixture
def small() -> kc.Table:
    frame = pd.DataFrame({"age": [1, 1, 1, 5, 5, 5], "disease": ["flu", "flu", "flu", "flu", "cold", "gout"]})
    roles = {"age": "quasi_identifier", "disease": "sensitive"}
    kinds = {"age": "numeric", "disease": "categorical"}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles).with_kinds(kinds))


def test_a_release_that_breaks_diversity_is_found_with_witnesses(small):
    release = made(small, kc.TopDown(diversity=2), [0, 0, 0, 1, 1, 1])
    verdict = checked(LDiversity, small, release)
    assert not verdict.holds and verdict.found == 1 and verdict.witnesses == (1, 2, 3)
    assert checked(LDiversity, small, made(small, kc.TopDown(diversity=3), [0] * 6)).holds
    spread = checked(LDiversity, small, made(small, kc.TopDown(diversity=3, entropy=True), [0] * 6))
    assert not spread.holds and spread.found == pytest.approx(
        math.exp(-(2 / 3 * math.log(2 / 3) + math.log(1 / 6) / 3))
    )
    nearly = kc.TopDown(diversity=spread.found + 5e-7, entropy=True)
    assert not checked(LDiversity, small, made(small, nearly, [0] * 6)).holds


def test_a_release_that_breaks_closeness_is_found_with_witnesses(small):
    release = made(small, kc.TopDown(closeness=0.3), [0, 0, 0, 1, 1, 1])
    verdict = checked(TCloseness, small, release)
    assert not verdict.holds and verdict.found == pytest.approx(1 / 3)
    assert set(verdict.witnesses) == {1, 2, 3, 4, 5, 6}
    assert checked(TCloseness, small, made(small, kc.TopDown(closeness=0.34), [0, 0, 0, 1, 1, 1])).holds
    assert checked(TCloseness, small, made(small, kc.TopDown(closeness=0.0), [0] * 6)).found == 0
    nearly = made(small, kc.TopDown(closeness=1 / 3 - 5e-7), [0, 0, 0, 1, 1, 1])
    assert not checked(TCloseness, small, nearly).holds


@pytest.fixture
def salaries() -> kc.Table:
    """Nine of [Li et al. 2007, table 3], 3k to 11k, and a tenth person."""
    frame = pd.DataFrame({"age": [1, 1, 1, 2, 2, 2, 3, 3, 3, 9], "salary": [3, 4, 5, 6, 8, 11, 7, 9, 10, 3]})
    roles = {"age": "quasi_identifier", "salary": "sensitive"}
    schema = kc.Schema.infer(frame).with_roles(roles).with_kinds(dict.fromkeys(frame, "numeric"))
    return kc.Table.from_frame(frame, schema)


def test_the_audit_measures_numbers_along_their_order(salaries):
    nine = kc.Table.from_frame(salaries.frame.iloc[:9], salaries.schema)
    groups = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    verdict = checked(TCloseness, nine, made(nine, kc.TopDown(closeness=0.37), groups))
    assert verdict.found == pytest.approx(0.375)
    assert not verdict.holds and verdict.witnesses == (1, 2, 3)
    assert checked(TCloseness, nine, made(nine, kc.TopDown(closeness=0.376), groups)).holds


def test_a_suppressed_record_is_in_no_class_but_in_the_table(salaries):
    """The distribution that everyone may know is of all ten values; what a class tells is told of its own
    three."""
    groups = [0, 0, 0, 1, 1, 1, 2, 2, 2, -1]
    everyone = salaries.frame["salary"].tolist()
    expected = max(distance(everyone[i : i + 3], everyone, True) for i in (0, 3, 6))
    verdict = checked(TCloseness, salaries, made(salaries, kc.TopDown(closeness=0.1), groups))
    assert verdict.found == pytest.approx(expected) and 10 not in verdict.witnesses
    diverse = checked(LDiversity, salaries, made(salaries, kc.TopDown(diversity=3), groups))
    assert diverse.holds and diverse.found == 3


@pytest.mark.parametrize("algorithm", [kc.TopDown, Mondrian])
def test_what_cannot_be_kept_is_refused_in_sentences(small, algorithm):
    for options, word in (
        ({"diversity": 4}, "“disease” has 3 different values, so ℓ can be at most 3"),
        ({"diversity": 2.99, "entropy": True}, "too unequally .* at most 2.[0-9]+; choose"),
        ({"diversity": 2, "protect": ("age",)}, "quasi-identifier"),
        ({"diversity": 2, "protect": ("nobody",)}, "no column “nobody”"),
    ):
        with pytest.raises(kc.UnsuitableError, match=word):
            kc.anonymize(small, algorithm(**options), 2)
    plain_table = small.with_schema(small.schema.with_roles({"disease": "other"}))
    with pytest.raises(kc.UnsuitableError, match="No column has the role sensitive"):
        kc.anonymize(plain_table, algorithm(closeness=0.5), 2)
    assert kc.anonymize(plain_table, algorithm(diversity=2, protect=("disease",)), 2)
    sets = small.with_schema(small.schema.with_kinds({"disease": "items"}))
    with pytest.raises(kc.UnsuitableError, match="single values"):
        kc.anonymize(sets, algorithm(diversity=2), 2)

"""Every distance and every algorithm that goes by distances: groups follow what is chosen for a column."""

from __future__ import annotations

import dataclasses
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.base.options import expression
from kanon_core.covers.cover import Concealment
from kanon_core.distances.chosen import parts
from kanon_core.distances.mixed import points_of
from kanon_core.teaching.explain import make_story
from tests.helpers import looped
from tests.oracles.concealment import least_cost
from tests.oracles.mdav import mdav
from tests.oracles.refine import least_sse, plain_gaps, plain_sse
from tests.oracles.vmdav import vmdav

CHOSEN = "chosen"
ALGORITHMS = [
    kc.MDAV(),
    kc.VMDAV(gamma=0.0),
    kc.Refine(steps=3),
    kc.Refine(kc.Sorting(), steps=3),
    kc.Sorting(),
    kc.OptimalConcealment(CHOSEN),
    kc.Tours("nearest neighbor", CHOSEN),
    kc.Greedy(distance=CHOSEN),
    kc.Lottery(200, CHOSEN),
    kc.Clustered(kc.Greedy(distance=CHOSEN), cut="fine"),
    kc.Pairing(distance=CHOSEN),
    kc.Fragments(),
]
"""Each that goes by distances."""
NEAREST = (kc.MDAV, kc.VMDAV, kc.Refine, kc.OptimalConcealment, kc.Clustered, kc.Pairing, kc.Fragments)
"""Those that find three groups of three where these lie far apart."""
SHORT_WAY = (kc.MDAV, kc.VMDAV, kc.Refine, kc.Sorting, kc.Pairing, kc.Fragments)
"""Those to which places are neighbors over 180° without a distance, too."""

WORDS = {
    "near": [("kyoto", "akyoto", "zkyoto"), ("nagano", "anagano", "znagano"), ("y", "ay", "zy")],
    "codes": [("00000", "10000", "20000"), ("07777", "17777", "27777"), ("09999", "19999", "29999")],
}
NAMES = [f"{number}{letter}" for number in range(3) for letter in "abc"]
"""Three of a, three of b, three of c, in turn: neither the order of records nor of letters is a help."""
NAMED = [tuple(name for name in NAMES if name[1] == letter) for letter in "abc"]


def _within(names: list[str]) -> list[tuple[str, str]]:
    return [(one, other) for one, other in combinations(names, 2) if one[1] == other[1]]


def _cells() -> list[tuple[Any, ...]]:
    return [(one, *(0 if one == o else 1 if one[1] == o[1] else 9 for o in NAMES)) for one in NAMES]


TREE = kc.Tree({**{name: name[1] for name in NAMES}, "a": "*", "b": "*", "c": "*"})
RING = kc.Graph((*_within(NAMES), ("0a", "0b", 9), ("0b", "0c", 9), ("0c", "0a", 9)))
SEEN = [
    ("2024-01-01 23:50", "2024-05-01 00:10", "2024-09-01 00:00"),
    ("2024-01-01 08:00", "2024-05-01 08:10", "2024-09-01 07:55"),
    ("2024-01-01 16:00", "2024-05-01 15:50", "2024-09-01 16:05"),
]
ISLANDS = [(179.9, -179.9, 179.95), (-60.0, -59.9, -60.1), (60.0, 60.1, 59.9)]

CASES: dict[str, tuple[kc.Distance, str, list[tuple[Any, ...]]]] = {
    "hour": (kc.Calendar("hour"), "datetime", SEEN),
    "great circle": (kc.GreatCircle(), "longitude", ISLANDS),
    "tree": (TREE, "categorical", NAMED),
    "graph": (RING, "categorical", NAMED),
    "matrix": (kc.GivenMatrix(_cells()), "categorical", NAMED),
    "hamming": (kc.Hamming(), "text", WORDS["codes"]),
    "levenshtein": (kc.Levenshtein(), "text", WORDS["near"]),
    "normalized": (kc.NormalizedLevenshtein(), "text", WORDS["codes"]),
    "damerau": (kc.DamerauLevenshtein(), "text", WORDS["near"]),
}
"""By name: a distance, the kind of its column, and three groups of three values that it calls near."""
each_case = pytest.mark.parametrize("name", CASES)
each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=expression)


def tables(name: str) -> tuple[kc.Table, kc.Table]:
    """Nine records, of the three groups in turn: without a distance, and with it."""
    distance, kind, groups = CASES[name]
    values = [group[place] for place in range(3) for group in groups]
    frame = pd.DataFrame({"x": pd.to_datetime(values) if kind == "datetime" else values})
    kinds = {"x": kind}
    if kind == "longitude":
        frame, kinds = frame.assign(lat=-17.0 + 0.01 * np.arange(9)), {"x": kind, "lat": "latitude"}
    schema = kc.Schema(tuple(kc.Attribute(column, kind=kinds[column]) for column in frame))
    plain = kc.Table.from_frame(frame, schema)
    measured = "lat" if kind == "longitude" else "x"
    return plain, plain.with_schema(schema.with_distances({measured: distance}))


def cover_of(algorithm: kc.Algorithm, table: kc.Table, k: int = 3) -> kc.Cover:
    assert not algorithm.unsuitable(table, k)
    return algorithm.cover(table, k, Run(seed=11))


def together(cover: kc.Cover) -> set[frozenset[int]]:
    """Return the sets of records that hide among each other: the groups, or for each record of a concealment
    those whose rows it may have."""
    if isinstance(cover, Concealment):
        return {frozenset(column) for column in cover.matchings.T.tolist()}
    return {frozenset(cover.members(group).tolist()) for group in range(len(cover.sizes))}


WANTED = {frozenset({place, place + 3, place + 6}) for place in range(3)}


def test_these_are_all_algorithms_that_take_distances():
    taking = {cls for cls in kc.ALGORITHMS if cls.takes_distances}
    assert {type(algorithm) for algorithm in ALGORITHMS} == taking
    assert all(algorithm.by_distances for algorithm in ALGORITHMS)
    others = {kc.Absolute, kc.Discrete, kc.Jaccard, kc.Around}
    assert {type(distance) for distance, *_ in CASES.values()} | others == {*kc.DISTANCES}


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", [kc.MDAV(), kc.VMDAV(gamma=0.0), kc.Refine(steps=3)], ids=expression)
def test_around_a_pole_groups_change_with_the_distance(algorithm):
    """Three places 11 km from the pole are near each other, whatever their degrees of longitude."""
    frame = pd.DataFrame({"lat": [89.9, 70.0, 70.0] * 3, "lon": [0, 0, 60, 120, 0.1, 60.1, -120, -0.1, 59.9]})
    plain = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_kinds({"lat": "latitude", "lon": "longitude"})
    )
    chosen = plain.with_schema(plain.schema.with_distances({"lat": kc.GreatCircle()}))
    found = together(cover_of(algorithm, chosen))
    assert found == WANTED and found != together(cover_of(algorithm, plain))


@pytest.mark.deep
@each_algorithm
@each_case
def test_groups_change_when_the_distance_does(name, algorithm):
    plain, chosen = tables(name)
    found = cover_of(algorithm, chosen)
    alphabet = isinstance(algorithm, kc.Sorting) and CASES[name][1] == "text"
    short = name == "great circle" and isinstance(algorithm, SHORT_WAY)
    assert (found == cover_of(algorithm, plain)) is (alphabet or short)
    if isinstance(algorithm, NEAREST):
        assert together(found) == WANTED
    if isinstance(algorithm, kc.Sorting) and name in ("hour", "great circle", "tree"):
        assert together(found) == WANTED


@each_algorithm
def test_discrete_numbers_are_no_longer_near(algorithm):
    values = [0.0, 50.0, 100.0, 1.0, 51.0, 101.0, 0.0, 51.0, 100.0]
    schema = kc.Schema((kc.Attribute("x", kind="numeric"),))
    plain = kc.Table.from_frame(pd.DataFrame({"x": values}), schema)
    chosen = plain.with_schema(schema.with_distances({"x": kc.Discrete()}))
    if isinstance(algorithm, kc.Sorting):  # equal or not says no order
        assert cover_of(algorithm, plain) == cover_of(algorithm, chosen)
    elif isinstance(algorithm, kc.MDAV | kc.VMDAV):
        assert cover_of(algorithm, plain) != cover_of(algorithm, chosen)
        numeric, codes = np.zeros((9, 0)), np.unique(values, return_inverse=True)[1][:, None]
        twin = mdav if isinstance(algorithm, kc.MDAV) else partial(vmdav, gamma=algorithm.gamma)
        labels = twin(numeric, codes.astype(np.int32), np.array([2.0]), 3)
        assert cover_of(algorithm, chosen) == kc.Partition(labels)


@each_case
def test_mdav_and_vmdav_are_their_slow_twins_on_the_points(name):
    _, table = tables(name)
    points = points_of(table)
    arrays = (points.numeric, points.codes, points.weights)
    for k in (2, 3, 4):
        assert cover_of(kc.MDAV(), table, k) == kc.Partition(mdav(*arrays, k))
        assert cover_of(kc.VMDAV(0.8), table, k) == kc.Partition(vmdav(*arrays, k, 0.8))


@pytest.mark.deep
@each_case
@looped("start", [kc.MDAV(), kc.Sorting(), kc.Mondrian()])
def test_refine_lowers_the_loss_that_it_names(name, start):
    """Never above its start nor below the best of all partitions; it is SSE, and SSE/SST says so too."""
    _, table = tables(name)
    points = points_of(table)
    arrays = (points.numeric, points.codes, points.weights)
    for k in (2, 3):
        run = Run(seed=5)
        found = kc.Refine(start, steps=4).cover(table, k, run)
        before = plain_sse(*arrays, start.cover(table, k, Run(seed=5)).groups)
        after, best = plain_sse(*arrays, found.groups), least_sse(plain_gaps(*arrays), k)
        assert run.report["loss of the start"] == pytest.approx(before)
        assert run.report["loss reached"] == pytest.approx(after)
        assert best - 1e-9 <= after <= before + 1e-9
        release = kc.anonymize(table.in_given_order(), kc.Refine(start, steps=4), k, seed=5)
        labels = release.cover.groups
        assert kc.ILSSDM().measure(table, release).total == pytest.approx(
            plain_sse(*arrays, labels) / plain_sse(*arrays, np.zeros(9, int))
        )
        assert kc.least_loss(table, [k])[0].value <= best / plain_sse(*arrays, np.zeros(9, int)) + 1e-9


@each_case
def test_what_is_exact_equals_brute_force(name):
    _, nine = tables(name)
    six = nine.some([0, 1, 3, 4, 6, 7], [column.attribute.name for column in nine.columns])
    (part,) = parts(six.quasi)
    apart = part.encoding.pairs(np.arange(6)[:, None], np.arange(6))
    for k in (2, 3):
        run = Run(seed=1)
        kc.OptimalConcealment(CHOSEN).cover(six, k, run)
        assert run.report["cost"] == pytest.approx(least_cost(apart, k))
    pairs = [list(zip(order[::2], order[1::2], strict=True)) for order in _pairings(list(range(6)))]
    run = Run(seed=1)
    kc.Pairing(exact=True, distance=CHOSEN).cover(six, 2, run)
    assert run.report["cost"] == pytest.approx(min(2 * sum(apart[a, b] for a, b in p) for p in pairs))


def _pairings(left: list[int]) -> list[list[int]]:
    if not left:
        return [[]]
    first, rest = left[0], left[1:]
    return [
        [first, other, *more]
        for other in rest
        for more in _pairings([record for record in rest if record != other])
    ]


@looped("scale", ["range", "sd", "none"])
def test_the_optimum_of_one_number_is_that_of_all_partitions_in_every_unit(scale):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.normal(size=9).round(2)})
    table = kc.Table.from_frame(
        frame, kc.Schema((kc.Attribute("x", kind="numeric", distance=kc.Absolute(scale)),))
    )
    points = points_of(table)
    arrays = (points.numeric, points.codes, points.weights)
    for k in (2, 3, 4):
        found = cover_of(kc.OptimalUnivariate(), table, k)
        assert plain_sse(*arrays, found.groups) == pytest.approx(least_sse(plain_gaps(*arrays), k))


@looped("algorithm", [kc.OptimalUnivariate(), kc.MIL()])
def test_what_works_on_a_number_line_refuses_circles_and_names_them(algorithm):
    _, table = tables("hour")
    (reason,) = algorithm.unsuitable(table, 3)
    assert "“x”" in reason and "“Calendar”" in reason and "difference of numbers" in reason
    assert not algorithm.unsuitable(table.with_schema(table.schema.with_distances({"x": None})), 3)


@each_algorithm
def test_a_tree_that_lacks_values_is_refused_once_by_name(algorithm):
    schema = kc.Schema((kc.Attribute("x", distance=kc.Tree({"a": "*"})),))
    table = kc.Table.from_frame(pd.DataFrame({"x": list("aabbaabb")}), schema)
    reasons = algorithm.unsuitable(table, 2)
    assert len(reasons) == 1 and "“x”" in reasons[0] and "lacks" in reasons[0]
    with pytest.raises(kc.UnsuitableError, match="lacks"):
        kc.anonymize(table, algorithm, 2)


def test_who_does_not_go_by_distances_takes_any():
    schema = kc.Schema((kc.Attribute("x", distance=kc.Tree({"a": "*"})),))
    table = kc.Table.from_frame(pd.DataFrame({"x": list("aabbaabb")}), schema)
    for algorithm in (kc.Mondrian(), kc.Pairing(), kc.Refine(kc.Mondrian(), loss="ncp", steps=1)):
        assert not algorithm.by_distances
        release = kc.anonymize(table, algorithm, 2, seed=1)
        assert np.isfinite(kc.ILSSDM().measure(table, release).total)


@each_algorithm
@each_case
def test_the_run_can_be_told_and_repeated(name, algorithm):
    _, table = tables(name)
    story = make_story(table, algorithm, 3, seed=3)
    cover, last = story.release.cover, story.steps[-1].cover
    assert all("nan" not in step.sentence for step in story.steps)
    if isinstance(cover, kc.Partition):
        found = np.empty_like(last)
        found[story.run.records] = last
        assert kc.Partition(found) == cover
    release = kc.anonymize(table, algorithm, 3, seed=3)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    settled = dataclasses.replace(release.recipe.algorithm)
    assert kc.anonymize(table, settled, 3, seed=3).cover == release.cover


@each_case
def test_mdav_says_what_its_distances_are(name):
    distance, *_ = CASES[name]
    _, table = tables(name)
    first = make_story(table, kc.MDAV(), 3, seed=3).steps[0].sentence
    assert f"by “{distance.title}”" in first


def test_nagano_is_grouped_with_its_neighbors_before_tokyo():
    regions = {"Nagano": "Chubu", "Yamanashi": "Chubu", "Gifu": "Chubu", "Tokyo": "Kanto", "Chiba": "Kanto"}
    tree = kc.Tree({**regions, "Saitama": "Kanto", "Chubu": "Japan", "Kanto": "Japan"})
    towns = ["Nagano", "Tokyo", "Yamanashi", "Chiba", "Gifu", "Saitama"]
    schema = kc.Schema((kc.Attribute("town", distance=tree),))
    table = kc.Table.from_frame(pd.DataFrame({"town": towns}), schema)
    for algorithm in (a for a in ALGORITHMS if isinstance(a, (*NEAREST, kc.Sorting))):
        assert together(cover_of(algorithm, table)) == {frozenset({0, 2, 4}), frozenset({1, 3, 5})}

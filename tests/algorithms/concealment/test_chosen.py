"""k-concealment by the distances chosen for the columns: every algorithm, the certified optimum, the exact
pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.matchings import distances_of, total_cost
from kanon_core.algorithms.concealment.pairing import pairing
from kanon_core.algorithms.concealment.pairing.pairing import best_pairs
from kanon_core.covers.cover import Concealment
from kanon_core.distances import encodings
from kanon_core.distances.chosen import parts
from tests.oracles import distances as oracle
from tests.oracles.concealment import least_cost

PARENTS = {
    "Nara": "Kansai",
    "Osaka": "Kansai",
    "Tokyo": "Kanto",
    "Kansai": "Japan",
    "Kanto": "Japan",
    "Lyon": "France",
} | {
    "Japan": "*",
    "France": "*",
}
TOWNS = ("Lyon", "Nara", "Osaka", "Tokyo")
NAMES = st.text("abc", min_size=1, max_size=4)
PLACES = st.tuples(st.sampled_from([35.0, 35.5, -35.0, 60.0]), st.sampled_from([139.0, 139.5, -140.0, 179.5]))
RECORDS = st.tuples(st.none() | NAMES, st.sampled_from(TOWNS), st.none() | PLACES)
WEIGHTS = (1.0, 0.5, 0.001)


def table_of_records(records) -> kc.Table:
    """Names by Levenshtein or another word distance, towns by the tree, places by the great circle."""
    names, towns, places = zip(*records, strict=True)
    lat, lon = zip(*((None, None) if place is None else place for place in places), strict=True)
    frame = pd.DataFrame({"name": pd.Series(names, dtype=object), "town": towns})
    frame = frame.assign(lat=pd.Series(lat, dtype=float), lon=pd.Series(lon, dtype=float))
    kinds = {"name": "text", "town": "categorical", "lat": "latitude", "lon": "longitude"}
    schema = kc.Schema(tuple(kc.Attribute(name, kind=kind) for name, kind in kinds.items()))
    schema = schema.with_distances(
        {"name": kc.Levenshtein(), "town": kc.Tree(PARENTS), "lat": kc.GreatCircle()}
    )
    return kc.Table.from_frame(
        frame, schema.with_weights(dict(zip(("name", "town", "lat"), WEIGHTS, strict=True)))
    )


def plain_distances(records, table: kc.Table) -> np.ndarray:
    """The weighted sums by the plain definitions; only the gap of missing values is taken from the
    package."""
    gaps = [part.scale.gap for part in parts(table.quasi)]
    plain = (oracle.levenshtein, lambda a, b: oracle.tree(PARENTS, (), a, b), oracle.haversine)

    def apart(a, b) -> float:
        total = 0.0
        for x, y, measure, gap, weight in zip(a, b, plain, gaps, WEIGHTS, strict=True):
            total += weight * ((0.0 if x is y else gap) if x is None or y is None else measure(x, y))
        return total

    return np.array([[apart(a, b) for b in records] for a in records])


@pytest.mark.deep
@settings(max_examples=40, deadline=None)
@given(st.lists(RECORDS, min_size=2, max_size=6), st.integers(2, 4))
def test_the_optimum_equals_brute_force(records, k):
    k = min(k, len(records))
    table, run = table_of_records(records), Run()
    plain = plain_distances(records, table)
    cover = kc.OptimalConcealment("chosen").cover(table, k, run)
    assert distances_of(table, "chosen") == pytest.approx(plain, rel=1e-6, abs=1e-6)
    assert run.report["cost"] == pytest.approx(total_cost(cover.matchings, plain), rel=1e-6, abs=1e-6)
    assert run.report["cost"] == pytest.approx(least_cost(plain, k), rel=1e-6, abs=1e-6)
    assert run.report["dual bound"] == pytest.approx(run.report["cost"], rel=1e-9, abs=1e-9)


@pytest.mark.deep
@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text("ab", min_size=1, max_size=4), min_size=2, max_size=6).filter(lambda w: len(w) % 2 == 0)
)
def test_the_best_pairs_equal_brute_force_even_where_detours_are_shorter(words):
    schema = kc.Schema((kc.Attribute("x", kind="text", distance=kc.NormalizedLevenshtein()),))
    table, run = kc.Table.from_frame(pd.DataFrame({"x": words}), schema), Run()
    kc.Pairing(exact=True, distance="chosen").cover(table, 2, run)
    least = min(
        2
        * sum(
            oracle.normalized_levenshtein(words[a], words[b])
            for a, b in zip(order[::2], order[1::2], strict=True)
        )
        for order in itertools.permutations(range(len(words)))
    )
    assert run.report["cost"] == pytest.approx(least, abs=1e-6)
    assert run.report["lower bound"] == pytest.approx(least, abs=1e-6)


def test_twins_are_paired_first_only_where_detours_are_not_shorter(monkeypatch):
    """0 and 1 are equal; but 2 and 3 are so far apart that each had better hide with one of them."""
    apart = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0.0]])
    labels, bound = best_pairs(apart, is_metric=False)
    assert labels[0] != labels[1] and bound == pytest.approx(4, abs=1e-5)
    seen = []
    monkeypatch.setattr(
        pairing, "best_pairs", lambda d, tick, metric: seen.append(metric) or (np.array([0, 0]), 0.0)
    )
    for distance in (kc.Levenshtein(), kc.NormalizedLevenshtein()):
        schema = kc.Schema((kc.Attribute("x", kind="text", distance=distance),))
        table = kc.Table.from_frame(pd.DataFrame({"x": ["a", "b"]}), schema)
        kc.Pairing(exact=True, distance="chosen").cover(table, 2, Run())
    assert seen == [True, False]


METHODS = (
    kc.Greedy(distance="chosen"),
    kc.Lottery(20, "chosen"),
    kc.Tours(distance="chosen"),
    kc.Clustered(kc.Tours("two-opt", "chosen")),
    kc.Pairing(distance="chosen"),
)


def records(n: int, seed: int = 0) -> list:
    rng = np.random.default_rng(seed)
    return [
        (
            "".join(rng.choice(list("abc"), rng.integers(1, 5))),
            TOWNS[rng.integers(4)],
            tuple(rng.uniform(-60, 60, 2)),
        )
        for _ in range(n)
    ]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_every_method_takes_the_chosen_distances_and_none_beats_the_optimum(method):
    table, run, best = table_of_records(records(24)), Run(seed=1), Run()
    cover = method.cover(table, 2, run)
    kc.OptimalConcealment("chosen").cover(table, 2, best)
    if isinstance(cover, Concealment):
        assert run.report["cost"] == pytest.approx(total_cost(cover.matchings, distances_of(table, "chosen")))
    assert run.report["cost"] >= best.report["cost"] * (1 - 1e-12)


def test_a_release_by_chosen_distances_keeps_its_promise_and_its_recipe():
    table = table_of_records(records(12))
    release = kc.anonymize(table, kc.OptimalConcealment("chosen"), k=3)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    recipe = kc.Recipe.from_json(release.recipe.to_json())
    assert recipe == release.recipe and recipe.schema["lat"].distance == kc.GreatCircle()
    again = kc.anonymize(table.with_schema(recipe.schema), recipe.algorithm, k=3)
    assert np.array_equal(again.cover.matchings, release.cover.matchings)


@pytest.mark.parametrize(
    "method", [*METHODS, kc.OptimalConcealment("chosen")], ids=lambda m: type(m).__name__
)
def test_columns_that_cannot_be_measured_as_chosen_are_refused_in_words(method, monkeypatch):
    table = table_of_records(records(12))
    assert method.unsuitable(table, 2) == []
    lonely = table.with_schema(table.schema.with_roles({"lon": "other"}))
    (reason,) = method.unsuitable(lonely, 2)
    assert "longitude beside “lat”" in reason
    for module in ("kanon_core.distances.manhattan", "kanon_core.algorithms.concealment.matchings"):
        monkeypatch.setattr(f"{module}.VALUES_AT_MOST", 5)
    (reason,) = method.unsuitable(table, 2)
    assert "“name” has " in reason and "different values" in reason
    monkeypatch.setattr("kanon_core.distances.base.VALUES_AT_MOST", 5)
    with pytest.raises(kc.KanonError, match=r"“name” has .* different values"):
        distances_of(table_of_records(records(12)), "chosen")
    assert isinstance(kc.OptimalConcealment().cover(table, 2, Run()), Concealment)
    assert isinstance(parts(table.quasi)[0].encoding, encodings.Computed)


def test_1500_records_of_mixed_distances_are_concealed_exactly():
    rng = np.random.default_rng(0)
    n = 1_500
    frame = pd.DataFrame(
        {
            "town": rng.choice(TOWNS, n),
            "lat": rng.uniform(30, 45, n),
            "lon": rng.uniform(130, 145, n),
            "age": rng.integers(18, 90, n),
        }
    )
    schema = (
        kc.Schema.infer(frame).with_quasi(frame.columns).with_kinds({"town": "categorical", "age": "numeric"})
    )
    schema = schema.with_distances(
        {"town": kc.Tree(PARENTS), "lat": kc.GreatCircle(), "age": kc.Absolute("sd")}
    )
    table, run = kc.Table.from_frame(frame, schema.with_weights({"lat": 0.01})), Run()
    kc.OptimalConcealment("chosen").cover(table, 4, run)
    assert run.report["dual bound"] == pytest.approx(run.report["cost"], rel=1e-9)

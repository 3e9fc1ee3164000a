"""Lower bounds of loss: never above the optimum over all partitions, tight where they must be, and said
clearly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.distances.embedding import euclidean, manhattan
from kanon_core.metrics.bounds import Bound, least_loss, tightened
from kanon_core.metrics.bounds.nearest import distances, nearest
from tests.helpers import release_of
from tests.oracles.microaggregation import least_sse

KINDS = st.sampled_from(["numbers", "mixed", "missing", "ties"])


def partitions(n: int, k: int) -> Iterator[list[int]]:
    """Labels of every partition of n records into groups of k … 2 k − 1."""

    def placed(labels: list[int], sizes: list[int]) -> Iterator[list[int]]:
        left = n - len(labels)
        if sum(max(0, k - size) for size in sizes) > left:
            return
        if not left:
            yield list(labels)
            return
        for group in range(len(sizes) + 1):
            if group == len(sizes):
                yield from placed([*labels, group], [*sizes, 1])
            elif sizes[group] < 2 * k - 1:
                sizes[group] += 1
                yield from placed([*labels, group], sizes)
                sizes[group] -= 1

    yield from placed([], [])


def table_of(kind: str, n: int, seed: int) -> kc.Table:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(size=n).round(2), "y": rng.gamma(1, 5, n).round(1)})
    if kind == "ties":
        frame = frame.round(0)
    if kind in ("mixed", "missing"):
        frame["city"] = rng.choice(["Rome", "Bern", "Oslo", "Ueda"], n)
    if kind == "missing":
        frame.loc[rng.random(n) < 0.2, "y"] = np.nan
        frame.loc[rng.random(n) < 0.2, "city"] = None
    schema = kc.Schema.infer(frame).with_kinds({"x": "numeric", "y": "numeric"}).with_quasi(list(frame))
    return kc.Table.from_frame(frame, schema)


def optimum(table: kc.Table, k: int, metric: kc.Metric) -> float:
    """The least loss of any grouping into k or more. Splitting a group of 2k never raises either loss."""
    return min(metric.measure(table, release_of(table, labels)).total for labels in partitions(len(table), k))


@pytest.mark.deep
@settings(deadline=None, max_examples=25)
@given(KINDS, st.integers(4, 7), st.integers(2, 3), st.integers(0, 10**6))
def test_never_above_the_optimum_of_all_partitions(kind, n, k, seed):
    table = table_of(kind, n, seed)
    for metric in (kc.ILSSDM(), kc.NCP()):
        least = optimum(table, min(k, n), metric)
        (bound,) = least_loss(table, [k], type(metric).__name__)
        assert bound.value <= least + 1e-12
        if isinstance(metric, kc.ILSSDM):
            better = tightened(table, k, steps=200)
            assert bound.value * (1 - 1e-6) <= better.value <= least + 1e-12


@pytest.mark.deep
@pytest.mark.parametrize(("n", "k"), [(9, 3), (10, 4), (12, 5)])
def test_never_above_the_optimum_of_more_records(n, k):
    table = table_of("mixed", n, 7)
    least = optimum(table, k, kc.ILSSDM())
    assert least_loss(table, [k])[0].value < tightened(table, k, steps=500).value <= least


@pytest.mark.parametrize(("n", "k"), [(6, 2), (8, 3), (9, 4)])
def test_the_integer_program_finds_the_optimum_of_all_partitions(n, k):
    table = table_of("numbers", n, 3)
    places = euclidean(table)
    total = ((places - places.mean(axis=0)) ** 2).sum()
    assert least_sse(places, k) / total == pytest.approx(optimum(table, k, kc.ILSSDM()))


@pytest.mark.deep
@pytest.mark.parametrize(("n", "k"), [(14, 2), (12, 3), (12, 4), (11, 5)])
def test_triangles_raise_the_bound_and_never_above_the_optimum(n, k):
    """The first 300 steps look at pairs alone."""
    for seed in range(2):
        table = table_of("mixed" if seed else "ties", n, seed)
        places = euclidean(table)
        least = least_sse(places, k) / ((places - places.mean(axis=0)) ** 2).sum()
        pairs, better = (tightened(table, k, steps=steps).value for steps in (300, 900))
        assert pairs <= better <= least + 1e-9
        assert better > pairs or k == 2 or pairs == pytest.approx(least)


def test_of_a_hexagon_the_triangles_reach_the_optimum():
    """Side 1, k = 3: by pairs everybody is next to both neighbors, 6 · 1 / 3 = 2. Three in a
    row are 1, 1 and 3 apart, twice 5 / 3. SST = 6."""
    turns = np.arange(6) * np.pi / 3
    frame = pd.DataFrame({"x": np.cos(turns), "y": np.sin(turns)})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds({"x": "numeric", "y": "numeric"}))
    assert least_sse(frame.to_numpy(), 3) == pytest.approx(10 / 3)
    pairs, better = (tightened(table, 3, steps=steps).value for steps in (300, 1_500))
    assert pairs == pytest.approx(2 / 6) and better <= 10 / 18
    assert better == pytest.approx(10 / 18, rel=0.05)


def test_seconds_end_the_search_and_more_steps_never_give_less():
    table = kc.read_table("sample:people-100")
    values = [tightened(table, 5, steps=steps).value for steps in (1, 100, 400)]
    assert values == sorted(values) and values[0] < values[-1]
    assert tightened(table, 5, seconds=1e-9).value == values[0]
    seen: list[float | None] = []
    tightened(table, 5, steps=20, progress=lambda share, note: seen.append(share))
    assert len(seen) >= 20 and all(share is not None and 0 <= share <= 1 for share in seen)


def test_equal_records_are_searched_for_once():
    rng = np.random.default_rng(0)
    places = rng.integers(0, 4, (300, 2)).astype(float)
    for norm in (1, 2):
        found = distances(places, 30, norm)
        alone = nearest(places, 30, norm).distances
        assert len(found.to) < 20 and found.records.sum() == 300
        assert np.allclose(found.records @ found.to, alone.sum(axis=0))
    same = distances(np.zeros((5, 1)), 4, 2)
    assert same.to.tolist() == [[0.0] * 4] and same.records.tolist() == [5]


def test_pairs_apart_leave_no_gap():
    frame = pd.DataFrame({"age": [0.0, 1, 10, 11, 30, 31]})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds({"age": "numeric"}))
    release = release_of(table, [0, 0, 1, 1, 2, 2])
    for metric in (kc.ILSSDM(), kc.NCP()):
        (bound,) = least_loss(table, [2], type(metric).__name__)
        reached = metric.measure(table, release).total
        assert bound.value == pytest.approx(reached) and bound.gap(reached) == pytest.approx(0, abs=1e-6)
    assert least_loss(table, [2])[0].value == pytest.approx(
        1.5 / ((frame["age"] - frame["age"].mean()) ** 2).sum()
    )


@pytest.mark.deep
def test_below_every_algorithm_on_a_larger_table():
    table = kc.read_table("sample:people-100")
    for k in (2, 5, 12):
        for cls in (kc.MDAV, kc.VMDAV, kc.Mondrian, kc.Refine):
            release = kc.anonymize(table, cls(), k, seed=1)
            for bound in (least_loss(table, [k])[0], tightened(table, k, steps=200)):
                assert bound.value <= kc.ILSSDM().measure(table, release).total
            assert least_loss(table, [k], "NCP")[0].value <= kc.NCP().measure(table, release).total


def test_hierarchies_and_weights_are_bounded_too():
    tree = kc.Hierarchy.of_paths(
        [("Rome", "south"), ("Bari", "south"), ("Oslo", "north"), ("Bergen", "north")]
    )
    frame = pd.DataFrame(
        {"city": ["Rome", "Bari", "Oslo", "Bergen", "Rome", "Oslo"], "age": [1, 2, 3, 4, 5, 60]}
    )
    schema = kc.Schema.infer(frame).with_quasi(["city", "age"]).with_hierarchies({"city": tree})
    table = kc.Table.from_frame(frame, schema.with_kinds({"age": "numeric"}).with_weights({"age": 3.0}))
    (bound,) = least_loss(table, [2], "NCP")
    assert 0 < bound.value <= optimum(table, 2, kc.NCP())


@pytest.mark.parametrize(("places", "norm"), [(euclidean, 2), (manhattan, 1)])
def test_the_tree_finds_the_same_distances_as_all_pairs(monkeypatch, places, norm):
    from kanon_core.metrics.bounds import nearest as module

    at = places(kc.read_table("sample:people-100"))
    one = nearest(at, 7, norm)
    monkeypatch.setattr(module, "_ALL_PAIRS_AT_MOST", 0)
    monkeypatch.setattr(module, "_PER_CALL", 30)
    other = nearest(at, 7, norm)
    assert np.allclose(one.distances, other.distances)
    assert not (other.records == np.arange(100)[:, None]).any()


def test_all_ks_at_once_are_those_one_by_one():
    table = kc.read_table("sample:people-100")
    ks = [2, 3, 10, 100]
    for metric in ("ILSSDM", "NCP"):
        alone = [least_loss(table, [k], metric)[0] for k in ks]
        together = least_loss(table, ks, metric)
        assert [b.k for b in together] == ks
        assert [b.value for b in together] == pytest.approx([b.value for b in alone])
        assert all(a.value <= b.value for a, b in pairwise(together))


def test_bad_input_gets_a_sentence():
    table = kc.read_table("sample:people-100")
    for ks, metric, says in (
        ([1], "NCP", "from 2 to 100"),
        ([101], "NCP", "from 2 to 100"),
        ([2], "ILD", "only for ILSSDM and NCP"),
    ):
        with pytest.raises(OptionError, match=says):
            least_loss(table, ks, metric)
    with pytest.raises(UnsuitableError, match="holds item sets"):
        least_loss(kc.read_table("sample:receipts-10000"), [2])


def test_a_table_without_variation_loses_nothing():
    frame = pd.DataFrame({"x": [3.0] * 6})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds({"x": "numeric"}).with_quasi(["x"]))
    assert least_loss(table, [2])[0].value == 0 and tightened(table, 2).value == 0
    assert np.isnan(Bound("NCP", 2, 0.0).gap(0.1))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "refined"),
    [("Tarragona", {3: 14.63, 5: 20.19, 10: 30.23}), ("CASCrefmicrodata", {3: 4.76, 5: 7.42, 10: 11.53})],
)
def test_on_the_reference_tables_little_is_left_to_gain(kanon_data, name, refined):
    """Refine's losses in one second; the gap is a share of the bound."""
    table = kc.read_table(kanon_data / "casc" / f"{name}.csv")
    names = [attribute.name for attribute in table.schema]
    table = table.with_schema(table.schema.with_kinds(dict.fromkeys(names, "numeric")).with_quasi(names))
    for k, loss in refined.items():
        assert 0 < tightened(table, k, steps=700).gap(loss / 100) < 0.12

"""The search that lowers the SSE: its formulas, its promises, what it reaches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.algorithms.clustering.refine import anneal_kernels as annealing
from kanon_core.algorithms.clustering.refine import region_kernels as regions
from kanon_core.algorithms.clustering.refine import settle_kernels as settling
from kanon_core.algorithms.clustering.refine import sse_kernels as searching
from kanon_core.algorithms.clustering.refine.refine import refine_sse
from kanon_core.base.anytime import Limits
from kanon_core.base.random_kernels import generator, shuffle
from tests.helpers import looped
from tests.oracles.refine import least_sse, neighbors, plain_gaps, plain_sse

SHAPES = [(2, 0), (0, 2), (3, 2)]


def points(n: int, p: int, q: int, seed: int):
    random = np.random.default_rng(seed)
    numeric = random.normal(size=(n, p)) * random.choice([0.1, 1, 10], size=(n, 1))
    return regions.Points(numeric, random.integers(0, 4, (n, q), np.int32), random.uniform(0.5, 2, q))


def in_order(n: int, k: int) -> np.ndarray:
    return np.minimum(np.arange(n) // k, n // k - 1)


def open_region(data, labels, k):
    gaps = regions.squared_distances(data, np.arange(len(labels)))
    return regions.open_region(gaps, labels.copy(), len(labels) // k, k, min(2 * k, len(labels) - 1))


def loss_of(region) -> float:
    there = region.size > 0
    return float((region.pairs[there] / region.size[there]).sum())


def is_consistent(region, data, k) -> bool:
    """The region's running figures are what its grouping says; sizes are 0 or at least k, and below 2k."""
    fresh = open_region(data, region.group, k)
    for g, size in enumerate(region.size):
        members = region.members[g, :size]
        assert set(members) == set(np.flatnonzero(region.group == g))
        assert (region.place[members] == np.arange(size)).all()
        assert size == 0 or k <= size < 2 * k
    assert region.sums == pytest.approx(fresh.sums, abs=1e-7)
    assert region.pairs == pytest.approx(fresh.pairs, abs=1e-7)
    return loss_of(region) == pytest.approx(plain_sse(*data, region.group), abs=1e-7)


@pytest.mark.parametrize(("p", "q"), SHAPES)
def test_the_loss_is_that_of_the_definition(p, q):
    data = points(23, p, q, 1)
    labels = in_order(23, 4)
    expected = plain_sse(*data, labels)
    gaps = plain_gaps(*data)
    assert regions.squared_distances(data, np.arange(23)) == pytest.approx(gaps)
    assert regions.scan(data, 5, np.arange(23)) == pytest.approx(gaps[5])
    assert regions.region_loss(gaps, labels, 5) == pytest.approx(expected)
    assert regions.partition_sse(data, labels, np.argsort(labels)) == pytest.approx(expected)
    groups = settling.lay_out(data, labels, 4)
    settling.settle(groups, 4, np.array([0, 1, 0, 0]), 0)
    assert groups.own.sum() == pytest.approx(expected)


def test_moving_changes_the_loss_by_formula_7():
    """{0, 1, 2, 10} and {11, 12, 13}: X = −57.75, and 64.75 becomes 7."""
    numeric = np.array([[0.0], [1], [2], [10], [11], [12], [13]])
    data = regions.Points(numeric, np.zeros((7, 0), np.int32), np.zeros(0))
    region = open_region(data, np.array([0, 0, 0, 0, 1, 1, 1]), 3)
    assert loss_of(region) == pytest.approx(64.75)
    assert regions.move_change(region, 3, 1) == pytest.approx(-57.75)
    regions.move(region, 3, 1)
    assert loss_of(region) == pytest.approx(7)
    found = refine_sse(data, np.array([0, 0, 0, 0, 1, 1, 1]), 3)
    assert found[0].tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert found[2:] == pytest.approx((64.75, 7))


@settings(max_examples=60, deadline=None)
@given(n=st.integers(9, 24), shape=st.sampled_from(SHAPES), seed=st.integers(0, 2**32))
def test_changes_foretold_are_the_changes_made(n, shape, seed):
    data = points(n, *shape, seed)
    random = np.random.default_rng(seed)
    labels = random.permutation(in_order(n, 3))
    region = open_region(data, labels, 3)
    for _ in range(12):
        x, y = random.integers(n, size=2)
        if region.group[x] == region.group[y]:
            continue
        before = plain_sse(*data, region.group)
        if region.size[region.group[x]] > 3 and region.size[region.group[y]] < 5:
            change = regions.move_change(region, x, region.group[y])
            regions.move(region, x, region.group[y])
        else:
            change = regions.swap_change(region, x, y)
            regions.swap(region, x, y)
        assert plain_sse(*data, region.group) - before == pytest.approx(change, abs=1e-7)
    assert is_consistent(region, data, 3)


@pytest.mark.parametrize("accept", [True, False])
def test_groups_are_dissolved_and_founded_or_all_is_put_back(accept):
    data = points(20, 2, 1, 3)
    work = np.empty(6, np.int64), np.empty(6, np.int64)
    labels = in_order(20, 3)
    region = open_region(data, labels, 3)
    limit = 1e9 if accept else -1e9
    assert annealing.dissolve(region, 0, 3, limit, *work) is accept
    assert is_consistent(region, data, 3)
    assert bool(region.size[0] == 0) is accept
    assert accept or (region.group == labels).all()
    spare = in_order(20, 5)
    region = open_region(data, spare, 3)
    assert annealing.found(region, 0, 3, limit, *work) is accept
    assert is_consistent(region, data, 3)
    assert (region.size > 0).sum() == (5 if accept else 4)
    assert accept or (region.group == spare).all()


@pytest.mark.parametrize(("p", "q"), SHAPES)
def test_annealing_keeps_the_books(p, q):
    data = points(40, p, q, 4)
    region = open_region(data, in_order(40, 4), 4)
    temperatures, proposals, _ = annealing.cooled(loss_of(region) / 40, 200_000, 10**6)
    annealing.anneal(region, 4, temperatures, proposals, annealing.QUANTILES, generator(1))
    assert is_consistent(region, data, 4)


@pytest.mark.parametrize("most", [10, 500, 10**6])
def test_cooling_makes_the_proposals_asked_for_in_steps_not_too_long(most):
    temperatures, proposals, per_step = annealing.cooled(2.0, 12_800, most)
    assert 12_800 <= len(temperatures) * proposals <= 14_000
    assert proposals * per_step <= most or per_step == 1
    assert proposals <= most
    assert temperatures[0] == 2.0
    assert temperatures[-1] == 0.0
    assert (np.diff(temperatures) <= 0).all()


@pytest.mark.deep
@looped("p, q", SHAPES)
@looped("n, k", [(30, 3), (29, 4), (17, 2)])
def test_at_the_end_no_move_or_swap_lowers_the_loss(p, q, n, k):
    data = points(n, p, q, n)
    labels, _, before, after = refine_sse(data, in_order(n, k), k, seed=1)
    assert after == pytest.approx(plain_sse(*data, labels))
    assert after < before
    assert after <= min(plain_sse(*data, other) for other in neighbors(labels, k)) + 1e-9 * before


@pytest.mark.deep
@pytest.mark.parametrize(("p", "q"), SHAPES)
def test_settling_alone_ends_where_no_move_or_swap_helps(p, q):
    """From in order: many changes, made in one call or in many, to the same end."""
    data = points(60, p, q, 5)
    ends = []
    for budget in (10**9, 1):
        labels = in_order(60, 4)
        groups = settling.lay_out(data, labels, 4)
        cursor = np.array([0, 1, 0, 0])
        while not settling.settle(groups, 4, cursor, budget):
            pass
        ends.append(labels.tolist())
        loss = plain_sse(*data, labels)
        assert cursor[2] > 10
        assert groups.own.sum() == pytest.approx(loss)
        assert loss <= min(plain_sse(*data, other) for other in neighbors(labels, 4)) + 1e-9 * loss
    assert ends[0] == ends[1]


@pytest.mark.deep
@looped("n, k", [(11, 3), (10, 2), (12, 4)])
@looped("seed", range(3))
def test_small_tables_are_solved(n, k, seed):
    data = points(n, 2, 1, seed)
    found = refine_sse(data, in_order(n, k), k, seed)
    assert found[3] == pytest.approx(least_sse(plain_gaps(*data), k))


@pytest.mark.parametrize("n", [60, 5000])
def test_the_same_steps_give_the_same_groups(n):
    """Stopped by the clock, then run again by the number of steps alone; larger tables are cut into
    blocks."""
    data = points(n, 3, 1, 6)
    first = refine_sse(data, in_order(n, 5), 5, 7, Limits(0.2))
    again = refine_sse(data, in_order(n, 5), 5, 7, Limits(steps=first[1]))
    assert (first[0] == again[0]).all()
    assert first[1:] == again[1:]


def test_the_whole_search_ends_at_the_step_it_reports():
    data = points(25, 2, 0, 8)
    full = refine_sse(data, in_order(25, 3), 3, 2)
    again = refine_sse(data, in_order(25, 3), 3, 2, Limits(steps=full[1]))
    assert (full[0] == again[0]).all()
    assert full[1:] == again[1:]


def test_the_seed_matters():
    data = points(400, 3, 0, 9)
    ends = {refine_sse(data, in_order(400, 5), 5, seed, Limits(steps=5))[3] for seed in range(4)}
    assert len(ends) > 1


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 60),
    k=st.integers(1, 8),
    shape=st.sampled_from(SHAPES),
    seed=st.integers(0, 2**32),
    steps=st.integers(1, 6),
)
def test_a_partition_is_never_made_worse(n, k, shape, seed, steps):
    """Any start, groups far above 2k, suppressed records: sizes end in k … 2k − 1, and the loss is not
    above."""
    random = np.random.default_rng(seed)
    k = min(k, n)
    data = points(n, *shape, seed)
    labels = random.permutation(np.arange(n) % max(1, random.integers(1, n // k + 1)))
    suppressed = np.isin(labels, 0) if labels.max() > 0 and random.random() < 0.3 else np.zeros(n, bool)
    labels = np.where(suppressed, -1, labels)
    given_labels = labels.copy()
    result, done, before, after = refine_sse(data, labels, k, seed, Limits(steps=steps))
    assert (labels == given_labels).all()
    assert done <= steps
    assert ((result == -1) == suppressed).all()
    sizes = np.bincount(result[~suppressed])
    assert sizes.min() >= k
    assert sizes.max() < max(2 * k, 2)
    assert before == pytest.approx(plain_sse(*data, labels), abs=1e-7)
    assert after == pytest.approx(plain_sse(*data, result), abs=1e-7)
    assert after <= before * (1 + 1e-12)
    first = np.unique(result[~suppressed], return_index=True)[1]
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize("n", [3, 5, 6])
def test_tables_of_one_or_two_groups(n):
    numeric = np.arange(n, dtype=float)[:, None]
    found = refine_sse((numeric, np.zeros((n, 0), np.int32), np.zeros(0)), np.zeros(n, np.int64), 3)
    assert found[0].tolist() == ([0, 0, 0, 1, 1, 1] if n == 6 else [0] * n)


def test_records_that_are_all_alike_stay_without_loss():
    data = regions.Points(np.ones((50, 2)), np.zeros((50, 1), np.int32), np.ones(1))
    found = refine_sse(data, in_order(50, 4), 4)
    assert found[2:] == (0.0, 0.0)


def test_everything_suppressed_stays_suppressed():
    data = points(6, 1, 1, 1)
    labels, done, before, after = refine_sse(data, np.full(6, -1), 3)
    assert labels.tolist() == [-1] * 6
    assert (done, before, after) == (0, 0.0, 0.0)


def test_groups_too_large_for_a_region_still_settle(monkeypatch):
    monkeypatch.setattr(searching, "LARGEST_K", 4)
    data = points(60, 2, 1, 10)
    labels, _, before, after = refine_sse(data, in_order(60, 6), 6)
    assert after < before
    assert after <= min(plain_sse(*data, other) for other in neighbors(labels, 6)) + 1e-9 * before


def test_very_large_groups_are_cut_up_and_left_alone():
    data = points(4500, 2, 0, 14)
    labels, done, before, after = refine_sse(data, np.zeros(4500, np.int64), 1100)
    assert np.bincount(labels).tolist() == [1125] * 4
    assert done == 0
    assert after < before


def test_a_start_with_a_small_group_is_refused():
    data = points(7, 1, 0, 1)
    with pytest.raises(ValueError, match="at least k = 3"):
        refine_sse(data, np.array([0, 0, 0, 0, 0, 1, 1]), 3)


def test_what_the_tick_raises_stops_the_search():
    seen = []

    def tick(fraction, note):
        seen.append(fraction)
        if len(seen) == 3:
            raise KeyboardInterrupt

    data = points(3000, 4, 0, 11)
    with pytest.raises(KeyboardInterrupt):
        refine_sse(data, in_order(3000, 5), 5, limits=Limits(60, tick=tick))
    assert 0 <= seen[0] <= seen[1] <= seen[2] < 0.5


def test_blocks_are_whole_groups_and_cover_all_records():
    data = points(9000, 2, 1, 12)
    work = searching.Search(data, in_order(9000, 7), 7, 1)
    blocks = work.blocks()
    assert len(blocks) > 3
    assert (np.sort(np.concatenate(blocks)) == np.arange(9000)).all()
    for block in blocks:
        assert len(block) <= searching.BLOCK
        assert np.isin(np.flatnonzero(np.isin(work.labels, work.labels[block])), block).all()


def test_a_region_is_the_groups_of_the_nearest_records():
    data = points(300, 2, 0, 13)
    work = searching.Search(data, in_order(300, 3), 3, 1)
    records = work.region(17, np.arange(300), 30)
    nearest = np.argsort(plain_gaps(*data)[17], kind="stable")
    groups = list(dict.fromkeys(work.labels[nearest]))[: len(np.unique(work.labels[records]))]
    assert 30 <= len(records) <= 35
    assert set(records) == set(np.flatnonzero(np.isin(work.labels, groups)))


def test_the_generator_is_fixed_and_uniform():
    state = generator(0)
    assert shuffle(np.arange(8), state).tolist() == [2, 7, 4, 1, 5, 0, 3, 6]
    counts = np.bincount([searching.pick(state, 10) for _ in range(20_000)])
    assert len(counts) == 10
    assert abs(counts - 2000).max() < 200


@pytest.mark.deep
@pytest.mark.parametrize(
    ("file", "k", "target"),
    [
        ("Tarragona", 3, 15.0),
        ("Tarragona", 5, 21.3),
        ("Tarragona", 10, 30.9),
        ("CASCrefmicrodata", 3, 5.28),
        ("CASCrefmicrodata", 5, 8.27),
        ("CASCrefmicrodata", 10, 12.45),
    ],
)
def test_reference_tables_get_well_below_mdav(kanon_data, file, k, target):
    """100 · SSE / SST, z-scored, from groups in file order, in as many steps as a second or two is good
    for."""
    values = pd.read_csv(kanon_data / "casc" / f"{file}.csv").to_numpy(float)
    numeric = np.ascontiguousarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))
    data = numeric, np.zeros((len(numeric), 0), np.int32), np.zeros(0)
    labels = refine_sse(data, in_order(len(numeric), k), k, 1, Limits(steps=300))[0]
    assert 100 * plain_sse(*data, labels) / (numeric**2).sum() < target

"""Refine for sets: never below its start, its count is right, near the best of small cases, on the golden
baskets 10 % better."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from benchmarks import _basket_bound
from benchmarks._basket_bound import most_shown
from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.partitioning.refine_sets import hunt_kernels, refine_sets
from kanon_core.base import anytime
from kanon_core.base.anytime import Limits
from tests.contracts.replay import replay
from tests.helpers import table_of
from tests.oracles import refine_sets as plain

STEPS = Limits(steps=3)
WIDTH = 6

baskets = st.lists(st.frozensets(st.integers(0, WIDTH - 1), max_size=5), min_size=4, max_size=8)


def csr(sets) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    return starts, np.array([item for own in sets for item in sorted(own)], np.int32)


def halves(n: int, k: int) -> np.ndarray:
    """Groups of k in the order of the records, the rest with the last."""
    return np.minimum(np.arange(n) // k, n // k - 1)


def long_tailed(n: int, seed: int = 0) -> list[frozenset[int]]:
    """Baskets around a few themes of a hundred items, some of them popular everywhere."""
    rng = np.random.default_rng(seed)
    themes = [rng.choice(100, 8, replace=False) for _ in range(12)]
    return [
        frozenset(rng.choice(themes[rng.integers(12)], rng.integers(1, 6), replace=False).tolist())
        | frozenset(rng.zipf(2, rng.integers(0, 3)).clip(max=99).tolist())
        for _ in range(n)
    ]


def small_steps(*arguments) -> tuple[np.ndarray, int, int, int]:
    """`refined` with steps of a tenth of the usual work: small cases need no more."""
    with patch.object(hunt_kernels, "WORK", hunt_kernels.WORK // 10):
        return refine_sets.refined(*arguments)


def table_of_sets(sets, **columns) -> kc.Table:
    cells = [";".join(f"i{item:02}" for item in sorted(own)) for own in sets]
    table = table_of(basket=cells, **columns)
    kinds = table.schema.with_kinds({"basket": "items"})
    return kc.Table.from_frame(table.frame, kinds.with_quasi(["basket", *columns]))


@settings(max_examples=60, deadline=None)
@given(baskets, st.integers(2, 3), st.integers(0, 5))
def test_small_cases_are_valid_counted_right_and_between_start_and_best(sets, k, seed):
    if len(sets) < k:
        return
    start = halves(len(sets), k)
    labels, _, before, after = small_steps(start, *csr(sets), WIDTH, k, None, seed, STEPS)
    assert before == plain.shown(start, sets)
    assert after == plain.shown(labels, sets)
    assert before <= after <= plain.best(sets, k)
    assert plain.smallest(labels.tolist()) >= k


def test_most_small_cases_are_solved():
    rng = np.random.default_rng(1)
    solved = gained = 0
    for seed in range(60):
        sets = [frozenset(rng.choice(WIDTH, rng.integers(1, 5), replace=False).tolist()) for _ in range(8)]
        start = halves(8, 2)
        *_, before, after = small_steps(start, *csr(sets), WIDTH, 2, None, seed, STEPS)
        best = plain.best(sets, 2)
        solved += after == best
        gained += after > before or best == before
    assert solved >= 48
    assert gained >= 55


def test_two_mixed_groups_are_sorted_out():
    sets = [frozenset({0, 1, 2}), frozenset({3, 4, 5})] * 4
    labels, steps, before, after = refine_sets.refined(halves(8, 4), *csr(sets), WIDTH, 4, None, 0, STEPS)
    assert (steps, before, after) == (3, 0, 24)
    assert len(set(labels[::2])) == len(set(labels[1::2])) == 1


@pytest.mark.parametrize("k", [2, 5, 20])
def test_many_baskets_gain_keep_k_and_repeat(k):
    sets = long_tailed(1500)
    start = halves(1500, k)
    run = partial(refine_sets.refined, start, *csr(sets), 100, k, None)
    labels, _, before, after = run(3, Limits(steps=4))
    assert before == plain.shown(start, sets) < after == plain.shown(labels, sets)
    assert np.bincount(labels)[np.unique(labels)].min() >= k
    again, *_ = run(3, Limits(1e9, 4))
    assert np.array_equal(labels, again)
    other, *_ = run(4, Limits(steps=4))
    assert not np.array_equal(labels, other)
    assert after <= run(3, Limits(steps=8))[3]


def test_suppressed_records_and_blocks_stay():
    sets = long_tailed(900)
    start = halves(900, 3)
    start[[5, 6, 7, 8]] = -1
    start[3:5] = start[0]
    blocks = np.arange(900) // 300
    labels, _, before, after = refine_sets.refined(start, *csr(sets), 100, 3, blocks, 0, STEPS)
    assert after > before
    assert np.flatnonzero(labels < 0).tolist() == [5, 6, 7, 8]
    for block in range(3):
        inside = labels[blocks == block]
        assert not set(inside[inside >= 0]) & set(labels[blocks != block])
    assert np.bincount(labels[labels >= 0])[np.unique(labels[labels >= 0])].min() >= 3


def test_odd_input():
    whole = np.zeros(6, np.int64)
    empty = np.zeros(7, np.int64), np.zeros(0, np.int32)
    assert small_steps(whole, *empty, 0, 2, None, 0, STEPS)[1:] == (0, 0, 0)
    same = csr([frozenset({0, 1})] * 6)
    assert small_steps(whole, *same, 2, 2, None, 0, STEPS)[2:] == (12, 12)
    one = csr([frozenset({0})] * 3 + [frozenset()] * 3)
    assert small_steps(whole, *one, 1, 3, None, 0, STEPS)[2:] == (0, 3)
    large = csr([frozenset(range(10_000))] * 3 + [frozenset(range(5_000, 15_000))] * 3)
    assert small_steps(whole, *large, 15_000, 3, None, 0, STEPS)[2:] == (30_000, 60_000)
    with pytest.raises(ValueError, match="at least k = 4"):
        refine_sets.refined(np.array([0, 0, 0, 1, 1, 1]), *same, 2, 4)


def test_what_the_tick_raises_passes_through():
    class Stop(BaseException):
        pass

    ticks = []

    def tick(fraction, note=""):
        ticks.append(fraction)
        if len(ticks) == 3:
            raise Stop

    with pytest.raises(Stop):
        refine_sets.refined(
            halves(900, 3), *csr(long_tailed(900)), 100, 3, None, 0, Limits(steps=90, tick=tick)
        )
    assert ticks[0] == 0


@pytest.mark.deep
@settings(max_examples=40, deadline=None)
@given(baskets, st.integers(2, 4))
def test_the_bound_is_the_largest_shared_subset(sets, k):
    found = most_shown(*csr(sets), WIDTH, k)
    assert found.tolist() == [plain.most(r, sets, k) for r in range(len(sets))]
    if len(sets) >= k:
        assert found.sum() >= plain.best(sets, k)


def test_the_bound_of_sets_of_more_items_than_a_machine_word_has_bits():
    """The twin intersects k − 1 others with the record; 65 to 150 items fill two and three words, and come in
    bundles."""
    rng = np.random.default_rng(5)
    bundles = np.array_split(rng.permutation(200), 16)
    chosen = [rng.choice(16, rng.integers(7, 12), replace=False) for _ in range(12)]
    sets = [frozenset(np.concatenate([bundles[b] for b in one]).tolist()) for one in chosen]
    assert min(map(len, sets)) > 64 and max(map(len, sets)) > 128
    for k in (2, 3, 4, 6):
        found = most_shown(*csr(sets), 200, k)
        assert found.tolist() == [plain.most_shared(r, sets, k) for r in range(12)]
        assert found.max() > 64 or k > 3


def test_a_bound_given_up_is_still_one(monkeypatch):
    monkeypatch.setattr(_basket_bound, "_NODES", 2)
    sets = long_tailed(300)
    quick = most_shown(*csr(sets), 100, 4)
    monkeypatch.undo()
    exact = most_shown(*csr(sets), 100, 4)
    assert (quick >= exact).all() and (quick > exact).any()


def test_cancelling_leaves_nothing_behind():
    """The table and a run after it are as if the cancelled one had not been."""

    class Stop(BaseException):
        pass

    table = table_of_sets(long_tailed(400))
    digest, algorithm = table.data_digest, kc.RefineSets(steps=4)
    expected = kc.anonymize(table, algorithm, 5, seed=1).cover
    for most in (0.1, 0.3, 0.6):

        def tick(fraction, note="", most=most):
            if fraction is not None and fraction > most:
                raise Stop

        with pytest.raises(Stop):
            kc.anonymize(table, algorithm, 5, seed=1, progress=tick)
        assert kc.anonymize(table, algorithm, 5, seed=1).cover == expected
    assert kc.Table.from_frame(table.frame, table.schema).data_digest == digest


def test_the_algorithm_reports_settles_and_replays():
    table = table_of_sets(long_tailed(400))
    release = kc.anonymize(table, kc.RefineSets(seconds=0.2), 5, seed=2)
    settled = release.recipe.algorithm
    assert settled.steps == release.report["steps"] >= 1
    assert release.report["items shown"] > release.report["items shown by the start"]
    again = kc.anonymize(table, kc.RefineSets(steps=settled.steps), 5, seed=2)
    assert again.cover == release.cover
    run = Run(2, log=Log())
    cover = settled.cover(table, 5, run)
    assert np.array_equal(replay(run.log.events, 400), cover.groups)


def test_fewer_items_are_suppressed_than_by_its_start_and_nothing_else_is_lost():
    rng = np.random.default_rng(0)
    sets = long_tailed(1200)
    table = table_of_sets(sets, sex=rng.choice(["f", "m"], 1200).tolist())
    start = kc.anonymize(table, kc.TopDown(), 4)
    release = kc.anonymize(table, kc.RefineSets(steps=5), 4)
    score = {name: kc.NCP().measure(table, one) for name, one in (("start", start), ("refined", release))}
    assert score["refined"].attributes["sex"] <= score["start"].attributes["sex"]
    assert release.report["items shown"] > release.report["items shown by the start"]
    assert all(verdict.holds for verdict in kc.audit(table, release))


def test_what_it_cannot_do_is_refused():
    numbers = table_of(x=list(range(20)))
    assert any("such as Mondrian or Refine" in reason for reason in kc.RefineSets().unsuitable(numbers, 2))
    sets = table_of_sets(long_tailed(50), illness=["a", "b"] * 25)
    sets = sets.with_schema(sets.schema.with_roles({"illness": "sensitive"}))
    diverse = kc.RefineSets(start=kc.TopDown(diversity=2.0))
    assert any("set both to 1" in reason for reason in diverse.unsuitable(sets, 2))
    assert not kc.RefineSets().unsuitable(sets, 2)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("k", "steps", "pivot_rule"),
    [(2, 150, 0.536), (5, 200, 0.626), (10, 230, 0.671), (20, 250, 0.715), (50, 300, 0.775)],
)
def test_real_baskets_lose_a_tenth_less_at_every_k(kanon_data, k, steps, pivot_rule):
    """At least 10 % fewer suppressed items than the pivot rule alone (set-valued paper, figure 9), after what
    is some three to five seconds' work. At k = 50 it hangs on the order of the records and the seed: 9.97 to
    10.06 %."""
    table = kc.read_table(kanon_data / "baskets" / "BMS-WebView-2.fimi.txt").in_given_order()
    table = table.with_schema(table.schema.with_quasi([table.schema.names[-1]]))
    release = kc.anonymize(table, kc.RefineSets(steps=steps), k)
    assert np.bincount(release.groups).min() >= k
    assert kc.SuppressedItems().measure(table, release).total <= 0.9 * pivot_rule


@pytest.mark.parametrize("size", [900, 45])
def test_groups_chosen_by_prices_show_more_and_keep_to_blocks(size):
    """Counted again, k kept in every block, its rest included."""
    n, k = 900, hunt_kernels.PRICED
    sets = long_tailed(n)
    blocks = np.arange(n) // size
    start = halves(size, k)[np.arange(n) % size] + 1000 * blocks
    hunt = hunt_kernels.Hunt(*csr(sets), 100, blocks, np.unique(start, return_inverse=True)[1], k, 0)
    laid_out = hunt.shown
    assert laid_out == plain.shown(start, sets) + n
    chosen = []
    with patch.object(hunt_kernels.Hunt, "lay_out", lambda hunt, labels: chosen.append(labels)):
        for note in hunt.work():
            if note == "forming groups again":
                break
    (labels, *_) = chosen
    hunt = hunt_kernels.Hunt(*csr(sets), 100, blocks, np.unique(start, return_inverse=True)[1], k, 0)
    hunt.lay_out(labels)
    labels = hunt.state.groups.of.astype(np.int64)
    assert hunt.shown == plain.shown(labels, sets) + n
    assert np.bincount(labels)[np.unique(labels)].min() >= k
    assert all(len(set(blocks[labels == label])) == 1 for label in set(labels.tolist()))
    assert hunt.shown > laid_out


def test_the_time_for_the_search_does_not_pass_while_its_code_is_compiled():
    now, steps = [0.0], []

    class SlowAtFirst(hunt_kernels.Hunt):
        def improve(self, ruined, note):
            now[0] += 0.25 if self.sets.k == 4 else 60.0
            steps.extend([note] * (self.sets.k == 4))
            return super().improve(ruined, note)

    refine_sets._load.cache_clear()
    with (
        patch.object(hunt_kernels, "Hunt", SlowAtFirst),
        patch.object(anytime.time, "perf_counter", lambda: now[0]),
    ):
        refine_sets.refined(halves(200, 4), *csr(long_tailed(200)), 100, 4, limits=Limits(1.0))
    assert len(steps) == 4

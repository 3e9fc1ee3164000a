"""Cuts from the top, over rows that nobody holds at once, are those of Mondrian in one memory: every row lies
in the same group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.partitioning import constraints, equals
from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import new_records, new_work
from kanon_core.algorithms.partitioning.mondrian_kernels import Limits, cut_parts
from kanon_core.distances.mixed import UnitColumns
from kanon_core.guarantees.attributes.counts import Values
from kanon_core.scale.passes import questions
from kanon_core.scale.passes.counting_kernels import Rows
from kanon_core.scale.passes.cutting import CutLimit, Weights, fragments_of
from kanon_core.scale.passes.encoded import once
from kanon_core.scale.passes.questions import Answer, Question, Shape, answers
from kanon_core.scale.passes.tree import Tree

RULES = (
    kc.Mondrian(),
    kc.Mondrian(diversity=2.0),
    kc.Mondrian(diversity=1.5, entropy=True),
    kc.Mondrian(closeness=0.5),
    kc.Mondrian(diversity=2.0, closeness=0.3),
)


def some_numbers(rng: np.random.Generator, n: int, p: int, how: str) -> np.ndarray:
    """Numbers from 0 to 1, NaN = missing."""
    found = {
        "many": rng.random((n, p)),
        "few": rng.integers(0, 5, (n, p)) / 4.0,
        "skewed": np.where(rng.random((n, p)) < 0.5, 0.25, rng.random((n, p)) ** 8),
        "close": 0.5 + rng.integers(0, 40, (n, p)) * 1e-16,
    }[how]
    found[rng.random((n, p)) < rng.choice([0.0, 0.2, 0.9])] = np.nan
    low, high = np.nan_to_num(found, nan=2).min(0), np.nan_to_num(found, nan=-2).max(0)
    width = np.where(high > low, high - low, 1.0)
    return np.where(np.isnan(found), np.nan, (found - low) / width)


def some_records(rng: np.random.Generator, n: int, p: int, q: int, how: str) -> UnitColumns:
    """Records as Mondrian sees them, categories skewed."""
    domains = rng.integers(1, 7, q)
    codes = np.minimum(rng.geometric(0.4, (n, q)) - 1, domains - 1).astype(np.int32)
    weights = np.where(rng.random(p + q) < 0.2, 0.0, rng.random(p + q))
    return UnitColumns(
        some_numbers(rng, n, p, how), weights[:p], codes, domains.astype(np.int64), weights[p:]
    )


def in_one_memory(unit: UnitColumns, sensitive: np.ndarray, limits: Limits) -> np.ndarray:
    """int64 (n): the group of each record."""
    records, values = new_records(unit, sensitive)
    work = new_work(len(unit.numeric), values, limits.k)
    while not cut_parts(records, work, limits, 10**9):
        pass
    found = np.empty(len(unit.numeric), np.int64)
    for group, (start, end) in enumerate(work.done[: work.made[1]]):
        found[work.order[start:end]] = group
    return found


def from_the_top(
    unit: UnitColumns, sensitive: np.ndarray, limits: Limits, parts: Sequence[np.ndarray], most: int
) -> tuple[Tree, np.ndarray]:
    """The tree of cuts of rows in these parts, and the leaf of each row."""
    records, _ = new_records(unit, sensitive)
    alone = np.empty(0, np.int64)
    pieces = [
        once(Rows(records.numeric[part], records.values[part], alone), sensitive[part]) for part in parts
    ]

    def ask(tree: Tree, asked: Mapping[int, Question]) -> dict[int, Answer]:
        found: dict[int, Answer] = {}
        for rows, guarded in pieces:
            for node, answer in answers(asked, rows, tree.leaf_of(rows), guarded).items():
                found[node] = asked[node].merged(found[node], answer) if node in found else answer
        return found

    shape = Shape(len(records.width), tuple(np.cumsum([0, *unit.domains]).tolist()))
    weights = Weights(records.width, records.step)
    tree = fragments_of(ask, len(unit.numeric), shape, weights, limits, CutLimit(most))
    return tree, tree.leaf_of(Rows(records.numeric, records.values, alone))


def pairs(one: np.ndarray, other: np.ndarray) -> int:
    """Return the number of different pairs of numbers."""
    return len(set(zip(one.tolist(), other.tolist(), strict=True)))


@pytest.mark.deep
@settings(max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 250),
    numbers=st.integers(0, 2),
    categories=st.integers(0, 2),
    how=st.sampled_from(["many", "few", "skewed", "close"]),
    k=st.integers(2, 8),
    rule=st.sampled_from(RULES),
    narrow=st.sampled_from([(3, 2), (3, 1024), (50_000, 1024)]),
    fragment=st.sampled_from([0, 0, 40]),
)
def test_every_row_lies_in_the_group_that_it_has_in_one_memory(
    seed, n, numbers, categories, how, k, rule, narrow, fragment
):
    rng = np.random.default_rng(seed)
    unit = some_records(rng, n, numbers or 1 - min(categories, 1), categories, how)
    cells = rng.integers(0, 4, n).astype(np.int32)
    guarded = (Values("s", cells, 4, bool(seed % 2)),) if rule != kc.Mondrian() else ()
    sensitive = constraints.numbered(guarded, n)
    limits = Limits(k, True, False, constraints.rule_of(guarded, rule))
    parts = np.split(rng.permutation(n), np.sort(rng.integers(0, n + 1, 3)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "MOST_VALUES", narrow[0])
        patch.setattr(questions, "BINS", narrow[1])
        patch.setattr(equals, "FEWEST", 20 * (seed % 3))
        patch.setattr(equals, "TIMES", 0.0)
        tree, leaf = from_the_top(unit, sensitive, limits, parts, fragment or k)
    counts = np.bincount(leaf, minlength=len(tree.sizes))
    assert [counts[node] for node in tree.leaves] == [tree.sizes[node] for node in tree.leaves]
    group = in_one_memory(unit, sensitive, limits)
    if fragment:  # then groups lie within fragments, as far as these are not cut
        assert pairs(group, leaf) == group.max() + 1
    else:
        assert pairs(group, leaf) == group.max() + 1 == len(tree.leaves)


def test_a_table_that_cannot_be_cut_is_one_fragment():
    unit = UnitColumns(
        np.zeros((60, 1)), np.ones(1), np.zeros((60, 0), np.int32), np.zeros(0, np.int64), np.zeros(0)
    )
    limits = Limits(3, True, False, constraints.rule_of((), kc.Mondrian()))
    tree, leaf = from_the_top(unit, np.zeros((60, 0), np.int64), limits, [np.arange(60)], 20)
    assert tree.leaves == [0] and not leaf.any()

"""The compiled passes over the rows of a part: as row by row, compiled and not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.base.compiled import uncompiled
from kanon_core.scale.passes import questions
from kanon_core.scale.passes.counting_kernels import Rows, bin_of
from kanon_core.scale.passes.questions import Shape, Sides, Summary, Values, answers, bins_of, counted
from kanon_core.scale.passes.tree import Cut, Tree
from tests.oracles import counting as slow

DOMAINS = (3, 1, 4)
SHAPE = Shape(2, (0, 3, 4, 8))


def some_rows(rng: np.random.Generator, n: int) -> Rows:
    """Two numbers, sometimes missing, sometimes equal, and three categories."""
    numbers = np.where(rng.random((n, 2)) < 0.5, rng.integers(0, 5, (n, 2)) / 4, rng.random((n, 2)))
    numbers[rng.random((n, 2)) < 0.2] = -1.0
    codes = rng.integers(0, DOMAINS, (n, 3))
    values = np.ascontiguousarray(codes + np.array(SHAPE.starts[:-1]), np.int64)
    return Rows(numbers, values, np.empty(0, np.int64))


def some_tree(rng: np.random.Generator, cuts: int) -> Tree:
    """A tree of random cuts in all attributes."""
    tree = Tree([0])
    for _ in range(cuts):
        a, members = int(rng.integers(5)), ()
        if a >= 2:
            start, end = SHAPE.starts[a - 2 : a]
            members = tuple(v for v in range(start, end) if rng.random() < 0.5)
        tree.cut(int(rng.choice(tree.leaves)), Cut(a, float(rng.choice([-1.0, 0.25, rng.random()])), members))
    return tree


def plain(rows: Rows) -> list[slow.Row]:
    return list(zip(rows.numeric.tolist(), rows.values.tolist(), strict=True))


@pytest.mark.parametrize("interpreted", [True, False])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(0, 40), cuts=st.integers(0, 12))
def test_a_row_lies_in_the_leaf_that_its_cuts_lead_to(interpreted, seed, n, cuts):
    rng = np.random.default_rng(seed)
    rows, tree = some_rows(rng, n), some_tree(rng, cuts)
    with uncompiled(interpreted):
        found = tree.leaf_of(rows)
    assert found.tolist() == [slow.leaf(tree, row) for row in plain(rows)]


@pytest.mark.parametrize("interpreted", [True, False])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(0, 40))
def test_rows_are_counted_with_the_question_that_asks_about_them(interpreted, seed, n):
    rng = np.random.default_rng(seed)
    rows, group = some_rows(rng, n), rng.integers(-1, 3, n)
    ends = [((0.0, 1.0), (0.25, 0.25)), ((0.25, 0.75), (0.0, 0.5)), ((0.5, 0.4), (-1.0, 1.0))]
    with pytest.MonkeyPatch.context() as patch, uncompiled(interpreted):
        patch.setattr(questions, "BINS", 4)
        found = counted([Summary(SHAPE, own) for own in ends], rows, group)
    for number, own in enumerate(ends):
        chosen = [row for row, of in zip(plain(rows), group.tolist(), strict=True) if of == number]
        expected = slow.summary(chosen, own, SHAPE.values, 4)
        assert {name: value.tolist() for name, value in found[number].items()} == expected


@pytest.mark.parametrize("interpreted", [True, False])
@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), n=st.integers(0, 40), most=st.sampled_from([2, 50_000]))
def test_rows_with_counts_are_answered_for_as_if_they_were_repeated(interpreted, seed, n, most):
    rng = np.random.default_rng(seed)
    rows, leaves = some_rows(rng, n), rng.integers(0, 5, n)
    often, sensitive = rng.integers(1, 6, n), rng.integers(0, 4, (n, 2))
    numeric, values = (np.repeat(array, often, axis=0) for array in rows[:2])
    asked = {
        0: Summary(SHAPE, ((0.0, 1.0), (0.25, 0.75))),
        1: Summary(SHAPE, ((0.25, 0.75), (0.0, 1.0))),
        2: Values(1, 0.0, 1.0, int(rng.integers(0, 4))),
        3: Sides(Cut(int(rng.integers(0, 2)), float(rng.random())), 2, 4),
        4: Sides(Cut(2, members=(0, 2)), 2, 4),
    }
    with pytest.MonkeyPatch.context() as patch, uncompiled(interpreted):
        patch.setattr(questions, "BINS", 4)
        patch.setattr(questions, "MOST_VALUES", most)
        found = answers(asked, rows._replace(counts=often), leaves, sensitive)
        repeated = [np.repeat(array, often, axis=0) for array in (leaves, sensitive)]
        expected = answers(asked, Rows(numeric, values, np.empty(0, np.int64)), *repeated)
    for node, one in expected.items():
        assert {name: array.tolist() for name, array in found[node].items()} == {
            name: array.tolist() for name, array in one.items()
        }
        assert {name: array.dtype for name, array in found[node].items()} == {
            name: array.dtype for name, array in one.items()
        }


def test_a_greater_number_lies_in_no_lower_bin_and_both_ways_agree():
    rng = np.random.default_rng(4)
    for first, last in ((0.0, 1.0), (0.1, 0.3), (0.3, 0.3), (0.2, np.nextafter(0.2, 1)), (1e-300, 2e-300)):
        numbers = np.sort(np.append(rng.uniform(first, last, 500), [first, last]))
        bins = bins_of(numbers, first, last)
        assert (np.diff(bins) >= 0).all() and bins.min() >= 0 and bins.max() < questions.BINS
        assert bins.tolist() == [bin_of(x, first, last, questions.BINS) for x in numbers.tolist()]
        assert bins.tolist() == [slow.bin_of(x, first, last, questions.BINS) for x in numbers.tolist()]

"""Top-down as a whole over many files with item sets: the rows and their order are those of one machine, and
cuts at pivots are made over all parts."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.compiled import uncompiled
from kanon_core.scale.fragments.rounds import cutting, pivots
from kanon_core.scale.fragments.rounds.pivots import Company
from kanon_core.scale.passes.counting_kernels import Rows
from kanon_core.scale.passes.itemcounts import counted_items
from kanon_core.scale.passes.tree import Cut, Tree
from kanon_core.table.attribute import Attribute
from tests.scale.fragments.test_item_sets import DRINKS, with_sets
from tests.scale.manytables import DRAWN, Many, check_goes_on, over_files
from tests.scale.test_bytes import compare

ALGORITHMS = (
    kc.TopDown(),
    kc.TopDown(ties="first"),
    kc.TopDown(split="midpoint"),
    kc.TopDown(diversity=2.0),
    kc.TopDown(diversity=1.5, entropy=True),
    kc.TopDown(closeness=0.4),
)
QUASI = ("age", "few", "gaps", "city", "plain", "job", "born")
VISITS = ("2", "10", "9", "1")
"""Items that are ordered by size."""


def visited(rng: np.random.Generator, n: int, often: float) -> pd.Series:
    """Sets in which each item is as frequent as others, so that the company of items decides; one is in all
    sets that are not empty."""
    drawn = rng.random((n, len(VISITS))) < often
    drawn[:, 3] |= drawn.any(axis=1)
    cells = [";".join(v for v, has in zip(VISITS, row, strict=True) if has) or None for row in drawn]
    return pd.Series(cells, dtype="str")


def with_visits(many: Many, seed: int, often: float, first: bool) -> Many:
    """The table with a column of item sets more, the ``first`` or the last one."""
    own = Attribute("visits", kind="items", delimiter=";", weight=0.7)
    cells = visited(np.random.default_rng(seed), len(many.frame), often)
    schema = kc.Schema((own, *many.schema) if first else (*many.schema, own))
    frame = many.frame.assign(visits=cells)[[a.name for a in schema]]
    return Many(frame, schema, many.bounds)


def pivoted(patch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Filled with the items of every cut at a pivot that is made over all parts."""
    found: list[tuple[int, ...]] = []
    real = cutting.children

    def seen(tree, node, cut, ends, shape):
        if cut is not None and cut.attribute >= shape.numbers + len(shape.starts) - 1:
            found.append(cut.members)
        return real(tree, node, cut, ends, shape)

    patch.setattr(cutting, "children", seen)
    return found


@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(QUASI), max_size=3, unique=True),
    written=st.sampled_from(["lists", ";"]),
    tree=st.booleans(),
    second=st.sampled_from([None, 0.1, 0.4, 0.8]),
    records=st.integers(10, 200),
    algorithm=st.sampled_from(ALGORITHMS),
    k=st.integers(2, 6),
    rows=st.sampled_from([4, 20, 60]),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, written, tree, second, records, algorithm, k, rows
):
    said = {"hierarchy": DRINKS if tree else None, "weight": 1.5}
    many = with_sets(Many.of(seed, ends, [*quasi, "illness"], records), seed, written, **said)
    if second is not None:
        many = with_visits(many, seed, second, bool(seed % 2))
    compare(many, algorithm, k, rows)


@pytest.mark.parametrize("algorithm", [ALGORITHMS[0], ALGORITHMS[1], ALGORITHMS[-1]], ids=["", "first", "t"])
def test_pivots_are_chosen_over_all_parts(algorithm):
    """Of items alone, in small parts one of which has no rows: equal frequencies, and items of every record
    but a few."""
    with pytest.MonkeyPatch.context() as patch:
        cuts = pivoted(patch)
        for seed in range(4):
            plain = Many.of(seed, (0.3, 0.3), ["illness"], 120)
            many = with_visits(with_sets(plain, seed, ";"), seed, (0.1, 0.5, 0.9)[seed % 3], True)
            compare(many, algorithm, 2 + seed % 3, 3)
    assert len(cuts) > 12


@pytest.mark.parametrize("rows", [120, 1000])
def test_a_pivot_that_is_refused_is_not_tried_again_in_what_becomes_of_its_group(rows):
    """Not in a later round, nor by a worker that takes the group up."""
    for seed in (4, 9):
        plain = Many.of(seed, (0.3, 0.6), [["age"], ["age", "city"], []][seed % 3] + ["illness"], 500)
        many = with_visits(with_sets(plain, seed, ";"), seed, (0.1, 0.5, 0.9)[seed % 3], True)
        compare(many, kc.TopDown(closeness=0.4), 2 + seed % 3, rows)


@given(seed=st.integers(0, 10**6), rows=st.integers(0, 30), at_once=st.sampled_from([1, 7, 10**6]))
def test_the_company_of_items_is_counted_pair_by_pair(seed, rows, at_once):
    """In two parts, whatever number of pairs is counted at a time."""
    rng = np.random.default_rng(seed)
    held = rng.random((rows, 9)) < rng.random()
    tied, others = (tuple(np.flatnonzero(rng.random(9) < 0.5).tolist()) or (3,) for _ in range(2))
    question, edge = Company(tied, others), int(rng.integers(0, rows + 1))
    chosen = np.flatnonzero(rng.random(rows) < 0.7)
    nothing = np.zeros((rows, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pivots, "PAIRS", at_once)
        parts = []
        for part in (chosen[chosen < edge], chosen[chosen >= edge]):
            starts = np.concatenate([[0], np.cumsum(held.sum(axis=1))]).astype(np.int64)
            items = np.nonzero(held)[1].astype(np.int32)
            own = Rows(nothing, nothing.astype(np.int64), np.zeros(0, np.int64), starts, items)
            parts.append(question.answered(own, part, nothing.astype(np.int64)))
        found = question.merged(*parts)
    table = np.zeros((len(tied), len(others)), np.int64)
    table[np.divmod(found["pairs"], len(others))] = found["counts"]
    among = held[chosen].astype(np.int64)
    assert (table == among[:, tied].T @ among[:, others]).all() and (found["counts"] > 0).all()


def test_items_are_counted_by_group_however_many_there_are():
    """All pairs of group and item at once, or those that occur."""
    rng = np.random.default_rng(3)
    for items in (3, 1000):
        held = [rng.choice(items, rng.integers(0, 3), replace=False) for _ in range(40)]
        starts = np.cumsum([0, *map(len, held)]).astype(np.int64)
        nothing, group = np.zeros((40, 0)), rng.integers(-1, 3, 40)
        own = np.concatenate(held).astype(np.int32)
        rows = Rows(nothing, nothing.astype(np.int64), group[:0], starts, own)
        for number, found in enumerate(counted_items(rows, group, 3)):
            counts = Counter(int(item) for i in np.flatnonzero(group == number) for item in held[i])
            assert dict(zip(found["items"].tolist(), found["often"].tolist(), strict=True)) == dict(counts)
            assert found["items"].tolist() == sorted(counts)


def test_a_fragment_has_no_more_items_than_a_worker_takes(monkeypatch):
    """However many rows it may have."""
    many = with_visits(Many.of(5, (0.3, 0.6), ["age", "illness"], 150), 5, 0.5, False)
    fragments = []
    for most in (10**6, 100):
        monkeypatch.setattr(cutting, "ITEMS_OF_A_FRAGMENT", most)
        with tempfile.TemporaryDirectory() as place:
            source = many.written(Path(place) / "source")
            fragments.append(over_files(source, many, kc.TopDown(), 3, Path(place) / "out", 1000).fragments)
        compare(many, kc.TopDown(), 3, 1000)
    assert fragments[0] == 1 < fragments[1]


def test_work_that_ends_after_each_task_goes_on_to_the_same_bytes(tmp_path):
    """Also where the last task is done first."""
    many = with_visits(with_sets(Many.of(5, (0.3, 0.7), ["age", "illness"], 130), 5, ";"), 5, 0.4, True)
    check_goes_on(many, kc.TopDown(closeness=0.4), tmp_path, 2)


def test_items_of_no_record_at_all(tmp_path):
    """A column without any item has nothing to lose; the others are cut."""
    many = with_sets(Many.of(2, (0.4, 0.8), ["age", "illness"], 80), 2, ";")
    many.frame["basket"] = pd.Series([None] * 80, dtype="str")
    compare(many, kc.TopDown(), 3, 20)


@pytest.mark.parametrize("interpreted", [True, False])
def test_rows_that_hold_an_item_go_to_the_left(interpreted):
    """Beside cuts of numbers and of categories."""
    own = Rows(
        np.array([[0.0], [1.0], [0.5], [0.5]]),
        np.array([[0], [1], [0], [1]]),
        np.zeros(0, np.int64),
        np.array([0, 2, 2, 3, 4]),
        np.array([0, 2, 2, 1], np.int32),
    )
    tree = Tree([4])
    tree.cut(0, Cut(2, 0.0, (2,), 2))
    tree.cut(1, Cut(0, 0.25, (), 1))
    tree.cut(2, Cut(1, 0.0, (1,), 2))
    tree.cut(5, Cut(2, 0.0, (1,), 1))
    with uncompiled(interpreted):
        assert tree.leaf_of(own).tolist() == [3, 8, 4, 7]

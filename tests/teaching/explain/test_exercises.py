"""Exercises: the answers are those of the release, worked out again here; the same number asks the same."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.charts.steps.onplane import Choosing
from kanon_core.teaching.explain import NARRATIONS
from kanon_core.teaching.explain.exercises import RECORDS, largest_k, loss_of_release, next_group
from tests.contracts.tables import k_of, settings_of, suitable

NUMBERS = range(1, 13)


def ends(cell: str) -> tuple[float, float]:
    low, _, high = cell.strip("[]").partition(", ")
    return float(low), float(high or low)


def test_the_loss_is_the_mean_width_of_the_cells_shown():
    answers = set()
    for number in NUMBERS:
        one = loss_of_release(number)
        cells = [ends(row[0]) for row in one.rows]
        span = max(high for _, high in cells) - min(low for low, _ in cells)
        share = sum(high - low for low, high in cells) / len(cells) / span
        assert one.answer[0] == pytest.approx(100 * share) and f"{100 * share:.1f} %" in one.why
        assert f"from {min(cells)[0]:.0f} to {max(high for _, high in cells):.0f};" in one.lead
        answers.add(one.answer)
    assert len(answers) > 6


def test_the_largest_k_is_the_size_of_the_smallest_class_shown():
    answers = set()
    for number in NUMBERS:
        one = largest_k(number)
        sizes = Counter(one.rows).values()
        assert one.answer == (min(sizes),) and one.heads == ("age", "city")
        assert f"k = {min(sizes)}." in one.why
        answers.add(one.answer)
    assert len(answers) > 1


def test_the_same_number_asks_the_same():
    for make in (loss_of_release, largest_k):
        assert (make(5).lead, make(5).rows, make(5).answer) == (make(5).lead, make(5).rows, make(5).answer)
        assert make(5).rows != make(6).rows


def test_the_next_group_of_mdav_is_the_nearest_of_the_record_that_is_farthest_from_the_mean():
    table = kc.Table.from_frame(kc.read_table("sample:people-100").frame[["age", "latitude"]].iloc[:RECORDS])
    for number in NUMBERS:
        one = next_group(table, kc.MDAV(), number)
        assert isinstance(one.scene, Choosing)
        free = one.scene.groups < 0
        names = dict(zip(one.scene.numbers.tolist(), free.tolist(), strict=True))
        assert all(names[int(record)] for record in one.answer), (
            "only records without a group are put together"
        )
        assert f"Which {len(one.answer)} records" in one.question
        values = np.column_stack([column.values for column in one.scene.table.quasi])
        scaled = values / values.std(axis=0)
        if "from their centroid" in one.lead:
            pivot = np.flatnonzero(free)[
                ((scaled[free] - scaled[free].mean(axis=0)) ** 2).sum(axis=1).argmax()
            ]
            near = ((scaled - scaled[pivot]) ** 2).sum(axis=1)
            near[~free] = np.inf
            nearest = np.argsort(near)[: len(one.answer)]
            assert sorted(one.scene.numbers[nearest].tolist()) == list(one.answer)


@pytest.mark.deep
@pytest.mark.parametrize("narration", NARRATIONS, ids=lambda one: one.algorithm.__name__)
def test_every_algorithm_that_is_told_asks_or_says_that_it_cannot(narration):
    for algorithm in settings_of(narration.algorithm):
        for table in suitable(algorithm):
            try:
                one = next_group(table, algorithm, k_of(algorithm))
            except kc.UnsuitableError as reason:
                assert str(reason).endswith(".")
                continue
            assert len(one.answer) >= 2 and one.scene is not None
            drawn = one.scene.drawn("dark", "what is asked")
            assert drawn.count("data-facts") >= len(one.answer) and "<script" not in drawn

"""Partitions: canonical numbering, refusal of what is no cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.covers.cover import Concealment, Histories, MalformedCover, Partition


def test_groups_are_numbered_by_their_lowest_record():
    partition = Partition(np.array([7, 3, 7, -1, 0]))
    assert partition.groups.tolist() == [0, 1, 0, -1, 2]
    assert partition.sizes.tolist() == [2, 1, 1]
    assert partition.members(0).tolist() == [0, 2]
    assert partition.suppressed.tolist() == [False, False, False, True, False]


@given(st.lists(st.integers(-1, 10**9), min_size=1, max_size=40))
def test_numbering_keeps_who_is_with_whom(labels):
    labels = np.array(labels)
    groups = Partition(labels).groups
    together = (labels[:, None] == labels) & (labels >= 0)
    assert np.array_equal(together, (groups[:, None] == groups) & (groups >= 0))
    seen = [g for g in dict.fromkeys(groups.tolist()) if g >= 0]
    assert seen == list(range(len(seen)))


@pytest.mark.parametrize("labels", [[], [[1, 2]], [0.5, 1.0], [-2, 0], ["a"]])
def test_malformed_labels_are_refused(labels):
    with pytest.raises(MalformedCover):
        Partition(np.array(labels))


def test_groups_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        Partition(np.array([0, 0])).groups[0] = 5


def test_everything_suppressed():
    partition = Partition(np.array([-1, -1]))
    assert len(partition.sizes) == 0
    assert partition.order.tolist() == []


def test_a_concealment_reads_as_overlapping_sets():
    cover = Concealment(np.array([[0, 1, 2, 3], [1, 2, 3, 0]]))
    assert [cover.members(row).tolist() for row in range(4)] == [[0, 3], [0, 1], [1, 2], [2, 3]]
    assert cover.set_of.tolist() == [0, 1, 2, 3]
    assert cover.sizes.tolist() == [2] * 4
    assert cover.sets.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    "matchings",
    [[[1, 0]], [[0, 1], [0, 1]], [[0, 1], [0, 0]], [[0, 1, 2], [1, 0, 2]], [[0.0, 1.0]], [], [[0, 2]]],
)
def test_malformed_matchings_are_refused(matchings):
    with pytest.raises(MalformedCover):
        Concealment(np.array(matchings))


def test_covers_of_parts_stand_side_by_side():
    places = [np.array([0, 3, 4]), np.array([1, 2])]
    groups = [Partition(np.array([0, 0, -1])), Partition(np.array([0, 1]))]
    whole = Partition.side_by_side(list(zip(places, groups, strict=True)))
    assert whole.groups.tolist() == [0, 1, 2, 0, -1]
    assert [(event, what["members"].tolist()) for event, what in whole.events()] == [
        ("group", [0, 3]),
        ("group", [1]),
        ("group", [2]),
    ]
    told = [
        Histories(np.array([0, 1, -1]), np.array([0, 0, -1])),
        Histories(np.array([0, 1]), np.array([0, 1])),
    ]
    found = Histories.side_by_side(list(zip(places, told, strict=True)))
    assert found.groups.tolist() == [0, 1, 2, 3, -1] and found.blocks.tolist() == [0, 1, 2, 0, -1]
    matched = [Concealment(np.array([[0, 1, 2], [1, 2, 0]])), Concealment(np.array([[0, 1], [1, 0]]))]
    both = Concealment.side_by_side(list(zip(places, matched, strict=True)))
    assert both.matchings.tolist() == [[0, 1, 2, 3, 4], [3, 2, 1, 4, 0]]
    assert [(what["number"], what["targets"].tolist()) for _, what in both.events()] == [
        (0, [0, 1, 2, 3, 4]),
        (1, [3, 2, 1, 4, 0]),
    ]

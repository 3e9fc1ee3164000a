"""The classification metric against a plain count, and where it is not defined."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers import recoding
from tests.helpers import release_of, table_of


def labelled(x, labels) -> kc.Table:
    table = table_of(x=x, label=labels)
    schema = table.schema.with_roles({"x": "quasi_identifier", "label": "sensitive"})
    return table.with_schema(schema.with_kinds({"x": "numeric", "label": "categorical"}))


def plain(labels: list, sets: list[list[int]], own: list[int]) -> list[float]:
    """Per record: 1 unless its label is the first of the most frequent ones of its set."""
    first = []
    for members in sets:
        counts = Counter(labels[i] for i in members)
        first.append(min(counts, key=lambda v: (-counts[v], v is None, v or "")))
    return [float(s < 0 or labels[i] != first[s]) for i, s in enumerate(own)]


ROWS = st.lists(st.tuples(st.none() | st.sampled_from("abc"), st.integers(-1, 2)), min_size=1, max_size=12)


@pytest.mark.deep
@pytest.mark.parametrize("most", [recoding._COUNTS_AT_MOST, 0])
@settings(max_examples=60, deadline=None)
@given(rows=ROWS)
def test_it_is_the_plain_count(most, rows):
    labels, groups = (list(part) for part in zip(*rows, strict=True))
    table = labelled([float(max(group, 0)) for group in groups], labels)
    sets = [[i for i, other in enumerate(groups) if other == group] for group in range(3)]
    expected = plain(labels, [members or [0] for members in sets], groups)
    with pytest.MonkeyPatch.context() as change:
        change.setattr(recoding, "_COUNTS_AT_MOST", most)
        found = kc.Classification().measure(table, release_of(table, groups))
    assert found.records.tolist() == expected and found.total == pytest.approx(np.mean(expected))


def test_groups_that_publish_the_same_are_one():
    table = labelled([1, 1, 1, 1], ["a", "a", "b", "b"])
    assert kc.Classification().measure(table, release_of(table, [0, 0, 1, 1])).total == 0.5


def test_under_concealment_the_records_behind_a_row_count():
    labels = ["a", "b", "b", "a", "b"]
    table = labelled([1, 2, 3, 4, 5], labels)
    cover = kc.Concealment(np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0], [2, 3, 4, 0, 1]]))
    recipe = release_of(table, [0] * 5).recipe
    release = kc.Release.of(table, cover, recipe)
    expected = plain(labels, [cover.members(i).tolist() for i in range(5)], release.set_of.tolist())
    assert kc.Classification("label").measure(table, release).records.tolist() == expected


def test_numbers_may_be_classes_when_named():
    table = table_of(x=[1, 1, 1, 2], y=[5, 5, 6, 7])
    table = table.with_schema(table.schema.with_roles({"x": "quasi_identifier", "y": "sensitive"}))
    table = table.with_schema(table.schema.with_kinds({"x": "numeric", "y": "numeric"}))
    release = release_of(table, [0, 0, 0, 1])
    assert kc.Classification("y").measure(table, release).total == 0.25
    undefined = kc.Classification().measure(table, release)
    assert np.isnan(undefined.total) and "class labels" in undefined.notes[0]


def test_item_sets_are_no_classes():
    table = table_of(x=[1, 2], t=["a;b", "b"])
    table = table.with_schema(table.schema.with_kinds({"t": "items"}).with_roles({"t": "other"}))
    assert "“t” holds item sets" in kc.Classification("t").unsuitable(table)[0]
    assert "no column “u”" in kc.Classification("u").unsuitable(table)[0]

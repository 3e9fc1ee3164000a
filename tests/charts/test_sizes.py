"""Histogram of group sizes, records hidden among few, loss per attribute: bars and sentences on tiny
tables."""

from __future__ import annotations

import json

import numpy as np

from kanon_core.charts.groups.sizes import (
    hidden_figure,
    hidden_sentence,
    hidden_shares,
    size_bins,
    size_figure,
    size_sentence,
)
from kanon_core.charts.loss.attributes import attribute_figure, attribute_sentence
from kanon_core.metrics import ILSSDM, NCP, Discernibility
from tests.helpers import release_of, table_of


def release_with(sizes: list[int], k: int = 2, suppressed: int = 0):
    """A release whose groups have these sizes and publish different values."""
    labels = np.concatenate([np.repeat(np.arange(len(sizes)), sizes), np.full(suppressed, -1)])
    table = table_of(v=labels.astype(float), w=labels.astype(float) * 2)
    table = table.with_schema(
        table.schema.with_quasi(["v", "w"]).with_kinds({"v": "numeric", "w": "numeric"})
    )
    return release_of(table, labels, k)


def test_bars_begin_at_k_and_count_groups():
    release = release_with([3, 3, 4, 6], k=3, suppressed=2)
    figure = size_figure(release)
    assert np.asarray(figure.data[0].y).tolist() == [2, 1, 0, 1]
    assert figure.data[0].hovertext == ("3", "4", "5", "6")
    assert figure.layout.shapes[0].x0 == -0.5
    assert figure.layout.annotations[0].text == "k = 3 guaranteed"
    assert figure.data[0].marker.color[0] != figure.data[0].marker.color[3]  # 6 = 2k could be split


def test_size_sentences():
    assert (
        size_sentence(release_with([3, 3, 4, 6], k=3))
        == "4 groups of 3 to 6 records, half of them of 3 or fewer; 1 has 6 or more (paler), enough to be"
        " split in two."
    )
    assert size_sentence(release_with([5, 5], k=5)) == "2 groups of exactly 5 records each."
    assert size_sentence(release_with([4], k=3)) == "One group of 4 records."
    assert (
        size_sentence(release_with([], k=3, suppressed=3))
        == "No record is published, so there are no groups."
    )


def test_groups_that_publish_the_same_are_one():
    table = table_of(v=[1.0, 2.0, 1.0, 2.0])
    table = table.with_schema(table.schema.with_quasi(["v"]).with_kinds({"v": "numeric"}))
    release = release_of(table, [0, 0, 1, 1])
    assert "2 groups of the algorithm publish only 1 different rows" in size_sentence(release)
    assert np.asarray(size_figure(release).data[0].y).tolist() == [0, 0, 1]


def test_bins_hold_every_group_once_and_are_few():
    for sizes in [
        np.full(50, 7),
        np.arange(5, 300),
        np.append(np.full(500, 5), 5000),
        np.array([2]),
        np.array([5, 5, 5, 1000]),
    ]:
        bins = size_bins(sizes, 5)
        assert bins.groups.sum() == len(sizes)
        assert len(bins.groups) == len(bins.low) == len(bins.labels) <= 41
        for low, high, count in zip(bins.low, bins.high, bins.groups, strict=True):
            assert ((sizes >= low) & (sizes <= high)).sum() == count
        assert bins.low[0] == min(5, sizes.min())


def test_a_long_tail_shares_one_bar():
    bins = size_bins(np.append(np.full(500, 5), 5000), 5)
    assert bins.open_end and bins.labels[-1] == "6 and more" and bins.groups[-1] == 1


def test_hidden_shares_count_records_not_groups():
    release = release_with([2, 2, 6], suppressed=1)
    sizes, shares = hidden_shares(release)
    assert sizes.tolist() == [2, 6] and shares.tolist() == [0.4, 1.0]
    assert (
        hidden_sentence(release)
        == "Every published record hides among at least 2 records, and 60 % of them among 6 or more."
    )
    assert hidden_sentence(release_with([3, 3])) == "Every published record hides among at least 3 records."
    assert np.asarray(hidden_figure(release).data[0].y).tolist() == [0.4, 1.0]


def test_a_release_without_groups_has_figures():
    release = release_with([], suppressed=4)
    for figure in (size_figure(release), hidden_figure(release)):
        json.loads(figure.to_json())
        assert figure.layout.meta["alt"].startswith("No record is published")


def test_attribute_bars_are_ranked_and_their_names_are_text():
    parts = {"a": 0.1, "<b>$x$</b>": 0.5, "c": 0.25}
    figure = attribute_figure(parts, NCP())
    assert np.asarray(figure.data[1].x).tolist() == [0.5, 0.25, 0.1]
    assert figure.layout.yaxis.ticktext == ("&lt;b&gt;&#36;x&#36;&lt;/b&gt;", "c", "a")
    assert [note.text for note in figure.layout.annotations] == ["50.00 %", "25.00 %", "10.00 %"]
    assert (
        attribute_sentence(parts, NCP())
        == "Certainty penalty is largest in “<b>$x$</b>” (50.00 %) and smallest in “a” (10.00 %)."
    )


def test_attribute_sentences_at_the_edges():
    assert attribute_sentence({"a": 0.2}, ILSSDM()) == "Information loss: 20.00 % in “a”."
    assert (
        attribute_sentence({"a": 0.0, "b": 0.0}, ILSSDM()) == "Information loss: 0.00 % in every attribute."
    )
    assert attribute_sentence({}, Discernibility()) == "Discernibility has no parts here."
    many = {f"c{i}": i / 10_000 for i in range(10_000)}
    assert attribute_sentence(many, NCP()).endswith("; the 20 largest of 10,000 are shown.")
    assert len(attribute_figure(many, NCP()).data[1].x) == 20
    assert len(attribute_figure({}, NCP()).data[1].x) == 0

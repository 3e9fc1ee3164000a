"""Histogram of group sizes, records hidden among few, loss per attribute: bars and sentences on tiny
tables."""

from __future__ import annotations

import json

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.groups.sizes import (
    fewer_figure,
    hidden_figure,
    hidden_sentence,
    hidden_shares,
    match_figure,
    size_bins,
    size_sentence,
)
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
    figure = match_figure(release.hiding_sizes, 3)
    assert np.asarray(figure.data[0].y).tolist() == [2, 1, 0, 1]
    assert figure.data[0].hovertext == ("3", "4", "5", "6")
    assert figure.layout.shapes[0].x0 == -0.5
    assert figure.layout.annotations[0].text == "required: k = 3"
    assert figure.data[0].marker.color[0] != figure.data[0].marker.color[3]  # 6 = 2k could be split


def test_size_sentences():
    assert (
        size_sentence(release_with([3, 3, 4, 6], k=3))
        == "4 groups of 3 to 6 records, with a median of 3; 1 has at least 6 (paler), enough to split it in"
        " two."
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
    assert "The algorithm made 2 groups but publishes only 1 different row;" in size_sentence(release)
    assert np.asarray(match_figure(release.hiding_sizes, 2).data[0].y).tolist() == [0, 0, 1]


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
    for figure in (match_figure(release.hiding_sizes, 2), hidden_figure(release)):
        json.loads(figure.to_json())
        assert figure.layout.meta["alt"] in ("No record has a row.", "No record is published.")


def risks(release: bool = True) -> kc.Risks:
    table = kc.read_table("sample:people-100")
    return kc.risks(table, kc.anonymize(table, kc.MDAV(), 4, 1) if release else None, [kc.Prosecutor()])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_steps_are_the_counts(theme):
    found = risks()
    figure = fewer_figure(found, 5, theme)
    before, after = figure.data
    assert (before.name, after.name) == ("original", "release")
    for line, side in ((before, 0), (after, 1)):
        x, y = np.asarray(line.x), np.asarray(line.y)
        ends = {at: y[x == at].max() for at in x}  # a step goes up where it stands
        assert all(ends[at] == found.fewer(int(at))[side] for at in x)
    assert figure.layout.meta["alt"] == found.fewer_sentence(5)
    made = drawing(figure, 300)
    assert made.count("<path") == 4 and "x = 5" in made and "Hide among fewer than x" in made


def test_a_table_alone_has_one_line_and_a_wide_spread_a_logarithmic_axis():
    found = risks(release=False)
    assert len(fewer_figure(found, 2).data) == 1
    assert fewer_figure(found, 2).layout.xaxis.type != "log"
    assert fewer_figure(found, 300).layout.xaxis.type == "log" and drawing(fewer_figure(found, 300), 300)

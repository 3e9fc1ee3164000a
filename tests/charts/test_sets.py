"""The picture of sets that overlap: the picked record's set, what is sent of many records, what it says."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas.painting import VECTORS_AT_MOST
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.concealment.overlapping import set_figure, set_of, set_sentence
from tests.charts.test_clusters import numbers


def places(n: int) -> kc.Table:
    rng = np.random.default_rng(0)
    return numbers(x=rng.normal(size=n), y=rng.normal(size=n))


def overlapping(n: int, k: int = 3) -> tuple[kc.Table, kc.Release]:
    table = places(n)
    return table, kc.anonymize(table, kc.OptimalConcealment(), k)


def test_the_picked_record_and_the_records_its_row_stands_for_are_marked():
    table, release = overlapping(12)
    figure = set_figure(table, release, 4)
    members = set_of(release, 4)
    matchings = release.cover.matchings
    assert sorted(members) == sorted(int(np.flatnonzero(row == 4)[0]) for row in matchings)
    marked = figure.data[3]
    assert np.asarray(marked.customdata).tolist() == [[int(m) + 1, 5] for m in members]
    assert np.asarray(figure.data[4].x).tolist() == [table["x"].values[4]]


def test_the_outline_is_the_published_rectangle():
    table, release = overlapping(12)
    outline = set_figure(table, release, 4).data[2]
    cells = {p.attribute.name: p.cells for p in release.published}
    drawn = [v for v in np.asarray(outline.x, float) if v == v]
    assert (min(drawn), max(drawn)) == (cells["x"].low[4], cells["x"].high[4])


def test_many_records_are_a_painted_picture_and_a_bounded_number_of_points():
    table, release = overlapping(VECTORS_AT_MOST + 500)
    figure = set_figure(table, release, 0)
    assert len(figure.layout.images) == 1
    assert sum(len(trace.x) for trace in figure.data) < VECTORS_AT_MOST + 50


def test_the_sentence_counts_the_set_and_the_sets_the_record_is_in():
    table, release = overlapping(12, k=3)
    says = set_sentence(table, release, 4)
    assert says.startswith("The published row of record 5 covers 3 records, including the record itself")
    assert says.endswith("The record is also in the sets of 2 other records.")


def test_a_click_is_a_record_counted_from_0():
    assert picked_number({"selection": {"points": [{"customdata": [7, 5]}]}}) == 6
    assert picked_number({"selection": {"points": []}}) is None


def test_unknown_outlines_and_records_are_refused():
    for outlines, record in [("circles", 0), ("rectangles", 12), ("rectangles", -1)]:
        table, release = overlapping(12)
        with pytest.raises(OptionError):
            set_figure(table, release, record, outlines=outlines)


def test_a_table_of_one_column_is_drawn_over_the_rank_of_its_values():
    for outlines in ["rectangles", "hulls", "none"]:
        table = numbers(x=np.arange(9.0))
        release = kc.anonymize(table, kc.OptimalConcealment(), 3)
        figure = set_figure(table, release, 0, outlines=outlines)
        assert sorted(np.asarray(figure.data[1].y, float)) == list(range(1, 10))

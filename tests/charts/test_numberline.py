"""The number line: lanes, bands, dots, pictures of many groups, sentences."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.base.errors import SchemaError
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.groups.numberline import Line, numberline_figure, numberline_sentence
from kanon_core.table.schema import Schema
from tests.helpers import release_of, table_of


def line_table(values, **others):
    columns = {"v": values, **others}
    schema = (
        Schema.infer(pd.DataFrame(columns)).with_quasi(columns).with_kinds(dict.fromkeys(columns, "numeric"))
    )
    return table_of(schema, **columns)


def test_consecutive_groups_lie_in_one_lane():
    table = line_table([1.0, 2, 3, 10, 11, 12, 20, 22])
    line = Line.of(table, release_of(table, [0, 0, 0, 1, 1, 1, 2, 2]), "v")
    assert line.lanes == 1 and line.lane.tolist() == [0, 0, 0]


def test_overlapping_groups_lie_in_different_lanes():
    table = line_table([0.0, 10, 1, 2, 3, 12])
    line = Line.of(table, release_of(table, [0, 0, 1, 1, 2, 2]), "v")
    assert line.lane.tolist() == [0, 1, 1] and line.lanes == 2


@given(st.lists(st.integers(0, 30), min_size=4, max_size=40))
def test_groups_of_one_lane_never_overlap_and_lanes_are_fewest(values):
    table = line_table([float(v) for v in values])
    labels = np.arange(len(values)) // 2
    line = Line.of(table, release_of(table, labels), "v")
    for a in range(len(line.low)):
        for b in range(a):
            if line.lane[a] == line.lane[b]:
                assert line.high[a] <= line.low[b] or line.high[b] <= line.low[a]
    spots = np.arange(0, 30) + 0.5
    deepest = int(((line.low[:, None] < spots) & (spots < line.high[:, None])).sum(axis=0).max())
    wide = line.high > line.low
    assert len(set(line.lane[wide].tolist())) <= max(deepest, 1) + int((~wide).any())


def test_small_tables_are_dots_and_bands():
    table = line_table([1.0, 2, 3, 10, 11, 12])
    figure = numberline_figure(table, release_of(table, [0, 0, 0, 1, 1, 1], 3), "v", selected=1)
    dots, first, second, picks, chosen = figure.data
    assert np.asarray(dots.x).tolist() == [1, 2, 3, 10, 11, 12]
    assert dots.marker.color[0] == dots.marker.color[2] != dots.marker.color[3]
    assert np.asarray(first.x)[:5].tolist() == [1, 3, 3, 1, 1]
    assert np.asarray(second.x)[:5].tolist() == [10, 12, 12, 10, 10]
    assert picks.text == ("[1, 3]", "[10, 12]")
    assert np.asarray(chosen.x).tolist() == [10, 12, 12, 10, 10]
    assert (
        picked_number({"selection": {"points": [{"customdata": np.asarray(picks.customdata)[1].tolist()}]}})
        == 1
    )


def test_a_hundred_thousand_values_are_a_histogram_and_a_picture():
    rng = np.random.default_rng(0)
    values = rng.lognormal(3, 1, 100_000)
    labels = np.empty(len(values), np.int64)
    labels[np.argsort(values)] = np.arange(len(values)) // 10
    table = line_table(values)
    figure = numberline_figure(table, release_of(table, labels, 10), "v", selected=4)
    assert len(figure.to_json()) < 150_000
    assert np.asarray(figure.data[0].customdata).sum() == 100_000
    assert len(figure.layout.images) == 1
    assert len(figure.data[1].x) in (1_000, 1_001)


def test_sentences():
    table = line_table([1.0, 2, 3, 10, 11, 21])
    release = release_of(table, [0, 0, 0, 1, 1, 1], 3)
    assert (
        numberline_sentence(table, release, "v")
        == "2 groups cover “v” from 1 to 21; the median interval covers 32 % of this range, the widest 55 %;"
        " the intervals do not overlap."
    )
    gaps = line_table([1.0, np.nan, 3, 10, 11, 21], w=[1.0, 2, 3, 4, 5, 6])
    text = numberline_sentence(gaps, release_of(gaps, [0, 0, 1, 1, 0, -1]), "v")
    assert "the intervals overlap because the groups also depend on other columns" in text
    assert "Not drawn, because the value is missing: 1 record. Suppressed: 1 record." in text


def test_dates_are_read_as_dates():
    days = pd.to_datetime(["2020-01-01", "2020-01-03", "2020-02-01", "2020-03-01"])
    schema = Schema.infer(pd.DataFrame({"day": days})).with_quasi(["day"])
    table = table_of(schema, day=days)
    release = release_of(table, [0, 0, 1, 1])
    figure = numberline_figure(table, release, "day")
    assert figure.layout.xaxis.type == "date"
    assert figure.data[-2].text == ("[2020-01-01, 2020-01-03]", "[2020-02-01, 2020-03-01]")
    assert "from 2020-01-01 to 2020-03-01" in numberline_sentence(table, release, "day")


def test_degenerate_columns_have_a_line():
    for n in [6, 3_000]:
        for case in ["constant", "all missing", "one group", "all suppressed"]:
            values = {"constant": np.full(n, 4.0), "all missing": np.full(n, np.nan)}.get(
                case, np.arange(float(n))
            )
            labels = {"one group": np.zeros(n, int), "all suppressed": np.full(n, -1)}.get(
                case, np.arange(n) // 3
            )
            table = line_table(values, w=np.arange(float(n)))
            figure = numberline_figure(table, release_of(table, labels), "v", selected=0)
            json.loads(figure.to_json())
            assert figure.layout.meta["alt"].endswith(".")


def test_names_are_text_and_categories_are_refused():
    columns = {"<i>v</i>": [1.0, 2, 3, 4], "c": ["a", "b", "c", "d"]}
    schema = (
        Schema.infer(pd.DataFrame(columns))
        .with_quasi(columns)
        .with_kinds({"c": "categorical", "<i>v</i>": "numeric"})
    )
    table = table_of(schema, **columns)
    release = release_of(table, [0, 0, 1, 1])
    assert numberline_figure(table, release, "<i>v</i>").layout.xaxis.title.text == "&lt;i&gt;v&lt;/i&gt;"
    with pytest.raises(SchemaError, match="categorical"):
        numberline_figure(table, release, "c")

"""The heat map of columns by measures, and the histogram of records, on numbers made by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kanon_core.charts.loss.column_scores import COLUMNS_AT_MOST, ColumnScores, column_figure, column_sentence
from kanon_core.charts.loss.recordloss import (
    RecordBins,
    picked_bar,
    record_figure,
    record_sentence,
    record_values,
    value_text,
)
from kanon_core.metrics import ILD, ILSSDM, NCP, AchievedK, MatchingCost, Measured, WorstRisk
from tests.charts.concealed import EVIL, mixed
from tests.charts.test_theme import contrast
from tests.helpers import release_of

SCORES = ColumnScores.of(
    [
        (ILSSDM(), Measured(0.2, {"age": 0.1, "city": 0.4})),
        (ILD(), Measured(0.1, {"age": -0.0002, "city": 0.2})),
        (MatchingCost(), Measured(9.0, {"age": 2_090_000.0, "city": 4.0})),
        (AchievedK(), Measured(3.0)),
    ]
)


def test_shares_are_of_the_worst_column_of_each_measure():
    assert SCORES.names == ("city", "age")
    assert [type(metric) for metric in SCORES.metrics] == [ILSSDM, ILD, MatchingCost]
    np.testing.assert_allclose(SCORES.shares, [[1, 1, 4 / 2_090_000], [0.25, 0, 1]])
    assert column_sentence(SCORES) == "“city” loses most by Loss and ILD; “age” loses most by Cost."


def test_numbers_stand_out_from_the_shade_below_them():
    for theme in ["light", "dark"]:
        scores = ColumnScores.of([(NCP(), Measured(0.5, {f"c{i}": i / 20 for i in range(1, 21)}))])
        cells, written = column_figure(scores, theme).data
        ramp = [(at, tuple(int(shade[i : i + 2], 16) for i in (1, 3, 5))) for at, shade in cells.colorscale]
        for share, ink in zip(scores.shares.ravel(), written.textfont.color, strict=True):
            below = [np.interp(share, [at for at, _ in ramp], [rgb[i] for _, rgb in ramp]) for i in range(3)]
            assert contrast("#" + "".join(f"{round(c):02x}" for c in below), ink) >= 4.5


def test_cells_are_short_and_tell_small_and_negative_numbers():
    trace = column_figure(SCORES).data[0]
    assert [list(row) for row in trace.text] == [["40.0 %", "20.0 %", "4"], ["10.0 %", "-0.02 %", "2.09 M"]]


def test_a_column_that_a_measure_does_not_have_is_an_empty_cell():
    scores = ColumnScores.of(
        [(NCP(), Measured(0.1, {"a": 0.1, "b": 0.1})), (ILD(), Measured(0.1, {"b": 0.0}))]
    )
    assert scores.names == ("a", "b") and np.isnan(scores.shares[0, 1])
    assert column_figure(scores).data[0].text[0][1] == ""
    assert column_sentence(scores) == "No column alone loses most by any measure."


def test_what_is_said_of_odd_scores():
    for parts, said in [
        ({}, "No measure of this release has values by column."),
        ({"a": 0.0, "b": 0.0}, "No column loses anything by any measure."),
        ({"a": 0.5}, "“a” is the only column that is measured."),
    ]:
        scores = ColumnScores.of([(NCP(), Measured(0.0, parts))])
        assert column_sentence(scores) == said
        column_figure(scores)


def test_of_many_columns_the_worst_are_shown():
    scores = ColumnScores.of([(NCP(), Measured(0.1, {f"c{i}": i / 100 for i in range(30)}))])
    assert scores.names[0] == "c29" and len(column_figure(scores).data[0].text) == COLUMNS_AT_MOST
    assert column_sentence(scores).endswith("Only the 20 largest of 30 columns are shown.")


def test_names_are_no_markup():
    scores = ColumnScores.of([(NCP(), Measured(0.1, {EVIL: 0.2, "b": 0.1}))])
    shown = json.loads(column_figure(scores).to_json())
    assert "<img" not in json.dumps(shown["data"]) + json.dumps(shown["layout"]["yaxis"])


def test_few_values_have_a_bar_each_and_records_without_a_number_none():
    bins = RecordBins.of(AchievedK(), np.array([3.0, np.nan, 5.0, 3.0, 3.0]))
    assert bins.few and bins.edges.tolist() == [3.0, 5.0] and bins.counts.tolist() == [3, 1]
    assert bins.bar.tolist() == [0, -1, 1, 0, 0]
    assert bins.label(0) == "3"
    assert bins.worst().tolist() == [0, 3, 4, 2] and bins.worst(1).tolist() == [2]
    assert (
        record_sentence(bins)
        == "Achieved k of a record: median 3, worst 3, best 5; 1 suppressed record has no value."
    )


def test_a_long_tail_shares_the_last_bar_and_the_worst_come_first():
    values = np.append(np.linspace(0.01, 0.1, 99), 0.9)
    bins = RecordBins.of(NCP(), values)
    assert not bins.few and len(bins.counts) == 31 and bins.counts.sum() == 100
    assert bins.edges[-1] == 0.9 and bins.edges[-2] < 0.11
    assert bins.worst(30)[0] == 99 and set(bins.worst(30)) == set(np.flatnonzero(values >= bins.edges[30]))
    assert bins.worst()[:2].tolist() == [99, 98]


def test_every_record_is_in_the_bar_whose_label_says_so():
    rng = np.random.default_rng(5)
    values = rng.gamma(1.0, 0.1, 500)
    bins = RecordBins.of(NCP(), values)
    low, high = bins.edges[:-1][bins.bar], bins.edges[1:][bins.bar]
    assert (values >= low).all() and (values <= high).all()
    assert bins.edges[0] == 0.0


def test_shares_of_a_total_are_scaled_to_their_mean():
    table = mixed(40, 1)
    release = release_of(table, np.arange(40) // 4)
    measured = ILSSDM().measure(table, release)
    values = record_values(ILSSDM(), measured)
    assert values.mean() == pytest.approx(measured.total)
    cost = MatchingCost().measure(table, release)
    assert record_values(MatchingCost(), cost) is cost.records
    assert record_values(NCP(), Measured(0.3)) is None


def test_a_click_anywhere_above_a_bar_picks_it_and_an_empty_bar_is_none():
    bins = RecordBins.of(NCP(), np.append(np.linspace(0.0, 0.2, 40), 0.39))
    figure = record_figure(bins, 0)
    track, bars = figure.data
    assert (
        np.asarray(track.y).min() == bins.counts.max()
        and np.asarray(track.customdata).tolist() == np.asarray(bars.customdata).tolist()
    )
    assert bars.marker.color[0] != bars.marker.color[1]
    empty = int(np.flatnonzero(bins.counts == 0)[0])

    def click(bar: int) -> dict:
        return {"selection": {"points": [{"customdata": [bar]}]}}

    assert picked_bar(click(0), bins) == 0
    assert picked_bar(click(empty), bins) is None and picked_bar(click(99), bins) is None
    assert picked_bar(None, bins) is None


def test_what_is_said_of_records():
    for metric, values, said in [
        (WorstRisk(), [0.2, 0.2], "Worst-case re-identification risk is 20 % for every record."),
        (AchievedK(), [np.nan, np.nan], "No record has a value of Achieved k because nothing is published."),
        (
            NCP(),
            [0.0, 0.1, 0.5],
            "Certainty penalty of a record: mean 20 %, median 10 %, worst 50 %.",
        ),
        (
            ILSSDM(),
            [0.0, 12.0, 0.0],
            (
                "Information loss of a record: mean 400 %, median 0 %, worst 1,200 % (above 100 %: a record"
                " loses more than an average record has)."
            ),
        ),
    ]:
        bins = RecordBins.of(metric, np.array(values))
        assert record_sentence(bins) == said
        record_figure(bins, None, "dark")


def test_ticks_are_round_and_a_long_tail_is_said_to_hold_more():
    bins = RecordBins.of(ILSSDM(), np.append(np.linspace(0.0, 0.194, 990), np.full(10, 2.41)))
    axis = record_figure(bins).layout.xaxis
    assert (
        list(axis.ticktext) == ["0 %", "5 %", "10 %", "15 %", "more"]
        and axis.tickvals[-1] == len(bins.counts) - 1
    )
    at = axis.tickvals[2] + 0.5  # how many bars lie before 10 %
    assert at == pytest.approx(0.1 / (bins.edges[1] - bins.edges[0]))
    even = record_figure(RecordBins.of(MatchingCost(), np.linspace(3.0, 47.0, 200))).layout.xaxis
    assert list(even.ticktext) == ["10", "20", "30", "40"]


def test_how_unequally_a_loss_is_borne():
    bins = RecordBins.of(NCP(), np.append(np.full(27, 0.1), [0.9, 0.9, 0.9]))
    assert "the worst 10 % of the records account for 50 % of the total" in record_sentence(bins)


def test_small_shares_keep_their_digits():
    assert value_text(NCP(), 0.0000123) == "0.00123 %" and value_text(NCP(), 24.13) == "2,413 %"
    assert value_text(AchievedK(), 4.0) == "4"

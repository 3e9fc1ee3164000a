"""Histograms before and after on shared bars, against counts by hand, and correlations against NumPy's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.table.columnbins import LABEL_BARS, NUMBER_BARS, ColumnBins, bins_figure
from kanon_core.charts.table.correlations import (
    color_of,
    correlated,
    correlation_figure,
    correlations,
    number,
)
from tests.charts.concealed import EVIL
from tests.charts.itemtables import ODD


def table(frame: pd.DataFrame, **kinds: str) -> kc.Table:
    roles = dict.fromkeys(frame, "quasi_identifier")
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles).with_kinds(kinds))


def test_few_numbers_have_a_bar_each_and_many_share_bars_of_equal_width():
    frame = pd.DataFrame({"few": [1, 1, 2, 5, 5, 5], "x": np.arange(6.0)})
    few = ColumnBins.of(table(frame)["few"])
    assert few.labels == ("1", "2", "5") and few.before.tolist() == [2, 1, 3]
    many = ColumnBins.of(table(pd.DataFrame({"x": np.arange(100.0), "y": 0.0}))["x"])
    assert len(many.labels) == NUMBER_BARS and many.before.tolist() == [5] * NUMBER_BARS
    assert many.labels[0] == "0 to 5"


def test_after_counts_cells_as_a_reader_takes_them():
    """Ages 20 and 22 are published as [20; 22], whose middle is counted with 22; {A, B} counts half for
    each."""
    ages = [20, 22, 40, 42]
    frame = pd.DataFrame({"age": ages, "again": ages, "once more": ages, "city": list("ABAC")})
    mine = table(frame)
    release = kc.anonymize(mine, kc.MDAV(), 2, seed=1)
    assert release.groups[0] == release.groups[1] != release.groups[2] == release.groups[3]
    age, city = ColumnBins.of(mine["age"]), ColumnBins.of(mine["city"])
    assert age.before.tolist() == [1, 1, 1, 1] and age.after(release).tolist() == [0, 2, 0, 2]
    assert city.labels == ("A", "B", "C") and city.after(release).tolist() == [2, 1, 1]
    assert age.moved(age.after(release)) == 0.5 and city.moved(city.after(release)) == 0


def test_missing_and_suppressed_values_do_not_count():
    frame = pd.DataFrame({"x": [1.0, 2, 3, np.nan, 5, 600], "city": ["A", "A", "B", "B", "C", "C"]})
    mine = table(frame)
    bins = ColumnBins.of(mine["x"])
    assert bins.before.sum() == 5
    release = kc.anonymize(mine, kc.FullDomain(max_suppressed=0.5), 2, seed=1)
    for one in map(ColumnBins.of, mine.quasi):
        assert one.after(release).sum() <= (~release.suppressed).sum() + 1e-9
    assert bins.moved(np.zeros(5)) == 1


def test_rare_labels_share_a_bar():
    names = [f"n{i:02}" for i in range(30) for _ in range(31 - i)]
    bins = ColumnBins.of(table(pd.DataFrame({"name": names, "x": range(len(names))}))["name"])
    assert len(bins.labels) == LABEL_BARS and bins.labels[0] == "n00" and bins.labels[-1] == "21 others"
    assert bins.before.sum() == len(names)


def test_items_count_the_records_that_publish_them():
    mine = ODD["beside others"]
    column = next(one for one in mine.quasi if one.attribute.kind == "items")
    bins = ColumnBins.of(column)
    release = kc.anonymize(mine, kc.TopDown(), 2, seed=1)
    assert bins.before.sum() == len(column.items)
    assert 0 <= bins.after(release).sum() <= bins.before.sum() + 1e-9


def test_a_figure_has_the_shared_scale_and_says_its_counts():
    mine = table(pd.DataFrame({EVIL: [1, 2, 2, 3], "city": ["<b>x</b>", "y", "y", "z"]}))
    for column in mine.quasi:
        bins = ColumnBins.of(column)
        figure = bins_figure(bins, bins.before, 40.0, "#0072B2")
        axis = figure.layout.yaxis if column.attribute.name == EVIL else figure.layout.xaxis
        assert axis.range[1] == pytest.approx(1.04 * 40)
        assert " 2 → 2" in figure.layout.meta["alt"]
        html = drawing(figure)
        assert "<img" not in html and "<b>x" not in html


def test_correlations_are_those_of_numpy_and_of_the_release():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"a": rng.normal(size=80), "b": rng.normal(size=80), "c": list("xy") * 40})
    frame["b"] += frame["a"]
    mine = table(frame)
    assert [one.attribute.name for one in correlated(mine)] == ["a", "b"]
    true = correlations(mine)
    np.testing.assert_allclose(true, np.corrcoef(frame["a"], frame["b"]))
    release = kc.anonymize(mine, kc.MDAV(), 5, seed=1)
    changed = kc.metrics.CorrelationChange().measure(mine, release).total
    assert abs(correlations(mine, release) - true)[0, 1] == pytest.approx(changed)
    assert not correlated(table(frame[["a", "c"]]))


def test_the_colors_have_one_scale():
    figure = correlation_figure(["a", EVIL], np.array([[1, -0.5], [-0.5, 1]]))
    assert {shape.fillcolor for shape in figure.layout.shapes} == {
        color_of(1, "light"),
        color_of(-0.5, "light"),
    }
    assert [note.text for note in figure.layout.annotations] == ["1", "−.50", "−.50", "1"]
    html = drawing(figure)
    assert html.count("<rect") == 4 and "<img" not in html
    assert number(-0.001) == "0" and number(-1) == "−1"

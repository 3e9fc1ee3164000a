"""The distances of all pairs beside those of the edges used, and the matrix as a picture."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms import Clustered, Greedy, OptimalConcealment
from kanon_core.base.errors import OptionError
from kanon_core.base.randomness import generator
from kanon_core.charts.concealment.heatmap import ORDERS, RECORDS_AT_MOST, along, heat_figure, matrix_of
from kanon_core.charts.table.distances import (
    EXACT_AT_MOST,
    PAIRS_SAMPLED,
    all_pairs,
    chosen_pairs,
    histogram_figure,
    histogram_sentence,
    measured_by,
    spread_figure,
    spread_sentence,
    used_pairs,
)
from kanon_core.runs.run import anonymize
from tests.charts.concealed import EVIL, concealed, four, mixed, numbers, shifted

TABLE_2 = [[0, 1.25, 1.75, 1], [1.25, 0, 0.5, 1.75], [1.75, 0.5, 0, 1.25], [1, 1.75, 1.25, 0]]
BEST = [[0, 1, 2, 3], [3, 2, 1, 0]]


def test_the_distances_of_the_paper():
    release = concealed(four(), BEST)
    assert matrix_of(four(), release, "file").distances.tolist() == TABLE_2
    pairs = all_pairs(four(), release.recipe.algorithm)
    assert pairs.distances.tolist() == [0.5, 1, 1.25, 1.25, 1.75, 1.75]
    assert pairs.exact
    assert used_pairs(four(), release).distances.tolist() == [0.5, 0.5, 1, 1]
    assert (
        histogram_sentence(four(), release)
        == "The median distance between two records is 1.25. The median length of the design's edges is"
        " 0.75, shorter than 83 % of all pairs."
    )


def test_the_edges_used_add_up_to_the_cost():
    table = mixed(30, 1)
    release = anonymize(table, OptimalConcealment(), k=4)
    assert used_pairs(table, release).distances.sum() == pytest.approx(release.report["cost"])


def test_distances_are_those_of_the_algorithm():
    plain = concealed(numbers(a=[0.0, 10, 20, 40]), BEST, "plain")
    assert used_pairs(plain.table, plain).distances.tolist() == [10, 10, 40, 40]
    share = concealed(plain.table, BEST)
    assert used_pairs(plain.table, share).distances.tolist() == [0.25, 0.25, 1, 1]
    assert measured_by(Clustered(inner=Greedy(distance="plain"))) == "plain"
    assert "own units" in histogram_figure(plain.table, plain).layout.xaxis.title.text


@pytest.mark.deep
def test_more_pairs_than_of_2000_records_are_sampled_and_it_is_said():
    n = EXACT_AT_MOST + 1
    values = np.random.default_rng(0).random(n)
    release = concealed(numbers(a=values), shifted(n, 2))
    pairs = all_pairs(release.table, release.recipe.algorithm)
    assert (len(pairs.distances), pairs.exact) == (PAIRS_SAMPLED, False)
    again = all_pairs(numbers(a=values), release.recipe.algorithm)
    assert np.array_equal(pairs.distances, again.distances)
    assert pairs.middle == pytest.approx(1 - 0.5**0.5, abs=0.01)
    assert "drawn at random" in histogram_sentence(release.table, release)
    fewer = numbers(a=values[:-1])
    assert (
        len(all_pairs(fewer, release.recipe.algorithm).distances) == EXACT_AT_MOST * (EXACT_AT_MOST - 1) // 2
    )


def test_shares_of_both_histograms_add_up_and_share_their_bins():
    table = mixed(25, 2)
    figure = histogram_figure(table, concealed(table, shifted(25, 3)))
    assert np.array_equal(figure.data[0].x, figure.data[1].x)
    assert [float(np.sum(trace.y)) for trace in figure.data] == pytest.approx([1, 1])
    assert figure.data[1].yaxis == "y2"


def test_almost_all_pairs_are_not_all():
    n = 200
    table = numbers(a=np.repeat(np.arange(n / 2) * 1000.0, 2) + np.tile([0, 1.0], n // 2))
    release = concealed(table, [np.arange(n), np.arange(n) ^ 1], "plain")
    assert "shorter than 99.4 % of all pairs" in histogram_sentence(table, release)  # all but 100 of 19,900


def test_equal_records_are_told():
    table = numbers(a=[3.0] * 5)
    release = concealed(table, shifted(5, 2))
    assert histogram_sentence(table, release) == "All records are equal, so every distance is 0."
    assert histogram_figure(table, release).data[0].y[0] == 1
    assert heat_figure(table, release, (0, 1)).data[0].z.max() == 0


def test_every_order_shows_the_same_distances():
    for order in list(ORDERS):
        table = mixed(40, 4)
        release = concealed(table, shifted(40, 3))
        file, other = matrix_of(table, release, "file"), matrix_of(table, release, order)
        assert sorted(other.records) == list(range(40))
        assert np.array_equal(other.distances, file.distances[np.ix_(other.records, other.records)])


def test_similar_records_stand_together_and_a_matching_is_followed_around():
    table = numbers(a=np.array([0, 100, 1, 101, 2, 102, 3, 103.0]))
    targets = np.array([2, 3, 4, 5, 6, 7, 0, 1])
    release = concealed(table, [np.arange(8), targets])
    far = table.numbers("a").values[matrix_of(table, release).records] > 50
    assert (far[:4] == far[0]).all()
    assert (far[4:] != far[0]).all()
    assert matrix_of(table, release, "matching").records.tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert along(np.array([1, 0, 2])).tolist() == [0, 1, 2]
    with pytest.raises(OptionError, match="order"):
        matrix_of(table, release, "size")


def test_of_many_records_a_sample_is_shown_and_it_is_said():
    n = RECORDS_AT_MOST + 50
    table = numbers(a=np.arange(n) * 1.0)
    release = concealed(table, shifted(n, 2))
    matrices = [matrix_of(table, release, order) for order in ORDERS]
    assert {len(matrix.records) for matrix in matrices} == {RECORDS_AT_MOST}
    assert len({tuple(sorted(matrix.records)) for matrix in matrices}) == 1
    figure = heat_figure(table, release, (0, 1))
    assert "200 of 250 records, drawn at random" in figure.layout.meta["alt"]
    assert len(figure.data) == 1


def test_the_edges_of_the_design_are_marked_in_small_matrices():
    release = concealed(four(), BEST)
    figure = heat_figure(four(), release, (0, 1), "file")
    marks = [trace for trace in figure.data[1:] if trace.showlegend is not False]
    assert [list(zip(mark.x, mark.y, strict=True)) for mark in marks] == [
        [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")],
        [("1", "4"), ("2", "3"), ("3", "2"), ("4", "1")],
    ]
    assert figure.data[0].texttemplate
    assert not heat_figure(mixed(9, 0), concealed(mixed(9, 0), shifted(9, 2)), (0,)).data[0].texttemplate


def test_no_value_and_no_name_reaches_the_pictures():
    table = numbers(**{EVIL: np.arange(5) * 1.0})
    release = concealed(table, shifted(5, 2))
    for figure in (histogram_figure(table, release), heat_figure(table, release, (0, 1))):
        assert "<img" not in json.dumps(figure.to_plotly_json(), default=str)


def test_the_distances_of_records_are_those_chosen_for_the_columns():
    frame = pd.DataFrame({"age": [1.0, 3.0, 9.0, 4.0], "word": ["cat", "cut", "dog", "cat"]})
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    schema = (
        schema.with_kinds({"word": "text"})
        .with_distances({"word": kc.Levenshtein()})
        .with_weights({"age": 2.0})
    )
    table = kc.Table.from_frame(frame, schema)
    edits = {("cat", "cut"): 1, ("cat", "dog"): 3, ("cut", "dog"): 3, ("cat", "cat"): 0}
    pairs = itertools.combinations(frame.itertuples(index=False), 2)
    expected = sorted(2 * abs(a.age - b.age) / 8 + edits[tuple(sorted((a.word, b.word)))] for a, b in pairs)
    spread = chosen_pairs(table)
    assert spread.exact
    np.testing.assert_allclose(spread.distances, expected)
    said = spread_sentence(table)
    assert "drawn at random" not in said and "are equal" not in said
    assert np.asarray(spread_figure(table).data[0].y).sum() == pytest.approx(1)


def test_many_records_are_sampled_and_that_is_said():
    rng = np.random.default_rng(8)
    table = numbers(x=rng.integers(0, 4, 2_001).astype(float))
    spread = chosen_pairs(table)
    assert not spread.exact and len(spread.distances) == 1_000_000
    assert np.mean(spread.distances == 0) == pytest.approx(0.25, abs=0.02)
    assert "% of the pairs are equal; sample: 1,000,000 pairs drawn at random" in spread_sentence(table)


def test_the_pairs_of_many_different_sets_tick_and_stop_without_a_trace():
    rng = np.random.default_rng(4)
    held = [frozenset(f"i{code}" for code in rng.integers(0, 60, 1 + i % 5)) for i in range(9_000)]
    frame = pd.DataFrame({"things": [",".join(sorted(items)) for items in held]})
    schema = kc.Schema.infer(frame).with_kinds({"things": "items"}).with_quasi(["things"])
    table = kc.Table.from_frame(frame, schema)

    class Stopped(BaseException):
        pass

    def stop(share, note=""):
        if share > 0.8:
            raise Stopped

    with pytest.raises(Stopped):
        chosen_pairs(table, stop)
    shares = []
    spread = chosen_pairs(table, lambda share, note="": shares.append(share))
    assert len(shares) >= 50 and shares == sorted(shares) and shares[0] >= 0 and shares[-1] < 1
    drawing = generator(0)
    one = np.repeat(drawing.integers(0, 9_000, 50), 1_000)
    other = (one + drawing.integers(1, 9_000, 50_000)) % 9_000
    apart = [1 - len(held[a] & held[b]) / len(held[a] | held[b]) for a, b in zip(one, other, strict=True)]
    np.testing.assert_allclose(spread.distances, sorted(apart), atol=1e-12)


def test_a_column_of_too_many_values_takes_a_few_records_with_many_others():
    words = [f"w{i:05d}" for i in range(5_200)]
    frame = pd.DataFrame({"word": words})
    schema = kc.Schema.infer(frame).with_roles({"word": "quasi_identifier"}).with_kinds({"word": "text"})
    table = kc.Table.from_frame(frame, schema.with_distances({"word": kc.Hamming()}))
    spread = chosen_pairs(table)
    assert len(spread.distances) == 50_000 and spread.distances[0] >= 1 and spread.distances[-1] <= 5
    assert "sample: 50 records drawn at random with 1,000 others each" in spread_sentence(table)


def test_tables_without_pairs_and_without_differences():
    assert spread_sentence(numbers(x=[1.0])) == "A table of one record has no pairs of records."
    assert spread_sentence(numbers(x=[1.0, 1.0])) == "All records are equal, so every distance is 0."
    spread_figure(numbers(x=[1.0]), "dark")

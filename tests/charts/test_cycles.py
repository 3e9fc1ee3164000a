"""The cycles of the matchings: counted, told, and drawn on the plane."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kanon_core.base.errors import OptionError
from kanon_core.charts.concealment.cycles import (
    ARROWS_AT_MOST,
    VECTORS_AT_MOST,
    cycle_figure,
    cycle_lengths,
    cycle_sentence,
    cycles_of,
    own_cycles_sentence,
    way_around,
)
from tests.charts.concealed import EVIL, concealed, four, mixed, numbers, shifted

TOUR = [[0, 1, 2, 3], [1, 2, 3, 0]]
PAIRS = [[0, 1, 2, 3], [3, 2, 1, 0]]


def test_cycles_against_walking_around():
    rng = np.random.default_rng(0)
    for n in (1, 2, 7, 50):
        targets = rng.permutation(n)
        walked = [len(way_around(targets, start, n)) for start in range(n)]
        labels = cycles_of(targets)
        assert np.bincount(labels)[labels].tolist() == walked
        assert cycle_lengths(targets).sum() == n
        assert (labels[targets] == labels).all()


def test_what_is_said_of_tours_pairs_and_other_cycles():
    assert cycle_sentence(concealed(four(), TOUR), (1,)) == "Matching 2 is one tour through all 4 records."
    assert (
        cycle_sentence(concealed(four(), PAIRS), (1,))
        == "Matching 2 consists of 2 pairs of records that exchange rows."
    )
    table = numbers(a=np.arange(7) * 1.0)
    other = concealed(table, [np.arange(7), [1, 0, 3, 2, 5, 6, 4]])
    assert cycle_sentence(other, (1,)) == "Matching 2 has 3 cycles: 2 of length 2, 1 of length 3."
    assert own_cycles_sentence(other, (1,), 4) == "From record 5 and back: matching 2: 5 → 6 → 7 → 5."
    assert cycle_sentence(other, ()) == "No matching is drawn."


def test_many_lengths_are_summed_up():
    lengths = [2, 3, 4, 5, 9]
    targets = np.concatenate(
        [s + np.roll(np.arange(m), -1) for m, s in zip(lengths, np.cumsum([0, *lengths[:-1]]), strict=True)]
    )
    release = concealed(numbers(a=np.arange(23) * 1.0), [np.arange(23), targets])
    assert cycle_sentence(release, (1,)).endswith(
        "5 cycles: 1 of length 2, 1 of length 3, 1 of length 4, 2 of lengths 5 to 9."
    )
    assert "(9 records)" not in own_cycles_sentence(release, (1,), 22)


def test_a_long_way_is_cut():
    release = concealed(numbers(a=np.arange(30) * 1.0), shifted(30, 2))
    told = own_cycles_sentence(release, (1,), 0)
    assert told.startswith("From record 1 and back: matching 2: 1 → 2 → 3")
    assert told.endswith("12 → … (30 records) → 1.")


def test_lines_lead_from_every_record_to_its_row():
    table = numbers(a=[0.0, 1, 2, 3], b=[5.0, 6, 7, 8])
    figure = cycle_figure(table, concealed(table, TOUR), (1,), 2)
    line = figure.data[0]
    assert np.asarray(line.x)[:6].tolist()[:2] == [0, 1]
    assert np.isnan(np.asarray(line.x)[2::3]).all()
    assert len(line.x) == 12
    assert line.marker.symbol == "arrow"
    points = figure.data[1]
    assert np.asarray(points.customdata).ravel().tolist() == [1, 2, 3, 4]
    own = figure.data[3]
    assert np.asarray(own.x)[[0, 1, 3, 4]].tolist() == [2, 3, 1, 2]
    assert np.asarray(figure.data[-1].x).tolist() == [2]


def test_the_identity_is_refused():
    with pytest.raises(OptionError, match="identity"):
        cycle_figure(four(), concealed(four(), TOUR), (0, 1))


def test_many_records_are_painted_and_few_answer_the_pointer():
    n = VECTORS_AT_MOST + 500
    rng = np.random.default_rng(0)
    table = numbers(a=rng.normal(size=n), b=rng.normal(size=n))
    release = concealed(table, shifted(n, 3))
    figure = cycle_figure(table, release, (1, 2), 5)
    assert len(figure.layout.images) == 1
    assert figure.layout.images[0].source.startswith("data:image/png")
    assert [(trace.name, len(trace.x), trace.showlegend) for trace in figure.data[:2]] == [
        ("matching 2", 1, True),
        ("matching 3", 1, True),
    ]
    assert len(figure.data[2].x) == VECTORS_AT_MOST
    assert [len(trace.x) for trace in figure.data[3:]] == [6, 6, 6, 6, 1]
    assert len(figure.to_json()) < 300_000
    alone = cycle_figure(table, release, (1,), 5)
    assert alone.layout.images[0].source != figure.layout.images[0].source


def test_arrows_only_where_there_is_room():
    n = ARROWS_AT_MOST + 1
    table = numbers(a=np.arange(n) * 1.0, b=np.arange(n) % 7 * 1.0)
    assert cycle_figure(table, concealed(table, shifted(n, 2)), (1,)).data[0].mode == "lines"


def test_missing_values_one_column_and_evil_names_are_drawn():
    table = mixed(9, 3)
    figure = cycle_figure(table, concealed(table, shifted(9, 2)), (1,))
    assert not np.isnan(np.asarray(figure.data[1].x)).any()
    one = numbers(**{EVIL: np.arange(6) * 1.0})
    sent = json.dumps(cycle_figure(one, concealed(one, shifted(6, 2)), (1,), 0).to_plotly_json(), default=str)
    assert "<img" not in sent

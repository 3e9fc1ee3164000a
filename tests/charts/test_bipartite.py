"""The bipartite graph: its edges, what is drawn of many records, what it says, what must never run."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from kanon_core.charts.concealment.bipartite import (
    FURTHER,
    SIDE_AT_MOST,
    WHOLE_AT_MOST,
    bipartite_figure,
    graph_of,
    matching_style,
)
from kanon_core.charts.concealment.matches import record_matches
from kanon_core.table.schema import Schema
from tests.charts.concealed import EVIL, concealed, four, mixed, numbers, shifted
from tests.helpers import table_of


def edges(figure, name: str) -> set[tuple[float, float]]:
    """Heights of both ends of every line of a kind."""
    traces = [trace for trace in figure.data if trace.name == name]
    ends = [np.asarray(trace.y, dtype=float) for trace in traces]
    return {(float(y[i]), float(y[i + 1])) for y in ends for i in range(0, len(y), 3)}


def test_the_graph_of_the_paper_has_its_edges_and_matches():
    release = concealed(four(), [[0, 1, 2, 3], [1, 2, 3, 0]])
    figure = bipartite_figure(four(), release, (0, 1))
    height = {node: 1 - (node + 0.5) / 4 for node in range(4)}
    assert edges(figure, "identity") == {(height[i], height[i]) for i in range(4)}
    assert edges(figure, "matching 2") == {(height[i], height[(i + 1) % 4]) for i in range(4)}
    assert not edges(figure, "further matches")
    assert figure.layout.meta["alt"].endswith("Every record has 2 matches; the guarantee requires 2.")
    assert "the design has 8 edges" in figure.layout.meta["alt"]


def test_the_published_rows_can_allow_more_than_the_design():
    release = concealed(four(), [[0, 1, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1]])
    drawn = graph_of(release)
    beyond = drawn.edges[drawn.edges[:, 0] == FURTHER][:, 1:]
    matches = release.consistency().matches
    assert len(beyond)
    assert np.array_equal(3 + np.bincount(beyond[:, 0], minlength=4), matches)
    figure = bipartite_figure(four(), release, (0, 1, 2))
    assert len(edges(figure, "further matches")) == len(beyond)
    assert f"{len(beyond)} further matches" in figure.layout.meta["alt"]
    assert not edges(bipartite_figure(four(), release, (0, 1, 2), further=False), "further matches")


def test_the_whole_graph_and_single_records_agree():
    for seed in range(4):
        table = mixed(12, seed)
        release = concealed(table, shifted(12, 3))
        drawn = graph_of(release)
        for record in range(12):
            found = record_matches(release, record)
            mine = drawn.edges[drawn.edges[:, 1] == record]
            assert set(mine[mine[:, 0] == FURTHER][:, 2]) == set(found.further)
            assert set(mine[mine[:, 0] < FURTHER][:, 2]) == set(found.fitting)


def test_of_many_records_only_those_around_one_are_drawn():
    n = WHOLE_AT_MOST + 10
    table = numbers(a=np.arange(n) * 1.0)
    release = concealed(table, shifted(n, 4))
    drawn = graph_of(release, 20)
    assert drawn.left.tolist() == [20, 19, 18, 17]
    assert drawn.right[:4].tolist() == [20, 21, 22, 23]
    design = drawn.edges[drawn.edges[:, 0] >= 0]
    matchings = release.cover.matchings
    assert all(matchings[m, j] == i for m, j, i in design)
    assert {(m, j) for m, j, _ in design} >= {(m, 20) for m in range(4)}
    assert not drawn.left_out
    assert graph_of(release).left[0] == 0
    figure = bipartite_figure(table, release, (0, 1, 2, 3), 20)
    assert np.asarray(figure.data[-2].customdata).ravel().tolist() == [21, 20, 19, 18]


def test_nodes_without_room_are_counted():
    n = 60
    release = concealed(numbers(a=np.arange(n) * 1.0), shifted(n, 50))
    drawn = graph_of(release, 3)
    assert len(drawn.left) == len(drawn.right) == SIDE_AT_MOST
    hidden = record_matches(release, 3)
    total = len(hidden.originals) + len(hidden.rows) + len(hidden.further) + len(hidden.fitting)
    assert drawn.left_out == total - 2 * SIDE_AT_MOST
    figure = bipartite_figure(release.table, release, (0,), 3)
    assert f"not drawn for lack of space: {drawn.left_out} more nodes" in figure.layout.meta["alt"]


def test_a_picked_record_leaves_its_edges_strong():
    release = concealed(four(), [[0, 1, 2, 3], [1, 2, 3, 0]])
    faint, strong = (
        t for t in bipartite_figure(four(), release, (1,), 2, False).data if t.name == "matching 2"
    )
    assert (len(faint.x), len(strong.x)) == (6, 6)
    assert strong.line.width > faint.line.width
    assert (faint.showlegend, strong.showlegend) == (False, True)


def test_the_structure_stays_so_that_the_figure_is_updated_in_place():
    release = concealed(four(), shifted(4, 3))
    lengths = {len(bipartite_figure(four(), release, (0, 1), record).data) for record in (None, 0, 3)}
    assert lengths == {10}


def test_matchings_differ_in_color_or_dash():
    for theme in ["light", "dark"]:
        styles = [matching_style(number, theme) for number in range(37)]
        assert len(set(styles)) == len(styles)
        assert len({color for color, _ in styles[:7]}) == 7
        assert styles[0][1] == "solid"


def test_identifiers_are_not_shown_and_values_are_never_markup():
    columns = {
        "who": [f"secret {i}" for i in range(4)],
        "city": [EVIL, EVIL, "b", "<b>c</b>"],
        "age": [1, 2, 3, 4],
    }
    schema = Schema.infer(pd.DataFrame(columns)).with_roles({"who": "identifier", "city": "quasi_identifier"})
    table = table_of(
        schema.with_roles({"age": "quasi_identifier"}).with_kinds({"city": "categorical"}), **columns
    )
    release = concealed(table, shifted(4, 2))
    sent = json.dumps(bipartite_figure(table, release, (0, 1)).to_plotly_json(), default=str)
    assert "secret" not in sent
    assert "<img" not in sent
    assert "<b>c" not in sent
    assert "%{x}" not in sent


def test_long_values_stand_in_the_hover_box_only():
    table = numbers(a=np.array([1.123456789, 2, 3, 4]), b=np.arange(4) + 0.123456789)
    figure = bipartite_figure(table, concealed(table, shifted(4, 2)), (0, 1))
    assert figure.layout.yaxis.ticktext == ("1", "2", "3", "4")
    assert "1.123456789" in figure.data[-2].hovertext[0]
    paper = bipartite_figure(four(), concealed(four(), shifted(4, 2)), (0, 1))
    assert paper.layout.yaxis.ticktext[0] == "1: 10, F"
    assert paper.layout.yaxis2.ticktext[3].startswith("4: [40, 50], ")

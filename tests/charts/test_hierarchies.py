"""The picture of a value hierarchy."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.charts.table.hierarchies import hierarchy_figure, hierarchy_sentence
from kanon_core.table.hierarchy.drawing import flat

EUROPE = kc.Hierarchy.of_paths(
    [
        ("Paris", "France", "Europe"),
        ("Lyon", "France", "Europe"),
        ("Rome", "Italy", "Europe"),
        ("<b>{x}", "Peru"),
    ]
)


def test_every_node_is_drawn_inside_the_one_above_it():
    for theme in ["light", "dark"]:
        figure = hierarchy_figure(EUROPE, theme)
        (trace,) = figure.data
        labels = dict(zip(trace.ids, trace.labels, strict=True))
        above = {
            labels[node]: labels.get(parent) for node, parent in zip(trace.ids, trace.parents, strict=True)
        }
        assert above["Paris"] == "France" and above["France"] == "Europe" and above["Europe"] == "(any)"
        assert above["(any)"] is None
        assert "&lt;b&gt;&#123;x&#125;" in above, "labels are shown literally"
        sizes = dict(zip(trace.labels, trace["values"], strict=True))
        assert sizes["(any)"] == 4 and sizes["Europe"] == 3 and sizes["Paris"] == 1
        assert figure.layout.meta["alt"] == hierarchy_sentence(EUROPE)


def test_the_sentence_counts():
    assert (
        hierarchy_sentence(EUROPE)
        == "4 values in 4 groups on 2 levels; the largest group, “Europe”, contains 3 values."
    )
    assert hierarchy_sentence(flat(["a"])).startswith("1 value, none in a group yet")


def test_the_lowest_levels_of_large_trees_are_left_out():
    tree = kc.Hierarchy.of_intervals(range(200), (10, 50))
    figure = hierarchy_figure(tree)
    assert len(figure.data[0].ids) == 1 + 4 + 20
    assert figure.layout.meta["alt"].endswith("The lowest levels are not drawn.")
    assert len(hierarchy_figure(flat(map(str, range(2_000)))).data[0].ids) == 1
    assert figure.layout.height < 1_200

"""Distances that hold data: what is wrong with a tree, a graph or a matrix is said, naming it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.errors import OptionError, SchemaError, UnsuitableError
from kanon_core.distances.chosen import parts_of
from kanon_core.distances.values.data_options import Cells, Edges, Lengths, Parents
from tests.helpers import table_of


def measured(distance: kc.Distance, values: list[str], **what) -> np.ndarray:
    table = table_of(kc.Schema((kc.Attribute("town", distance=distance, **what),)), town=values)
    (part,) = parts_of(table)
    everybody = np.arange(len(values))
    return part.encoding.pairs(everybody[:, None], everybody)


def test_what_is_no_tree_is_refused():
    for parents, named in [
        ([("a", "x"), ("a", "y"), ("x", "r"), ("y", "r")], "more than one parent: “a”"),
        ([("a", "x"), ("b", "y")], "2 roots, “x”, “y”"),
        ([("a", "b"), ("b", "a")], "“a”, “b” form a cycle"),
        ([("a", "r"), ("b", "c"), ("c", "d"), ("d", "b")], "“b”, “c”, “d” form a cycle"),
        ([(str(i), str(i + 1)) for i in range(200)], "at most 100 levels"),
    ]:
        with pytest.raises(OptionError, match=named):
            kc.Tree(parents)


@pytest.mark.parametrize(
    "asked",
    [
        {"name": "GivenMatrix", "options": {"cells": [["a", 0, 10**400], ["b", 10**400, 0]]}},
        {"name": "Graph", "options": {"edges": [["a", "b", 10**400]]}},
        {"name": "Tree", "options": {"parents": [["a", "b"]], "lengths": [10**400]}},
    ],
)
def test_numbers_beyond_all_bounds_in_a_recipe_are_refused(asked):
    with pytest.raises(OptionError, match=r"must be"):
        options.from_json(asked)


def test_a_tree_needs_a_length_for_every_level():
    parents = {"a": "x", "x": "r"}
    with pytest.raises(OptionError, match="2 levels of edges but 1 lengths"):
        kc.Tree(parents, lengths=(1,))
    assert measured(kc.Tree(parents, lengths=(5, 2)), ["a", "x", "r"]).tolist() == [
        [0, 2, 7],
        [2, 0, 5],
        [7, 5, 0],
    ]


def test_a_tree_of_a_hierarchy():
    from kanon_core.table.hierarchy.hierarchy import Hierarchy

    hierarchy = Hierarchy.of_paths(
        [("Paris", "France", "Europe"), ("Lyon", "France", "Europe"), ("Nara", "Japan", "Asia")]
    )
    towns = ["Paris", "Lyon", "Nara"]
    assert measured(kc.Tree(hierarchy.parents), towns)[0].tolist() == [0, 2, 6]
    assert measured(kc.Tree(), towns, hierarchy=hierarchy)[0].tolist() == [0, 2, 6]
    assert measured(kc.Tree(lengths=(3, 2, 1)), towns, hierarchy=hierarchy)[0].tolist() == [0, 2, 12]
    own = kc.Tree([(town, "anywhere") for town in towns])
    assert measured(own, towns, hierarchy=hierarchy)[0].tolist() == [0, 2, 2]
    with pytest.raises(UnsuitableError, match="“town”: The tree has 3 levels of edges but 1 lengths"):
        measured(kc.Tree(lengths=(1,)), towns, hierarchy=hierarchy)
    with pytest.raises(UnsuitableError, match=r"lacks 3 of its values.* or choose a hierarchy of the column"):
        measured(kc.Tree(), towns)


def test_what_is_no_graph_is_refused():
    for edges, named in [
        ([("a", "b", 1), ("c", "d", 1)], "not connected: no path leads from “a” to “c”"),
        ([("a", "b", 1), ("b", "a", 2)], "not symmetric: the edge between “b” and “a” has two lengths"),
        ([("a", "a", 1)], "from “a” to itself"),
        ([("a", "b", 0)], "above 0"),
        ([("a", "b", math.nan)], "above 0"),
        ([("a", "b", math.inf)], "above 0"),
        ([(str(i), str(i + 1), 1) for i in range(2_000)], "at most 2,000 nodes"),
    ]:
        with pytest.raises(OptionError, match=named):
            kc.Graph(edges)


def test_a_shorter_way_is_taken_and_an_edge_may_be_given_twice():
    edges = [("a", "b", 1), ("b", "c", 1), ("c", "b", 1), ("a", "c", 9)]
    assert measured(kc.Graph(edges), ["a", "b", "c"]).tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


def test_what_is_no_matrix_of_distances_is_refused():
    for cells, named in [
        ([("a", 0, 1), ("b", 2, 0)], "not symmetric between “a” and “b”"),
        ([("a", 0, None), ("b", None, 0)], "lacks a value between “a” and “b”"),
        ([("a", 0, 1), ("b", 1)], "row of “b” has 1 distances"),
        ([("a", 0, 1)], "row of “a” has 2 distances"),
        ([("a", 0, 1), ("a", 1, 0)], "more than one row for “a”"),
        ([("a", 1, 1), ("b", 1, 0)], "other than 0 from “a” to itself"),
        ([("a", 0, 0), ("b", 0, 0)], "of 0 or less between “a” and “b”"),
        ([("a", 0, -1), ("b", -1, 0)], "of 0 or less between “a” and “b”"),
        ([(str(i), *[1.0] * 501) for i in range(501)], "at most 500 rows"),
    ]:
        with pytest.raises(OptionError, match=named):
            kc.GivenMatrix(cells)


def test_example_3_1_3_is_no_metric_and_taken_as_it_is():
    """the ILD paper: d(a, b) = d(b, c) = 1, d(a, c) = 3."""
    matrix = kc.GivenMatrix([("a", 0, 1, 3), ("b", 1, 0, 1), ("c", 3, 1, 0)])
    assert matrix.axioms == "semimetric"
    assert (measured(matrix, ["a", "a", "b", "c"]) ** 2).sum() == 42
    assert kc.GivenMatrix([("a", 0, 1, 2), ("b", 1, 0, 1), ("c", 2, 1, 0)]).axioms == "metric"


@pytest.mark.parametrize(
    "distance", [kc.Tree({"a": "r"}), kc.Graph([("a", "r", 1)]), kc.GivenMatrix([("a", 0, 1), ("r", 1, 0)])]
)
def test_values_that_nothing_is_said_about_are_named_unless_they_are_private(distance):
    with pytest.raises(UnsuitableError, match=r"“town” lacks 2 of its values \(“q1”, “q2”\)"):
        measured(distance, ["a", "q2", "q1"])
    table = table_of(
        kc.Schema((kc.Attribute("town", role="sensitive", distance=distance),)), town=["a", "secret"]
    )
    (reason,) = distance.unsuitable(table["town"])
    assert "“town” lacks 1" in reason and "secret" not in reason


def test_data_are_read_from_text_and_written_to_it():
    for kind, text, value in [
        (Parents(), "Tokyo, Kanto\n\nKanto,Japan\n", (("Tokyo", "Kanto"), ("Kanto", "Japan"))),
        (Parents(), 'a;"x; y"\n', (("a", "x; y"),)),
        (Edges(), "a\tb\t2.5\nb\tc", (("a", "b", 2.5), ("b", "c", 1.0))),
        (Cells(), "a,0,1\nb,1,0", (("a", 0.0, 1.0), ("b", 1.0, 0.0))),
        (Lengths(), "1, 2,0.5", (1.0, 2.0, 0.5)),
        (Lengths(), "", ()),
    ]:
        assert kind.parse(text) == value
        assert kind.parse(kind.text(value)) == value
        assert kind.from_json(kind.to_json(value)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [(Parents(), "a"), (Parents(), "a,b,c"), (Edges(), "a,b,far"), (Cells(), "a,x"), (Lengths(), "one")],
)
def test_text_that_is_no_data_is_refused(kind, text):
    with pytest.raises(ValueError, match=kind.allowed[:7]):
        kind.parse(text)


def test_p_below_1_is_refused():
    for p in (0.5, 0, -1, math.nan, None, "many", -math.inf):
        with pytest.raises(OptionError, match="“p” of Product must be a number of at least 1, or infinity"):
            kc.Product(p)
    assert kc.Product("infinity").p == math.inf


def test_a_schema_says_which_column_has_an_impossible_distance():
    entry = {"name": "town", "role": "other", "kind": "text", "weight": 1, "recoding": "generalize"}
    assert kc.Schema.from_json([entry])["town"].distance is None  # as written before there were distances
    for wrong in (
        {"name": "NoSuch"},
        {"name": "Tree", "options": {"parents": [["a"]]}},
        "Discrete",
        {"name": "MDAV"},
    ):
        with pytest.raises(SchemaError, match="“town”"):
            kc.Schema.from_json([{**entry, "distance": wrong}])
    with pytest.raises(SchemaError, match="“town”"):
        kc.Attribute("town", distance=kc.MDAV())


def test_a_kind_that_a_distance_does_not_take_brings_back_the_default():
    schema = kc.Schema((kc.Attribute("town", distance=kc.Levenshtein()), kc.Attribute("age", kind="numeric")))
    assert schema.with_kinds({"town": "text"})["town"].distance == kc.Levenshtein()
    assert schema.with_kinds({"town": "numeric"})["town"].distance is None
    assert schema.with_distances({"town": None}) == schema.with_kinds({"town": "numeric"}).with_kinds(
        {"town": "categorical"}
    )
    assert "distance" not in schema.to_json()[1]

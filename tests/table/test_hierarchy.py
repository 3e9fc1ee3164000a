"""Value hierarchies: the tree, its numbering, lowest common nodes, files, edits, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.base.errors import InputError, SchemaError
from kanon_core.table.hierarchy.hierarchy import ROOT, Hierarchy
from kanon_core.table.readers.lines import read_categories, read_hierarchy

EUROPE = Hierarchy.of_paths(
    [
        ("Paris", "France", "Europe"),
        ("Lyon", "France", "Europe"),
        ("Rome", "Italy", "Europe"),
        ("Lima", "Peru", "*"),
    ]
)


def test_the_tree_of_paths():
    assert EUROPE.values == ("Paris", "Lyon", "Rome", "Lima")
    assert EUROPE.below[ROOT] == ("Europe", "Peru")
    assert EUROPE.nodes == (ROOT, "Europe", "France", "Paris", "Lyon", "Italy", "Rome", "Peru", "Lima")
    assert EUROPE.spread.tolist() == [4, 3, 2, 1, 1, 1, 1, 1, 1]
    assert EUROPE.depth.tolist() == [0, 1, 2, 3, 3, 2, 3, 1, 2]
    assert EUROPE.end.tolist() == [9, 7, 5, 4, 5, 7, 7, 9, 9]


def test_a_label_filled_up_along_a_short_path_is_one_node():
    tree = Hierarchy.of_paths([("a", "a", "g", "*"), ("b", "g", "g", "*")])
    assert tree.parents == (("a", "g"), ("g", ROOT), ("b", "g"))


def test_the_lowest_common_node_of_a_set_is_that_of_its_ends():
    nodes = EUROPE.nodes
    first, last = (
        EUROPE.places(labels, "city")
        for labels in (["Paris", "Paris", "Lyon", "Rome"], ["Lyon", "Rome", "Lyon", "Lima"])
    )
    assert [nodes[i] for i in EUROPE.ancestors(first, last)] == ["France", "Europe", "Lyon", ROOT]


@st.composite
def trees(draw):
    count = draw(st.integers(2, 30))
    above = [draw(st.integers(0, i - 1)) for i in range(1, count)]
    names = [ROOT, *(f"n{i}" for i in range(1, count))]
    return Hierarchy(tuple((names[i + 1], names[parent]) for i, parent in enumerate(above)))


def ways_up(tree: Hierarchy, node: str) -> list[str]:
    path = [node]
    while path[-1] != ROOT:
        path.append(tree.above[path[-1]])
    return path


@given(trees(), st.data())
def test_lowest_common_nodes_equal_the_walk_up(tree, data):
    chosen = data.draw(st.lists(st.sampled_from(tree.values), min_size=1, max_size=6))
    numbers = tree.places(chosen, "x")
    found = tree.nodes[int(tree.ancestors(numbers.min()[None], numbers.max()[None])[0])]
    shared = set.intersection(*(set(ways_up(tree, value)) for value in chosen))
    assert found == max(shared, key=lambda node: len(ways_up(tree, node)))


@given(trees())
def test_values_below_each_node_are_counted_and_numbering_is_preorder(tree):
    for node, number in tree.number.items():
        below = [value for value in tree.values if node in ways_up(tree, value)]
        assert tree.spread[number] == len(below)
        inside = {other for other, place in tree.number.items() if number <= place < tree.end[number]}
        assert inside == {other for other in tree.nodes if node in ways_up(tree, other)}


@given(trees())
def test_json_and_files_bring_the_same_tree_back(tree):
    assert Hierarchy.from_json(tree.to_json()) == tree
    read = read_hierarchy(tree.to_csv().encode())
    assert dict(read.parents) == dict(tree.parents)


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
def test_lines_need_not_end_at_the_top(mark):
    text = "Paris;France;Europe\nLyon;France;Europe\nRome;Italy;Europe\nLima;Peru;*\n"
    for lines in (text, text.replace("Lima;Peru;*\n", "")):
        whole = Hierarchy.of_paths([tuple(line.split(";")) for line in lines.split()])
        assert read_hierarchy(lines.replace(";", mark).encode()) == whole


def test_a_label_may_hold_any_line_end_or_delimiter():
    tree = Hierarchy.of_paths([("a\rb", 'x;"y"'), ("c\nd", "e,f|g\th"), ("i", "e,f|g\th")])
    assert read_hierarchy(tree.to_csv().encode()).above == tree.above


def test_intervals_of_growing_widths():
    tree = Hierarchy.of_intervals([17, 3, 12, 12.5, np.nan], (5, 10))
    assert tree.above["12.5"] == "[10, 15)"
    assert tree.above["[15, 20)"] == "[10, 20)"
    assert tree.above["3"] == "[0, 5)"
    assert tree.values == ("3", "12", "12.5", "17")


@pytest.mark.parametrize("widths", [(0.1,), (0.1, 0.3), (0.05, 0.7)])
def test_a_number_lies_in_the_interval_it_is_below(widths):
    tree = Hierarchy.of_intervals([i / 10 for i in range(-30, 31)], widths, -0.3)
    for value in tree.values:
        group = tree.above[value]
        while group != "*":
            low, high = map(float, group[1:-1].split(", "))
            assert low <= float(value) < high
            group = tree.above[group]


@pytest.mark.parametrize(
    ("widths", "start"), [((np.nan,), 0), ((1,), np.inf), ((1e-300,), 1), ((1e307,), 1e308)]
)
def test_intervals_that_cannot_be_written_are_refused(widths, start):
    with pytest.raises(SchemaError, match=r"finite|too narrow or too wide"):
        Hierarchy.of_intervals([1, 2], widths, start)


@pytest.mark.parametrize("widths", [(), (0,), (5, 5), (5, 12), (10, 5)])
def test_intervals_need_widths_that_nest(widths):
    with pytest.raises(SchemaError, match="multiple"):
        Hierarchy.of_intervals([1, 2], widths)


@pytest.mark.parametrize(
    "parents, named",
    [
        ((), "empty"),
        ((("a", "g"),), "no group above “g”"),
        ((("a", "g"), ("g", "h"), ("h", "g")), "below itself"),
        ((("a", "*"), ("a", "*")), "“a” twice"),
        ((("*", "a"),), "top"),
    ],
)
def test_what_is_no_tree_is_refused_by_name(parents, named):
    with pytest.raises(SchemaError, match=named.replace("*", r"\*")):
        Hierarchy(parents)


def test_a_value_with_two_paths_and_a_group_in_two_places_are_named():
    with pytest.raises(SchemaError, match="value “a” twice"):
        Hierarchy.of_paths([("a", "g", "*"), ("a", "g", "*")])
    with pytest.raises(SchemaError, match="“g” twice, below “\\*” and below “h”"):
        Hierarchy.of_paths([("a", "g", "*"), ("b", "g", "h", "*")])


def test_a_value_that_is_missing_is_named_with_its_column():
    with pytest.raises(
        SchemaError,
        match="column “city” lacks values: “Oslo” and 1 more",
    ):
        EUROPE.places(["Paris", "Oslo", "Kyiv"], "city")
    with pytest.raises(SchemaError, match="groups with the names of values: “France”"):
        EUROPE.places(["France"], "city")


def test_moving_and_renaming_keep_the_values():
    tree = EUROPE.moved("Rome", "Latin").renamed("Europe", "EU")
    assert sorted(tree.values) == sorted(EUROPE.values)
    assert tree.above["Rome"] == "Latin"
    assert tree.above["Latin"] == ROOT
    assert "Italy" not in tree.number
    assert tree.above["France"] == "EU"
    with pytest.raises(SchemaError, match="not a group"):
        tree.renamed("Paris", "x")
    with pytest.raises(SchemaError, match="below itself"):
        tree.moved("EU", "France")


@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_the_delimiter_of_a_file_is_found(mark):
    text = f'a{mark}"x{mark}y"{mark}*\nb{mark}z{mark}*\n'
    assert read_hierarchy(text.encode()).above == {"a": f"x{mark}y", f"x{mark}y": "*", "b": "z", "z": "*"}


@pytest.mark.parametrize("delimiter", ["", "||", '"', "\n"])
@pytest.mark.parametrize("read", [read_hierarchy, read_categories])
def test_a_delimiter_that_is_none_is_refused(read, delimiter):
    with pytest.raises(InputError, match="one character"):
        read(b"a;b\nc;b\n", delimiter=delimiter)


@pytest.mark.parametrize("data", [b"one\ntwo\n", b"", b"%PDF-1.4"])
def test_what_is_no_hierarchy_file_is_refused(data):
    with pytest.raises(InputError):
        read_hierarchy(data)


def test_published_hierarchies_are_read_as_they_are(kanon_data):
    files = sorted((kanon_data / "adult_hierarchies").glob("*.csv"))
    assert len(files) == 9
    for file in files:
        lines = [line for line in file.read_text().splitlines() if line.strip()]
        assert len(read_hierarchy(file).values) == len(lines)


def test_a_group_has_a_name_that_can_be_read():
    """“{ x}” could not be told from “{x}”, the value beside it, nor a cell of the group “” from a missing
    one."""
    for group in ["", " ", " x", "x ", "x\n", "\u3000x"]:
        with pytest.raises(SchemaError, match="a name without a blank at its beginning or end"):
            Hierarchy((("a", group), ("b", group), (group, "*"), ("x", "*")))
        Hierarchy((("a", "g"), (" a", "g"), ("g", "*")))

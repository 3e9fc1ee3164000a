"""Hierarchies changed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.base.errors import SchemaError
from kanon_core.table.hierarchy.drawing import completed, flat, gathered, redrawn
from kanon_core.table.hierarchy.hierarchy import ROOT, Hierarchy

EUROPE = Hierarchy.of_paths(
    [
        ("Paris", "France", "Europe"),
        ("Lyon", "France", "Europe"),
        ("Rome", "Italy", "Europe"),
        ("Lima", "Peru"),
    ]
)


def rows(tree: Hierarchy, **changed: tuple[str, str]) -> list[tuple[str, str]]:
    """The rows of a tree, some of them edited."""
    return [changed.get(node, (node, tree.above[node])) for node in tree.nodes[1:]]


def test_a_drawing_starts_flat_and_is_gathered_into_groups():
    tree = flat(["a", "b", "c"])
    assert tree.values == ("a", "b", "c") and tree.below[ROOT] == ("a", "b", "c")
    tree = gathered(gathered(tree, ["a", "b"], " x "), ["x", "c"], "y")
    assert tree.above == {"a": "x", "b": "x", "x": "y", "c": "y", "y": ROOT}


def test_a_new_group_hangs_where_its_members_were():
    tree = gathered(EUROPE, ["Paris", "Rome"], "Capitals")
    assert tree.above["Capitals"] == "Europe" and "Italy" not in tree.number
    assert gathered(EUROPE, ["Paris", "Lima"], "Capitals").above["Capitals"] == ROOT
    assert gathered(EUROPE, ["Lima"], "Italy").below["Italy"] == ("Rome", "Lima")
    assert gathered(EUROPE, ["France", "Italy"], ROOT).below[ROOT] == ("France", "Italy", "Peru")


@pytest.mark.parametrize(
    ("nodes", "group", "named"),
    [
        ([], "x", "at least one value"),
        (["Paris"], "  ", "needs a name"),
        (["Paris"], "Rome", "“Rome” is a value"),
        (["Europe"], "France", "“France” below itself"),
    ],
)
def test_what_cannot_be_gathered_is_refused(nodes, group, named):
    with pytest.raises(SchemaError, match=named):
        gathered(EUROPE, nodes, group)


def test_missing_values_are_completed_at_the_top():
    tree = completed(EUROPE, ["Paris", "Oslo", "Kyiv"])
    assert tree.below[ROOT][-2:] == ("Oslo", "Kyiv") and set(tree.values) == {*EUROPE.values, "Oslo", "Kyiv"}


def test_rows_rename_move_and_make_groups():
    tree = redrawn(EUROPE, rows(EUROPE, Europe=("EU", ROOT), Lima=("Lima", "Andes"), Rome=("Rome", "")))
    assert tree.above == {
        "Paris": "France",
        "Lyon": "France",
        "France": "EU",
        "EU": ROOT,
        "Rome": ROOT,
        "Lima": "Andes",
        "Andes": ROOT,
    }
    assert redrawn(EUROPE, rows(EUROPE)) == Hierarchy(tuple(rows(EUROPE)))


def test_rows_that_make_no_tree_are_refused_by_name():
    for changed, named in [
        ({"Paris": ("Parigi", "France")}, "“Paris” is a value of the column and cannot be renamed"),
        ({"France": ("", "Europe")}, "The group “France” needs a name"),
        ({"France": ("Italy", "Europe")}, "“Italy” twice"),
        ({"Lima": ("Lima", "Rome")}, "“Rome” is a value, and a value has nothing below"),
        ({"Europe": ("Europe", "France")}, "“Europe” below itself"),
        ({"Europe": ("*", "*")}, "top of every hierarchy"),
    ]:
        with pytest.raises(SchemaError, match=named):
            redrawn(EUROPE, rows(EUROPE, **changed))


@pytest.mark.deep
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_change_loses_a_value(data):
    tree = flat("abcdef")
    for _ in range(data.draw(st.integers(1, 8))):
        nodes = data.draw(st.lists(st.sampled_from(tree.nodes[1:]), min_size=1, unique=True))
        group = data.draw(st.sampled_from(["A", "B", "C", ROOT]))
        try:
            tree = gathered(tree, nodes, group)
        except SchemaError:
            continue
        assert set(tree.values) == set("abcdef")
        assert all(tree.above[node] == group for node in nodes if node in tree.number)

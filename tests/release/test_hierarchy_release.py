"""Columns with a value hierarchy on the whole path: schema, recoding, cells, consistency, measures, audit,
recipe."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.cells import Nodes, ValueSets
from kanon_core.covers.cover import Concealment, Partition
from kanon_core.covers.recoding import recode
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.report import release_bytes
from kanon_core.table.columns.texts import ANY
from tests.helpers import release_of

EUROPE = kc.Hierarchy.of_paths(
    [
        ("Paris", "France", "Europe"),
        ("Lyon", "France", "Europe"),
        ("Rome", "Italy", "Europe"),
        ("Lima", "Peru"),
    ]
)


def towns(cells: list, hierarchy: kc.Hierarchy | None = EUROPE, **what) -> kc.Table:
    schema = kc.Schema((kc.Attribute("town", hierarchy=hierarchy, **what),))
    return kc.Table.from_frame(pd.DataFrame({"town": pd.Series(cells, dtype="str")}), schema)


def shown(table: kc.Table, groups: list[int]) -> list[str]:
    return release_of(table, groups).to_frame()["town"].tolist()


def test_a_group_publishes_its_lowest_common_node():
    table = towns(["Paris", "Lyon", "Paris", "Rome", "Lima", "Lima", "Paris", "Lima", "Rome"])
    groups = [0, 0, 1, 1, 2, 2, 3, 3, -1]
    assert shown(table, groups) == ["France"] * 2 + ["Europe"] * 2 + ["Lima"] * 2 + [ANY] * 2 + ["*"]
    release = release_of(table, groups)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    # Equation 7: values below the node / all 4; 0 for a single value, 1 for a suppressed record.
    (cells,) = (p.cells for p in release.published)
    assert cells.penalties(table["town"], release.row).tolist() == [
        0.5,
        0.5,
        0.75,
        0.75,
        0.0,
        0.0,
        1.0,
        1.0,
        1.0,
    ]
    assert kc.score(table, release, [kc.NCP()])["value"][0] == pytest.approx(5.5 / 9)


def test_missing_is_a_value_of_its_own_below_the_top():
    table = towns([None, None, "Paris", None, "Paris", "Lyon"])
    assert shown(table, [0, 0, 1, 1, 2, 2]) == ["(missing)"] * 2 + [ANY] * 2 + ["France"] * 2
    release = release_of(table, [0, 0, 1, 1, 2, 2])
    assert all(verdict.holds for verdict in kc.audit(table, release))
    penalties = release.published[0].cells.penalties(table["town"], release.row)
    assert penalties.tolist() == [0, 0, 1, 1, 2 / 5, 2 / 5]


def test_what_is_published_cannot_be_mistaken_for_something_else():
    """A value or group named like the top, a suppressed record, a missing cell, or a quoted value is
    quoted."""
    tree = kc.Hierarchy(
        (
            ("(any)", "(missing)"),
            ("b", "(missing)"),
            ("(missing)", "*"),
            ("a, b", '"a'),
            ('"a', "*"),
            ("[c", '"a'),
            ("d", "e, [f"),
            ("g", "e, [f"),
            ("e, [f", "*"),
        )
    )
    values = list(tree.values)
    table = towns([*values, *values, None], tree)
    groups = [*range(6), 6, 6, 7, 7, 8, 8, 9]
    texts = shown(table, groups)
    assert texts[6:] == ['"(missing)"'] * 2 + ['"\\"a"'] * 2 + ["e, [f"] * 2 + ["(missing)"]
    assert texts[:6] == ['"(any)"', "b", "a, b", '"[c"', "d", "g"]
    everything = shown(table, [0] * 13)
    assert everything == [ANY] * 13
    assert len({*texts, ANY, "*"}) == len(set(groups)) + 2


def test_a_record_that_is_not_below_its_node_fails_the_audit():
    table = towns(["Paris", "Lyon", "Lima", "Lima"])
    release = release_of(table, [0, 0, 1, 1])
    cells = release.published[0].cells
    release.published[0].__dict__["cells"] = Nodes(cells.placed, cells.nodes[::-1].copy())
    broken = [verdict for verdict in kc.audit(table, release) if not verdict.holds]
    assert [verdict.guarantee for verdict in broken] == ["truthful cells"]
    assert broken[0].witnesses == (1, 2, 3, 4)


def test_the_mode_stands_for_the_node():
    table = towns(["Paris", "Lyon", "Paris", "Lima"], recoding="mode")
    release = release_of(table, [0, 0, 0, 0])
    assert release.to_frame()["town"].tolist() == ["Paris"] * 4
    assert all(verdict.holds for verdict in kc.audit(table, release))
    assert kc.score(table, release, [kc.NCP()])["value"][0] == 1.0


@st.composite
def drawn(draw, most: int = 20):
    """A tree of up to 12 nodes besides the top, records of its values and missing ones, and a cover."""
    above = [draw(st.integers(0, i)) for i in range(draw(st.integers(1, 12)))]
    names = ["*", *(f"n{i}" for i in range(len(above)))]
    tree = kc.Hierarchy(tuple((names[i + 1], names[parent]) for i, parent in enumerate(above)))
    n = draw(st.integers(2, most))
    cells = draw(st.lists(st.sampled_from([*tree.values, None]), min_size=n, max_size=n))
    if draw(st.booleans()):
        cover: kc.Partition | kc.Concealment = Partition(
            np.array(draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n)))
        )
    else:
        turns = draw(st.integers(2, n))
        cover = Concealment(np.array([np.roll(np.arange(n), turn) for turn in range(turns)]))
    return towns(cells, tree), cover


def below(tree: kc.Hierarchy, node: str) -> set[str]:
    return {value for value in tree.values if node in ("*", value)} | {
        value for child in tree.below.get(node, ()) for value in below(tree, child)
    }


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(drawn())
def test_the_published_node_contains_its_set_and_no_lower_node_does(case):
    table, cover = case
    column, tree = table["town"], table.schema["town"].hierarchy
    published = recode(column, cover)
    for s in range(len(cover.sizes)):
        records = cover.order[cover.starts[s] : cover.starts[s + 1]]
        held = {None if column.missing[r] else column.labels[column.codes[r]] for r in records}
        number = int(published.cells.nodes[s])
        if None in held:
            assert number == (len(tree.nodes) if held == {None} else 0)
            continue
        node = tree.nodes[number]
        assert held <= below(tree, node)
        for child in tree.below.get(node, ()):
            assert not held <= below(tree, child)


@settings(max_examples=60, deadline=None)
@given(drawn())
def test_cells_hold_exactly_the_values_below_their_node(case):
    table, cover = case
    column, tree = table["town"], table.schema["town"].hierarchy
    cells = recode(column, cover).cells
    sets = cells.as_sets()
    assert isinstance(sets, ValueSets)
    n = len(table)
    for s in range(len(cover.sizes)):
        number = int(cells.nodes[s])
        inside = (
            np.ones(n, bool)
            if number == 0
            else (
                column.missing
                if number == len(tree.nodes)
                else np.array(
                    [
                        not m and column.labels[c] in below(tree, tree.nodes[number])
                        for m, c in zip(column.missing, column.codes, strict=True)
                    ]
                )
            )
        )
        assert cells.contain(column, np.arange(n), np.full(n, s)).tolist() == inside.tolist()
        codes = sets.codes[sets.starts[s] : sets.starts[s + 1]].tolist()
        assert codes == sorted(set(column.codes[inside].tolist()))


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(drawn(12))
def test_counts_of_consistent_rows_are_those_of_the_cells(case):
    table, cover = case
    release = kc.Release.of(table, cover, release_of(table, [0] * len(table)).recipe)
    n, cells, rows = len(table), release.published[0].cells, np.flatnonzero(~release.suppressed)
    if len(rows):
        fits = [
            cells.contain(table["town"], np.full(len(rows), r), release.row[rows]).sum() for r in range(n)
        ]
        assert release.consistency().rows.tolist() == fits


def test_concealment_publishes_nodes_and_keeps_its_promise():
    rng = np.random.default_rng(5)
    table = towns(rng.choice(["Paris", "Lyon", "Rome", "Lima"], 24).tolist())
    release = kc.anonymize(table, kc.Greedy(), k=3)
    assert isinstance(release.published[0].cells, Nodes)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    assert release.consistency().matches.min() >= 3


# Schema and table


def test_a_schema_repeats_its_hierarchies_as_json():
    schema = towns(["Paris"]).schema
    text = json.dumps(schema.to_json())
    assert kc.Schema.from_json(json.loads(text)) == schema
    old = [{"name": "x", "role": "other", "kind": "text", "weight": 1.0, "recoding": "generalize"}]
    assert kc.Schema.from_json(old)["x"].hierarchy is None
    assert "hierarchy" not in kc.Schema.from_json(old).to_json()[0]
    with pytest.raises(kc.SchemaError, match="pairs"):
        kc.Schema.from_json([{**old[0], "hierarchy": [["a"]]}])


@pytest.mark.parametrize("kind", ["numeric", "datetime", "latitude"])
def test_other_kinds_have_no_hierarchy(kind):
    with pytest.raises(
        kc.SchemaError, match=r"“town” needs the kind categorical, text or items, not .*; change"
    ):
        kc.Attribute("town", kind=kind, hierarchy=EUROPE)
    schema = towns(["Paris"]).schema
    assert schema.with_kinds({"town": kind})["town"].hierarchy is None
    assert schema.with_kinds({"town": "text"})["town"].hierarchy == EUROPE
    assert schema.with_hierarchies({"town": None})["town"].hierarchy is None
    assert schema.with_kinds({"town": "items"})["town"].hierarchy is None, "cells are split: other values"


def test_what_is_no_hierarchy_is_refused():
    with pytest.raises(kc.SchemaError, match="“town” must be a hierarchy"):
        kc.Attribute("town", hierarchy={"Paris": "France"})


def test_a_value_that_the_hierarchy_misses_is_named():
    with pytest.raises(kc.SchemaError, match=r"“town” lacks values: “Oslo”"):
        towns(["Paris", "Oslo"])
    bare = towns(["Paris", "Oslo"], None)
    with pytest.raises(kc.SchemaError, match="“Oslo”"):
        bare.with_schema(bare.schema.with_hierarchies({"town": EUROPE}))
    with pytest.raises(kc.SchemaError, match="groups with the names of values: “France”"):
        towns(["France"])


def test_no_value_of_a_private_column_is_named():
    with pytest.raises(kc.SchemaError, match=r"“town” lacks values.*sensitive") as caught:
        towns(["Paris", "Oslo"], role="sensitive")
    assert "Oslo" not in str(caught.value)


def test_a_recipe_repeats_the_release():
    table = towns(["Paris", "Lyon", "Rome", "Lima", "Paris", "Lima"])
    release = kc.anonymize(table, kc.TopDown(), k=2)
    recipe = kc.Recipe.from_json(release.recipe.to_json())
    assert recipe == release.recipe
    again = kc.repeat(kc.Table.from_frame(table.frame, recipe.schema), recipe)
    assert again.to_frame().equals(release.to_frame())
    assert table.digest != towns(["Paris", "Lyon", "Rome", "Lima", "Paris", "Lima"], None).digest


# Top-down


def test_topdown_descends_to_children_as_long_as_k_allow_it():
    table = towns(["Paris"] * 3 + ["Lyon"] * 3 + ["Rome"] + ["Lima"] * 4)
    # Lima has enough records; France would leave Rome alone, so that its towns stay at Europe.
    texts = kc.anonymize(table, kc.TopDown(), k=3).to_frame()["town"].tolist()
    assert texts == ["Europe"] * 7 + ["Lima"] * 4
    more = towns(["Paris"] * 3 + ["Lyon"] * 3 + ["Rome"] * 3 + ["Lima"] * 4)
    texts = kc.anonymize(more, kc.TopDown(), k=3).to_frame()["town"].tolist()
    assert texts == more.frame["town"].tolist()
    assert kc.anonymize(table, kc.TopDown(), k=6).to_frame()["town"].unique().tolist() == [ANY]


def test_every_algorithm_publishes_nodes():
    table = towns(["Paris", "Lyon", "Rome", "Lima"] * 6)
    for cls in kc.ALGORITHMS:
        if not cls().unsuitable(table, 3):
            release = kc.anonymize(table, cls(), k=3)
            assert isinstance(release.published[0].cells, Nodes)
            assert set(release.to_frame()["town"]) <= {*EUROPE.nodes, ANY} - {"*"}


def test_adult_with_the_published_hierarchies(kanon_data):
    """All nine, read as they are; the audit passes, and groups of a hierarchy made top-down lose less than
    Mondrian's."""
    names = (
        "age workclass fnlwgt education education-num marital-status occupation relationship race sex gain"
        " loss hours"
    )
    columns = [*names.split(), "native-country", "salary-class"]
    frame = pd.read_csv(
        kanon_data / "adult" / "adult.data", header=None, names=columns, skipinitialspace=True, na_values="?"
    )
    folder = kanon_data / "adult_hierarchies"
    trees = {
        file.stem.removeprefix("adult_hierarchy_"): kc.read_hierarchy(file) for file in folder.glob("*.csv")
    }
    assert len(trees) == 9
    schema = kc.Schema(tuple(kc.Attribute(name, hierarchy=tree) for name, tree in sorted(trees.items())))
    table = kc.Table.from_frame(frame[list(schema.names)], schema)
    lost = {}
    for algorithm in (kc.TopDown(), kc.Mondrian()):
        release = kc.anonymize(table, algorithm, k=10)
        assert all(verdict.holds for verdict in kc.audit(table, release))
        lost[algorithm.title] = kc.score(table, release, [kc.NCP()])["value"][0]
        for published in release.published:
            labels = {*trees[published.attribute.name].nodes, ANY, "(missing)"} - {"*"}
            used = np.unique(release.row)
            assert set(published.texts(table[published.attribute.name], used)) <= labels
    assert lost["Top-down"] < lost["Mondrian"] < 0.4


def test_given_covers_are_recoded_for_some_columns_only():
    """A hierarchy on one column leaves the others' sets and intervals as they are."""
    frame = pd.DataFrame({"town": ["Paris", "Lyon"], "letter": ["a", "b"], "x": [1, 2]})
    attributes = (
        kc.Attribute("town", hierarchy=EUROPE),
        kc.Attribute("letter"),
        kc.Attribute("x", kind="numeric"),
    )
    table = kc.Table.from_frame(frame, kc.Schema(attributes))
    release = release_of(table, [0, 0])
    assert release.to_frame().iloc[0].tolist() == ["France", "{a, b}", "[1, 2]"]


@pytest.mark.parametrize("name", ["{x}", "{}", "{a, b}", '{"x"}'])
def test_a_group_named_like_a_set_is_not_taken_for_it(name):
    table = towns(["a", "b", "x", "x"], kc.Hierarchy((("a", name), ("b", name), (name, "*"), ("x", "*"))))
    release = release_of(table, [0, 0, 1, 1])
    assert shown(table, [0, 0, 1, 1])[:2] == [json.dumps(name)] * 2
    for file in (release.publish(), io.BytesIO(release_bytes(release, "csv"))):
        assert read_release(file, table).consistency().originals.tolist() == [2, 2, 2, 2]

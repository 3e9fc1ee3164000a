"""Full-domain generalization against every choice of levels, worked by hand, and on Adult."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.generalization.lattice import NodeCost, cheapest
from kanon_core.algorithms.generalization.levels import levels_of
from kanon_core.table.hierarchy.hierarchy import ROOT
from tests.oracles.full_domain import best

TOWNS = {
    "Oslo": ("Oslo", "Norway", "North", ROOT),
    "Bergen": ("Bergen", "Norway", "North", ROOT),
    "Malmo": ("Malmo", "Sweden", "North", ROOT),
    "Lund": ("Lund", "Sweden", "North", ROOT),
    "Rome": ("Rome", "Italy", "South", ROOT),
    "Quito": ("Quito", ROOT),
}
LETTERS = {"a": ("a", "vowel", ROOT), "e": ("e", "vowel", ROOT), "b": ("b", ROOT)}


def table_of(
    rows: list[tuple[str, ...]], columns: list[dict[str, tuple[str, ...]]], **weights: float
) -> kc.Table:
    names = [f"c{i}" for i in range(len(columns))]
    frame = pd.DataFrame(rows, columns=names, dtype="str")
    trees = {name: kc.Hierarchy.of_paths(paths.values()) for name, paths in zip(names, columns, strict=True)}
    schema = kc.Schema.infer(frame).with_kinds(dict.fromkeys(names, "categorical"))
    schema = schema.with_roles(dict.fromkeys(names, "quasi_identifier")).with_hierarchies(trees)
    return kc.Table.from_frame(frame, schema.with_weights(weights))


def loss_of(release: kc.Release) -> float:
    return kc.NCP().measure(release.table, release).total


def test_worked_by_hand():
    """Two of Norway, two of Sweden, one of Ecuador: k = 2 needs the top, or to leave one out."""
    table = table_of([("Oslo",), ("Bergen",), ("Malmo",), ("Lund",), ("Quito",)], [TOWNS])
    assert kc.anonymize(table, kc.FullDomain(), 2).to_frame()["c0"].tolist() == ["(any)"] * 5
    assert loss_of(kc.anonymize(table, kc.FullDomain(), 2)) == 1.0
    release = kc.anonymize(table, kc.FullDomain(max_suppressed=0.2), 2)
    assert release.to_frame()["c0"].tolist() == ["Norway", "Norway", "Sweden", "Sweden", "*"]
    assert loss_of(release) == pytest.approx((4 * 2 / 6 + 1) / 5)
    assert release.report == {"choices of levels": 4, "choices evaluated": pytest.approx(3, abs=1)}


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(data=st.data(), k=st.integers(2, 4), share=st.sampled_from([0.0, 0.1, 0.3, 1.0]))
def test_the_loss_is_the_least_of_all_choices(data, k, share):
    columns = data.draw(st.lists(st.sampled_from([TOWNS, LETTERS]), min_size=1, max_size=3))
    row = st.tuples(*(st.sampled_from(sorted(paths)) for paths in columns))
    rows = data.draw(st.lists(row, min_size=k, max_size=14))
    table = table_of(rows, columns)
    release = kc.anonymize(table, kc.FullDomain(max_suppressed=share), k)
    least, _ = best(rows, columns, k, int(share * len(rows)))
    assert loss_of(release) == pytest.approx(least)
    assert release.suppressed.sum() <= share * len(rows)
    levels = [levels_of(column, 5) for column in table.quasi]
    for published, column in zip(release.published, levels, strict=True):
        shown = published.cells.nodes[published.cell[~release.suppressed]]
        assert any(
            np.array_equal(step.cells.nodes[step.cell[column.value]][~release.suppressed], shown)
            for step in column.steps
        )


@pytest.mark.deep
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_the_search_finds_what_a_look_at_every_node_finds(data):
    """Counts that fall going up, losses that grow going up, and extras of at least few · gap."""
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    few = np.zeros(shape, np.int64)
    base = np.zeros(shape)
    for axis, size in enumerate(shape):
        along = tuple(-1 if i == axis else 1 for i in range(len(shape)))
        few += np.sort(rng.integers(0, 9, size))[::-1].reshape(along)
        base = base + np.sort(rng.integers(0, 9, size)).reshape(along)
    few, gap = few - few.min(), rng.integers(0, 2, shape).astype(float)
    extra = few * gap + (few > 0) * rng.integers(0, 5, shape)
    most = data.draw(st.integers(0, 12))
    seen = list[tuple[int, ...]]()

    def look(node: tuple[int, ...]) -> NodeCost:
        seen.append(node)
        return NodeCost(int(few[node]), float(extra[node]))

    found = cheapest(base, gap, look, most)
    assert found.loss == np.where(few <= most, base + extra, np.inf).min()
    assert few[found.node] <= most and (base + extra)[found.node] == found.loss
    assert len(seen) == len(set(seen)) == found.looks


def test_numbers_have_intervals_of_halved_lengths_and_missing_ones_a_value_of_their_own():
    frame = pd.DataFrame({"x": [0.0, 1.0, 4.0, 7.0, 8.0, np.nan]})
    column = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["x"]))["x"]
    steps = levels_of(column, 2).steps
    texts = [step.cells.texts(column, step.cell) for step in steps]
    assert texts[1][:5] == ["[0, 1]", "[0, 1]", "4", "[7, 8]", "[7, 8]"]
    assert texts[2][:5] == ["[0, 1]", "[0, 1]", "[4, 8]", "[4, 8]", "[4, 8]"]
    assert texts[3][:5] == ["[0, 8]"] * 5 and len(steps) == 5
    assert len(set(texts[4])) == 1 and [len(step.cells) for step in steps] == [6, 4, 3, 2, 1]


@pytest.mark.parametrize("loss", ["ncp", "precision", "entropy"])
def test_more_suppression_never_loses_more(loss):
    rng = np.random.default_rng(5)
    rows = list(zip(rng.choice(list(TOWNS), 60), rng.choice(list(LETTERS), 60), strict=True))
    table = table_of(rows, [TOWNS, LETTERS])
    found = []
    for share in (0.0, 0.05, 0.1, 0.2, 0.5):
        log = kc.Log()
        kc.FullDomain(max_suppressed=share, loss=loss).cover(table, 4, Run(log=log))
        found.append(next(what["loss"] for event, what in log.events if event == "chosen"))
    assert found == sorted(found, reverse=True) and found[0] > found[-1]


def test_weights_say_which_column_is_spared():
    rng = np.random.default_rng(1)
    rows = list(zip(rng.choice(list(TOWNS), 40), rng.choice(list(LETTERS), 40), strict=True))
    first = kc.anonymize(table_of(rows, [TOWNS, LETTERS], c0=100.0), kc.FullDomain(), 4)
    second = kc.anonymize(table_of(rows, [TOWNS, LETTERS], c1=100.0), kc.FullDomain(), 4)
    losses = [kc.NCP().measure(release.table, release).attributes for release in (first, second)]
    assert losses[0]["c0"] < losses[1]["c0"] and losses[0]["c1"] > losses[1]["c1"]


def test_what_cannot_be_generalized_is_refused_with_a_remedy():
    frame = pd.DataFrame({"a": list("abab"), "b": list("xxyy")})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["a", "b"]))
    assert "add a hierarchy" in kc.FullDomain().unsuitable(table, 2)[0]
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(9, 12)), columns=[f"x{i}" for i in range(12)])
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(list(frame)))
    assert (
        "combinations of levels, but at most 6e+06 can be searched" in kc.FullDomain().unsuitable(table, 2)[0]
    )


def adult(folder, names: tuple[str, ...]) -> tuple[kc.Table, list[dict[str, tuple[str, ...]]]]:
    every = ["age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"]
    every += ["relationship", "race", "sex", "gain", "loss", "hours", "native-country", "salary-class"]
    path = folder / "adult" / "adult.data"
    frame = pd.read_csv(path, names=every, skipinitialspace=True, dtype="str", na_values="?").dropna()
    columns = []
    for name in names:
        text = (folder / "adult_hierarchies" / f"adult_hierarchy_{name}.csv").read_text("utf-8")
        lines = [tuple(line.split(";")) for line in text.splitlines()]
        columns.append({line[0]: line for line in lines})
    rows = list(frame[list(names)].itertuples(index=False, name=None))
    return table_of(rows, columns), columns


@pytest.mark.deep
@pytest.mark.parametrize("share", [0.0, 0.05])
def test_adult_by_exhaustive_search(kanon_data, share):
    """30,162 complete rows, 4 columns, 5 · 3 · 4 · 3 = 180 choices."""
    table, columns = adult(kanon_data, ("age", "workclass", "education", "marital-status"))
    rows = list(table.frame.itertuples(index=False, name=None))
    release = kc.anonymize(table, kc.FullDomain(max_suppressed=share), 10)
    least, _ = best(rows, columns, 10, int(share * len(rows)))
    assert loss_of(release) == pytest.approx(least, rel=1e-9)

"""Worked values of the ILD paper: ILD of examples 3.1.1–3.1.3, of tables 3.1 and 3.2, against entropy
(§3.3.3), and on Adult (§4.1); CM and DM (§2.4.3)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from tests.golden.test_distances_paper import PREFECTURES, REGION, TREE, graph
from tests.helpers import release_of, table_of

PAIRS = [0, 0, 1, 1]


def measured(metric: kc.Metric, release: kc.Release):
    return metric.measure(release.table, release)


def amounts(loss) -> tuple[float, float]:
    return loss.details["I(A)"], loss.details["I(Â)"]


def number(name: str, scale: str = "none") -> kc.Attribute:
    return kc.Attribute(name, kind="numeric", recoding="mean", distance=kc.Absolute(scale))


def test_example_3_1_1():
    table = table_of(kc.Schema((number("x"),)), x=[1, 2, 3, 4])
    loss = measured(kc.ILD("schema"), release_of(table, PAIRS))
    assert amounts(loss) == (40, 32) and loss.total == pytest.approx(0.2)
    assert measured(kc.ILD(), release_of(table, PAIRS)).total == pytest.approx(0.2)


def test_example_3_1_2():
    tree = kc.Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a1": "a", "a2": "a"})
    schema = kc.Schema((kc.Attribute("s", distance=tree),))
    table = table_of(schema, s=["a11", "a12", "a21", "a22"])
    metric = kc.ILD("schema", representative="cell")
    loss = measured(metric, release_of(table, PAIRS))
    assert amounts(loss) == (144, 32) and loss.total == pytest.approx(0.777778, abs=1e-6)
    for everything in ([0] * 4, [-1] * 4):
        loss = measured(metric, release_of(table, everything))
        assert amounts(loss) == (144, 0) and loss.total == 1


def test_example_3_1_3():
    given = kc.GivenMatrix([("a", 0, 1, 3), ("b", 1, 0, 1), ("c", 3, 1, 0)])
    letter = kc.Attribute("c", recoding="mode", distance=given)
    table = table_of(kc.Schema((number("x"), letter)), x=[1, 2, 3, 4], c=list("aabc"))
    assert release_of(table, PAIRS).to_frame()["c"].tolist() == list("aabb")
    alone = measured(kc.ILD("schema"), release_of(table, PAIRS))
    assert alone.details["I(A)"] == 40 + 42
    loss = measured(kc.ILD(), release_of(table, PAIRS))
    assert amounts(loss) == (pytest.approx(2), pytest.approx(104 / 105))
    assert loss.total == pytest.approx(53 / 105)
    assert loss.total == pytest.approx(np.mean(list(loss.attributes.values())))


@pytest.mark.parametrize(
    ("distance", "representative", "power", "before", "after", "loss"),
    [
        (kc.Discrete(), "group", 2, 56, 48, 0.142857),
        (kc.Discrete(), "group", 1, 56, 48, 0.142857),
        (TREE, "cell", 2, 1440, 576, 0.6),
        (TREE, "cell", 1, 272, 160, 0.411765),
        # Within a region every prefecture is as far from the other regions as the region is (figures 3.3 and
        # 3.4).
        (graph(PREFECTURES, REGION.get), "group", 2, 648, 640, 0.012346),
        (graph(PREFECTURES, REGION.get), "group", 1, 168, 160, 0.047619),
    ],
)
def test_tables_3_1_and_3_2(distance, representative, power, before, after, loss):
    table = table_of(kc.Schema((kc.Attribute("place", distance=distance),)), place=list(PREFECTURES))
    metric = kc.ILD("schema", representative, power)
    found = measured(metric, release_of(table, np.arange(8) // 2))
    assert amounts(found) == (before, after)
    assert found.total == pytest.approx(loss, abs=1e-6)


@pytest.mark.parametrize("k", [2, 10, 100])
def test_the_limit_of_section_3_3_3(k):
    """n groups of k different values: by discrete distances (k − 1)/(nk − 1) → 1/n, by entropy log k / log nk
    → 1."""
    n = 4
    table = table_of(v=[f"{i:04}" for i in range(n * k)])
    table = table.with_schema(table.schema.with_roles({"v": "quasi_identifier"}).with_kinds({"v": "text"}))
    release = release_of(table, np.arange(n * k) // k)
    assert measured(kc.ILD(), release).total == pytest.approx((k - 1) / (n * k - 1))
    assert measured(kc.EntropyDifference(), release).total == pytest.approx(np.log(k) / np.log(n * k))
    # All values are equally likely, so that the non-uniform entropy says the same.
    assert measured(kc.EntropyLoss(), release).total == pytest.approx(np.log(k) / np.log(n * k))


def test_classification_metric_of_figure_2_9():
    """20 records in four groups, one of them pure, in each other one record of the rarer class: 3/20."""
    groups = np.repeat([0, 1, 2, 3], 5)
    labels = ["o"] * 5 + ["o", "o", "o", "o", "t"] + ["t", "t", "t", "t", "o"] * 2
    table = table_of(x=np.arange(20), label=labels)
    table = table.with_schema(table.schema.with_roles({"x": "quasi_identifier", "label": "sensitive"}))
    found = measured(kc.Classification("label"), release_of(table, groups))
    assert found.total == pytest.approx(3 / 20)
    assert found.records.tolist() == [0] * 9 + [1] + [0, 0, 0, 0, 1] * 2


def test_discernibility_32_and_33():
    assert measured(kc.Discernibility(), release_of(table_of(x=range(8)), [0] * 4 + [1] * 4)).total == 32
    # The paper's third group has one record, less than k = 3, and is charged with all 8; here it is
    # suppressed.
    assert (
        measured(kc.Discernibility(), release_of(table_of(x=range(8)), [-1] + [0] * 3 + [1] * 4)).total == 33
    )


@pytest.fixture(scope="module")
def adult(kanon_data) -> kc.Table:
    """capital-gain and marital-status of the 32,561 records, published as mean and most frequent value."""
    names = list(range(15))
    frame = pd.read_csv(kanon_data / "adult" / "adult.data", header=None, names=names, skipinitialspace=True)
    frame = frame[[10, 5]].set_axis(["gain", "marital"], axis=1)
    marital = kc.Attribute("marital", kind="text", recoding="mode", distance=kc.Discrete())
    return kc.Table.from_frame(frame, kc.Schema((number("gain"), marital)))


BY = {"A": ("gain",), "B": ("marital",), "C": ()}


def adult_losses(table: kc.Table, which: str, k: int) -> tuple[float, ...]:
    loss = measured(kc.ILD(), kc.anonymize(table.in_given_order(), kc.Sorting(BY[which]), k))
    return (*loss.attributes.values(), loss.total)


@pytest.mark.parametrize(
    ("which", "k", "expected"),
    [
        ("A", 10, (0.003223, 0.283207, 0.143215)),
        ("A", 100, (0.005205, 0.673523, 0.339364)),
        ("B", 10, (0.895977, -0.000374, 0.447801)),
        ("C", 10, (0.053886, -0.000374, 0.026756)),
        ("C", 100, (0.305701, -0.004795, 0.150453)),
    ],
)
def test_adult(adult, which, k, expected):
    assert adult_losses(adult, which, k) == pytest.approx(expected, abs=6e-7)


def test_adult_loses_least_when_sorted_by_both(adult):
    for k in (10, 100):
        a, b, c = (adult_losses(adult, which, k)[-1] for which in "ABC")
        assert c < min(a, b)


def test_adult_by_normalized_levenshtein(adult):
    table = adult.with_schema(adult.schema.with_distances({"marital": kc.NormalizedLevenshtein()}))
    assert adult_losses(table, "A", 10)[-1] == pytest.approx(0.107441, abs=6e-7)
    assert adult_losses(table, "C", 10)[-1] == pytest.approx(0.026929, abs=6e-7)


def test_a_negative_loss_is_shown_and_explained(adult):
    release = kc.anonymize(adult.in_given_order(), kc.Sorting(BY["B"]), 100)
    loss = measured(kc.ILD(), release)
    assert loss.attributes["marital"] == pytest.approx(-0.004795, abs=6e-7)
    assert "marital" in loss.notes[0] and "gain" not in loss.notes[0]


def test_more_groups_than_k_never_lose_more_by_means():
    """ILD of means falls as groups are split, on one number."""
    table = table_of(kc.Schema((number("x", "range"),)), x=np.arange(24.0) ** 2)
    found = [measured(kc.ILD(), release_of(table, np.arange(24) // k)).total for k in (1, 2, 4, 8, 24)]
    assert found[0] == pytest.approx(0, abs=1e-12) and found[-1] == pytest.approx(1)
    assert all(a < b for a, b in pairwise(found))


@pytest.mark.parametrize("representative", ["cell", "group"])
def test_example_3_1_2_by_the_hierarchy_of_the_column(representative):
    """Published are the groups themselves; the distance knows them from the column's own hierarchy."""
    tree = kc.Hierarchy.of_paths([("a11", "a1"), ("a12", "a1"), ("a21", "a2"), ("a22", "a2")])
    schema = kc.Schema((kc.Attribute("s", hierarchy=tree, distance=kc.Tree()),))
    release = release_of(table_of(schema, s=["a11", "a12", "a21", "a22"]), PAIRS)
    assert release.to_frame()["s"].nunique() == 2
    loss = measured(kc.ILD("schema", representative), release)
    # Of the records behind a group, the first stands for both: a11 and a21 are 4 apart, a1 and a2 only 2.
    assert amounts(loss) == (144, {"cell": 32, "group": 8 * 16}[representative])


REGION_PATHS = [(name, REGION[name], half) for name, half in zip(PREFECTURES, "EEEEWWWW", strict=True)]


@pytest.mark.parametrize(
    ("power", "before", "after", "loss", "grouped"),
    [(2, 1440, 576, 0.6, 32 / 1440), (1, 272, 160, 7 / 17, 16 / 272)],
)
def test_what_is_published_is_measured_by_default(power, before, after, loss, grouped):
    """§3.2.1's prefectures published as their regions by the column's hierarchy: .6, and .41176 for p = 1."""
    tree = kc.Hierarchy.of_paths(REGION_PATHS)
    schema = kc.Schema((kc.Attribute("place", hierarchy=tree, distance=kc.Tree()),))
    release = release_of(table_of(schema, place=list(PREFECTURES)), np.arange(8) // 2)
    assert sorted(set(release.to_frame()["place"])) == sorted(set(REGION.values()))
    found = measured(kc.ILD("schema", power=power), release)
    assert amounts(found) == (before, after) and found.total == pytest.approx(loss)
    assert measured(kc.ILD(power=power), release).total == pytest.approx(loss)
    # The prefecture that stands first in each region is counted where the region is published.
    assert measured(kc.ILD("schema", "group", power), release).total == pytest.approx(grouped)

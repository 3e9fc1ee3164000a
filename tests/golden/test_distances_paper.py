"""Distances of the ILD paper: the prefectures under the discrete distance, the tree of figure 3.2 and the
graphs of figures 3.3, 3.4."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.distances.chosen import parts_of
from tests.helpers import table_of

PREFECTURES = ("長野", "新潟", "東京", "神奈川", "大阪", "奈良", "福岡", "熊本")
REGIONS = ("甲信越", "関東", "関西", "九州")
REGION = {name: REGIONS[i // 2] for i, name in enumerate(PREFECTURES)}
TREE = kc.Tree(
    {
        **REGION,
        "甲信越": "東日本",
        "関東": "東日本",
        "関西": "西日本",
        "九州": "西日本",
        "東日本": "日本",
        "西日本": "日本",
    }
)

PAIRS = {
    pair: 2.0 * abs(REGIONS.index(pair[0]) - REGIONS.index(pair[1])) for pair in combinations(REGIONS, 2)
}
"""The regions in a line with step 2: the only six weights of 2, 4 and 6 whose sum is 20 and whose squares add
up to 80."""


def graph(names: tuple[str, ...], region) -> kc.GivenMatrix:
    """The weights of the edges; 1 within a region (figure 3.3), and those of figure 3.4 between regions."""

    def weight(a: str, b: str) -> float:
        one, other = sorted((region(a), region(b)), key=REGIONS.index)
        return 0.0 if a == b else PAIRS.get((one, other), 1.0)

    return kc.GivenMatrix([(a, *(weight(a, b) for b in names)) for a in names])


def amounts(distance: kc.Distance, values) -> tuple[float, float]:
    """Σ d² and Σ d over all ordered pairs of records."""
    table = table_of(kc.Schema((kc.Attribute("place", distance=distance),)), place=list(values))
    (part,) = parts_of(table)
    everybody = np.arange(len(values))
    apart = part.encoding.pairs(everybody[:, None], everybody)
    return float((apart**2).sum()), float(apart.sum())


@pytest.mark.parametrize(
    ("original", "published", "before", "after"),
    [
        (kc.Discrete(), kc.Discrete(), (56, 56), (48, 48)),
        (TREE, TREE, (1440, 272), (576, 160)),
        (graph(PREFECTURES, REGION.get), graph(REGIONS, str), (648, 168), (640, 160)),
    ],
)
def test_tables_3_1_and_3_2(original, published, before, after):
    assert amounts(original, PREFECTURES) == before
    assert amounts(published, [REGION[name] for name in PREFECTURES]) == after


def test_the_line_of_regions_as_a_graph_of_three_edges():
    line = kc.Graph([(a, b, 2) for a, b in pairwise(REGIONS)])
    assert amounts(line, [REGION[name] for name in PREFECTURES]) == (640, 160)


def test_figure_3_1():
    """Example 3.1.2: a tree of height 2 with two leaves below each of two nodes."""
    tree = kc.Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a1": "a", "a2": "a"})
    assert amounts(tree, ["a11", "a12", "a21", "a22"])[0] == 144
    assert amounts(tree, ["a1", "a1", "a2", "a2"])[0] == 32
    assert amounts(tree, ["a"] * 4)[0] == 0

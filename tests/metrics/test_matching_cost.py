"""The cost of k-concealment: the paper's examples, and its definition in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms.concealment.pairing.pairing import cost_of_groups
from kanon_core.cli import main
from kanon_core.distances.manhattan import manhattan_points
from kanon_core.table.schema import Attribute, Schema
from tests.helpers import Given, release_of, table_of
from tests.oracles.concealment import distance

SCHEMA = Schema((Attribute("x", kind="numeric"), Attribute("y", kind="numeric"), Attribute("c")))
KINDS = ["numeric", "numeric", "categorical"]


def people() -> kc.Table:
    """Alice, Bob, Carol and David of the paper's table 1."""
    return table_of(age=[10, 20, 40, 50], sex=list("FMMF"))


def concealed(table: kc.Table, matchings) -> kc.Release:
    cover = kc.Concealment(np.array(matchings))
    recipe = kc.Recipe(table.schema, Given(), len(cover.matchings), 0, table.data_digest, len(table))
    return kc.Release.of(table, cover, recipe)


def test_the_costs_of_tables_3_4_and_5():
    """Examples 2.4 and 2.7. (Table 6 is no complete concealment, so that no cover has its cost of 4.5.)"""
    table = people()
    pairs = kc.MatchingCost().measure(table, release_of(table, [0, 0, 1, 1]))
    assert pairs.total == 5 and pairs.records.tolist() == [1.25, 1.25, 1.25, 1.25]
    assert pairs.attributes == {"age": 1.0, "sex": 4.0}
    together = kc.MatchingCost().measure(table, release_of(table, [0, 0, 0, 0]))
    assert together.total == 15 and together.records.tolist() == [4, 3.5, 3.5, 4]
    design = kc.MatchingCost().measure(table, concealed(table, [[0, 1, 2, 3], [1, 2, 3, 0]]))
    assert design.total == 4 and design.records.tolist() == [1.25, 0.5, 1.25, 1.0]


def test_weights_multiply_the_distances_of_their_column():
    """As above with three times the age: of groups 3 · 1 + 4, of the design 3 · 2 + 2; and of the sexes
    alone."""
    table = people()
    for weights, pairs, design in (({"age": 3}, 7, 8), ({"age": 0}, 4, 2), ({"sex": 0.5}, 3, 3)):
        weighted = table.with_schema(table.schema.with_weights(weights))
        closed = kc.MatchingCost().measure(weighted, release_of(weighted, [0, 0, 1, 1]))
        assert closed.total == pytest.approx(pairs) == pytest.approx(sum(closed.attributes.values()))
        round_tour = concealed(weighted, [[0, 1, 2, 3], [1, 2, 3, 0]])
        assert kc.MatchingCost().measure(weighted, round_tour).total == pytest.approx(design)


def test_the_optimum_is_the_floor_of_every_method():
    table = people()
    costs = {
        algorithm.title: kc.MatchingCost().measure(table, kc.anonymize(table, algorithm, 2)).total
        for algorithm in (
            kc.OptimalConcealment(),
            kc.Tours(),
            kc.Greedy(),
            kc.Lottery(),
            kc.Pairing(),
            kc.MDAV(),
        )
    }
    assert costs["Optimal concealment"] == 3 == min(costs.values())
    assert costs["Tours"] == 4
    for k, least in ((3, 8), (4, 15)):
        release = kc.anonymize(table, kc.OptimalConcealment(), k)
        assert kc.MatchingCost().measure(table, release).total == least


def test_it_is_the_cost_that_the_algorithms_report():
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 60).astype(float)
    age[::7] = np.nan
    table = table_of(age=age, city=rng.choice(list("abc"), 60))
    table = table.with_schema(table.schema.with_weights({"age": 2.5}))
    for algorithm in (kc.OptimalConcealment(), kc.Tours(heuristic="nearest neighbor"), kc.Pairing()):
        release = kc.anonymize(table, algorithm, 4)
        assert kc.MatchingCost().measure(table, release).total == pytest.approx(release.report["cost"])


def test_a_suppressed_record_could_be_anybody():
    table = people()
    measured = kc.MatchingCost().measure(table, release_of(table, [-1, 0, 0, -1]))
    assert measured.records.tolist() == [4, 0.5, 0.5, 4]
    everybody = kc.MatchingCost().measure(table, release_of(table, [-1] * 4))
    assert everybody.total == 15


def test_large_costs_are_written_in_full():
    assert kc.MatchingCost().text(1683.76) == "1,684"
    assert kc.MatchingCost().text(11970.68) == "11,971"
    assert kc.MatchingCost().text(0.14934) == "0.1493"


cells = st.one_of(st.none(), st.floats(-5, 5, width=16), st.integers(-2, 2).map(float))
rows = st.lists(
    st.tuples(cells, cells, st.sampled_from([*"abc", None]), st.integers(-1, 3)), min_size=2, max_size=14
)


def slow_costs(table: kc.Table, records, hides_behind):
    """Per record the sum of its distances to those it hides behind, by definition 2.2."""
    ranges = [float(np.subtract(*reversed(table[name].range))) for name in "xy"] + [0.0]
    return [
        sum(distance(records[i], records[j], KINDS, ranges) for j in others)
        for i, others in enumerate(hides_behind)
    ]


@pytest.mark.deep
@settings(deadline=None, max_examples=60)
@given(rows)
def test_groups_cost_the_sum_over_their_ordered_pairs(rows):
    x, y, c, groups = (list(column) for column in zip(*rows, strict=True))
    table = table_of(SCHEMA, x=x, y=y, c=c)
    release = release_of(table, groups)
    behind = [[j for j, g in enumerate(groups) if g == own or own < 0] for own in groups]
    expected = slow_costs(table, [row[:3] for row in rows], behind)
    measured = kc.MatchingCost().measure(table, release)
    assert measured.records == pytest.approx(expected, abs=1e-12)
    assert measured.total == pytest.approx(sum(expected), abs=1e-12)
    assert sum(measured.attributes.values()) == pytest.approx(measured.total)
    if min(groups) >= 0:
        assert cost_of_groups(release.cover, manhattan_points(table.quasi)) == pytest.approx(measured.total)


@settings(deadline=None, max_examples=30)
@given(rows, st.integers(1, 4), st.randoms(use_true_random=False))
def test_matchings_cost_the_sum_over_their_edges(rows, k, random):
    n, k = len(rows), min(k, len(rows))
    table = table_of(SCHEMA, x=[r[0] for r in rows], y=[r[1] for r in rows], c=[r[2] for r in rows])
    tour = random.sample(range(n), n)
    matchings = np.empty((k, n), int)
    matchings[:, tour] = [tour[m:] + tour[:m] for m in range(k)]
    expected = slow_costs(table, [row[:3] for row in rows], matchings.T.tolist())
    measured = kc.MatchingCost().measure(table, concealed(table, matchings))
    assert measured.records == pytest.approx(expected, abs=1e-12)
    assert sum(measured.attributes.values()) == pytest.approx(measured.total)


def test_the_command_line_prints_it(capsys):
    words = "sweep sample:people-100 --algorithms optimalconcealment,pairing --k 2 --metrics matchingcost"
    assert main(words.split()) == 0
    rows = [text.split() for text in capsys.readouterr().out.splitlines()[1:]]
    costs = {row[0]: float(row[2].replace(",", "")) for row in rows}
    assert 0 < costs["OptimalConcealment"] < costs["Pairing"]

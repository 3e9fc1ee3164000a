"""The stories of k-concealment: the paper's four people by hand, and numbers recomputed from the data."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.charts.steps.bipartite import NEW, Bipartite
from kanon_core.charts.steps.onplane import Tour
from kanon_core.teaching.explain import make_story
from tests.charts.concealed import four, mixed, numbers
from tests.teaching.explain.numbersread import apart, close, figures


def people(n: int) -> kc.Table:
    """Ages, places on a line and one of three cities."""
    rng = np.random.default_rng(n)
    frame = pd.DataFrame(
        {"age": rng.integers(18, 90, n), "mile": rng.normal(size=n).round(2), "city": rng.choice([*"ABC"], n)}
    )
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["age", "mile", "city"]))


PEOPLE = people(24)


def edges_of(scene: Bipartite, kind: int) -> list[tuple[int, int]]:
    """The edges of a kind, from 0, as the table numbers them."""
    found = [scene.records[one.pairs] for one in scene.edges if one.kind == kind]
    return [(int(a), int(b)) for pairs in found for a, b in pairs]


def matchings_of(story, step) -> list[list[int]]:
    """The matchings a step has, as the table numbers records."""
    records = story.run.records
    found = np.empty_like(step.cover)
    found[:, records] = records[step.cover]
    return found.tolist()


def test_the_four_people_greedily_by_hand():
    """Distances of example 2.2: Bob and Carol are 0.5 apart, Alice and David 1."""
    story = make_story(four().in_given_order(), kc.Greedy(), 2, seed=1)
    says = [step.sentence for step in story.steps]
    assert says[0].startswith("Matching 1, the identity, leads each of the 4 records to its own row")
    lengths = {(1, 4): "1", (4, 1): "1", (2, 3): "0.5", (3, 2): "0.5"}
    for sentence in says[1:5]:
        record, row, far = re.match(r"Record (\d) takes row (\d), (.+) away: the nearest", sentence).groups()
        assert lengths.pop((int(record), int(row))) == far
    assert not lengths and says[5] == "Matching 2 is complete: its 4 edges cost 3 together."


def test_the_four_people_at_the_least_cost_by_hand():
    """k = 2 costs 3, by Alice ↔ David and Bob ↔ Carol; k = 3 costs 8 (worked values of the paper's table)."""
    for k, cost in ((2, 3), (3, 8)):
        says = [step.sentence for step in make_story(four(), kc.OptimalConcealment(), k, seed=1).steps]
        certificate = next(sentence for sentence in says if sentence.startswith("Certificate"))
        assert figures(certificate, r"bought cost ([\d.]+),") == (cost,)
        assert certificate.endswith("Nothing is cheaper.")
        costs = [figures(s, r"it costs ([\d.]+)\.")[0] for s in says if "of the edges bought for" in s]
        assert sum(costs) == cost
        assert any("of the 12 edges between different records" in s.lower() for s in says)


def test_every_greedy_choice_is_the_nearest_row_it_may_have():
    for table in (four(), PEOPLE):
        away = apart(table)
        story = make_story(table, kc.Greedy(), 3, seed=5)
        assert len(story.steps) < 100
        used = {(i, i) for i in range(len(table))}
        free = set(range(len(table)))
        for step in story.steps:
            if not step.sentence.startswith("Record "):
                free = set(range(len(table)))
                continue
            record, row = (int(one) - 1 for one in figures(step.sentence, r"Record (\d+) takes row (\d+),"))
            assert edges_of(step.scene, NEW) == [(record, row)]
            may = {other: away[record][other] for other in free if (record, other) not in used}
            assert may[row] == pytest.approx(min(may.values()))
            assert close(figures(step.sentence, r", ([\d.]+) away: the")[0], away[record][row])
            free.discard(row)
            used.add((record, row))
        assert len(used) == 3 * len(table)


def test_a_dead_end_is_told_and_repaired():
    """Three records in a line: when 1 and 2 have taken each other's rows, only 3's own is left for 3."""
    line = numbers(x=[0, 1, 10])
    for seed in range(30):
        says = [step.sentence for step in make_story(line, kc.Greedy(), 2, seed=seed).steps]
        if any(sentence.startswith("Dead end") for sentence in says):
            break
    assert (
        "Dead end: record 3 is next, but it already has an edge to every row that is left (3); 1"
        " of 3 records is without a row."
    ) in says
    repair = next(sentence for sentence in says if sentence.startswith("An assignment"))
    assert repair.startswith(
        "An assignment completes matching 2: it keeps 1 of the 2 edges drawn, and the 2 others are the"
    )


def test_draws_that_fail_are_counted():
    story = make_story(numbers(x=[0, 1, 10]), kc.Greedy(dead_end="restart"), 2, seed=0)
    for seed in range(60):
        story = make_story(numbers(x=[0, 1, 10]), kc.Greedy(dead_end="restart"), 2, seed=seed)
        turns = [what for event, what in story.run.events if event == "turns"]
        if len(turns) > 4:
            break
    failed = [what for what in turns if what["targets"].min() < 0]
    assert len(failed) == len(turns) - 1
    says = [step.sentence for step in story.steps if "ead end" in step.sentence]
    assert len(says) == 3 and figures(says[-1], r"^(\d+) more") == (len(failed) - 2,)


def test_the_cheapest_draw_falls_and_its_cost_is_that_of_its_edges():
    away = apart(PEOPLE)
    least = {}
    for step in make_story(PEOPLE, kc.Lottery(draws=500), 3, seed=2).steps:
        edges = edges_of(step.scene, NEW)
        if not re.search("draws? for matching", step.sentence):
            continue
        number = int(figures(step.sentence, r"for matching (\d+)")[0])
        cost = figures(step.sentence, r"costs? ([\d.]+)(?: together)?\.$")[0]
        assert close(cost, sum(away[a][b] for a, b in edges))
        assert {a for a, _ in edges} == {b for _, b in edges} == set(range(len(PEOPLE)))
        assert cost <= least.get(number, np.inf)
        least[number] = cost
    assert set(least) == {2, 3}


def test_tours_are_closed_and_cost_what_is_said():
    away = apart(PEOPLE)
    story = make_story(PEOPLE, kc.Tours(), 5, seed=3)
    tried, kept = [], []
    for step in story.steps:
        if isinstance(step.scene, Tour):
            links = dict(story.run.records[step.scene.links].tolist())
            way = [0]
            while links[way[-1]] != 0:
                way.append(links[way[-1]])
            assert sorted(way) == list(range(len(PEOPLE)))
            cost = figures(step.sentence, r"the tour costs ([\d.]+)\.")[0]
            assert close(cost, sum(away[a][b] for a, b in links.items()))
            own = {(j, p[j]) for p in matchings_of(story, step) for j in range(len(PEOPLE))}
            used = any({(a, b), (b, a)} & own for a, b in links.items())
            assert used == ("rejected" in step.sentence) == bool(step.scene.used.any())
            tried.append((used, cost, links))
        elif step.sentence.startswith("The shortest tour that fits"):
            number = int(figures(step.sentence, r"is matching (\d)")[0])
            _, cost, links = min(tried, key=lambda one: one[:2])
            assert len(tried) == 9 and figures(step.sentence, r"costs ([\d.]+)\.")[0] == cost
            assert matchings_of(story, step)[number - 1] == [links[j] for j in range(len(PEOPLE))]
            tried = []
            kept.append(number)
        elif "backwards" in step.sentence:
            one, other = matchings_of(story, step)[-2:]
            assert [other[row] for row in one] == list(range(len(PEOPLE)))
            kept.append(int(figures(step.sentence, r"Matching (\d)")[0]))
    assert kept == [2, 3, 4, 5]


def test_the_bound_of_the_optimum_is_recomputed_from_its_prices():
    """By plain loops: Σ of the r least (distance + price) of each record, less r Σ prices."""
    for table, k in ((PEOPLE, 4), (mixed_numbers(), 3)):
        away, story = apart(table), make_story(table, kc.OptimalConcealment(), k, seed=3)
        proven = next(what for event, what in story.run.events if event == "certificate")
        prices = dict(zip(story.run.records.tolist(), proven["prices"].tolist(), strict=True))
        least = sum(
            sum(sorted(away[j][i] + prices[i] for i in range(len(table)) if i != j)[: k - 1])
            for j in range(len(table))
        )
        bound = least - (k - 1) * sum(prices.values())
        cost = sum(away[j][row] for p in matchings_of(story, story.steps[-1]) for j, row in enumerate(p))
        assert bound == pytest.approx(cost)
        sentence = next(s.sentence for s in story.steps if s.sentence.startswith("Certificate"))
        assert close(figures(sentence, r"bought cost ([\d.]+),")[0], cost)
        if "with prices" in sentence:
            said = figures(
                sentence, r"high: ([\d.]+) with prices, minus (\d) × ([\d.]+) of prices, is ([\d.]+)\."
            )
            for one, true in zip(said, (least, k - 1, sum(prices.values()), cost), strict=True):
                assert close(one, true)


def mixed_numbers() -> kc.Table:
    rng = np.random.default_rng(4)
    return numbers(x=rng.integers(0, 30, 17), y=rng.integers(0, 9, 17))


def test_clusters_hold_at_least_k_records_and_every_one_is_told():
    story = make_story(PEOPLE, kc.Clustered(inner=kc.Greedy()), 3, seed=1)
    clusters = [what["members"] for event, what in story.run.events if event == "cluster"]
    assert sorted(np.concatenate(clusters).tolist()) == list(range(len(PEOPLE)))
    says = [step.sentence for step in story.steps]
    entered = [s for s in says if re.match(r"Cluster \d+ of \d+ has", s)]
    assert len(entered) == len(clusters) and min(map(len, clusters)) >= 3
    for sentence, members in zip(entered, clusters, strict=True):
        assert figures(sentence, r"has (\d+) records") == (len(members),)
        named = {
            int(n)
            for a, b in re.findall(r"(\d+)(?:–(\d+))?", sentence.split("records: ")[1])
            for n in range(int(a), int(b or a) + 1)
        }
        assert named == set((story.run.records[members] + 1).tolist())
    away, whole = apart(PEOPLE), next(s for s in story.steps if s.sentence.startswith("All clusters"))
    cost = sum(away[j][row] for p in matchings_of(story, whole) for j, row in enumerate(p))
    assert close(figures(whole.sentence, r"cost ([\d.]+)\.")[0], cost)


@pytest.mark.parametrize("k", [2, 3, 5, 6])
def test_the_draw_at_the_end_is_that_of_the_release(k):
    story = make_story(PEOPLE, kc.OptimalConcealment(), k, seed=11)
    line = len(story.steps[-1].lines) - 1
    drawn = [step for step in story.steps if step.line == line]
    assert all(np.array_equal(step.cover, drawn[0].cover) for step in drawn)
    edges = {(j, row) for p in matchings_of(story, drawn[0]) for j, row in enumerate(p)}
    assert set(edges_of(drawn[0].scene, -3)) == edges
    true = dict(edges_of(drawn[-1].scene, NEW))
    assert f"(1 → {true[0] + 1}, 2 → {true[1] + 1}, 3 → {true[2] + 1} …)" in drawn[-1].sentence
    assert [true[j] for j in range(len(PEOPLE))] == story.release.set_of.tolist()
    own = sum(a == b for a, b in true.items())
    assert figures(drawn[-1].sentence, r"\. (\d+) of (\d+) records ha(?:s its|ve their) own row") == (
        own,
        len(PEOPLE),
    )


def test_the_parts_of_the_draw_leave_fewer_edges_of_every_record_and_row():
    for seed, k in itertools.product(range(4), (4, 5, 7)):
        story = make_story(PEOPLE, kc.OptimalConcealment(), k, seed=seed)
        sizes = [left.shape[1] for left in story.run.draw]
        assert sizes[0] == k and sizes[-1] == 1
        for before, after in itertools.pairwise(story.run.draw):
            d, left = before.shape[1], after.shape[1]
            assert left == d // 2 if d % 2 == 0 else left in (1, d - 1)
            assert all(set(b) <= set(a) for a, b in zip(before.tolist(), after.tolist(), strict=True))
            assert (np.bincount(after.ravel()) == left).all()


def test_a_story_of_200_records_is_told_in_about_150_steps():
    table = people(200)
    for algorithm, k in ((kc.Greedy(), 20), (kc.Tours(heuristic="nearest neighbor"), 60)):
        story = make_story(table, algorithm, k, seed=1)
        assert 40 <= len(story.steps) <= 165
        assert len(story.steps[-1].scene.drawn("light", "what it shows")) < 200_000


def test_values_of_the_table_are_escaped():
    table = mixed(8, 3)
    story = make_story(table, kc.Greedy(), 2, seed=1)
    frame = table.frame.assign(city=["<script>alert(1)</script>"] * 4 + ["B"] * 4)
    evil = make_story(kc.Table.from_frame(frame, table.schema), kc.Greedy(), 2, seed=1)
    for step in (*story.steps, *evil.steps):
        assert "<script" not in step.scene.drawn("dark", "<script>")

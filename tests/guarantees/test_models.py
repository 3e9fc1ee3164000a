"""Models by hand, by their papers, and against brute force: distances by a hierarchy, δ-disclosure, k-map,
(1,k), (k,1), (k,k) and δ-presence."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import kanon_core as kc
from tests.helpers import release_of, table_of, verdict_on

DISEASES = kc.Hierarchy.of_paths(
    [
        ("flu", "respiratory infection", "respiratory"),
        ("pneumonia", "respiratory infection", "respiratory"),
        ("bronchitis", "respiratory infection", "respiratory"),
        ("pulmonary edema", "vascular lung disease", "respiratory"),
        ("pulmonary embolism", "vascular lung disease", "respiratory"),
        ("gastric ulcer", "stomach disease", "digestive"),
        ("stomach cancer", "stomach disease", "digestive"),
        ("gastritis", "stomach disease", "digestive"),
        ("colitis", "colon disease", "digestive"),
        ("colon cancer", "colon disease", "digestive"),
    ]
)
PATIENTS = {
    "pay": [3, 4, 5, 6, 11, 8, 7, 9, 10],
    "ill": ["gastric ulcer", "gastritis", "stomach cancer", "gastritis", "flu", "bronchitis", "bronchitis"]
    + ["pneumonia", "stomach cancer"],
}
"""Table 3 of Li, Li and Venkatasubramanian 2007."""


def patients(tree: kc.Hierarchy | None = DISEASES, **columns: list) -> kc.Table:
    table = table_of(zip=list(range(9)), **{**PATIENTS, **columns})
    roles = {"zip": "quasi_identifier", "pay": "sensitive", "ill": "sensitive"}
    schema = table.schema.with_kinds({"ill": "categorical", "pay": "numeric"}).with_roles(roles)
    return table.with_schema(schema.with_hierarchies({"ill": tree}))


def distance(groups: list[int], **how) -> float:
    table = patients()
    return kc.TCloseness(**how).check(table, release_of(table, groups)).found


def test_the_examples_of_the_paper_on_t_closeness():
    """Salaries 3, 4, 5 of 3 … 11 are 0.375 away, and in its table 5 no class is farther than 0.167.

    By hand, gastritis, flu and bronchitis: two ninths must be carried from the stomach to the lungs, at 1;
    one within the stomach and one within the lungs, at 1/3 each: 8/27, and more than the other two classes.
    """
    first = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert distance(first, protect=("pay",)) == pytest.approx(0.375)
    fifth = [0, 2, 0, 1, 1, 1, 2, 0, 2]
    assert distance(fifth, protect=("pay",)) == pytest.approx(1 / 6)
    assert distance(fifth, protect=("ill",), ground="hierarchical") == pytest.approx(8 / 27)
    assert distance(fifth, protect=("pay",), ground="equal") == pytest.approx(2 / 3)


def by_transport(tree: kc.Hierarchy, labels: list[str], p: np.ndarray, q: np.ndarray) -> float:
    """The earth mover's distance as a linear program over all pairs of values."""

    def above(label: str) -> list[str]:
        found, node = [label], tree.number[label]
        while node != tree.parent[node]:
            node = int(tree.parent[node])
            found.append(tree.nodes[node])
        return found

    def height(node: str) -> int:
        below = [tree.nodes[i] for i in range(len(tree.nodes)) if i and tree.nodes[tree.parent[i]] == node]
        return 1 + max(map(height, below)) if below else 0

    top = max(map(height, tree.nodes))
    paths = {label: above(label) for label in labels}
    cost = [
        0.0 if a == b else height(next(node for node in paths[a] if node in paths[b])) / top
        for a in labels
        for b in labels
    ]
    n = len(labels)
    rows = [np.repeat(np.eye(n)[i], n) for i in range(n)] + [np.tile(np.eye(n)[j], n) for j in range(n)]
    return float(linprog(cost, A_eq=np.array(rows), b_eq=np.concatenate([p, q])).fun)


@pytest.mark.deep
@given(
    values=st.lists(st.integers(0, 5), min_size=2, max_size=12),
    groups=st.data(),
    uneven=st.booleans(),
)
def test_the_distance_by_a_hierarchy_is_that_of_transport(values, groups, uneven):
    names = ["a", "b", "c", "d", "e", "f"]
    paths = [("a", "ab", "north"), ("b", "ab", "north"), ("c", "north"), ("d", "de"), ("e", "de"), ("f",)]
    if not uneven:
        paths = [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd"), ("e", "ef"), ("f", "ef")]
    tree, held = kc.Hierarchy.of_paths(paths), [names[value] for value in values]
    labels = groups.draw(st.lists(st.integers(0, 2), min_size=len(held), max_size=len(held)))
    table = table_of(x=list(range(len(held))), ill=held)
    schema = table.schema.with_kinds({"ill": "categorical"}).with_roles(
        {"ill": "sensitive", "x": "quasi_identifier"}
    )
    table = table.with_schema(schema.with_hierarchies({"ill": tree}))
    found = kc.TCloseness(t=1, ground="hierarchical").check(table, release_of(table, labels)).found
    q = np.array([held.count(name) for name in names]) / len(held)
    worst = 0.0
    for group in set(labels):
        mine = [name for name, label in zip(held, labels, strict=True) if label == group]
        p = np.array([mine.count(name) for name in names]) / len(mine)
        worst = max(worst, by_transport(tree, names, p, q))
    assert found == pytest.approx(worst, abs=1e-7)


def test_a_ground_that_a_column_does_not_have_is_refused():
    assert "has no hierarchy" in kc.TCloseness(ground="hierarchical").unsuitable(patients(None))[0]
    assert "no order" in kc.TCloseness(ground="ordered").unsuitable(patients())[0]
    assert not kc.TCloseness(protect=("ill",), ground="hierarchical").unsuitable(patients())


def test_delta_disclosure_by_hand():
    """Flu has 3 of 6, and 2 of 3 of the first class: ln 4/3; cold 1 of 6 and 1 of 3: ln 2; gout is not in
    it."""
    table = table_of(age=[1, 1, 1, 2, 2, 2], ill=["flu", "flu", "cold", "flu", "gout", "gout"])
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "ill": "sensitive"}))
    release = release_of(table, [0, 0, 0, 1, 1, 1])
    strict = kc.DeltaDisclosure(delta=100).check(table, release)
    assert not strict.holds and strict.found == math.inf and "lack a sensitive value" in strict.sentence
    present = kc.DeltaDisclosure(delta=0.7, absent=False).check(table, release)
    assert present.holds and present.found == pytest.approx(math.log(2))
    assert "by a factor of at most 2, up or down. Values absent from a class do not" in present.sentence
    assert present.sentence.endswith(kc.DeltaDisclosure(absent=False).explained[-45:])
    equal = kc.DeltaDisclosure(delta=math.log(2), absent=False).check(table, release)
    assert not equal.holds and equal.witnesses == (1, 2, 3, 4, 5, 6)  # it must not be reached
    whole = release_of(table, [0] * 6)
    assert kc.DeltaDisclosure(delta=1e-6).check(table, whole).holds


def register(n: int, rng: np.random.Generator) -> kc.Table:
    frame = pd.DataFrame({"age": rng.integers(0, 5, n), "city": rng.choice(list("abc"), n)})
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    return kc.Table.from_frame(frame, schema.with_kinds({"age": "numeric"}))


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_records_and_rows_are_counted_one_by_one(seed):
    rng = np.random.default_rng(seed)
    table = register(int(rng.integers(4, 10)), rng)
    rows = []
    for record in rng.permutation(len(table))[: int(rng.integers(2, len(table)))]:
        age, city = int(table.frame["age"][record]), str(table.frame["city"][record])
        rows.append((f"[{age}, {age + int(rng.integers(0, 3))}]", str(rng.choice([city, "*"]))))
    back = kc.read_release(pd.DataFrame(rows, columns=["age", "city"]), table)
    fits = np.array(
        [
            [
                int(text[1:2]) <= age <= int(text[-2:-1]) and where in ("*", city)
                for age, city in table.frame.itertuples(index=False)
            ]
            for text, where in rows
        ]
    )
    of_row, of_record = fits.sum(axis=1), fits.sum(axis=0)
    assert verdict_on(kc.KMap(2), back).found == of_row.min() == verdict_on(kc.KOneAnonymity(2), back).found
    assert verdict_on(kc.KMap(3), back).witnesses == tuple(np.flatnonzero(of_row < 3) + 1)
    here = back.present()
    assert verdict_on(kc.OneKAnonymity(2), back).found == of_record[here].min()
    both = verdict_on(kc.KKAnonymity(2), back)
    assert both.found == min(of_row.min(), of_record[here].min())
    probability = np.minimum((fits / of_row[:, None]).sum(axis=0), 1)
    told = verdict_on(kc.DeltaPresence(low=0.2, high=0.6), back)
    assert told.found == pytest.approx(probability.max())
    outside = (probability < 0.2 - 1e-12) | (probability > 0.6 + 1e-12)
    assert told.witnesses == tuple(np.flatnonzero(outside) + 1) and told.holds != outside.any()


def test_presence_of_classes_that_do_not_overlap_is_their_share():
    """Two of the four people in Oslo are in the table, and one of the five in Quito (Nergiz, Atzori and
    Clifton 2007)."""
    frame = pd.DataFrame({"city": ["Oslo"] * 4 + ["Quito"] * 5})
    schema = kc.Schema.infer(frame).with_roles({"city": "quasi_identifier"})
    table = kc.Table.from_frame(frame, schema.with_kinds({"city": "categorical"}))
    back = kc.read_release(pd.DataFrame({"city": ["Oslo", "Oslo", "Quito"]}), table)
    told = verdict_on(kc.DeltaPresence(low=0.2, high=0.5), back)
    assert told.holds and told.found == 0.5
    assert told.sentence.startswith(
        "For an attacker who has a register of the population, the probability that a person is in the table"
        " is between 20 % and 50 %."
    )
    assert verdict_on(kc.DeltaPresence(low=0.25, high=0.5), back).witnesses == (5, 6, 7, 8, 9)
    assert verdict_on(kc.KMap(4), back).holds and not verdict_on(kc.KMap(5), back).holds


def test_a_release_of_ours_is_judged_as_its_file():
    table = kc.read_table("sample:people-100")
    for algorithm in (kc.MDAV(), kc.Greedy()):
        release = kc.anonymize(table, algorithm, 4, seed=3)
        for guarantee in (kc.OneKAnonymity(4), kc.KOneAnonymity(4), kc.KKAnonymity(4), kc.KMap(4)):
            verdict = guarantee.check(table, release)
            assert verdict.holds and verdict.found >= 4 and len(guarantee.among(release)) == len(table)
        told = kc.DeltaPresence(high=1).check(table, release)
        assert told.holds and told.found == pytest.approx(1)
        assert not kc.DeltaPresence(high=0.9).check(table, release).holds

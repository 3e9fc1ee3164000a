"""The stories of fragments: six numbers by hand, and counts found again in the data."""

from __future__ import annotations

import re

import numpy as np

import kanon_core as kc
from kanon_core.teaching.explain import make_story
from tests.helpers import table_of

SIX = table_of(x=[0.0, 1, 2, 10, 11, 12]).in_given_order()


def says(table: kc.Table, algorithm: kc.Algorithm, k: int) -> list[str]:
    return [step.sentence for step in make_story(table, algorithm, k, seed=1).steps]


def test_six_numbers_in_two_fragments_by_hand():
    assert says(SIX, kc.Fragments(rows=3), 2) == [
        "6 records are more than 3. “x” is the widest column that can be cut: 3 records up to 2, 3 from 10.",
        "Fragment 1 of 2 has 3 records: records 1–3. MDAV runs on it.",
        "The 3 records left become the last group: 1, 2 and 3.",
        "Another fragment, in the same way: 3 records in 1 group.",
        "All 2 fragments together: 2 groups of 3 to 3 records.",
    ]


def test_one_fragment_is_told_as_the_inner_algorithm_is():
    alone = says(SIX, kc.MDAV(), 2)
    assert says(SIX, kc.Fragments(), 2) == [
        "All 6 records are one fragment; MDAV runs on it.",
        *alone,
    ]
    alike = table_of(x=[1.0] * 6).in_given_order()
    (first, *_) = says(alike, kc.Fragments(rows=3), 2)
    assert first.startswith("The 6 records are more than 3, but no cut leaves 2 on both sides: they are one")


def test_what_the_steps_count_is_so():
    table = kc.read_table("sample:people-100")
    for inner in (kc.MDAV(), kc.TopDown(), kc.OptimalConcealment(), kc.Clustered()):
        story = make_story(table, kc.Fragments(inner, 30), 3, seed=2)
        cuts = [step for step in story.steps if "is the widest column" in step.sentence]
        for step in cuts:
            size, name = re.match(r"(\d+) records are more than 30. “(\w+)” is", step.sentence).groups()
            left, right = map(int, re.findall(r"(?:: |, )(\d+) (?:records|with|from)", step.sentence)[-2:])
            assert left + right == int(size) > 30 and name in table.schema.names
        assert len(cuts) == story.release.report["fragments"] - 1
        last = story.steps[-1].cover
        if last.ndim == 1:
            count = story.steps[-1].sentence.split(": ")[1].split()[0]
            assert int(count) == len(np.unique(last)) == len(story.release.cover.sizes)


def test_each_fragment_draws_by_itself():
    table = kc.read_table("sample:people-100")
    story = make_story(table, kc.Fragments(kc.OptimalConcealment(), 30), 3, seed=2)
    count = int(story.release.report["fragments"])
    before, after = story.run.draw
    assert before.shape == (100, 3) and after.shape == (100, 1)
    assert story.run.records[after[:, 0]].tolist() == story.release.set_of[story.run.records].tolist()
    said = f"Each of the {count} fragments draws with its own seed: one of the 3 edges of every record"
    assert sum(step.sentence.startswith(said) for step in story.steps) == 1

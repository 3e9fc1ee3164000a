"""The stories of item sets: figure 6 of the set-valued paper, and numbers recomputed by sets of Python."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.teaching.explain import make_story
from kanon_core.teaching.explain.partitioning.topdown import lost
from tests.charts.itemtables import EVIL, item_table, paper
from tests.contracts.tables import table_of
from tests.teaching.explain.numbersread import close, figures


def groups_of(story, step) -> np.ndarray:
    """The groups of a step in the order of the table."""
    found = np.empty_like(step.cover)
    found[story.run.records] = step.cover
    return found


def published(baskets: list[set], groups: np.ndarray) -> list[set]:
    """Return the items that each record publishes: those that all records of its group have."""
    shared = {
        g: set.intersection(*(b for b, h in zip(baskets, groups.tolist(), strict=True) if h == g))
        for g in set(groups.tolist())
    }
    return [shared[g] if g >= 0 else set() for g in groups.tolist()]


def test_figure_6_by_hand():
    story = make_story(paper(), kc.TopDown(), 2, seed=1)
    assert [step.sentence for step in story.steps] == [
        "At the beginning all 9 records are one group, which publishes only what they all share.",
        "Round 1: the group of records 1–9 is cut at item “a”: 4 records with it, 5 without. Its records"
        " publish 4 of their 28 items now, 0 before.",
        "Round 2: the group of records 5–9 is cut at item “e”: 3 records with it, 2 without. Its records"
        " publish 10 of their 13 items now, 0 before.",
        "Round 2: the group of records 1–4 is cut at item “d”: 2 records with it, 2 without. Its records"
        " publish 10 of their 15 items now, 4 before.",
        "No further cut keeps k-anonymity and publishes more: there are 4 groups of 2 to 3. Loss: “things”"
        " 28.57 %.",
    ]
    assert groups_of(story, story.steps[-1]).tolist() == [3, 1, 3, 1, 2, 0, 0, 2, 0]
    rows = story.steps[-1].scene.drawn("light", "x").split("<tr")[2:]
    shown = ["".join(re.findall(r"<b style[^>]*>(.)</b>", row)) for row in rows]
    assert shown == ["ad", "ad", "afg", "afg", "bc", "bc", "ex", "ex", "ex"]
    struck = ["".join(re.findall(r"<s style[^>]*>(.)</s>", row)) for row in rows]
    assert struck == ["b", "fyz", "", "b", "f", "", "c", "", "c"]


@pytest.mark.parametrize("suppressed", [0.0, 0.3])
def test_counts_with_and_without_an_item_are_those_of_the_data(suppressed):
    table = paper() if suppressed else table_of("baskets", 80)
    (column,) = table.quasi
    baskets = [
        {column.labels[item] for item in column.items[a:b]} for a, b in itertools.pairwise(column.starts)
    ]
    story = make_story(table, kc.TopDown(max_suppressed=suppressed), 2, seed=2)
    gone = 0
    for before, step in itertools.pairwise(story.steps[:-1]):
        old, new = groups_of(story, before), groups_of(story, step)
        moved = np.flatnonzero(old != new)
        cut = np.flatnonzero(old == old[moved[0]])
        pivot = re.search("at item “(.+?)”", step.sentence)[1]
        has = sum(pivot in baskets[record] for record in cut)
        assert figures(step.sentence, r"(\d+) records? with it, (\d+) without") == (has, len(cut) - has)
        sides = {frozenset(moved.tolist()), frozenset(cut.tolist()) - frozenset(moved.tolist())}
        assert frozenset(r for r in cut.tolist() if pivot in baskets[r]) in sides
        now, then = (sum(len(published(baskets, groups)[r]) for r in cut) for groups in (new, old))
        every = sum(len(baskets[r]) for r in cut)
        assert figures(step.sentence, r"publish (\d+) of their (\d+) items? now, (\d+) before") == (
            now,
            every,
            then,
        )
        if new[moved[0]] < 0:
            assert (
                "Fewer than k = 2 records are without it, so they are left out" in step.sentence
                and len(moved) == 1
            )
            gone += len(moved)
    every, kept = sum(map(len, baskets)), sum(map(len, published(baskets, new)))
    assert close(figures(story.steps[-1].sentence, r"” ([\d.]+) %\.$")[0], 100 * (every - kept) / every)
    assert ("left out" in story.steps[-1].sentence) == bool(suppressed)
    assert bool(gone) == bool(suppressed) and gone <= suppressed * len(table)


def test_the_column_of_a_round_has_lost_as_much_as_is_said():
    """In the first round every column can be cut, so none has lost more than the one chosen."""
    frame = table_of("mixed", 24).frame[["age", "city"]].dropna().head(16)
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(["age", "city"]))
    story = make_story(table, kc.TopDown(), 2, seed=4)
    rounds = [
        (before, step)
        for before, step in itertools.pairwise(story.steps[:-1])
        if "has the highest loss" in step.sentence
    ]
    assert len(rounds) >= 3
    for before, step in rounds:
        groups, name = groups_of(story, before), re.search("“([^”]+)” has the highest loss", step.sentence)[1]
        loss = sum(_ncp(frame[name].tolist(), groups, record) for record in range(len(frame))) / len(frame)
        said = figures(step.sentence, r": ([\d.]+) %\.$")[0]
        assert abs(said - 100 * loss) <= (0.51 if said >= 10 else 0.051)
    first = groups_of(story, story.steps[0])
    both = {name: lost(table[name], first) for name in ("age", "city")}
    assert both[re.search("“([^”]+)” has the highest loss", rounds[0][1].sentence)[1]] == max(both.values())


def _ncp(values: list, groups: np.ndarray, record: int) -> float:
    """(max − min) / range of numbers, (distinct − 1) / (labels − 1) of words."""
    own = [value for value, group in zip(values, groups.tolist(), strict=True) if group == groups[record]]
    if isinstance(values[0], str):
        return (len(set(own)) - 1) / (len(set(values)) - 1)
    return (max(own) - min(own)) / (max(values) - min(values))


def test_values_are_cut_where_the_sentence_says():
    table = table_of("composite", 40)
    story = make_story(table, kc.TopDown(), 3, seed=1)
    cut = 0
    for before, step in itertools.pairwise(story.steps[:-1]):
        if "is cut at “age”" not in step.sentence:
            continue
        old, new = groups_of(story, before), groups_of(story, step)
        part = new == new[np.flatnonzero(old != new)[0]]
        rest = (old == old[np.flatnonzero(old != new)[0]]) & ~part
        said = figures(step.sentence, r"(\d+) records? with \[(\d+), (\d+)\], (\d+) with \[(\d+), (\d+)\]")
        ages = table.frame["age"].to_numpy()
        true = [
            f(x)
            for side in (part, rest)
            for x, f in ((ages[side], len), (ages[side], min), (ages[side], max))
        ]
        assert said == tuple(true)
        cut += 1
    assert cut


def test_items_of_ones_own_are_counted_and_safe():
    table = table_of("baskets", 60)
    story = make_story(table, kc.TopDown(known_items=2), 3, seed=1)
    shown = story.release.publish()["basket"].tolist()
    kept = sum(len(text.strip("{}").split(", ")) if text != "{}" else 0 for text in shown)
    every = sum(len(text.split(";")) for text in table.frame["basket"])
    said = figures(story.steps[-1].sentence, r"that are published: (\d+) of (\d+); left out: (\d+)")
    assert said == (kept, every, every - kept)
    compared = next(
        step.sentence for step in story.steps if step.sentence.startswith("Each record publishes its own")
    )
    a, b = figures(compared, r"lose ([\d.]+); groups cut at items too lose ([\d.]+) ")
    assert ("The first way is used" in compared) == (a <= b)


def test_what_the_search_regained_is_counted():
    table = table_of("baskets", 60)
    baskets = [set(text.split(";")) for text in table.frame["basket"]]
    story = make_story(table, kc.RefineSets(steps=5), 3, seed=1)
    at = next(i for i, step in enumerate(story.steps) if "thousands of changes" in step.sentence)
    start, end = groups_of(story, story.steps[at]), groups_of(story, story.steps[-1])
    before, after = (sum(map(len, published(baskets, groups))) for groups in (start, end))
    assert figures(story.steps[at].sentence, r"publish (\d+) items?") == (before,)
    every = sum(map(len, baskets))
    said = figures(
        story.steps[-1].sentence,
        r"published: (\d+) of (\d+) instead of (\d+), (\d+) more; items lost: (\d+) instead of (\d+)",
    )
    assert said == (after, every, before, after - before, every - after, every - before) and after > before
    for step in story.steps[at + 1 :]:
        new = groups_of(story, step)
        members = np.flatnonzero(new == new.max())
        now = len(set.intersection(*(baskets[r] for r in members))) * len(members)
        then = sum(len(published(baskets, start)[r]) for r in members)
        assert figures(step.sentence, r": (\d+) items? together, (\d+) before") == (now, then)
        assert {
            int(g) for g in np.unique(start[members])
        } and f"from {len(set(start[members].tolist()))} group" in step.sentence


def test_items_of_the_table_are_escaped():
    table = item_table([[EVIL, "b"], [EVIL], [EVIL, "b"], ["<b>c</b>"], ["<b>c</b>", "b"]])
    for step in make_story(table, kc.TopDown(), 2, seed=1).steps:
        drawn = step.scene.drawn("light", '"><script>')
        assert "<img" not in drawn and "<script" not in drawn and "<b>c" not in drawn


def test_the_end_names_all_that_is_kept():
    story = make_story(table_of("mixed", 30), kc.TopDown(protect=("diagnosis",), diversity=2.0), 3, seed=1)
    assert "No further cut keeps k-anonymity and ℓ-diversity and publishes more" in story.steps[-1].sentence
    groups = groups_of(story, story.steps[-1])
    sizes = np.bincount(groups)
    assert figures(story.steps[-1].sentence, r"(\d+) groups of (\d+) to (\d+)\.") == (
        len(sizes),
        sizes.min(),
        sizes.max(),
    )

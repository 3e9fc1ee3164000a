"""Properties that every narration keeps: each event is told, and the end is the cover of the run."""

from __future__ import annotations

import re

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.covers.cover import Concealment, Cover
from kanon_core.teaching.explain import NARRATIONS, make_story, narration_of
from tests.contracts.tables import SETTINGS, k_of, suitable

UNFILLED = re.compile(r"\{[a-z_]+\}")
"""A place in a sentence that was to be filled in; cells such as {a, d}, and quoted names, may be there."""
each_setting = pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)


def made(cover: Cover) -> np.ndarray:
    return cover.matchings if isinstance(cover, Concealment) else cover.groups


def same(told: np.ndarray, found: np.ndarray) -> bool:
    """Return whether two labelings put the same records together, or two sets of matchings are the same."""
    if told.ndim == 2:
        return np.array_equal(told, found)
    pairs = set(zip(told.tolist(), found.tolist(), strict=True))
    apart = len(pairs) == len(set(told.tolist())) == len(set(found.tolist()))
    return apart and np.array_equal(told < 0, found < 0)


@pytest.mark.deep
@each_setting
def test_the_steps_end_in_the_cover_of_the_run(algorithm):
    for table in suitable(algorithm):
        story = make_story(table, algorithm, k_of(algorithm), seed=3)
        last = story.steps[-1].cover
        cover = np.empty_like(last)
        if last.ndim == 1:
            cover[story.run.records] = last
        else:
            cover[:, story.run.records] = story.run.records[last]
        assert same(cover, made(story.release.cover))


@pytest.mark.deep
@each_setting
def test_every_event_is_told_and_every_step_has_its_line_and_picture(algorithm):
    narration = narration_of(algorithm)
    for table in suitable(algorithm):
        story = make_story(table, algorithm, k_of(algorithm), seed=3)
        assert {event for event, _ in story.run.events} <= narration.events
        for step in story.steps:
            assert 0 <= step.line < len(step.lines)
            assert re.search(r"[.:]$", step.sentence) and not UNFILLED.search(
                re.sub("“[^”]*”", "", step.sentence)
            )
            assert "nan" not in step.sentence
        drawn = story.steps[len(story.steps) // 2].scene.drawn("dark", "what it shows")
        assert drawn.startswith("<") and "<script" not in drawn


def test_every_algorithm_is_told_in_their_order():
    assert tuple(narration.algorithm for narration in NARRATIONS) == kc.ALGORITHMS

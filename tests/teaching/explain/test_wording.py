"""Names of records in sentences, and stories that are shortened."""

from __future__ import annotations

import numpy as np

import kanon_core as kc
from kanon_core.charts.steps.tables import HistoryTable
from kanon_core.teaching.explain.narration import Logged, Step
from kanon_core.teaching.explain.wording import named, numbered, thinned
from tests.charts.concealed import numbers


def logged(n: int) -> Logged:
    """A run that saw the records of a table from the last to the first."""
    return Logged(numbers(x=np.arange(n)), np.arange(n)[::-1], kc.MDAV(), 3, ())


def test_records_are_named_by_their_number_in_the_table():
    run = logged(40)
    assert named(run, np.array([39])) == "record 1"
    assert named(run, np.array([38, 35, 36])) == "records 2, 4 and 5"
    assert named(run, np.arange(36, 40)) == "records 1–4"
    assert named(run, np.array([39, 38, 37, 30])) == "records 1–3 and 10"
    # 40, 38, …, 2: more than twelve runs, so the first eleven and the rest.
    assert named(run, np.arange(0, 40, 2)) == "records 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 9 others"


def test_numbers_are_listed_in_the_order_given():
    assert numbered(np.array([3, 1, 2])) == "3, 1 and 2"
    assert numbered(np.arange(20)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 9 others"


def test_a_long_story_keeps_its_first_and_last_step_and_says_what_it_passed_over():
    steps = [Step(f"Step {i}.", i % 3, np.array([i]), HistoryTable([])) for i in range(40)]
    assert thinned(steps, 40) == tuple(steps)
    short = thinned(steps, 15)
    assert (
        len(short) == 15
        and short[0] is steps[0]
        and short[-1].cover == 39
        and short[-1].sentence.endswith(": Step 39.")
    )
    told = [int(step.sentence.split()[1]) if step.sentence.startswith("After") else 0 for step in short]
    assert sum(told) + len(short) == 40
    assert all(step.line == step.cover[0] % 3 for step in short)

"""The steps of a run told of 200 records: the whole story, and its slowest picture.

    python -m benchmarks steps

``ours_s`` of a story is the run, its audit and its sentences, of a picture the slowest of all its steps, each
drawn once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import kanon_core as kc
from benchmarks._timing import seconds
from kanon_core.papers.itemsets_runs import in_tens
from kanon_core.teaching.explain import NARRATIONS, RECORDS_AT_MOST, make_story

KS = (5, 2)
"""The first of them that an algorithm takes."""
_SAMPLES = ("people-5000", "DS7", "receipts-10000", "baskets-77512", "purchases-80000")


def rows() -> Iterator[dict[str, Any]]:
    """For every algorithm that is told, its story and its slowest picture, on the first table it takes."""
    tables = list(_tables())
    for narration in NARRATIONS:
        algorithm = narration.algorithm()
        table, k = next((t, k) for k in KS for t in tables if not algorithm.unsuitable(t, k))
        begin = time.perf_counter()
        story = make_story(table, algorithm, k, seed=1)
        spent = time.perf_counter() - begin
        work = f"{algorithm.title}, {len(table)} × {len(table.quasi)}, k = {k}"
        yield {"work": f"{work}: {len(story.steps)} steps", "ours_s": spent}
        slowest = max(seconds(partial(step.scene.drawn, "light", "a step")) for step in story.steps)
        yield {"work": f"{work}: slowest picture", "ours_s": slowest, "target_s": 0.2}


def _tables() -> Iterator[kc.Table]:
    """The first 200 records of samples: numbers, one number, items beside numbers, items, purchases; and the
    items in groups."""
    for name in _SAMPLES:
        table = kc.read_table(f"sample:{name}")
        yield table.some(np.arange(min(RECORDS_AT_MOST, len(table))))
    yield in_tens(kc.read_table("sample:baskets-77512").some(np.arange(RECORDS_AT_MOST)))

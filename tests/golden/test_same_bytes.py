"""Every byte that was published, measured and audited before is still the same.

The list of digests, ``recipes.json``, is versioned. A change that means to alter an entry names the entry and
says why: in its commit, and in a sentence of the list's ``changes``. Whatever else alters one is a defect.

To write the list anew: ``python -m tests.golden.recipes``. It keeps ``changes`` and names altered entries.

Releases, recipes and audits are compared byte by byte, scores within `TOLERANCE`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args, get_type_hints

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from tests.golden.recipes import CASES, LIST, TOLERANCE, USUAL, computed, differing, kept, sketch


@pytest.mark.parametrize("name", [cls.__name__ for cls in kc.ALGORITHMS])
def test_every_byte_is_the_same(name):
    expected, cases = kept()["cases"], [case for case in CASES if type(case.algorithm).__name__ == name]
    parts = {case.name: differing(expected.get(case.name, {}), computed(case)) for case in cases}
    assert not {case: altered for case, altered in parts.items() if altered}


def test_a_score_of_one_record_that_differs_is_noticed():
    scores = pd.DataFrame(
        {"metric": "NCP", "part": "record", "name": range(5000), "value": 0.25, "error": 0.0}
    )
    before = sketch(scores)
    for row, value, told in [
        (7, 0.25 * (1 + TOLERANCE), []),
        (7, 0.25 * (1 + 2e-8), ["scores"]),
        (7, -0.25, ["scores"]),
        (7, np.nan, ["score_names"]),
    ]:
        scores.loc[row, "value"] = value
        assert differing(before, sketch(scores)) == told
    swapped = sketch(scores.assign(value=np.arange(5000)[::-1]))
    assert differing(sketch(scores.assign(value=np.arange(5000))), swapped) == ["scores"]


def test_the_list_has_these_cases_one_a_line():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 90
    told = kept()
    assert sorted(told) == ["cases", "changes"] and list(told["cases"]) == sorted(names)
    assert all(isinstance(change, str) and change for change in told["changes"])
    lines = LIST.read_text("utf-8").splitlines()
    assert [
        json.loads(f"{{{line.rstrip(',')}}}") for line in lines if line.startswith('    "') and '": {' in line
    ] == [{name: entry} for name, entry in told["cases"].items()]


def test_every_algorithm_and_every_word_of_its_options_is_covered():
    used = [case.algorithm for case in CASES]
    assert {type(algorithm) for algorithm in used} == set(kc.ALGORITHMS)
    assert (
        "two-opt" in dict(_allowed(kc.Tours))["heuristic"]
        and "Tours" in dict(_allowed(kc.Clustered))["inner"]
    )
    assert not list(_uncovered(kc.ALGORITHMS, used))
    assert {case.algorithm.known_items for case in CASES if isinstance(case.algorithm, kc.TopDown)} == {
        0,
        1,
        2,
        3,
    }


def test_every_distance_and_every_metric_is_covered():
    distances = [a.distance for case in CASES for a in case.table().schema if a.distance is not None]
    assert {type(distance) for distance in distances} == set(kc.DISTANCES)
    assert not list(_uncovered(kc.DISTANCES, distances))
    metrics = [*USUAL, *(metric for case in CASES for metric in case.more)]
    assert {type(metric) for metric in metrics} == {*kc.METRICS, *kc.UTILITIES}
    assert not list(_uncovered((*kc.METRICS, *kc.UTILITIES), metrics))


def _uncovered(classes: Iterable[type], used: list[Any]) -> Iterator[str]:
    """The words, truth values and inner objects that an option of a class allows and no used object has."""
    for cls in classes:
        for name, allowed in _allowed(cls):
            values = [getattr(thing, name) for thing in used if type(thing) is cls]
            had = {value if isinstance(value, str | bool) else type(value).__name__ for value in values}
            yield from (f"{cls.__name__}.{name} = {value}" for value in allowed if value not in had)


def _allowed(cls: type) -> Iterator[tuple[str, list[object]]]:
    """By option: all that it may be, where its declaration lists that as ``words`` or ``among``."""
    hints = get_type_hints(cls, include_extras=True)
    for field in dataclasses.fields(cls):
        if get_args(hints[field.name])[:1] == (bool,):
            yield field.name, [True, False]
        for declared in get_args(hints[field.name])[1:]:
            yield field.name, [*getattr(declared, "words", ()), *getattr(declared, "among", ())]

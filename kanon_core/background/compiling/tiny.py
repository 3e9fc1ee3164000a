"""Tiny tables, and settings with which every loop that Python calls is called once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.errors import KanonError
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.options import options_of
from kanon_core.metrics import METRICS
from kanon_core.runs.run import anonymize, score
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

_FEW = {"steps": 1, "draws": 3, "rows": 6}
"""Options that set how long an algorithm works, or on how many records at once, each with a small value."""
_MORE = {"ncp": {"steps": 200}}
"""Words of options with which an algorithm needs more time until every loop has been called."""


_LEAF = 32
"""The most records of a table whose index is a single leaf."""


NAMES = tuple(cls.__name__ for cls in ALGORITHMS)


def run(name: str) -> None:
    """Run the algorithm of this class name in every setting, and all measures after it."""
    cls = ALGORITHMS[NAMES.index(name)]
    for number, algorithm in enumerate(_settings(cls)):
        for table in _tables():
            if not algorithm.unsuitable(table, 2) and (number == 0 or len(table) <= _LEAF):
                _run(table, algorithm, number == 0)


def _run(table: Table, algorithm: Algorithm, measured: bool) -> None:
    release = anonymize(table, algorithm, 2, seed=0)
    for metric in METRICS if measured else ():
        if not metric().unsuitable(table):
            try:
                score(table, release, [metric()])
            except KanonError:  # not every measure goes with every release
                continue


@cache
def _tables() -> tuple[Table, ...]:
    return tuple(_made())


def _made() -> Iterator[Table]:
    """Numbers; numbers and a category, also more than an index keeps in one leaf; item sets beside a number;
    item sets, one of them with two items that are in no other set; people with two records each."""
    values = np.arange(12.0) ** 1.5
    yield Table.from_frame(pd.DataFrame({"x": values}))
    yield Table.from_frame(pd.DataFrame({"x": values, "y": values[::-1] % 7, "c": list("abcabcabcaba")}))
    yield Table.from_frame(pd.DataFrame({"x": np.arange(40.0) % 11, "y": np.arange(40.0) ** 1.5}))
    sets = pd.DataFrame({"x": values, "s": ["a;b", "a", "b;c", "b", "a;c", "c;a"] * 2})
    yield Table.from_frame(sets, Schema.infer(sets).with_kinds({"s": "items"}).with_quasi(["x", "s"]))
    clash = pd.DataFrame({"s": ["a;b", "a", "a", "a", "b", "b"]})
    yield Table.from_frame(clash, Schema.infer(clash).with_kinds({"s": "items"}).with_quasi(["s"]))
    people = pd.DataFrame({"person": [*"aabbccddeeff"], "x": values, "c": list("abcabcabcaba")})
    yield Table.from_frame(
        people, Schema.infer(people).with_roles({"person": "person"}).with_quasi(["x", "c"])
    )


def _settings(cls: type[Algorithm]) -> Iterator[Algorithm]:
    """Yield an algorithm with each word of each choice, and, where few items may be known, with the most of
    them: both may lead to other kernels."""
    quick = _little(cls)
    yield quick
    for option in options_of(cls):
        if isinstance(option.kind, Choice):
            for word in option.kind.words:
                if word != option.default:
                    yield dataclasses.replace(quick, **{option.name: word, **_MORE.get(word, {})})
        elif option.name == "known_items" and isinstance(option.kind, Integer):
            # Arrays of clashes have the same types whatever m is.
            yield dataclasses.replace(quick, **{option.name: int(option.kind.high)})


def _little(cls: type[Algorithm]) -> Algorithm:
    """Return the algorithm with options that make it, and those inside it, work as little as possible."""
    found: dict[str, Any] = {}
    for option in options_of(cls):
        if option.name in _FEW:
            found[option.name] = _FEW[option.name]
        elif isinstance(option.default, Algorithm):
            found[option.name] = _little(type(option.default))
    return cls(**found)

"""Load (and on a fresh machine compile) every algorithm's kernels by running it on tiny tables.

``python -m kanon_core.warmup`` writes the name of each algorithm once its code is there; names that it reads
are taken next. It ends when its input does.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from kanon_core.algorithms import ALGORITHMS, Algorithm, Sorting
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.options import options_of
from kanon_core.run import anonymize
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table


def warm_up(wanted: Callable[[], Sequence[str]] = tuple) -> Iterator[str]:
    """Run every algorithm on tiny tables, and say its class name once that is done; minutes on a fresh
    machine, else seconds.

    ``wanted`` is asked before each for names that are to be taken first.
    """
    # Sorting needs no compiler, so nobody waits for it.
    left = {cls.__name__: cls for cls in sorted(ALGORITHMS, key=lambda cls: cls is not Sorting)}
    tables = tuple(_tables())
    while left:
        name = next((name for name in wanted() if name in left), next(iter(left)))
        for algorithm in _settings(left.pop(name)):
            for table in tables:
                if not algorithm.unsuitable(table, 2):
                    anonymize(table, algorithm, 2, seed=0)
        yield name


def _tables() -> Iterator[Table]:
    """Numbers, numbers and a category, item sets beside a number, item sets of which one shows two items that
    no other does, people with two records each."""
    values = np.arange(12.0) ** 1.5
    yield Table.from_frame(pd.DataFrame({"x": values}))
    yield Table.from_frame(pd.DataFrame({"x": values, "y": values[::-1] % 7, "c": list("abcabcabcaba")}))
    sets = pd.DataFrame({"x": values, "s": ["a;b", "a", "b;c", "b", "a;c", "c;a"] * 2})
    yield Table.from_frame(sets, Schema.infer(sets).with_kinds({"s": "items"}).with_quasi(["x", "s"]))
    clash = pd.DataFrame({"s": ["a;b", "a", "a", "a", "b", "b"]})
    yield Table.from_frame(clash, Schema.infer(clash).with_kinds({"s": "items"}).with_quasi(["s"]))
    people = pd.DataFrame({"person": [*"aabbccddeeff"], "x": values, "c": list("abcabcabcaba")})
    yield Table.from_frame(
        people, Schema.infer(people).with_roles({"person": "person"}).with_quasi(["x", "c"])
    )


def _settings(cls: type[Algorithm]) -> Iterator[Algorithm]:
    """An algorithm with each word of each choice, and, where few items may be known, with the most of them:
    both may lead to other kernels."""
    names = {option.name for option in options_of(cls)}
    quick = cls(**({"steps": 1} if "steps" in names else {}))
    yield quick
    for option in options_of(cls):
        if isinstance(option.kind, Choice):
            for word in option.kind.words:
                if word != option.default:
                    yield dataclasses.replace(quick, **{option.name: word})
        elif option.name == "known_items" and isinstance(option.kind, Integer):
            # Arrays of clashes have the same types whatever m is.
            yield dataclasses.replace(quick, **{option.name: int(option.kind.high)})


def _serve() -> None:
    asked: list[str] = []

    def listen() -> None:
        for line in sys.stdin:
            asked.insert(0, line.strip())
        os._exit(0)  # who started this is gone; an algorithm that is being compiled would not notice

    threading.Thread(target=listen, daemon=True).start()
    for name in warm_up(lambda: asked):
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
    os._exit(0)  # the listener cannot be woken


if __name__ == "__main__":
    _serve()

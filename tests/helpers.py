"""Tools of several tests: tables in a line, releases of given groups, the command line as a process."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm
from kanon_core.covers.cover import Partition
from kanon_core.covers.uploaded.uploaded import UploadedRelease
from kanon_core.guarantees import Guarantee, Verdict
from kanon_core.guarantees.files.written import WrittenFile
from kanon_core.release.recipe import Recipe
from kanon_core.release.release import Release
from kanon_core.table.inference import guess_role
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

Test = Callable[..., None]
NINE_POINTS = [
    (2.4, 3),
    (1.68, 4.9),
    (3.18, 5.54),
    (5.32, 3.6),
    (18.68, 11.49),
    (20.14, 9.56),
    (19.85, 10.33),
    (21.28, 10.9),
    (23, 11.5),
]
"""The points of the V-MDAV paper's figure: four in one corner, five in the other."""


def looped(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but every case runs in one loop, where that would make an id of each.

    ``names``: an argument of the test, or several, split by commas, of which every case then is a tuple. What
    fails stops the loop and tells its case in a note. Fixtures are shared by all cases.
    """
    own, kept = [name.strip() for name in names.split(",")], list(cases)
    assert kept, "there is no case"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def loop(**fixtures: object) -> None:
            for case in kept:
                given = dict(zip(own, case if len(own) > 1 else (case,), strict=True))
                try:
                    test(**given, **fixtures)
                except BaseException as error:
                    error.add_note(f"with {given}")
                    raise

        signature = inspect.signature(test)
        rest = [part for name, part in signature.parameters.items() if name not in own]
        loop.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return loop

    return decorate


def verdict_on(guarantee: Guarantee, file: WrittenFile | UploadedRelease) -> Verdict:
    """The verdict on a file alone, or beside the original that it was read with."""
    return guarantee.check(file.table, file)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Given(Algorithm):
    """Stands for whatever made the groups of `release_of`."""

    title: ClassVar[str] = "given groups"
    family: ClassVar[str] = "tests"
    summary: ClassVar[str] = "groups that a test gives"


def table_of(schema: Schema | None = None, **columns) -> Table:
    """A table of these columns; without a schema 1, 2, 3 …, which files number their rows by, are
    quasi-identifiers."""
    frame = pd.DataFrame(columns)
    if schema is None:
        guessed = Schema.infer(frame)
        whys = {a.name: guess_role(a.name, frame[a.name], a.kind).reason for a in guessed}
        counting = [name for name, why in whys.items() if why == "rows"]
        schema = guessed.with_roles(dict.fromkeys(counting, "quasi_identifier"))
    return Table.from_frame(frame, schema)


def purchases_of(rng: np.random.Generator, n: int, share: float, people: int) -> pd.DataFrame:
    """n records of at most so many people, of whom one has this share and more; returns, a missing price
    and a record of nobody."""
    customer = np.where(rng.random(n) < share, 0, rng.integers(0, people, n)).astype(float)
    price = rng.choice([0.85, 1.25, 2.5, 12.75], n)
    customer[n // 2], price[n // 3] = np.nan, np.nan
    day = np.datetime64("2011-01-01") + rng.integers(0, 365, n).astype("timedelta64[D]")
    return pd.DataFrame(
        {
            "customer": customer,
            "day": day.astype("datetime64[s]"),
            "product": rng.choice(["85123A", "71053", "84406B"], n),
            "price": price,
            "quantity": rng.integers(-2, 9, n),
        }
    )


def release_of(table: Table, groups, k: int = 2) -> Release:
    """The (unaudited) release of these groups."""
    recipe = Recipe(table.schema, Given(), k, 0, table.data_digest, len(table))
    return Release.of(table, Partition(np.asarray(groups)), recipe)


_INTERRUPTIBLE = (
    "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('kanon_core', run_name='__main__', alter_sys=True)"
)


def started(words: str) -> subprocess.Popen[str]:
    """``python -m kanon_core`` with these words, its output as text. An interrupt reaches it even where the
    tests' own process ignores interrupts, as one started in the background of a script does."""
    command = [sys.executable, "-c", _INTERRUPTIBLE, *words.split()]
    where = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.Popen(command, env=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_apart(work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine, run in a thread of its own because tests in a browser leave a loop
    running in theirs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def mixed_columns(rng: np.random.Generator, n: int) -> dict[str, object]:
    """Numbers with ties and missing cells, fractions, a date, words, and words some of which are missing."""
    x = rng.integers(0, 8, n).astype(float)
    x[rng.random(n) < 0.25] = np.nan
    return {
        "x": x,
        "y": rng.normal(size=n).round(1),
        "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 30, n), "D"),
        "word": rng.choice(list("abcdefg"), n, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05]),
        "yes": rng.choice(["yes", "no", None], n),
    }

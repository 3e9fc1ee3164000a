"""Tables in many files, by all ways but strict Mondrian: ℓ, t, Top-down, Sorting, Fragments, item sets and
people with several records. Each by processes of this machine, beside one memory, Dask and Spark, whose rows
and their order are the same.

    python -m benchmarks scale_ways     needs KANON_DATA (Adult), 6 GB of disk, 12 GB of memory

10⁶ records each, k = 10; then 10⁷ by Sorting beside one memory, and by Mondrian and Top-down with Dask and
Spark. All is measured as in `benchmarks.scale`. Spark's rows are left out where the extra “spark” is not
installed.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks._many import Found, JobSpec, beside_one_memory, beside_processes, in_own_process, many
from benchmarks.scale import COLUMNS, PART, SEED, schema_of, write
from kanon_core.scale.engines import Dask, Engine, Local, Spark

FEW, MANY = 1_000_000, 10_000_000
PEOPLE = 100_000
ITEMS = 400
_ADULT = {
    "ℓ = 3": kc.Mondrian(diversity=3.0),
    "t = 0.4": kc.Mondrian(closeness=0.4),
    "Fragments of Top-down": kc.Fragments(kc.TopDown(), 100_000),
    "Sorting": kc.Sorting(),
    "Fragments of Refine, 200 steps": kc.Fragments(kc.Refine(steps=200), 100_000),
}


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    folder = os.environ.get("KANON_DATA", "")
    if not folder:
        yield {"work": "tables in many files", "note": "left out: KANON_DATA is not set"}
        return
    original = adult(Path(folder), COLUMNS)
    with tempfile.TemporaryDirectory() as place:
        few, most = Path(place) / "few", Path(place) / "most"
        write(original, FEW, few)
        for name, algorithm in _ADULT.items():
            yield from by_all(name, JobSpec(few, schema_of(few), algorithm, rows=250_000), Path(place) / name)
        for name, asked in (("item sets, Top-down", baskets(place)), ("people, Fragments", purchases(place))):
            yield from by_all(name, asked, Path(place) / name)
        write(original, MANY, most)
        yield from of_ten_million(JobSpec(most, schema_of(most), kc.Sorting()), Path(place) / "ten million")


def by_all(name: str, asked: JobSpec, place: Path) -> Iterator[dict[str, Any]]:
    """10⁶ records by processes and one memory, by Dask and by Spark."""
    place.mkdir()
    local = in_own_process(many, Local(), asked, place / "local")
    work = f"{FEW:,} × {len(asked.schema) - 1}, {name}, {local['workers']} processes"
    yield beside_one_memory(work, local, asked, place / "one", FEW)
    for engine in others(local):
        found = in_own_process(many, engine, asked, place / engine.name)
        yield beside_processes(work.replace("processes", engine.title), found, local)


def of_ten_million(asked: JobSpec, place: Path) -> Iterator[dict[str, Any]]:
    """Sorting beside one memory, and what Dask and Spark make of Mondrian and Top-down."""
    place.mkdir()
    local = in_own_process(many, Local(), asked, place / "sorting")
    work = f"{MANY:,} × {len(asked.schema) - 1}, Sorting, {local['workers']} processes"
    yield beside_one_memory(work, local, asked, place / "one", MANY)
    for algorithm in (kc.Mondrian(), kc.Fragments(kc.TopDown(), 100_000)):
        asked = replace(asked, algorithm=algorithm)
        name, work = algorithm.title, f"{MANY:,} × {len(asked.schema) - 1}, {algorithm.title}"
        local = in_own_process(many, Local(), asked, place / name)
        for engine in others(local):
            found = in_own_process(many, engine, asked, place / f"{name}-{engine.name}")
            yield beside_processes(f"{work}, {engine.title}", found, local)


def others(local: Found) -> tuple[Engine, ...]:
    """Dask and, where it is installed, Spark, with as many processes."""
    processes = local["workers"]
    spark = (Spark(processes=processes),) if spark_there() else ()
    return (Dask(processes=processes), *spark)


def spark_there() -> bool:
    """Return whether the extra “spark” is installed."""
    return importlib.util.find_spec("pyspark") is not None


def baskets(place: str) -> JobSpec:
    """An age and a set of four items on average, some frequent, most rare; a town."""
    rng = np.random.default_rng(SEED)
    names = np.array([f"i{number:03d}" for number in range(ITEMS)])

    def part(size: int) -> pd.DataFrame:
        ends = np.cumsum(rng.poisson(4, size))
        items = names[(ITEMS * rng.random(ends[-1]) ** 3).astype(int)]
        cells = [";".join(sorted(set(cell))) for cell in np.split(items, ends[:-1])]
        return pd.DataFrame(
            {"age": rng.integers(18, 90, size), "goods": cells, "town": rng.integers(0, 30, size).astype(str)}
        )

    roles = dict.fromkeys(("age", "goods"), "quasi_identifier") | {"town": "sensitive"}
    source = in_parts(Path(place) / "baskets", part)
    frame = pd.read_parquet(sorted(source.iterdir())[0])
    schema = (
        kc.Schema.infer(frame)
        .with_kinds({"goods": "items"})
        .with_delimiters({"goods": ";"})
        .with_roles(roles)
    )
    return JobSpec(source, schema, kc.Fragments(kc.TopDown(), 20_000))


def purchases(place: str) -> JobSpec:
    """Purchases of people, ten each on average: a good, a shop, a day and a price."""
    rng = np.random.default_rng(SEED)

    def part(size: int) -> pd.DataFrame:
        who = (PEOPLE * rng.random(size) ** 1.5).astype(int)
        return pd.DataFrame(
            {
                "who": [f"p{number:06d}" for number in who],
                "good": (40 * rng.random(size) ** 2).astype(int).astype(str),
                "shop": (who % 7).astype(str),
                "day": rng.integers(0, 365, size),
                "price": rng.gamma(2.0, 300.0, size).round(0),
            }
        )

    source = in_parts(Path(place) / "purchases", part)
    frame = pd.read_parquet(sorted(source.iterdir())[0])
    roles = dict.fromkeys(("good", "shop", "day", "price"), "quasi_identifier") | {"who": "person"}
    return JobSpec(
        source, kc.Schema.infer(frame).with_roles(roles), kc.Fragments(kc.PurchaseHistories(), 100_000)
    )


def in_parts(folder: Path, part: Any) -> Path:
    """10⁶ records in parquet files of `PART`."""
    folder.mkdir()
    for number in range(FEW // PART):
        part(PART).to_parquet(folder / f"part-{number:05d}.parquet", index=False)
    return folder

"""All engines write the same bytes, and raise what a task raises."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.scale.engines import Dask, Engine, EngineError, Local, Spark
from kanon_core.scale.files import anonymize_files
from tests.needs import needs
from tests.scale.inside import Inside
from tests.scale.manytables import CARRIED, STRAIGHT, Many, differences, over_files, published, small
from tests.scale.test_bytes import ALGORITHMS

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def people(tmp_path_factory) -> tuple[Path, kc.Schema]:
    """A folder with the sample people in three files, and their schema."""
    table, folder = kc.read_table("sample:people-100"), tmp_path_factory.mktemp("people")
    for number, (start, end) in enumerate([(0, 50), (50, 60), (60, 100)]):
        table.frame[start:end].to_parquet(folder / f"part-{number}.parquet", index=False)
    return folder, table.schema


@pytest.fixture(autouse=True)
def parts(monkeypatch):
    """Small parts; workers find the package."""
    small(monkeypatch)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def local() -> Engine:
    return Local(processes=2)


def dask() -> Engine:
    pytest.importorskip("distributed", reason="the extra “dask” is not installed")
    return Dask(processes=2)


def spark() -> Engine:
    pytest.importorskip("pyspark", reason=needs("pyspark"))
    if shutil.which("java") is None:
        pytest.skip(needs("Java 17"))
    return Spark(processes=2)


WAYS = (
    kc.Mondrian(),
    kc.Fragments(kc.TopDown(), rows=40),
    kc.Sorting(),
    kc.Fragments(kc.MDAV(), rows=40),
    kc.Fragments(kc.OptimalConcealment(), rows=40),
)


def released(
    source: Path, schema: kc.Schema, out: Path, engine: Engine, algorithm: kc.Algorithm = WAYS[0]
) -> dict[str, bytes]:
    anonymize_files(str(source), schema, algorithm, 4, str(out), engine, 3, rows=60)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.deep
@pytest.mark.parametrize("make", [local, dask, spark])
def test_every_engine_writes_the_same_bytes(people, tmp_path, make: Callable[[], Engine]):
    source, schema = people
    with make() as engine:
        for number, algorithm in enumerate(WAYS):
            expected = released(source, schema, tmp_path / f"inside-{number}", Inside(), algorithm)
            made = released(source, schema, tmp_path / f"out-{number}", engine, algorithm)
            assert len(expected) == 2 and made == expected


ENDS = ((0.3, 0.6), (0.02, 0.05), (0.5, 0.5), (0.0, 0.9))
"""The shares of a table at which its second and third part begin: the parts are of about equal length,
skewed, or one of them is empty."""


def drawn(number: int) -> Many:
    """The random table of this number: three parts, each with words that the others have not; without a map
    of categories, with which Sorting and Fragments do not run over files."""
    rng = np.random.default_rng(number)
    quasi = rng.choice(sorted(set(STRAIGHT) - {"goods"}), 3, replace=False).tolist()
    carried = rng.choice(sorted(CARRIED), 2, replace=False).tolist()
    columns = dict.fromkeys(("city", *quasi, *carried))
    return Many.of(number, ENDS[number % len(ENDS)], list(columns), 150)


class Open(Engine):
    """Another engine, which stays open from one release to the next."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def workers(self) -> int:
        return self.engine.workers

    def each(self, task, numbered):
        return self.engine.each(task, numbered)

    def close(self) -> None:
        pass


@pytest.mark.deep
@pytest.mark.parametrize(("make", "every"), [(local, 1), (dask, 1), (spark, 3)])
def test_every_engine_makes_random_tables_as_one_machine_does(
    tmp_path, make: Callable[[], Engine], every: int
):
    """Spark takes a second for each stage, however small, and makes every third of them."""
    made = 0
    with make() as engine:
        for number, algorithm in list(enumerate((*ALGORITHMS, *WAYS[1:], *WAYS[1:])))[::every]:
            many, place = drawn(number), tmp_path / str(number)
            place.mkdir()
            source = many.written(place / "source")
            try:
                one = many.release(algorithm, 4).publish()
            except kc.UnsuitableError:
                with pytest.raises(kc.UnsuitableError):
                    over_files(source, many, algorithm, 4, place / "out", 40, engine=Open(engine))
                continue
            over_files(source, many, algorithm, 4, place / "out", 40, engine=Open(engine))
            assert not differences(one, published(place / "out")), (number, algorithm)
            made += 1
    assert made >= 8 // every


@pytest.mark.deep
@pytest.mark.parametrize("make", [local, dask, spark])
def test_every_engine_raises_what_a_task_raises(people, tmp_path, make: Callable[[], Engine]):
    engine, (source, schema) = make(), people
    shutil.copytree(source, tmp_path / "source")
    whole = bytearray((tmp_path / "source" / "part-1.parquet").read_bytes())
    whole[4:400] = bytes(396)
    (tmp_path / "source" / "part-1.parquet").write_bytes(whole)
    with pytest.raises(InputError, match=r"part-1\.parquet.*damaged or incomplete"):
        released(tmp_path / "source", schema, tmp_path / "out", engine)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def asleep(seconds: float) -> int:
    time.sleep(seconds)
    return 1


@pytest.mark.deep
@pytest.mark.parametrize("make", [local, dask, spark])
def test_who_waits_for_a_task_hears_something_and_can_leave(make: Callable[[], Engine]):
    """Else nobody could stop a task that takes minutes, nor see that it is still at work."""
    with make() as engine:
        assert [one for one in engine.each(asleep, [0.0, 0.0]) if one is not None] == [1, 1]
        heard, began = engine.each(asleep, [600.0, 600.0]), time.monotonic()
        assert [next(heard) for _ in range(3)] == [None, None, None]
        heard.close()
    assert time.monotonic() - began < 300


def test_workers_end_with_a_driver_that_is_killed(tmp_path):
    """They would wait for ever, with all that they hold in memory."""
    program = """
import sys, time
from kanon_core.scale.engines import Local
from tests.needs import needs
engine = Local(processes=2)
list(engine.each(abs, [1, 2, 3, 4]))
print(*engine._pool._processes, flush=True)
time.sleep(600)
"""
    driver = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    workers = [int(pid) for pid in driver.stdout.readline().split()]
    assert workers and all(is_alive(pid) for pid in workers)
    driver.kill()
    driver.wait()
    driver.stdout.close()
    until = time.monotonic() + 60
    while any(is_alive(pid) for pid in workers):
        assert time.monotonic() < until, "workers live on"
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """Return whether this process exists and has not ended; an ended one may still wait to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_scheduler_that_does_not_answer_is_said():
    pytest.importorskip("distributed", reason="the extra “dask” is not installed")
    with pytest.raises(EngineError, match="“nowhere”"), Dask(address="nowhere") as engine:
        list(engine.each(len, [()]))


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", WAYS)
def test_one_machine_makes_the_same_rows(people, tmp_path, algorithm):
    source, schema = people
    released(source, schema, tmp_path / "out", Inside(), algorithm)
    files = sorted((tmp_path / "out").iterdir())
    found = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
    one = kc.anonymize(kc.read_table("sample:people-100"), algorithm, 4, 3).publish()
    assert found.astype(object).equals(one.astype(object))

"""Whatever goes wrong, there are the same bytes or a sentence, and never a release that was not audited."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kanon_core as kc
from kanon_core.base.errors import BrokenPromise, InputError, OptionError, UnsuitableError
from kanon_core.scale.anonymizing import fragment
from kanon_core.scale.engines import Local
from kanon_core.scale.files import anonymize_files
from kanon_core.scale.work.keeping import keep, kept
from kanon_core.scale.work.storage import StorageError
from tests.scale.inside import Inside, Off
from tests.scale.manytables import Many, bytes_in, over_files, small

RULED = kc.Mondrian(diversity=2.0)
WAYS = pytest.mark.parametrize(
    "algorithm", [RULED, kc.Fragments(kc.TopDown(), 40)], ids=["at once", "in fragments"]
)


@pytest.fixture
def few() -> Many:
    """Three files of numbers, words and a protected column."""
    return Many.of(5, (0.3, 0.7), ["age", "city", "gaps", "illness", "income"], 130)


def begin(many: Many, folder: Path, engine=None, seed=3, progress=None, out="out", algorithm=RULED):
    """The call that is made again and again."""
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        return anonymize_files(
            str(folder / "source"),
            many.schema,
            algorithm,
            4,
            str(folder / out),
            engine or Inside(),
            seed,
            rows=30,
            progress=progress,
        )


@pytest.mark.deep
@WAYS
def test_a_driver_that_ends_after_each_task_does_none_twice(few, tmp_path, secrets, algorithm):
    few.written(tmp_path / "source")
    done: list[tuple[str, int]] = []
    while not (tmp_path / "out").exists():
        engine = Inside(stop_after=1)
        try:
            made = begin(few, tmp_path, engine, None, algorithm=algorithm)
        except Off:
            assert len(engine.done) == 1
        done += engine.done
    at_once = Inside()
    begin(few, tmp_path, at_once, made.recipe.seed, out="at once", algorithm=algorithm)
    assert done == at_once.done and len({stage for stage, _ in done}) >= 8
    assert bytes_in(tmp_path / "out") == bytes_in(tmp_path / "at once")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["at once", "out", "source"]


def test_the_same_call_twice_at_once_is_made_once(few, tmp_path):
    """The second is told so, and takes nothing away from the first."""
    few.written(tmp_path / "source")
    told: list[str] = []

    def again(done: float, note: str) -> None:
        with pytest.raises(kc.OptionError) as problem:
            begin(few, tmp_path)
        told.append(str(problem.value))

    begin(few, tmp_path, progress=again)
    assert len(told) > 9 and set(told) == {
        "Another process is running the same job. Wait until it ends, or stop it first."
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "source"]


def test_after_the_machine_went_off_all_but_the_seed_is_made_anew(few, tmp_path, monkeypatch, secrets):
    """Files written just before the machine went off may hold nothing but zeros on the disk."""
    few.written(tmp_path / "source")
    monkeypatch.setattr("kanon_core.scale.work.folder._BOOT", tmp_path / "boot")
    done = {}
    for turn, boot in enumerate(("one", "one", "two")):
        (tmp_path / "boot").write_text(boot)
        engine = Inside(stop_after=6)
        with pytest.raises(Off):
            begin(few, tmp_path, engine, None)
        done[turn] = engine.done
    assert not set(done[0]) & set(done[1]) and done[2] == done[0]
    (folder,) = tmp_path.glob(".kanon-*")
    seed = int(kept(folder / "seed.npz")["seed"])
    assert begin(few, tmp_path, seed=None).recipe.seed == seed


def test_a_worker_that_goes_on_after_its_job_leaves_nothing(tmp_path):
    (tmp_path / ".kanon-0a").mkdir()
    keep(tmp_path / ".kanon-0a" / "cut" / "003" / "0.npz", {"rows": 1})
    shutil.rmtree(tmp_path / ".kanon-0a")
    with pytest.raises(StorageError):
        keep(tmp_path / ".kanon-0a" / "cut" / "003" / "1.npz", {"rows": 1})
    assert not list(tmp_path.iterdir())


def test_a_work_folder_that_others_can_read_is_not_taken(few, tmp_path):
    few.written(tmp_path / "source")
    with pytest.raises(Off):
        begin(few, tmp_path, Inside(stop_after=2))
    (folder,) = tmp_path.glob(".kanon-*")
    folder.chmod(0o755)
    with pytest.raises(StorageError, match="others can read it"):
        begin(few, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [folder.name, "source"]


@WAYS
def test_the_order_of_tasks_shapes_nothing(few, tmp_path, algorithm):
    few.written(tmp_path / "source")
    begin(few, tmp_path, algorithm=algorithm)
    begin(few, tmp_path, Inside(turned=True), out="turned", algorithm=algorithm)
    assert bytes_in(tmp_path / "out") == bytes_in(tmp_path / "turned")


def test_what_a_killed_worker_left_half_written_is_not_published(few, tmp_path):
    few.written(tmp_path / "source")

    def leave(done: float, note: str) -> None:
        if note == "auditing the release":
            (folder,) = tmp_path.glob(".kanon-*/release")
            (folder / ".part-00000.parquet.0a1b").write_bytes(b"half")

    begin(few, tmp_path, progress=leave)
    assert all(path.name.startswith("part-") for path in (tmp_path / "out").iterdir())


@pytest.mark.deep
@WAYS
def test_a_worker_that_is_killed_in_every_stage_is_replaced(few, tmp_path, algorithm):
    few.written(tmp_path / "source")
    begin(few, tmp_path, out="undisturbed", algorithm=algorithm)
    engine, killed = Local(processes=1), []

    def kill(done: float, note: str) -> None:
        if note not in killed and engine._pool is not None:
            os.kill(min(engine._pool._processes), signal.SIGKILL)
            killed.append(note)

    begin(few, tmp_path, engine, progress=kill, algorithm=algorithm)
    assert bytes_in(tmp_path / "out") == bytes_in(tmp_path / "undisturbed")
    assert len(killed) >= 6


@pytest.mark.parametrize("where", ["pyarrow.ipc.new_file", "numpy.savez", "pyarrow.parquet.write_table"])
def test_a_full_disk_is_said_and_the_same_call_goes_on(few, tmp_path, where):
    few.written(tmp_path / "source")

    def full(*arguments: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, full)
        with pytest.raises(StorageError, match=r"No space left on device.*the same call then resumes"):
            begin(few, tmp_path)
    assert not (tmp_path / "out").exists()
    begin(few, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "source"]


def test_a_folder_that_cannot_be_written_is_said(few, tmp_path, monkeypatch):
    few.written(tmp_path / "source")

    def refused(*arguments: object, **named: object) -> None:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(StorageError, match="Permission denied"):
        begin(few, tmp_path)


def test_the_work_folder_is_its_owners_alone(few, tmp_path):
    few.written(tmp_path / "source")
    modes = []

    def look(done: float, note: str) -> None:
        modes.extend(path.stat().st_mode & 0o777 for path in tmp_path.glob(".kanon-*"))

    begin(few, tmp_path, progress=look)
    assert set(modes) == {0o700}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "source"]


def test_a_file_that_is_cut_short_is_named(few, tmp_path):
    source = few.written(tmp_path / "source")
    whole = (source / "part-1.parquet").read_bytes()
    for cut in (0, 4, len(whole) // 2, len(whole) - 1):
        (source / "part-1.parquet").write_bytes(whole[:cut])
        with pytest.raises(InputError, match=r"part-1\.parquet.*damaged or incomplete"):
            begin(few, tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_pages_of_a_file_that_are_overwritten_are_named(few, tmp_path):
    source = few.written(tmp_path / "source")
    whole = bytearray((source / "part-1.parquet").read_bytes())
    whole[4:400] = bytes(396)
    (source / "part-1.parquet").write_bytes(whole)
    with pytest.raises(InputError, match=r"part-1\.parquet.*damaged or incomplete"):
        begin(few, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


CHANGES = {
    "Column “age”, which “part-0.parquet” has, is missing": lambda frame: frame.drop(columns="age"),
    "Column “more” is not in": lambda frame: frame.assign(more=1),
    "The columns have another order": lambda frame: frame[frame.columns[::-1]],
    "Column “age” holds texts in the file “part-1.parquet” and numbers": lambda frame: frame.assign(
        age="old"
    ),
    "Column “income” holds dates in the file “part-1.parquet” and numbers": lambda frame: frame.assign(
        income=pd.Timestamp("2020-01-01")
    ),
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_file_with_other_columns_is_named(few, tmp_path, said):
    source = few.written(tmp_path / "source")
    frame = pd.read_parquet(source / "part-1.parquet")
    CHANGES[said](frame).to_parquet(source / "part-1.parquet", index=False)
    with pytest.raises(InputError, match=said) as problem:
        begin(few, tmp_path)
    assert "part-1.parquet" in str(problem.value)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_column_that_the_schema_does_not_name_is_not_published_in_silence(few, tmp_path):
    few.written(tmp_path / "source")
    other = replace(few, schema=kc.Schema(few.schema.attributes[:-1]))
    with pytest.raises(kc.SchemaError, match="a column “income” that the schema does not name"):
        begin(other, tmp_path)
    less = replace(few, frame=few.frame.drop(columns="income"))
    shutil.rmtree(tmp_path / "source")
    less.written(tmp_path / "source")
    with pytest.raises(kc.SchemaError, match="a column “income” that the table does not have"):
        begin(few, tmp_path)


def test_cells_that_are_not_true_stop_the_release(few, tmp_path, monkeypatch):
    few.written(tmp_path / "source")
    real = fragment.recode

    def shifted(column, cover):
        made = real(column, cover)
        if column.attribute.name != "age":
            return made
        return replace(made, cells=replace(made.cells, low=made.cells.low + 1))

    monkeypatch.setattr(fragment, "recode", shifted)
    with pytest.raises(BrokenPromise, match="a cell that is not true"):
        begin(few, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def _shorter(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _gone(path: Path) -> None:
    path.unlink()


def _row_less(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)


def _cell_changed(path: Path) -> None:
    table = pq.read_table(path)
    incomes = table["income"].to_pylist()
    changed = [incomes[0] + 1, *incomes[1:]]
    pq.write_table(table.set_column(table.schema.get_field_index("income"), "income", [changed]), path)


def _unknown_value(path: Path) -> None:
    table = pq.read_table(path)
    changed = pa.array(["plague"] * len(table), pa.large_string())
    pq.write_table(table.set_column(table.schema.get_field_index("illness"), "illness", changed), path)


def _column_less(path: Path) -> None:
    pq.write_table(pq.read_table(path).drop_columns(["illness"]), path)


def _other_column_less(path: Path) -> None:
    pq.write_table(pq.read_table(path).drop_columns(["income"]), path)


def _text_besides(path: Path) -> None:
    table = pq.read_table(path)
    cells = table["illness"].combine_chunks().dictionary_encode()
    besides = pa.concat_arrays([cells.dictionary, pa.array(["of nobody"], cells.dictionary.type)])
    cells = pa.DictionaryArray.from_arrays(cells.indices, besides)
    table = table.set_column(table.schema.get_field_index("illness"), "illness", cells)
    pq.write_table(table, path, store_schema=False)


def _columns_turned(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.select(table.column_names[::-1]), path)


@pytest.mark.deep
@pytest.mark.parametrize(
    "damage",
    [
        _shorter,
        _gone,
        _row_less,
        _cell_changed,
        _unknown_value,
        _column_less,
        _other_column_less,
        _columns_turned,
        _text_besides,
    ],
)
def test_a_file_that_is_damaged_before_the_audit_stops_the_release(few, tmp_path, damage):
    few.written(tmp_path / "source")
    done = []

    def meddle(fraction: float, note: str) -> None:
        if note == "auditing the release" and not done:
            (path,) = tmp_path.glob(".kanon-*/release/part-00001.parquet")
            damage(path)
            done.append(path)

    with pytest.raises(BrokenPromise):
        begin(few, tmp_path, progress=meddle)
    assert done and [path.name for path in tmp_path.iterdir()] == ["source"]
    begin(few, tmp_path)  # which begins anew
    assert (tmp_path / "out").exists()


def _numbers(ages: list[int]) -> Many:
    frame = pd.DataFrame({"age": ages, "income": np.arange(len(ages)) % 7})
    roles = {"age": "quasi_identifier", "income": "sensitive"}
    kinds = {"age": "numeric", "income": "numeric"}
    schema = kc.Schema.infer(frame).with_kinds(kinds).with_roles(roles)
    return Many(frame, schema, (0, 50, len(ages)))


@pytest.mark.deep
@pytest.mark.parametrize("ages", [[30] * 120, [30] * 70 + list(range(70)), list(range(50)) + [9] * 50])
def test_a_fragment_that_cannot_be_cut_is_one_task(tmp_path, ages):
    from tests.scale.test_bytes import compare

    compare(_numbers(ages), kc.Mondrian(), 3, 20)


def test_what_is_asked_for_in_vain_is_said(few, tmp_path):
    source = few.written(tmp_path / "source")
    with pytest.raises(UnsuitableError, match="130"):
        over_files(source, few, kc.Mondrian(), 131, tmp_path / "out", 30)
    with pytest.raises(UnsuitableError, match="quasi-identifier"):
        bare = replace(few, schema=few.schema.with_quasi([]))
        over_files(source, bare, kc.Mondrian(), 3, tmp_path / "out", 30)
    with pytest.raises(InputError, match="no parquet or csv file at “nothing”"):
        over_files(tmp_path / "nothing", few, kc.Mondrian(), 3, tmp_path / "out", 30)
    with pytest.raises(InputError, match="folder of “out” does not exist"):
        over_files(source, few, kc.Mondrian(), 3, tmp_path / "none" / "out", 30)
    with pytest.raises(UnsuitableError, match="does not run over many files"):
        over_files(source, few, kc.Mondrian(cut="gain"), 3, tmp_path / "out", 30)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
    (tmp_path / "out").mkdir()
    with pytest.raises(OptionError, match="“out” already exists"):
        over_files(source, few, kc.Mondrian(), 3, tmp_path / "out", 30)
    assert not list((tmp_path / "out").iterdir())


def test_an_empty_folder_and_files_without_records_are_said(few, tmp_path):
    (tmp_path / "source").mkdir()
    with pytest.raises(InputError, match="no parquet or csv file"):
        begin(few, tmp_path)
    few.frame[:0].to_parquet(tmp_path / "source" / "part.parquet")
    with pytest.raises(InputError, match="no records"):
        begin(few, tmp_path)

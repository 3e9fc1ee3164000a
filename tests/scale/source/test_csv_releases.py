"""Releases of csv files in pieces: those of one machine, with its recipes; and a sample of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.release.recipe import Recipe
from kanon_core.scale.files import FilesRelease, anonymize_files, repeat_files, sample
from kanon_core.scale.source import layouts, records, texts
from tests.scale.inside import Inside, Off
from tests.scale.manytables import differences, published, small
from tests.scale.source.csvpieces import tiny

ROLES = {"name": "identifier", "illness": "sensitive", "note": "other"}


@pytest.fixture(autouse=True)
def parts(monkeypatch):
    small(monkeypatch)
    tiny(monkeypatch, large=500, chunk=300, rows=25)


def rows(records: int = 120) -> pd.DataFrame:
    """Columns that are of one type in the first pieces, and of another in the whole: zip codes with a zero,
    doses that are not whole, weights of which one is missing, in the last rows alone."""
    rng = np.random.default_rng(5)
    late, cells = np.arange(records) >= records - 7, rng.integers(1, 9, records)
    return pd.DataFrame(
        {
            "name": [f'the "{i}"th,\nperson' for i in range(records)],
            "age": rng.integers(18, 60, records).astype(str),
            "zip": np.where(
                late, "0" + (8000 + cells).astype(str).astype(object), (8000 + cells).astype(str)
            ),
            "dose": np.where(late, "2.5", cells.astype(str)),
            "weight": np.where(np.arange(records) == records - 3, "NA", (50 + cells).astype(str)),
            "born": np.where(late, "", [f"19{50 + i % 40}-0{1 + i % 9}-1{i % 10}" for i in range(records)]),
            "city": np.where(rng.random(records) < 0.5, "Kyōto", "Zürich, old\r\ntown"),
            "late": np.where(late, cells.astype(str), ""),
            "illness": rng.choice(["flu", "gout", "mumps"], records),
            "note": rng.choice(["yes", 'so "called"', ""], records),
        }
    )


def write(place: Path, frame: pd.DataFrame) -> None:
    place.parent.mkdir(exist_ok=True)
    frame.to_csv(place, index=False, lineterminator="\r\n")


@pytest.fixture
def table(tmp_path) -> kc.Table:
    write(tmp_path / "source" / "people.csv", rows())
    table = kc.read_table(tmp_path / "source" / "people.csv")
    return kc.Table.from_frame(table.frame, table.schema.with_roles(ROLES))


def run(
    folder: Path, schema: kc.Schema | None, algorithm=None, engine=None, out="out", **more
) -> FilesRelease:
    algorithm = algorithm or kc.Mondrian()
    rest = {"rows": 30, "despite": "made up"} | more
    place = str(folder / out)
    return anonymize_files(str(folder / "source"), schema, algorithm, 3, place, engine or Inside(), 3, **rest)


@pytest.mark.deep
@pytest.mark.parametrize(
    "algorithm",
    [kc.Mondrian(), kc.Sorting(), kc.Fragments(kc.MDAV(), 50), kc.Fragments(kc.TopDown(), 50)],
    ids=lambda a: a.title,
)
def test_rows_order_and_recipe_are_those_of_one_machine(table, tmp_path, algorithm):
    engine = Inside()
    made = run(tmp_path, table.schema, algorithm, engine)
    assert len([stage for stage, _ in engine.done if stage == "Encode"]) > 3
    one = kc.anonymize(table, algorithm, 3, 3)
    assert not differences(one.publish(), published(tmp_path / "out"))
    assert made.recipe.data_digest == one.recipe.data_digest
    assert table.frame["zip"].dtype == "str" and table.frame["weight"].dtype == "float64"


@pytest.mark.deep
def test_recipes_go_from_one_machine_to_files_and_back(table, tmp_path):
    made = run(tmp_path, table.schema)
    recipe = Recipe.from_json(made.recipe.to_json())
    again = kc.repeat(table, recipe)
    assert not differences(again.publish(), published(tmp_path / "out"))
    one = kc.anonymize(table, kc.Mondrian(), 3, 9)
    repeat_files(
        str(tmp_path / "source"), one.recipe, str(tmp_path / "again"), Inside(), rows=30, despite="made up"
    )
    assert not differences(one.publish(), published(tmp_path / "again"))


@pytest.mark.deep
def test_several_files_are_one_table(table, tmp_path):
    """The first is large, the others are not; one has its fields separated by semicolons."""
    frame, source = rows(), tmp_path / "source"
    (source / "people.csv").unlink()
    write(source / "a.csv", frame[:90])
    frame[90:113].to_csv(source / "b.csv", index=False, sep=";")
    write(source / "c.csv", frame[113:])
    assert (source / "c.csv").stat().st_size < 700
    made = run(tmp_path, table.schema)
    one = kc.anonymize(table, kc.Mondrian(), 3, 3)
    assert not differences(one.publish(), published(tmp_path / "out"))
    assert made.recipe.data_digest == one.recipe.data_digest


def test_a_guessed_schema_is_that_of_the_decided_types(table, tmp_path):
    made = run(tmp_path, None)
    kinds = {a.name: a.kind for a in made.recipe.schema}
    assert kinds["zip"] == "categorical" and kinds["dose"] == "numeric" and kinds["born"] == "datetime"


@pytest.mark.deep
def test_a_release_goes_on_after_each_task(table, tmp_path):
    done: list[tuple[str, int]] = []
    while not (tmp_path / "out").exists():
        engine = Inside(stop_after=5)
        try:
            run(tmp_path, table.schema, engine=engine)
        except Off:
            assert len(engine.done) == 5
        done += engine.done
    at_once = Inside()
    run(tmp_path, table.schema, engine=at_once, out="at once")
    assert done == at_once.done and [stage for stage, _ in done].count("function") > 20
    assert not differences(published(tmp_path / "at once"), published(tmp_path / "out"))


@pytest.mark.deep
def test_addresses_are_read_in_pieces(table, tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="addresses need the library fsspec")
    memory = fsspec.filesystem("memory")
    memory.put(f"{tmp_path / 'source'}/", "/pieces/", recursive=True)
    try:
        said = {"rows": 30, "despite": "made up"}
        place = str(tmp_path / "out")
        made = anonymize_files("memory://pieces", table.schema, kc.Mondrian(), 3, place, Inside(), 3, **said)
    finally:
        memory.rm("/pieces", recursive=True)
    assert made.recipe.data_digest == kc.anonymize(table, kc.Mondrian(), 3, 3).recipe.data_digest


def test_k_is_tuned_over_pieces(table, tmp_path):
    found = kc.tune_files(
        str(tmp_path / "source"), table.schema, kc.Mondrian(), [3], Inside(), 10, 200, work=str(tmp_path)
    )
    one = kc.anonymize(table, kc.Mondrian(), 3, 3)
    assert found.points[0].scores["NCP"] == pytest.approx(float(kc.NCP().measure(table, one).total))


@pytest.mark.deep
def test_csv_beside_parquet_is_one_table_where_types_agree(table, tmp_path):
    source = tmp_path / "source"
    (source / "people.csv").unlink()
    write(source / "a.csv", rows()[:100])
    part = table.frame[100:].copy()
    part.to_parquet(source / "b.parquet", index=False)
    with pytest.raises(
        kc.InputError, match=r"“zip” holds texts in the file “b.parquet” and numbers in .* “a.csv”"
    ):
        run(tmp_path, table.schema)
    write(source / "a.csv", rows().assign(zip="08001")[:100])
    part.assign(zip="08001").to_parquet(source / "b.parquet", index=False)
    run(tmp_path, table.schema)
    assert len(published(tmp_path / "out")) == 120


def test_a_sample_reads_little_of_a_large_file(tmp_path, monkeypatch):
    frame = pd.DataFrame({"age": np.arange(40_000) % 90, "town": [f"t {i},\n" for i in range(40_000)]})
    write(tmp_path / "source" / "people.csv", frame)
    size, read = (tmp_path / "source" / "people.csv").stat().st_size, []
    monkeypatch.setattr(layouts, "_HEAD", 2_000)
    monkeypatch.setattr(texts, "_HEADS", (1_000, 4_000))
    monkeypatch.setattr(records, "CHUNK", size // 25)
    monkeypatch.setattr(records, "_BLOCK", 100)
    opened = layouts.opened

    def counted(address: str):
        return _Counting(opened(address), read)

    for room in (layouts, records, texts):
        monkeypatch.setattr(room, "opened", counted)
    found = sample(str(tmp_path / "source"), 400)
    assert size > 400_000 and 0 < sum(read) < size / 4
    assert len(found) > 300 and set(found["town"]) <= set(frame["town"]) and found["age"].dtype == "int64"
    assert {int(town[2:-2]) // 8_000 for town in found["town"]} == {0, 1, 2, 3, 4}


class _Counting:
    """A file that keeps how many bytes were read."""

    def __init__(self, file, sizes):
        self.file, self.sizes = file, sizes

    def read(self, size=-1):
        data = self.file.read(size)
        self.sizes.append(len(data))
        return data

    def seek(self, place):
        return self.file.seek(place)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.file.close()

"""Sources of tables in many files: csv, folders named after a value, patterns, lists, addresses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError, OptionError, UnsuitableError
from kanon_core.scale.files import anonymize_files, sample
from kanon_core.scale.fragments import first_stages
from kanon_core.scale.source import parts as parts_read
from tests.scale.inside import Inside
from tests.scale.manytables import Many, differences, over_files, published, small

COLUMNS = ["age", "halves", "city", "born", "illness", "grade"]


@pytest.fixture(autouse=True)
def parts(monkeypatch):
    small(monkeypatch)


@pytest.fixture
def few() -> Many:
    return Many.of(8, (0.4, 0.6), COLUMNS, 110)


def expected(many: Many) -> pd.DataFrame:
    return many.release(kc.Mondrian(), 3).publish()


def run(source, many: Many, out: Path, **named) -> pd.DataFrame:
    anonymize_files(source, many.schema, kc.Mondrian(), 3, str(out), Inside(), 3, rows=30, **named)
    return published(out)


def pieces(many: Many) -> list[pd.DataFrame]:
    return [many.frame[a:b] for a, b in zip(many.bounds, many.bounds[1:], strict=False)]


def test_csv_files_are_read_as_one_csv_file_would_be(few, tmp_path):
    (tmp_path / "source").mkdir()
    for number, part in enumerate(pieces(few)):
        part.to_csv(tmp_path / "source" / f"part-{number}.csv", index=False)
    table = kc.read_table(few.frame.to_csv(index=False).encode(), few.schema)
    one = kc.anonymize(table, kc.Mondrian(), 3, 3).publish()
    assert not differences(one, run(str(tmp_path / "source"), few, tmp_path / "out"))


def test_a_csv_file_without_a_column_is_named(few, tmp_path):
    (tmp_path / "source").mkdir()
    for number, part in enumerate(pieces(few)):
        part = part.drop(columns="age") if number == 1 else part
        part.to_csv(tmp_path / "source" / f"part-{number}.csv", index=False)
    with pytest.raises(kc.SchemaError, match=r"part-1\.csv.*“age”"):
        run(str(tmp_path / "source"), few, tmp_path / "out")


@pytest.mark.deep
def test_dates_as_texts_in_a_form_that_is_guessed_are_refused(few, tmp_path):
    (tmp_path / "source").mkdir()
    for number, part in enumerate(pieces(few)):
        written = part.assign(born=part["born"].dt.strftime("%d.%m.%Y"))
        written.to_csv(tmp_path / "source" / f"part-{number}.csv", index=False)
    with pytest.raises(UnsuitableError, match=r"“born” holds dates as texts.* --date-order born=dmy"):
        run(str(tmp_path / "source"), few, tmp_path / "out")
    said = replace(few, schema=few.schema.with_date_orders({"born": "dmy"}))
    written = few.frame.assign(born=few.frame["born"].dt.strftime("%d.%m.%Y"))
    one = kc.anonymize(kc.Table.from_frame(written, said.schema), kc.Mondrian(), 3, 3).publish()
    assert not differences(one, run(str(tmp_path / "source"), said, tmp_path / "said"))


def test_folders_say_the_value_of_a_column(few, tmp_path):
    """As Hive and Spark write them; a value that is not known has a name of its own."""
    years = ["2023", "New%20Year", "__HIVE_DEFAULT_PARTITION__"]
    for year, part in zip(years, pieces(few), strict=True):
        (tmp_path / "source" / f"year={year}").mkdir(parents=True)
        part.to_parquet(tmp_path / "source" / f"year={year}" / "part.parquet", index=False)
    said = pd.Series(["2023", "New Year", None], dtype="str")
    frame = pd.concat([part.assign(year=said[i]) for i, part in enumerate(pieces(few))])
    frame["year"] = frame["year"].astype("str")
    schema = kc.Schema((*few.schema.attributes, kc.Attribute("year")))
    many = Many(frame.sort_values("year", kind="stable").reset_index(drop=True), schema, few.bounds)
    assert not differences(expected(many), run(str(tmp_path / "source"), many, tmp_path / "out"))


@pytest.mark.deep
def test_a_pattern_a_list_and_a_single_file(few, tmp_path):
    source = few.written(tmp_path / "source")
    (source / "readme.txt").write_text("no table")
    (source / "_SUCCESS.parquet").write_text("no table")
    (source / ".part.parquet").write_text("no table")
    names = sorted(str(path) for path in source.glob("part-*.parquet"))
    for number, given in enumerate([str(source), f"{source}/part-*.parquet", names, names[::-1]]):
        assert not differences(expected(few), run(given, few, tmp_path / f"out {number}"))
    frame = pd.read_parquet(names[0])
    first = Many(frame, few.schema, (0, few.bounds[1]))
    assert not differences(expected(first), run(names[0], first, tmp_path / "out of one"))


@pytest.mark.deep
def test_addresses_are_read_and_written(few, tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="addresses need the library fsspec")
    source, memory = few.written(tmp_path / "source"), fsspec.filesystem("memory")
    memory.put(f"{source}/", "/many/", recursive=True)
    try:
        found = run("memory://many", few, tmp_path / "from memory")
        assert not differences(expected(few), found)
        found = run("memory://many/part-*.parquet", few, tmp_path / "by pattern")
        assert not differences(expected(few), found)
    finally:
        memory.rm("/many", recursive=True)
    with pytest.raises(OptionError, match="name a work folder"):
        run(f"file://{source}", few, f"file://{tmp_path}/published")
    (tmp_path / "work").mkdir()
    anonymize_files(
        f"file://{source}",
        few.schema,
        kc.Mondrian(),
        3,
        f"file://{tmp_path}/published",
        Inside(),
        3,
        str(tmp_path / "work"),
        30,
    )
    assert not differences(expected(few), published(tmp_path / "published"))
    assert not list((tmp_path / "work").iterdir())


def test_an_address_that_nobody_knows_is_said(few, tmp_path):
    with pytest.raises(OptionError, match="The kind of the address “nowhere://” is unknown"):
        run("nowhere://here", few, tmp_path / "out")


def test_a_schema_is_guessed_from_all_parts(few, tmp_path):
    source = few.written(tmp_path / "source")
    found = sample(str(source), 60)
    assert list(found.columns) == list(few.frame.columns) and set(found["city"]) - set(few.frame["city"][:40])
    made = anonymize_files(str(source), None, kc.Mondrian(), 3, str(tmp_path / "out"), Inside(), 3)
    assert made.recipe.schema == kc.Schema.infer(sample(str(source)))


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", [kc.Mondrian(), kc.Sorting()])
def test_values_outside_the_order_that_is_given_are_told_as_on_one_machine(tmp_path, algorithm):
    many = Many.of(4, (0.3, 0.6), ["size", "age", "illness"], 120)
    many = replace(many, schema=many.schema.with_orders({"size": ("tiny", "small", "medium")}))
    source = many.written(tmp_path / "source")
    one = many.release(algorithm, 3)
    outside = {name: each.count for name, each in one.table.misfits.items()}
    assert outside["size"] > 0
    if algorithm.by_order:
        with pytest.raises(kc.UnsuitableError, match="“size” has cells that do not fit its kind"):
            over_files(source, many, algorithm, 3, tmp_path / "out", 30)
        return
    made = over_files(source, many, algorithm, 3, tmp_path / "out", 30)
    assert made.misfits == outside and not differences(one.publish(), published(tmp_path / "out"))


def test_a_file_that_is_there_twice_is_not_counted_twice(few, tmp_path):
    """Three people would hide among six."""
    source = few.written(tmp_path / "source")
    twice = [str(source), str(source / "part-1.parquet")]
    with pytest.raises(InputError, match=r"“part-1\.parquet” is given twice, also as “.*part-1\.parquet”"):
        run(twice, few, tmp_path / "out")
    (source / "part-9.parquet").symlink_to(source / "part-0.parquet")
    with pytest.raises(InputError, match=r"“part-9\.parquet” is given twice, also as “.*part-0\.parquet”"):
        run(str(source), few, tmp_path / "out")


@pytest.mark.parametrize("to", ["elsewhere", "nothing"])
def test_a_link_to_a_folder_or_to_nothing_is_not_passed_over(few, tmp_path, to):
    source = few.written(tmp_path / "source")
    (tmp_path / "elsewhere").mkdir()
    (source / "more").symlink_to(tmp_path / to)
    with pytest.raises(InputError, match="“more” is a link to a folder, or a broken link, and is not"):
        run(str(source), few, tmp_path / "out")


@pytest.mark.deep
def test_only_names_below_the_source_are_hidden(few, tmp_path, monkeypatch):
    place = tmp_path / "_work" / ".here"
    place.mkdir(parents=True)
    few.written(place / "source")
    (place / "source" / "_old").mkdir()
    (place / "source" / "_old" / "bad.parquet").write_bytes(b"bad")
    monkeypatch.chdir(place)
    for number, source in enumerate(("source", "source/*.parquet", "s*e/*.parquet", str(place / "source"))):
        assert not differences(expected(few), run(source, few, tmp_path / str(number)))


def test_paths_may_be_paths(few, tmp_path):
    source = few.written(tmp_path / "source")
    anonymize_files(
        source, few.schema, kc.Mondrian(), 3, tmp_path / "out", Inside(), 3, tmp_path / "work", 30
    )
    assert not differences(expected(few), published(tmp_path / "out"))


@pytest.mark.parametrize("rows", [-1, 2.5, "9", True])
def test_rows_must_be_a_whole_number(few, tmp_path, rows):
    source = few.written(tmp_path / "source")
    with pytest.raises(OptionError, match="rows must be a whole number"):
        anonymize_files(source, few.schema, kc.Mondrian(), 3, tmp_path / "out", Inside(), 3, rows=rows)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_names_of_columns_are_tidied_as_in_one_file(few, tmp_path):
    """Pandas writes an index of its own after rows were left out; names with blanks happen."""
    (tmp_path / "source").mkdir()
    for number, part in enumerate(pieces(few)):
        part = part.rename(columns={"age": " age ", "city": "ci\nty"})
        part.index = pd.Index(part.index.to_numpy() * 2)
        part.to_parquet(tmp_path / "source" / f"part-{number}.parquet")
    whole = pd.concat([pd.read_parquet(file) for file in sorted((tmp_path / "source").iterdir())])
    whole.to_parquet(tmp_path / "one.parquet")
    table = kc.read_table(tmp_path / "one.parquet")
    assert "age" in table.schema.names and "index" in table.schema.names
    roles = {name: "identifier" for name in table.schema.names if name in ("index", "name")}
    schema = table.schema.with_roles({**roles, "age": "quasi_identifier", "illness": "sensitive"})
    source, out = tmp_path / "source", tmp_path / "out"
    anonymize_files(source, schema, kc.Mondrian(), 3, out, Inside(), 3, rows=30, despite="made up")
    one = kc.anonymize(table.with_schema(schema), kc.Mondrian(), 3, 3)
    assert not differences(one.publish(), published(out))


@pytest.mark.deep
def test_folders_above_the_source_say_no_columns(few, tmp_path, monkeypatch):
    place = tmp_path / "run=5"
    place.mkdir()
    source = few.written(place / "source")
    monkeypatch.chdir(place)
    for number, name in enumerate(("source", str(source), "source/*.parquet", f"{source}/*")):
        assert not differences(expected(few), run(name, few, tmp_path / str(number)))


def test_a_column_in_a_file_and_in_the_name_of_its_folder_is_refused(few, tmp_path):
    (tmp_path / "source").mkdir()
    few.written(tmp_path / "source" / "age=1")
    with pytest.raises(InputError, match="“age” occurs both in the file and in the name of its folder"):
        run(str(tmp_path / "source"), few, tmp_path / "out")


def test_a_file_that_cannot_be_read_just_now_costs_no_work(few, tmp_path, monkeypatch):
    """It is not damaged: the same call goes on."""
    source, real = few.written(tmp_path / "source"), parts_read.opened

    def refused(file):
        if file.endswith("part-1.parquet"):
            raise PermissionError(13, "Permission denied")
        return real(file)

    monkeypatch.setattr(parts_read, "opened", refused)
    with pytest.raises(kc.StorageError, match=r"part-1\.parquet.*\(Permission denied\)"):
        run(str(source), few, tmp_path / "out")
    assert list(tmp_path.glob(".kanon-*"))
    monkeypatch.setattr(parts_read, "opened", real)
    assert not differences(expected(few), run(str(source), few, tmp_path / "out"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "source"]


@pytest.mark.parametrize("together", [False, True])
def test_whole_numbers_that_would_be_rounded_are_refused(few, tmp_path, monkeypatch, together):
    """A number of 19 digits is some receipt's; the nearest number with decimals is another's."""
    if together:
        monkeypatch.setattr(first_stages, "ROWS_OF_A_PART", 1_000)
    source = tmp_path / "source"
    source.mkdir()
    for number, part in enumerate(pieces(few)):
        part = part.assign(grade=2**53 + 1 if number else 0.5)
        part.to_parquet(source / f"part-{number}.parquet", index=False)
    with pytest.raises(InputError, match="“grade” has whole numbers of 16 digits or more in some files"):
        run(str(source), few, tmp_path / "out")

"""Names given to the columns in place of those of the file, and files whose names say nothing of them."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError, KanonError, SchemaError
from kanon_core.cli import main
from kanon_core.release.recipe import Recipe
from kanon_core.report import release_bytes
from kanon_core.table.domain import Domain
from kanon_core.table.readers import check_reading, read_frame
from kanon_core.table.reading import starting_schema
from tests.report.test_export import allowed, check_both

NAMELESS = "".join(f"{20 + i % 7}, {'MF'[i % 2]}, {'abc'[i % 3]}\n" for i in range(30)).encode()
NAMES = ("age", "sex, as told", "city=home")


def files(data: bytes) -> dict[str, bytes]:
    """The same rows in every format that has columns, without names of columns where there can be none."""
    frame = pd.read_csv(io.BytesIO(data), header=None, skipinitialspace=True)
    frame.columns = ["a", "b", "c"]
    book, parquet = io.BytesIO(), io.BytesIO()
    frame.to_excel(book, index=False, header=False)
    frame.to_parquet(parquet)
    return {"data": data, "xlsx": book.getvalue(), "parquet": parquet.getvalue(), "gz": gzip.compress(data)}


@pytest.mark.parametrize("format", ["data", "xlsx", "parquet", "gz"])
def test_renaming_is_reading_with_names(format):
    data = files(NAMELESS)[format]
    read, renamed = kc.read_table(data, names=NAMES), kc.read_table(data).with_names(NAMES)
    assert read.schema.names == renamed.schema.names == tuple(read.frame) == NAMES
    assert read.digest == renamed.digest and read.reading == renamed.reading
    assert kc.read_table(data, **renamed.reading).digest == renamed.digest


def test_roles_and_everything_else_stay_with_their_columns():
    table = kc.read_table(NAMELESS)
    schema = table.schema.with_roles({"column_3": "sensitive"}).with_weights({"column_1": 3})
    renamed = table.with_schema(schema).with_names(NAMES)
    assert [(a.name, a.role, a.weight) for a in renamed.schema] == [
        ("age", "quasi_identifier", 3),
        ("sex, as told", "quasi_identifier", 1),
        ("city=home", "sensitive", 1),
    ]
    assert table.schema.names == ("column_1", "column_2", "column_3") == tuple(table.frame)
    assert renamed.data_digest != table.data_digest
    assert renamed.with_names(table.schema.names).data_digest == table.data_digest


def test_notes_speak_of_the_columns_by_their_new_names():
    data = b"?,1\nx,2\n" * 3
    said = kc.read_table(data, names=("column_2", "n")).notes
    assert said == kc.read_table(data).with_names(("column_2", "n")).notes
    assert any("“column_2” 3" in note for note in said) and not any("column_1" in note for note in said)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("a", "b"), "2 names were given for 3 columns"),
        (("a", " ", "c"), "new name of column “column_2” is empty"),
        (("a", "b", "a"), "Two columns would have the name “a”"),
        (("a", "b", "a "), "Two columns would have the name “a”"),
        (("a", "b\nc", "d"), "“column_2” has an invisible character"),
    ],
)
def test_names_that_are_refused(names, said):
    for attempt in (kc.read_table(NAMELESS).with_names, lambda given: kc.read_table(NAMELESS, names=given)):
        with pytest.raises(InputError, match=said):
            attempt(names)


def test_names_in_a_recipe_are_texts():
    assert check_reading({"names": ["a"]}) == {"names": ("a",)}
    for wrong in ("a", [1], None):
        with pytest.raises(InputError, match="“names” must be a list of texts"):
            check_reading({"names": wrong})


def test_a_part_of_a_table_keeps_its_names():
    table = kc.read_table(NAMELESS)
    part = kc.Table.from_frame(table.frame, table.schema, domain=Domain.of(table.columns))
    with pytest.raises(SchemaError, match="former column names"):
        part.with_names(NAMES)


@pytest.mark.parametrize("source", ["nameless.data", "named.csv", "sample:people-100", "basket.dat"])
def test_recipe_script_and_command_make_the_same_bytes(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("nameless.data").write_bytes(NAMELESS)
    Path("named.csv").write_bytes(b"column,b,c\n" + NAMELESS)
    Path("basket.dat").write_bytes(b"1 2\n1\n" * 10)
    table = kc.read_table(source)
    table = table.with_names([f"{i}. “{name}”, new" for i, name in enumerate(table.schema.names)])
    release = allowed(kc.anonymize(table, kc.TopDown(), k=3, seed=7))
    check_both(release, source, tmp_path)
    recipe = Recipe.from_json(release.recipe.to_json())
    assert recipe == release.recipe and recipe.reading["names"] == table.schema.names
    Path("recipe.json").write_text(recipe.to_json())
    assert main(["run", "recipe.json", source, "--out=again.csv"]) == 0
    assert Path("again.csv").read_bytes() == release_bytes(release)


def test_names_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "nameless.data"
    file.write_bytes(NAMELESS)
    assert main(["describe", str(file), '--names=age,"sex, as told",city']) == 0
    said = capsys.readouterr().out
    assert "sex, as told" in said and "column_1" not in said
    assert main(["describe", str(file), "--names=age,sex"]) == 2
    assert "2 names were given for 3 columns" in capsys.readouterr().err


def test_long_form_goes_by_the_names_of_the_file():
    data = b"1,milk\n1,beer\n2,milk\n"
    table = kc.read_table(data, header=False, long=("column_1", "column_2"), names=("order", "goods"))
    assert table.schema.names == ("order", "goods") and table.schema["goods"].kind == "items"
    assert kc.read_table(data, **table.reading).digest == table.digest
    assert starting_schema(table.frame, table.reading) == table.schema


# What a file is, its content says


@pytest.mark.parametrize("name", ["adult.data", "table", "table.xlsx", "table.pdf", "日本.全部"])
@pytest.mark.parametrize("format", ["data", "xlsx", "parquet", "gz"])
def test_the_ending_of_a_name_says_nothing(name, format, tmp_path):
    path = tmp_path / name
    path.write_bytes(files(NAMELESS)[format])
    assert read_frame(path).frame.shape == (30, 3)


def test_binary_junk_is_refused_and_what_was_looked_for_is_said():
    rng = np.random.default_rng(3)
    junk = rng.integers(1, 256, 20_000).astype(np.uint8).tobytes()  # no zero byte gives it away
    for data in (
        junk,
        b"\x7fELF\x02\x01\x01" + junk,
        b"%PDF-1.4\n" + junk,
        bytes(2_000),
        b"PK\x03\x04" + junk,
    ):
        with pytest.raises(KanonError) as refused:
            read_frame(data)
        assert "\x7f" not in str(refused.value) and str(refused.value).endswith(".")
    for data in (junk, bytes(2_000), b"%PDF-1.4\n" + junk):
        with pytest.raises(InputError, match=r"reads delimited text .*\.xlsx.*parquet.*fimi.*gzip"):
            read_frame(data)


def test_a_stray_control_character_does_not_make_a_text_binary():
    lines = b"".join(b"Z\xfcrich,%d\n" % i for i in range(500))
    assert read_frame(b"town\x01,n\n" + lines).frame.shape == (500, 2)

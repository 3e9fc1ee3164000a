"""Exports: files that are safe to hand over, and a script and a command line that make the same bytes."""

from __future__ import annotations

import ast
import io
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import OptionError
from kanon_core.base.lists import join_list, join_pairs, split_list, split_pairs
from kanon_core.base.options import expression
from kanon_core.cli import main
from kanon_core.report import command_line, format_of, release_bytes, released_name, script
from kanon_core.table.differences import applied, differences
from kanon_core.table.samples import SAMPLES
from tests.charts.purchasetables import purchases
from tests.contracts.tables import FRAMES, ODD_NAMES, RECORDS, SETTINGS, k_of, table_of
from tests.helpers import looped

FORMATS = ("csv", "xlsx", "parquet")
ROOT = Path(__file__).parents[2]


def stored(table: kc.Table, folder: Path, name: str, format: str = "csv") -> kc.Table:
    """The table written to a file and read again, so that it knows how it was read."""
    path = folder / name
    if format == "parquet":
        table.frame.to_parquet(path)
    elif format == "xlsx":
        table.frame.to_excel(path, index=False, sheet_name="first sheet")
    else:
        table.frame.to_csv(path, index=False, sep=";" if format == "semicolons" else ",", encoding="utf-8")
    return kc.read_table(path)


def allowed(release: kc.Release) -> kc.Release:
    """The release, with a reason for what may stop it."""
    return replace(release, recipe=replace(release.recipe, reasons={"a finding": "it is a test"}))


def check_both(
    release: kc.Release, file_name: str, folder: Path, format: str = "csv", shuffle: bool = True
) -> None:
    """Run the script and the command line in the folder; both must write the release's bytes."""
    expected, written = (
        release_bytes(release, format, shuffle),
        folder / released_name(release, file_name, format),
    )
    exec(compile(script(release, file_name, format, shuffle), "script.py", "exec"), {})
    assert written.read_bytes() == expected
    written.unlink()
    python, dash, module, *words = shlex.split(command_line(allowed(release), file_name, format, shuffle))
    assert (python, dash, module) == ("python", "-m", "kanon_core")
    assert main(words) == 0
    assert written.read_bytes() == expected
    written.unlink()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_every_setting_is_made_again_by_script_and_command(algorithm, here):
    k = k_of(algorithm)
    tables = {name: table_of(name, RECORDS[k]) for name in FRAMES}
    names = [name for name, table in tables.items() if not algorithm.unsuitable(table, k)]
    chosen = tables["mixed" if "mixed" in names else names[0]]
    table = stored(chosen, here, "people.csv").with_schema(chosen.schema)
    check_both(kc.anonymize(table, algorithm, k=k, seed=5), "people.csv", here)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shuffle", [True, False])
def test_every_format(format, shuffle, here):
    table = stored(table_of("mixed"), here, "people.csv")
    release = kc.anonymize(table, kc.MDAV(), k=3)
    check_both(release, "people.csv", here, format, shuffle)


@pytest.mark.parametrize("format", ["semicolons", "xlsx", "parquet"])
def test_files_are_read_the_same_way(format, here):
    name = f"-my people; (1).{format}"
    table = stored(table_of("mixed"), here, name, format)
    check_both(kc.anonymize(table, kc.Sorting(), k=4), name, here)


def test_reading_options_that_nobody_would_guess(here):
    Path("codes.txt").write_bytes("?\té\t3\n?\tü\t4\nx\té\t?\n".encode("utf-16-le") * 3)
    how = {
        "format": "csv",
        "encoding": "utf-16-le",
        "delimiter": "\t",
        "header": False,
        "missing": ("?", ","),
        "typed": False,
    }
    table = kc.read_table("codes.txt", **how)
    assert len(table) == 9
    table = table.with_schema(table.schema.with_quasi(table.schema.names))
    check_both(kc.anonymize(table, kc.Sorting(), k=3), "codes.txt", here)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_odd_column_names(suffix, here):
    table = stored(table_of("odd"), here, f"odd.{suffix}", suffix)
    names = table.schema.names
    assert len(names) == len(ODD_NAMES)
    schema = table.schema.with_roles(
        {
            **dict.fromkeys(names[:5], "quasi_identifier"),
            **dict.fromkeys(names[5:7], "sensitive"),
            names[7]: "identifier",
            names[8]: "person",
        }
    )
    schema = schema.with_weights({names[1]: 2.5, names[0]: 0.1}).with_recodings(
        {names[1]: "mode", names[0]: "mean"}
    )
    check_both(
        kc.anonymize(table.with_schema(schema), kc.PurchaseHistories(by=(names[1], names[0])), k=2),
        f"odd.{suffix}",
        here,
    )
    table = table.with_schema(schema.with_roles({names[8]: "identifier"}))
    check_both(kc.anonymize(table, kc.Sorting(by=(names[1], names[2], names[0])), k=3), f"odd.{suffix}", here)


def test_every_kind_of_schema_difference(here):
    table = stored(table_of("mixed"), here, "people.csv")
    schema = table.schema.with_roles({"diagnosis": "other", "age": "sensitive", "name": "quasi_identifier"})
    schema = schema.with_kinds({"age": "categorical", "name": "categorical"}).with_weights({"city": 3})
    check_both(kc.anonymize(table.with_schema(schema), kc.MDAV(), k=3), "people.csv", here)


def test_places_that_change_their_kind(here):
    """A table has one place per record: no step on the way to the schema may have two latitudes."""
    frame = table_of("places").frame
    frame = frame.assign(home=frame["lat"], north=frame["lon"] - 130)
    frame.to_csv("places.csv", index=False)
    table = kc.read_table("places.csv")
    schema = applied(
        table.schema,
        differences(
            table.schema,
            kc.Schema.from_json(
                [
                    {"name": "lat", "role": "other", "kind": "latitude"},
                    {"name": "lon", "role": "quasi_identifier", "kind": "longitude", "recoding": "median"},
                    {"name": "home", "role": "quasi_identifier", "kind": "latitude"},
                    {"name": "north", "role": "person", "kind": "text"},
                ]
            ),
        ),
    )
    assert [attribute.name for attribute in schema.quasi_identifiers] == ["lon", "home"]
    check_both(kc.anonymize(table.with_schema(schema), kc.MDAV(), k=3), "places.csv", here)


@pytest.mark.parametrize(
    "name", [sample.name for sample in SAMPLES if sample.rows <= 100 or sample is SAMPLES[0]]
)
def test_samples_are_made_again_by_name(name, here):
    table = kc.read_table(f"sample:{name}")
    k = min(5, len(table))
    chosen = next(a for a in (kc.Sorting(), kc.TopDown()) if not a.unsuitable(table, k))
    check_both(kc.anonymize(table, chosen, k=k), "whatever.csv", here)


def test_a_sample_under_another_schema(here):
    table = kc.read_table("sample:people-100")
    schema = table.schema.with_roles({"age": "other", "condition": "quasi_identifier"}).with_kinds(
        {"age": "categorical"}
    )
    check_both(kc.anonymize(table.with_schema(schema), kc.MDAV(), k=5), "whatever.csv", here)


def test_a_file_that_is_named_like_a_sample(here):
    table = stored(table_of("mixed"), here, "sample:people-100.csv".replace("sample:", "./sample:"))
    check_both(kc.anonymize(table, kc.MDAV(), k=3), "sample:people-100.csv", here)


@pytest.mark.deep
def test_a_real_shell_runs_the_command_and_a_real_interpreter_the_script(here):
    table = stored(table_of("odd"), here, "it's $HOME.csv")
    table = table.with_schema(
        table.schema.with_roles({"名前 😀": "quasi_identifier"})
    )  # names repeat: undecided
    release = kc.anonymize(table, kc.Sorting(), k=3)
    written = here / released_name(release, "it's $HOME.csv")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = command_line(release, "it's $HOME.csv").replace("python", shlex.quote(sys.executable), 1)
    Path("again.py").write_text(script(release, "it's $HOME.csv"), "utf-8")
    for run in (command, f"{shlex.quote(sys.executable)} again.py"):
        subprocess.run(run, shell=True, check=True, env=environment, timeout=120, stdout=subprocess.DEVNULL)
        assert written.read_bytes() == release_bytes(release)
        written.unlink()


def test_a_plain_release_has_a_short_script(here):
    table = stored(table_of("three numbers"), here, "points.csv")
    text = script(kc.anonymize(table, kc.MDAV(), k=3), "points.csv")
    assert len(text.splitlines()) == 11
    assert "with_schema" not in text and "kc.MDAV()" in text and "shuffle" not in text
    assert text.startswith(
        '# Reads "points.csv", anonymizes it by MDAV with k = 3,\n# and writes "points-k3.csv".'
    )


def test_a_file_name_cannot_become_a_line_of_the_script():
    release = kc.anonymize(table_of("three numbers"), kc.MDAV(), k=3)
    name = "a\nprint('in')\r\u2028\"'.csv"
    tree = ast.parse(script(release, name))
    calls = {
        node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and hasattr(node.func, "id")
    }
    assert calls == {"Path", "release_bytes"}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert {name, released_name(release, name)} <= texts


def test_identifiers_and_suppressed_records_stay_out():
    table = table_of("mixed")
    release = kc.anonymize(table, kc.MDAV(), k=3)
    for format in FORMATS:
        assert b"person 1" not in release_bytes(release, format)
    published = pd.read_csv(io.BytesIO(release_bytes(release)))
    assert list(published.columns) == ["age", "city", "diagnosis"]
    groups = release.cover.groups.copy()
    groups[groups == 0] = -1
    some = kc.Release.of(table, kc.Partition(groups), release.recipe)
    assert len(pd.read_csv(io.BytesIO(release_bytes(some)))) == (groups >= 0).sum() < len(table)


def test_rows_are_shuffled_unless_told_otherwise():
    table = table_of("three numbers", 60)
    release = kc.anonymize(table, kc.MDAV(), k=3)
    kept = release_bytes(release, shuffle=False).splitlines()
    mixed = release_bytes(release).splitlines()
    other = release_bytes(kc.anonymize(table, kc.MDAV(), k=3, seed=1)).splitlines()
    assert kept[0] == mixed[0] and kept != mixed != other
    assert sorted(kept) == sorted(mixed) == sorted(other)


def test_no_spreadsheet_runs_a_cell_or_a_name():
    release = kc.anonymize(table_of("odd"), kc.Sorting(), k=3)
    frame = pd.read_csv(io.BytesIO(release_bytes(release)), keep_default_na=False)
    sheet = openpyxl.load_workbook(io.BytesIO(release_bytes(release, "xlsx"))).worksheets[0]
    texts = [*frame.columns, *frame.astype(str).to_numpy().ravel()]
    assert any("1+1" in text for text in texts)
    assert not any(len(text) > 1 and text.startswith(("=", "+", "-", "@")) for text in texts)
    cells = [cell for row in sheet for cell in row]
    assert any("1+1" in str(cell.value) for cell in cells) and all(cell.data_type != "f" for cell in cells)


def test_names_and_formats():
    release = kc.anonymize(table_of("one number"), kc.MDAV(), k=4)
    assert released_name(release, "folder/people.data.csv", "xlsx") == "people.data-k4.xlsx"
    assert [format_of(f"x.{name.upper()}") for name in FORMATS] == list(FORMATS)
    for name in ("x", "x.doc", "csv", "x.csv.gz"):
        with pytest.raises(OptionError, match=r"\.csv"):
            format_of(name)
    with pytest.raises(OptionError):
        release_bytes(release, "doc")
    assert format_of("x.PWSCUP", released=True) == "pwscup"
    with pytest.raises(OptionError, match=r"\.csv"):
        format_of("x.pwscup")
    with pytest.raises(OptionError, match=r"\.pwscup"):
        format_of("x.doc", released=True)


def test_histories_are_exported_in_the_contest_s_notation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = stored(purchases(), tmp_path, "purchases.csv").with_schema(purchases().schema)
    check_both(kc.anonymize(table, kc.PurchaseHistories(), 4), "purchases.csv", tmp_path, "pwscup")
    with pytest.raises(kc.UnsuitableError, match="purchase histories"):
        release_bytes(kc.anonymize(table_of("one number"), kc.MDAV(), k=4), "pwscup")


texts = st.text(max_size=6).filter(lambda text: "\0" not in text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(texts, max_size=4))
def test_lists_of_any_names_come_back(names):
    assert split_list(join_list(names)) == names


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.dictionaries(texts, st.sampled_from(["mean", "2.5", "other"]), max_size=4))
def test_pairs_of_any_names_come_back(pairs):
    assert split_pairs(join_pairs(pairs), "role") == pairs


@looped(
    "text, items",
    [
        ("age,zip", ["age", "zip"]),
        ("", []),
        ('"a,b",c', ["a,b", "c"]),
        ('"a ""b"""', ['a "b"']),
        ("a b", ["a b"]),
    ],
)
def test_lists_as_people_write_them(text, items):
    assert split_list(text) == items
    assert join_list(items) == text or text.count('"')


@looped("text", ['"a', '"a"b', "a\nb"])
def test_lists_with_a_wrong_quote_are_refused(text):
    with pytest.raises(OptionError, match=r"\.$"):
        split_list(text)


def test_the_settings_cover_every_algorithm():
    assert {type(setting) for setting in SETTINGS} == set(ALGORITHMS)

"""A distance in one word, and an export that makes the same release by the distances chosen."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import OptionError
from kanon_core.base.lists import join_pairs, split_pairs
from kanon_core.cli import main
from kanon_core.cli.commands import parser
from kanon_core.cli.sources import table_of as read
from kanon_core.distances import DISTANCES
from kanon_core.distances.written import from_word, to_word
from kanon_core.report import command_line, release_bytes, released_name, script
from tests.distances.cases import CASES


@pytest.mark.parametrize("cls", DISTANCES, ids=lambda cls: cls.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_word_stands_for_the_distance(cls, data):
    distance = data.draw(CASES[cls]).distance
    assert from_word(to_word(distance)) == distance
    assert from_word(cls.__name__.upper()) == cls()
    pairs = {"a, b": to_word(distance), "c=d": to_word(cls())}
    assert split_pairs(join_pairs(pairs), "distance") == pairs


def test_nodes_may_hold_any_sign():
    tree = kc.Tree({'a=b, "c"': "{r}"})
    pairs = split_pairs(join_pairs({"x": to_word(tree)}), "distance")
    assert from_word(pairs["x"]) == tree


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nosuch", "no distance “nosuch”"),
        ("{x", "could not be read"),
        ('{"name": "MDAV"}', "MDAV is not a distance"),
    ],
)
def test_a_word_for_nothing_is_refused(word, said):
    with pytest.raises(OptionError, match=said):
        from_word(word)


def test_script_and_command_make_the_bytes_of_a_release_by_chosen_distances(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    towns = ["Nara", "Osaka", "Tokyo"]
    frame = pd.DataFrame(
        {"town": rng.choice(towns, 30), "age": rng.integers(18, 90, 30), "lat": rng.uniform(30, 40, 30)}
    )
    frame.assign(lon=rng.uniform(130, 140, 30)).to_csv("people.csv", index=False)
    table = kc.read_table("people.csv")
    schema = table.schema.with_quasi(["town", "age", "lat", "lon"]).with_weights({"lat": 0.01})
    tree = kc.Tree({"Nara": "Kansai", "Osaka": "Kansai", "Tokyo": "Kanto", "Kansai": "=", "Kanto": "="})
    table = table.with_schema(
        schema.with_distances({"town": tree, "age": kc.Absolute("sd"), "lat": kc.GreatCircle()})
    )
    release = kc.anonymize(table, kc.OptimalConcealment("chosen"), k=3)
    written, expected = tmp_path / released_name(release, "people.csv", "csv"), release_bytes(release, "csv")
    exec(compile(script(release, "people.csv"), "script.py", "exec"), {})
    assert written.read_bytes() == expected
    written.unlink()
    assert main(shlex.split(command_line(release, "people.csv"))[3:]) == 0
    assert written.read_bytes() == expected
    by_range = kc.anonymize(table, kc.OptimalConcealment(), k=3)
    assert not np.array_equal(by_range.cover.matchings, release.cover.matchings)


def test_the_command_line_names_the_column_of_an_impossible_distance(tmp_path, capsys):
    path = tmp_path / "people.csv"
    path.write_text("town,age\nNara,3\nOsaka,4\n", "utf-8")
    assert main(["describe", str(path), "--distances", "age=levenshtein"]) != 0
    assert "“age” has the kind numeric" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "distance"),
    [
        ("graph", "a,b,2\nb,c\n", kc.Graph([("a", "b", 2), ("b", "c", 1)])),
        ("Graph", "\ufeffa\tb\t2\n", kc.Graph([("a", "b", 2)])),
        ("tree", "a,r\nb,r\nc,r\n", kc.Tree({"a": "r", "b": "r", "c": "r"})),
        ("givenmatrix", "a,0,1\nb,1,0\n", kc.GivenMatrix([("a", 0, 1), ("b", 1, 0)])),
    ],
)
def test_edges_parents_and_cells_come_from_a_file(name, text, distance, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("towns.csv").write_text("town\na\nb\n", "utf-8")
    Path("given.txt").write_text(text, "utf-8")
    words = ["describe", "towns.csv", "--quasi", "town", "--distances", f"town={name}:given.txt"]
    assert read(parser(words).parse_args(words)).schema["town"].distance == distance


@pytest.mark.parametrize(
    ("word", "text", "said"),
    [
        (
            "graph:given.txt",
            "a,b,far",
            "The edges of “Graph” in “given.txt” must be triples (node, node, length)",
        ),
        ("graph:given.txt", "a,b,1\nc,d,1", "The graph is not connected"),
        ("givenmatrix:given.txt", "a,0,1\nb,2,0", "not symmetric"),
        ("givenmatrix:given.txt", "a,0,\nb,,0", "lacks a value"),
        ("graph:nowhere.txt", "", "“nowhere.txt” cannot be opened"),
        ("levenshtein:given.txt", "", "There is no distance “levenshtein:given.txt”"),
    ],
)
def test_what_is_wrong_with_such_a_file_is_one_sentence(word, text, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("towns.csv").write_text("town\na\nb\n", "utf-8")
    Path("given.txt").write_text(text, "utf-8")
    assert main(["describe", "towns.csv", "--distances", f"town={word}"]) == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in last and last.endswith(".")

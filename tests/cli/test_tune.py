"""`kanon tune`: a curve with its errors, what it is based on, and the command for the whole table."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main, tuning
from kanon_core.cli.output import Bar
from tests.cli.test_cli import refused
from tests.scale.inside import Inside


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Two parquet files of 1,000 records, in a folder whose name has a blank."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tuning, "engine_of", lambda given: Inside())
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.integers(18, 90, 2_000), "pay": rng.lognormal(3, 1, 2_000).round(2)})
    (tmp_path / "my data").mkdir()
    frame[:1_000].to_parquet("my data/a.parquet")
    frame[1_000:].to_parquet("my data/b.parquet")
    return tmp_path


def tune(*words: str) -> int:
    return main(["tune", "my data/*.parquet", "--algorithm=mondrian", "--work=.", *words])


def test_the_curve_is_printed_with_its_errors_and_the_command_for_all(here, capsys):
    assert tune("--quasi=age,pay", "--k", "2,3,4,5,6", "--rows", "120", "--cells=10", "--seed=1") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["k", "certainty", "penalty", "(0", "%", "=", "exact", "values)"]
    assert [line.split()[0] for line in lines[1:6]] == list("23456")
    assert all("±" in line and line.endswith("%") for line in lines[1:6])
    assert "whole cells" in lines[6] and "of 2,000 rows; random rows would overstate the loss" in lines[6]
    words = shlex.split(lines[-1])
    assert words[:6] == [
        *("kanon", "anonymize", "my data/*.parquet", "--algorithm=mondrian", "--quasi=age,pay", "--engine")
    ]
    assert words[6] == "local" and words[7] == "--k" and words[8] in "23456"
    assert words[9:] == ["--out", "release", "--recipe", "recipe.json"]
    assert [path.name for path in here.iterdir()] == ["my data"]


def test_the_drawn_cells_are_kept_for_the_dashboard_when_asked_for(here, capsys):
    words = ("--quasi=age,pay", "--k", "2,5", "--rows", "120", "--cells=10", "--seed=1")
    assert tune(*words, "--sample", "cells.kanon") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "“cells.kanon” holds the drawn cells: original rows, which only you can read" in lines[-1]
    assert "--sample" not in lines[-2] and lines[-2].strip().startswith("kanon anonymize")
    cells = kc.read_table("cells.kanon").whole_cells
    assert cells is not None and (cells.records, cells.most_k, cells.source) == (
        2_000,
        5,
        "my data/*.parquet",
    )
    for place, said in (
        ("nowhere/cells.kanon", "does not exist"),
        ("my data/a.parquet", "is an input"),
        ("my data/cells.parquet", "be read as data the next time"),
    ):
        assert said in refused(
            ["tune", "my data", "--algorithm=mondrian", "--k=5", "--sample", place], capsys
        )
    command = ["anonymize", "cells.kanon", "--algorithm=mondrian", "--k=3", "--out=r.csv", "--seed=1"]
    assert "is not released" in refused(command, capsys)
    assert "cannot change" in refused([*command, "--quasi=age"], capsys)
    assert not (here / "r.csv").exists()


def test_a_small_table_is_looked_at_whole_and_guessed_roles_are_said(here, capsys):
    assert tune("--k", "2,5") == 0
    shown = capsys.readouterr()
    assert "Based on all 2,000 rows." in shown.out and "±" not in shown.out
    assert "A knee needs at least five values of k" in shown.out and " --k 5 " in shown.out
    assert "Columns, from a sample of 2,000 rows" in shown.err


def test_what_cannot_be_tuned_is_refused_in_a_sentence(here, capsys):
    for words, said in (
        (["--k", "500"], "k = 500 is too large for cells of 8,000 rows"),
        (["--k", "5", "--cells", "many"], "--cells must be a whole number"),
        (["--k", "1"], "--k must be 2 or more"),
        (["--k", "5", "--quasi", "shoe"], "shoe"),
        (["--k", "5", "--algorithm=fragments", "--rows", "100"], "cannot be tuned on a sample of cells"),
        (["--k", "5", "--algorithm=mdav"], "does not run over many files"),
    ):
        assert said in refused(["tune", "my data", "--algorithm=mondrian", "--work=.", *words], capsys)
    for words, said in (
        ("tune nothing/*.parquet --algorithm mondrian --k 5", "There is no parquet or csv file"),
        ("tune x --algorithm modrian --k 5", "modrian"),
    ):
        assert said in refused(words, capsys)


def test_who_stops_is_told_where_original_rows_still_lie(here, capsys, monkeypatch):
    def tick(share, note=""):
        if share is not None and share > 0.2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "tick", property(lambda bar: tick))
    assert tune("--quasi=age,pay", "--k", "2,5", "--rows", "120", "--cells=10") == 130
    said = capsys.readouterr().err.strip().splitlines()[-1]
    kept = "The work done so far, with unencrypted originals, is in a folder .kanon-… in"
    assert said.startswith(f"Stopped; nothing was released. {kept}")
    assert "unencrypted originals" in said and f"“{here}”" in said and list(here.glob(".kanon-*"))


def test_a_defect_too_says_where_original_rows_still_lie(here, capsys, monkeypatch):
    def broken(*arguments):
        raise ValueError("Oslo")

    monkeypatch.setattr("kanon_core.scale.tuning.tuning._tuned", broken)
    assert tune("--quasi=age,pay", "--k", "2,5", "--rows", "120", "--cells=10") == 2
    said = capsys.readouterr().err
    assert "unencrypted originals" in said and f"“{here}”" in said
    assert "a defect in Kanon" in said and "Oslo" not in said


def test_an_engine_must_be_known_and_an_address_is_for_clusters(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = "tune x --algorithm mondrian --k 5 --address tcp://there:1"
    assert "The engine local does not accept --address" in refused(words, capsys)
    assert "hadoop" in refused("tune x --algorithm mondrian --k 5 --engine hadoop", capsys)

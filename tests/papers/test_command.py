"""`reproduce` on the command line: rows as they finish, the file, one sentence for every mistake."""

from __future__ import annotations

import functools
import os
import signal
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.options import options_of
from kanon_core.cli import main, reproducing
from kanon_core.cli.output import width
from kanon_core.papers import Check, Source, made
from kanon_core.papers.concealment import ConcealmentTables
from kanon_core.papers.losses import LossFigures
from kanon_core.table.readers import read_frame
from tests.helpers import started

TINY = "--records 12 --visits 8 --seeds 2 --largest-k 3 --draws 20"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with people.csv: age, job; 30 records."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"age": rng.integers(18, 90, 30), "job": rng.choice(list("ABCD"), 30)})
    frame.to_csv("people.csv", index=False)
    return tmp_path


@pytest.mark.deep
def test_rows_and_statements_fit_a_terminal_and_the_file_holds_the_rows(here, capsys):
    assert main(f"reproduce concealment --file people.csv {TINY} --out rows.csv".split()) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert max(map(width, lines)) <= reproducing.WIDTH == 100
    assert [line for line in lines if line.startswith("Table")] == [
        "Table 8: cost in degrees",
        "Table 8: cost in shares of the range",
        "Table 9: cost by k and method",
    ]
    assert "2 random samples of 12 from 30 records of “people.csv”" in shown.out
    assert "Statements of the paper" in lines and not shown.err
    read = read_frame("rows.csv").frame
    rows = list(ConcealmentTables("both", 12, 8, 2, 3, 20).rows(Source(kc.read_table("people.csv"), "")))
    assert read["mean"].tolist() == [row.mean for row in rows]
    assert [f"{row.mean:,.{row.part.digits}f}" in shown.out for row in rows] == [True] * len(rows)
    assert main(f"reproduce concealment --file people.csv {TINY} --out again.csv".split()) == 0
    assert Path("rows.csv").read_bytes() == Path("again.csv").read_bytes()


def test_a_row_stands_beside_the_papers_number(here, capsys):
    assert main(f"reproduce concealment --table 9 --file people.csv {TINY}".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    (header,) = [line for line in lines if line.startswith("k  method")]
    assert header.split() == ["k", "method", "mean", "paper", "ratio", "range", "above", "optimum"]
    (tours,) = [line for line in lines if line.startswith("3  tours  ")]
    assert "3,367.52*" in tours and tours.endswith(" %")
    assert sum(line.endswith("proven") for line in lines) == 2


@pytest.mark.deep
def test_a_file_is_read_as_it_is_said(here, capsys):
    frame = pd.read_csv("people.csv").rename(columns={"age": "up", "job": "east"})
    frame["east"] = frame["up"] / 7
    frame.to_csv("places.txt", sep=";", index=False, header=False)
    words = (
        "reproduce concealment --table 8 --file places.txt --delimiter ; --header no --coordinates"
        " column_1,column_2"
    )
    assert main([*words.split(), *TINY.split()]) == 0
    assert "30 records of “places.txt”, latitude and longitude" in capsys.readouterr().out.replace("\n", " ")
    assert main(f"reproduce concealment --table 8 --file sample:people-100 {TINY}".split()) == 0
    assert "100 records of “people-100”" in capsys.readouterr().out.replace("\n", " ")


def test_every_mistake_gets_one_sentence(here, capsys):
    for words, said in [
        ("", "NAME"),
        ("magic", "magic"),
        ("concealment --table 7", "--table must be one of “both”, “8”, “9”"),
        ("concealment --seeds 0", "1 to 100"),
        ("concealment --records many", "10 to 5000"),
        ("concealment --colour red", "--colour"),
        ("concealment --file nobody.csv", "nobody.csv"),
        ("concealment --file people.csv --table 8", "needs places"),
        ("concealment --file people.csv --coordinates age", "two columns"),
        ("concealment --file people.csv --coordinates age,job", "holds no numbers"),
        ("concealment --coordinates age,job", "given table"),
        ("concealment --file people.csv", "set “records” to 30 or less"),
        ("concealment --file empty.csv", "empty.csv"),
        ("concealment --out rows.doc", "rows.doc"),
        ("concealment --out no/where/rows.csv", "folder"),
        ("concealment --file people.csv --out people.csv", "input"),
        ("concealment --delimiter ; --header no", "--delimiter is a setting for reading a file"),
        ("concealment --file people.csv --delimiter ;;", "delimiter"),
    ]:
        before = {path.name: path.read_bytes() for path in here.iterdir()}
        assert main(["reproduce", *words.split()]) == 2
        shown = capsys.readouterr()
        last = shown.err.strip().splitlines()[-1]
        assert said in last and last.endswith(".") and "Traceback" not in shown.err and not shown.out
        assert {path.name: path.read_bytes() for path in here.iterdir()} == before


def test_every_option_is_a_flag(capsys):
    for words in (["reproduce", "--help"], ["reproduce", "concealment", "--help"]):
        with pytest.raises(SystemExit) as done:
            main(words)
        assert done.value.code == 0
    shown = capsys.readouterr().out
    assert all(f"--{option.name.replace('_', '-')}" in shown for option in options_of(ConcealmentTables))
    assert "--file" in shown and "--out" in shown and "--delimiter" in shown


@pytest.mark.deep
@pytest.mark.parametrize(
    ("check", "code"), [(Check("a.", False), 0), (Check("a.", False, True), 1), (Check("a.", True, True), 0)]
)
def test_the_exit_code_tells_of_a_statement_that_must_hold(check, code, here, monkeypatch, capsys):
    monkeypatch.setattr(ConcealmentTables, "checks", lambda self, rows: [check])
    assert main(f"reproduce concealment --table 9 {TINY} --out rows.csv".split()) == code
    assert f"{check.verdict} " in capsys.readouterr().out and Path("rows.csv").exists()


@pytest.mark.deep
@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_a_real_interrupt_keeps_the_rows_printed_so_far(here):
    words = "reproduce concealment --table 9 --records 500 --seeds 20 --out rows.csv"
    with started(words) as run:
        assert run.stdout.readline().startswith("Table 9")
        while not (line := run.stdout.readline()).startswith("2  optimum"):
            assert line
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert said.strip().splitlines() == ["Stopped after 1 of 30 rows; no file was written."]
    assert not Path("rows.csv").exists()


def test_progress_is_drawn_on_a_terminal(here, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(f"reproduce concealment --table 9 {TINY}".split()) == 0
    drawn = capsys.readouterr().err
    assert "table 9, k = 3, tours" in drawn and drawn.endswith("\r\x1b[K")


def test_stopped_it_says_what_the_rows_so_far_say(here, monkeypatch, capsys):
    def until_the_third(tasks, tick):
        for number, row in enumerate(made(tasks, tick)):
            if number == 3:
                raise KeyboardInterrupt
            yield row

    monkeypatch.setattr(reproducing, "made", until_the_third)
    assert main(f"reproduce concealment --table 9 {TINY} --out rows.csv".split()) == 130
    shown = capsys.readouterr()
    assert "Statements of the paper" in shown.out and "no method costs less than the optimum" in shown.out
    assert shown.err.strip() == "Stopped after 3 of 10 rows; no file was written."
    assert not Path("rows.csv").exists()


def test_what_is_not_made_is_said(here, capsys):
    lines = [
        f"{10 + i % 7},2011/{1 + i % 12}/{1 + i % 28},G{i % 9},{1 + i % 5}.5,{1 + i % 4}" for i in range(80)
    ]
    Path("bought.csv").write_text("\n".join(lines))
    assert main(["reproduce", "purchases", "--file", "bought.csv", "--largest-k", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    place = lines.index("Not reproduced")
    assert lines[place + 1].startswith(
        "Tables 13 and 14 are not made: they need the category of each product"
    )
    assert max(map(width, lines)) <= 100


@pytest.fixture
def few(monkeypatch):
    """Two small reproductions in place of all."""
    tiny = functools.partial(ConcealmentTables, "9", 12, 8, 1, 2, 20)
    loss = functools.partial(LossFigures, largest_k=2)
    for make, cls in ((tiny, ConcealmentTables), (loss, LossFigures)):
        make.name, make.seconds = cls.name, cls.seconds
    few = functools.partial(reproducing._reproduce_all, which=(tiny, loss))
    monkeypatch.setattr(reproducing, "_reproduce_all", few)


@pytest.mark.deep
def test_all_of_them_into_a_folder(here, few, capsys):
    assert main(["reproduce", "all", "--out", "made/again"]) == 0
    folder = Path("made/again")
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    figures = [f"loss/figure-4.{i}.{ending}" for i in range(1, 7) for ending in ("csv", "txt")]
    maps = [f"figure-{number}.html" for number in range(4, 11)]
    concealment = [f"concealment/{name}" for name in ("statements.txt", "table-9.csv", "table-9.txt", *maps)]
    assert names == sorted([*concealment, *figures, "loss/statements.txt", "statements.csv"])
    rows = list(ConcealmentTables("9", 12, 8, 1, 2, 20).rows())
    assert read_frame(folder / "concealment/table-9.csv").frame["mean"].tolist() == [row.mean for row in rows]
    text = (folder / "concealment/table-9.txt").read_text("utf-8")
    assert text.startswith("Table 9: cost by k and method\n") and f"{rows[1].mean:,.2f}" in text
    told = pd.read_csv(folder / "statements.csv")
    assert set(told["reproduction"]) == {"concealment", "loss"}
    said = (folder / "loss/statements.txt").read_text("utf-8")
    assert said.startswith("Statements of the paper\n") and said.count("Figure 4.1: ") == 2
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("concealment: 10 files; ") and shown[1].endswith("statements hold.")
    assert len(shown) == 2


@pytest.mark.deep
def test_figures_are_maps_in_a_folder_that_is_named(here, few, capsys):
    table = ["reproduce", "concealment", "--table", "9", "--records", "12"]
    assert main([*table, "--out", "rows.csv"]) == 0
    assert not list(Path().rglob("*.html"))
    assert main([*table, "--figures", "maps"]) == 0
    assert sorted(path.name for path in Path("maps").iterdir()) == sorted(
        f"figure-{number}.html" for number in range(4, 11)
    )
    assert "L.kanonRectangles(" in Path("maps/figure-5.html").read_text("utf-8")


@pytest.mark.deep
def test_all_says_how_far_it_is_and_keeps_what_was_finished(here, few, capsys, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(LossFigures, "tasks", stopped)
    assert main(["reproduce", "all", "--out", "made"]) == 130
    shown = capsys.readouterr().err
    assert " 89 % table 9, k = 2, tours + clusters" in shown or " 88 % table 9, k = 2" in shown
    assert "Stopped; the files of finished reproductions are kept." in shown
    assert Path("made/concealment/table-9.csv").is_file() and not Path("made/statements.csv").exists()


def test_a_folder_that_cannot_be_made_is_said(here, capsys):
    Path("taken").write_text("a file")
    assert main(["reproduce", "all", "--out", "taken"]) == 2
    assert "The folder “taken” cannot be created" in capsys.readouterr().err
    assert main(["reproduce", "all"]) == 2
    assert "--out" in capsys.readouterr().err

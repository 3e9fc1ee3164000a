"""People on the command line: roles, categories, the contest's notation, audits of files, attacks."""

from __future__ import annotations

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.risk import ATTACKS
from tests.algorithms.histories.test_purchases import customers_of, frame_of
from tests.cli.test_cli import run

COUNTS = [9, 7, 6, 5, 5, 4, 3, 3, 2]
FLAGS = "--person customer --quasi day,product,price,quantity --kinds customer=categorical"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with bought.csv, the same without a header as the contest has it, and cats.csv."""
    monkeypatch.chdir(tmp_path)
    frame = frame_of(customers_of(COUNTS))
    frame.to_csv("bought.csv", index=False)
    contest = frame.assign(
        customer=frame["customer"].str.slice(1).astype(int) + 10,
        day=frame["day"].dt.strftime("%Y/%-m/%-d"),
        quantity=frame["quantity"].abs() + 1,
    )
    contest.to_csv("T.csv", index=False, header=False)
    (tmp_path / "cats.csv").write_text("\n".join(f"{p};{'early' if p < 'E' else 'late'}" for p in "ABCDEFGH"))
    return tmp_path


def test_people_are_named_by_a_flag(here, capsys):
    assert (
        main(f"anonymize bought.csv {FLAGS} --algorithm purchasehistories --k 3 --out out.csv".split()) == 0
    )
    assert "k-anonymity of people: holds." in capsys.readouterr().out
    assert main(f"audit out.csv {FLAGS} --k 3".split()) == 0
    assert "shared by at least 3 of 9 pseudonyms" in capsys.readouterr().out
    assert main(f"audit out.csv {FLAGS} --k 4".split()) == 1
    shown = capsys.readouterr().out
    assert (
        "9 of 9 pseudonyms have a history that fewer than 4 pseudonyms share" in shown
        and "rows: 1, 2" in shown
    )
    assert main(f"anonymize bought.csv {FLAGS} --algorithm mdav --k 3 --out other.csv".split()) == 2
    assert "Choose Purchase histories" in capsys.readouterr().err and not (here / "other.csv").exists()


def test_a_row_less_under_one_pseudonym_fails_the_audit(here, capsys):
    main(f"anonymize bought.csv {FLAGS} --algorithm purchasehistories --k 3 --out out.csv".split())
    frame = pd.read_csv("out.csv", dtype=str)
    frame.drop(index=5).to_csv("less.csv", index=False)
    frame.assign(customer=frame["customer"].where(frame.index != 5)).to_csv("nobody.csv", index=False)
    frame.assign(price=frame["price"].where(frame.index != 5, "7")).to_csv("other.csv", index=False)
    for file, said in (
        ("less", "fewer than 3 pseudonyms share"),
        ("nobody", "1 row has no pseudonym"),
        ("other", "fewer than 3"),
    ):
        capsys.readouterr()
        assert main(f"audit {file}.csv {FLAGS} --k 3".split()) == 1
        assert said in capsys.readouterr().out


def test_the_contest_s_files_need_no_flags(here, capsys):
    assert run("anonymize T.csv --algorithm purchasehistories --k 3 --out A.pwscup") == 0
    assert main(["audit", "A.pwscup", "--k", "3"]) == 0
    assert "shared by at least 3 of 9 pseudonyms" in capsys.readouterr().out
    table = kc.read_table("A.pwscup")
    assert table.reading["format"] == "pwscup"
    assert [attribute.kind for attribute in table.schema] == ["categorical"] * 5
    assert [attribute.kind for attribute in kc.read_table("T.csv").schema] == [
        "categorical",
        "datetime",
        "categorical",
        "numeric",
        "numeric",
    ]
    starred = (here / "A.pwscup").read_text() + "*,*,*,*,*\n" * 2
    (here / "whole.pwscup").write_text(starred)
    assert main(["audit", "whole.pwscup", "--k", "3"]) == 0


def test_categories_from_a_file_or_from_descriptions(here, capsys):
    words = f"anonymize bought.csv {FLAGS} --algorithm purchasehistories --k 3 --out out.csv --recipe r.json"
    assert main(f"{words} --categories product=cats.csv".split()) == 0
    shown = pd.read_csv("out.csv", dtype=str)["product"]
    assert shown.str.fullmatch(r"early|late|\{early, late\}").all()
    before = (here / "out.csv").read_bytes()
    assert main(["run", "r.json", "bought.csv", "--out", "again.csv"]) == 0
    assert (here / "again.csv").read_bytes() == before
    frame = pd.read_csv("bought.csv")
    frame["what"] = frame["product"].map(lambda p: "red garden lamp" if p < "E" else "blue paper book")
    frame.to_csv("bought.csv", index=False)
    proposed = f"{words} --propose-categories product=what --category-count 2 --identifier what"
    assert main(proposed.split()) == 0
    assert len(set(pd.read_csv("out.csv", dtype=str)["product"])) <= 3
    capsys.readouterr()
    for wrong, said in (
        ("--categories product=nowhere.csv", "nowhere.csv"),
        ("--categories price=cats.csv", "needs the kind categorical"),
        ("--categories product=cats.csv --categories product=cats.csv", "twice"),
        ("--propose-categories product=nothing", "no column “nothing”"),
        ("--propose-categories product=what --category-count one", "The number of categories must be"),
        ("--propose-categories product=what --category-count ²", "The number of categories must be"),
    ):
        assert main(f"{words} {wrong}".split()) == 2
        assert said in capsys.readouterr().err.splitlines()[-1]


def test_attacks_by_k(here, capsys):
    assert run("attack T.csv --k 2,3 --out hits.csv") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 * len(ATTACKS) and "not shown unsafe" in lines[1]
    read = pd.read_csv("hits.csv")
    assert read["attack"].tolist() == [cls.__name__ for cls in ATTACKS] * 2
    assert (read["identified"] <= read["attempts"]).all()
    assert run("attack T.csv --k 3 --attacks bestguess --grouping similar") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    for wrong, said in (
        ("attack T.csv --k 3 --attacks spell", "no attack “spell”"),
        ("attack T.csv --k 30", "only 9 people, fewer than k"),
        ("attack T.csv --k 3 --algorithm mdav", "Choose Purchase histories"),
        ("attack T.csv --k 3 --out hits.doc", "hits.doc"),
    ):
        assert main(wrong.split()) == 2
        assert said in capsys.readouterr().err.splitlines()[-1]

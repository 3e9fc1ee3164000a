"""The command line asks whose the records are, and takes the answer."""

from __future__ import annotations

import pytest

from kanon_core.cli import main
from tests.table.test_undecided import ID


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with visits.csv."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_bytes(ID)
    return tmp_path


def ran(words: str) -> int:
    return main(words.split())


@pytest.mark.parametrize(
    "words",
    [
        "anonymize visits.csv --algorithm mdav --k 3 --out out.csv",
        "anonymize visits.csv --quasi age,city --algorithm mdav --k 3 --out out.csv",
        "sweep visits.csv --algorithms mdav --k 2-3 --out out.csv",
        "audit visits.csv --quasi age,city --k 3",
        "audit visits.csv --original visits.csv --quasi age,city --k 3",
        "attack visits.csv --k 2",
    ],
)
def test_every_command_stops(words, here, capsys):
    assert ran(words) == 2
    said = capsys.readouterr().err
    assert "“customer_id” (4 different values)" in said and "--roles customer_id=person" in said
    assert said.count("It is undecided") == 1 and not (here / "out.csv").exists()


def test_describe_says_it(capsys):
    assert ran("describe visits.csv") == 0
    shown = capsys.readouterr().out
    assert (
        "undecided" in shown
        and "It is undecided whether these columns identify the people of the 6 records" in shown
    )
    assert ran("describe visits.csv --person customer_id") == 0
    assert "ndecided" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "columns"),
    [
        ("--roles customer_id=identifier", "age,city,diagnosis"),
        ("--identifier customer_id", "age,city,diagnosis"),
        ("--roles customer_id=other", "customer_id,age,city,diagnosis"),
        ("--quasi customer_id,age,city", "customer_id,age,city,diagnosis"),
        ("--roles customer_id=person --algorithm purchasehistories", "customer_id,age,city,diagnosis"),
        ("--person customer_id --algorithm purchasehistories", "customer_id,age,city,diagnosis"),
    ],
)
def test_each_answer_is_taken(said, columns, here):
    start = "" if "--algorithm" in said else "--algorithm mdav "
    assert ran(f"anonymize visits.csv {start}{said} --k 2 --out out.csv --recipe r.json --despite test") == 0
    first = (here / "out.csv").read_bytes()
    assert first.decode().splitlines()[0] == columns
    assert ran("run r.json visits.csv --out again.csv") == 0 and (here / "again.csv").read_bytes() == first


def test_a_person_is_not_hidden_by_own_records(here, capsys):
    words = "anonymize visits.csv --roles customer_id=person --algorithm mdav --k 3 --out out.csv"
    assert ran(words) == 2
    assert "6 records, 4 people" in capsys.readouterr().err and not (here / "out.csv").exists()

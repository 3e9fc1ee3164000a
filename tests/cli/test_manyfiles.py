"""`kanon anonymize` over many files: the rows of one file, all flags of columns, one sentence for every
mistake, stopped and gone on."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base import infile
from kanon_core.cli import main
from kanon_core.cli.manyfiles_output import STAGES
from kanon_core.cli.output import Bar
from kanon_core.findings import FINDINGS
from kanon_core.scale.work import publishing
from kanon_core.scale.work.job import SHARES

COLUMNS = (
    "--quasi age,city,born --sensitive diagnosis --identifier name --weights age=2 --round-ends age=5"
    " --recode city=generalize --hierarchy city=cities.csv --kinds born=datetime"
)
WAY = "--engine local --workers 2 --rows 150"
CITIES = {"Oslo": "north", "Bergen": "north", "Rome": "south", "Faro": "south"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with people/part-0.parquet … part-2.parquet, and the same 600 records in people.parquet."""
    monkeypatch.chdir(tmp_path)
    rng, n = np.random.default_rng(19), 600
    frame = pd.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": np.where(rng.random(n) < 0.05, np.nan, rng.integers(18, 90, n)),
            "city": rng.choice(list(CITIES), n),
            "born": pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 20_000, n), "D"),
            "diagnosis": rng.choice(["flu", "gout", "none"], n),
            "note": rng.choice(["a", "b"], n),
        }
    )
    Path("people").mkdir()
    frame.to_parquet("people.parquet", index=False)
    for part, rows in enumerate((slice(0, 200), slice(200, 210), slice(210, n))):
        frame[rows].to_parquet(f"people/part-{part}.parquet", index=False)
    Path("cities.csv").write_text("".join(f"{city};{group};*\n" for city, group in CITIES.items()), "utf-8")
    return tmp_path


def run(words: str, source: str = "people", out: str = "released") -> int:
    """The exit code of `anonymize` of this source with these words."""
    return main(f"anonymize {source} --algorithm mondrian --k 5 --out {out} {words}".split())


def names(here: Path) -> list[str]:
    return sorted(path.name for path in here.iterdir())


@pytest.mark.deep
def test_files_give_the_rows_and_the_recipe_of_one_file_by_the_same_flags(here, capsys):
    before, made = (
        names(here),
        ("r.json", "one.parquet", "one.json", "again.parquet", "fewer.parquet", "all.parquet"),
    )
    assert run(f"{COLUMNS} --seed 3 {WAY} --recipe r.json", "people/*.parquet") == 0
    shown = capsys.readouterr()
    assert run(f"{COLUMNS} --seed 3 --recipe one.json --metrics ncp", "people.parquet", "one.parquet") == 0
    one = capsys.readouterr().out
    assert run(f"{COLUMNS} --seed 3", "people.parquet", "all.parquet") == 0
    measured = capsys.readouterr().out
    assert "Discernibility" in measured
    many = pd.concat([pd.read_parquet(path) for path in sorted(Path("released").iterdir())])
    pd.testing.assert_frame_equal(many.reset_index(drop=True), pd.read_parquet("one.parquet"))
    recipe, other = (json.loads(Path(name).read_text("utf-8")) for name in ("r.json", "one.json"))
    assert {Path(name).stat().st_mode & 0o777 for name in ("r.json", "one.json")} == {0o600}
    assert [recipe[name] for name in ("schema", "k", "seed", "algorithm", "records")] == [
        other[name] for name in ("schema", "k", "seed", "algorithm", "records")
    ]
    assert main(["run", "r.json", "people.parquet", "--out", "again.parquet", "--metrics", "ncp"]) == 0
    assert Path("again.parquet").read_bytes() == Path("one.parquet").read_bytes()
    pd.read_parquet("people.parquet")[1:].to_parquet("fewer.parquet", index=False)
    assert main(["run", "r.json", "fewer.parquet", "--out", "fewer-released.parquet"]) == 2
    assert "was made for other data" in capsys.readouterr().err
    assert main(["judge", "--recipe", "r.json", "people.parquet"]) == 0
    judged = capsys.readouterr().out
    for told in re.findall(r"^[A-Z ]+ – (?:unchanged columns|known seed): .*$", judged, re.MULTILINE):
        assert told in shown.out
    (loss,) = set(re.findall(r"^Certainty penalty +(.*)$", shown.out + one, re.MULTILINE))
    assert loss.endswith("%") and "k-anonymity: holds. Every published record" in shown.out
    assert "complete files: holds. The files are complete: they hold 600 rows, as they were made" in shown.out
    classes = many.groupby(["age", "city", "born"], dropna=False).size()
    for what, value in [
        ("equivalence classes", len(classes)),
        ("rows of the smallest class", classes.min()),
        ("rows of the median class", sorted(classes)[(len(classes) - 1) // 2]),
        ("rows of the largest class", classes.max()),
        ("rows", 600),
    ]:
        assert re.search(rf"^{what} +{value}$", shown.out, re.MULTILINE), what
    assert int(re.search(r"^fragments +(\d+)$", shown.out, re.MULTILINE)[1]) > 3
    for title, text in re.findall(r"^(\S.*?)  +(\S.*)$", measured, re.MULTILINE):
        if title in (
            "Discernibility",
            "Average group size",
            "Worst-case re-identification risk",
            "Achieved k",
        ):
            assert re.search(rf"^{title} +{re.escape(text)}$", shown.out, re.MULTILINE), title
    risk = f"{100 / classes.min():.1f}".removesuffix(".0")
    assert re.search(rf"^Prosecutor +\d+ +\S+ % +{risk} %$", shown.out, re.MULTILINE)
    assert "Prosecutor: Knows all quasi-identifiers of one person" in shown.out
    assert re.search("^city +quasi_identifier +categorical +generalize$", shown.err, re.MULTILINE)
    assert "drawn in secret" not in shown.err and "writing the release" in shown.out
    assert names(here) == sorted([*before, "released", *made])


@pytest.mark.deep
def test_a_recipe_is_repeated_on_the_same_rows_in_whatever_files(here, capsys):
    assert run(f"{COLUMNS} --seed 3 {WAY} --recipe r.json") == 0
    assert run(f"{COLUMNS} --seed 3 --recipe one.json", "people.parquet", "one.parquet") == 0
    Path("other").mkdir()
    frame = pd.read_parquet("people.parquet")
    frame[400:].to_parquet("other/a.parquet", index=False)
    frame[:400].to_parquet("other/b.parquet", index=False)
    assert main(["run", "r.json", "other", "--workers", "1", "--rows", "90", "--out", "again"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet("again"), pd.read_parquet("released"))
    assert main(["run", "one.json", "other", "--workers", "1", "--rows", "90", "--out", "same"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet("same"), pd.read_parquet("one.parquet"))
    assert main(["run", "r.json", "people.parquet", "--out", "back.parquet"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet("back.parquet"), pd.read_parquet("released"))
    Path("given.json").write_text(Path("one.json").read_text().replace('"keyed"', '"given"'))
    capsys.readouterr()
    for words, said in (
        ("r.json people/part-0.parquet --engine local --out fewer", "was made for other data"),
        ("given.json people --out fewer", "on the order of records in one file"),
        ("r.json people --out fewer --metrics ncp", "--metrics applies to a single file only"),
        ("r.json people --out again", "“again” already exists"),
    ):
        assert main(f"run {words}".split()) == 2
        assert said in capsys.readouterr().err
    assert "fewer" not in names(here)


@pytest.mark.deep
def test_a_recipe_keeps_why_it_was_released_all_the_same(here, capsys):
    assert run("--quasi age,city --identifier name --workers 1 --recipe r.json --despite tested") == 0
    assert "for this reason, which the recipe keeps: “tested”." in capsys.readouterr().out
    assert main(["run", "r.json", "people", "--workers", "1", "--out", "again"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet("again"), pd.read_parquet("released"))


@pytest.mark.deep
def test_fragments_have_rows_of_their_own(here, capsys):
    words = f"{COLUMNS} --seed 3 --inner mdav --rows 90".split()
    words = ["anonymize", "--algorithm", "fragments", "--k", "5", *words]
    assert main([*words, "people", "--workers", "1", "--out", "released"]) == 0
    fragments = re.search(r"^fragments +(\d+)$", capsys.readouterr().out, re.MULTILINE)
    assert int(fragments[1]) >= 7
    assert main([*words, "people.parquet", "--out", "one.parquet"]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet("released"), pd.read_parquet("one.parquet"))


@pytest.mark.deep
def test_scores_are_printed_and_written_as_of_one_file(here, capsys):
    assert run(f"{COLUMNS} --seed 3 --workers 1 --scores many.csv") == 0
    shown = capsys.readouterr().out
    assert run(f"{COLUMNS} --seed 3 --scores one.csv", "people.parquet", "one.parquet") == 0
    one, many = (pd.read_csv(f"{which}.csv").astype({"name": "str"}) for which in ("one", "many"))
    assert {"ILSSDM", "NCP", "Discernibility"} <= set(many["metric"])
    same = one[one["metric"].isin(many["metric"]) & (one["part"] != "record")].reset_index(drop=True)
    for name in ("metric", "part", "name"):
        assert many[name].tolist() == same[name].tolist()
    assert many["value"].to_numpy() == pytest.approx(same["value"].to_numpy(), rel=1e-11)
    loss = many.query("metric == 'ILSSDM' and part == 'total'")["value"].item()
    assert re.search(rf"Information loss +{100 * loss:.2f} %", shown)


@pytest.mark.deep
def test_a_measure_that_cannot_be_added_up_is_not_printed_but_why(here, capsys):
    assert run(f"{COLUMNS} --workers 1 --distances born=discrete") == 0
    shown = capsys.readouterr().out
    assert "Information loss: The distance of column “born” compares all values of the table" in shown
    assert not re.search("Information loss +[0-9]", shown)


@pytest.mark.deep
def test_what_is_not_looked_for_is_said(here, capsys):
    assert run(f"{COLUMNS} --workers 1") == 0
    shown = capsys.readouterr()
    ((looked, others),) = re.findall(
        r"Searches made over many files: (.*)\. For sensitive.*Not searched; .*:\n((?:  – .*\n)+)", shown.out
    )
    assert looked == (
        "sensitive values, unchanged columns, free text, means, medians and modes, direct joins, known seed,"
        " exact ends, suppressed records, across 180°"
    )
    asked = [line.removeprefix("  – ") for line in others.splitlines()]
    names = {cls.name for cls in FINDINGS if cls.asks not in asked}
    assert sorted(names - {"identity"}) == sorted(name for name in names if name in looked)
    assert len(asked) == len(FINDINGS) - len(names) > 3
    assert "true cells: each worker checked" in shown.out
    assert "The secret seed is" in shown.err


@pytest.mark.deep
def test_a_column_that_singles_out_stops_the_release_unless_there_is_a_reason(here, capsys):
    before, columns = names(here), "--quasi age,city --sensitive diagnosis --identifier name"
    assert run(f"{columns} --workers 1 --recipe r.json") == 1
    shown = capsys.readouterr()
    assert "STOPS THE RELEASE – unchanged columns: “born” is published unchanged" in shown.err
    assert "--despite=REASON" in shown.err and not shown.out and names(here) == before
    assert run(f"{columns} --workers 1 --recipe r.json --despite tested") == 0
    (sentence, reason), *_ = json.loads(Path("r.json").read_text("utf-8"))["reasons"].items()
    assert reason == "tested" and f": {sentence}" in capsys.readouterr().out
    assert main(["run", "r.json", "people.parquet", "--out", "one.parquet"]) == 0  # the reason is for it too
    assert len(pd.read_parquet("one.parquet")) == len(pd.read_parquet("released")) == 600


@pytest.mark.deep
def test_a_column_that_looks_like_names_stops_before_anything_is_done(here, capsys, monkeypatch):
    monkeypatch.setattr("kanon_core.scale.files.begun", None)
    before = names(here)
    assert run("--quasi age --roles name=other --workers 1") == 1
    assert "“name” is published unchanged and, by a sample of 600 rows, looks like" in capsys.readouterr().err
    assert names(here) == before


@pytest.mark.deep
def test_stopped_by_the_keyboard_the_same_command_goes_on(here, capsys, monkeypatch):
    words = f"{COLUMNS} --workers 1 --rows 150 --recipe r.json"

    def tick(share, note=""):
        if share is not None and share > 0.4:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Bar, "tick", property(lambda bar: tick))
        assert run(words) == 130
    said = capsys.readouterr().err.strip().splitlines()[-1]
    kept = "The work done so far, with unencrypted originals, is in a folder .kanon-… in"
    assert said.startswith(f"Stopped; nothing was released. {kept}")
    assert "Run the same command to resume" in said
    assert not Path("released").exists() and not Path("r.json").exists()
    (folder,) = here.glob(".kanon-*")
    assert folder.stat().st_mode & 0o777 == 0o700
    kept = {path: path.stat().st_mtime_ns for path in (folder / "encode").iterdir()}
    seen = []

    def told(share, note=""):
        seen.append({path: path.stat().st_mtime_ns for path in kept if path.exists()})

    monkeypatch.setattr(Bar, "tick", property(lambda bar: told))
    assert run(words) == 0
    assert seen[-1] == kept and not list(here.glob(".kanon-*"))
    assert len(pd.read_parquet("released")) == 600 and Path("r.json").exists()


def test_what_the_machine_refuses_is_a_sentence(here, capsys, monkeypatch):
    lock = here / ".kanon-0a" / "driver.lock"
    lock.parent.mkdir(mode=0o700)
    for problem, said in [
        (OSError(28, "No space left on device"), "(No space left on device). Check whether the disk is full"),
        (kc.EngineError("A worker ended."), "A worker ended. The work done so far"),
        (kc.StorageError("No room."), "No room. The work done so far"),
    ]:

        def refused(*words, problem=problem):
            lock.touch()
            raise problem

        monkeypatch.setattr("kanon_core.cli.manyfiles.anonymize_files", refused)
        assert run(COLUMNS) == 2
        shown = capsys.readouterr().err
        assert said in shown and "Run the same command to resume" in shown and "Traceback" not in shown
        assert f"“{here}” holds unencrypted originals from stopped jobs" in shown and ".kanon-0a." in shown
    os.utime(lock, (1, 1))
    monkeypatch.setattr("kanon_core.cli.manyfiles.anonymize_files", no_engine)
    assert run(COLUMNS) == 2 and "The work done so far" not in capsys.readouterr().err


@pytest.mark.deep
def test_work_that_goes_on_just_now_is_not_told_as_stopped(here, capsys):
    """A user who deleted the folder of running work would end that work."""
    fcntl = pytest.importorskip("fcntl")
    for name in (".kanon-0a", ".kanon-0b", ".kanon-0c"):
        (here / name).mkdir(mode=0o755 if name.endswith("c") else 0o700)
        (here / name / "driver.lock").touch()
    with (here / ".kanon-0a" / "driver.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert run(f"{COLUMNS} --workers 1") == 0
    assert "unencrypted originals from stopped jobs: .kanon-0b. The same" in capsys.readouterr().err


def no_engine(*words):
    raise kc.EngineError("Nobody answers.")


def test_who_stops_once_the_release_is_there_is_told_so(here, capsys, monkeypatch):
    def published(*words):
        Path("released").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr("kanon_core.cli.manyfiles.anonymize_files", published)
    assert run(COLUMNS) == 130
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said == (
        "Stopped after the release was published in “released”, but before its summary was complete."
    )


@pytest.mark.deep
def test_what_is_not_read_of_a_folder_is_named(here, capsys):
    for name in ("old.csv.gz", "notes.txt", ".hidden.txt", "_SUCCESS"):
        (here / "people" / name).write_text("a,b\n1,2\n")
    assert run(f"{COLUMNS} {WAY}") == 0
    said = capsys.readouterr().err
    left_out = "2 files are not read, because of their name endings: notes.txt, old.csv.gz.\n"
    assert f"Files to read: 3.\n{left_out}" in said


@pytest.mark.deep
def test_a_recipe_that_cannot_be_written_costs_no_work(here, capsys):
    words = f"{COLUMNS} {WAY} --recipe locked/r.json"
    Path("locked").mkdir()
    Path("locked/.r.json.part").mkdir()
    real = infile.write_files
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publishing, "write_files", no_room)
        assert run(words) == 2
    said = capsys.readouterr().err
    assert "The file “r.json” cannot be written (No space left on device)" in said and "to resume" in said
    assert not Path("released").exists() and list(here.glob(".kanon-*")) and real is infile.write_files
    assert run(words) == 0
    assert Path("released").exists() and Path("locked/r.json").exists() and not list(here.glob(".kanon-*"))


def no_room(files, secret):
    with infile.writing(next(iter(files))):
        raise OSError(28, "No space left on device")


@pytest.mark.deep
def test_mistakes(here, capsys):
    Path("certificate.pem").write_text("", "utf-8")
    Path("old.json").write_text("{}", "utf-8")
    for source, words, said in [
        ("people", "--given-order", "--given-order applies to a single file only: over many files, the seed"),
        ("people", "--keep-order", "--keep-order applies to a single file"),
        ("people", "--metrics ild", "--metrics applies to a single file only: over many files, all metrics"),
        ("people", "--scores s.txt", "s.txt"),
        ("people", "--scores none/s.csv", "The folder of “none/s.csv” does not exist"),
        ("people", "--scores people/s.csv", "“s.csv” would be inside the folder that is read"),
        ("people", "--scores released/s.csv", "“s.csv” would be inside the released folder"),
        ("people", "--guarantees ldiversity", "--guarantees applies to a single file"),
        ("people", "--encoding utf-8", "--encoding applies to a single file only: settings for reading"),
        ("people", "--propose-categories city=note", "use --categories"),
        ("people", "--engine ray", "choose from local, dask, spark"),
        ("people", "--address tcp://127.0.0.1:1", "The engine local does not accept --address"),
        ("people", "--engine spark --tls-key certificate.pem", "The engine spark does not accept --tls-key"),
        ("people", "--engine dask --address tcp://x:1 --workers 2", "--workers applies to this machine"),
        ("people", "--engine dask --tls-key certificate.pem", "must be given together, and with --address"),
        (
            "people",
            "--engine dask --address tls://127.0.0.1:1 --tls-certificate no.pem --tls-key certificate.pem"
            " --tls-authority certificate.pem",
            "There is no file “no.pem”",
        ),
        ("people", "--workers 0", "--workers must be a whole number of 1 or more."),
        ("people", "--rows many", "--rows must be a whole number of 1 or more."),
        ("people", "--seed x", "The seed must be a whole number"),
        ("people", "--recipe released/r.json", "would be inside the released folder"),
        ("people", "--recipe old.json", "“old.json” already exists"),
        ("people", "--recipe none/r.json", "The folder of “none/r.json” does not exist"),
        ("nobody/*.parquet", "", "There is no parquet or csv file at “*.parquet”"),
        ("people.parquet", "--rows 100", "--rows applies to many files only; name a folder"),
        ("people", "--person note", "Column “note” identifies the person of each record"),
        ("people", "--quasi age,hight", "hight"),
    ]:
        before = names(here)
        assert run(words, source) == 2, words
        shown = capsys.readouterr()
        assert said in shown.err.strip().splitlines()[-1] and not shown.out, shown.err
        assert names(here) == before


def test_where_a_release_may_not_go(here, capsys):
    before = names(here)
    for source, out, said in [
        ("people", "people/released", "“released” would be inside the folder that is read"),
        ("people/*.parquet", "people/released", "“released” would be inside the folder that is read"),
        ("*/part-*.parquet", "released", "“released” would be inside the folder that is read"),
        ("people", "people", "would be inside the folder that is read"),
        ("people/part-0.parquet", "cities.csv --engine local", "“cities.csv” already exists"),
        ("people", "nowhere/released", "The folder of “released” does not exist"),
    ]:
        assert run("", source, out) == 2
        assert said in capsys.readouterr().err.strip().splitlines()[-1]
        assert names(here) == before


def test_the_time_of_every_stage_is_printed_once():
    named = [name for names in STAGES.values() for name in names]
    assert sorted(named) == sorted(set(SHARES) - {"tune"})


@pytest.mark.deep
def test_people_with_several_records_are_anonymized_and_repeated(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    who = (60 * rng.random(400) ** 2).astype(int)
    frame = pd.DataFrame({"customer": [f"c{one}" for one in who], "price": rng.integers(1, 50, 400) / 2})
    Path("visits").mkdir()
    for number, part in enumerate((frame[:100], frame[100:])):
        part.to_parquet(f"visits/{number}.parquet", index=False)
    words = "anonymize visits --roles customer=person --algorithm fragments --inner purchasehistories"
    flags = ["--rows=150", "--k=3", "--workers=1", "--recipe=r.json"]
    assert main([*words.split(), *flags, "--out=one"]) == 0
    assert "k-anonymity of people: holds" in capsys.readouterr().out
    assert main(["run", "r.json", "visits", "--workers=1", "--out=two"]) == 0
    one, two = (pd.concat(map(pd.read_parquet, sorted(Path(out).iterdir()))) for out in ("one", "two"))
    assert one.equals(two) and one["customer"].str.fullmatch("[1-9][0-9]{8}").all()
    assert not set(one["customer"]) & set(frame["customer"])


@pytest.mark.deep
def test_how_csv_files_are_read_is_said(here, capsys):
    """Decimal commas in one file, codes with leading zeros in the other: both decide for all, and it is
    said."""
    Path("written").mkdir()
    rows = [f"{20 + i % 40};{i},5;{1000 + i};{'NA' if i % 9 == 0 else 'yes'}" for i in range(200)]
    Path("written/one.csv").write_text("\n".join(["age;pay;zip;owner", *rows[:100]]) + "\n", "utf-8")
    coded = [*rows[100:], "30;1,5;0123;yes"]
    Path("written/two.csv").write_text("\n".join(["age;pay;zip;owner", *coded]) + "\n", "utf-8")
    assert run("--quasi age,pay,zip,owner --seed 3", "written") == 0
    said = capsys.readouterr().err
    assert "From a sample: Commas were read as decimal marks: “pay”." in said
    assert "From a sample: Numbers with leading zeros are codes and stay text: “zip”." in said
    assert "count as missing: “owner” (NA). To keep one as a value, write the files as parquet" in said
    assert "“age”." not in said

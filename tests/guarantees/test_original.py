"""Released files beside their original, in all columns: the cases in which a file lies beside its
quasi-identifiers."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.covers.matching import consistency
from kanon_core.report import release_bytes
from kanon_core.report.released_file import ENDINGS
from tests.helpers import looped, release_of

N = 12
ROLES = {"name": "identifier", "age": "quasi_identifier", "ill": "sensitive", "note": "other"}


def original(**columns: object) -> kc.Table:
    frame = pd.DataFrame(
        {
            "name": [f"Person {letter}" for letter in "ABCDEFGHIJKL"],
            "age": [20, 21, 22, 23, 40, 41, 42, 43, 60, 61, 62, 63],
            "ill": ["flu", "flu", "cold", "gout", "hiv", "flu", "flu", "cold", "gout", "ok", "ok", "ok"],
            "note": np.arange(N) / 4,
            **columns,
        }
    )
    roles = {name: ROLES.get(name, "other") for name in frame}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))


def published(table: kc.Table) -> pd.DataFrame:
    """The rows of three classes of four records, in the order of the records."""
    return release_of(table, np.arange(N) // 4, 4).publish(shuffle=False).sort_index()


def verdict(frame: pd.DataFrame | bytes, table: kc.Table) -> kc.Verdict:
    found = kc.audit_uploaded(kc.read_release(frame, table), 4)
    return next(each for each in found if each.guarantee == "agreement with the original")


def test_the_file_itself_is_true_and_the_sentence_says_of_what():
    told = verdict(published(original()), original())
    assert told.holds and told.found == 0 and told.witnesses == ()
    assert told.sentence == (
        "Every row can belong to a different record of the original: its quasi-identifiers fit, and within"
        " each class the values of “ill”, “note” are those of the records that fit."
    )


def test_every_diagnosis_set_to_ebola():
    table = original()
    told = verdict(published(table).assign(ill="EBOLA"), table)
    assert not told.holds and told.found == N
    assert told.witnesses == tuple(range(1, N + 1)) and told.named == "rows"
    assert told.sentence == (
        "“ill” differs from the original: 12 rows have a value that the column of the original does not have,"
        " or has less often."
    )


def test_diagnoses_shuffled():
    table = original()
    frame = published(table)
    told = verdict(frame.assign(ill=frame["ill"].tolist()[::-1]), table)
    assert not told.holds and "Within the classes, the values of “ill” cannot be" in told.sentence
    assert "Each column as a whole has the values of the original" in told.sentence
    # Rows 1–3 say ok of the class that has none; 4 and 1–2 of the others likewise.
    expected = [row for row in range(1, N + 1) if _too_often(table, frame, row)]
    assert told.witnesses == tuple(expected) and told.found == len(expected) > 0


def _too_often(table: kc.Table, frame: pd.DataFrame, row: int) -> bool:
    """By hand: the reversed values of the row's class, with the note that stayed, are of no record there."""
    ill, note = frame["ill"].tolist()[::-1][row - 1], frame["note"][row - 1]
    first = (row - 1) // 4 * 4
    own = table.frame.iloc[first : first + 4]
    return not ((own["ill"] == ill) & (own["note"] == note)).any()


def test_two_values_swapped_within_a_class_are_true_only_of_the_column_alone():
    table = original(note=1.0)
    frame = published(table)
    ill = frame["ill"].tolist()
    ill[0], ill[2] = ill[2], ill[0]
    assert verdict(frame.assign(ill=ill), table).holds  # nobody can tell rows of a class apart
    table = original()
    frame = published(table)
    told = verdict(frame.assign(ill=ill), table)  # but the notes go with them
    assert not told.holds and told.witnesses == (1, 3)


def test_one_value_moved_to_another_class():
    table = original(note=1.0)
    frame = published(table)
    ill = frame["ill"].tolist()
    ill[4], ill[0] = ill[0], ill[4]  # hiv to the young
    told = verdict(frame.assign(ill=ill), table)
    assert not told.holds and told.witnesses == (1, 5, 6, 7)  # three say flu where two have it


def test_a_value_more_often_than_in_the_original():
    table = original(note=1.0)
    frame = published(table)
    told = verdict(frame.assign(ill=["flu", "flu", "flu", "gout", *frame["ill"][4:]]), table)
    assert not told.holds and told.found == 1 and "“ill” differs from the original" in told.sentence


def test_fewer_rows_may_leave_values_out_but_not_add_any():
    table = original(note=1.0)
    frame = published(table).drop(index=[0, 5]).reset_index(drop=True)
    assert verdict(frame, table).holds
    assert not verdict(frame.assign(ill=["hiv", *frame["ill"][1:]]), table).holds


def test_an_emptied_and_a_starred_cell():
    table = original(note=1.0)
    frame = published(table)
    empty = frame.assign(ill=[None, *frame["ill"][1:]])
    assert verdict(empty, table).witnesses == (1,)  # nobody's diagnosis is missing
    back = kc.read_release(frame.assign(ill=["*", "{flu, cold}", *frame["ill"][2:]]), table)
    assert "Column “ill”: 2 cells are less precise than a single value of the original." in back.notes
    assert verdict(frame.assign(ill=["*", "{flu, cold}", *frame["ill"][2:]]), table).holds
    assert not verdict(frame.assign(ill=["*", "{hiv, ok}", *frame["ill"][2:]]), table).holds


def test_numbers_are_compared_as_numbers_and_may_be_generalized():
    table = original()
    frame = published(table)
    assert verdict(frame.assign(note=[f"{note:.3f}" for note in frame["note"]]), table).holds
    told = verdict(frame.assign(note=frame["note"] + 0.001), table)
    assert not told.holds and told.found == N
    assert verdict(frame.assign(note=["[0, 3]"] * N), table).holds
    assert verdict(frame.assign(note=[0, *["[0.25, 0.75]"] * 3, *frame["note"][4:]]), table).holds
    # Record 1 alone has at most 0.1, and four equal rows of its class say so: any of them may be wrong.
    told = verdict(frame.assign(note=[*["[0, 0.1]"] * 4, *frame["note"][4:]]), table)
    assert told.witnesses == (1, 2, 3, 4)


def test_rows_of_stars_are_compared_as_whole_columns():
    table = original(note=1.0)
    frame = published(table).assign(age="*")
    assert verdict(frame, table).holds
    assert not verdict(frame.assign(ill="EBOLA"), table).holds


def test_columns_that_only_one_of_them_has_are_named():
    table = original()
    frame = published(table).drop(columns="note")
    who = [f"Person {letter}" for letter in "ABCDEFGHIJKL"]
    back = kc.read_release(frame.assign(who=who, region="north", email=range(N)), table)
    assert back.notes == (
        "The column “note” of the original is not in the file.",
        "The column “who” is in the file but not in the original, so it cannot be compared. It has values of"
        " the identifier “name”, which name people.",
        "The column “region” is in the file but not in the original, so it cannot be compared.",
        "The column “email” is in the file but not in the original, so it cannot be compared. It seems to"
        " name people.",
    )


@looped("names", [["Ann", "Ben", "Cid"] * 4, list("abcdefghijkl")])
def test_an_added_column_that_tells_rows_apart_is_said_to(names):
    table = original()
    (note,) = kc.read_release(published(table).assign(who=names), table).notes
    assert ("Nearly every row has a unique value in it, as in a column of names." in note) == (
        len(set(names)) == N
    )


def test_rows_that_need_one_record_between_them():
    frame = pd.DataFrame({"age": [1, 2, 3, 9], "ill": ["ok", "flu", "ok", "flu"]})
    schema = kc.Schema.infer(frame).with_kinds({"age": "numeric"})
    table = kc.Table.from_frame(frame, schema.with_roles({"age": "quasi_identifier", "ill": "sensitive"}))
    told = verdict(pd.DataFrame({"age": ["[1, 2]", "[2, 3]"], "ill": "flu"}), table)
    assert not told.holds and told.found == 0 and told.witnesses == ()
    assert "Each row fits a record, but the rows cannot all have different records." in told.sentence


def test_nothing_but_quasi_identifiers_is_said():
    table = original()
    told = verdict(published(table)[["age"]], table)
    assert told.holds and "share no other column" in told.sentence


def test_too_many_pairs_are_compared_as_whole_columns(monkeypatch):
    table = original()
    monkeypatch.setattr(consistency, "EDGES_TO_MATCH", 48)  # 4 · 4 pairs in each of 3 classes
    frame = published(table)
    back = kc.read_release(frame.assign(ill=frame["ill"].tolist()[::-1], note="[0, 3]"), table)
    back.consistency()
    monkeypatch.setattr(consistency, "EDGES_TO_MATCH", 1)
    told = next(v for v in kc.audit_uploaded(back, 4) if v.guarantee == "agreement with the original")
    assert (
        told.holds and "In “ill”, “note”, the file as a whole has the values of the original" in told.sentence
    )
    assert "too many pairs of rows and records to compare the values within each class" in told.sentence


def brute_force(table: kc.Table, frame: pd.DataFrame) -> bool:
    """Return whether different records can be given to all rows such that age and diagnosis agree."""
    ages = [tuple(map(float, text.strip("[]").split(", "))) for text in frame["age"]]
    rows = list(zip(ages, frame["ill"], strict=True))
    records = list(zip(table.frame["age"], table.frame["ill"], strict=True))
    return any(
        all(
            low <= age <= high and ill == own
            for ((low, high), ill), (age, own) in zip(rows, order, strict=True)
        )
        for order in permutations(records, len(rows))
    )


@pytest.mark.deep
@looped("seed", range(60))
def test_the_verdict_is_that_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 7))
    frame = pd.DataFrame({"age": rng.integers(0, 4, n), "ill": rng.choice(["a", "b", "c"], n)})
    schema = kc.Schema.infer(frame).with_kinds({"age": "numeric"})
    table = kc.Table.from_frame(frame, schema.with_roles({"age": "quasi_identifier", "ill": "sensitive"}))
    rows = frame.iloc[rng.permutation(n)[: int(rng.integers(2, n + 1))]]
    low, high = rows["age"] - rng.integers(0, 2, len(rows)), rows["age"] + rng.integers(0, 2, len(rows))
    ill = rng.permutation(rows["ill"]) if rng.random() < 0.7 else rows["ill"]
    file = pd.DataFrame({"age": [f"[{a}, {b}]" for a, b in zip(low, high, strict=True)], "ill": list(ill)})
    told = verdict(file, table)
    assert told.holds == brute_force(table, file)
    if "differs from the original" in told.sentence:
        assert Counter(file["ill"]) - Counter(frame["ill"])


ODD = {
    "when": pd.to_datetime(["2020-01-02 03:04:05", None, *["2021-12-31 00:00:00"] * (N - 2)]),
    "text day": ["31.12.1899", "01.02.2003", None] * 4,
    "flag": [True, False, True] * 4,
    "sign": pd.Series(
        ["=1", "-x", "*", "(missing)", "{a}", "a, b", None, '"q"', " b", "b ", "b", "1"], dtype="str"
    ),
    "big": [2**60 + i // 2 for i in range(N)],
    "mixed": [1, "x", None, 2.5, True, "1", "2.50", "x", "y", -4, "", 7],
    "tags": [["a", "b"], ["b"], []] * 4,
    "float": [0.1 + 0.2, 1e-300, -0.0, 1e300, np.nan, 5.0] * 2,
}


@pytest.mark.deep
@pytest.mark.parametrize("format", sorted(set(ENDINGS.values())))
def test_no_value_of_our_own_files_is_taken_for_another(format):
    table = original(**ODD)
    for algorithm, k in ((kc.MDAV(), 3), (kc.Greedy(), 3)):
        release = kc.anonymize(table, algorithm, k, seed=1)
        back = kc.read_release(release_bytes(release, format), table)
        told = kc.audit_uploaded(back, k)[1]
        assert told.holds, told.sentence
        assert back.notes == ()


def test_the_command_says_no_and_names_the_rows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = original()
    table.frame.to_csv("people.csv", index=False)
    words = "--original people.csv --quasi age --sensitive ill --identifier name --k 4"
    published(table).to_csv("true.csv", index=False)
    published(table).assign(ill="EBOLA").to_csv("false.csv", index=False)
    assert main(["audit", "true.csv", *words.split()]) == 0
    capsys.readouterr()
    assert main(["audit", "false.csv", *words.split()]) == 1
    shown = capsys.readouterr().out
    assert "agreement with the original: does not hold" in shown
    assert (
        f"rows: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and {N - 10} more; --failing FILE writes all of them" in shown
    )
    assert "differs from the original" in shown
    assert Path("false.csv").exists() and "EBOLA" not in shown

"""Any file checked: verdicts, levels, what fails, what is said beside it, files that cannot be checked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.checks.checking import MODELS, with_asked
from kanon_core.checks.failures import classes_failing, rows_failing
from kanon_core.guarantees import GUARANTEES

WARDS = (
    b"age,sex,diagnosis\n"
    b"[20-29],F,flu\n[20-29],F,gout\n[20-29],F,flu\n"
    b"[30-39],M,flu\n[30-39],M,flu\n"
    b"40-49,M,ok\n"
)
ARX = (
    b"age;sex;zip;diagnosis\n"
    b"[20, 30[;*;130**;flu\n[20, 30[;*;130**;gout\n[30, 40[;{F, M};131**;flu\n"
    b"[30, 40[;{F, M};131**;ok\n>=90;M;*****;ok\n*;*;*;flu\n"
)
SDCMICRO = (
    b'"","age","sex","income"\n'
    b'"1","(20,30]","F",1.5\n"2","(20,30]","F",2.5\n"3","(30,40]",NA,10\n"4","(30,40]","M",20\n'
    b'"5","(30,40]","M",30\n'
)


def verdicts(found: kc.Checked) -> dict[str, tuple[bool, str]]:
    return {m.guarantee.called: (m.verdict.holds, m.reached) for m in found.models if m.verdict is not None}


def test_every_model_that_suits_a_file_says_what_it_reaches():
    found = kc.check(WARDS, [kc.KAnonymity(2), kc.LDiversity(l=2)])
    told = verdicts(found)
    assert told["k-anonymity"] == (False, "k = 1") and told["distinct ℓ-diversity"] == (False, "ℓ = 1")
    assert told["(α, k)-anonymity"] == (False, "α = 1") and told["enhanced β-likeness"][1] == "no β"
    assert told["recursive (c, ℓ)-diversity"] == (False, "no c") and told["δ-disclosure privacy"][1] == "no δ"
    assert [m.guarantee.name for m in found.asked] == ["k-anonymity", "ℓ-diversity"] and not found.holds
    assert found.asked[0].guarantee.wanted == "k = 2" and found.counted.startswith("Rows are counted.")
    others = {m.guarantee.called: m.reasons for m in found.models if m.verdict is None}
    assert "only be checked against the original" in others["k-map"][0]
    assert "no hierarchy" in others["t-closeness, hierarchical"][0]
    assert len(found.models) == len(MODELS) >= len(GUARANTEES)


def test_a_model_that_is_asked_takes_the_place_of_its_form():
    asked = [kc.LDiversity(l=3, entropy=True), kc.KMap(4), kc.KAnonymity(7), kc.KAnonymity(9)]
    models = with_asked(asked)
    assert [model for model, wanted in models if wanted] == [asked[2], asked[3], asked[1], asked[0]]
    assert len(models) == len(MODELS) + 1 and (kc.LDiversity(), False) in models


def test_what_fails_is_told_by_class_and_row_and_names_no_other_column():
    found = kc.check(WARDS, [kc.KAnonymity(3), kc.LDiversity(l=2)])
    classes = classes_failing(found)
    assert classes.to_dict("list") == {
        "rows": [1, 2],
        "indistinguishable rows": [1, 2],
        "first row": [6, 4],
        "fails": ["k-anonymity, distinct ℓ-diversity"] * 2,
        "age": ["40-49", "[30-39]"],
        "sex": ["M", "M"],
    }
    rows = rows_failing(found)
    assert rows[rows["fails"] == "k-anonymity"]["number"].tolist() == [4, 5, 6]
    assert set(rows["of"]) == {"rows"} and rows["class"].tolist() == [2, 2, 3] * 2
    assert len(classes_failing(found, most=1)) == 1
    assert not len(rows_failing(kc.check(WARDS, [kc.KAnonymity(2)])).query("of == 'records'"))
    assert not len(classes_failing(kc.check(b"age\n1\n1\n", [kc.KAnonymity(2)])))


def test_mixed_notations_are_told_with_column_and_row():
    (note,) = [note for note in kc.check(WARDS).notes if "notations" in note]
    assert note.startswith("Column “age” has intervals in 2 notations: [a-b] (first in row 1) and a-b (")
    assert "(first in row 6)" in note


def test_an_export_of_arx_is_read():
    file = kc.open_file(ARX)
    assert [a.role for a in file.schema] == ["quasi_identifier"] * 3 + ["sensitive"]
    found = kc.check(file, [kc.KAnonymity(2)])
    assert found.asked[0].verdict.witnesses == (5,) and "1 row is not judged because all its" in found.counted
    assert (
        "4 of 6 rows have missing or suppressed quasi-identifiers: they count as values of their own. These"
        " cells are: “*” 5, “*****” 1." in found.counted
    )
    assert not any("ways" in note for note in found.notes)
    loose = kc.check(file, [kc.KAnonymity(2)], counting=kc.Counting(missing="any", stars=True))
    assert loose.holds and "they fit every value" in loose.counted
    strict = kc.check(file, [kc.KAnonymity(2)], counting=kc.Counting(missing="out"))
    assert strict.holds and "their rows are not judged" in strict.counted


def test_an_export_of_sdcmicro_is_read_as_it_counts_itself():
    """NA fits every value there: row 3 looks like 4 and 5, and these like it."""
    file = kc.open_file(SDCMICRO)
    assert file.schema["column_1"].role == "identifier"
    assert kc.check(file, [kc.KAnonymity(2)]).asked[0].verdict.witnesses == (3,)
    found = kc.check(file, [kc.KAnonymity(2)], counting=kc.Counting(missing="any"))
    assert found.holds and found.file.class_sizes[found.file.classes].tolist() == [2, 2, 3, 3, 3]
    assert "“column_1” looks like an identifier" in "".join(found.notes)


def test_persons_are_counted_where_a_column_names_them():
    data = b"who,age,diagnosis\n" + b"7,30,hiv\n" * 3 + b"8,40,flu\n9,40,ok\n"
    with pytest.raises(
        kc.UnsuitableError, match="undecided whether these columns identify the people of the 5 records"
    ):
        kc.check(data.replace(b"who", b"customer_id"))
    rows = kc.check(kc.open_file(data).with_roles({"who": "other"}), [kc.KAnonymity(2)])
    assert rows.holds and "Rows are counted." in rows.counted
    people = kc.check(kc.open_file(data).with_roles({"who": "person"}), [kc.KAnonymity(2)])
    (model,) = people.asked
    assert model.verdict.witnesses == (1, 2, 3) and "of fewer than 2 people" in model.verdict.sentence
    assert "People are counted, by the different values of “who”." in people.counted
    histories = next(m for m in people.models if isinstance(m.guarantee, kc.PersonKAnonymity))
    assert histories.verdict.found == 1
    held = kc.check(
        kc.open_file(data.replace(b"7,30,hiv\n", b"")).with_roles({"who": "person"}), [kc.KAnonymity(2)]
    )
    assert held.holds and "at least 2 people" in held.asked[0].verdict.sentence


def original() -> kc.Table:
    frame = pd.DataFrame(
        {
            "age": [20, 21, 30, 31, 40, 41],
            "sex": list("FFMMMM"),
            "diagnosis": ["flu", "gout"] * 3,
            "name": list("abcdef"),
        }
    )
    roles = {"diagnosis": "sensitive", "name": "identifier"}
    schema = kc.Schema.infer(frame).with_kinds({"age": "numeric"}).with_quasi(["age", "sex"])
    return kc.Table.from_frame(frame, schema.with_roles(roles))


def test_beside_an_original_all_models_are_judged_and_its_length_is_told():
    file = b"diagnosis,age,sex,extra\nflu,[20-21],F,x\ngout,[20-21],F,y\nflu,[30-41],M,x\ngout,[30-41],M,x\n"
    found = kc.check(file, [kc.KAnonymity(2), kc.KMap(2), kc.DeltaPresence(high=1)], original())
    assert found.holds and found.truth is not None and found.truth.holds
    told = verdicts(found)
    assert told["k-map"] == (True, "k = 2") and told["(k,1)-anonymity"][1] == "k = 2"
    assert told["(1,k)-anonymity"] == told["k-concealment"] == (False, "k = 2")
    said = "The file has 4 rows and the original 6 records: 2 are left out, or the file is a sample of it."
    assert said in found.notes
    assert any("“extra” is in the file but not in the original" in note for note in found.notes)
    assert {a.name: a.role for a in found.opened.schema} == {
        "diagnosis": "sensitive",
        "age": "quasi_identifier",
        "sex": "quasi_identifier",
        "extra": "other",
    }
    lying = kc.check(file.replace(b"[30-41]", b"[50-60]"), [kc.KAnonymity(2)], original())
    assert not lying.holds and lying.asked[0].verdict.holds
    assert rows_failing(lying)["fails"].unique().tolist() == ["agreement with the original"]


def test_records_that_fail_are_numbered_as_in_the_original():
    file = b"age,sex\n[20-21],F\n[20-21],F\n30,M\n[31-41],M\n[31-41],M\n[31-41],M\n"
    found = kc.check(file, [kc.OneKAnonymity(2), kc.KOneAnonymity(2)], original())
    rows = rows_failing(found)
    assert rows[rows["of"] == "records"]["number"].tolist() == [3]
    assert rows[rows["of"] == "rows"]["number"].tolist() == [3]


@pytest.mark.parametrize(
    ("data", "roles", "sentence"),
    [
        (b"age,diagnosis\n1,flu\n2,ok\n", {"age": "other"}, "No column is a quasi-identifier"),
        (b"age\n1\n2\n", {}, None),
        (b"age,diagnosis\n*,flu\n*,ok\n", {"age": "quasi_identifier"}, "nothing"),
        (b"", {}, "empty"),
    ],
)
def test_files_that_say_nothing_get_a_sentence(data, roles, sentence):
    if sentence == "nothing":
        found = kc.check(kc.open_file(data).with_roles(roles), [kc.KAnonymity(2), kc.LDiversity(l=2)])
        alike, diverse = (model.verdict for model in found.asked)
        assert alike.holds and "they distinguish nobody" in alike.sentence
        assert not diverse.holds and "No row can be judged" in diverse.sentence  # diagnoses are in the file
        assert "2 rows are not judged because all their" in found.counted
    elif sentence is None:
        with pytest.raises(kc.UnsuitableError, match="No column has the role sensitive"):
            kc.check(kc.open_file(data), [kc.LDiversity(l=2)])
    else:
        with pytest.raises(kc.KanonError, match=sentence):
            kc.check(kc.open_file(data).with_roles(roles))


def test_a_longer_file_and_another_file_are_refused():
    with pytest.raises(kc.InputError, match="7 rows, but the original has 6 records"):
        kc.check(b"age,sex\n" + b"[20-41],*\n" * 7, original=original())
    with pytest.raises(kc.InputError, match="none of the original's quasi-identifiers"):
        kc.check(b"a,b\n1,2\n", original=original())
    with pytest.raises(kc.UnsuitableError, match="only be checked against the original"):
        kc.check(WARDS, [kc.KMap(3)])
    with pytest.raises(kc.InputError, match="not read from this file"):
        kc.open_file(WARDS, kc.read_table(b"age\n1\n2\n"))


def test_everything_suppressed_beside_an_original():
    found = kc.check(b"age,sex\n" + b"*,*\n" * 6, [kc.KAnonymity(3), kc.KConcealment(3)], original())
    assert found.holds and all("they distinguish nobody" in m.verdict.sentence for m in found.asked)


def test_a_sample_and_a_table_of_sets_can_be_checked():
    found = kc.check("sample:people-100", [kc.KAnonymity(2)])
    assert len(found.file) == 100 and not found.holds
    data = b"age,bag\n1,a;b\n1,a;c\n1,b;c\n"
    file = kc.open_file(data)
    file = file.with_schema(file.schema.with_kinds({"bag": "items"}))
    told = verdicts(kc.check(file, [kc.KMAnonymity(2, 1)]))
    assert told["kᵐ-anonymity"] == (True, "k ≥ 2") and not told["k-anonymity"][0]


def test_reading_a_file_ticks_both_times():
    once, twice = [], []
    kc.read_table(WARDS, tick=lambda *said: once.append(said))
    kc.open_file(WARDS, tick=lambda *said: twice.append(said))
    assert once and twice[: len(once)] == once and set(twice) == set(once) and len(twice) > len(once)


def test_progress_is_told_and_stops_the_work():
    class Stop(Exception):
        """Raised by the tick."""

    def stop(fraction: float | None, note: str = "") -> None:
        raise Stop

    with pytest.raises(Stop):
        kc.check(WARDS, progress=stop)
    seen: list[float | None] = []
    kc.check(WARDS, original=None, progress=lambda fraction, note="": seen.append(fraction))
    assert len(seen) >= len(MODELS) and np.diff([share for share in seen if share is not None]).min() >= 0


def test_an_exact_date_beside_intervals_is_one_notation():
    cells = ['"[2020-03-01, 2020-03-10]"', "2020-03-02", "2-3-2020", "2020-03-02T10:00"]
    assert not kc.check("\n".join(["day", *cells]).encode(), [kc.KAnonymity(2)]).notes
    mixed = kc.check(b'age\n"[10, 20]"\n10-20\n15\n', [kc.KAnonymity(2)]).notes
    assert len(mixed) == 1 and "has intervals in 2 notations" in mixed[0]

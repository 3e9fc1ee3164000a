"""The table of columns on the Data page: what is typed, said, taken back, kept for the next table."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
import streamlit as st

import kanon_core as kc
from kanon_core.table.presets import preset_text
from kanon_core.table.samples import SAMPLES
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words
from tests.table.test_rolesets import ADULT, EIGHT

DATA = b"30,F,a\n41,M,b\n52,F,a\n63,M,b\n"
SETTING = Setting(kc.MDAV(), 2)


def session_of(data: bytes = DATA, name: str = "people.data", source: str = "upload:1") -> Session:
    session = Session(kc.read_table("sample:four"), "four", "sample:four", SETTING)
    session.load(kc.read_table(data), name, source)
    return session


def typed(monkeypatch, *rows: dict[str, object]) -> None:
    """The table of columns comes back from the screen with these cells, one change of one row a run."""
    left = list(rows)

    def grid(frame, key, **_):
        edited = frame.copy()
        if left and key.startswith("columns "):
            row = left.pop(0)
            for name, value in row.items():
                if name != "row":
                    edited.loc[row["row"], name.replace("_", " ")] = value
        return edited

    monkeypatch.setattr(st, "data_editor", grid)


def press(test, label: str):
    next(one for one in test.button if one.label.replace("\\", "").startswith(label)).click().run()
    assert not test.exception
    return test


def labels(test) -> list[str]:
    return [one.label.replace("\\", "") for one in test.button]


def roles(session: Session) -> dict[str, str]:
    return {a.name: a.role for a in session.table.schema}


# Names


def test_a_column_is_renamed_and_what_was_computed_is_forgotten(monkeypatch):
    session = session_of()
    session.change_schema(session.table.schema.with_roles({"column_3": "sensitive"}))
    session.keep(session.setting, kc.anonymize(session.table, kc.MDAV(), 2))
    secret = session.secret
    typed(monkeypatch, {"row": 0, "column": " age "})
    test = opened("data", session)
    assert roles(session) == {
        "age": "quasi_identifier",
        "column_2": "quasi_identifier",
        "column_3": "sensitive",
    }
    assert not session.releases and session.secret == secret == session.setting.seed
    assert session.table.reading["names"] == ("age", "column_2", "column_3")
    assert "Changed: column_1 renamed to age." in words(test) and "people.data" in words(test)
    press(test, "Undo")
    assert session.table.schema.names == ("column_1", "column_2", "column_3")
    assert session.table.data_digest == kc.read_table(DATA).data_digest


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "new name of column “column_1” is empty"),
        (None, "empty"),
        ("column_2", "would have the name “column_2”"),
    ],
)
def test_names_that_cannot_be_are_refused_with_a_sentence(monkeypatch, name, said):
    session = session_of()
    typed(monkeypatch, {"row": 0, "column": name})
    test = opened("data", session)
    told = " ".join(box.value for box in test.error).replace("\\", "")
    assert said in told and "Nothing was changed" in told
    assert session.table.schema.names == ("column_1", "column_2", "column_3") and "Undo" not in labels(test)


def test_an_option_that_names_a_renamed_column_gives_way(monkeypatch):
    session = session_of()
    session.ask(algorithm=kc.Sorting(("column_1",)))
    typed(monkeypatch, {"row": 0, "column": "age"})
    opened("data", session)
    assert not session.setting.algorithm.unsuitable(session.table, session.setting.k)


def test_the_export_page_makes_the_same_bytes_under_the_new_names(monkeypatch):
    session = session_of()
    session.change_schema(session.table.schema.with_quasi(["column_1", "column_2", "column_3"]))
    typed(monkeypatch, {"row": 0, "column": "age"}, {"row": 1, "column": "sex"})
    opened("data", session)
    assert session.table.schema.names == ("age", "sex", "column_3")
    shown = opened("release", session)
    code = "\n".join(block.value for block in shown.code)
    assert "names=('age', 'sex', 'column_3')" in code and "--names=age,sex,column_3" in code
    assert '"names": [' in code


# Said and undone


def test_each_change_is_said_and_taken_back_step_by_step(monkeypatch):
    session = session_of()
    first = session.table.schema
    typed(monkeypatch, {"row": 0, "role": "sensitive"}, {}, {"row": 1, "weight": 3.0})
    test = opened("data", session)
    assert "Changed: role of column_1: quasi-identifier → sensitive." in words(test)
    test.run()
    assert "Changed: weight of column_2: 1 → 3." in words(test) and "Undo (1 more)" in labels(test)
    press(test, "Undo")
    assert session.table.schema["column_2"].weight == 1 and "role of column_1" in words(test)
    press(test, "Undo")
    assert session.table.schema == first and "Changed:" not in words(test) and "Undo" not in labels(test)


def test_what_the_question_and_other_parts_change_is_said_too():
    session = session_of(b"customer_id,age\n1,20\n1,30\n2,40\n3,50\n")
    test = press(opened("data", session), "Each record is a different person")
    assert "role of customer_id: undecided → identifier" in words(test)
    test.selectbox(key=next(b.key for b in test.selectbox if b.label == "Which column names the person?"))
    press(test, "Undo")
    assert session.table.schema["customer_id"].role == "undecided" and "Whose records are these" in words(
        test
    )


def test_another_table_has_nothing_to_undo(monkeypatch):
    session = session_of()
    typed(monkeypatch, {"row": 0, "role": "other"})
    test = opened("data", session)
    assert "Undo" in labels(test)
    session.load(kc.read_table(DATA), "again", "upload:2")
    assert "Undo" not in labels(test.run()) and roles(session)["column_1"] == "quasi_identifier"


# Several columns at once


def test_the_selection_is_cleared_after_apply():
    session = session_of()
    test = opened("data", session)
    test.multiselect(key="several").set_value(["column_1", "column_2"]).run()
    test.selectbox(key="several role").set_value("other").run()
    press(test, "Apply")
    assert list(roles(session).values()) == ["other", "other", "quasi_identifier"]
    assert test.multiselect(key="several").value == []
    assert test.selectbox(key="several role").value == "no change"
    assert next(one for one in test.button if one.label == "Apply").disabled
    assert "Changed: role of column_1, column_2: quasi-identifier → other." in words(test)
    test.multiselect(key="several").set_value(["column_3"]).run()
    test.selectbox(key="several kind").set_value("text").run()
    press(test, "Apply")
    assert list(roles(session).values()) == ["other", "other", "quasi_identifier"]
    assert session.table.schema["column_3"].kind == "text"


def test_a_refused_change_of_several_says_why():
    session = session_of()
    test = opened("data", session)
    test.multiselect(key="several").set_value(["column_2"]).run()
    test.selectbox(key="several recoding").set_value("mean").run()
    press(test, "Apply")
    assert "has no mean" in test.error[0].value.replace("\\", "")
    assert session.table.schema["column_2"].recoding == "generalize"


# Columns published unchanged


def wide(count: int) -> bytes:
    names = [f"a rather wordy heading, {i:03}" for i in range(count)]
    text = io.StringIO()
    pd.DataFrame([range(count), range(count)], columns=names).to_csv(text, index=False)
    return text.getvalue().encode()


@pytest.mark.parametrize(("count", "fold"), [(30, False), (31, True), (200, True)])
def test_columns_published_unchanged_are_all_named(count, fold):
    session = session_of(wide(count + 1))
    names = session.table.schema.names
    session.change_schema(session.table.schema.with_quasi(names[:1]))
    test = opened("data", session)
    said = words(test)
    assert all(f"{name} (other)" in said for name in names[1:]) and "…" not in said.partition("unchanged")[2]
    assert (f"Columns published unchanged: {count:,}." in said) == fold
    assert any("Columns published unchanged" in box.label for box in test.expander) == fold


# Roles that need not be set again


def test_roles_as_in_a_paper_are_one_click_and_can_be_undone():
    session = session_of(ADULT.encode(), "adult.data")
    test = opened("data", session)
    press(test, "Adult with eight")
    assert [a.name for a in session.table.schema.quasi_identifiers] == EIGHT
    assert session.table.schema["salary-class"].role == "sensitive"
    said = words(test)
    assert "15 columns renamed: age, workclass" in said and "role of salary-class" in said
    press(test, "Undo")
    assert session.table.schema == kc.read_table(ADULT.encode()).schema
    assert not any(label.startswith("Adult as") for label in labels(opened("data", session_of())))


def test_roles_as_last_time_for_columns_of_the_same_names(monkeypatch):
    session = session_of()
    typed(monkeypatch, {"row": 0, "column": "age", "role": "sensitive"})
    test = opened("data", session)
    assert "Use the previous roles" not in labels(test)
    set_before = session.table.schema
    session.load(kc.read_table(b"1,x,y\n2,x,z\n" * 3), "next.data", "upload:2")
    assert "Use the previous roles" in labels(test.run())
    press(test, "Use the previous roles")
    assert session.table.schema.names == ("age", "column_2", "column_3")
    assert session.table.schema["age"].role == "sensitive" == set_before["age"].role
    assert "role of age: quasi-identifier → sensitive" in words(test)
    press(test, "Undo")
    assert session.table.schema.names == ("column_1", "column_2", "column_3")
    session.load(kc.read_table(b"p,q\n1,2\n"), "other.csv", "upload:3")
    assert "Use the previous roles" not in labels(test.run())


def test_last_time_is_refused_where_it_does_not_fit(monkeypatch):
    session = session_of(b"town,n\nLyon,1\nRome,2\n")
    test = opened("data", session)
    tree = kc.Hierarchy((("Lyon", "Europe"), ("Rome", "Europe"), ("Europe", "*")))
    session.change_schema(session.table.schema.with_hierarchies({"town": tree}))
    test.run()
    session.load(kc.read_table(b"town,n\nLima,1\nRome,2\n"), "more", "upload:2")
    press(test.run(), "Use the previous roles")
    assert "Lima" in test.error[0].value and "Nothing was changed" in test.error[0].value
    assert session.table.schema["town"].hierarchy is None


def test_a_file_of_roles_says_what_is_in_it_and_is_opened():
    session = session_of()
    test = opened("data", session)
    assert "but no values of the data" in words(test)
    tree = kc.Hierarchy((("F", "*"), ("M", "*")))
    session.change_schema(session.table.schema.with_hierarchies({"column_2": tree}))
    assert (
        "It contains values of the data in the orders, hierarchies, categories or distances of column_2"
        in words(test.run())
    )
    saved = preset_text(session.table.schema.with_weights({"column_1": 7}))
    opener = next(box for box in test.file_uploader if box.label == "Open a file with roles")
    opener.upload("roles.json", saved.encode(), "application/json").run()
    assert session.table.schema["column_1"].weight == 7 and "weight of column_1: 1 → 7" in words(test)
    opener = next(box for box in test.file_uploader if box.label == "Open a file with roles")
    opener.upload("roles.json", json.dumps([1]).encode(), "application/json").run()
    assert "This is not a file of roles" in test.error[0].value


# Words and files


def test_every_word_of_the_table_has_its_meaning_on_the_page():
    said = words(opened("data", session_of()))
    for word in (
        "quasi-identifier",
        "sensitive",
        "undecided",
        "generalize",
        "round ends",
        "weight",
        "longitude",
    ):
        assert f"<b>{word}</b>: " in said
    assert "identifies a person directly" in said and "never published" in said


def test_no_sample_speaks_of_a_paper_without_its_name():
    assert not [one.name for one in SAMPLES if "the paper" in one.description]


@pytest.mark.parametrize("name", ["adult.data", "table", "sets.xyz"])
def test_a_file_of_any_name_is_uploaded_and_read(name):
    test = opened("data", session_of())
    test.file_uploader(key="upload").upload(name, ADULT.encode(), "application/octet-stream").run()
    session = test.session_state["kanon"]
    assert not test.exception and session.name == name and len(session.table.schema) == 15
    assert "Names such as column_1 are placeholders" in words(test)


def test_binary_junk_is_refused_with_what_was_looked_for():
    session = session_of()
    test = opened("data", session)
    test.file_uploader(key="upload").upload("x.data", bytes(range(256)) * 9, "text/csv").run()
    told = test.error[0].value.replace("\\", "")
    assert "reads delimited text" in told and "The loaded table has not changed" in told
    assert session.name == "people.data"


def test_the_way_on_stands_before_the_table_and_says_what_is_missing():
    session = session_of()
    session.change_schema(session.table.schema.with_quasi([]))
    test = opened("data", session)
    assert labels(test)[0] == "Tune k" and test.button[0].disabled
    assert "Give a column the role quasi-identifier first" in words(test)

"""Reading options that the Data page offers where a file needs them: column names, and “?” as missing."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

import kanon_core as kc
from tests.app.screens import opened, words
from tests.app.test_pages import session_of

FILE = b"39,cook,1\n50,?,2\n38,nurse,3\n53,?,4\n28,cook,5\n"


def given(content: bytes) -> AppTest:
    test = opened("data", session_of(kc.MDAV()))
    return test.file_uploader(key="upload").set_value(("some.data", content, "text/plain")).run()


def table(test: AppTest) -> kc.Table:
    assert not test.exception
    return test.session_state["kanon"].table


def names_field(test: AppTest):
    return next(area for area in test.text_area if "no row of column names" in area.label)


def test_names_are_pasted_for_a_file_without_them():
    test = given(FILE)
    assert table(test).schema.names == ("column_1", "column_2", "column_3")
    for pasted in ("age, job ,id", "age\tjob\tid", "age\njob\nid\n", '"age","job",\n"id"'):
        names_field(test).set_value(pasted).run()
        assert table(test).schema.names == ("age", "job", "id")
    names_field(test).set_value("age,job").run()
    assert any("2 names were given for 3 columns" in one.value for one in test.error)
    assert table(test).schema.names == ("age", "job", "id")
    names_field(test).set_value("").run()
    assert table(test).schema.names == ("column_1", "column_2", "column_3") and not test.error


def test_a_file_with_names_has_no_field_for_them():
    assert not given(b"age,job\n39,cook\n50,nurse\n").text_area


def test_question_marks_are_counted_beside_the_missing_values_and_become_missing_by_a_click():
    test = given(FILE)
    assert "2 cells hold “?”, which was read as text" in words(test)
    next(button for button in test.button if button.label == "Count “?” as missing").click().run()
    assert table(test).reading["missing"] == ("?",) and int(table(test).columns[1].missing.sum()) == 2
    assert "hold “?”" not in words(test)
    assert not any("Count “?”" in button.label for button in test.button)


def test_a_table_whose_file_is_not_at_hand_says_so_without_the_button():
    session = session_of(kc.MDAV())
    session.load(kc.read_table(FILE), "some.data", "upload:gone")
    test = opened("data", session)
    assert "2 cells hold “?”" in words(test)
    assert not any("Count “?”" in button.label for button in test.button)


def test_roles_changed_by_hand_stay_when_the_file_is_read_with_other_options():
    rows = (f"Ann {i % 30},{20 + i % 40},{'?' if i % 9 == 0 else 'cook'}\n" for i in range(80))
    test = given(("name,age,job\n" + "".join(rows)).encode())
    assert table(test).schema["name"].role == "undecided"
    press(test, "Each record is a different person")
    press(test, "Count “?” as missing")
    assert table(test).reading["missing"] == ("?",)
    assert table(test).schema["name"].role == "identifier"
    next(box for box in test.text_input if box.label.startswith("Also missing")).set_value("? cook").run()
    assert table(test).reading["missing"] == ("?", "cook")
    assert table(test).schema["name"].role == "identifier"
    press(test, "Undo")
    assert table(test).schema["name"].role == "undecided"


def press(test: AppTest, label: str) -> None:
    next(button for button in test.button if button.label == label).click().run()

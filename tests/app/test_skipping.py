"""The Data page leaves out what stands around a table, says so, and reads the file again as somebody says."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words

FILE = b"Survey,,\nage,sex,zip\n30,f,1\n31,m,2\n32,f,3\n"


def test_lines_are_skipped_as_found_and_as_said():
    session = Session(
        kc.read_table("sample:people-100"), "", "sample:people-100", Setting(kc.MDAV(), 2, 2**127)
    )
    test = opened("data", session)
    test.get("file_uploader")[0].upload("people.csv", FILE, "text/csv").run()
    assert not test.exception and session.table.schema.names == ("age", "sex", "zip")
    assert session.table.reading["skip"] == 1
    # + and − work at once: the field shows what was found
    assert [control.value for control in _fields(test)] == [1, 0, 0]
    assert "Left out: 1 line above the column names." in words(test)
    _fields(test)[0].decrement().run()
    assert not test.exception and session.table.schema.names[0] == "Survey" and len(session.table) == 3
    # now the names of the columns are a row of labels
    assert [control.value for control in _fields(test)] == [0, 1, 0]
    _fields(test)[2].increment().run()
    assert not test.exception and session.table.reading["skip_end"] == 1
    next(one for one in test.button if one.label == "Skip as found").click().run()
    assert not test.exception and session.table.schema.names == ("age", "sex", "zip")
    assert len(session.table) == 3 and [control.value for control in _fields(test)] == [1, 0, 0]


def _fields(test: AppTest) -> list[NumberInput]:
    """The controls of what is skipped above, below the names, and at the end."""
    return [one for one in test.number_input if one.label.startswith("Skip")]

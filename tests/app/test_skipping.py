"""The Data page leaves out what stands around a table, says so, and reads the file again as somebody says."""

from __future__ import annotations

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened

FILE = b"Survey,,\nage,sex,zip\n30,f,1\n31,m,2\n32,f,3\n"


def test_lines_are_skipped_as_found_and_as_said():
    session = Session(
        kc.read_table("sample:people-100"), "", "sample:people-100", Setting(kc.MDAV(), 2, 2**127)
    )
    test = opened("data", session)
    test.get("file_uploader")[0].upload("people.csv", FILE, "text/csv").run()
    assert not test.exception and session.table.schema.names == ("age", "sex", "zip")
    assert session.table.reading["skip"] == 1
    test.number_input(key="skip").set_value(0).run()
    assert not test.exception and session.table.schema.names[0] == "Survey" and len(session.table) == 3
    test.number_input(key="skip_end").set_value(1).run()
    assert not test.exception and session.table.reading["skip_end"] == 1

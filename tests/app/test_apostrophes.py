"""Export says how many cells have an apostrophe in front, and leaves it out where it is told so."""

from __future__ import annotations

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words


def test_apostrophes_are_told_beside_the_download():
    rows = "".join(f"{30 + i},{'=1' if i < 2 else '-'}\n" for i in range(6))
    table = kc.read_table(f"age,remark\n{rows}".encode())
    table = table.with_schema(table.schema.with_quasi(["age"]))
    test = opened("release", Session(table, "people.csv", "upload:1", Setting(kc.MDAV(), 3, 2**127)))
    toggle = next(one for one in test.toggle if one.label == "Without apostrophes")
    assert "2 cells have a leading apostrophe" in words(test)
    toggle.set_value(True).run()
    assert "2 cells have no leading apostrophe" in words(test)
    assert any("--plain-cells" in code.value for code in test.code)


def test_nothing_is_said_of_a_table_without():
    session = Session(
        kc.read_table("sample:people-100"), "", "sample:people-100", Setting(kc.MDAV(), 5, 2**127)
    )
    assert "apostrophe" not in words(opened("release", session))

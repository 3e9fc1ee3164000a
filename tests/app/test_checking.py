"""The Export page judges a released file beside the table that is open."""

from __future__ import annotations

import pandas as pd
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.report import release_bytes
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.test_pages import opened, session_of


def checked(test: AppTest, content: bytes) -> AppTest:
    test = test.file_uploader(key="released file").set_value(("r.csv", content, "text/csv")).run()
    assert not test.exception
    return test


def lines(test: AppTest) -> str:
    return " ".join(block.proto.body for block in test.get("html"))


def failing(test: AppTest) -> str:
    """What is said in red, as plain text."""
    return " ".join(box.value.replace("\\", "") for box in test.error)


def test_our_own_release_holds_and_a_greater_k_does_not():
    session = session_of(kc.MDAV(), k=3)
    release = kc.anonymize(session.table, kc.MDAV(), 3)
    test = checked(opened("export", session), release_bytes(release, "csv"))
    assert "\u2713 <b>k-concealment</b>: Every record has at least 3 rows" in lines(test)
    assert "\u2717" not in lines(test)
    assert "Every record could have at least 3 rows" in lines(test)
    test = test.number_input(key="judged.k").set_value(9).run()
    assert not test.exception and session.setting.k == 3
    assert "\u2717 k-concealment: 40 records have fewer than 9 rows" in failing(test)
    assert any(button.proto.label == "Download what fails" for button in test.get("download_button"))


def test_a_file_of_another_table_is_said_to_be_untrue():
    session = session_of(kc.MDAV(), k=3)
    rows = pd.DataFrame({"age": ["[200, 300]"] * 2, "weight": ["*", "*"], "city": ["A", "<b>Z</b>"]})
    test = checked(opened("export", session), rows.to_csv(index=False).encode())
    shown = lines(test)
    assert (
        "\u2717 true of the original: The rows cannot all be rows of different records: 2 rows fit no record"
        in failing(test)
    )
    assert "<b>Z</b>" not in shown


def test_other_diagnoses_are_not_the_original_s_and_their_rows_are_named():
    frame = pd.DataFrame({"age": [20, 21, 60, 61], "ill": ["flu", "gout", "ok", "ok"]})
    schema = kc.Schema.infer(frame).with_roles({"age": "quasi_identifier", "ill": "sensitive"})
    session = Session(kc.Table.from_frame(frame, schema), "t", "upload:1", Setting(kc.MDAV(), 2))
    ages = ["[20, 21]"] * 2 + ["[60, 61]"] * 2
    for ill, told in (
        (["EBOLA"] * 4, "“ill” is not the original"),
        (["ok", "ok", "flu", "gout"], "class by"),
    ):
        file = pd.DataFrame({"age": ages, "ill": ill, "who": ["Ann", "Ben", "Cid", "Dot"]})
        test = checked(opened("export", session), file.to_csv(index=False).encode())
        assert "\u2717 true of the original" in failing(test) and told in failing(test)
        assert "rows: 1, 2, 3, 4" in lines(test) and "EBOLA" not in lines(test)
        assert "“who” is in the file and not in the original" in " ".join(box.value for box in test.info)


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence_and_costs_nothing():
    test = checked(opened("export", session_of(kc.MDAV())), b"a,b\n1,2\n")
    assert "none of the original's quasi-identifiers" in test.error[0].value.replace("\\", "")
    assert any(button.label == "Download csv" for button in test.get("download_button"))


def test_columns_named_as_our_own_are_shown_beside_them():
    frame = pd.DataFrame({"record": [1, 2, 3, 4], "matches": [5, 6, 7, 8]})
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    table = kc.Table.from_frame(frame, schema)
    content = pd.DataFrame({"record": ["[1, 4]"] * 4, "matches": ["[5, 8]"] * 4}).to_csv(index=False).encode()
    test = checked(opened("export", Session(table, "t", "upload:1", Setting(kc.MDAV(), 2))), content)
    assert list(test.dataframe[-1].value.columns)[:2] == ["record", "matches"]
    assert test.dataframe[-1].value.shape == (4, 4)

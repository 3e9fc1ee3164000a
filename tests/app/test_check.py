"""The Check page: any file, alone or beside the table that is open, without loading anything first."""

from __future__ import annotations

import re
from contextlib import contextmanager
from html import unescape

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.report import release_bytes
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets import files
from tests.app.screens import opened, words
from tests.app.test_pages import session_of
from tests.app.test_people import status

WARDS = pd.DataFrame(
    {
        "age": ["[20, 29]"] * 3 + ["[30, 39]"] * 2 + ["40-49"],
        "sex": list("FFFMMM"),
        "diagnosis": ["flu", "gout", "flu", "flu", "flu", "ok"],
    }
)


def content(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def checked(test: AppTest, file: bytes) -> AppTest:
    test = test.file_uploader(key="check-file").set_value(("r.csv", file, "text/csv")).run()
    assert not test.exception
    return test


def page(file: bytes | None = None, session: Session | None = None, beside: str = "alone") -> AppTest:
    test = opened("check", session or session_of(kc.MDAV(), k=3))
    if file is None:
        return test
    test = checked(test, file)
    return test if beside == "alone" else test.selectbox(key="check-beside").set_value(beside).run()


def verdicts(test: AppTest) -> list[str]:
    """Each box, as plain text."""
    boxes = (b.proto.body for b in test.get("html") if 'class="verdict whole' in b.proto.body)
    assert not test.exception
    return [unescape(re.sub(r"<[^>]*>", " ", box)).replace("  ", " ").strip() for box in boxes]


def ask(test: AppTest, *models: str) -> AppTest:
    return test.multiselect(key="check-models").set_value(list(models)).run()


def labels(test: AppTest) -> list[str]:
    return [button.proto.label.replace("\\", "") for button in test.get("download_button")]


def test_nothing_must_be_loaded_first():
    test = AppTest.from_file(str(opened.__globals__["PAGES"] / "check" / "page.py"), default_timeout=60).run()
    assert not test.exception and "Check a released file" in words(test)
    assert not test.error and not test.get("download_button")


def test_verdicts_are_in_words_first_and_symbols_second():
    test = page(content(WARDS))
    assert test.multiselect(key=next(k for k in keys(test) if "quasi" in k)).value == ["age", "sex"]
    (box,) = verdicts(test)
    assert box.startswith(
        "✗ Does not hold. 6 records share their quasi-identifiers with fewer than 4 others."
    )
    assert box.endswith("k-anonymity: k = 5 requested, k = 1 reached")
    test = ask(test, "k-anonymity", "distinct ℓ-diversity")
    test = test.number_input(key="check-parameters k-anonymity k").set_value(2).run()
    first, second = verdicts(test)
    assert "1 record shares" in first and "2 classes have fewer than 2 different sensitive" in second
    assert "Rows are counted." in words(test) and "has intervals in 2 notations" in words(test)
    assert "entropy ℓ-diversity" in words(test) and "no δ" in words(test)


def keys(test: AppTest) -> list[str]:
    return [box.key or "" for box in test.multiselect]


def test_what_holds_is_said_and_offers_no_repair():
    test = page(content(WARDS[:5]))
    test = test.number_input(key="check-parameters k-anonymity k").set_value(2).run()
    (box,) = verdicts(test)
    assert box.startswith(
        "✓ Holds. Every published record shares its quasi-identifiers with at least 1 other."
    )
    assert "Repairs" not in words(test) and not labels(test)


def test_what_fails_is_shown_to_be_downloaded_and_repaired_by_a_click():
    test = page(content(WARDS))
    test = test.number_input(key="check-parameters k-anonymity k").set_value(2).run()
    shown = words(test)
    assert "1 of 1 failing classes are shown" in shown and "40-49" in shown
    assert "1 of 6 rows (16.7 %) is left out." in shown and "3 rows get wider cells." in shown
    assert labels(test) == ["Download all failing rows"]
    make = [b for b in test.button if b.label == "Create this release"]
    assert len(make) == 2
    test = make[1].click().run()
    assert "The repaired release was checked: all requested guarantees hold." in words(test)
    assert labels(test)[1:] == ["Download the release", "Download the recipe of the repair"]
    # another question makes the old release go
    test = test.number_input(key="check-parameters k-anonymity k").set_value(3).run()
    assert "Checked again" not in words(test)


def test_a_click_that_leaves_the_field_of_k_makes_the_release_for_the_new_k():
    """The browser sends both at once, and the button was drawn for the k before."""
    test = page(content(WARDS))
    test.number_input(key="check-parameters k-anonymity k").set_value(2)
    test = test.button(key="make-merge").click().run()
    assert "1 of 6 rows (16.7 %) is left out." in words(test)
    assert "The repaired release was checked: all requested guarantees hold." in words(test)
    assert "k-anonymity: k = 2 requested" in verdicts(test)[0]


def test_a_click_counts_for_the_file_that_was_shown():
    test = page(content(WARDS))
    test.button(key="make-merge").click()
    test = checked(test, content(WARDS.iloc[::-1]))
    assert "Repairs" in words(test) and "Checked again" not in words(test)


def test_a_column_is_sensitive_when_that_is_chosen():
    test = page(content(WARDS))
    test = test.multiselect(key=next(k for k in keys(test) if "sensitive" in k)).set_value(["sex"]).run()
    assert "“sex” is in both lists. It counts as sensitive, not as a quasi-identifier." in words(test)
    assert "sex" not in re.findall(r"<th[^>]*>(\w+)</th>", words(test))


def test_a_hierarchy_of_sensitive_values_is_given_and_compared_by():
    test = opened("check", session_of(kc.MDAV()), **{"check-trees": True})
    test = checked(test, content(WARDS))
    box = next(one for one in test.file_uploader if (one.key or "").startswith("check-tree-"))
    test = box.set_value(("h.csv", b"flu;airways;*\ngout;joints;*\n", "text/csv")).run()
    assert "The hierarchy of column “diagnosis” lacks values" in test.error[0].value
    box = next(one for one in test.file_uploader if (one.key or "").startswith("check-tree-"))
    test = box.set_value(("h.csv", b"flu;airways;*\nok;airways;*\ngout;joints;*\n", "text/csv")).run()
    test = ask(test, "t-closeness, hierarchical", "t-closeness")
    # The one who is ok: 1/6 is carried from the joints, 4/6 within the airways, half as far; or all of 5/6.
    assert sorted(re.findall(r"t = ([\d.]+) reached", " ".join(verdicts(test)))) == ["0.5", "0.834"]
    assert not test.error


def test_without_a_quasi_identifier_the_page_says_what_to_do():
    test = page(content(WARDS))
    test = test.multiselect(key=next(k for k in keys(test) if "quasi" in k)).set_value([]).run()
    assert "No column is a quasi-identifier" in test.error[0].value.replace("\\", "")


def test_it_is_asked_whose_the_rows_are_in_the_words_of_the_page():
    file = content(pd.DataFrame({"customer_id": [7, 7, 7, 8], "age": [30, 30, 30, 41]}))
    test = page(file)
    (asked,) = test.warning
    said = asked.value.replace("\\", "")
    assert "customer_id has 2 different values in 4 records" in said and "choose “none”" in said
    assert not test.error and "--roles" not in words(test) + said and "with_roles" not in words(test) + said
    assert "The check starts after you answer the question about the person of each row." in words(test)
    test = whose(test).set_value("customer_id").run()
    test = test.number_input(key="check-parameters k-anonymity k").set_value(2).run()
    assert "rows of fewer than 2 people" in verdicts(test)[0] and not test.warning
    test = whose(test).set_value("").run()
    assert "1 record shares" in verdicts(test)[0] and not test.warning
    test = whose(page(file)).set_value(None).run()
    quasi = test.multiselect(key=next(k for k in keys(test) if "quasi" in k))
    test = quasi.set_value(["age", "customer_id"]).run()
    assert verdicts(test) and not test.warning


def whose(test: AppTest):
    return next(box for box in test.selectbox if (box.key or "").startswith("check-person"))


def test_whose_the_records_of_the_loaded_table_are_is_said_on_data():
    frame = pd.DataFrame({"customer_id": [7, 7, 7, 8], "age": [30, 30, 30, 41]})
    session = Session(kc.Table.from_frame(frame), "t", "upload:1", Setting(kc.MDAV(), 2))
    test = page(content(frame), session, "open")
    (asked,) = test.warning
    assert "Answer “Whose records are these?” on the Data page first" in asked.value.replace("\\", "")
    assert not verdicts(test) and not test.error
    session.change_schema(session.table.schema.with_roles({"customer_id": "identifier"}))
    test = page(content(frame), session, "open")
    assert verdicts(test) and not test.warning


def test_how_missing_cells_count_is_an_option_beside_the_verdict():
    file = content(pd.DataFrame({"age": ["20", "20", "*", "*"], "sex": list("FFFM")}))
    test = opened("check", session_of(kc.MDAV()), **{"check-counting-options": True})
    test = checked(test, file)
    test = test.number_input(key="check-parameters k-anonymity k").set_value(3).run()
    assert "they count as values of their own" in words(test) and "4 records share" in verdicts(test)[0]
    test = test.selectbox(key="check-counting missing").set_value("any").run()
    assert "they fit every value" in words(test) and "1 record shares" in verdicts(test)[0]


def test_our_own_release_holds_beside_the_open_table_and_a_greater_k_does_not():
    session = session_of(kc.MDAV(), k=3)
    release = kc.anonymize(session.table, kc.MDAV(), 3)
    test = ask(page(release_bytes(release, "csv"), session, "open"), "k-concealment")
    test = test.number_input(key="check-parameters k-concealment k").set_value(3).run()
    assert all(box.startswith("✓ Holds.") for box in verdicts(test)) and len(verdicts(test)) == 2
    assert "For every record, at least 3 rows could be its own" in words(test)
    test = test.number_input(key="check-parameters k-concealment k").set_value(9).run()
    assert "40 records have fewer than 9 rows" in verdicts(test)[0] and session.setting.k == 3
    assert labels(test) == ["Download all failing rows"]
    assert "Leaving out or merging classes cannot repair" in words(test)


def test_a_file_of_another_table_is_said_to_be_untrue():
    rows = pd.DataFrame({"age": ["[200, 300]"] * 2, "weight": ["*", "*"], "city": ["A", "<b>Z</b>"]})
    test = page(content(rows), beside="open")
    assert "2 rows fit no record" in " ".join(verdicts(test)) and "<b>Z</b>" not in words(test)


def test_other_diagnoses_are_not_the_original_s_and_are_not_shown():
    frame = pd.DataFrame({"age": [20, 21, 60, 61], "ill": ["flu", "gout", "ok", "ok"]})
    schema = kc.Schema.infer(frame).with_roles({"age": "quasi_identifier", "ill": "sensitive"})
    session = Session(kc.Table.from_frame(frame, schema), "t", "upload:1", Setting(kc.MDAV(), 2))
    ages = ["[20, 21]"] * 2 + ["[60, 61]"] * 2
    for ill, told in (
        (["EBOLA"] * 4, "“ill” differs from the original"),
        (["ok", "ok", "flu", "gout"], "Within the classes"),
    ):
        file = pd.DataFrame({"age": ages, "ill": ill, "who": ["Ann", "Ben", "Cid", "Dot"]})
        test = page(content(file), session, "open")
        assert told in " ".join(verdicts(test)) and "EBOLA" not in words(test)
        assert "“who” is in the file but not in the original" in words(test)


def test_an_original_in_another_file_is_read_beside_it():
    original = pd.DataFrame(
        {"age": [20, 25, 29, 30, 39, 45], "sex": list("FFFMMM"), "diagnosis": WARDS["diagnosis"]}
    )
    test = page(content(WARDS), beside="other")
    waits = "These results are about the file alone. Upload its original under “Original table”"
    assert "6 records share" in verdicts(test)[0] and waits in words(test)
    test = (
        test.file_uploader(key="check-original-file")
        .set_value(("o.csv", content(original), "text/csv"))
        .run()
    )
    assert (
        "✓ Holds. Every row can belong to a different record of the original: its quasi-identifiers fit"
        in " ".join(verdicts(test))
    )
    assert "δ-presence" in words(test) and waits not in words(test)
    assert "o.csv, 6 records" in status(test)
    longer = pd.concat([WARDS, WARDS])
    test = checked(test, content(longer))
    assert "12 rows, but the original has 6 records" in test.error[0].value


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence():
    assert "zero byte" in page(b"a,b\n1,\0\n").error[0].value or "plain text" in page(b"a\0").error[0].value
    test = page(b"a,b\n1,2\n", beside="open")
    assert "none of the original's quasi-identifiers" in test.error[0].value.replace("\\", "")


@pytest.mark.deep
def test_columns_named_as_our_own_are_shown_beside_them():
    frame = pd.DataFrame({"record": [1, 2, 3, 4], "matches": [5, 6, 7, 8]})
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    session = Session(kc.Table.from_frame(frame, schema), "t", "upload:1", Setting(kc.MDAV(), 2))
    rows = pd.DataFrame({"record": ["[1, 4]"] * 4, "matches": ["[5, 8]"] * 4})
    test = page(content(rows), session, "open")
    assert list(test.dataframe[-1].value.columns)[:2] == ["record", "matches"]
    assert test.dataframe[-1].value.shape == (4, 4)
    hostile = pd.DataFrame({"rows": ["<img src=x>"] * 2, "fails": ["1", "2"]})
    assert "<img" not in words(page(content(hostile)))


def test_reading_can_be_stopped_and_begun_again(monkeypatch):
    @contextmanager
    def stopped(stop, key, lead):
        stop()  # as a click on Stop does
        st.rerun()
        yield

    with monkeypatch.context() as slow:
        slow.setattr(files, "working", stopped)
        test = page(content(WARDS))
        assert "Reading the file was stopped." in words(test) and not verdicts(test)
        assert "Reading the file was stopped." in words(test.run())
    test.button(key="check-opened again").click().run()
    assert verdicts(test) and "Reading the file was stopped." not in words(test)


def test_a_file_that_cannot_be_read_is_read_once(monkeypatch):
    read = []
    monkeypatch.setattr(kc, "open_file", lambda content, tick: read.append(1) or kc.read_table(b""))
    test = page(b"a,b\n1,2\n")
    assert "The file is empty" in test.run().error[0].value.replace("\\", "") and read == [1]

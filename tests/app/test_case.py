"""One case: a checked file or the loaded table is what every page is about, and one click switches."""

from __future__ import annotations

import hashlib

from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from tests.app.screens import opened, words
from tests.app.test_check import WARDS, content, page
from tests.app.test_pages import session_of
from tests.app.test_people import status

TABLE_PAGES = ["tune", "clusters", "map", "curves"]


def on_file() -> Session:
    """A session whose case is a file that Check has examined."""
    session = session_of(kc.MDAV(), k=3)
    page(content(WARDS), session)
    assert session.on_file and session.file is not None
    return session


def test_risk_is_that_of_the_checked_file():
    test = opened("risk", on_file())
    shown = words(test)
    assert "r.csv, 6 rows" in status(test) and "people-100" not in status(test)
    assert not test.slider and "1 record" not in status(test)
    assert "6 of 6 records" in shown and "50 %" in shown and "written alike" in shown
    assert "Original → release" not in shown and "findings on Tune" not in shown
    assert "6 of 6 records have an anonymity set smaller than 5." in shown


def test_pages_that_make_releases_say_that_the_case_is_a_file_and_compute_nothing():
    for name in TABLE_PAGES:
        session = on_file()
        test = opened(name, session)
        assert "“r.csv” is a finished file" in plain(test.info[0].value), name
        assert not test.slider and session.shown is None and "r.csv" in status(test)


def test_one_click_switches_to_the_table_and_back():
    session = on_file()
    test = opened("risk", session)
    test = test.button(key="switch-case").click().run()
    assert not session.on_file and session.setting.k == 3 and len(test.slider)
    assert "The file “r.csv” is open on Check." in words(test)
    test = test.button(key="switch-case").click().run()
    assert session.on_file and "r.csv, 6 rows" in status(test) and not test.slider


def test_a_table_that_is_loaded_is_the_case():
    session = on_file()
    session.open_sample("people-100")
    assert not session.on_file and session.file is not None
    assert len(opened("tune", session).slider)


def test_a_file_that_is_closed_is_no_case():
    session = on_file()
    test = opened("check", session)
    assert session.file is None and not session.on_file and "none" in status(test)


def test_the_report_names_the_file_and_its_digest_and_not_the_table():
    session = on_file()
    session.signing.said["why"] = "said of the loaded table"
    test = opened("release", session)
    test = test.button(key="make-report").click().run()
    assert not test.exception
    html, markdown = session_report(test)
    for text in (html, markdown):
        assert hashlib.sha256(content(WARDS)).hexdigest() in text and "r.csv" in text
        assert "people-100" not in text and "said of the loaded table" not in text
        assert "0 of 1 requested guarantees hold" in text and "must not be handed over" in text
        assert "not compared with its original" in text


def session_report(test: AppTest) -> tuple[str, str]:
    _, (html, markdown) = test.session_state["report of file"]
    return html.decode(), markdown.decode()


def test_the_report_says_how_the_file_was_read_without_naming_controls():
    """Neither Check nor a report has fields for reading, of which advice for other readers speaks."""
    doubtful = WARDS.assign(ward=["NA", "?", "x", "y", "z", "none"])
    session = session_of(kc.MDAV(), k=3)
    opened_file = page(content(doubtful), session)
    advised = " ".join(session.file.file.table.notes)
    assert "Also missing" in advised and "on the command line" in advised
    assert "Also missing" not in words(opened_file)
    test = opened("release", session).button(key="make-report").click().run()
    for text in session_report(test):
        assert "“?” was read as text, not as a missing value: “ward” 1." in text
        for control in ("Also missing", "command line", "kind numeric", "“First row”"):
            assert control not in text


def test_a_file_without_quasi_identifiers_has_no_risk_and_the_page_says_why():
    session = session_of(kc.MDAV(), k=3)
    test = page(content(WARDS), session)
    key = next(box.key for box in test.multiselect if "quasi" in (box.key or ""))
    test.multiselect(key=key).set_value([]).run()
    assert "No column of the file is a quasi-identifier" in plain(opened("risk", session).warning[0].value)
    assert "There are no verdicts on the file yet" in words(opened("release", session))


def plain(said: str) -> str:
    return said.replace("\\", "")

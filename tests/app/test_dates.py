"""The Data page's columns of dates: asked about, answered, and left to their values again."""

from __future__ import annotations

import pandas as pd
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import words


def _page():
    from pages.data.values import date_controls
    from pages.state.session import current

    date_controls(current())


def opened(**columns: list[str]) -> tuple[AppTest, Session]:
    frame = pd.DataFrame({**columns, "n": range(12)})
    session = Session(kc.Table.from_frame(frame), "visits", "upload:1", Setting(kc.MDAV(), 2))
    test = AppTest.from_function(_page, default_timeout=30)
    test.session_state["kanon"] = session
    return test.run(), session


def test_an_order_is_asked_given_and_taken_back():
    test, session = opened(visit=[f"1/{day}/2020" for day in range(1, 13)])
    assert "fit several orders, day first or month first" in words(test)
    days = session.table.numbers("visit").range
    test.selectbox(key="date order visit").set_value("mdy").run()
    assert not test.exception and session.table.schema["visit"].date_order == "mdy"
    assert session.table.numbers("visit").range != days and "fit several orders" not in words(test)
    test.selectbox(key="date order visit").set_value("").run()
    assert session.table.schema["visit"].date_order == "" and session.table.numbers("visit").range == days


def test_text_of_two_orders_becomes_dates_when_somebody_says_so():
    test, session = opened(visit=["13/2/2020", "2/13/2020"] * 6)
    assert session.table.schema["visit"].kind == "categorical" and "two orders" in words(test)
    test.selectbox(key="date order visit").set_value("dmy").run()
    assert session.table.schema["visit"].kind == "datetime" and session.table.misfits["visit"].count == 6


def test_dates_that_leave_nothing_to_decide_have_no_control():
    test, _ = opened(visit=["2020-01-02", "2020-01-31"] * 6)
    assert not test.selectbox and "Date formats" not in words(test)

"""The Data page's ordinal and cyclic columns: offered, ordered, measured; and every screen with them."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened as screen
from tests.app.screens import words
from tests.contracts.tables import table_of

FRAME = pd.DataFrame({"pain": ["low", "high", "medium"] * 4, "hour": [22, 23, 0, 1] * 3})


def _page():
    from pages.data.values import order_controls
    from pages.state.session import current

    order_controls(current())


def opened() -> tuple[AppTest, Session]:
    session = Session(kc.Table.from_frame(FRAME), "pains", "upload:1", Setting(kc.MDAV(), 2))
    test = AppTest.from_function(_page, default_timeout=30)
    test.session_state["kanon"] = session
    return test.run(), session


def test_kinds_are_offered_and_taken():
    test, session = opened()
    assert [a.kind for a in session.table.schema] == ["categorical", "numeric"]
    test.button(key="suggested pain").click().run()
    test.button(key="suggested hour").click().run()
    assert not test.exception and [a.kind for a in session.table.schema] == ["ordinal", "cyclic"]
    assert not test.button
    assert test.text_area(key="order pain").value == "low\nmedium\nhigh"
    assert test.number_input(key="period hour").value == 24


def test_an_order_and_a_period_are_given_and_taken_back():
    test, session = opened()
    session.change_schema(session.table.schema.with_kinds({"pain": "ordinal", "hour": "cyclic"}))
    test.run()
    test.text_area(key="order pain").set_value("medium\nlow\nhigh").run()
    assert session.table.schema["pain"].order == ("medium", "low", "high")
    test.text_area(key="order pain").set_value("low\nlow").run()
    assert not test.exception and session.table.schema["pain"].order == ("medium", "low", "high")
    test.text_area(key="order pain").set_value("low\nhigh").run()
    assert "currently in 4 records" in words(test)
    test.text_area(key="order pain").set_value("").run()
    assert session.table.schema["pain"].order == ()
    test.number_input(key="period hour").set_value(30.0).run()
    assert session.table.schema["hour"].period == 30 and session.table["hour"].circle.period == 30


@pytest.mark.deep
@pytest.mark.parametrize("name", ["hours", "levels", "islands"])
@pytest.mark.parametrize("page", ["data", "tune", "clusters", "curves/scorecard", "risk", "risk/person"])
def test_every_screen_shows_such_columns(name, page):
    table = table_of(name)
    session = Session(table, name, "upload:1", Setting(kc.MDAV(), 3))
    session.keep(session.setting, kc.anonymize(table, kc.MDAV(), 3, seed=session.setting.seed))
    assert not screen(page, session).exception

"""Pages ask whose the records are before they show any release."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import PLACES, opened, words
from tests.app.test_people import status
from tests.table.test_undecided import ID, ROWS, WORD


def session_of(data: bytes = ID) -> Session:
    """As after an upload: the setting was made for another table."""
    plain = kc.read_table("sample:four")
    session = Session(plain, "four", "sample:four", Setting(kc.MDAV(), 3))
    session.load(kc.read_table(data), "visits", "upload:1")
    return session


def pressed(test: AppTest, label: str) -> Session:
    next(one for one in test.button if one.label.replace("\\", "") == label).click().run()
    assert not test.exception
    return test.session_state["kanon"]


OF_THEIR_OWN = ("check", "learn")
"""Pages with a file or with tables of their own."""


@pytest.mark.deep
@pytest.mark.parametrize("page", [place for place in PLACES if place not in OF_THEIR_OWN])
def test_every_page_asks_and_shows_no_release(page):
    test = opened(page, session_of())
    said = words(test)
    assert "Whose records are these?" in said and "customer_id has 4 different values" in said
    assert "<b>protects</b> not set yet" in status(test) and "holds" not in status(test)
    assert not test.session_state["kanon"].releases and not test.get("plotly_chart")
    labels = [one.label.replace("\\", "") for one in test.button]
    for label in (
        "customer_id names the person",
        "Each record is a different person",
        "The values do not name people",
    ):
        assert labels.count(label) == 1


@pytest.mark.deep
@pytest.mark.parametrize("data", [ID, WORD], ids=["number", "word"])
def test_the_data_page_takes_each_answer(data):
    name = data.partition(b",")[0].decode()
    for label, role, algorithm in (
        (f"{name} names the person", "person", kc.PurchaseHistories),
        ("Each record is a different person", "identifier", kc.MDAV),
        ("The values do not name people", "quasi_identifier", kc.MDAV),
    ):
        test = opened("data", session_of(data))
        explore = next(one for one in test.button if one.label == "Tune k")
        assert explore.disabled and "not set yet" in test.selectbox(key=_whose(test)).placeholder
        session = pressed(test, label)
        assert session.table.schema[name].role == role
        assert f"Changed: role of {name}: undecided → {role.replace('_', '-')}." in words(test)
        assert not test.toast
        assert isinstance(session.setting.algorithm, algorithm) and "Whose records" not in words(test)
        assert not next(one for one in test.button if one.label == "Tune k").disabled
        assert "not set yet" not in status(test)
        shown = opened("tune", session)
        assert "</b> holds: " in words(shown) and not shown.warning


def _whose(test: AppTest) -> str:
    return next(box.key for box in test.selectbox if box.label == "Which column names the person?")


def test_an_answer_given_on_explore_goes_on_there():
    test = opened("tune", session_of())
    session = pressed(test, "customer_id names the person")
    assert session.table.schema["customer_id"].role == "person"
    assert "records of 4 people" in status(test) and "k-anonymity of people" in words(test)


def test_an_answer_is_a_role_and_can_be_changed():
    test = opened("data", session_of())
    session = pressed(test, "Each record is a different person")
    test.multiselect(key="several").set_value(["customer_id"]).run()
    test.selectbox(key="several role").set_value("undecided").run()
    next(one for one in test.button if one.label == "Apply").click().run()
    assert session.table.schema["customer_id"].role == "undecided" and "Whose records are these" in words(
        test
    )
    session = pressed(test, "The values do not name people")
    assert session.table.schema["customer_id"].role == "quasi_identifier"


def test_an_algorithm_of_people_gives_way_when_records_are_each_another_s():
    session = session_of()
    session.setting = Setting(kc.PurchaseHistories(), 2)
    session = pressed(opened("data", session), "Each record is a different person")
    assert isinstance(session.setting.algorithm, kc.MDAV)
    assert not session.setting.algorithm.unsuitable(session.table, 2)


def test_several_columns_are_one_question():
    lines = ROWS.decode().splitlines()
    mails = ["a", "a", "a", "b", "c", "d"]
    data = "\n".join(
        ["customer_id,email," + lines[0]]
        + [line.replace(",", f",{mail}@x.org,", 1) for mail, line in zip(mails, lines[1:], strict=True)]
    ).encode()
    test = opened("data", session_of(data))
    assert "customer_id has 4 different values, email has 4 different values" in words(test)
    session = pressed(test, "email names the person")
    roles = {a.name: a.role for a in session.table.schema}
    assert roles["email"] == "person" and roles["customer_id"] == "identifier"
    assert "Whose records" not in words(test)


def test_a_column_s_name_is_shown_as_it_is():
    name = "patient![x](http://x.org)<img src=x>id"
    data = f"{name},age\n1,3\n1,4\n2,5\n".encode()
    session = session_of(data)
    session.table = session.table.with_schema(session.table.schema.with_roles({name: "undecided"}))
    test = opened("data", session)
    assert "<img" not in words(test) and f"{name} names the person" not in [one.label for one in test.button]
    assert (
        pressed(test, f"{name} names the person".replace(":", ":\u2060")).table.schema[name].role == "person"
    )

"""The floor under the curves of Tune and Curves."""

from __future__ import annotations

import re

import pytest

import kanon_core as kc
from pages.state.comparisons import PLACES_AT_MOST, RECORDS_AT_MOST, loss_bounds
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words

PEOPLE = kc.read_table("sample:people-100")


@pytest.mark.deep
@pytest.mark.parametrize("page", ["tune", "curves"])
def test_both_pages_say_what_no_grouping_can_go_below(page, aside):
    session = Session(PEOPLE, "people", "sample:people-100", Setting(kc.MDAV(), 5))
    test = opened(page, session)
    aside.work()
    test.run()
    assert "At k = 5, no grouping of all records can lose less than" in words(test)


def test_there_is_none_where_it_does_not_hold_or_would_take_long(monkeypatch):
    assert [bound.k for bound in loss_bounds(PEOPLE, "NCP", [5, 2, 101, 5])] == [2, 5]
    assert loss_bounds(PEOPLE, "ILD", [5]) == () and loss_bounds(PEOPLE, "NCP", []) == ()
    assert loss_bounds(kc.read_table("sample:receipts-10000"), "ILSSDM", [5]) == ()
    assert PLACES_AT_MOST >= 6 * RECORDS_AT_MOST["ILSSDM"] >= 600_000
    with monkeypatch.context() as fewer:
        fewer.setattr("pages.state.comparisons.PLACES_AT_MOST", 100 * len(PEOPLE.quasi))
        assert loss_bounds(PEOPLE, "NCP", [5]) == ()  # labels count too
    monkeypatch.setitem(RECORDS_AT_MOST, "NCP", 99)
    assert loss_bounds(PEOPLE, "ILSSDM", [5]) != ()
    assert loss_bounds(PEOPLE, "NCP", [5]) == ()


def floor_of(test) -> float:
    return float(re.search(r"can lose less than ([\d.]+)", words(test)).group(1))


@pytest.mark.deep
def test_the_floor_is_raised_on_demand_for_the_k_that_is_set(aside):
    test = opened("curves", Session(PEOPLE, "people", "sample:people-100", Setting(kc.MDAV(), 5)))
    aside.work()
    plain = floor_of(test.run())
    test.button(key="raise-floor").click().run()
    found = floor_of(test)
    assert not test.exception and plain < found
    assert found == pytest.approx(100 * kc.tightened(PEOPLE, 5).value, rel=0.02)
    test.session_state["kanon"].ask(k=6)
    assert test.run().button(key="raise-floor").label.endswith("k \\= 6") and floor_of(test) == found
    test.session_state["kanon"].ask(k=4)
    assert floor_of(test.run()) < plain


@pytest.mark.deep
def test_a_click_that_comes_with_a_new_k_raises_the_floor_there(aside):
    test = opened("curves", Session(PEOPLE, "people", "sample:people-100", Setting(kc.MDAV(), 5)))
    aside.work()
    test.run()
    test.slider(key="k").set_value(4)
    test.button(key="raise-floor").click().run()
    assert not test.exception
    assert floor_of(test) == pytest.approx(100 * kc.tightened(PEOPLE, 4).value, rel=0.02)


def test_a_floor_that_would_take_too_much_memory_cannot_be_raised(aside, monkeypatch):
    monkeypatch.setattr("pages.curves.floor.PAIRS_AT_MOST", 10)
    test = opened("curves", Session(PEOPLE, "people", "sample:people-100", Setting(kc.MDAV(), 5)))
    asked = test.button(key="raise-floor")
    assert asked.disabled and "too many records" in asked.help

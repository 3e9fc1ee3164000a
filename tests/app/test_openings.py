"""Three openings: the same pages in another order, kept for the tab and in its address."""

from __future__ import annotations

import pytest
from streamlit.commands import navigation

from kanon_core.base.classroom import Classroom
from pages.shell import frame
from pages.shell.menu import NEED_FILES, OPENINGS, page_to_begin
from tests.app.screens import PAGES as FOLDER
from tests.app.screens import address, opened
from tests.app.test_classroom import session_of


@pytest.fixture
def menus(monkeypatch):
    """The menus that are sent, each as the list of its addresses in order."""
    found, usual = [], navigation._navigation

    def spied(pages, **how):
        found.append([page.url_path or frame.FIRST for page in pages])
        return usual(pages, **how)

    monkeypatch.setattr(navigation, "_navigation", spied)
    return found


def test_who_says_nothing_has_the_menu_as_it_is_declared(menus):
    test = opened("data", session_of())
    assert menus[-1] == list(frame.PAGES)
    assert "for" not in address(test)
    assert "Choose your task" in [box.proto.popover.label for box in test.get("popover")]


@pytest.mark.parametrize("name", OPENINGS)
def test_an_opening_is_another_order_of_the_same_pages(name, menus):
    test = opened("data", session_of(), opening=name)
    bar = menus[-1]
    order = [page for page in OPENINGS[name].order if page in frame.PAGES]
    assert bar[: len(order)] == order
    assert sorted(bar) == sorted(frame.PAGES)
    assert address(test)["for"] == name
    assert OPENINGS[name].who in [box.proto.popover.label for box in test.get("popover")]


def test_openings_name_pages_that_are_there_or_come_later():
    assert {page for one in OPENINGS.values() for page in one.order} <= {*frame.PAGES}
    assert len({one.order for one in OPENINGS.values()}) == len(OPENINGS) == 3
    for page in frame.PAGES:
        assert (FOLDER / page / "page.py").is_file()


def test_a_page_that_is_not_there_is_left_out(menus, monkeypatch):
    monkeypatch.setattr(
        frame, "PAGES", {name: one for name, one in frame.PAGES.items() if name not in ("clusters", "learn")}
    )
    opened("data", session_of(), opening="teacher")
    assert "clusters" not in menus[-1] and menus[-1][0] == "tune"
    assert page_to_begin("teacher", frame.PAGES) == "tune"
    assert page_to_begin("teacher", {**frame.PAGES, "learn": None}) == "learn"  # first of all


def test_an_address_says_for_whom_and_what_it_does_not_know_changes_nothing(menus):
    from streamlit.testing.v1 import AppTest

    for said, first in (("officer", "check"), ("nobody", "data")):
        test = AppTest.from_file(FOLDER / "data" / "page.py", default_timeout=60)
        test.session_state["kanon"] = session_of()
        test.query_params["for"] = said
        test.run()
        assert not test.exception and menus[-1][0] == first


def test_no_opening_begins_on_a_page_that_can_show_nothing(monkeypatch):
    assert page_to_begin("officer", frame.PAGES) in NEED_FILES
    monkeypatch.setenv(*next(iter(Classroom("http://192.0.2.7:8501").environment().items())))
    assert {page_to_begin(name, frame.PAGES) for name in OPENINGS} & set(NEED_FILES) == set()


def test_the_choices_are_drawn_only_when_they_are_asked_for_and_can_be_taken_back(menus):
    test = opened("data", session_of(), opening="teacher")
    assert not [one for one in test.button if (one.key or "").startswith("opening-")]
    test.session_state["opening-open"] = True
    test.run()
    offered = [one.label for one in test.button if (one.key or "").startswith("opening-")]
    assert offered == [*(one.title for one in OPENINGS.values()), "Default menu"]
    next(one for one in test.button if one.key == "opening-none").click().run()
    assert not test.exception and menus[-1][0] == "data" and "for" not in address(test)

"""The menu says which pages show nothing of a table, pages offer its views, and both say why."""

from __future__ import annotations

import re

import pytest
from streamlit.commands import navigation

import kanon_core as kc
from pages.shell import frame
from pages.shell.menu import PAGES, other_addresses, parts_of, unfit_pages, views_of
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app import screens
from tests.app.screens import address, control, opened, words

WHY = {
    "map": "This table has no place",
    "clusters/sets": "No quasi-identifier of this table contains item sets",
    "clusters/people": "This table has no column that names the person",
    "clusters/matchings": "Not for this table",
}


def session_of(name: str, algorithm: kc.Algorithm | None = None) -> Session:
    table = kc.read_table(f"sample:{name}")
    return Session(table, name, f"sample:{name}", Setting(algorithm or kc.TopDown(), 5, 9))


@pytest.fixture
def menus(monkeypatch):
    """By address, the titles of each menu that is sent."""
    found, usual = [], navigation._navigation

    def spied(pages, **how):
        found.append({page.url_path: page.title for page in pages})
        return usual(pages, **how)

    monkeypatch.setattr(navigation, "_navigation", spied)
    return found


def barred(menu: dict[str, str]) -> set[str]:
    return {address for address, title in menu.items() if title.endswith(" – not for this table")}


def switch(test) -> list[str]:
    """The views that the switch of a page offers."""
    found = [one for one in test.get("button_group") if one.label == "View"]
    return [one.content for group in found for one in group.proto.options]


def test_the_menu_says_which_pages_show_nothing_of_the_table(menus):
    opened("data", session_of("people-100"))
    assert barred(menus[-1]) == set()
    assert set(menus[-1]) == set(frame.PAGES) - {frame.FIRST} | {""}
    test = opened("data", session_of("purchases-80000", kc.PurchaseHistories()))
    assert barred(menus[-1]) == {"map"}
    sent = len(menus)
    test.run()
    assert len(menus) == sent + 1  # drawn once more only where it changes


def test_another_table_changes_the_menu_at_once(menus):
    test = opened("map", session_of("nine"))
    assert "map" in barred(menus[-1])
    test.button(key="load people").click().run()
    assert not test.exception and barred(menus[-1]) == set()


def test_clusters_offers_the_views_that_the_table_can_have():
    assert switch(opened("clusters", session_of("people-100"))) == ["Groups", "Matchings"]
    assert switch(opened("clusters", session_of("nine"))) == ["Groups", "Item sets"]
    purchases = session_of("purchases-80000", kc.PurchaseHistories())
    assert switch(opened("clusters", purchases)) == ["Groups", "People"]


def test_a_view_that_the_address_names_opens_and_says_what_is_missing():
    test = opened("clusters/sets", session_of("people-100"))
    assert switch(test) == ["Groups", "Item sets", "Matchings"] and WHY["clusters/sets"] in words(test)
    control(test.segmented_control, "view of clusters").set_value("groups").run()
    assert switch(test) == ["Groups", "Matchings"] and WHY["clusters/sets"] not in words(test)


def test_the_address_names_the_view_and_opens_it():
    test = opened("curves/columns", session_of("people-100"))
    assert address(test)["view"] == "columns"
    test = screens.fresh("risk", session_of("people-100"))
    test.query_params["view"] = "table"
    assert not test.run().exception and chosen(test, "view of risk") == "table"
    test = screens.fresh("risk", session_of("people-100"))
    test.query_params["view"] = "<b>nothing</b>"
    assert not test.run().exception and chosen(test, "view of risk") == "attackers"
    assert "view" not in address(test)


def chosen(test, name: str) -> str:
    return control(test.segmented_control, name).value


def test_every_former_address_leads_to_a_place_that_is_there():
    for place in other_addresses().values():
        page, view = parts_of(place)
        assert page in PAGES and (not view or view in PAGES[page].views)


@pytest.mark.deep
@pytest.mark.parametrize("place", sorted(WHY))
def test_a_page_says_why_exactly_where_the_menu_or_the_switch_does(place):
    """On a sample of each kind, under an algorithm that takes it."""
    for name in ("people-100", "nine", "four", "purchases-80000", "households-5000"):
        algorithm = kc.PurchaseHistories() if name.startswith("purchases") else kc.TopDown()
        session = session_of(name, algorithm)
        test = opened(place, session)
        said = " ".join([words(test), *(one.value for one in test.info)]).replace("\\", "")
        page, view = parts_of(place)
        lacking = view not in views_of(session.table) if view else page in unfit_pages(session.table)
        assert (WHY[place] in re.sub("<[^>]+>", "", said)) == lacking, name

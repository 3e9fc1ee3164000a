"""The menu says which pictures a table cannot have, and those pages say why."""

from __future__ import annotations

import re

import pytest
from streamlit.commands import navigation

import kanon_core as kc
from kanon_core.table.samples import SAMPLES
from pages.shell import frame
from pages.shell.menu import unfit_pages
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words

WHY = {
    "map": "This table has no place",
    "sets": "No quasi-identifier of this table contains item sets",
    "histories": "This table has no column that names the person",
    "concealment": "Not for this table",
}


def session_of(name: str, algorithm: kc.Algorithm | None = None) -> Session:
    table = kc.read_table(f"sample:{name}")
    return Session(table, name, f"sample:{name}", Setting(algorithm or kc.TopDown(), 5, 9))


@pytest.fixture
def menus(monkeypatch):
    """By address, the titles of each menu that is sent."""
    found, usual = [], navigation._navigation

    def spied(pages, **how):
        found.append({page.url_path: page.title for group in pages.values() for page in group})
        return usual(pages, **how)

    monkeypatch.setattr(navigation, "_navigation", spied)
    return found


def barred(menu: dict[str, str]) -> set[str]:
    return {address for address, title in menu.items() if title.endswith(" – not for this table")}


def test_the_menu_says_which_pages_show_nothing_of_the_table(menus):
    opened("data", session_of("people-100"))
    assert barred(menus[-1]) == {"sets", "histories"}
    assert set(menus[-1]) == set(frame.PAGES) - {frame.FIRST} | {""}
    test = opened("data", session_of("purchases-80000", kc.PurchaseHistories()))
    assert barred(menus[-1]) == {"map", "sets", "concealment"}
    sent = len(menus)
    test.run()
    assert len(menus) == sent + 1  # drawn once more only where it changes


def test_another_table_changes_the_menu_at_once(menus):
    test = opened("map", session_of("nine"))
    assert "map" in barred(menus[-1])
    test.button(key="load people").click().run()
    assert not test.exception and barred(menus[-1]) == {"sets", "histories"}


@pytest.mark.deep
@pytest.mark.parametrize("page", sorted(WHY))
def test_a_page_says_why_exactly_where_the_menu_does(page):
    """On a sample of each kind, under an algorithm that takes it."""
    for name in ("people-100", "nine", "four", "purchases-80000", "households-5000"):
        algorithm = kc.PurchaseHistories() if name.startswith("purchases") else kc.TopDown()
        session = session_of(name, algorithm)
        test = opened(page, session)
        said = " ".join([words(test), *(one.value for one in test.info)]).replace("\\", "")
        assert (WHY[page] in re.sub("<[^>]+>", "", said)) == (page in unfit_pages(session.table)), name


@pytest.mark.deep
def test_no_sample_is_without_a_picture():
    for sample in SAMPLES:
        assert len(unfit_pages(kc.read_table(f"sample:{sample.name}"))) < len(WHY)

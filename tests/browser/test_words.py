"""Explanations in a real browser, by click and by key; what the menu says of pictures that do not fit."""

from __future__ import annotations

import pytest

from tests.browser.steps import settled

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect


def at(page, address: str, where: str = "") -> None:
    page.goto(f"{address}/{where}")
    settled(page)


def test_a_question_mark_opens_the_entry_of_its_word_by_key_and_by_click(page, app_address):
    at(page, app_address, "?table=people-100")
    expect(page.locator(".verdict").nth(1)).to_be_visible()
    opener = page.get_by_role("button", name="What does “Certainty penalty” mean?")
    says = page.get_by_text("100 % means that every cell allows any value")
    expect(says).to_be_hidden()
    opener.focus()
    page.keyboard.press("Enter")
    expect(says).to_be_visible()
    box = says.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 1440 and box["y"] + box["height"] <= 900
    page.keyboard.press("Escape")
    expect(says).to_be_hidden()
    assert opener.evaluate("one => one === document.activeElement")
    opener.click()
    expect(says).to_be_visible()
    target = opener.bounding_box()
    assert target["width"] >= 24 and target["height"] >= 24


def test_on_a_phone_an_entry_is_inside_the_screen(page, app_address):
    page.set_viewport_size({"width": 390, "height": 844})
    at(page, app_address, "?table=people-100")
    for number in range(page.locator(".word").count()):
        opener = page.locator(".word").nth(number)
        opener.scroll_into_view_if_needed()
        opener.click()
        entry = page.locator(".entry:popover-open")
        expect(entry).to_have_count(1)
        box = entry.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, number
        assert box["y"] >= 0 and box["y"] + box["height"] <= 844, number
        page.keyboard.press("Escape")


def test_every_word_is_a_click_away_and_found_by_typing(page, app_address):
    at(page, app_address, "clusters?table=people-100")
    opener = page.get_by_role("button", name="Glossary")
    opener.focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Find a term")
    expect(field).to_be_visible()
    page.locator("summary", has_text="t-closeness").press("Enter")
    expect(page.get_by_text("within distance t of that of the table.")).to_be_visible()
    field.click()
    page.keyboard.type("adversary")
    page.get_by_role("option", name="attacker (adversary)").click()
    told = page.locator(".entry[role=status]")
    expect(told).to_contain_text("attacker (adversary)")
    page.get_by_role("button", name="guarantee", exact=True).click()
    expect(told).to_contain_text("guarantee (verdict, audit)")
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    assert "/clusters" in page.url


def test_the_menu_tells_and_the_page_stays_where_it_is(page, app_address):
    """The menu is drawn again when the table is known; a choice made in that very run of the page stays."""
    at(page, app_address, "clusters?table=four")
    page.get_by_role("radio", name="No outlines").click(force=True)
    settled(page)
    expect(page.get_by_role("radio", name="No outlines")).to_be_checked()
    links = page.get_by_test_id("stTopNavLink")
    expect(links.filter(has_text="Map – not for this table")).to_be_visible()
    expect(links.filter(has_text="Clusters")).not_to_contain_text("not for this table")
    links.filter(has_text="Map").click()
    expect(page.locator("h1").first).to_have_text("Map")
    expect(page.get_by_text("This table has no place")).to_be_visible()
    assert "/map" in page.url
    page.reload()
    settled(page)
    expect(page.locator("h1").first).to_have_text("Map")
    assert "/map" in page.url

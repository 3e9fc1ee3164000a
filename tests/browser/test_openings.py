"""First minutes by role: clicks from a fresh start to the first result that matters."""

from __future__ import annotations

import pytest

from tests.browser.steps import filled, settled, upload
from tests.browser.test_clicks import CSV, Hand

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
MOST = 4


def chosen(page, hand: Hand, address: str, title: str, who: str) -> None:
    """A fresh start, and the opening with this title."""
    page.goto(address)
    settled(page)
    filled(page)
    hand.click(page.get_by_role("button", name="Choose your task"))
    hand.click(page.get_by_role("button", name=title, exact=True))
    expect(page.get_by_role("button", name=who)).to_be_visible()


def test_an_analyst_sees_what_k_costs_on_a_table_of_their_own(page, app_address):
    hand = Hand()
    chosen(page, hand, app_address, "Tune k before I hand over data", "Analyst")
    upload(page, CSV, "people.csv", "people.csv, 300 records")
    hand.clicks += 1  # the button that chooses the file
    hand.click(page.get_by_role("button", name="Tune k", exact=True))
    expect(page.locator(".statusbar").first).to_contain_text("people.csv, 300 records")
    expect(page.locator(".cards .value").first).to_contain_text("%")
    assert hand.clicks <= MOST


def test_an_officer_sees_whether_a_released_file_holds(page, app_address):
    hand = Hand()
    chosen(page, hand, app_address, "Sign a release", "Privacy officer")
    page.locator(".st-key-check-file input[type=file]").set_input_files(
        {"name": "released.csv", "mimeType": "text/csv", "buffer": CSV}
    )
    hand.clicks += 1
    expect(page.locator(".verdict").first).to_be_visible()
    assert hand.clicks <= MOST


def test_a_teacher_sees_how_it_works_and_the_choice_stays_with_the_tab(page, app_address):
    hand = Hand()
    chosen(page, hand, app_address, "Teach", "Teacher")
    first = page.get_by_test_id("stTopNavLink").first
    expect(first).to_have_attribute("aria-current", "page")
    lesson = page.get_by_role("button", name="Why removing names is not enough")
    expect(lesson).to_be_visible()
    page.wait_for_url("**for=teacher**")
    assert hand.clicks <= MOST
    page.reload()
    expect(lesson).to_be_visible()
    expect(page.get_by_role("button", name="Teacher")).to_be_visible()
    assert "for=teacher" in page.url

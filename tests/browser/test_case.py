"""The checked file is the case of all pages, also after the page is loaded anew; one click switches."""

from __future__ import annotations

import pytest

from tests.browser.steps import settled

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

FILE = "age,sex,ill\n[20-29],F,flu\n[20-29],F,gout\n[20-29],F,ok\n[30-39],M,flu\n[30-39],M,ok\n"


def uploaded(page, app_address) -> None:
    page.goto(f"{app_address}/check")
    settled(page)
    content = {"name": "wards.csv", "mimeType": "text/csv", "buffer": FILE.encode()}
    page.locator(".st-key-check-file input[type=file]").set_input_files(content)
    expect(page.locator(".statusbar")).to_contain_text("wards.csv, 5 rows")
    settled(page)


def test_a_checked_file_and_its_roles_stay_when_the_page_is_loaded_anew(page, app_address):
    uploaded(page, app_address)
    known = page.get_by_test_id("stMultiSelect").first
    known.get_by_role("button", name="Remove sex").click()
    expect(known).not_to_contain_text("sex")
    settled(page)
    page.reload()
    settled(page)
    expect(page.locator(".statusbar")).to_contain_text("wards.csv, 5 rows")
    expect(known).to_contain_text("age")
    expect(known).not_to_contain_text("sex")


def test_every_page_is_about_the_checked_file_until_one_click_switches(page, app_address):
    uploaded(page, app_address)
    page.get_by_role("link", name="Risk", exact=True).click()
    expect(page.locator(".statusbar")).to_contain_text("wards.csv, 5 rows")
    expect(page.get_by_text("of 5 records").first).to_be_visible()
    settled(page)
    page.reload()
    expect(page.locator(".statusbar")).to_contain_text("wards.csv, 5 rows")
    page.get_by_role("link", name="Release", exact=True).click()
    expect(page.get_by_role("heading", name="Report on the checked file")).to_be_visible()
    page.get_by_role("button", name="Create the report").click()
    expect(page.get_by_text("Download the report (HTML)")).to_be_visible()
    page.get_by_role("link", name="Tune", exact=True).click()
    expect(page.get_by_text("is a finished file")).to_be_visible()
    page.get_by_role("button", name="Switch to the table").click()
    expect(page.locator(".statusbar").first).to_contain_text("k 5 requested")
    expect(page.locator(".st-key-other-case")).to_contain_text("wards.csv")

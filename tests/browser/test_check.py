"""A foreign file is checked, repaired and checked again in a real browser."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from tests.browser.steps import RUNNING, settled, visit

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

WARDS = (
    b"age,sex,diagnosis\n" + b"20-29,F,flu\n20-29,F,ok\n" * 3 + b"30-39,M,flu\n30-39,M,ok\n" + b"40-49,M,ok\n"
)

FINGER = 150
"""Milliseconds for which a person keeps a button pressed."""


def give(page, content: bytes) -> None:
    settled(page)  # an uploader that is about to be drawn anew would lose the file
    box = page.locator('input[type="file"]').first
    box.set_input_files({"name": "wards.csv", "mimeType": "text/csv", "buffer": content})
    expect(page.locator(".verdict.whole").first).to_be_visible()


def test_a_foreign_file_is_checked_repaired_and_checked_again(page, app_address):
    page.goto(f"{app_address}/check")
    expect(page.locator("h1")).to_have_text("Check")
    give(page, WARDS)
    box = page.get_by_label("k-anonymity: k", exact=True)
    box.fill("3")
    box.press("Enter")
    expect(page.locator(".verdict.fails")).to_contain_text("3 records share their quasi-identifiers")
    expect(page.locator(RUNNING)).to_have_count(0)
    page.get_by_role("button", name="Create this release").last.click()
    expect(
        page.get_by_text("The repaired release was checked: all requested guarantees hold.")
    ).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("button", name="Download the release").click()
    released = Path(found.value.path())
    with page.expect_download() as recipe:
        page.get_by_role("button", name="Download the recipe of the repair").click()
    again = kc.read_table(WARDS, **{"typed": False, "header": True, "format": "csv"})
    made = kc.Recipe.from_json(Path(recipe.value.path()).read_text("utf-8"))
    assert made.records == len(again) and isinstance(made.algorithm, kc.Repair)
    frame = pd.read_csv(released)
    assert len(frame) == 9 and frame.groupby(["age", "sex"]).size().min() >= 3
    page.get_by_label("Remove wards.csv").first.click()
    expect(page.locator(".verdict")).to_have_count(0)
    give(page, released.read_bytes())
    expect(page.locator(".verdict.holds")).to_contain_text("at least")
    assert page.locator(".verdict.fails").count() == 0 and "Traceback" not in page.inner_text("body")


def test_a_click_that_leaves_the_field_of_k_is_not_lost(page, app_address):
    """The field sends its number when it is left: the page is drawn anew, and the button moves."""
    page.goto(f"{app_address}/check")
    give(page, WARDS)
    expect(page.get_by_text("k-anonymity: k = 5 requested, k = 1 reached")).to_be_visible()
    page.get_by_label("k-anonymity: k", exact=True).fill("3")
    page.get_by_role("button", name="Create this release").last.click(delay=FINGER)
    expect(page.get_by_text("k-anonymity: k = 3 requested, k = 1 reached")).to_be_visible()
    expect(
        page.get_by_text("The repaired release was checked: all requested guarantees hold.")
    ).to_be_visible()


def test_a_checked_file_stays_open_and_is_what_risk_and_release_are_about(page, app_address):
    page.goto(f"{app_address}/check")
    give(page, WARDS)
    box = page.get_by_label("k-anonymity: k", exact=True)
    box.fill("3")
    box.press("Enter")
    expect(page.locator(".verdict.fails")).to_contain_text("3 records share their quasi-identifiers")
    settled(page)
    for title in ("Risk", "Release"):
        visit(page, title)
        settled(page)
        expect(page.locator(".statusbar").first).to_contain_text("wards.csv")
    visit(page, "Tune")
    settled(page)
    page.get_by_role("link", name="Show the file on Check").click()
    expect(page.get_by_text("“wards.csv” is still open.")).to_be_visible()
    settled(page)
    expect(page.locator(".verdict.fails")).to_contain_text("3 records share their quasi-identifiers")
    page.get_by_role("button", name="Close the file").click()
    expect(page.locator(".verdict")).to_have_count(0)
    settled(page)
    visit(page, "Risk")
    settled(page)
    expect(page.locator(".statusbar").first).to_contain_text("algorithm")
    expect(page.get_by_text("wards.csv")).to_have_count(0)

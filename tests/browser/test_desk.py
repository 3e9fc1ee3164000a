"""Pins and the desk in a real browser: pinned on one page, shown on another, kept over a reload, side by side
on a screen and one below another on a phone, and a click on the map takes that setting."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import choose, filled, settled, upload, violations, visit

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
ROWS = "\n".join(f"{18 + 7 * i % 61},{(i * i) % 97},{'ABC'[i % 3]},person {i}" for i in range(60))
CSV = f"age,weight,city,name\n{ROWS}\n".encode()
PIN, COMPARE = ".st-key-pin button:visible", ".st-key-compare button:visible"
NAMES, DRAWN = ".pin-name", ".st-key-desk-columns .drawing"


def two_pins(page, app_address) -> None:
    """The desk with MDAV and Mondrian, both at k = 5, pinned on Tune and on Clusters."""
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, CSV, "sixty.csv", "60 records")
    visit(page, "Tune")
    page.locator(PIN).click()
    expect(page.locator(PIN)).to_have_text("push_pinUnpin A")
    choose(page, "Mondrian")
    expect(page.locator(PIN)).to_have_text("push_pinPin")
    visit(page, "Clusters")
    page.locator(PIN).click()
    expect(page.locator(COMPARE)).to_contain_text("Compare (2)")
    page.locator(COMPARE).click()
    expect(page.locator(NAMES)).to_have_count(2)
    expect(page.locator(DRAWN)).to_have_count(6)
    filled(page)


def lefts_and_tops(page, what: str) -> tuple[list[float], list[float]]:
    boxes = [one.bounding_box() for one in page.locator(what).all()]
    return [box["x"] for box in boxes], [box["y"] for box in boxes]


def test_pins_come_from_any_page_stay_over_a_reload_and_stand_side_by_side(page, app_address):
    two_pins(page, app_address)
    expect(page.locator(NAMES).first).to_contain_text("MDAV, k = 5")
    expect(page.locator(NAMES).last).to_contain_text("Mondrian, k = 5")
    lefts, tops = lefts_and_tops(page, NAMES)
    assert lefts[0] < lefts[1] and abs(tops[0] - tops[1]) < 2
    lefts, tops = lefts_and_tops(page, DRAWN)
    assert lefts[0] < lefts[1] and abs(tops[0] - tops[1]) < 2  # of one column, in two settings
    assert not re.search(r"person \d", page.inner_text("body"))
    page.mouse.move(0, 0)  # away from what has a tooltip
    expect(page.get_by_role("tooltip")).to_have_count(0)
    found = violations(page)
    assert not found, found
    page.reload()
    settled(page)
    expect(page.locator(COMPARE)).to_contain_text("Compare (2)")


def test_on_a_phone_the_columns_stack(page, app_address):
    two_pins(page, app_address)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(1_000)  # what is drawn by the browser alone
    for what in (NAMES, DRAWN):
        lefts, tops = lefts_and_tops(page, what)
        assert lefts[0] == lefts[1] and tops[0] < tops[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_click_on_the_map_takes_that_setting_and_another_table_shows_no_pin(page, app_address):
    two_pins(page, app_address)
    status = page.locator(".statusbar").first
    expect(status).to_contain_text("5 requested")
    mark = page.locator(".js-plotly-plot .scatterlayer .trace:has(.points path)").first.locator(
        ".points path"
    )
    box = mark.last.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(status).not_to_contain_text("5 requested")
    expect(page.locator(NAMES)).to_have_count(2)
    visit(page, "Data")
    upload(
        page, CSV.replace(b"person 7,", b"person 8,").replace(b"18,0,A", b"19,0,A"), "other.csv", "60 records"
    )
    expect(page.locator(COMPARE)).to_have_count(0)
    visit(page, "Curves")
    expect(page.get_by_text("2 pinned settings belong to other tables.")).to_be_visible()

"""The Concealment page in a real browser: a click on a node follows that record, in every picture."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import close_lens, settled, upload, visit

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
CSV = b"name,age,sex\nAlice,10,F\nBob,20,M\nCarol,40,M\nDavid,50,F\n"


def click_point(page, trace: int, number: int) -> None:
    """Click a marker of a chart's last traces; ``trace`` from the front of those that have markers."""
    points = (
        page.locator(".js-plotly-plot .scatterlayer .trace:has(.points path)")
        .nth(trace)
        .locator(".points path")
    )
    points.nth(number).scroll_into_view_if_needed()
    box = points.nth(number).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.deep
def test_a_click_on_a_node_or_a_point_follows_that_record(page, app_address):
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, CSV, "four.csv", "4 records")
    # The name stands in the field before the file has been read; the status bar tells of the table itself.
    expect(page.locator(".statusbar").first).to_contain_text(re.compile(r"\b4\s+records"), timeout=60_000)
    settled(page)
    visit(page, "Clusters", "Matchings")
    page.get_by_role("button", name="Show Optimal concealment").click()
    field = page.get_by_role("spinbutton", name="Record to follow")
    expect(page.locator(".statusbar").first).to_contain_text("Optimal concealment")
    expect(page.locator(".js-plotly-plot .scatterlayer").first).to_be_visible(timeout=60_000)
    expect(field).to_have_count(1)
    expect(field).to_have_value("")
    settled(page)
    click_point(page, 0, 2)
    close_lens(page)
    expect(field).to_have_value("3")
    expect(page.locator(".sentence")).to_contain_text("Record 3 could be any of these")
    settled(page)
    click_point(page, 1, 3)
    close_lens(page)
    expect(field).to_have_value("4")
    page.get_by_role("tab", name="Cycles").click()
    settled(page)
    assert "Alice" not in page.inner_text("body")

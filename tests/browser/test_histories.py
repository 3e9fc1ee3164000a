"""The Histories page in a real browser: the Data page asks whose the records are, a click on a row chooses
whose history is shown."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import close_lens, settled, upload, visit

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
ROWS = [(f"Person {person}", 10 * person + row) for person in range(1, 7) for row in range(person)]
CSV = "name,pieces\n" + "".join(f"{name},{pieces}\n" for name, pieces in ROWS)


@pytest.mark.deep
def test_a_click_on_a_row_shows_that_history_under_its_pseudonym(page, app_address):
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, CSV.encode(), "six.csv", "21 records")
    bar = page.locator(".statusbar").first
    expect(bar).to_contain_text(re.compile(r"\b21\s+records"), timeout=60_000)
    settled(page)
    expect(bar).to_contain_text("protects not set yet")
    expect(page.get_by_text("name has 6 different values")).to_be_visible()
    page.get_by_role("button", name="name names the person").click()
    expect(bar).to_contain_text("of 6 people", timeout=60_000)
    expect(bar).to_contain_text("protects people")
    settled(page)
    visit(page, "Clusters", "People")
    expect(page.locator(".statusbar").first).to_contain_text("5 people requested, 5 achieved", timeout=60_000)
    told = page.get_by_text("Chosen:")
    expect(told).to_contain_text("Person 1 has 6 records. 2 are published")
    settled(page)
    chart = page.locator(".js-plotly-plot").first
    published = chart.locator(".scatterlayer .js-fill").first.bounding_box()
    fourth = chart.locator(".ytick text", has_text=re.compile("^4$")).bounding_box()
    page.mouse.click(published["x"] + published["width"], fourth["y"] + fourth["height"] / 2)
    close_lens(page)
    expect(told).to_contain_text("Person 4 has 3 records. 2 are published")
    page.get_by_role("tab", name="One person").click()
    expect(page.get_by_text("Before: name Person 3")).to_be_visible()
    settled(page)
    assert "Person 3" not in page.locator(".beforeafter").first.inner_text()

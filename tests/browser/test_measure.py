"""Measures on the page Curves in a real browser: a click above a bar shows its records, a click on the
risk–utility map takes that setting."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import filled, settled, upload, visit

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
ROWS = "\n".join(f"{18 + 7 * i % 61},{(i * i) % 97},person {i}" for i in range(60))
CSV = f"age,weight,name\n{ROWS}\n".encode()


def open_measure(page, view: str) -> None:
    visit(page, "Curves", view)


@pytest.mark.deep
def test_clicks_on_bars_and_points_are_followed(page, app_address):
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, CSV, "sixty.csv", "60 records")
    status = page.locator(".statusbar").first
    expect(status).to_contain_text(re.compile(r"\b60\s+records"))
    open_measure(page, "By record")
    expect(page.locator(".js-plotly-plot .barlayer")).to_be_visible()
    box = page.locator(".js-plotly-plot .barlayer .trace").nth(0).locator(".point").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 8)  # far above a short bar
    expect(page.locator(".note", has_text="Click the bar again")).to_be_visible()
    assert not re.search(r"person \d", page.inner_text("body"))

    visit(page, "Curves", "Loss over k")
    filled(page)
    open_measure(page, "Risk and loss")
    expect(status).to_contain_text("5 requested")
    marks = page.locator(".js-plotly-plot .scatterlayer .trace:has(.points path)").first.locator(
        ".points path"
    )
    box = marks.last.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(status).not_to_contain_text("5 requested")
    expect(page.locator("h1").first).to_have_text("Curves")

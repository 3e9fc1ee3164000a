"""Tune in a real browser: everything that matters is inside the first screen, for every sample; the curve
fills by itself; a reload brings all back."""

from __future__ import annotations

import re

import pytest

from kanon_core.table.samples import SAMPLES
from tests.browser.steps import choose, settled

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

SEEN = {
    "slider": '[data-testid="stSlider"]',
    "k": '.st-key-more-controls [data-testid="stNumberInput"]',
    "guarantee": ".verdict.holds",
    "worst finding": ".verdict >> nth=1",
    "loss": ".cards > div >> nth=0",
    "picture": ".st-key-picture-tile .drawing svg[role=img]",
    "curve": ".st-key-curve-tile .drawing svg[role=group]",
}
ON_POINT = re.compile(r"^MDAV, k = 49, Information loss: [\d.]+ %$")
ON_A_PHONE = ("slider", "k", "guarantee", "loss")


def at(page, address: str, name: str = "people-100", **more: object) -> None:
    query = "&".join(f"{key}={value}" for key, value in {"table": name, **more}.items())
    page.goto(f"{address}/?{query}")
    expect(page.locator(".verdict").nth(1)).to_be_visible(timeout=90_000)
    settled(page)


def outside(page, names, height: int) -> list[str]:
    """Which of these end below the first screen."""
    found = []
    for name in names:
        place = page.locator(SEEN[name]).first
        expect(place).to_be_visible()
        box = place.bounding_box() or place.bounding_box()  # it may just be drawn anew
        if box is None or box["y"] < 0 or box["y"] + box["height"] > height or not box["height"]:
            found.append(f"{name} {box}")
    return found


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)], ids=["1440x900", "1280x720"])
def test_all_that_matters_is_inside_the_first_screen(page, app_address, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    wrong = {}
    for sample in SAMPLES:
        at(page, app_address, sample.name)
        expect(page.locator(SEEN["curve"]).first).to_be_visible()
        if missed := outside(page, SEEN, size[1]):
            wrong[sample.name] = missed
    assert not wrong


def test_on_a_phone_slider_k_loss_and_guarantee_are(page, app_address):
    page.set_viewport_size({"width": 390, "height": 844})
    wrong = {}
    for sample in SAMPLES:
        at(page, app_address, sample.name)
        if missed := outside(page, ON_A_PHONE, 844):
            wrong[sample.name] = missed
    assert not wrong


def test_the_curve_fills_by_itself_and_a_reload_brings_it_back(page, app_address):
    at(page, app_address)
    expect(page.get_by_role("button", name=re.compile(r"^k = 2 \(4.90 %\)$"))).to_be_visible(timeout=60_000)
    choose(page, "V-MDAV")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 asked")
    settled(page)
    page.reload()
    bar = page.locator(".statusbar").first
    expect(bar).to_contain_text("6 asked", timeout=5_000)
    expect(bar).to_contain_text("V-MDAV")


def test_a_click_on_the_curve_goes_there(page, app_address):
    at(page, app_address)
    expect(page.get_by_role("button", name=re.compile(r"^k = 2 \(4.90 %\)$"))).to_be_visible(timeout=60_000)
    settled(page)
    points = page.locator(".st-key-curve-tile [data-facts]")
    points.last.click()
    expect(page.locator(".statusbar").first).to_contain_text("50 asked")
    settled(page)
    points.last.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".st-key-curve-tile [data-facts]:focus")).to_have_attribute("aria-label", ON_POINT)
    page.keyboard.press("Enter")
    expect(page.locator(".statusbar").first).to_contain_text("49 asked")


def test_k_is_reached_with_six_tabs_after_the_skip_link(page, app_address):
    at(page, app_address)
    page.keyboard.press("Tab")
    assert "Skip" in page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    reached = list[str]()
    for _ in range(6):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.type") or "")
    assert "range" in reached


def test_another_browser_sees_nothing_of_this_one(browser, page, app_address):
    at(page, app_address, "nine", k=3)
    address = page.url
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(re.sub("table=nine", "table=own", address))
    expect(stranger.get_by_text("no longer in the memory of the server")).to_be_visible(timeout=60_000)
    expect(stranger.locator(".statusbar").first).to_contain_text("100 records")
    other.close()

"""Algorithms compared in a real browser: curves that fill by themselves, the one switch that stops them, the
menu that adds one, and what is in sight."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import filled, settled, upload

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
ROWS = "\n".join(f"{18 + 7 * i % 61},{(i * i) % 97},{(31 * i) % 53}" for i in range(2_000))
CSV = f"age,weight,height\n{ROWS}\n".encode()
CHART, BAR = ".js-plotly-plot", ".st-key-curve-progress"
SENTENCE = ".st-key-answers .note"


def at_work(page, app_address) -> None:
    """The page, with curves that take a while."""
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, CSV, "two thousand.csv", "2,000 records")
    page.get_by_test_id("stTopNavLink").filter(has_text="Curves").click()
    expect(page.locator(f"{CHART} .scatterlayer .points path").first).to_be_visible()


def done(page) -> int:
    return int(re.match(r"(\d+) of", page.locator(BAR).inner_text())[1])


def add(page, typed: str) -> None:
    menu = page.get_by_role("combobox", name="Add an algorithm")
    menu.click()
    menu.press_sequentially(typed)
    menu.press("Enter")


def test_one_bar_and_one_stop_while_the_chart_shows_what_is_there(page, app_address):
    at_work(page, app_address)
    add(page, "Refine")
    expect(page.locator("[class*=st-key-compared] button:visible").last).to_contain_text("Refine")
    expect(page.get_by_role("progressbar")).to_have_count(1)  # not settled: then all would be there
    expect(page.get_by_role("button", name="Stop")).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    there = done(page)
    page.wait_for_timeout(3_000)
    assert done(page) == there
    expect(page.locator(f"{CHART} .scatterlayer .points path").first).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_what_is_typed_and_entered_adds_one_algorithm_and_a_key_takes_it_out(page, app_address):
    page.goto(f"{app_address}/curves")
    settled(page)
    expect(page.locator(CHART)).to_have_count(1)  # the first run on a new server is followed by another
    chips = page.locator("[class*=st-key-compared] button:visible")
    before = chips.count()
    add(page, "Refine")
    expect(chips).to_have_count(before + 1)
    expect(chips.last).to_contain_text("Refine")
    settled(page)
    chips.last.press("Enter")
    expect(chips).to_have_count(before)


def place(page, seen: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the first element of this kind that is laid out: what is drawn again is
    taken away and put there, so that looking for it and measuring it are one step."""
    laid_out = """seen => {
      const boxes = [...document.querySelectorAll(seen)].map(one => one.getBoundingClientRect());
      const box = boxes.find(one => one.height);
      return box && ["left", "top", "right", "bottom"].map(side => box[side]);
    }"""
    left, top, right, bottom = page.wait_for_function(laid_out, arg=seen).json_value()
    return left, top, right, bottom


def test_everything_is_on_the_first_screen(page, app_address):
    page.goto(f"{app_address}/curves")
    settled(page)
    for state in ("while it fills", "when it is full"):
        if state == "when it is full":
            filled(page)
        for seen in (".st-key-compared", CHART, SENTENCE, ".st-key-k", ".st-key-open-from"):
            _, top, _, bottom = place(page, seen)
            assert 0 <= top < bottom <= 900, (seen, state)


def test_on_a_phone_the_chart_comes_first_after_the_compact_controls(page, app_address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_address}/curves")
    settled(page)
    left, top, right, bottom = place(page, CHART)
    assert 0 <= left < right <= 390 and bottom <= 844
    assert place(page, ".st-key-k")[1] > top


def test_a_click_on_a_point_opens_tune_with_that_setting(page, app_address):
    page.goto(f"{app_address}/curves")
    settled(page)
    filled(page)
    last = page.locator(f"{CHART} .scatterlayer .trace:has(.points path)").first.locator(".points path").last
    box = last.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("h1").first).to_have_text("Tune")
    expect(page.locator(".statusbar").first).to_contain_text("20 requested")

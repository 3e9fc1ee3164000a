"""The thumb of the k slider is taken by the mouse or a finger, from every point of it, on every page that has
one; what was set last is what is shown."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from tests.browser.hand import Slider, opened
from tests.browser.steps import loaded, settled

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

SHARES = (0.15, 0.5, 0.85)
POINTS = list(itertools.product(SHARES, SHARES))
"""Nine points of the thumb: shares of its width and height."""
PAGES = {
    "": "people-100",
    "clusters": "people-100",
    "map": "people-100",
    "sets": "receipts-10000",
    "curves": "people-100",
}
"""Every page with a k slider, and a sample that it shows something of."""
DRAGS = 200


def test_200_drags_from_nine_points_of_the_thumb_each_move_k(page, app_address):
    slider, drawn = opened(page, app_address, "", "people-100"), random.Random(30)
    for number in range(DRAGS):
        before, to = slider.k, drawn.random()
        while abs(to - (before - 2) / 48) < 0.05:
            to = drawn.random()
        k = slider.drag(POINTS[number % 9], to)
        assert k != before and (k > before) == (to > (before - 2) / 48), f"drag {number}"
        if number % 5 == 4:
            slider.shows(k)
            settled(page)
        else:
            page.wait_for_timeout(drawn.choice([0, 20, 100]))
            expect(slider.track.locator("input")).to_have_value(str(k))
    slider.shows(k)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_with_the_slider_gives_its_thumb_to_mouse_and_finger(browser, app_address, name):
    for phone in (False, True):
        size = {"width": 390, "height": 844} if phone else {"width": 1440, "height": 900}
        context = browser.new_context(viewport=size, has_touch=phone)
        page = context.new_page()
        slider = opened(page, app_address, name, PAGES[name])
        loaded(page)  # a chart is as high as it will be
        slider.thumb.scroll_into_view_if_needed()
        for point in POINTS:
            before = slider.k
            k = (slider.swipe if phone else slider.drag)(point, 0.15 if slider.share > 0.27 else 0.4)
            assert k != before, f"{name}, from {point} of the thumb, on a {'phone' if phone else 'desk'}"
            slider.shows(k)
        context.close()


@pytest.mark.parametrize("script", ["Slider", "NumberInput"])
def test_a_control_that_the_browser_draws_late_shows_the_k_that_was_set(page, app_address, script):
    """Its script comes in a file of its own, on a slow line after the next run of the page."""
    late = []
    page.route(re.compile(rf"/{script}\.[\w-]+\.js"), lambda route: late.append(route))
    page.goto(f"{app_address}/?table=people-100&algorithm=MDAV&k=7")
    settled(page)
    page.get_by_text("Loss by column").click()
    expect(page.get_by_text("Information loss is largest in")).to_be_visible()
    settled(page)
    assert late
    for route in late:
        route.continue_()
    slider = Slider(page)
    expect(slider.track.locator("input")).to_have_value("7")
    expect(page.get_by_role("spinbutton", name="Any k")).to_have_value("7")
    slider.track.locator("input").press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("8 requested")
    settled(page)
    slider.shows(8)
    expect(page.get_by_role("spinbutton", name="Any k")).to_have_value("8")

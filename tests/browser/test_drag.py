"""The thumb of the k slider is taken by the mouse or a finger, from every point of it, on every page that has
one; what was set last is what is shown."""

from __future__ import annotations

import itertools
import random
import re

import pytest

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
    "tradeoff": "people-100",
}
"""Every page with a k slider, and a sample that it shows something of."""
DRAGS = 200
TRACK = '[class*="st-key-k"] [data-testid="stSlider"] [role=group] > [data-orientation]'
"""The track with its thumb. A slider that is drawn anew has a number behind its key."""
DRAWN = "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
NEAR = "([input, k]) => Math.abs(Number(input.value) - k) <= 1"


class Slider:
    """The k slider of a page, and a hand that takes its thumb by a point and moves it to a place of the
    track."""

    def __init__(self, page) -> None:
        self.page = page
        self.track = page.locator(TRACK).first
        self.thumb = self.track.locator(':scope > [data-rac]:has(input[type="range"])')

    @property
    def k(self) -> int:
        return int(self.track.locator("input").input_value())

    @property
    def share(self) -> float:
        """Where on the track k is, from 0 to 1."""
        low, high = (int(self.track.locator("input").get_attribute(end)) for end in ("min", "max"))
        return (self.k - low) / (high - low)

    def way(self, point: tuple[float, float], to: float) -> list[tuple[float, float]]:
        """The pointer's path: from a point of the thumb until its center is at this share of the track."""
        thumb, track = self.thumb.bounding_box(), self.track.bounding_box()
        x, y = thumb["x"] + point[0] * thumb["width"], thumb["y"] + point[1] * thumb["height"]
        far = track["x"] + to * track["width"] - (thumb["x"] + thumb["width"] / 2)
        return [(x + far * step / 4, y) for step in range(5)]

    def arrived(self, to: float) -> int:
        """Wait until k has followed to this share of the track, which a busy browser draws later; return
        it."""
        low, high = (int(self.track.locator("input").get_attribute(end)) for end in ("min", "max"))
        k = round(low + to * (high - low))
        self.page.wait_for_function(NEAR, arg=[self.track.locator("input").element_handle(), k])
        self.page.evaluate(DRAWN)
        return self.k

    def drag(self, point: tuple[float, float], to: float) -> int:
        """By mouse; returns the k at which it was let go."""
        first, *others = self.way(point, to)
        self.page.mouse.move(*first)
        self.page.mouse.down()
        for place in others:
            self.page.mouse.move(*place)
        let_go = self.arrived(to)
        self.page.mouse.up()
        return let_go

    def swipe(self, point: tuple[float, float], to: float) -> int:
        """By finger; returns the k at which it was let go."""
        touch = self.page.context.new_cdp_session(self.page)

        def send(kind: str, *places: tuple[float, float]) -> None:
            at = [{"x": x, "y": y} for x, y in places]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

        first, *others = self.way(point, to)
        send("touchStart", first)
        for place in others:
            send("touchMove", place)
        let_go = self.arrived(to)
        send("touchEnd")
        touch.detach()
        return let_go

    def shows(self, k: int) -> None:
        """The slider and the status bar say this k."""
        expect(self.track.locator("input")).to_have_value(str(k))
        expect(self.page.locator(".statusbar").first).to_contain_text(re.compile(rf"k\s+{k}(?!\d)"))


def opened(page, address: str, name: str, table: str) -> Slider:
    page.goto(f"{address}/{name}?table={table}")
    slider = Slider(page)
    expect(slider.thumb).to_be_visible(timeout=90_000)
    settled(page)
    return slider


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


def test_a_slider_that_the_browser_draws_late_shows_the_k_that_was_set(page, app_address):
    """Its script comes in a file of its own, on a slow line after the next run of the page."""
    late = []
    page.route(re.compile(r"/Slider\.[\w-]+\.js"), lambda route: late.append(route))
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
    slider.track.locator("input").press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("8 requested")

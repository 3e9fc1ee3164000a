"""A hand on the k slider of a page: by mouse and by finger, from any point of the thumb."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import settled

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

TRACK = '[class*="st-key-k"] [data-testid="stSlider"] [role=group] > [data-orientation]'
"""The track with its thumb. A slider that is drawn anew has a number behind its key."""
DRAWN = "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
NEAR = "([input, k]) => Math.abs(Number(input.value) - k) <= 1"
VISIBLE = """() => {
  const part = (name) => {
    const there = document.querySelector(`.st-key-${name}`);
    return there?.querySelector(':scope > .held-copy') ?? there;
  };
  const text = (name) => part(name)?.textContent ?? '';
  const labels = [...(part('curve-tile')?.querySelectorAll('*') ?? [])].filter((one) => one.shadowRoot)
    .flatMap((one) => [...one.shadowRoot.querySelectorAll('svg[role=group]')])
    .map((one) => one.getAttribute('aria-label')).join();
  const number = (where, pattern) => Number(where.match(pattern)?.[1] ?? NaN);
  return {
    bar: number(text('state'), /k\\s*(\\d+) requested/),
    verdict: number(text('results'), /anonymity with k = (\\d+)/),
    curve: number(labels, /At k = (\\d+),/),
    sentence: number(text('beneath'), /has at least (\\d+) records/),
  };
}"""
"""The k that each part of the screen shows: of the copy that lies over it, where there is one."""
SHOWN = f"(k) => Object.values(({VISIBLE})()).every((one) => one === k)"
"""A script that tells whether every part shows this k."""
UNCOVERED = "() => !document.querySelector('.held-copy, [data-held]')"
"""A script that tells whether the page is free of copies that lie over its parts."""


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
        """Return the place of k on the track, from 0 to 1."""
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
        let_go = self.hold(point, to)
        self.page.mouse.up()
        return let_go

    def hold(self, point: tuple[float, float], to: float) -> int:
        """Take the thumb and move it without letting go; returns the k under it."""
        first, *others = self.way(point, to)
        self.page.mouse.move(*first)
        self.page.mouse.down()
        return self.move(others, to)

    def move(self, places: list[tuple[float, float]], to: float) -> int:
        """Move a thumb that is held along these places."""
        for place in places:
            self.page.mouse.move(*place)
        return self.arrived(to)

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


def tuned(page, address: str, table: str = "people-100") -> Slider:
    """Open Tune with its curve finished, so that the measure of the curve has its point at every k."""
    slider = opened(page, address, "", table)
    expect(page.locator(".st-key-curve-progress")).to_have_count(0, timeout=120_000)
    settled(page)
    return slider


def shows(page, k: int) -> None:
    """Wait until every part of the screen is of this k; `benchmarks.drags` measures how long that takes."""
    page.wait_for_function(SHOWN, arg=k, timeout=30_000)

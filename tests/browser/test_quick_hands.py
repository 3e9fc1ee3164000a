"""Somebody who does not wait: seeded random use of the real app, and what must stand on screen in the end."""

from __future__ import annotations

import random
import re

import pytest

from tests.browser.steps import choose, settled

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

STEPS = 30
ALGORITHMS, PAGES = ("MDAV", "Mondrian", "Sorting"), ("Tune", "Release", "Data")


class Hand:
    """Does things at random, seldom waiting, and knows what should have come of them."""

    def __init__(self, page, seed: int) -> None:
        self.page, self.random = page, random.Random(seed)
        self.k, self.algorithm, self.title, self.done = 5, "MDAV", "Tune", list[str]()

    def other(self, among, now):
        return self.random.choice([one for one in among if one != now])

    def type_k(self) -> None:
        """Into the field, once it shows what was chosen before."""
        field = self.page.get_by_role("spinbutton", name="Any k")
        expect(field).to_have_value(str(self.k))
        self.k = self.other(range(2, 16), self.k)
        field.fill(str(self.k))
        if self.random.random() < 0.7:
            field.press(self.random.choice(["Enter", "Tab"]))
        else:  # the click on the menu takes the focus away
            self.go()

    def slide(self) -> None:
        """Some steps by arrow keys from where the slider stands, once it shows what was chosen before."""
        slider = self.page.locator('[data-testid="stSlider"] input[type="range"]').first
        expect(slider).to_have_value(str(self.k))
        key, step = self.random.choice([("ArrowRight", 1), ("ArrowLeft", -1)])
        for _ in range(self.random.randint(1, 3)):
            slider.press(key)
            self.k = max(2, self.k + step)
        self.agree()  # who slides looks at what comes of it

    def choose(self) -> None:
        self.agree()
        self.algorithm = self.other(ALGORITHMS, self.algorithm)
        choose(self.page, self.algorithm)

    def go(self) -> None:
        self.title = self.other(PAGES, self.title) if self.title == "Tune" else "Tune"
        self.page.get_by_test_id("stTopNavLink").filter(has_text=self.title).click()
        expect(self.page.locator("h1").first).to_have_text(self.title)
        settled(self.page)

    def act(self) -> None:
        acts = (self.type_k, self.slide, self.choose, self.go) if self.title == "Tune" else (self.go,)
        act = self.random.choice(acts)
        act()
        self.done.append(f"{act.__name__} → k = {self.k}, {self.algorithm}, {self.title}")
        self.page.wait_for_timeout(self.random.choice([0, 0, 20, 100, 300, 800]))

    def agree(self) -> None:
        """The bar and the address say what was chosen last."""
        bar = self.page.locator(".statusbar").first
        expect(bar, "; ".join(self.done[-6:])).to_contain_text(re.compile(rf"k\s+{self.k} requested"))
        expect(bar).to_contain_text(self.algorithm)
        expect(self.page).to_have_url(re.compile(rf"[?&]k={self.k}\b"))
        settled(self.page)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
def test_what_was_chosen_last_stands_in_the_end_however_quick(page, app_address, seed):
    page.goto(f"{app_address}/?table=people-100&algorithm=MDAV&k=5")
    settled(page)
    hand = Hand(page, seed)
    for step in range(STEPS):
        hand.act()
        if step % 3 == 2:
            hand.agree()
    hand.agree()

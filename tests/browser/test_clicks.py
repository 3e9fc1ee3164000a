"""Numbers of clicks that tasks take, counted as a person makes them."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pandas as pd
import pytest

from tests.browser.steps import settled, upload

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

CSV = (
    "age,city,illness\n" + "".join(f"{20 + (7 * i) % 61},{'ABC'[i % 3]},ill {i % 9}\n" for i in range(300))
).encode()


class Hand:
    """Clicks, and how many there were."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, place) -> None:
        place.click()
        self.clicks += 1


def menu(page, title: str):
    return page.get_by_test_id("stTopNavLink").filter(has_text=title)


def test_from_a_fresh_start_to_a_tuned_released_file_in_four_clicks(page, app_address):
    hand, begun = Hand(), time.monotonic()
    page.goto(app_address)
    expect(page.locator(".verdict.holds")).to_be_visible()
    settled(page)
    slider = page.locator('.st-key-k input[type="range"]')
    hand.click(page.locator('.st-key-k [data-testid="stSlider"]'))  # its middle
    expect(page.locator(".statusbar").first).not_to_contain_text("5 requested")
    settled(page)
    k = int(slider.input_value())
    hand.click(menu(page, "Release"))
    with page.expect_download() as download:
        hand.click(page.get_by_role("button", name="Download csv"))
    released = pd.read_csv(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert k > 5 and released.groupby(["latitude", "longitude", "age", "sex"]).size().min() >= k
    assert hand.clicks <= 4 and time.monotonic() - begun < 30


def test_from_an_own_file_to_the_largest_k_within_a_loss_in_five_clicks(page, app_address):
    hand = Hand()
    page.goto(app_address)
    settled(page)
    hand.click(menu(page, "Data"))
    settled(page)
    upload(page, CSV, "people.csv", "people.csv, 300 records")
    hand.clicks += 1  # the button that chooses the file
    hand.click(page.get_by_role("button", name="Tune k"))
    settled(page)
    bound = page.get_by_role("spinbutton", name="Limit of the loss (%)")
    hand.click(bound)
    bound.fill("10")
    bound.press("Enter")
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text("of at most 10 %")
    expect(answer).not_to_contain_text("So far")
    settled(page)
    k, loss = re.search(r"k = (\d+) .* of at most 10 % \((.*?) %\)", answer.inner_text()).groups()
    hand.click(answer.get_by_role("button", name=f"Use k = {k}"))
    expect(page.locator(".statusbar").first).to_contain_text(f"{k} requested")
    expect(page.locator(".cards .value").first).to_have_text(f"{loss} %")
    assert float(loss) <= 10
    assert hand.clicks <= 5

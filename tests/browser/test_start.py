"""The start in a real browser: cards of examples, the tour, and the button that copies the address."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import filled, settled, violations, visit
from tests.browser.test_data import DESKTOP, PHONE

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

CARDS = {
    "Patients": "patients",
    "Census": "census",
    "City": "city",
    "Receipts": "receipts",
    "Purchases": "purchases",
    "Your file": "own",
}
"""The titles of the cards, with the names of the examples."""
STEPS = 6


def card(page, title: str):
    return page.locator(f".st-key-example-{CARDS[title]}").get_by_role("button", name=title)


def tour(page):
    return page.get_by_role("dialog")


def offer(page):
    return page.get_by_role("button", name="Take the tour (2 minutes)")


def at_start(page, address: str, path: str = "") -> None:
    page.goto(f"{address}/{path}")
    settled(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_six_cards_stand_on_the_first_screen_of_data(page, app_address, scheme):
    page.emulate_media(color_scheme=scheme)
    at_start(page, app_address, "data")
    for title in CARDS:
        box = card(page, title).bounding_box()
        assert box["y"] + box["height"] <= DESKTOP["height"], title
        expect(page.get_by_role("img")).to_have_count(len(CARDS))
    assert not violations(page)


def test_a_phone_reaches_every_card_without_moving_the_page_sideways(page, app_address):
    page.set_viewport_size(PHONE)
    at_start(page, app_address, "data")
    assert card(page, "Patients").bounding_box()["y"] < PHONE["height"]
    for title in CARDS:
        card(page, title).scroll_into_view_if_needed()
        expect(card(page, title)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_card_opens_its_page_with_its_question_until_that_is_dismissed(page, app_address):
    at_start(page, app_address, "data")
    picture = page.locator(".st-key-card-patients img").bounding_box()
    page.mouse.click(picture["x"] + 9, picture["y"] + 9)  # all of the card presses its button
    expect(page.locator("h1").first).to_have_text("Tune")
    filled(page)
    asked = page.locator(".st-key-question")
    expect(asked).to_contain_text("What is the smallest k at which no condition is given away?")
    expect(page.locator(".st-key-answer")).to_contain_text(re.compile(r"k = \d+ is the smallest k at which"))
    assert asked.bounding_box()["y"] < page.locator(".st-key-answer").bounding_box()["y"]
    visit(page, "Data")
    expect(asked).to_have_count(0)
    visit(page, "Tune")
    asked.get_by_role("button", name="Dismiss the question").press("Enter")
    expect(asked).to_have_count(0)
    settled(page)
    visit(page, "Data")
    visit(page, "Tune")
    expect(asked).to_have_count(0)


def test_the_card_for_a_file_opens_the_dialog_of_the_browser(page, app_address):
    at_start(page, app_address, "data")
    with page.expect_file_chooser() as chooser:
        card(page, "Your file").click()
    rows = "".join(f"{20 + i % 9},{'MF'[i % 2]}\n" for i in range(48))
    own = f"age,sex\n{rows}".encode()
    chooser.value.set_files({"name": "own.csv", "mimeType": "text/csv", "buffer": own})
    expect(page.locator(".statusbar").first).to_contain_text("own.csv, 48 records")
    expect(card(page, "Patients")).to_have_count(0)
    settled(page)
    visit(page, "Tune")
    expect(page.locator(".st-key-question")).to_contain_text("How large can k be for your table")


def test_the_tour_goes_through_its_steps_by_keys_and_is_never_offered_again(page, app_address):
    at_start(page, app_address)
    offer(page).press("Enter")
    expect(offer(page)).to_have_count(0)
    for step in range(1, STEPS + 1):
        expect(tour(page)).to_contain_text(f"Step {step} of {STEPS}")
        box = tour(page).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= DESKTOP["width"], step
        assert box["y"] >= 0 and box["y"] + box["height"] <= DESKTOP["height"], step
        page.keyboard.press("Enter")  # the focus is on the button that goes on
    expect(tour(page)).to_have_count(0)
    expect(page.get_by_role("slider").first).to_be_focused()
    page.reload()
    settled(page)
    expect(page.get_by_role("button", name="Glossary")).to_be_visible()
    expect(offer(page)).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_tour_is_skipped_with_escape_and_leaves_the_page_usable(page, app_address, size):
    page.set_viewport_size(size)
    at_start(page, app_address)
    offer(page).click()
    expect(tour(page)).to_contain_text("Step 1")
    assert not violations(page)
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 requested")
    expect(tour(page)).to_be_visible()
    tour(page).get_by_role("button", name="Next").click()
    tour(page).get_by_role("button", name="Back").click()
    expect(tour(page)).to_contain_text("Step 1")
    page.keyboard.press("Escape")
    expect(tour(page)).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_the_tour_ends_with_its_page_and_can_be_declined(page, app_address):
    at_start(page, app_address)
    offer(page).click()
    visit(page, "Data")
    expect(tour(page)).to_have_count(0)
    page.evaluate("localStorage.clear()")
    at_start(page, app_address)
    page.get_by_role("button", name="Decline the tour").click()
    expect(offer(page)).to_have_count(0)
    at_start(page, app_address)
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(offer(page)).to_have_count(0)


def test_the_link_is_the_address_of_the_page_and_leads_another_browser_there(page, app_address, browser):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app_address)
    at_start(page, app_address, "tune?table=people-100&algorithm=MDAV&k=7")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url and "k=7" in copied
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(0)
    other = browser.new_page()
    other.goto(copied)
    settled(other)
    expect(other.locator(".statusbar").first).to_contain_text("7 requested")
    other.context.close()


def test_an_address_without_a_clipboard_is_copied_as_by_hand(page, app_address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app_address)
    at_start(page, app_address, "tune?table=people-100&algorithm=MDAV&k=8")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no TLS')) }")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url

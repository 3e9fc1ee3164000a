"""Measures on the page Curves in a real browser: a click above a bar shows its records, uses fill in by
themselves."""

from __future__ import annotations

import random
import re

import pytest

from tests.browser.steps import settled, upload, violations, visit

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
ROWS = "\n".join(f"{18 + 7 * i % 61},{(i * i) % 97},person {i}" for i in range(60))
CSV = f"age,weight,name\n{ROWS}\n".encode()


def open_measure(page, view: str) -> None:
    visit(page, "Curves", view)


@pytest.mark.deep
def test_clicks_on_bars_are_followed(page, app_address):
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


CARDS = ".st-key-uses [class*='st-key-use-']"


def values(page) -> dict[str, str]:
    """The number on each card of the uses, by its title."""
    cards = page.locator(CARDS).all()
    return {card.locator(".name b").inner_text(): card.locator(".value").inner_text() for card in cards}


@pytest.mark.deep
def test_uses_fill_in_without_a_click_and_follow_the_slider(page, app_address):
    page.goto(f"{app_address}/curves?view=utility")
    expect(page.locator(".uses-legend")).to_contain_text("The largest change comes first", timeout=120_000)
    settled(page)
    expect(page.locator(f"{CARDS} .pending")).to_have_count(0)
    first, heights = values(page), [card.bounding_box()["height"] for card in page.locator(CARDS).all()]
    assert len(first) == 9 and len(set(map(round, heights))) == 1
    for card in page.locator(CARDS).all():
        assert card.locator(".rail .is").count() >= 1 and card.locator(".says").first.inner_text().endswith(
            "."
        )
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 requested")
    settled(page)
    second = values(page)
    assert set(second) == set(first) and sum(second[title] != first[title] for title in first) > 5
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    lefts = {round(card.bounding_box()["x"]) for card in page.locator(CARDS).all()}
    assert len(lefts) == 1


def training(page, app_address):
    """The card of the model, which is being trained on a table that takes a while."""
    rng = random.Random(4)
    draws = (18, 90), (40, 120), (140, 200), (0, 20), (0, 20), (0, 2)
    kinds = ("", "", "", "town", "job", "ill")
    rows = "\n".join(
        ",".join(f"{kind}{rng.randrange(*ends)}" for kind, ends in zip(kinds, draws, strict=True))
        for _ in range(20_000)
    )
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, f"age,weight,height,town,job,diagnosis\n{rows}\n".encode(), "many.csv", "20,000 records")
    page.get_by_test_id("stTopNavLink").filter(has_text="Curves").click()
    page.locator(".st-key-views").get_by_role("radio", name="Utility", exact=True).click()
    model = page.locator(CARDS).filter(has_text="Loss of a trained model")
    model.get_by_role("progressbar").wait_for(timeout=120_000)
    return model


@pytest.mark.deep
def test_a_model_in_training_is_stopped_and_stays_so_until_it_is_wanted(page, app_address):
    """Its card has the progress and the button; the other cards are there and stay."""
    model = training(page, app_address)
    expect(page.locator(f"{CARDS} .pending")).to_have_count(1)
    model.get_by_role("button", name="Stop").click()
    expect(model).to_contain_text("stopped", timeout=5_000)
    settled(page)
    others = values(page)
    assert len([value for value in others.values() if "stopped" not in value]) == 7
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 requested")
    settled(page)
    assert values(page)["Loss of a trained model (target diagnosis)"] == "stopped"
    model.get_by_role("button", name="Compute").click()
    expect(page.locator(f"{CARDS} .pending")).to_have_count(0, timeout=120_000)
    settled(page)
    assert "%" in values(page)["Loss of a trained model (target diagnosis)"]


@pytest.mark.deep
def test_the_slider_answers_while_a_model_is_trained(page, app_address):
    training(page, app_address)
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 requested", timeout=10_000)

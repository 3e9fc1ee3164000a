"""Lessons in a real browser: walked by mouse and by keys, and usable for those who do not see well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kanon_core.teaching.lessons import LESSONS, Lesson
from tests.browser.steps import RUNNING, settled, violations

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect


def next_(page):
    return page.locator(".st-key-present-next").get_by_role("button")


def walked(page, one: Lesson, press) -> None:
    """From screen to screen; a question is answered by showing its answer."""
    for number, screen in enumerate(one.screens, 1):
        expect(page.locator(".st-key-lesson-top")).to_contain_text(f"{number} of {len(one.screens)}")
        expect(page.locator("h2.heading").first).to_have_text(screen.result().says(screen.heading))
        expect(page.locator(".drawing, .scene, .beside").first).to_be_visible()
        if screen.question is not None:
            expect(next_(page)).to_be_disabled()
            press(page.locator(".st-key-show-answer button"))
            expect(page.locator(".st-key-lesson-answer")).to_contain_text("The answer")
        expect(next_(page)).to_be_enabled()
        press(next_(page))
    expect(page.locator(".st-key-lesson-top")).to_contain_text("The end")
    settled(page)


@pytest.mark.parametrize("one", LESSONS, ids=[one.name for one in LESSONS])
def test_every_lesson_is_walked(page, app_address, one):
    """By turns with the mouse on a desktop, and with the keyboard alone on a phone."""
    by_keys = LESSONS.index(one) % 2 == 1

    def press(control) -> None:
        if by_keys:
            control.focus()
            page.keyboard.press("Enter")
        else:
            control.click()

    page.set_viewport_size({"width": 390, "height": 844} if by_keys else {"width": 1440, "height": 900})
    page.goto(f"{app_address}/learn?view=lessons")
    settled(page)
    press(page.locator(f".st-key-take-{one.name} button"))
    walked(page, one, press)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert re.search(rf"lesson={one.name}&screen={len(one.screens) + 1}", page.url)


@pytest.mark.parametrize("one", LESSONS, ids=[one.name for one in LESSONS])
def test_every_lesson_is_shown_to_a_room_with_a_clicker(page, app_address, one):
    """Idea, question, answer, next idea; what is said fits the projector's picture without scrolling."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app_address}/learn?view=lessons&lesson={one.name}&screen=1&present=1")
    expect(page.locator("html[data-clicker=heard]")).to_have_count(1)
    settled(page)
    ways, question = page.locator(".st-key-lesson-ways"), page.locator(".st-key-lesson-question")

    def press(key: str) -> None:
        expect(page.locator(RUNNING)).to_have_count(0)
        page.keyboard.press(key)

    def fits(what: str) -> None:
        expect(page.locator(RUNNING)).to_have_count(0)
        assert ways.evaluate("one => one.getBoundingClientRect().bottom") <= 720, what

    for number, screen in enumerate(one.screens, 1):
        expect(page.locator("h2.heading").first).to_have_text(screen.result().says(screen.heading))
        expect(question).to_have_count(0)
        fits(f"idea {number}")
        press("PageDown")
        if screen.question is None:
            continue
        expect(question).to_be_visible()
        fits(f"question {number}")
        press("PageDown")
        expect(page.locator(".st-key-lesson-answer")).to_contain_text("The answer")
        fits(f"answer {number}")
        press("PageUp")
        expect(question).to_have_count(0)
        press("PageDown")
        expect(question).to_be_visible()
        press("PageDown")
    expect(page.locator(".st-key-lesson-top")).to_contain_text("The end")


def test_a_number_is_answered_by_keys(page, app_address):
    page.goto(f"{app_address}/learn?view=lessons&lesson=names&screen=2")
    settled(page)
    field = page.locator(".st-key-lesson-question input")
    field.fill("4")
    field.press("Enter")
    expect(page.locator(".st-key-lesson-question")).to_contain_text("Not correct yet")
    field.fill("1")
    field.press("Enter")
    expect(page.locator(".st-key-lesson-answer")).to_contain_text("Correct")
    expect(next_(page)).to_be_enabled()


def test_the_handout_is_a_file_without_scripts(page, app_address):
    page.goto(f"{app_address}/learn?view=lessons&lesson=sets&screen={len(LESSONS[6].screens) + 1}")
    settled(page)
    with page.expect_download() as given:
        page.locator(".st-key-handout button").click()
    text = Path(given.value.path()).read_text("utf-8")
    assert given.value.suggested_filename == "kanon-lesson-sets.html"
    assert text.startswith("<!DOCTYPE html>") and "<script" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_that_matters_in_lessons(page, app_address, scheme):
    page.emulate_media(color_scheme=scheme)
    found = {}
    for asked in ("", "&lesson=names&screen=3", "&lesson=nine-points&screen=6", "&lesson=risk&screen=5"):
        page.goto(f"{app_address}/learn?view=lessons{asked}")
        settled(page)
        found[asked] = violations(page)
    assert not any(found.values()), found

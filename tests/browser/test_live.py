"""The screen follows the thumb of the k slider while it is held: every part is of one k, nothing is chosen
until the thumb is let go, and going back to a k costs no run."""

from __future__ import annotations

import random

import pytest

from tests.browser.hand import SHOWN, TRACK, UNCOVERED, VISIBLE, Slider, opened, shows, tuned
from tests.browser.steps import settled

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

MIDDLE = (0.5, 0.5)
RECORD = f"""() => {{
  const visible = {VISIBLE};
  window.seen = new Set();
  const look = () => {{
    if (!window.seen) return;
    window.seen.add(JSON.stringify(visible()));
    requestAnimationFrame(look);
  }};
  look();
}}"""

PLACES = """(track) => {
  window.places = new Set();
  const look = () => {
    window.places.add(Math.round(document.querySelector(track)?.getBoundingClientRect().top ?? -1));
    requestAnimationFrame(look);
  };
  look();
}"""
"""Collect every height at which the slider stands."""


def test_every_part_follows_a_held_thumb_and_nothing_is_chosen_before_it_is_let_go(page, app_address):
    slider = tuned(page, app_address)
    begun, address = slider.k, page.url
    held = slider.hold(MIDDLE, 0.5)
    assert held > begun + 10
    shows(page, held)
    expect(page.locator(".st-key-results > .held-copy")).to_contain_text("points")
    expect(page.get_by_role("spinbutton", name="Any k")).to_have_value(str(held))
    assert page.url == address
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.mouse.up()
    page.wait_for_function(UNCOVERED)
    settled(page)
    shows(page, held)
    expect(page.get_by_role("spinbutton", name="Any k")).to_have_value(str(held))
    assert f"k={held}" in page.url
    page.get_by_role("button", name="Undo").click()
    shows(page, begun)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_thumb_that_is_put_back_leaves_everything_as_it_was(page, app_address):
    slider = tuned(page, app_address)
    begun, share = slider.k, slider.share
    held = slider.hold(MIDDLE, 0.3)
    shows(page, held)
    thumb, track = slider.thumb.bounding_box(), slider.track.bounding_box()
    back = track["x"] + share * track["width"], thumb["y"] + thumb["height"] / 2
    assert slider.move([back], share) == begun
    shows(page, begun)
    page.mouse.up()
    page.wait_for_function(UNCOVERED)
    settled(page)
    shows(page, begun)
    field = page.get_by_role("spinbutton", name="Any k")
    expect(field).to_have_value(str(begun))
    field.fill(str(held))  # a number that was typed is taken afterwards, too
    field.press("Enter")
    shows(page, held)
    page.get_by_role("button", name="Undo").click()
    shows(page, begun)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_no_moment_of_a_drag_shows_parts_of_two_k(page, app_address):
    slider, drawn = tuned(page, app_address), random.Random(35)
    first = slider.hold(MIDDLE, 0.4)
    page.evaluate(RECORD)
    shows(page, first)
    for _ in range(30):
        to = drawn.uniform(0.1, 0.9)
        thumb, track = slider.thumb.bounding_box(), slider.track.bounding_box()
        k = slider.move([(track["x"] + to * track["width"], thumb["y"] + thumb["height"] / 2)], to)
        page.wait_for_timeout(drawn.choice([0, 50, 300]))
    shows(page, k)
    seen = page.evaluate(
        "() => { const all = [...window.seen].map(JSON.parse); window.seen = null; return all; }"
    )
    torn = [one for one in seen if len(set(one.values())) > 1]
    assert len(seen) > 3 and not torn, torn
    page.mouse.up()
    page.wait_for_function(UNCOVERED)
    settled(page)
    shows(page, k)


@pytest.mark.parametrize("width", [1440, 390])
def test_the_slider_stays_where_it_is_while_results_are_computed(page, app_address, width):
    page.set_viewport_size({"width": width, "height": 900})
    slider, drawn = tuned(page, app_address), random.Random(11)
    page.evaluate(PLACES, TRACK)
    for _ in range(8):
        k = slider.drag(MIDDLE, drawn.uniform(0.1, 0.9))
        page.wait_for_timeout(drawn.choice([0, 100, 800]))
    slider.shows(k)
    assert len(page.evaluate("() => [...window.places]")) == 1


def test_going_back_while_held_asks_the_server_for_nothing(page, app_address):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    slider = tuned(page, app_address)
    far = slider.hold(MIDDLE, 0.5)
    shows(page, far)
    track, thumb = slider.track.bounding_box(), slider.thumb.bounding_box()
    y = thumb["y"] + thumb["height"] / 2
    near = slider.move([(track["x"] + 0.3 * track["width"], y)], 0.3)
    shows(page, near)
    before = len(sent)
    assert before
    assert slider.move([(track["x"] + 0.5 * track["width"], y)], 0.5) == far
    page.wait_for_function(SHOWN, arg=far, timeout=10_000)
    assert len(sent) == before
    page.mouse.up()


def test_a_result_that_takes_longer_than_a_lost_answer_comes_while_the_thumb_is_held(page, app_address):
    """It is not asked for again while it is computed: that would begin it anew."""
    slider = opened(page, app_address, "", "people-5000&algorithm=OptimalConcealment")
    held = slider.hold(MIDDLE, 0.9)
    bar = page.locator(".st-key-state > .held-copy .statusbar")
    expect(bar).to_contain_text(f"{held} requested", timeout=120_000)
    page.mouse.up()
    slider.shows(held)


def test_a_thumb_that_is_taken_before_the_first_result_is_followed(page, app_address):
    """The script that follows it comes with the result."""
    page.goto(f"{app_address}/?table=people-5000&algorithm=MDAV&k=5")
    slider = Slider(page)
    expect(slider.thumb).to_be_visible(timeout=90_000)
    held = slider.hold(MIDDLE, 0.6)
    page.wait_for_function(SHOWN, arg=held, timeout=60_000)
    page.mouse.up()
    shows(page, held)


def test_a_thumb_is_followed_while_the_focus_goes_elsewhere(page, app_address):
    slider = tuned(page, app_address)
    held = slider.hold(MIDDLE, 0.5)
    page.evaluate("() => document.body.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))")
    page.wait_for_timeout(100)
    track, thumb = slider.track.bounding_box(), slider.thumb.bounding_box()
    other = slider.move([(track["x"] + 0.7 * track["width"], thumb["y"] + thumb["height"] / 2)], 0.7)
    assert other != held
    page.wait_for_function(SHOWN, arg=other, timeout=30_000)
    page.mouse.up()
    shows(page, other)


def test_every_part_follows_a_finger_on_a_phone(browser, app_address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    slider = tuned(page, app_address)
    touch = context.new_cdp_session(page)
    for number, (x, y) in enumerate(slider.way(MIDDLE, 0.5)):
        kind = "touchMove" if number else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    held = slider.arrived(0.5)
    shows(page, held)
    expect(page.locator(".held-copy").first).to_be_attached()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(UNCOVERED)
    settled(page)
    slider.shows(held)
    context.close()


def test_a_held_key_moves_every_part(page, app_address):
    slider = tuned(page, app_address)
    begun = slider.k
    slider.track.locator("input").focus()
    for _ in range(8):
        page.keyboard.down("ArrowRight")
        page.wait_for_timeout(60)
    page.keyboard.up("ArrowRight")
    shows(page, begun + 8)
    page.wait_for_function(UNCOVERED)
    settled(page)
    slider.shows(begun + 8)


def test_the_answer_moves_the_slider_and_every_part(page, app_address):
    slider = tuned(page, app_address)
    page.get_by_role("spinbutton", name="Limit of the loss (%)").fill("30")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-answer")).to_contain_text("at most 30 %")
    use = page.get_by_role("button", name="Use k = ")
    k = int(use.inner_text().rsplit(" ", 1)[1])
    assert k != slider.k
    use.click()
    slider.shows(k)
    shows(page, k)
    expect(use).to_have_count(0)
    settled(page)
    held = slider.hold(MIDDLE, 0.8)
    shows(page, held)
    page.mouse.up()
    settled(page)
    slider.shows(held)

"""The Learn page in a browser: the player by mouse, keys and clicker, two runs, exercises, presenter mode."""

from __future__ import annotations

import re

import pytest

import kanon_core as kc
from kanon_core.teaching.explain import NARRATIONS
from tests.browser.steps import RUNNING, loaded, settled, violations

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
BOXES = "sides => sides.map(one => one.getBoundingClientRect().toJSON())"
PEOPLE = "table=people-100&algorithm=MDAV&k=5"
VIEWS = {
    "player": f"view=steps&{PEOPLE}&step=6",
    "two": f"view=steps&{PEOPLE}&beside=MDAV@3&step=6",
    "group": f"view=exercises&{PEOPLE}&exercise=group-7",
    "loss": "view=exercises&exercise=loss-3",
    "k": "view=exercises&exercise=k-3",
}


def opened(page, address: str, asked: str) -> None:
    page.goto(f"{address}/learn?{asked}")
    expect(page.locator(".player, .exercise").first).to_be_visible()
    expect(page.locator("html[data-clicker=heard]")).to_be_attached()  # keys are listened to
    expect(page.locator(RUNNING)).to_have_count(0, timeout=90_000)


def at(page, step: int, count: int = 39) -> None:
    """The player shows this step: in words, in its picture, and as the value of its slider."""
    expect(page.locator(".player .number")).to_have_text(f"step {step} of {count}")
    expect(page.locator(".player input")).to_have_value(str(step))
    expect(page.locator(".picture.waiting")).to_have_count(0)
    says = page.locator(".player .says").first.inner_text()
    drawn = page.locator(".player .picture :is(svg, [role=region])[aria-label]").first.get_attribute(
        "aria-label"
    )
    assert says.startswith(drawn[:40])


def test_the_player_goes_on_and_back_by_mouse_and_the_address_follows(page, app_address):
    opened(page, app_address, f"{PEOPLE}&step=6")
    at(page, 6)
    expect(page.locator("li[aria-current=step]")).to_have_count(1)
    page.get_by_role("button", name="Next (→)").click()
    at(page, 7)
    page.get_by_role("button", name="Back (←)").click(click_count=2, delay=20)
    at(page, 5)
    expect(page).to_have_url(re.compile("step=5$"))
    page.get_by_role("button", name="Last step (End)").click()
    at(page, 39)
    expect(page.get_by_role("button", name="Next (→)")).to_be_disabled()
    page.get_by_role("button", name="First step (Home)").click()
    at(page, 1)
    page.locator(".player input").fill("20")
    at(page, 20)
    expect(page).to_have_url(re.compile("step=20$"))
    page.reload()
    expect(page.locator(".player")).to_be_visible()
    at(page, 20)


def test_the_player_goes_by_keys_while_the_focus_is_in_it_and_takes_none_from_fields(page, app_address):
    opened(page, app_address, f"{PEOPLE}&step=6")
    page.locator(".player").focus()
    for key, step in (("ArrowRight", 7), ("ArrowLeft", 6), ("End", 39), ("ArrowLeft", 38), ("Home", 1)):
        page.keyboard.press(key)
        at(page, step)
    page.locator(".player input").focus()
    page.keyboard.press("ArrowRight")
    at(page, 2)
    field = page.get_by_role("spinbutton", name="k", exact=True)
    field.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    at(page, 2)


def test_the_arrow_keys_move_the_player_where_nothing_else_has_the_focus(page, app_address):
    opened(page, app_address, f"{PEOPLE}&step=6")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    at(page, 7)
    page.locator("h1").first.click()
    page.keyboard.press("ArrowLeft")
    at(page, 6)
    page.keyboard.press("End")  # scrolls the page
    at(page, 6)


def test_play_goes_on_by_itself_and_ends_with_the_run(page, app_address):
    opened(page, app_address, f"{PEOPLE}&step=37")
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^Speed: ")).click()
    page.locator(".player").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
    at(page, 39)
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
    page.get_by_role("button", name="Play (space)").click()
    at(page, 1)
    page.get_by_role("button", name="Pause (space)").click()
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()


def test_play_leaves_time_to_read_each_sentence(page, app_address):
    opened(page, app_address, f"{PEOPLE}&step=6")
    page.evaluate(
        """() => {
          const wait = window.setTimeout;
          window.waits = [];
          window.setTimeout = (...call) => { window.waits.push(call[1]); return wait(...call); };
        }"""
    )
    words = len(page.locator(".player .says").inner_text().split())
    assert words > 7
    page.get_by_role("button", name="Play (space)").click()
    assert words * 300 in page.evaluate("window.waits")
    page.get_by_role("button", name="Speed: 1×").click()
    assert words * 150 in page.evaluate("window.waits")
    expect(page.get_by_role("button", name="Speed: 2×")).to_be_visible()


def test_a_step_is_on_screen_in_less_than_200_milliseconds(page, app_address):
    """As the page measures it: from the key to the frame in which the new picture is there."""
    opened(page, app_address, f"{PEOPLE}&step=6")
    page.locator(".player").focus()
    took = page.locator(".player").evaluate(
        """async (player) => {
          const found = [], press = { key: 'ArrowRight', bubbles: true, composed: true };
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          for (let i = 0; i < 6; i += 1) {
            const before = player.querySelector('.picture').innerHTML, start = performance.now();
            player.dispatchEvent(new KeyboardEvent('keydown', press));
            for (let frames = 0; player.querySelector('.picture').innerHTML === before; frames += 1) {
              if (frames > 120) throw new Error('not drawn');
              await frame();
            }
            await frame();
            found.push(performance.now() - start);
          }
          return found;
        }"""
    )
    assert sorted(took)[3] < 200


def test_two_runs_go_together_and_stand_below_one_another_on_a_phone(page, app_address):
    opened(page, app_address, VIEWS["two"])
    sides = page.locator(".player .side")
    expect(sides).to_have_count(2)
    at(page, 6, 65)
    boxes = sides.evaluate_all(BOXES)  # of one moment
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
    page.locator(".player").focus()
    page.keyboard.press("End")
    at(page, 65, 65)
    expect(page.locator(".player .says").first).to_contain_text("This run ends here.")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("innerWidth") == 390
    boxes = sides.evaluate_all(BOXES)
    assert boxes[0]["y"] < boxes[1]["y"]


def test_the_next_group_is_chosen_by_click_by_key_and_by_number(page, app_address):
    opened(page, app_address, VIEWS["group"])
    field = page.get_by_role("textbox", name="Record numbers")
    marker = page.locator("[data-facts]").first
    number = marker.get_attribute("data-facts")
    marker.focus()
    page.keyboard.press("Enter")
    expect(field).to_have_value(number)
    expect(marker).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("[data-facts][aria-pressed=true]")).to_have_count(2)
    page.locator(f'[data-facts="{number}"]').dispatch_event("click")
    expect(page.locator("[data-facts][aria-pressed=true]")).to_have_count(1)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".told")).to_contain_text("Not correct yet")
    expect(page.locator(".score")).to_contain_text("0 of 1 correct at the first attempt")
    page.get_by_role("button", name="Show the answer").click()
    said = page.locator(".told .verdict").inner_text()
    expect(page.locator(".told .why")).to_contain_text("become")
    numbers = re.findall(r"\d+", said)
    expect(page.locator(".answer")).to_have_count(len(numbers))
    field.fill(" ".join(numbers))
    field.press("Enter")
    expect(page.locator(".told")).to_contain_text("Correct: ")
    page.get_by_role("button", name="Next exercise").click()
    expect(page).to_have_url(re.compile("exercise=group-8"))
    expect(field).to_have_value("")
    expect(page.locator(".score")).to_contain_text("0 of 1")


def test_a_number_is_checked_and_the_score_is_kept_in_the_browser(page, app_address):
    opened(page, app_address, VIEWS["k"])
    field = page.get_by_role("textbox", name="Your answer")
    field.fill("1")
    field.press("Enter")
    expect(page.locator(".told")).to_contain_text("The answer is larger")
    page.reload()
    expect(page.locator(".score")).to_contain_text("0 of 1 correct at the first attempt")
    page.get_by_role("button", name="Reset the score").click()
    expect(page.locator(".score")).to_contain_text("No question is answered yet")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".told")).to_contain_text("The answer: ")
    expect(page.locator(".told .why")).to_contain_text("equivalence classes")


def test_presenter_mode_shows_one_message_and_obeys_a_clicker(page, app_address):
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, app_address, f"{PEOPLE}&step=6")
    page.keyboard.press("Alt+p")
    expect(page.locator(".player.presented")).to_be_visible()
    for gone in ('[data-testid="stHeader"]', ".statusbar", ".head", ".st-key-learn-choices", ".lines"):
        expect(page.locator(gone).first).to_be_hidden()
    for name in ("Back (←)", "Play (space)", "Next (→)"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport()
    expect(page.get_by_text("Esc to exit")).to_be_in_viewport()
    says = page.locator(".player .says")
    box = says.bounding_box()
    assert box["y"] + box["height"] < 720
    assert says.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 24
    page.keyboard.press("PageDown")
    expect(page.locator(".player .number")).to_have_text("step 7 of 39")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    expect(page.locator(".player .number")).to_have_text("step 7 of 39")
    expect(page).to_have_url(re.compile("present=1"))
    page.keyboard.press("Escape")
    expect(page.locator(".statusbar").first).to_be_visible()
    settled(page)
    opened(page, app_address, f"{VIEWS['k']}&present=1")
    page.locator("h1").first.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("exercise=k-4"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844), (1280, 720)], ids=["desktop", "phone", "room"])
def test_every_view_fits_and_axe_finds_nothing_that_matters(page, app_address, size, scheme):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for name, asked in VIEWS.items():
        opened(page, app_address, asked + ("&present=1" if size[1] == 720 else ""))
        loaded(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        found[name] = violations(page)
    assert not any(found.values()), found


SAMPLES = ("people-100", "nine", "DS0", "receipts-10000", "purchases-80000")
SAMPLE = {
    one.algorithm: name
    for name in reversed(SAMPLES)
    for one in NARRATIONS
    if not one.algorithm().unsuitable(kc.read_table(f"sample:{name}"), 3)
}
"""By algorithm the first of these samples that it takes."""
TOLD = tuple(one.algorithm for one in NARRATIONS if one.algorithm in SAMPLE)


def test_only_what_needs_a_hierarchy_of_items_has_no_sample():
    assert {one.algorithm for one in NARRATIONS} - set(TOLD) == {kc.LocalPartition, kc.Apriori}


@pytest.mark.parametrize("cls", TOLD, ids=[cls.__name__ for cls in TOLD])
def test_every_player_is_walked(page, app_address, cls):
    """By turns with the mouse on a desktop, and with the keyboard alone on a phone; every step has another
    number, a sentence and a picture that says the same."""
    by_keys = TOLD.index(cls) % 2 == 1
    page.set_viewport_size({"width": 390, "height": 844} if by_keys else {"width": 1440, "height": 900})
    opened(page, app_address, f"view=steps&table={SAMPLE[cls]}&algorithm={cls.__name__}&k=3&step=1")
    count = int(re.search(r"of (\d+)$", page.locator(".player .number").inner_text()).group(1))

    def go(key: str, button: str, step: int) -> None:
        if by_keys:
            page.locator(".player").focus()
            page.keyboard.press(key)
        else:
            page.get_by_role("button", name=button).click()
        at(page, step, count)

    at(page, 1, count)
    for step in range(2, min(count, 6) + 1):
        go("ArrowRight", "Next (→)", step)
    go("End", "Last step (End)", count)
    go("ArrowLeft", "Back (←)", count - 1)
    go("Home", "First step (Home)", 1)
    expect(page.locator("li[aria-current=step]")).to_have_count(1)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]

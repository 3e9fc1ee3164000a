"""The Data page in a real browser: any file, names, undo and files of roles, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from tests.browser.steps import settled, upload
from tests.table.test_rolesets import ADULT

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

NAMELESS = "".join(f"{20 + i % 9},{'MF'[i % 2]},{'abcd'[i % 4]}\n" for i in range(48)).encode()
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture
def data(page, app_address):
    """The Data page with a table that has no names of columns, in a file with an ending that says nothing."""

    def sent(_) -> None:
        page.last_sent = time.monotonic()

    page.on("websocket", lambda socket: socket.on("framesent", sent))
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, NAMELESS, "nameless.data", "nameless.data, 48 records")
    return page


def said(page):
    return page.locator(".st-key-columns-changed")


def to_grid(page) -> None:
    """From the control before it, by keys alone, into the first cell of the table of columns."""
    page.get_by_role("combobox", name="Which column names the person?").focus()
    page.keyboard.press("Escape")
    for _ in range(4):
        page.keyboard.press("Tab")
    # The grid gives the focus on to its cell, sooner or later.
    assert page.evaluate("document.activeElement.closest('[data-testid=data-grid-canvas]') !== null")


def typed(page, text: str) -> None:
    """Open the chosen cell, write into it, and close it."""
    page.keyboard.press("Enter")
    opened = page.locator("#portal textarea, #portal input").first
    expect(opened).to_be_focused()
    opened.fill(text)
    expect(opened).to_have_value(text)
    page.keyboard.press("Enter")
    expect(opened).to_have_count(0)


def heard(page) -> None:
    """Wait until the table of columns has spoken twice: what was typed, and, when it has heard of its change,
    that nothing typed is left. Streamlit drops a click that reaches the server a moment before a message."""
    settled(page)
    while time.monotonic() - page.last_sent < 1:
        page.wait_for_timeout(100)
    settled(page)


def tool(page, name: str) -> None:
    """Open or close one of the popovers above the table, by its key."""
    page.get_by_role("button", name=re.compile(name)).first.press("Enter")


def test_a_column_is_renamed_by_keys_and_the_name_is_taken_back(data):
    to_grid(data)
    typed(data, "age")
    expect(said(data)).to_contain_text("column_1 renamed to age")
    settled(data)
    assert data.evaluate("document.activeElement.closest('[data-testid=stDataFrame]') !== null")
    data.keyboard.press("ArrowDown")
    typed(data, "town")
    expect(said(data)).to_contain_text("column_3 renamed to town")
    heard(data)
    undo = said(data).get_by_role("button")
    expect(undo).to_contain_text("Undo (1 more)")
    undo.press("Enter")
    expect(said(data)).to_contain_text("column_1 renamed to age")
    said(data).get_by_role("button").press("Enter")
    expect(said(data)).to_have_count(0)
    settled(data)


def test_a_name_that_is_there_already_is_refused(data):
    to_grid(data)
    typed(data, "column_2")
    expect(data.get_by_role("alert")).to_contain_text("Two columns would have the name “column_2”")
    settled(data)
    to_grid(data)
    typed(data, "age")
    expect(said(data)).to_contain_text("column_1 renamed to age")
    expect(data.get_by_role("alert")).to_have_count(0)


def test_what_is_typed_after_a_change_elsewhere_does_not_bring_back_what_was_typed_before(data):
    to_grid(data)
    data.keyboard.press("ArrowRight")
    typed(data, "sensitive")
    expect(said(data)).to_contain_text("role of column_1: quasi-identifier → sensitive")
    heard(data)
    said(data).get_by_role("button").press("Enter")
    expect(said(data)).to_have_count(0)
    settled(data)
    to_grid(data)
    data.keyboard.press("ArrowDown")
    typed(data, "sex")
    expect(said(data)).to_contain_text("Changed: column_2 renamed to sex.")
    expect(said(data).get_by_role("button")).to_have_text(re.compile("Undo$"))


def test_the_selection_of_several_columns_is_gone_after_apply(data):
    data.get_by_text("Change several columns at once").click()
    columns, role = (data.get_by_role("combobox", name=name) for name in ("Columns", "Role"))
    expect(columns).to_be_visible()
    settled(data)
    columns.click()
    columns.press_sequentially("column_1", delay=30)
    columns.press("Enter")
    expect(data.get_by_test_id("stMultiSelect").get_by_text("column_1")).to_be_visible()
    columns.press("Escape")
    settled(data)
    role.click()
    role.press_sequentially("other", delay=30)
    role.press("Enter")
    expect(role).to_have_value("other")
    apply = data.get_by_role("button", name="Apply")
    expect(apply).to_be_enabled()
    apply.press("Enter")
    expect(said(data)).to_contain_text("role of column_1: quasi-identifier → other")
    expect(data.get_by_test_id("stMultiSelect").get_by_text("column_1")).to_have_count(0)
    expect(role).to_have_value("no change")
    expect(apply).to_be_disabled()


def test_roles_go_into_a_file_and_come_back_for_another_table(data, app_address, browser):
    to_grid(data)
    data.keyboard.press("ArrowRight")
    typed(data, "sensitive")
    expect(said(data)).to_contain_text("role of column_1")
    settled(data)
    tool(data, "Save or open roles")
    with data.expect_download() as download:
        data.get_by_role("button", name="Save the roles").click()
    content = Path(download.value.path()).read_bytes()
    assert next(one["role"] for one in json.loads(content)["schema"]) == "sensitive"
    other = browser.new_context().new_page()
    other.goto(f"{app_address}/data")
    settled(other)
    upload(other, NAMELESS + b"31,M,c\n", "other", "other, 49 records")
    tool(other, "Save or open roles")
    opener = other.get_by_test_id("stFileUploader").filter(has_text="Open a file with roles")
    opener.locator('input[type="file"]').set_input_files(
        {"name": "roles.json", "mimeType": "application/json", "buffer": content}
    )
    expect(said(other)).to_contain_text("role of column_1: quasi-identifier → sensitive")
    other.context.close()


def test_adult_gets_its_names_and_roles_in_two_clicks(page, app_address):
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, (ADULT * 5).encode(), "adult.data", "adult.data, 30 records")
    tool(page, "Roles from papers")
    page.get_by_role("button", name=re.compile("^Adult with eight")).press("Enter")
    expect(said(page)).to_contain_text("15 columns renamed: age, workclass")
    settled(page)
    expect(page.get_by_text("Published unchanged: salary-class (sensitive).")).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen_has_the_way_on_and_on_a_desktop_source_rows_and_columns(data, size, scheme):
    data.emulate_media(color_scheme=scheme)
    data.set_viewport_size(size)
    settled(data)
    on = data.get_by_role("button", name="Tune k").bounding_box()
    assert on["y"] > 0 and on["y"] + on["height"] <= size["height"]
    grids = data.get_by_test_id("stDataFrame")
    if size is DESKTOP:
        rows, columns = grids.nth(0).bounding_box(), grids.nth(1).bounding_box()
        assert rows["y"] + rows["height"] <= size["height"] and columns["y"] + 2 * 35 <= size["height"]
        assert data.get_by_text("Or one of our samples").bounding_box()["y"] < size["height"]
    assert data.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_keys_reach_the_way_on_at_once_and_leave_every_table_again(data):
    data.evaluate("document.activeElement.blur()")
    data.keyboard.press("Tab")
    expect(data.get_by_text("Skip to main content")).to_be_focused()
    data.keyboard.press("Enter")
    on = data.get_by_role("button", name="Tune k")
    presses = 0
    while not on.evaluate("e => e === document.activeElement"):
        data.keyboard.press("Tab")
        presses += 1
        assert presses <= 6
    seen = set()
    for _ in range(80):
        data.keyboard.press("Tab")
        seen.add(data.evaluate("document.activeElement.innerText || document.activeElement.tagName"))
    assert any("Change several columns at once" in one for one in seen)
    assert any("Distances between records" in one for one in seen)


def test_the_words_open_and_close_by_keys(data):
    tool(data, "Meaning of roles and kinds")
    meaning = data.get_by_text("identifies a person directly, such as an address, or is to be left out")
    expect(meaning).to_be_visible()
    data.keyboard.press("Escape")
    expect(meaning).to_be_hidden()


def test_how_the_file_is_read_stays_open_while_it_is_read_anew(page, app_address):
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, b"Survey\nname,age\n" + b"Ann,34\nBob,27\n" * 9, "survey.csv", "survey.csv, 18 records")
    page.get_by_text("Reading options").click()
    lines = page.get_by_role("spinbutton", name="Skip lines", exact=True)
    expect(lines).to_have_value("1")
    more = page.get_by_test_id("stNumberInput").filter(has=lines).get_by_test_id("stNumberInputStepUp")
    for skipped in ("2", "3"):
        more.click()
        expect(lines).to_have_value(skipped)
        settled(page)
    expect(page.locator(".statusbar").first).to_contain_text("17 records")

"""Tables with original cells in a real browser: no download, and no copy of a column."""

from __future__ import annotations

import sys

import pytest

from tests.browser.steps import loaded, settled

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

CONTROL = "Meta" if sys.platform == "darwin" else "Control"
MARK = "what was there before"


@pytest.fixture
def clipboard(page, app_address):
    """The text on the clipboard, which held a mark before the test."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app_address)

    def read() -> str:
        page.wait_for_timeout(300)
        return page.evaluate("navigator.clipboard.readText()")

    return read


def test_the_first_rows_of_a_table_offer_no_download_and_a_column_is_not_copied(page, app_address, clipboard):
    page.goto(f"{app_address}/data?table=people-100")
    settled(page)
    loaded(page)
    page.evaluate(f"navigator.clipboard.writeText({MARK!r})")
    grid = page.get_by_test_id("stDataFrame").first
    box = grid.bounding_box()
    grid.hover()
    toolbar = grid.get_by_test_id("stElementToolbar")
    expect(toolbar.get_by_role("button", name="Search")).to_be_attached()
    expect(toolbar.get_by_role("button", name="Download as CSV")).to_have_count(0)
    page.mouse.click(box["x"] + 120, box["y"] + 52)
    page.keyboard.press(f"{CONTROL}+A")
    page.keyboard.press(f"{CONTROL}+C")
    assert clipboard() == MARK


def test_original_cells_beside_published_ones_are_not_copied(page, app_address, clipboard):
    page.goto(f"{app_address}/tune?table=people-100&algorithm=MDAV&k=5")
    settled(page)
    page.evaluate(f"navigator.clipboard.writeText({MARK!r})")
    body = page.locator(".beforeafter.pairs tbody").first
    cell = body.locator("tr").first.locator("td").nth(1)
    before, after = (cell.locator(one).inner_text() for one in (".was", ".now"))
    body.evaluate("one => getSelection().selectAllChildren(one)")
    page.keyboard.press(f"{CONTROL}+C")
    copied = clipboard()
    assert after in copied and MARK not in copied
    assert before not in copied

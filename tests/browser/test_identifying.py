"""The fold “Identifying columns” of the Data page in a browser: by keys and by mouse, on any screen."""

from __future__ import annotations

import re

import pytest

from tests.browser.steps import settled, upload

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

PEOPLE = (
    "age,sex,town,illness\n"
    + "".join(
        f"{20 + i % 9},{'MF'[i % 2]},{'abcd'[i % 4]},{('flu', 'gout', 'ok')[i % 3]}\n" for i in range(40)
    )
).encode()


@pytest.fixture
def data(page, app_address):
    """The Data page with forty people, the fold opened by its key."""
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, PEOPLE, "people.csv", "people.csv, 40 records")
    fold = page.locator("summary", has_text="Identifying columns")
    fold.focus()
    page.keyboard.press("Enter")
    settled(page)
    expect(ranked(page).first).to_be_visible()
    return page


def ranked(page):
    """The rows of the ranking."""
    return page.locator("table", has_text="separation").locator("tbody tr")


def test_pairs_are_ranked_and_what_has_the_role_already_says_so(data):
    first, second = (ranked(data).nth(place).inner_text().split("\t") for place in (0, 1))
    assert int(first[1].replace(",", "")) >= int(second[1].replace(",", "")) > 1
    role = data.get_by_role("button", name=re.compile("^Make (it a|them) quasi-identifier"))
    expect(role).to_be_disabled()
    expect(data.get_by_text("The role is already quasi-identifier.")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390], ids=["desktop", "phone"])
def test_who_is_singled_out_is_told_on_any_screen(data, width):
    data.set_viewport_size({"width": width, "height": 844})
    data.get_by_text("Unique combinations", exact=True).first.click()
    settled(data)
    expect(data.get_by_text("Number of columns that an attacker knows")).to_be_visible()
    assert data.evaluate("document.documentElement.scrollWidth") <= width

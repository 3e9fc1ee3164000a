"""Signing in and out in a real browser, at a real provider on this machine."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PATIENCE, POLICY
from tests.browser.steps import settled, upload
from tests.team import ANN, BOB, EVE, team

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

TABLE = "age,sex,ward\n" + "".join(f"{20 + i % 9},{'MF'[i % 2]},{'abcd'[i % 4]}\n" for i in range(48))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with team(tmp_path_factory.mktemp("team")) as (address, _):
        yield address


@pytest.fixture
def seen(browser):
    """A page of a browser of its own; nothing that is forbidden may be on its console. The provider's pages
    name a style sheet of another host, which is not asked for."""
    context = browser.new_context()
    context.route(
        lambda url: "://127.0.0.1:" not in url and "://localhost:" not in url, lambda way: way.abort()
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    forbidden = []
    page.on("console", lambda said: forbidden.append(said.text) if POLICY in said.text else None)
    yield page
    context.close()
    assert not forbidden, forbidden[:3]


def sign_in(page, name: str) -> None:
    page.get_by_role("link", name="Sign in").click()
    sign_in_as(page, name)


def sign_in_as(page, name: str) -> None:
    page.get_by_placeholder("sub").fill(name)
    page.get_by_role("button", name="Authorize").click()


def sign_out(page) -> None:
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()  # which the provider asks
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_who_signs_in_sees_the_app_and_the_next_one_in_this_browser_nothing_of_it(seen, served):
    seen.goto(f"{served}/data")
    expect(seen.locator("body")).to_contain_text("This server is for a team")
    sign_in(seen, ANN)
    seen.wait_for_url(f"{served}/**")
    settled(seen)
    seen.goto(f"{served}/data")
    settled(seen)
    upload(seen, TABLE.encode(), "mine.csv", "mine.csv, 48 records")
    seen.reload()
    settled(seen)
    expect(seen.locator("body")).to_contain_text("mine.csv")
    sign_out(seen)
    sign_in(seen, BOB)
    settled(seen)
    seen.goto(f"{served}/data")
    settled(seen)
    expect(seen.locator("body")).not_to_contain_text("mine.csv")


def test_who_signs_out_is_out_in_every_tab(seen, served):
    seen.goto(served)
    sign_in(seen, ANN)
    settled(seen)
    other = seen.context.new_page()
    other.goto(served)
    settled(other)
    sign_out(seen)
    expect(other.get_by_role("link", name="Sign in")).to_be_visible(timeout=15_000)
    sign_in(seen, ANN)
    settled(seen)
    other.goto(served)
    settled(other)
    before = other.evaluate("() => performance.timeOrigin")
    seen.goto(f"{served}/kanon/sign-in")
    sign_in_as(seen, BOB)
    settled(seen)
    other.wait_for_function("(before) => performance.timeOrigin > before", arg=before)
    settled(other)
    other.get_by_role("button", name="Sign out").hover()
    expect(other.get_by_text("You are signed in as bob")).to_be_visible(timeout=15_000)


def test_who_may_not_enter_is_told_so(seen, served):
    seen.goto(served)
    sign_in(seen, EVE)
    expect(seen.locator("body")).to_contain_text(f"You are signed in as {EVE}. This account has no access")
    sign_in(seen, ANN)
    settled(seen)
    expect(seen.get_by_role("button", name="Sign out")).to_be_visible()

"""A server that ends while somebody looks, and is started again: the page says so, and what is gone."""

from __future__ import annotations

import pytest

from tests.browser.conftest import start
from tests.browser.steps import settled, upload
from tests.servers import free_port

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

TABLE = "age,sex,ward\n" + "".join(f"{20 + i % 9},{'MF'[i % 2]},{'abcd'[i % 4]}\n" for i in range(48))


class Server:
    """One that a test may end, and start again at the same address."""

    def __init__(self):
        self._port = free_port()
        self.start()

    def start(self):
        self._process, self.address = start(self._port)

    def end(self):
        self._process.kill()
        self._process.wait(10)


@pytest.fixture
def server():
    one = Server()
    yield one
    one.end()


@pytest.fixture
def page(browser):
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def lost(page):
    """The message of a page that has no connection."""
    return page.get_by_role("alert").filter(has_text="The connection to the server is lost")


def test_a_room_sees_that_the_server_is_gone(server, page, lost):
    page.goto(f"{server.address}/learn?view=lessons&lesson=names&screen=1&present=1")
    settled(page)
    server.end()
    expect(lost).to_be_visible(timeout=10_000)


def test_no_page_shows_an_old_result_when_the_server_was_started_again(server, page, lost):
    page.goto(f"{server.address}/data")
    settled(page)
    upload(page, TABLE.encode(), "mine.csv", "mine.csv, 48 records")
    expect(lost).to_be_hidden()
    server.end()
    expect(lost).to_be_visible(timeout=10_000)
    server.start()
    expect(page.locator("body")).to_contain_text("no longer in the server's memory", timeout=30_000)
    settled(page)
    expect(page.locator("body")).not_to_contain_text("mine.csv")
    expect(lost).to_be_hidden()

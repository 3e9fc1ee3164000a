"""A server that ends while somebody looks, and is started again: the page says so, and what is gone."""

from __future__ import annotations

import socket

import pytest

from tests.browser.conftest import start
from tests.browser.steps import settled, upload

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

TABLE = "age,sex,ward\n" + "".join(f"{20 + i % 9},{'MF'[i % 2]},{'abcd'[i % 4]}\n" for i in range(48))


@pytest.fixture
def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_a_room_sees_that_the_server_is_gone(browser, port):
    context = browser.new_context()
    page = context.new_page()
    server, address = start(port)
    try:
        page.goto(f"{address}/learn?view=lessons&lesson=names&screen=1&present=1")
        settled(page)
        server.kill()
        server.wait(10)
        lost = page.get_by_role("alert").filter(has_text="The connection to the server is lost")
        expect(lost).to_be_visible(timeout=10_000)
    finally:
        server.kill()
        server.wait(10)
        context.close()


def test_no_page_shows_an_old_result_when_the_server_was_started_again(browser, port):
    context = browser.new_context()
    page = context.new_page()
    server, address = start(port)
    try:
        page.goto(f"{address}/data")
        settled(page)
        upload(page, TABLE.encode(), "mine.csv", "mine.csv, 48 records")
        lost = page.get_by_role("alert").filter(has_text="The connection to the server is lost")
        expect(lost).to_be_hidden()
        server.kill()
        server.wait(10)
        expect(lost).to_be_visible(timeout=10_000)
        server, _ = start(port)
        expect(page.locator("body")).to_contain_text("no longer in the memory of the server", timeout=30_000)
        settled(page)
        expect(page.locator("body")).not_to_contain_text("mine.csv")
        expect(lost).to_be_hidden()
    finally:
        server.kill()
        server.wait(10)
        context.close()

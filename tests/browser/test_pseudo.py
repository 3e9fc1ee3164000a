"""Every page in a browser, in a language whose words are 40 % longer (`tests.pseudo`): nothing runs over."""

from __future__ import annotations

import pytest

from tests.browser.conftest import started_app
from tests.browser.steps import settled
from tests.browser.test_app import PAGES

START = """
import sys
from kanon_core.base import words
from tests.pseudo import Pseudo
spoken = Pseudo()
words._catalog = lambda language: spoken
from streamlit.web.cli import main
sys.argv = ["streamlit", *sys.argv[1:]]
main()
"""
"""The app in that language."""
OVER = """
() => [...document.querySelectorAll('[data-testid=stMain] *')]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility())
  .filter(one => { for (let at = one.parentElement; at; at = at.parentElement)
    if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX)
        && at.dataset.testid !== 'stMain') return false; return true })
  .map(one => one.outerHTML.slice(0, 200))
"""
"""A script that lists elements beyond the right edge, except in parts that scroll or clip what they hold."""


@pytest.fixture(scope="module")
def address():
    with started_app("-c", START) as found:
        yield found


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desktop", "phone"])
def test_every_page_fits_the_screen_with_longer_words(page_of, address, size):
    page = page_of(size)
    for name in PAGES:
        page.goto(f"{address}/{name}")
        settled(page)
        assert "⟦" in page.locator("h1").first.inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        assert page.evaluate(OVER) == [], name


@pytest.fixture
def page_of(browser):
    opened = []

    def make(size: tuple[int, int]):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        return page

    yield make
    for context in opened:
        context.close()

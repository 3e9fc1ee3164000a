"""Steps that several browser tests take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kanon_core.teaching.lessons import LESSONS

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

UPLOADER = ".st-key-upload"
"""The uploader of the table on the Data page."""


RUNNING = "[data-testid=stApp][data-test-script-state=running]"
"""The app while its script runs."""
END = f".statusbar, .st-key-lesson-ways, .st-key-lesson-end, .st-key-take-{LESSONS[-1].name}"
"""The end of a page: the status bar – in lessons, which have tables of their own, the buttons of a screen or
the last lesson of the list."""
HELD = "html[data-leaving=held]"
"""A page on which a click waits for what was typed just before."""


def settled(page) -> None:
    """Wait until the script has stopped running and the end of its page is there; nothing may look like a
    failure."""
    expect(page.locator(END).first).to_be_visible(timeout=90_000)
    expect(page.locator(RUNNING)).to_have_count(0, timeout=90_000)
    expect(page.locator(HELD)).to_be_attached()
    assert page.locator('[data-testid="stException"]').count() == 0
    assert "Traceback" not in page.inner_text("body")


def loaded(page) -> None:
    """Wait for the parts of the page that come in files of their own: gray boxes stand in their places."""
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def close_lens(page) -> None:
    """Wait for the person lens, which opens on a record that was clicked in a picture, and close it."""
    lens = page.get_by_role("dialog")
    expect(lens.get_by_role("button", name="Next person")).to_be_visible(timeout=60_000)
    settled(page)
    # What was clicked in the lens may have been drawn anew: the lens then takes the focus back.
    page.wait_for_function("() => document.activeElement.closest('[role=dialog]')")
    page.keyboard.press("Escape")
    expect(lens).to_have_count(0)


def violations(page) -> list[tuple[str, str]]:
    """Return each rule of axe-core that the page breaks seriously or moderately, with the element, once
    nothing is dimmed: what a run has not drawn again yet has too little contrast."""
    axe = pytest.importorskip(
        "axe_playwright_python", reason="the check for accessibility needs axe-playwright-python"
    )
    loaded(page)
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    expect(page.locator(f"{RUNNING}, [data-stale=true]")).to_have_count(0, timeout=90_000)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    matters = [one for one in found if one["impact"] in ("moderate", "serious", "critical")]
    return [(one["id"], one["nodes"][0]["html"][:160]) for one in matters]


def filled(page) -> None:
    """Wait until the curves on the page have all their points: their bar is gone."""
    points = ".js-plotly-plot .scatterlayer .points path, .st-key-curve-tile [data-facts]"
    expect(page.locator(points).first).to_be_visible()
    expect(page.locator(".st-key-curve-progress")).to_have_count(0, timeout=120_000)
    settled(page)


def visit(page, title: str, view: str = "") -> None:
    """Go to another page through the menu, and to a view of it: the session stays."""
    page.get_by_test_id("stTopNavLink").filter(has_text=title).click()
    expect(page.locator("h1").first).to_have_text(title)
    settled(page)
    if view:
        page.locator(".st-key-views").get_by_role("radio", name=view, exact=True).click()
        settled(page)


def choose(page, title: str) -> None:
    """Choose an algorithm from the menu."""
    page.get_by_role("button", name=re.compile("^Algorithm: ")).click()
    page.get_by_role("button", name=re.compile(f"^(check )?{re.escape(title)} –")).click()
    expect(page.locator(".statusbar").first).to_contain_text(title)


def give(page, content: bytes, name: str, seen) -> None:
    """Put a file into the uploader of the table; the locator ``seen`` then becomes visible.

    The uploader is named: the parts of a page appear one after the other, and the first uploader that is
    there may be that of a hierarchy.
    """
    page.locator(f"{UPLOADER} input").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    expect(seen).to_be_visible()
    settled(page)


def upload(page, content: bytes, name: str, shows: str) -> None:
    """Upload a table to the Data page; the status bar then shows ``shows``, its words apart by any blanks."""
    words = re.compile(r"\b" + r"\s+".join(map(re.escape, shows.split())))
    give(page, content, name, page.locator(".statusbar", has_text=words).first)

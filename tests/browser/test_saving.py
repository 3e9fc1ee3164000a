"""A session is saved, forgotten by the server, and opened again in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_core.session import SessionFile
from tests.browser.steps import choose, settled, upload, visit

pytestmark = pytest.mark.deep

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

PASSPHRASE = "correct horse battery"
OWN = b"age,town\n" + b"".join(b"%d,town %d\n" % (20 + i * 7 % 41, i % 5) for i in range(80))


def download(page, label: str) -> bytes:
    with page.expect_download() as found:
        page.get_by_role("button", name=label).click()
    return Path(found.value.path()).read_bytes()


def test_a_session_is_saved_forgotten_and_opened_again_with_the_same_bytes(page, app_address):
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, OWN, "own.csv", "80 records")
    visit(page, "Tune")
    choose(page, "Mondrian")
    visit(page, "Release")
    released = download(page, "Download csv")
    page.get_by_text("Include the data", exact=True).click()
    page.get_by_label("Passphrase for the seed").fill(PASSPHRASE)
    page.keyboard.press("Enter")
    expect(page.get_by_text("It also encrypts the data.")).to_be_visible()
    settled(page)
    session = download(page, "Save the session")
    assert b"town 1" not in session and b"own.csv" in session

    visit(page, "Data")
    page.get_by_text("Data kept by this server").click()
    page.get_by_role("button", name="Delete my table from this server").click()
    expect(page.locator(".statusbar", has_text="Mondrian")).to_have_count(0)
    settled(page)
    page.reload()
    settled(page)
    expect(page.locator("body")).not_to_contain_text("own.csv")
    expect(page.locator(".statusbar").first).not_to_contain_text("Mondrian")

    page.get_by_text("Open a session or recipe").click()
    page.locator(".st-key-session-upload input").set_input_files(
        {"name": "own.kanon.json", "mimeType": "application/json", "buffer": session}
    )
    phrase = page.get_by_label("Passphrase for the seed, the curves")
    phrase.fill("another passphrase")
    page.get_by_role("button", name="Decrypt").click()
    expect(page.get_by_text("The passphrase is wrong, or the session file was changed")).to_be_visible()
    phrase.fill(PASSPHRASE)
    page.get_by_role("button", name="Decrypt").click()
    page.get_by_role("button", name="Open this session").click()
    expect(page.get_by_text("Opened: Mondrian")).to_be_visible()
    visit(page, "Release")
    assert download(page, "Download csv") == released
    assert "seed" not in page.url


def test_a_passphrase_typed_just_before_the_click_is_that_of_the_file(page, app_address):
    page.goto(f"{app_address}/release")
    settled(page)
    page.get_by_text("Include the data", exact=True).click()
    expect(page.get_by_text("The data are not encrypted")).to_be_visible()
    settled(page)
    page.get_by_label("Passphrase for the seed").fill(PASSPHRASE)
    session = SessionFile.from_bytes(download(page, "Save the session"))
    assert session.sealed is not None and not session.data

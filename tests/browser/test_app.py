"""The app in a real browser: what a person sees, does and must not be able to do."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import started_app
from tests.browser.steps import filled, give, settled, upload, visit

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")
expect = playwright.expect

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "": "Tune",
    "tune": "Tune",
    "explore": "Tune",
    "release": "Release",
    "data": "Data",
    "risk": "Risk",
    "clusters": "Clusters",
    "map": "Map",
    "attack": "Risk",
    "concealment": "Clusters",
    "sets": "Clusters",
    "histories": "Clusters",
    "tradeoff": "Curves",
    "measure": "Curves",
    "export": "Release",
    "learn": "Learn",
}
PICTURE = "![x](http://127.0.0.1:9911/col.png)"
ADDRESSES = (
    "www.evil.example a@evil.example http://127.0.0.1:9911/ -> :smile: 1.5 **b** _i_ `c` $x$ #h ~s~ \\."
)
FORBIDDEN = 'img[src="x"], img[src*="9911"], img[src*="evil"], a[href*="evil"], a[href*="9911"]'
NASTY = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


def open_at(page, address: str, name: str = "") -> None:
    page.goto(f"{address}/{name}")
    expect(page.locator("h1").first).to_have_text(PAGES[name])
    settled(page)


def status(page) -> str:
    return re.sub(r"\s+", " ", page.locator(".statusbar").first.inner_text())


@pytest.mark.deep
def test_what_is_put_into_the_first_page_of_a_new_server_stays(browser):
    """Streamlit runs a page that is asked for by its address without app.py, as long as no page was opened
    before."""
    with started_app() as address:
        page = browser.new_page()
        open_at(page, address, "export")
        page.get_by_text("Shuffle the records").click()
        settled(page)
        expect(page.get_by_text("The records keep the order of the input")).to_be_visible()
        expect(page.get_by_role("switch", name="Shuffle the records")).not_to_be_checked()
        page.close()


def shown(place) -> str:
    """The text a person sees: without characters that have no shape."""
    return place.inner_text().replace("\u2060", "")


def set_k(page, k: int) -> None:
    field = page.get_by_role("spinbutton", name="Any k")
    field.fill(str(k))
    field.press("Enter")
    expect(page.locator(".statusbar").first).to_contain_text(f"{k} requested", timeout=60_000)
    settled(page)


def small_csv() -> bytes:
    rng = np.random.default_rng(1)
    n = 60
    frame = pd.DataFrame(
        {
            "name": [f"N{i:03}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "city": rng.choice(["A", "B", "C"], n),
            "disease": rng.choice(["flu", "none"], n),
        }
    )
    return frame.to_csv(index=False).encode()


@pytest.mark.parametrize(
    "size",
    [pytest.param((1440, 900), id="desktop"), pytest.param((390, 844), id="phone", marks=pytest.mark.deep)],
)
def test_every_page_opens_by_its_address_and_fits_the_screen(page, app_address, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in PAGES:
        open_at(page, app_address, name)
        assert name == "learn" or "100 records" in status(page), "lessons have tables of their own"
        expect(page.get_by_role("dialog")).to_have_count(0)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.deep
def test_moving_k_changes_the_result_and_undo_brings_it_back(page, app_address):
    open_at(page, app_address)
    first = status(page)
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator(".statusbar").first).to_contain_text("6 requested, 6 achieved")
    settled(page)
    assert "more than MDAV at k = 5" in page.inner_text("body")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".statusbar").first).to_contain_text("5 requested, 5 achieved")
    assert status(page) == first


@pytest.mark.deep
def test_large_elements_are_sent_again_and_never_referred_to(page, app_address):
    """The browser drops what it keeps when a run ends, also when the answer to a later change refers to it:
    the connection then ends."""
    sizes: list[int] = []
    referred: list[str] = []

    def received(frame: bytes) -> None:
        message = ForwardMsg.FromString(frame)
        sizes.append(len(frame))
        referred.extend([message.ref_hash] if message.HasField("ref_hash") else [])

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    open_at(page, app_address)
    for k in (6, 5, 6, 5):
        set_k(page, k)
        settled(page)
    assert max(sizes) > 10_000
    assert not referred


TOGETHER = """
    const waiting = [], send = WebSocket.prototype.send
    WebSocket.prototype.send = function (message) { waiting.push([this, message]) }
    const flush = ([socket, message]) => socket.readyState === WebSocket.OPEN && send.call(socket, message)
    setInterval(() => waiting.splice(0).forEach(flush), 400)
"""
"""A line on which all that a page sends within a while reaches the server at once."""


@pytest.mark.deep
def test_what_is_opened_just_before_another_page_stays_open(page, app_address):
    page.add_init_script(TOGETHER)
    open_at(page, app_address, "measure")
    view = page.locator(".st-key-views").get_by_role("radio", name="By record")
    view.click()
    page.get_by_test_id("stTopNavLink").filter(has_text="Tune").click()
    expect(page.locator("h1").first).to_have_text("Tune")
    settled(page)
    visit(page, "Curves")
    expect(view).to_be_checked()


@pytest.mark.deep
def test_what_is_unfolded_stays_so_when_k_changes_and_on_other_pages(page, app_address):
    open_at(page, app_address)
    page.get_by_text("Loss by column").click()
    settled(page)
    set_k(page, 6)
    unfolded = page.locator("details[open] summary")
    expect(unfolded).to_contain_text("Loss by column")
    visit(page, "Curves", "By record")
    visit(page, "Tune")
    expect(unfolded).to_contain_text("Loss by column")
    visit(page, "Curves")
    expect(page.locator(".st-key-views").get_by_role("radio", name="By record")).to_be_checked()


@pytest.mark.deep
def test_a_link_opens_the_view_that_it_names_and_back_leads_to_the_page_before(page, app_address):
    page.goto(f"{app_address}/?table=nine&algorithm=TopDown&k=2")
    settled(page)
    switch = page.locator(".st-key-views").get_by_role("radio")
    page.locator(".st-key-picture-tile").get_by_test_id("stPageLink").click()
    expect(page.locator("h1").first).to_have_text("Clusters")
    expect(switch.filter(has_text="Item sets")).to_be_checked()
    settled(page)
    assert "view=sets" in page.url and "table=nine" in page.url
    switch.filter(has_text="Groups").click()
    expect(page.locator(".head p")).to_contain_text("each mark is a record")
    settled(page)
    assert "view=" not in page.url
    page.go_back()
    expect(page.locator("h1").first).to_have_text("Tune")
    settled(page)
    assert "algorithm=TopDown" in page.url


@pytest.mark.deep
def test_back_leads_to_the_page_before_whatever_was_chosen_since(page, app_address):
    open_at(page, app_address)
    set_k(page, 6)
    set_k(page, 7)
    visit(page, "Release")
    assert "/release?" in page.url and "k=7" in page.url
    page.go_back()
    expect(page.locator("h1").first).to_have_text("Tune")
    settled(page)
    assert "k=7" in page.url and "7 requested" in status(page)
    page.go_forward()
    expect(page.locator("h1").first).to_have_text("Release")


@pytest.mark.deep
def test_the_setting_is_kept_from_page_to_page(page, app_address):
    open_at(page, app_address)
    set_k(page, 7)
    for title in ("Clusters", "Map", "Curves", "Release", "Tune"):
        visit(page, title)
        assert "7 requested, 7 achieved" in status(page)


@pytest.mark.deep
@pytest.mark.parametrize("enter", [True, False], ids=["Enter, then a click", "a click"])
def test_what_is_typed_just_before_a_click_on_another_page_is_kept(page, app_address, enter):
    open_at(page, app_address)
    for k, title in ((7, "Release"), (9, "Data")):
        field = page.get_by_role("spinbutton", name="Any k")
        field.fill(str(k))
        if enter:
            field.press("Enter")
        visit(page, title)
        expect(page.locator(".statusbar").first).to_contain_text(f"{k} requested, {k} achieved")
        visit(page, "Tune")
        expect(page.locator(".statusbar").first).to_contain_text(f"{k} requested, {k} achieved")


@pytest.mark.deep
def test_k_beyond_the_table_says_so_and_nothing_is_lost(page, app_address):
    open_at(page, app_address)
    field = page.get_by_role("spinbutton", name="Any k")
    field.fill("101")
    field.press("Enter")
    expect(page.get_by_text("only 100 records, fewer than k")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".statusbar").first).to_contain_text("5 requested, 5 achieved")


@pytest.mark.deep
def test_algorithms_that_do_not_suit_are_disabled_with_the_reason(page, app_address):
    open_at(page, app_address)
    page.get_by_role("button", name=re.compile("^Algorithm: ")).click()
    entry = page.get_by_role("button", name=re.compile("^MIL –"))
    expect(entry).to_be_disabled()
    expect(entry).to_contain_text("quasi-identifier")


def test_a_file_is_read_described_and_anonymized(page, app_address):
    open_at(page, app_address, "data")
    upload(page, small_csv(), "people.csv", "people.csv, 60 records")
    visit(page, "Tune")
    set_k(page, 4)
    visit(page, "Release")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download csv").click()
    released = pd.read_csv(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert list(released) == ["age", "city", "disease"]
    assert released.groupby(["age", "city"]).size().min() >= 4
    assert "N0" not in released.to_csv()


@pytest.mark.deep
def test_the_download_is_what_the_command_line_writes(page, app_address, tmp_path):
    (tmp_path / "people.csv").write_bytes(small_csv())
    open_at(page, app_address, "data")
    upload(page, small_csv(), "people.csv", "people.csv, 60 records")
    visit(page, "Release")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download csv").click()
    page.get_by_role("tab", name="Command line").click()
    shown = page.get_by_role("tabpanel", name="Command line").get_by_role("code")
    expect(shown).to_contain_text("--seed=hidden")
    page.get_by_text("Show the seed").click()
    expect(shown).not_to_contain_text("hidden")
    expect(shown).to_be_visible()
    shell = shown.inner_text()
    command = shell.replace("python -m", f"{sys.executable} -m", 1)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, check=True, capture_output=True)
    written = [f for f in tmp_path.iterdir() if f.name != "people.csv"]
    assert len(written) == 1
    assert written[0].read_bytes() == Path(download.value.path()).read_bytes()


BAD = {
    "empty.csv": b"",
    "header.csv": b"a,b,c\n",
    "ragged.csv": b"a,b\n1,2\n3,4,5\n",
    "fake.xlsx": b"PK\x03\x04 this is no workbook",
    "broken.parquet": b"PAR1 nothing PAR1",
    "binary.csv": bytes(range(256)) * 40,
    "wide.csv": (
        (",".join(f"c{i}" for i in range(10_000)) + "\n" + ",".join("1" for _ in range(10_000))).encode()
    ),
}


@pytest.mark.deep
def test_a_bad_file_gets_a_sentence_and_the_table_stays(page, app_address):
    open_at(page, app_address, "data")
    refused = page.get_by_text("The loaded table has not changed.")
    for name, content in BAD.items():
        give(page, content, name, refused)
        assert "People in a city" in status(page)
        page.get_by_role("button", name=f"Remove {name}").click()
        expect(refused).to_have_count(0)


def nasty_frame() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    n = 40
    return pd.DataFrame(
        {
            NASTY: rng.choice([NASTY, "😀 **bold** $x$", "<b>b</b>"], n),
            PICTURE: rng.choice([PICTURE, "[go](http://127.0.0.1:9911/go)", ADDRESSES], n),
            ADDRESSES: rng.integers(0, 9, n),
            "latitude": 35 + rng.normal(0, 0.1, n),
            "longitude": 139 + rng.normal(0, 0.1, n),
            "😀": rng.integers(0, 9, n),
        }
    )


def nothing_acts(page) -> None:
    """No script of the data ran, and none of its pictures and links became one; foreign requests fail the
    fixture."""
    assert page.locator(FORBIDDEN).count() == 0
    for frame in page.frames:
        assert frame.evaluate("window.hacked") is None


@pytest.mark.deep
def test_html_markdown_and_emoji_in_data_are_text_everywhere(page, app_address):
    open_at(page, app_address, "data")
    upload(
        page,
        nasty_frame().to_csv(index=False).encode(),
        "![f](www.evil.example) <img src=x>.csv",
        "40 records",
    )
    page.get_by_role("button", name="Load this sample").click()
    expect(page.locator(".statusbar").first).to_contain_text("100 records")
    again = page.get_by_role("button", name=re.compile("Load .* again"))
    assert "![f](www.evil.example)" in shown(again)
    nothing_acts(page)
    again.click()
    expect(page.locator(".statusbar").first).to_contain_text("40 records")
    for title in ("Tune", "Clusters", "Map", "Curves", "Release"):
        visit(page, title)
        page.wait_for_timeout(400)
        nothing_acts(page)
    visit(page, "Tune")
    page.get_by_text("Loss by column").click()
    page.get_by_role("button", name=re.compile("^Algorithm: ")).click()
    page.wait_for_timeout(800)
    nothing_acts(page)


@pytest.mark.deep
def test_the_sheet_of_a_workbook_is_named_as_text(page, app_address):
    content = io.BytesIO()
    nasty_frame().to_excel(content, sheet_name="www.evil.example _b_", index=False)
    open_at(page, app_address, "data")
    upload(page, content.getvalue(), "book.xlsx", "40 records")
    page.get_by_text("Reading options").click()
    expect(page.get_by_text("sheet www.evil.example _b_")).to_be_visible()
    nothing_acts(page)


@pytest.mark.deep
def test_one_tabs_upload_is_never_anothers_table(browser, app_address):
    one, other = browser.new_context(), browser.new_context()
    a, b = one.new_page(), other.new_page()
    open_at(a, app_address, "data")
    open_at(b, app_address, "data")
    upload(a, small_csv(), "mine.csv", "60 records")
    expect(a.locator(".statusbar").first).to_contain_text("mine.csv")
    twin = small_csv().replace(b"flu", b"hiv")
    upload(b, twin, "mine.csv", "60 records")
    expect(b.locator(".statusbar").first).to_contain_text("mine.csv")
    digests = []
    for page in (a, b):
        visit(page, "Release")
        code = page.locator('[data-testid="stCode"]').first
        expect(code).to_contain_text("data_digest")
        digests.append(re.search(r'"data_digest":\s*"([\w:]+)"', code.inner_text()).group(1))
    assert digests[0] != digests[1]
    one.close()
    other.close()


@pytest.mark.deep
def test_the_curves_fill_in_and_an_answer_opens_in_tune(page, app_address):
    open_at(page, app_address, "data")
    upload(page, small_csv(), "people.csv", "60 records")
    visit(page, "Curves")
    filled(page)
    page.get_by_role("button", name="Open").last.click()
    expect(page.locator("h1").first).to_have_text("Tune")
    settled(page)


@pytest.mark.deep
def test_closing_the_tab_in_the_middle_of_a_sweep_leaves_the_app_well(browser, app_address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{app_address}/curves")
    expect(page.locator(".st-key-curve-progress")).to_be_visible()
    context.close()
    again = browser.new_context()
    page = again.new_page()
    open_at(page, app_address)
    assert "5 requested, 5 achieved" in status(page)
    again.close()


@pytest.mark.deep
def test_the_picture_of_the_readme(page, app_address):
    """`docs/make_samples.py screenshots` takes it; the page is worth one."""
    page.goto(f"{app_address}/?table=people-5000&algorithm=MDAV&k=7")
    expect(page.locator(".verdict").nth(1)).to_be_visible()
    expect(page.get_by_text("k = 15 is the largest k with a loss of at most 5 % (4.90 %).")).to_be_visible()
    expect(page.get_by_role("button", name="Use k = 15")).to_be_visible()
    settled(page)
    assert len(page.screenshot()) > 50_000

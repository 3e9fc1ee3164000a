"""The watch over the whole browser suite sees what leaves the machine."""

from __future__ import annotations

import pytest

from tests.browser.conftest import FLAGS, way_out

ASKING = """() => new Promise((done) => {
  const socket = new WebSocket('wss://evil.example/told');
  socket.onclose = () => fetch('http://tiles.example/1.png').then(done, done);
}).then(() => 'over')"""


@pytest.mark.deep
def test_what_a_page_asks_of_other_machines_is_seen(browser, chromium, app_address):
    """A browser of its own: what this one asks for would fail the suite at its end."""
    with way_out() as (address, outside):
        own = browser.browser_type.launch(
            executable_path=chromium, args=[*FLAGS, f"--proxy-server={address}"]
        )
        page = own.new_page()
        assert page.evaluate(ASKING) == "over"
        page.goto(f"{app_address}/_stcore/health")
        own.close()
    asked = " ".join(outside)
    assert "evil.example" in asked and "tiles.example" in asked
    assert app_address.removeprefix("http://") not in asked

"""A server below a base path, as behind a proxy that serves others too."""

from __future__ import annotations

import pytest

from pages.shell import frame, menu, server
from pages.shell.server_address import below, within
from pages.widgets import mapview


@pytest.fixture(params=[("", ""), ("team/kanon/", "/team/kanon")], ids=["root", "below"])
def base(request, monkeypatch):
    said, found = request.param
    monkeypatch.setattr("streamlit.get_option", {"server.baseUrlPath": said}.get)
    return found


def test_what_stands_below_is_asked_for_without_it(base):
    assert below("/kanon/counts") == f"{base}/kanon/counts"
    assert within(below("/kanon/counts")) == within(f"{base}//kanon/counts") == "/kanon/counts"
    assert within(base or "/") == "/"


def test_leaflet_is_found_below_it(base):
    mapview.address.cache_clear()
    assert mapview.address() == f"{base}/component/pages.widgets.mapview.kanon_assets"
    mapview.address.cache_clear()


def test_other_addresses_lead_to_pages_below_it(base):
    assert {route.path.removeprefix(base) for route in server.routes()} >= {"/tune", "/explore"}
    assert {route.path.startswith(f"{base}/") for route in server.routes()} == {True}
    assert not menu.other_addresses().keys() & frame.PAGES.keys() - {frame.FIRST}

"""Headers that a real server sends to the browser with every answer."""

from __future__ import annotations

import re
import urllib.error
import urllib.request

import pytest
from streamlit import net_util

from kanon_core.base.streets import TileServer, name_for, tile_servers
from pages.shell.headers import ALWAYS, BEGIN_AGAIN, policy
from pages.shell.server import COUNTS
from pages.shell.server_address import server_address
from tests.app.test_offline import watched

PATHS = (
    "/",
    "/data",
    "/static/js/index.js",
    "/media/none",
    "/component/pages.widgets.mapview.kanon_assets/vendor/leaflet/leaflet.js",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/upload_file/session/file",
    "/favicon.png",
    "/kanon/counts",
    "/kanon/server",
    "//evil.example",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with watched(tmp_path_factory.mktemp("server") / "asked", classroom=False) as (found, _):
        yield found


@pytest.mark.deep
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "PUT"])
def test_every_answer_has_them(served, method):
    for path in PATHS:
        try:
            asked = urllib.request.Request(
                served + path, method=method, data=b"" if method == "PUT" else None
            )
            answer = urllib.request.urlopen(asked, timeout=20)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        told = {name.lower(): value for name, value in answer.headers.items()}
        answer.close()
        assert {name: told.get(name) for name in ALWAYS} == ALWAYS, path
        assert told["content-security-policy"] == policy(), path
        assert ("no-store" in told.get("cache-control", "")) or not path.startswith("/media/"), path


def test_other_addresses_lead_to_their_page_with_what_they_say(served):
    leads = {
        "tune": "/?",
        "explore": "/?",
        "export": "/release?",
        "people": "/clusters?view=people&",
        "attack": "/risk?view=person&",
    }
    for other, page in leads.items():
        with urllib.request.urlopen(f"{served}/{other}?table=nine&k=3", timeout=20) as answer:
            assert answer.url == f"{served}{page}table=nine&k=3"


def test_the_counts_are_numbers_and_no_more(served):
    with urllib.request.urlopen(f"{served}/kanon/counts", timeout=20) as answer:
        lines = answer.read().decode().splitlines()
    assert lines[-1] == "# EOF"
    told = dict(line.split(" ") for line in lines if not line.startswith("#"))
    assert told.keys() == COUNTS.keys() and all(value.isdecimal() for value in told.values())
    assert told["kanon_tabs"] == "0" and int(told["kanon_memory_bytes"]) > 50_000_000


def test_streamlit_tells_nothing_of_its_caches(served):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{served}/_stcore/metrics", timeout=20)


def test_a_server_keeps_its_name(served):
    first, again = (urllib.request.urlopen(f"{served}/kanon/server", timeout=20).read() for _ in range(2))
    assert first == again and re.fullmatch('{"server":"[0-9a-f]{16}"}', first.decode())


def test_scripts_come_from_this_server_or_are_named_by_their_digest():
    scripts = re.search("script-src ([^;]*)", policy()).group(1).split()
    assert scripts[:2] == ["'self'", "blob:"] and len(scripts) > 3
    assert all(re.fullmatch("'sha256-[A-Za-z0-9+/]{43}='", one) for one in scripts[2:])
    assert "unsafe-eval" not in policy() and "script-src 'unsafe-inline'" not in policy()
    assert BEGIN_AGAIN == "location.replace(location.pathname)"


def test_the_address_is_known_without_asking(monkeypatch):
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(net_util, name, lambda name=name: pytest.fail(name))
    assert re.fullmatch(r"http://127.0.0.1:\d+", server_address())


def test_pictures_come_from_named_tile_servers_alone(monkeypatch):
    for wrong in ("https://Tiles.example.org/{z}/{x}/{y}", "x; script-src *"):
        monkeypatch.setenv("KANON_TILES", wrong)
        assert tile_servers("") == ()
    monkeypatch.setenv("KANON_TILES", "https://tiles.example.org/{z}/{x}/{y}.png")
    name_for("ann", TileServer("http://127.0.0.1:9/{z}/{x}/{y}"))
    assert [one.origin for one in tile_servers("ann")] == ["http://127.0.0.1:9", "https://tiles.example.org"]
    assert [one.origin for one in tile_servers("bob")] == ["https://tiles.example.org"]
    name_for("ann", None)
    assert tile_servers("ann") == tile_servers("bob")
    assert "img-src 'self' data: blob: https://tiles.example.org; " in policy(("https://tiles.example.org",))
    assert "img-src 'self' data: blob:; " in policy()

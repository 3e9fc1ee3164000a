"""Modules that a new server imports before the first request, and headings that wait for nothing slow."""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.web.server.app_discovery import discover_asgi_app

import kanon_core as kc
from pages.shell import frame, server
from pages.shell.menu import parts_of
from tests.app.screens import PLACES
from tests.app.test_pages import opened, session_of

ROOT = Path(__file__).resolve().parents[2]
RARE = {"scipy", "sklearn", "numba", "openpyxl", "rapidfuzz", "pyarrow.parquet"}
SLOW = RARE | {"numpy", "pandas"}
OPEN = """
from types import SimpleNamespace
import kanon_core as kc
from streamlit.testing.v1 import AppTest
from pages.state import warmup
from pages.state.session import Session
from pages.state.setting import Setting
warmup.start = lambda: SimpleNamespace(running=False, fresh=False)
session = Session(kc.read_table("sample:people-100"), "people", "sample:people-100", Setting(kc.Sorting()))
test = AppTest.from_file("pages/{page}/page.py", default_timeout=60)
test.session_state["kanon"] = session
test.run()
assert not test.exception and len(test.get("html")) > 1
"""


def imported(program: str) -> set[str]:
    """The modules in a fresh interpreter after this program."""
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return set(told.stdout.split())


def head(test: AppTest) -> str:
    return next(block.proto.body for block in test.get("html") if "<h1>" in block.proto.body)


@pytest.mark.deep
def test_the_heading_of_a_page_needs_nothing_slow():
    found = imported("from pages.shell import frame")
    ours = {name for name in found if name.startswith(("kanon_core.", "pages."))}
    base = {
        "kanon_core.base",
        *(
            f"kanon_core.base.{name}"
            for name in ("assets", "classroom", "entrance", "errors", "headroom", "version", "words")
        ),
    }
    parts = ["frame", "menu", "private", "server_address", "sign_in", "tour", "views"]
    shell = {"pages.shell", *(f"pages.shell.{name}" for name in parts)}
    state = {"pages.state", *(f"pages.state.{name}" for name in ("keys", "limits"))}
    assert ours == base | shell | state
    assert not SLOW & found


def test_the_heading_is_there_before_the_page_is_run(tmp_path, monkeypatch):
    script = tmp_path / "page.py"
    script.write_text("raise RuntimeError")
    monkeypatch.setattr(frame, "page_file", lambda name: script)
    monkeypatch.setattr(frame, "PAGES", {"data": frame.PAGES["data"]})
    monkeypatch.setattr(frame, "FIRST", "data")
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert test.exception
    assert "<h1>Data</h1>" in head(test) and frame.PAGES["data"].lead in head(test)


@pytest.mark.deep
def test_what_is_imported_ahead_is_what_the_first_pages_import():
    found = imported("from pages.shell.server import import_ahead\nimport_ahead()")
    assert {"pandas", "pages.data.roles", "pages.widgets.controls", "kanon_core.runs.run"} <= found
    assert not RARE & found


@pytest.mark.deep
@pytest.mark.parametrize("page", server.FIRST_PAGES)
def test_a_first_page_needs_neither_a_compiler_nor_what_few_tables_need(page):
    assert not RARE & imported(OPEN.replace("{page}", page))


def test_what_cannot_be_imported_ahead_does_not_end_the_server(monkeypatch):
    monkeypatch.setattr(server, "first_modules", lambda: iter(["pages.no_such_page"]))
    server.import_ahead()


def test_streamlit_finds_the_server_in_app_py():
    found = discover_asgi_app(ROOT / "app.py")
    assert found.is_asgi_app and found.import_string == "app:app"


@pytest.mark.deep
def test_every_page_has_the_heading_of_the_menu():
    session = session_of(kc.Sorting())
    for place in PLACES:
        page, view = parts_of(place)
        screen = frame.PAGES[page]
        lead = screen.views[view].lead if view else screen.lead
        assert f"<h1>{screen.title}</h1><p>{escape(lead)}</p>" in head(opened(place, session))

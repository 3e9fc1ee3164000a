"""Undocumented parts of Streamlit that Kanon uses: few, in one file, each with what happens without it."""

from __future__ import annotations

import importlib
import logging
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import kanon_core as kc
from pages.shell import headers, private, server
from pages.shell.private import NAMES, TESTED, VERSIONS, Unprotected, insist
from pages.state import jobs
from tests.app.screens import opened, words
from tests.app.test_pages import session_of
from tests.helpers import run_apart

ROOT = Path(__file__).resolve().parents[2]
CONVENIENCES = [name for name in NAMES.values() if name.protects == "nobody"]
PROTECTIONS = [name for name in NAMES.values() if name.protects != "nobody"]


@pytest.fixture(autouse=True)
def _fresh():
    yield
    private._left_out.cache_clear()
    headers.policy.cache_clear()


def take_away(monkeypatch, name: private.Name) -> None:
    """Streamlit without this name, as another version may be."""
    private._left_out.cache_clear()
    headers.policy.cache_clear()
    if name.protects != "nobody":
        monkeypatch.delattr(importlib.import_module(name.of), name.name)
    elif name.of == "streamlit":
        monkeypatch.setattr(private.st, "__file__", str(ROOT / "none" / "__init__.py"))
    else:
        requests = {"_state": SimpleNamespace(name="RERUN"), "_rerun_data": None}
        requests.pop(name.name)
        context = SimpleNamespace(session_id="tab", script_requests=SimpleNamespace(**requests))
        monkeypatch.setattr(private, "_context", lambda: context)


def test_they_are_few_and_each_says_why_and_what_happens_without():
    assert len(NAMES) <= 10 and {name.protects for name in NAMES.values()} <= {
        "nobody",
        "everybody",
        "signed in",
    }
    assert all(len(name.why) > 20 and len(name.without) > 10 for name in NAMES.values())


def test_the_versions_are_those_of_the_requirements():
    asked = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert f"streamlit{VERSIONS}" in asked and f"streamlit{VERSIONS}" in extra["app"]
    assert f"streamlit=={TESTED} " in (ROOT / "deploy" / "requirements.lock").read_text("utf-8")


def test_all_are_there_in_this_version():
    insist(signing_in=True)
    assert all(private._looked_up(name.name) is not None for name in PROTECTIONS)
    assert headers._INLINE.findall(private.first_page())


@pytest.mark.parametrize("name", PROTECTIONS, ids=lambda name: name.name)
def test_without_a_protection_the_server_refuses_to_start(monkeypatch, capsys, name):
    take_away(monkeypatch, name)
    with pytest.raises(Unprotected) as refusal:
        insist(signing_in=True)
    said = str(refusal.value)
    assert (
        f"{name.of}.{name.name}" in said and name.without in said and f"Streamlit {VERSIONS}, such as" in said
    )
    monkeypatch.setattr(server, "prepare", lambda: pytest.fail("it started"))
    monkeypatch.setattr(server, "entrance", lambda: object() if name.protects == "signed in" else None)
    with pytest.raises(Unprotected):
        run_apart(started())
    assert capsys.readouterr().err == f"{said}\n"


async def started() -> None:
    async with server.lifespan(None):
        pass


@pytest.mark.parametrize(
    "name", [name for name in PROTECTIONS if name.protects == "signed in"], ids=lambda name: name.name
)
def test_where_nobody_signs_in_what_signing_in_takes_may_be_missing(monkeypatch, name):
    take_away(monkeypatch, name)
    insist(signing_in=False)


@pytest.mark.parametrize("name", CONVENIENCES, ids=lambda name: name.name)
def test_a_convenience_is_left_out_and_said_once(monkeypatch, caplog, name):
    take_away(monkeypatch, name)
    insist(signing_in=True)
    monkeypatch.setattr(jobs.st, "rerun", lambda scope="app": pytest.fail("it was run again"))
    with caplog.at_level(logging.WARNING, private.__name__):
        for _ in range(2):
            if name.of == "streamlit":
                assert private.first_page() == ""
            else:
                jobs._yield_to_click()
    said = [record.getMessage() for record in caplog.records if record.name == private.__name__]
    assert len(said) == 1 and f"{name.of}.{name.name}" in said[0] and name.without in said[0]


def test_without_streamlits_first_page_no_script_in_it_is_allowed(monkeypatch):
    allowed = headers.policy()
    take_away(monkeypatch, NAMES["static/index.html"])
    assert headers.policy().count("'sha256-") == 1 < allowed.count("'sha256-")
    assert "script-src 'self'" in headers.policy()


def test_a_page_is_drawn_without_what_may_be_missing_of_the_context(monkeypatch):
    """Its clicks and the menu; the tab it knows."""
    context = private._context

    def bare():
        found = context()
        return found and SimpleNamespace(session_id=found.session_id)

    monkeypatch.setattr(private, "_context", bare)
    test = opened("tune", session_of(kc.Sorting()))
    assert "achieved" in words(test)


def test_the_menu_waits_for_the_next_run_where_it_cannot_be_drawn_again(monkeypatch):
    drawn = []
    monkeypatch.setattr(private, "_context", lambda: SimpleNamespace(session_id="tab"))
    private.drawn_for_all_pages(lambda: drawn.append("menu"))
    assert not drawn

"""Memory comes back when people leave."""

from __future__ import annotations

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

import kanon_core as kc
from kanon_core.release.release import size_of
from pages.shell import private, tabs
from pages.shell.memory import Memory
from pages.state.session import Session
from pages.state.setting import Setting


class Left:
    """A server that these tabs have left: what Streamlit holds of them, by a clock that is set."""

    def __init__(self, *names: str) -> None:
        self.now, self.ended = 0.0, list[str]()
        stored = MemorySessionStorage(ttl_seconds=60)
        stored._cache._timer = lambda: self.now
        self._manager = WebsocketSessionManager(stored, None, SimpleNamespace(clear=list), None)
        for name in names:
            end = functools.partial(self.ended.append, name)
            stored.save(SimpleNamespace(session=SimpleNamespace(id=name, shutdown=end)))
        self.held_by_streamlit, self.is_active_session = stored._cache._data, self._manager.is_active_session

    def close_session(self, name: str) -> None:
        self._manager.close_session(name)


@pytest.fixture
def left(monkeypatch):
    """A server with two tabs, whose pages were drawn before they were left."""
    server = Left("a", "b")
    monkeypatch.setattr(tabs, "_TABS", {})
    monkeypatch.setattr(tabs.time, "monotonic", lambda: server.now)
    monkeypatch.setattr(private, "_server", lambda: server)
    monkeypatch.setattr("streamlit.get_option", {tabs.RETURNING: 60}.get)
    for name in "ab":
        monkeypatch.setattr(private, "tab", lambda name=name: name)
        assert tabs.note_tab() == name
    return server


def test_tabs_that_were_left_are_let_go_though_nobody_comes(left):
    for left.now in (0.0, 29.0):
        assert tabs.remaining_tabs() == {"a", "b"} and not left.ended
    left.now = 31.0
    assert tabs.remaining_tabs() == set() and left.ended == ["a", "b"] and not left.held_by_streamlit


def test_streamlit_itself_waits_for_the_next_visit(left):
    """The reason for `held`: if this fails, it may go."""
    left.now = 61.0
    assert left.held_by_streamlit


def test_a_tab_that_is_open_again_stays(left, monkeypatch):
    assert tabs.remaining_tabs() == {"a", "b"} and tabs.count_open() == 0
    left.is_active_session = "a".__eq__
    left.now = 31.0
    assert tabs.remaining_tabs() == {"a"} and left.ended == ["b"] and tabs.count_open() == 1
    left.is_active_session = lambda name: False
    assert tabs.remaining_tabs() == {"a"}  # its time begins anew


def test_a_session_that_was_left_keeps_what_was_found_and_nothing_that_is_drawn():
    table = kc.read_table("sample:people-5000")
    session = Session(table, "people", "sample:people-5000", Setting(kc.Mondrian(), 5, 9))
    release = kc.anonymize(table, kc.Mondrian(), 5, 9)
    session.keep(session.setting, release)
    classes = release.classes.copy()
    session.picture(("a picture",), lambda: np.zeros(1000))
    before, there = size_of(release), {"tab"}
    memory = Memory(there.__contains__)
    memory.keep("cookie", "tab", session)
    assert not memory.tidy() and session.pictures and size_of(release) == before
    there.clear()
    assert memory.tidy() and not session.pictures and size_of(release) < before
    assert not memory.tidy()  # nothing to give back
    found = memory.resume("cookie", lambda _: True)
    assert found is session and found.kept(session.setting) is release
    assert (release.classes == classes).all()

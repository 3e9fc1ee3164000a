"""Memory comes back when people leave."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage

import kanon_core as kc
from kanon_core.release.resting import size_of
from pages.shell.tidying import held
from pages.state.memory import Memory
from pages.state.session import Session
from pages.state.setting import Setting


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def server(clock, *left: str):
    """A server that these tabs have left."""
    stored = MemorySessionStorage(ttl_seconds=30)
    stored._cache._timer = clock
    for one in left:
        stored.save(SimpleNamespace(session=SimpleNamespace(id=one)))
    return SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=stored, list_sessions=stored.list))


def test_tabs_that_were_left_are_let_go_though_nobody_comes(clock):
    runtime = server(clock, "a", "b")
    stored = runtime._session_mgr._session_storage._cache
    assert held(runtime) == {"a", "b"}
    clock.now = 31.0
    assert stored._data  # Streamlit itself waits for the next visit
    assert held(runtime) == set() and not stored._data


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
